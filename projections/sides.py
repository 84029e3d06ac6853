"""Two boards compared: side by side where there is room, one below the other where not, with what changed marked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, NamedTuple

from .palette import style
from .render_text import NARROWEST, layout
from .scene import Piece, Scene, Spot
from .text_areas import draw_map
from .text_signs import ASCII, Line, measure
from .typeset import width

if TYPE_CHECKING:
    from rich.text import Text

GUTTER = " │ "
MARKED = " ≠ "
MARK = "≠ "
PLAIN = {GUTTER: " | ", MARKED: " * ", MARK: "* "}
CHANGED = "changed "
"""Begins the role of a stretch of text that is not on the other board."""


class Boards(NamedTuple):
    """Two boards as lines of text; `beside` says that they stand side by side, `places` names what changed."""

    lines: list[Line]
    beside: bool
    places: list[str]

    def text(self) -> str:
        """Return the lines as plain text."""
        return "\n".join("".join(text for text, _ in line).rstrip() for line in self.lines)

    def to_rich(self) -> Text:
        """Return the lines with the styles of their roles, what changed in reverse."""
        from rich.text import Text

        text = Text(no_wrap=True, overflow="ignore", end="")
        for line in self.lines:
            for part, role in line:
                ink = style(role.removeprefix(CHANGED))
                text.append(part, f"{ink} reverse".strip() if role.startswith(CHANGED) else ink or None)
            text.append("\n")
        text.rstrip()
        return text


def boards(left: Scene, right: Scene, columns: int, *, ascii_only: bool = False) -> Boards:
    """Return two boards in at most `columns` columns, side by side if both have room for their squares and areas in full.

    A line that is not the same on both has a sign between the boards, or before it, and what differs in it is marked.
    """
    half = (columns - len(GUTTER)) // 2
    beside = half >= NARROWEST and all(_fits(scene, half) for scene in (left, right))
    lines: list[Line] = []
    if beside:
        sides = [layout(scene, half, ascii_only=ascii_only) for scene in (left, right)]
        for one, other, same in _aligned(sides[0], sides[1]):
            sign = GUTTER if same else MARKED
            lines.append([*one, (" " * (half - measure(one)), ""), (sign, "muted" if same else "badge"), *other])
    else:
        sides = [layout(scene, max(columns - len(MARK), NARROWEST), ascii_only=ascii_only) for scene in (left, right)]
        pairs = list(_aligned(sides[0], sides[1]))
        above = [(one, same) for one, _, same in pairs if one or same]
        below = [(other, same) for _, other, same in pairs if other or same]
        for part in (above, below):
            lines += [[]] * bool(lines)
            lines += [[(" " * len(MARK) if same else MARK, "badge"), *line] for line, same in part]
    if ascii_only:
        lines = [[(PLAIN.get(text, text), role) for text, role in line] for line in lines]
    return Boards(lines, beside, changed(left, right))


def _fits(scene: Scene, columns: int) -> bool:
    """Whether a board has room: three columns a square, and a plan for its areas where it has one."""
    xs = [cell.x for cell in scene.cells] + [piece.at[0] for piece in scene.pieces if not isinstance(piece.at, str)]
    edges = 2 if scene.axes is not None else 0
    if xs and 3 * (max(xs) - min(xs) + 1 + edges) > columns:
        return False
    return not scene.areas or not scene.plan or len(draw_map(scene, columns, ASCII)) >= len(scene.plan)


def _aligned(left: Sequence[Line], right: Sequence[Line]) -> Iterator[tuple[Line, Line, bool]]:
    """Yield lines that belong together, an empty one where a side has none, and whether they say the same."""
    texts, others = (["".join(text for text, _ in line).rstrip() for line in side] for side in (left, right))
    for what, first, last, start, stop in SequenceMatcher(None, texts, others, autojunk=False).get_opcodes():
        for number in range(max(last - first, stop - start)):
            one = left[first + number] if first + number < last else []
            other = right[start + number] if start + number < stop else []
            if what == "equal":
                yield one, other, True
            else:
                yield _marked(one, other), _marked(other, one), False


def _marked(line: Line, other: Line) -> Line:
    """Return a line in which every character that the other has not in its place has a role of its own."""
    beyond = {at: char for at, char, _ in _characters(other)}
    found: Line = []
    for at, char, role in _characters(line):
        tone = role if beyond.get(at, " ") == char else CHANGED + role
        if found and found[-1][1] == tone:
            found[-1] = (found[-1][0] + char, tone)
        else:
            found.append((char, tone))
    return found


def _characters(line: Line) -> Iterator[tuple[int, str, str]]:
    at = 0
    for text, role in line:
        for char in text:
            yield at, char, role
            at += width(char)


def changed(left: Scene, right: Scene) -> list[str]:
    """Return the names of the squares, areas and tracks that do not hold or show the same on both boards."""
    one, other = _places(left), _places(right)
    spots = [*one, *(spot for spot in other if spot not in one)]
    names = {**_names(left), **_names(right)}
    found = [
        _name(spot, names, right if right.axes is not None else left)
        for spot in spots
        if one.get(spot) != other.get(spot)
    ]
    tracks = {track.name: track for track in left.tracks}
    found += [track.name for track in right.tracks if tracks.get(track.name) != track]
    return found


def _places(scene: Scene) -> dict[Spot, list[Any]]:
    """What is in every place: its ground, then its pieces from the top."""
    held: dict[Spot, list[Piece]] = defaultdict(list)
    for piece in scene.pieces:
        held[piece.at].append(piece)
    places: dict[Spot, list[Any]] = {(cell.x, cell.y): [cell] for cell in scene.cells}
    places.update({area.id: [(area.kind, area.ground)] for area in scene.areas})
    for spot, pieces in held.items():
        places.setdefault(spot, []).extend(pieces)
    return places


def _names(scene: Scene) -> dict[Spot, str]:
    # A tooltip begins with what a square is called, and says what it is behind a comma: `V1, entry tile`.
    squares: dict[Spot, str] = {(cell.x, cell.y): cell.name.partition(",")[0] for cell in scene.cells}
    return {**squares, **{area.id: area.code or area.name for area in scene.areas}}


def _name(spot: Spot, names: dict[Spot, str], scene: Scene) -> str:
    if isinstance(spot, str):
        return names.get(spot, spot)
    x, y = spot
    axes = scene.axes
    if axes is not None and 0 <= x - axes.x < len(axes.columns) and 0 <= y - axes.y < len(axes.rows):
        return f"{axes.columns[x - axes.x]}{axes.rows[y - axes.y]}"
    return names.get(spot) or f"({x}, {y})"
