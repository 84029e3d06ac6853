"""A Scene as monospace text: plain, or coloured for a terminal by rich."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .palette import Inks, style
from .scene import Axes, Cell, Frame, Key, Mark, Panel, Piece, Scene, Track
from .text_areas import draw_map
from .text_signs import ASCII, UNICODE, Line, Run, Signs, counter, counters, measure, sign
from .typeset import clean, clip, pad, width, wrap

if TYPE_CHECKING:
    from rich.text import Text

NARROWEST = 40
SIDE = 30  # columns a panel needs to stand beside the board
GAP = "  "


def render_text(scene: Scene, columns: int = 100, *, ascii_only: bool = False) -> str:
    """The scene as plain text, each line at most `columns` wide (no less than 40), without trailing blanks.

    With `ascii_only` every character outside ASCII, in names too, is replaced.
    """
    lines = layout(scene, columns, ascii_only=ascii_only)
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def to_rich(scene: Scene, columns: int = 100, *, ascii_only: bool = False, inks: Inks = "terminal") -> Text:
    """The same text as a rich Text with the styles of the roles; rich honours NO_COLOR and pipes by itself.

    `inks` says whether the terminal's own colours are used, or those of a light or a dark page.
    """
    from rich.text import Text

    text = Text(no_wrap=True, overflow="ignore", end="")
    for line in layout(scene, columns, ascii_only=ascii_only):
        for (run, role), ground in zip(line, _grounds(line) if inks != "terminal" else [""] * len(line), strict=True):
            # Blanks beside the name of a piece are no part of it; those of a board and its areas are its ground.
            bare = inks != "terminal" and run.isspace() and not role.startswith(("cell", "area"))
            text.append(run, style("" if bare else role, inks, ground) or None)
        text.append("\n")
    text.rstrip()
    return text


def _grounds(line: Line) -> list[str]:
    """Return for each stretch of a line of a plan the role of the area it stands in: between two strokes; else nothing."""
    found: list[str] = []
    stretch: list[str] = []
    for _, role in [*line, ("", "line")]:
        stretch.append(role)
        if role == "line":
            area = next((one for one in stretch if one.startswith("area.")), "")
            found += [area if found else ""] * len(stretch)
            stretch = []
    return found[: len(line)]


def layout(scene: Scene, columns: int = 100, *, ascii_only: bool = False) -> list[Line]:
    """The lines of the text, in coloured stretches."""
    columns = max(columns, NARROWEST)
    signs = ASCII if ascii_only else UNICODE
    lines: list[Line] = []
    for text, role in ((scene.title, "title"), (scene.subtitle, "muted")):
        lines += [[(part, role)] for part in wrap(clean(text), columns) if part]
    board: list[Line] = _squares(scene, columns, signs) if _has_squares(scene) else []
    if scene.areas:
        board += draw_map(scene, columns, signs)
    taken = max((measure(line) for line in board), default=0)
    beside = bool(board) and columns - taken - len(GAP) >= SIDE
    panels: list[Line] = []
    for panel in scene.panels:
        panels += [[]] * bool(panels) + _panel(panel, columns - taken - len(GAP) if beside else columns, signs)
    lines.append([])
    if scene.plan and not beside:
        lines += board + [[]] * bool(board) + _paired(scene, columns, signs)
    elif beside:
        for index in range(max(len(board), len(panels))):
            left = board[index] if index < len(board) else []
            right = panels[index] if index < len(panels) else []
            lines.append([*left, (" " * (taken - measure(left)) + GAP, ""), *right] if right else left)
    else:
        lines += board + [[]] * bool(board and panels) + panels
    for track in () if scene.plan and not beside else scene.tracks:
        lines += [[], *_track(track, columns, signs)]
    if scene.legend:
        whole = not _has_squares(scene)
        lines += [[], *_flow([_key(key, whole, signs) for key in scene.legend], columns)]
    if ascii_only:
        lines = [[(_to_ascii(text), role) for text, role in line] for line in lines]
    return lines


def _paired(scene: Scene, columns: int, signs: Signs) -> list[Line]:
    """Tracks and panels below a board, in two columns where there is room, each under the shorter one."""
    tracks = [_track(track, columns, signs) for track in scene.tracks]
    left = max([(columns - len(GAP)) // 2, *(measure(line) for track in tracks for line in track)])
    right = columns - left - len(GAP)
    two = right >= SIDE
    sides: tuple[list[Line], list[Line]] = ([], [])
    for track in tracks:
        sides[0].extend([[]] * bool(sides[0]) + track)
    for panel in scene.panels:
        side = int(two and len(sides[1]) < len(sides[0]))
        wide = (right if side else left) if two else columns
        sides[side].extend([[]] * bool(sides[side]) + _panel(panel, wide, signs))
    lines = []
    for index in range(max(len(sides[0]), len(sides[1]))):
        one = sides[0][index] if index < len(sides[0]) else []
        other = sides[1][index] if index < len(sides[1]) else []
        lines.append([*one, (" " * (left - measure(one)) + GAP, ""), *other] if other else one)
    return lines


def _has_squares(scene: Scene) -> bool:
    return bool(scene.cells or scene.marks or any(not isinstance(piece.at, str) for piece in scene.pieces))


def _to_ascii(text: str) -> str:
    """The text with each other character as its plain letter, or as many question marks as it is wide."""
    return text if text.isascii() else "".join(c if c.isascii() else "?" * width(c) for c in text)


# ---------------------------------------------------------------------------------------------- squares


def _squares(scene: Scene, columns: int, signs: Signs) -> list[Line]:
    """The board, in bands one below the other where it is too wide even at one column a square, or for its tiles."""
    cells = {(cell.x, cell.y): cell for cell in scene.cells}
    marks = {mark.at: mark for mark in scene.marks}
    pieces: dict[tuple[int, int], list[Piece]] = defaultdict(list)
    for piece in scene.pieces:
        if not isinstance(piece.at, str):
            pieces[piece.at].append(piece)
    labels = _labels(scene.axes, cells.keys() | marks.keys() | pieces.keys()) if scene.axes else {}
    spots = cells.keys() | marks.keys() | pieces.keys() | labels.keys()
    x0, x1 = min(x for x, _ in spots), max(x for x, _ in spots)
    y0, y1 = min(y for _, y in spots), max(y for _, y in spots)
    tiles = [frame for frame in scene.frames if not frame.solid]
    size = max(1, min(3, columns // (x1 - x0 + 1)))
    bands = [(start, min(start + columns // size - 1, x1)) for start in range(x0, x1 + 1, columns // size)]
    for wide in (3, 2, 1) if tiles else ():
        if between := _bands(tiles, x0, x1, columns // wide):
            size, bands = wide, between
            break
    names = {(math.floor(tile.x), math.floor(tile.y)): clean(tile.label) for tile in tiles if tile.label}
    lines: list[Line] = []
    for first, last in bands:
        band: list[Line] = []
        # A column that ends in a cut is shown beside the tiles of the band, not beside those of the next alone.
        rows = _rows_of(tiles, first, last)
        cut = {x for x, end in ((first, x0), (last, x1)) if tiles and x != end}
        for y in range(y0, y1 + 1):
            line: Line = []
            for x in range(first, last + 1):
                at = (x, y)
                if x in cut and y not in rows:
                    line.append((" " * size, ""))
                elif at in labels:
                    # Where not all of a row's number fits, its last digit.
                    label = labels[at]
                    line.append((_fit(label if width(label) <= size else label[-size:], size), "axis"))
                elif at in names and at not in pieces and at not in marks:
                    line.append((_fit(names[at], size), "title"))
                else:
                    line += _square(cells.get(at), pieces.get(at, ()), marks.get(at), size, signs)
            band.append(line)
        lines += [[]] * bool(lines) + (_without_blanks(band) if len(bands) > 1 else band)
    return lines


def _bands(tiles: Sequence[Frame], x0: int, x1: int, most: int) -> list[tuple[int, int]]:
    """First and last column of each band of a board of tiles, as many tiles wide as fit; none where one does not fit.

    A column that two tiles share is in the bands of both.
    """
    edges = {edge for tile in tiles for edge in (tile.x, tile.x + tile.columns)}
    cuts = sorted(edge for edge in edges if not any(tile.x < edge < tile.x + tile.columns for tile in tiles))
    bands: list[tuple[int, int]] = []
    first = x0
    while x1 - first >= most:
        fitting = [edge for edge in cuts if first < math.floor(edge) and math.ceil(edge) - first <= most]
        if not fitting:
            return []
        bands.append((first, math.ceil(fitting[-1]) - 1))
        first = math.floor(fitting[-1])
    return [*bands, (first, x1)]


def _rows_of(tiles: Sequence[Frame], first: int, last: int) -> set[int]:
    """The rows in which tiles lie that are whole in a band."""
    return {
        row
        for tile in tiles
        if first <= math.floor(tile.x) and math.ceil(tile.x + tile.columns) - 1 <= last
        for row in range(math.floor(tile.y), math.ceil(tile.y + tile.rows))
    }


def _without_blanks(lines: Sequence[Line]) -> list[Line]:
    """Lines without the empty ones above the first and below the last that shows something."""
    shown = [number for number, line in enumerate(lines) if any(not text.isspace() for text, _ in line)]
    return list(lines[shown[0] : shown[-1] + 1]) if shown else []


def _labels(axes: Axes, taken: Iterable[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """Names of columns above and below the board and of rows on both sides, where nothing sticks out."""
    right, below = axes.x + len(axes.columns), axes.y + len(axes.rows)
    labels = {(axes.x + i, y): name for i, name in enumerate(axes.columns) for y in (axes.y - 1, below)}
    labels |= {(x, axes.y + i): name for i, name in enumerate(axes.rows) for x in (axes.x - 1, right)}
    occupied = set(taken)
    return {at: clean(name) for at, name in labels.items() if at not in occupied}


def _fit(text: str, size: int) -> str:
    """A glyph in the middle of a square."""
    cut = clip(text, size)
    spare = size - width(cut)
    return " " * (spare // 2) + cut + " " * (spare - spare // 2)


def _square(cell: Cell | None, pieces: Sequence[Piece], mark: Mark | None, size: int, signs: Signs) -> Line:
    role = f"cell.{cell.kind}" if cell else ""
    if pieces:
        return _piece(pieces[0], len(pieces), clean(cell.glyph) if cell else "", role, size, signs)
    if mark is not None and not (cell and cell.glyph and size < 3):
        if cell and cell.glyph:
            return [(_fit(clean(mark.glyph), 1), mark.role), (pad(clean(cell.glyph), 2), role)]
        return [(_fit(clean(mark.glyph), size), mark.role)]
    if cell is None:
        return [(" " * size, "")]
    pattern = signs.kinds.get(cell.kind, signs.kinds["floor"])
    if cell.half:
        pattern = signs.rule * 3 if cell.half in "ns" else f" {signs.bar} "
    if cell.glyph:
        glyph = clean(cell.glyph)
        if width(glyph) in (1, 2) and size == 3 and pattern[0] != " ":
            return [(pattern[0] + glyph + pattern[2] * (2 - width(glyph)), role)]
        return [(_fit(glyph, size), role)]
    # Two columns take the middle and the right of the pattern, so that walls stay solid.
    return [(pattern if size == 3 else pattern[1:] if size == 2 else pattern[1], role)]


def _piece(piece: Piece, count: int, under: str, role: str, size: int, signs: Signs) -> Line:
    """A piece on its square: (M) of itself, (M! with a badge, (M↑ with a facing, ‹T4 over a numbered square.

    A sign that fills its square is in small letters where it is faded.
    """
    glyph = sign(piece.glyph, size) or "?"
    more = "+" if count > 1 else ""
    extra = sign(piece.badge, 1) or more or (signs.turn[piece.facing] if piece.facing else "")
    left, right = tuple(signs.shapes[piece.shape])
    spare = size - width(glyph)
    if spare == 0:
        return [(glyph.lower() if piece.faded else glyph, piece.role)]
    if piece.faded:
        left, right = "~", "~"
    tail: Run = (" " if size == 2 and not piece.faded else right, piece.role)
    if extra:
        tail = (extra, "badge" if sign(piece.badge, 1) else piece.role)
    elif width(under) == 1 and size == 3:
        tail = (under, role)
    if spare == 1:
        return [(glyph, piece.role), tail]
    return [(left + glyph, piece.role), tail]


# --------------------------------------------------------------------------------- panels, tracks, legend


def _panel(panel: Panel, columns: int, signs: Signs) -> list[Line]:
    columns = min(columns, 76)
    title = clip(clean(panel.title), columns - 4)
    lines: list[Line] = [[(title, "title"), (" " + signs.rule * (columns - width(title) - 1), "line")]]
    labels = [width(clean(row.label)) + 2 * row.depth for row in panel.rows if row.label and row.text]
    first = min(max(labels, default=0), columns // 2 - 1)
    for row in panel.rows:
        indent, label, text = min(2 * row.depth, columns // 4), clean(row.label), clean(row.text)
        role = row.role or "muted"
        if not label:
            lines += [[(" " * indent, ""), (part, row.role)] for part in wrap(text, columns - indent)]
        elif not text:
            lines += [[(" " * indent, ""), (part, role)] for part in wrap(label, columns - indent)]
        else:
            names = wrap(label, first - indent) if first > indent else [label]
            values = wrap(text, columns - first - 1)
            for index in range(max(len(names), len(values))):
                name = names[index] if index < len(names) else ""
                value = values[index] if index < len(values) else ""
                lines.append([(" " * indent + pad(name, first - indent) + " ", role), (value, "")])
    return lines


def _track(track: Track, columns: int, signs: Signs) -> list[Line]:
    name: list[Line] = [[(part, "title")] for part in wrap(clean(track.name), columns)]
    if track.per_row > 0:
        return [*name, *_rows(track, columns, signs)]
    items: list[Line] = []
    for index, box in enumerate(track.boxes):
        here = index == track.here
        held = [piece for piece in track.pieces if piece.at == (index, 0)]
        label = clip(clean(box.label), 24)
        item: Line = [(f"{signs.here}[{label}]" if here else f" [{label}]", "title" if here else box.role)]
        item += counters(held, signs)
        items.append(item)
    return [*name, *_flow(items, columns, gap=0)]


def _rows(track: Track, columns: int, signs: Signs) -> list[Line]:
    """A track in rows, its boxes in columns without their frames, and the note of each row behind it."""
    labels = [clip(clean(box.label), 6) for box in track.boxes]
    size = max(map(width, labels), default=0)
    lines: list[Line] = []
    for number, start in enumerate(range(0, len(labels), track.per_row)):
        items: list[Line] = []
        for index in range(start, min(start + track.per_row, len(labels))):
            here = index == track.here
            label = " " * (size - width(labels[index])) + labels[index]
            item: Line = [((signs.here if here else " ") + label, "title" if here else track.boxes[index].role)]
            items.append([*item, *counters([piece for piece in track.pieces if piece.at == (index, 0)], signs)])
        if number < len(track.notes):
            items.append([("  " + clean(track.notes[number]), "muted")])
        lines += _flow(items, columns, gap=0)
    return lines


def _key(key: Key, whole: bool, signs: Signs) -> Line:
    """An entry of the legend; pieces are shown as on a square, or `whole` as they are in areas."""
    if key.shape:
        piece = Piece(
            at=(0, 0), glyph=key.glyph, role=key.role, shape=key.shape, badge=key.badge, faded=key.faded, code=key.code
        )
        sample = [(counter(piece, signs), key.role)] if whole else _piece(piece, 1, "", "", 3, signs)
    elif key.kind:
        sample = _square(Cell(x=0, y=0, kind=key.kind, glyph=key.glyph), (), None, 3, signs)
    else:
        sample = [(clip(clean(key.glyph), 3), key.role)]
    return [*sample, (" " + clean(key.text), "")]


def _flow(items: Iterable[Line], columns: int, gap: int = 3) -> list[Line]:
    """Items side by side in as many lines as they need; what is wider than a line is cut."""
    lines: list[Line] = []
    for item in items:
        cut = _cut(item, columns)
        if lines and measure(lines[-1]) + gap + measure(cut) <= columns:
            lines[-1] += [(" " * gap, ""), *cut]
        else:
            lines.append(list(cut))
    return lines


def _cut(line: Line, columns: int) -> Line:
    kept: Line = []
    for text, role in line:
        kept.append((clip(text, columns - measure(kept)), role))
    return kept
