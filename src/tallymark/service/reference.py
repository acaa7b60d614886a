"""The page of the documentation that follows from the service: settings, scopes and problems."""

from collections.abc import Iterator

from tallymark.service.keys.scopes import MEANINGS
from tallymark.service.problems.types import TYPES
from tallymark.service.settings import FILE, Settings, told


def reference() -> str:
    """The page, in Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# The service: settings, scopes, problems"
    yield ""
    yield "## Settings"
    yield ""
    yield "Each is an option of a command where it has one, else a variable of the environment, else a line of the TOML"
    yield f"file that `{FILE}` names (`port = 8080`), else its default. `tallymark config show` prints what holds."
    yield ""
    yield "| setting | variable | default | means |"
    yield "| --- | --- | --- | --- |"
    defaults = Settings.model_construct()
    for one in told(defaults):
        yield f"| `{one.name}` | `{one.variable}` | {f'`{one.value}`' if one.value else ''} | {one.meaning} |"
    yield ""
    yield "## Scopes of keys"
    yield ""
    yield "| scope | lets |"
    yield "| --- | --- |"
    for scope, meaning in MEANINGS.items():
        yield f"| `{scope}` | {meaning} |"
    yield ""
    yield "## Problems"
    yield ""
    yield "What went wrong is told as [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457) has it, in"
    yield "`application/problem+json`: `type`, which is for programs and never changes, `title`, `status`, and"
    yield "`detail`, which says what was given, what was expected and where. `GET` of a `type` says what is here."
    yield ""
    yield "| type | status | title | what to do |"
    yield "| --- | --- | --- | --- |"
    for kind in TYPES:
        yield f"| `{kind.uri}` | {kind.status} | {kind.title} | {kind.advice} |"
