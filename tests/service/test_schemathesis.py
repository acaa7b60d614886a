"""The whole API as its description has it: no 500, nothing undocumented. `TALLYMARK_EXAMPLES=200` looks for longer."""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from clubs import Club, opened
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import CHECKS, load_all_checks

from tallymark.service.app import create_app
from tallymark.service.settings import Settings

load_all_checks()
_EXAMPLES = int(os.environ.get("TALLYMARK_EXAMPLES", "4"))
_CHECKS: list[Any] = CHECKS.get_by_names(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
    ]
)
_ENDLESS = ("/v1/pools/{pool}/stream", "/v1/arena/matches/{match}/stream")
_SCHEMA = schemathesis.openapi.from_dict(create_app(Settings(arena=True)).openapi())
_FOUND: list[Any] = list(_SCHEMA.get_all_operations())
_OPERATIONS = {
    f"{operation.method.upper()} {operation.path}": operation
    for operation in (found.ok() for found in _FOUND)
    if operation.path not in _ENDLESS
}


@schemathesis.serializer("application/x-ndjson")
def _lines(context: schemathesis.SerializationContext, value: object) -> bytes:
    return (value if isinstance(value, str) else json.dumps(value)).encode(errors="replace")


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A service with something in it, and without limits."""
    folder = tmp_path_factory.mktemp("club")
    with opened(folder, reads_a_minute=0, writes_a_minute=0, wait_seconds=0.1, approvers=1, arena=True) as club:
        for n in range(5):
            club.played(f"m{n}", "ann", "bob", 1)
        yield club


@pytest.mark.parametrize("name", _OPERATIONS)
def test_no_answer_is_a_surprise(wide: Club, name: str) -> None:
    @settings(max_examples=_EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(case=_OPERATIONS[name].as_strategy())
    def ask(case: "schemathesis.Case[Any]") -> None:
        # Names that are there, or most answers would be that the pool is not.
        case.path_parameters.update({"pool": "chess"} if "pool" in case.path_parameters and name[:3] != "PUT" else {})
        sent = case.as_transport_kwargs(base_url="http://testserver", headers=wide.by("admin"))
        answer = wide.client.request(
            sent["method"],
            sent["url"],
            params=sent.get("params"),
            headers=dict(sent["headers"]),
            json=sent.get("json"),
            content=sent.get("data"),
        )
        case.validate_response(answer, checks=_CHECKS)

    ask()
