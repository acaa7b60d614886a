"""All pages of the arena: there where a service has one."""

from typing import Final

from fastapi import APIRouter

from tallymark.service.pages.arena import agent, home, listing, match

router: Final = APIRouter()
for _one in (home, listing, match, agent):
    router.include_router(_one.router)
