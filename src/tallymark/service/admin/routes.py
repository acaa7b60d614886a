"""All admin pages."""

from typing import Final

from fastapi import APIRouter

from tallymark.service.admin import cases, correct, items, keys, pools, signing, upload

ROUTERS: Final = tuple(one.router for one in (signing, cases, correct, upload, items, pools, keys))
router = APIRouter()
for _one in ROUTERS:
    router.include_router(_one)
