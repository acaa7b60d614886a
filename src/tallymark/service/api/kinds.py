"""What the types of problems mean, where their URIs point."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.service.answers import Json
from tallymark.service.problems import TYPES, Problem, ProblemType, type_named
from tallymark.service.problems.documented import problems

router = APIRouter(tags=["problems"])


class Kind(TypedDict):
    """A type of problem."""

    type: Annotated[str, Field(examples=["/problems/conflict"])]
    title: str
    status: int
    advice: Annotated[str, Field(description="What to do about it.")]


class Kinds(TypedDict):
    """All types, by status."""

    problems: list[Kind]


@router.get("/problems", operation_id="listProblems", summary="The types of problems", response_model=Kinds)
def list_problems() -> Response:
    """All that there are: none has ever been renamed."""
    return Json(Kinds(problems=[_kind(one) for one in TYPES]))


@router.get(
    "/problems/{name}",
    operation_id="getProblem",
    summary="A type of problem",
    response_model=Kind,
    responses=problems("not-found"),
)
def get_problem(name: Annotated[str, Path(examples=["conflict"])]) -> Response:
    """What a `type` means."""
    if name not in (one.name for one in TYPES):
        raise Problem("not-found", "no type of problem has this name")
    return Json(_kind(type_named(name)))


def _kind(one: ProblemType) -> Kind:
    return Kind(type=one.uri, title=one.title, status=one.status, advice=one.advice)
