"""All admin pages."""

from typing import Final

from fastapi import APIRouter

from tallymark.service.admin import cases, correct, items, keys, names, pools, signing, upload

ROUTERS: Final = tuple(one.router for one in (signing, cases, correct, upload, names, items, pools, keys))
router = APIRouter()
for _one in ROUTERS:
    router.include_router(_one)
