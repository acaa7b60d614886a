"""All pages."""

from fastapi import APIRouter

from tallymark.service.pages import against, board, entry, home, match, player, rules, statics
from tallymark.service.pages.charts import routes as charts

router = APIRouter()
for _one in (statics, charts, home, board, player, against, match, entry, rules):
    router.include_router(_one.router)
