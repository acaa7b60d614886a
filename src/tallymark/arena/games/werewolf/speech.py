"""What may be said: text of a limited length, and nothing that moves a cursor or turns a line around."""

from typing import Final

from tallymark.arena.games.face import IllegalAction

LONGEST: Final = 500
"""Characters (code points) of a speech."""
_REFUSED: Final = (
    (0x00, 0x1F),  # control characters, line breaks and tabs among them
    (0x7F, 0x9F),
    (0x61C, 0x61C),  # marks that set the direction of a line
    (0x200B, 0x200B),  # nothing at all, with no width
    (0x200E, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0xD800, 0xDFFF),  # halves of surrogate pairs
    (0xFDD0, 0xFDEF),  # no characters
    (0xFEFF, 0xFEFF),
    (0xFFF9, 0xFFFB),
    (0xE0000, 0xE0FFF),  # tags, invisible
)
"""First and last code point of what is refused. A list of our own: the tables of Unicode grow with every version of
Python, and a replay must refuse what the match refused."""


def checked_speech(text: str) -> str:
    """`text`; `IllegalAction` where it is too long or has a character that may not be said, which it names.

    >>> checked_speech("I am no wolf.")
    'I am no wolf.'
    """
    if len(text) > LONGEST:
        raise IllegalAction(f"a speech has {len(text):,} characters; expected {LONGEST} at most", field="action")
    for n, character in enumerate(text):
        code = ord(character)
        if any(first <= code <= last for first, last in _REFUSED) or code & 0xFFFE == 0xFFFE:
            raise IllegalAction(
                f"a speech has U+{code:04X} at character {n + 1}; expected one line of text without control characters",
                field="action",
            )
    return text
