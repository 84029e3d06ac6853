"""What a text drawing is made of: coloured stretches of text, and the characters for what has no glyph of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from .scene import Piece, alike
from .typeset import clean, clip, width

Run: TypeAlias = tuple[str, str]
"""A stretch of clean text and the role that colours it."""
Line: TypeAlias = list[Run]


class Signs(NamedTuple):
    """The characters for what has no glyph of its own: by kind (left, middle, right), brackets by shape.

    `lines` are the strokes of a drawing by where they lead: up 1, down 2, left 4, right 8, added up.
    """

    kinds: dict[str, str]
    shapes: dict[str, str]
    rule: str
    dot: str
    here: str
    times: str
    bar: str
    turn: dict[str, str]
    hatch: str
    lines: str


UNICODE = Signs(
    kinds={"floor": " · ", "wall": "███", "vessel": "░·░", "bulkhead": "▒▒▒", "door": "] [", "objective": " ◈ ",
           "hazard": "≈≈≈", "passage": " + ", "dark": "░░░"},
    shapes={"round": "()", "square": "[]", "diamond": "‹›", "hex": "{}", "triangle": "/\\", "oblong": "=="},
    rule="─", dot="·", here="▶", times="×", bar="│",
    turn={"n": "↑", "ne": "↗", "e": "→", "se": "↘", "s": "↓", "sw": "↙", "w": "←", "nw": "↖"},
    hatch="░", lines=" │││─┘┐┤─└┌├─┴┬┼",
)  # fmt: skip
ASCII = Signs(
    kinds={"floor": " . ", "wall": "###", "vessel": ":.:", "bulkhead": "%%%", "door": "] [", "objective": " @ ",
           "hazard": "~~~", "passage": " + ", "dark": ":::"},
    shapes={"round": "()", "square": "[]", "diamond": "<>", "hex": "{}", "triangle": "/\\", "oblong": "=="},
    rule="-", dot=".", here=">", times="x", bar="|",
    turn={"n": "^", "ne": "/", "e": ">", "se": "\\", "s": "v", "sw": "/", "w": "<", "nw": "\\"},
    hatch=":", lines=" |||-+++-+++-+++",
)  # fmt: skip


def measure(line: Iterable[Run]) -> int:
    """The columns that a line takes."""
    return sum(width(text) for text, _ in line)


def sign(text: str, columns: int) -> str:
    """As much of a sign as fits, or nothing if that would leave no mark of its own width."""
    cut = clip(clean(text), columns)
    return cut if width(cut) else ""


def counter(piece: Piece, signs: Signs) -> str:
    """A piece in full, as it stands in an area: (T), {T!}, (T#07), ~T~ for a faded one."""
    left, right = ("~", "~") if piece.faded else tuple(signs.shapes[piece.shape])
    return left + (sign(piece.glyph, 3) or "?") + sign(piece.code, 5) + sign(piece.badge, 2) + right


def counters(held: Sequence[Piece], signs: Signs) -> Iterator[Run]:
    """Pieces in order, neighbours that look the same as one with a number: (T)×3."""
    for group in alike(held):
        text = counter(group[0], signs)
        yield (f"{text}{signs.times}{len(group)}" if len(group) > 1 else text, group[0].role)
