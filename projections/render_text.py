"""A Scene as monospace text: plain, or coloured for a terminal by rich."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .palette import TONES, resolve
from .scene import Area, Axes, Cell, Key, Link, Mark, Panel, Piece, Scene, Track, alike
from .typeset import clean, clip, pad, width, wrap

if TYPE_CHECKING:
    from rich.text import Text

Run: TypeAlias = tuple[str, str]
"""A stretch of clean text and the role that colours it."""
Line: TypeAlias = list[Run]

NARROWEST = 40
SIDE = 30  # columns a panel needs to stand beside the board
GAP = "  "


class Signs(NamedTuple):
    """The characters for what has no glyph of its own: by kind (left, middle, right), brackets by shape."""

    kinds: dict[str, str]
    shapes: dict[str, str]
    rule: str
    dot: str
    here: str
    times: str
    bar: str
    turn: dict[str, str]


UNICODE = Signs(
    kinds={"floor": " · ", "wall": "███", "vessel": "░·░", "bulkhead": "▒▒▒", "door": "] [", "objective": " ◈ ",
           "hazard": "≈≈≈"},
    shapes={"round": "()", "square": "[]", "diamond": "‹›", "hex": "{}"},
    rule="─", dot="·", here="▶", times="×", bar="│",
    turn={"n": "↑", "ne": "↗", "e": "→", "se": "↘", "s": "↓", "sw": "↙", "w": "←", "nw": "↖"},
)  # fmt: skip
ASCII = Signs(
    kinds={"floor": " . ", "wall": "###", "vessel": ":.:", "bulkhead": "%%%", "door": "] [", "objective": " @ ",
           "hazard": "~~~"},
    shapes={"round": "()", "square": "[]", "diamond": "<>", "hex": "{}"},
    rule="-", dot=".", here=">", times="x", bar="|",
    turn={"n": "^", "ne": "/", "e": ">", "se": "\\", "s": "v", "sw": "/", "w": "<", "nw": "\\"},
)  # fmt: skip


def render_text(scene: Scene, columns: int = 100, *, ascii_only: bool = False) -> str:
    """The scene as plain text, each line at most `columns` wide (no less than 40), without trailing blanks.

    With `ascii_only` every character outside ASCII, in names too, is replaced.
    """
    lines = layout(scene, columns, ascii_only=ascii_only)
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def to_rich(scene: Scene, columns: int = 100, *, ascii_only: bool = False) -> Text:
    """The same text as a rich Text with the styles of the roles; rich honours NO_COLOR and pipes by itself."""
    from rich.text import Text

    text = Text(no_wrap=True, overflow="ignore", end="")
    for line in layout(scene, columns, ascii_only=ascii_only):
        for run, role in line:
            text.append(run, TONES[resolve(role, "page")].style or None)
        text.append("\n")
    text.rstrip()
    return text


def layout(scene: Scene, columns: int = 100, *, ascii_only: bool = False) -> list[Line]:
    """The lines of the text, in coloured stretches."""
    columns = max(columns, NARROWEST)
    signs = ASCII if ascii_only else UNICODE
    lines: list[Line] = []
    for text, role in ((scene.title, "title"), (scene.subtitle, "muted")):
        lines += [[(part, role)] for part in wrap(clean(text), columns) if part]
    board: list[Line] = _squares(scene, columns, signs) if _has_squares(scene) else []
    if scene.areas:
        board += _map(scene, columns, signs)
    taken = max((_measure(line) for line in board), default=0)
    beside = bool(board) and columns - taken - len(GAP) >= SIDE
    panels: list[Line] = []
    for panel in scene.panels:
        panels += [[]] * bool(panels) + _panel(panel, columns - taken - len(GAP) if beside else columns, signs)
    lines.append([])
    if beside:
        for index in range(max(len(board), len(panels))):
            left = board[index] if index < len(board) else []
            right = panels[index] if index < len(panels) else []
            lines.append([*left, (" " * (taken - _measure(left)) + GAP, ""), *right] if right else left)
    else:
        lines += board + [[]] * bool(board and panels) + panels
    for track in scene.tracks:
        lines += [[], *_track(track, columns, signs)]
    if scene.legend:
        lines += [[], *_flow([_key(key, signs) for key in scene.legend], columns)]
    if ascii_only:
        lines = [[(_to_ascii(text), role) for text, role in line] for line in lines]
    return lines


def _has_squares(scene: Scene) -> bool:
    return bool(scene.cells or scene.marks or any(not isinstance(piece.at, str) for piece in scene.pieces))


def _measure(line: Iterable[Run]) -> int:
    return sum(width(text) for text, _ in line)


def _to_ascii(text: str) -> str:
    """The text with each other character as its plain letter, or as many question marks as it is wide."""
    return text if text.isascii() else "".join(c if c.isascii() else "?" * width(c) for c in text)


# ---------------------------------------------------------------------------------------------- squares


def _squares(scene: Scene, columns: int, signs: Signs) -> list[Line]:
    """The board, in bands one below the other where it is too wide even at one column a square."""
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
    size = max(1, min(3, columns // (x1 - x0 + 1)))
    per_band = columns // size
    lines: list[Line] = []
    for start in range(x0, x1 + 1, per_band):
        if lines:
            lines.append([])
        for y in range(y0, y1 + 1):
            line: Line = []
            for x in range(start, min(start + per_band, x1 + 1)):
                at = (x, y)
                if at in labels:
                    # Where not all of a row's number fits, its last digit.
                    label = labels[at]
                    line.append((_fit(label if width(label) <= size else label[-size:], size), "axis"))
                else:
                    line += _square(cells.get(at), pieces.get(at, ()), marks.get(at), size, signs)
            lines.append(line)
    return lines


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
        if width(glyph) == 1 and size == 3 and pattern[0] != " ":
            return [(pattern[0] + glyph + pattern[2], role)]
        return [(_fit(glyph, size), role)]
    # Two columns take the middle and the right of the pattern, so that walls stay solid.
    return [(pattern if size == 3 else pattern[1:] if size == 2 else pattern[1], role)]


def _sign(text: str, columns: int) -> str:
    """As much of a sign as fits, or nothing if that would leave no mark of its own width."""
    cut = clip(clean(text), columns)
    return cut if width(cut) else ""


def _piece(piece: Piece, count: int, under: str, role: str, size: int, signs: Signs) -> Line:
    """A piece on its square: (M) of itself, (M! with a badge, (M↑ with a facing, ‹T4 over a numbered square."""
    glyph = _sign(piece.glyph, size) or "?"
    more = "+" if count > 1 else ""
    extra = _sign(piece.badge, 1) or more or (signs.turn[piece.facing] if piece.facing else "")
    left, right = tuple(signs.shapes[piece.shape])
    spare = size - width(glyph)
    if spare == 0:
        return [(glyph, piece.role)]
    if piece.faded:
        left, right = "~", "~"
    tail: Run = (" " if size == 2 and not piece.faded else right, piece.role)
    if extra:
        tail = (extra, "badge" if _sign(piece.badge, 1) else piece.role)
    elif width(under) == 1 and size == 3:
        tail = (under, role)
    if spare == 1:
        return [(glyph, piece.role), tail]
    return [(left + glyph, piece.role), tail]


# ------------------------------------------------------------------------------------------------ areas


def _map(scene: Scene, columns: int, signs: Signs) -> list[Line]:
    """Areas by their names, scaled to the width, with what stands in them; links as dotted lines."""
    points = {area.id: area.at for area in scene.areas}
    left, top = min(x for x, _ in points.values()), min(y for _, y in points.values())
    wide = max(x for x, _ in points.values()) - left or 1.0
    inner = columns - 20  # the outer labels are centred on their points
    tall = (max(y for _, y in points.values()) - top) * inner / wide / 2
    # A character is about twice as tall as wide; a very tall map is squeezed to four screens.
    down = min(1.0, 96 / tall) if tall else 1.0
    at = {
        key: (10 + round((x - left) / wide * inner), round((y - top) / wide * inner / 2 * down))
        for key, (x, y) in points.items()
    }
    canvas: dict[tuple[int, int], Run] = {}
    for link in scene.links:
        _dots(link, at, canvas, signs)
    held: dict[str, list[Piece]] = defaultdict(list)
    for piece in scene.pieces:
        if isinstance(piece.at, str):
            held[piece.at].append(piece)
    used: set[tuple[int, int]] = set()
    for area in scene.areas:
        _place(_label(area, held[area.id], signs), at[area.id], columns, canvas, used)
    if not canvas:
        return []
    rows = [y for _, y in canvas]
    return [_canvas_line(canvas, y, columns) for y in range(min(rows), max(rows) + 1)]


def _dots(link: Link, at: dict[str, tuple[int, int]], canvas: dict[tuple[int, int], Run], signs: Signs) -> None:
    if not isinstance(link.start, str) or not isinstance(link.end, str):
        return
    (ax, ay), (bx, by) = at[link.start], at[link.end]
    steps = max(abs(bx - ax) // 2, abs(by - ay), 1)
    for step in range(steps + 1):
        spot = (ax + round((bx - ax) * step / steps), ay + round((by - ay) * step / steps))
        canvas[spot] = (signs.dot, link.role)


def _label(area: Area, held: Sequence[Piece], signs: Signs) -> list[Line]:
    code, role = clean(area.code), f"area.{area.kind}"
    lines: list[Line] = [[(part, role)] for part in wrap(f"{code} {clean(area.name)}", 18)]
    if code and lines[0][0][0].startswith(code):
        lines[0] = [(code, "title"), (lines[0][0][0][len(code) :], role)]
    line: Line = []
    for run in _counters(held, signs):
        if line and _measure(line) + width(run[0]) > 18:
            lines.append(line)
            line = []
        line.append(run)
    return [*lines, line] if line else lines


def _counters(held: Sequence[Piece], signs: Signs) -> Iterator[Run]:
    """Pieces in order, neighbours that look the same as one with a number: (T)×3."""
    for group in alike(held):
        piece = group[0]
        left, right = ("~", "~") if piece.faded else tuple(signs.shapes[piece.shape])
        text = left + (_sign(piece.glyph, 3) or "?") + _sign(piece.badge, 2) + right
        yield (f"{text}{signs.times}{len(group)}" if len(group) > 1 else text, piece.role)


def _place(
    label: list[Line],
    middle: tuple[int, int],
    columns: int,
    canvas: dict[tuple[int, int], Run],
    used: set[tuple[int, int]],
) -> None:
    """Draws a label about its point, moved up or down to the nearest rows where it covers no other."""
    wide = max(_measure(line) for line in label)
    start = min(max(0, middle[0] - wide // 2), columns - wide)
    shift = 0
    while True:
        top = middle[1] - len(label) // 2 + shift
        box = {(x, y) for y in range(top, top + len(label)) for x in range(start - 1, start + wide + 1)}
        if not box & used:
            break
        shift = -shift if shift > 0 else 1 - shift
    used |= box
    for spot in box:
        canvas.pop(spot, None)
    for y, line in enumerate(label, start=top):
        x = start + (wide - _measure(line)) // 2
        for text, role in line:
            for char in text:
                if width(char) == 0 and (x - 1, y) in canvas:
                    canvas[(x - 1, y)] = (canvas[(x - 1, y)][0] + char, role)
                else:
                    canvas[(x, y)] = (char, role)
                    x += width(char)


def _canvas_line(canvas: dict[tuple[int, int], Run], y: int, columns: int) -> Line:
    line: Line = []
    x = 0
    while x < columns:
        text, role = canvas.get((x, y), (" ", ""))
        if line and line[-1][1] == role:
            line[-1] = (line[-1][0] + text, role)
        else:
            line.append((text, role))
        x += max(1, width(text))
    while line and not line[-1][0].strip():
        line.pop()
    return line


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
    items: list[Line] = []
    for index, box in enumerate(track.boxes):
        here = index == track.here
        held = [piece for piece in track.pieces if piece.at == (index, 0)]
        label = clip(clean(box.label), 24)
        item: Line = [(f"{signs.here}[{label}]" if here else f" [{label}]", "title" if here else box.role)]
        item += _counters(held, signs)
        items.append(item)
    name = clean(track.name)
    return [*([(part, "title")] for part in wrap(name, columns)), *_flow(items, columns, gap=0)]


def _key(key: Key, signs: Signs) -> Line:
    if key.shape:
        sample = _piece(
            Piece(at=(0, 0), glyph=key.glyph, role=key.role, shape=key.shape, badge=key.badge), 1, "", "", 3, signs
        )
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
        if lines and _measure(lines[-1]) + gap + _measure(cut) <= columns:
            lines[-1] += [(" " * gap, ""), *cut]
        else:
            lines.append(list(cut))
    return lines


def _cut(line: Line, columns: int) -> Line:
    kept: Line = []
    for text, role in line:
        kept.append((clip(text, columns - _measure(kept)), role))
    return kept
