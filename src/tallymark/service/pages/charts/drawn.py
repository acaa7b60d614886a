"""Charts as SVG for the first paint, as Vega for browsers, and the script that draws it: from vl-convert's wheel."""

import subprocess
import sys
import threading
from functools import cache, lru_cache
from typing import Any, Final

import orjson

from tallymark.service.pages.charts.spec import Size, Theme
from tallymark.service.pages.statics import Static, packed

_MAKES: Final = """
import sys, vl_convert
sys.stdout.buffer.write(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;").encode())
"""
_KEPT: Final = 64
"""Charts of each form that are kept in memory, of some ten thousand bytes each."""
_MAKING: Final = threading.Lock()


@lru_cache(maxsize=_KEPT)
def svg(text: bytes) -> bytes:
    """A chart of Vega-Lite, drawn here."""
    import vl_convert

    return vl_convert.vegalite_to_svg(orjson.loads(text)).encode()


@lru_cache(maxsize=_KEPT)
def vega(text: bytes) -> bytes:
    """A chart of Vega-Lite as Vega, which browsers draw without compiling it."""
    import vl_convert

    return orjson.dumps(vl_convert.vegalite_to_vega(orjson.loads(text)))


def bundle() -> Static:
    """Vega for browsers. Making it takes seconds, once; whoever asks meanwhile waits for it too. `ImportError` where
    vl-convert is not installed, `CalledProcessError` where the program that makes it was stopped."""
    with _MAKING:
        return _bundle()


@cache
def _bundle() -> Static:
    import vl_convert as vl_convert

    # In a program of its own: here, nobody else would be answered as long as it takes.
    made = subprocess.run([sys.executable, "-P", "-c", _MAKES], capture_output=True, check=True)
    return packed(made.stdout, "text/javascript; charset=utf-8")


@cache
def bundle_path() -> str:
    """Its address, which has the version in it."""
    from importlib.metadata import version

    return f"/charts/{version('vl-convert-python')}/vega.js"


def text_of(spec: dict[str, Any]) -> bytes:
    """A chart as a key of what was made of it."""
    return orjson.dumps(spec, option=orjson.OPT_SORT_KEYS)


THEMES: Final[tuple[Theme, ...]] = ("light", "dark")
SIZES: Final[tuple[Size, ...]] = ("wide", "narrow")
