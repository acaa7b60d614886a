"""All pages."""

from fastapi import APIRouter

from tallymark.service.pages import board, home, statics

router = APIRouter()
for _one in (statics, home, board):
    router.include_router(_one.router)
