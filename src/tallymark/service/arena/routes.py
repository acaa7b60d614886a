"""What a service with an arena has besides: its part of the API."""

from typing import Final

from fastapi import APIRouter

from tallymark.service.arena import agents, exhibitions, home, matches, play, watched

router: Final = APIRouter()
for _one in (play, home, matches, watched, agents, exhibitions):
    router.include_router(_one.router)
