"""Examples in docstrings as code: an extension of griffe, which reads the package for the reference page.

To Markdown three `>` are three nested quotations, and brackets in them are links. So every run of doctest lines is put
into a fence of its own before the docstring is rendered.
"""

import doctest
import re
from collections.abc import Iterator

import griffe

_DIRECTIVE = re.compile(r"\s*# doctest:.*$", re.MULTILINE)


class DoctestFences(griffe.Extension):
    """Fences the examples of every docstring that is loaded."""

    def on_object(self, *, obj: griffe.Object, loader: griffe.GriffeLoader, **kwargs: object) -> None:
        """Called once for each module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The text with each run of examples between ```` ```pycon ```` and ```` ``` ````, prose left as it is."""
    return "".join(_parts(text))


def _parts(text: str) -> Iterator[str]:
    open_ = False
    for part in doctest.DocTestParser().parse(text):
        if isinstance(part, doctest.Example):
            if not open_:
                yield "```pycon\n"
            open_ = True
            first, *rest = _DIRECTIVE.sub("", part.source).splitlines()
            yield f">>> {first}\n" + "".join(f"... {line}\n" for line in rest) + part.want
        elif part:
            yield "```\n" if open_ else ""
            open_ = False
            yield part
    yield "```\n" if open_ else ""
