"""All pages."""

from typing import Final

from fastapi import APIRouter

from tallymark.service.pages import against, board, entry, flag, home, match, player, rules, statics, vote
from tallymark.service.pages.charts import routes as charts

ROUTERS: Final = tuple(
    one.router for one in (statics, charts, home, board, player, against, match, entry, rules, vote, flag)
)  # fmt: skip
router = APIRouter()
for _one in ROUTERS:
    router.include_router(_one)
