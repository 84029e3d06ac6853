"""One drawing model for all games: a `Scene` is plain data that the text, SVG and HTML renderers draw.

Squares have whole-number coordinates, x to the east and y to the south. Areas have free coordinates of any
scale. Colours are roles (`cell.wall`, `unit.blue`, `foe.2`): `palette.py` gives each its colours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from ..domain.errors import WarptapeError

if TYPE_CHECKING:
    from rich.text import Text

    from .palette import Inks

Spot: TypeAlias = tuple[int, int] | str
"""Where something is: a square (x, y), or the id of an area."""
Side: TypeAlias = Literal["", "n", "e", "s", "w"]
Facing: TypeAlias = Literal["", "n", "ne", "e", "se", "s", "sw", "w", "nw"]
Shape: TypeAlias = Literal["round", "square", "diamond", "hex", "triangle", "oblong"]
Scheme: TypeAlias = Literal["auto", "light", "dark"]

MAX_SPAN = 400
"""The most squares a scene may measure from side to side: a larger one is a mistake, and would fill the memory."""


class BadScene(WarptapeError):
    """The scene cannot be drawn: a piece in an unknown area, two cells on one square, a wild coordinate."""


class _Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What all parts of a scene share: frozen, compared by value, encoded without defaults."""


class Cell(_Part, frozen=True):
    """One square of a board; `kind` picks its look: floor, wall, vessel, exit, spawn, objective, bulkhead, door…

    `glyph` (1-3 characters) is printed on it, `name` is its tooltip. `half` names the side on which half of
    a square lies that only half exists. `ref` are the words by which actions name the square, parted by spaces.
    """

    x: int
    y: int
    kind: str = "floor"
    glyph: str = ""
    name: str = ""
    half: Side = ""
    ref: str = ""


class Axes(_Part, frozen=True):
    """The names of the columns and rows of a board whose first square is (x, y)."""

    x: int = 0
    y: int = 0
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()


class Frame(_Part, frozen=True):
    """A block of squares with an outline: a tile of the board or, `solid`, a piece that covers several squares.

    Its sides may lie in the middle of squares, which then belong to two tiles. `label` (up to 3 characters) stands at
    its upper left corner, `name` is its tooltip and, on a solid one, written on it. A text that is too narrow for the
    board is cut where tiles end, never through one; it shows no outlines.
    """

    x: float
    y: float
    columns: float
    rows: float
    label: str = ""
    name: str = ""
    role: str = "line"
    solid: bool = False


class Area(_Part, frozen=True):
    """A named place on a map; `at` is the centre of its label, `outline` a polygon, `radius` else a circle.

    `code` is the short name a player types, and by which actions name it. `ground` tells a condition without colour, `mark` is the role that
    points an area out: where a fight is, what can be chosen.
    """

    id: str
    name: str
    at: tuple[float, float]
    code: str = ""
    outline: tuple[tuple[float, float], ...] = ()
    radius: float = 0.0
    kind: str = "land"
    ground: Literal["plain", "double", "hatched"] = "plain"
    mark: str = ""


class Link(_Part, frozen=True):
    """A line between two squares or areas: a road, a line of fire, the last move."""

    start: Spot
    end: Spot
    role: str = "link"
    name: str = ""
    arrow: bool = False
    dashed: bool = False


class Piece(_Part, frozen=True):
    """A counter or a figure on a square or in an area; several in one place are shown in order, top first.

    `glyph` has 1-3 characters. `badge` (1-2 characters) tells a condition such as a wound, `faded` one that
    is spent or lying down. `code` (up to 5 characters) is the name a player types where the glyph does not say
    it; `value` (up to 5), the figures printed on a counter, is shown where it is drawn large.
    On a `Track`, `at` is (number of the box from 0, 0). `ref` are the words by which actions name it, parted by spaces.
    """

    at: Spot
    glyph: str
    role: str = "unit"
    shape: Shape = "round"
    name: str = ""
    badge: str = ""
    facing: Facing = ""
    faded: bool = False
    code: str = ""
    value: str = ""
    ref: str = ""


def alike(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces of a stack in order, neighbours that look the same together."""

    def look(piece: Piece) -> tuple[object, ...]:
        return (
            piece.glyph, piece.role, piece.shape, piece.badge, piece.facing, piece.faded, piece.code, piece.value,
        )  # fmt: skip

    return [list(group) for _, group in groupby(pieces, look)]


class Mark(_Part, frozen=True):
    """A square to point out: a legal destination, the square just left."""

    at: tuple[int, int]
    role: str = "mark"
    glyph: str = "*"
    name: str = ""


class Box(_Part, frozen=True):
    """One box of a track."""

    label: str
    role: str = ""
    name: str = ""


class Track(_Part, frozen=True):
    """A row of boxes with the box we are `here` in (from 0) and markers.

    A long track is set in rows of `per_row` boxes (0: as many as fit), with one of the `notes` behind each row.
    """

    name: str
    boxes: tuple[Box, ...]
    here: int | None = None
    pieces: tuple[Piece, ...] = ()
    per_row: int = 0
    notes: tuple[str, ...] = ()


class Row(_Part, frozen=True):
    """One line of a panel; `depth` indents it, `role` colours its label."""

    label: str = ""
    text: str = ""
    role: str = ""
    depth: int = 0


class Panel(_Part, frozen=True):
    """A table beside the board: the squad, the decks, the last events."""

    title: str
    rows: tuple[Row, ...] = ()


class Key(_Part, frozen=True):
    """One entry of the legend: the sign of a piece (`shape`), of a cell (`kind`) or of a mark (its `role`), and what it means."""

    text: str
    glyph: str = ""
    role: str = ""
    shape: Shape | Literal[""] = ""
    kind: str = ""
    badge: str = ""
    faded: bool = False
    code: str = ""


class Scene(_Part, frozen=True):
    """A picture of a game as plain data; `print()` it, or take `.svg()`, `.html()` or `.to_json()`.

    `plan` draws the areas as text: boxes of `+`, `-` and `|`, in each the id of its area, or the beginning of it
    with a full stop. The text stretches it to the page and to what the areas hold.
    Raises BadScene if it is not drawable.
    """

    title: str
    subtitle: str = ""
    cells: tuple[Cell, ...] = ()
    axes: Axes | None = None
    frames: tuple[Frame, ...] = ()
    areas: tuple[Area, ...] = ()
    plan: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    pieces: tuple[Piece, ...] = ()
    marks: tuple[Mark, ...] = ()
    tracks: tuple[Track, ...] = ()
    panels: tuple[Panel, ...] = ()
    legend: tuple[Key, ...] = ()

    def __post_init__(self) -> None:
        seen: set[tuple[int, int]] = set()
        for cell in self.cells:
            if (cell.x, cell.y) in seen:
                raise BadScene(f"Two cells stand on square ({cell.x}, {cell.y}).")
            seen.add((cell.x, cell.y))
        ids = {area.id for area in self.areas}
        if len(ids) < len(self.areas):
            raise BadScene("Two areas have the same id.")
        measured = [
            (f"Area '{a.id}'", (*a.at, a.radius, *(n for point in a.outline for n in point))) for a in self.areas
        ]
        measured += [(f"Frame '{f.name or f.label}'", (f.x, f.y, f.columns, f.rows)) for f in self.frames]
        for what, numbers in measured:
            if not all(math.isfinite(n) and abs(n) < 1e9 for n in numbers):
                raise BadScene(f"{what} has a coordinate that is not a usable number.")
        for spot in self._spots():
            if isinstance(spot, str):
                if spot not in ids:
                    raise BadScene(f"There is no area '{spot}' in the scene.")
            else:
                seen.add(spot)
        for track in self.tracks:
            for piece in track.pieces:
                if isinstance(piece.at, str) or piece.at[1] != 0 or not 0 <= piece.at[0] < len(track.boxes):
                    raise BadScene(f"Track '{track.name}' has no box at {piece.at!r}.")
        seen |= {(int(f.x), int(f.y)) for f in self.frames}
        seen |= {(int(f.x + f.columns), int(f.y + f.rows)) for f in self.frames}
        if self.axes is not None:
            last = (self.axes.x + len(self.axes.columns), self.axes.y + len(self.axes.rows))
            seen |= {(self.axes.x, self.axes.y), last}
        for span in ([x for x, _ in seen], [y for _, y in seen]):
            if seen and max(span) - min(span) >= MAX_SPAN:
                raise BadScene(f"The board measures more than {MAX_SPAN} squares from side to side.")

    def _spots(self) -> Iterator[Spot]:
        for piece in self.pieces:
            yield piece.at
        for link in self.links:
            yield link.start
            yield link.end
        for mark in self.marks:
            yield mark.at

    def text(self, width: int = 100, *, ascii_only: bool = False) -> str:
        """The scene as plain monospace text of at most `width` columns (40 or more), without escape codes."""
        from .render_text import render_text

        return render_text(self, width, ascii_only=ascii_only)

    def to_rich(self, width: int = 100, *, ascii_only: bool = False, inks: Inks = "terminal") -> Text:
        """The same text with colours, as a rich renderable: the terminal's own, or those of a light or a dark page."""
        from .render_text import to_rich

        return to_rich(self, width, ascii_only=ascii_only, inks=inks)

    def svg(self, scheme: Scheme = "auto") -> str:
        """The scene as a standalone SVG document; `auto` follows the reader's light or dark setting."""
        from .render_svg import render_svg

        return render_svg(self, scheme)

    def html(self, scheme: Scheme = "auto") -> str:
        """The scene as a self-contained HTML page."""
        from .render_html import render_page

        return render_page(self, scheme)

    def to_json(self) -> str:
        """The scene as one line of JSON; `from_json` reads it back. Raises BadScene on text that is no Unicode."""
        try:
            return msgspec.json.encode(self).decode()
        except UnicodeError as error:
            raise BadScene(f"The scene holds text that is no Unicode: {error}.") from error

    @classmethod
    def from_json(cls, text: str | bytes) -> Scene:
        """The scene that `to_json` wrote. Raises BadScene if the text is no scene."""
        try:
            return msgspec.json.decode(text, type=cls)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise BadScene(f"This is no scene: {error}.") from error

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        from .render_html import render_fragment

        return render_fragment(self, "auto")

    def _repr_svg_(self) -> str:
        return self.svg()


def table(title: str, data: object, subtitle: str = "", *, most: int = 200) -> Scene:
    """Plain data as a scene of tables: what a ruleset without a board is shown as.

    `data` is a struct, a mapping, or rows of label and value; values may be nested. Plain values at the top
    form the first panel; every nested value forms its own. A panel shows `most` rows and says how many it
    leaves out. A secret shows its value, or that it is hidden.
    """
    plain = msgspec.to_builtins(data, str_keys=True, enc_hook=str)
    pairs: list[tuple[Any, Any]]
    if isinstance(plain, Mapping):
        pairs = list(plain.items())
    elif not _is_flat(plain) and all(_is_pair(item) for item in plain):
        pairs = [tuple(item) for item in plain]
    else:
        pairs = [("value", plain)]
    pairs = [(key, _unwrap(value)) for key, value in pairs]
    top = [Row(label=_label(key), text=_short(value)) for key, value in pairs if _is_short(value)]
    panels = [_full_panel("Game", top, most)] if top else []
    panels += [_full_panel(_label(key), list(_rows(value, 0)), most) for key, value in pairs if not _is_short(value)]
    return Scene(title=title, subtitle=subtitle, panels=tuple(panels))


def _full_panel(title: str, rows: list[Row], most: int) -> Panel:
    if len(rows) > most:
        rows = [*rows[:most], Row(text=f"… and {len(rows) - most} more")]
    return Panel(title=title, rows=tuple(rows))


def _is_pair(item: object) -> bool:
    return isinstance(item, (tuple, list)) and len(item) == 2 and isinstance(item[0], str)


def _unwrap(value: Any) -> Any:
    """What is inside a secret as a state keeps it, and a word for what is sealed."""
    if isinstance(value, Mapping):
        if value.keys() == {"value", "seen_by"}:
            return _unwrap(value["value"])
        if value.keys() == {"sealed"}:
            return "hidden"
    if isinstance(value, (list, tuple)):
        return [_unwrap(item) for item in value]
    return value


def _rows(value: Any, depth: int) -> Iterator[Row]:
    pairs = value.items() if isinstance(value, Mapping) else enumerate(value, start=1)
    for key, wrapped in pairs:
        item = _unwrap(wrapped)
        if _is_short(item):
            yield Row(label=_label(key), text=_short(item), depth=depth)
        else:
            yield Row(label=_label(key), depth=depth)
            # Deeper than eight levels nobody reads a table: the rest is given as it is.
            if depth < 8:
                yield from _rows(item, depth + 1)
            else:
                yield Row(text=str(item), depth=depth + 1)


def _label(key: object) -> str:
    return str(key).replace("_", " ")


def _is_flat(value: object) -> bool:
    return not isinstance(value, (Mapping, Sequence)) or isinstance(value, (str, bytes))


def _is_short(value: object) -> bool:
    """Whether a value fits on one row: a plain one, a list of plain ones, anything empty."""
    if _is_flat(value) or not value:
        return True
    return isinstance(value, Sequence) and all(_is_flat(item) for item in value)


def _short(value: object) -> str:
    match value:
        case None:
            return "-"
        case True:
            return "yes"
        case False:
            return "no"
        case str():
            return value
        case Mapping() | Sequence() if not value:
            return "-"
        case Sequence() if not isinstance(value, bytes):
            return ", ".join(_short(item) for item in value)
    return str(value)
