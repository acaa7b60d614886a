"""All pages."""

from fastapi import APIRouter

from tallymark.service.pages import board, home, player, statics
from tallymark.service.pages.charts import routes as charts

router = APIRouter()
for _one in (statics, charts, home, board, player):
    router.include_router(_one.router)
