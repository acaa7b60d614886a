"""The constants as source text of another language, under the spec's names."""

import json
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from tallymark.fixedpoint import constants, felt, rules

Constant = int | Sequence[int]

CONSTANTS: Final[Mapping[str, Constant]] = {
    "VERSION": constants.VERSION,
    "LN2": constants.LN2,
    "PI_SQ": constants.PI_SQ,
    "DRIFT": constants.DRIFT_Q << 32,
    "PHI_MIN": constants.PHI_MIN,
    "PHI_MAX": constants.PHI_MAX,
    "MU_LO": constants.MU_LO,
    "MU_HI": constants.MU_HI,
    "VAR_CAP": constants.PHI_MAX**2,
    "DT_MAX": constants.DT_MAX,
    "DAY": constants.DAY,
    "DAYS_LOW": constants.DAYS_LOW,
    "DAYS_SLOPE": constants.DAYS_SLOPE,
    "RANK_FROM": constants.RANK_FROM,
    "RANK_TO": constants.RANK_TO,
    "MIN_STEPS": rules.MIN_STEPS,
    "SETTLED_GAMES": rules.SETTLED_GAMES,
    "COUNTER_MAX": felt.COUNTER_MAX,
    "T": constants.EXP_TABLE,
    "M": constants.KNOTS,
    "BAND_MU": rules.BANDS,
}
"""Each constant, by the spec's name where it has one; T[j], M[k] and BAND_MU[band - 1] are arrays."""

_WIDTH: Final = 120


class Language(StrEnum):
    """What the constants can be written in."""

    CAIRO = "cairo"
    JS = "js"
    JSON = "json"


def constants_source(language: Language) -> str:
    """The constants as a module of Cairo (i128) or JavaScript (BigInt), or as JSON (strings of digits).

    >>> constants_source(Language.JS).splitlines()[2]
    'export const LN2 = 2977044472n;'
    """
    return _WRITERS[language](CONSTANTS)


def _cairo(table: Mapping[str, Constant]) -> str:
    text = f"// {_title()}\n"
    for name, value in table.items():
        if isinstance(value, int):
            text += f"pub const {name}: i128 = {value};\n"
        else:
            text += f"pub const {name}: [i128; {len(value)}] = [\n{_filled(value, '')}];\n"
    return text


def _js(table: Mapping[str, Constant]) -> str:
    text = f"// {_title()}\n"
    for name, value in table.items():
        if isinstance(value, int):
            text += f"export const {name} = {value}n;\n"
        else:
            text += f"export const {name} = [\n{_filled(value, 'n')}];\n"
    return text


def _json(table: Mapping[str, Constant]) -> str:
    told = {
        name: str(value) if isinstance(value, int) else [str(one) for one in value] for name, value in table.items()
    }
    return json.dumps(told, indent=2) + "\n"


def _title() -> str:
    return f"Constants of go-onchain-v{constants.VERSION}, written by: tallymark vectors --constants"


def _filled(values: Sequence[int], suffix: str) -> str:
    lines, line = "", "   "
    for value in values:
        word = f" {value}{suffix},"
        if len(line) + len(word) > _WIDTH:
            lines, line = lines + line + "\n", "   "
        line += word
    return lines + line + "\n"


_WRITERS: Final[Mapping[Language, Callable[[Mapping[str, Constant]], str]]] = {
    Language.CAIRO: _cairo,
    Language.JS: _js,
    Language.JSON: _json,
}
