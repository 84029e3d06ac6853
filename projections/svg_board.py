"""The ground of an SVG drawing: where everything lies, and squares with their walls and marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby

from .scene import Cell, Frame, Mark, Piece, Scene, Spot
from .svg_pen import Pen, num
from .typeset import clean, clip, wrap

UNIT = 40.0


class Place:
    """Where squares and areas lie in pixels, and how large the board is."""

    def __init__(
        self, scene: Scene, left: float, top: float, squares: bool, map_width: float, unit: float = UNIT
    ) -> None:
        self.unit = unit
        self._radii = {area.id: area.radius for area in scene.areas}
        self._points = {area.id: area.at for area in scene.areas}
        boxes: list[tuple[float, float, float, float]] = []
        if squares:
            spots = [(c.x, c.y) for c in scene.cells] + [m.at for m in scene.marks]
            spots += [p.at for p in scene.pieces if not isinstance(p.at, str)]
            if (axes := scene.axes) is not None:
                spots += [(axes.x - 1, axes.y - 1), (axes.x + len(axes.columns), axes.y + len(axes.rows))]
            boxes += [(x, y, x + 1, y + 1) for x, y in spots]
            boxes += [(f.x, f.y, f.x + f.columns, f.y + f.rows) for f in scene.frames]
        for area in scene.areas:
            r = area.radius
            boxes.append((area.at[0] - r, area.at[1] - r, area.at[0] + r, area.at[1] + r))
            boxes += [(x, y, x, y) for x, y in area.outline]
        x0, x1 = min((b[0] for b in boxes), default=0.0), max((b[2] for b in boxes), default=0.0)
        y0, y1 = min((b[1] for b in boxes), default=0.0), max((b[3] for b in boxes), default=0.0)
        # Areas whose size is not given still need room for their labels.
        edge = 0.0 if squares or any(area.outline or area.radius for area in scene.areas) or not boxes else 70.0
        if not squares and boxes:
            self.unit = min((map_width - 2 * edge) / (x1 - x0 or 1.0), map_width / (y1 - y0 or 1.0))
        self._left, self._top = left + edge - x0 * self.unit, top + edge - y0 * self.unit
        self.wide, self.tall = (x1 - x0) * self.unit + 2 * edge, (y1 - y0) * self.unit + 2 * edge

    def point(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of a point; of a square, its upper left corner."""
        return (self._left + x * self.unit, self._top + y * self.unit)

    def of(self, spot: Spot) -> tuple[float, float]:
        """The pixel in the middle of a square or an area."""
        if isinstance(spot, str):
            return self.point(*self._points[spot])
        return self.point(spot[0] + 0.5, spot[1] + 0.5)

    def rim(self, spot: Spot) -> float:
        """How far the rim of a round area is from its middle, in pixels."""
        return self._radii[spot] * self.unit if isinstance(spot, str) else 0.0


# ---------------------------------------------------------------------------------------------- squares


def draw_squares(pen: Pen, scene: Scene, place: Place, stacks: Mapping[Spot, Sequence[Piece]]) -> None:
    """Walls as one flat shape, other squares as tiles on a common ground, then blocks, marks and names of lines."""
    walls = sorted((cell.y, cell.x) for cell in scene.cells if cell.kind == "wall")
    tiles = [cell for cell in scene.cells if cell.kind != "wall"]
    at = (place.point(0.0, 0.0), place.unit)
    if ground := [(cell.y, cell.x) for cell in tiles if not cell.half]:
        pen.again(("ground", tuple(ground), *at), partial(_ground, squares=sorted(ground), role="line", place=place))
    if walls:
        pen.again(("walls", tuple(walls), *at), partial(_ground, squares=walls, role="cell.wall", place=place))
    for cell in tiles:
        covered = bool(stacks.get((cell.x, cell.y)))
        key = ("tile", cell, place.point(cell.x, cell.y), place.unit, covered)
        pen.again(key, partial(_tile, cell=cell, place=place, covered=covered))
    for frame in scene.frames:
        _frame(pen, frame, place)
    letters = tuple(cell for cell in scene.cells if cell.kind == "wall" and cell.glyph)
    pen.again(("letters", letters, *at), partial(_wall_letters, cells=letters, place=place))
    lettered = {(cell.x, cell.y) for cell in scene.cells if cell.glyph}
    for mark in scene.marks:
        _mark(pen, mark, place, bool(stacks.get(mark.at)) or mark.at in lettered)
    if scene.axes is not None:
        _axes(pen, scene, place)


def _ground(pen: Pen, squares: Sequence[tuple[int, int]], role: str, place: Place) -> None:
    pen.add("path", d=_strips(squares, place), cls=pen.fill(role))


def _wall_letters(pen: Pen, cells: Sequence[Cell], place: Place) -> None:
    """What is written on walls, each on a patch of wall that covers the outlines of tiles."""
    written = [(place.of((cell.x, cell.y)), cell.glyph) for cell in cells]
    if written:
        patches = "".join(f"M{num(x - 9)} {num(y - 9)}h18v18h-18z" for (x, y), _ in written)
        pen.add("path", d=patches, cls=pen.fill("cell.wall"))
    for (x, y), glyph in written:
        pen.text(x, y + 4.5, clip(clean(glyph), 3), pen.ink("cell.wall"), 13, anchor="middle")


def _strips(squares: Sequence[tuple[int, int]], place: Place) -> str:
    """One path over squares (y, x) in order: a rectangle for each run along a row."""
    path = ""
    for y, row in groupby(squares, lambda square: square[0]):
        columns = [x for _, x in row]
        for _, group in groupby(enumerate(columns), lambda pair: pair[1] - pair[0]):
            run = [x for _, x in group]
            left, top = place.point(run[0], y)
            wide = len(run) * place.unit
            path += f"M{num(left)} {num(top)}h{num(wide)}v{num(place.unit)}h{num(-wide)}z"
    return path


def _tile(pen: Pen, cell: Cell, place: Place, covered: bool) -> None:
    role = f"cell.{cell.kind}"
    left, top = place.point(cell.x, cell.y)
    x, y, wide, tall = left + 1, top + 1, place.unit - 2, place.unit - 2
    if cell.half in ("e", "w"):
        x, wide = (x + wide / 2 if cell.half == "e" else x), wide / 2
    elif cell.half in ("n", "s"):
        y, tall = (y + tall / 2 if cell.half == "s" else y), tall / 2
    pen.open(cell.name, cell.ref)
    pen.add("rect", x=x, y=y, width=wide, height=tall, rx=place.unit * 0.13, cls=pen.fill(role, "cell"))
    ink, edge = pen.ink(role, "cell"), pen.edge(role, "cell")
    s = place.unit
    if cell.kind == "bulkhead":
        bars = f"M{num(left + s * 0.1)} {num(top + s * 0.1)}h{num(s * 0.8)}M{num(left + s * 0.1)} {num(top + s * 0.9)}h{num(s * 0.8)}"
        bars += f"M{num(left + s * 0.16)} {num(top + s * 0.1)}v{num(s * 0.8)}M{num(left + s * 0.84)} {num(top + s * 0.1)}v{num(s * 0.8)}"
        pen.add("path", d=bars, cls=edge, fill="none", stroke_width=s * 0.07)
    elif cell.kind == "vessel":
        inner = {"x": left + s * 0.12, "y": top + s * 0.12, "width": s * 0.76, "height": s * 0.76}
        pen.add(
            "rect",
            **inner,
            rx=s * 0.08,
            cls=edge,
            fill="none",
            stroke_width=1,
            stroke_dasharray="3 3",
            stroke_opacity="0.6",
        )
    elif cell.kind == "objective" and not covered:
        cx, cy = left + s / 2, top + s / 2
        pen.add("circle", cx=cx, cy=cy, r=s * 0.3, cls=edge, fill="none", stroke_width=s * 0.06)
        if not cell.glyph:
            pen.add("circle", cx=cx, cy=cy, r=s * 0.1, cls=ink)
    elif cell.kind == "door":
        pen.add(
            "path", d=f"M{num(left + s / 2)} {num(top + s * 0.12)}v{num(s * 0.76)}", cls=edge, stroke_width=s * 0.06
        )
    elif cell.kind == "hazard" and not covered:
        wave = f"M{num(left + s * 0.15)} {num(top + s * 0.75)}q{num(s * 0.175)} {num(-s * 0.2)} {num(s * 0.35)} 0t{num(s * 0.35)} 0"
        pen.add("path", d=wave, cls=edge, fill="none", stroke_width=s * 0.05)
    if glyph := clip(clean(cell.glyph), 3):
        if covered:
            pen.text(left + s * 0.08, top + s * 0.3, glyph, ink, s * 0.26, bold=True)
        else:
            size = s * (0.42 if len(glyph) == 1 else 0.32)
            pen.text(left + s / 2, top + s / 2 + size * 0.36, glyph, ink, size, anchor="middle", bold=True)
    pen.close()


def _frame(pen: Pen, frame: Frame, place: Place) -> None:
    """An outline with its label in the corner, or a solid piece with its name on it."""
    (left, top), s = place.point(frame.x, frame.y), place.unit
    wide, tall = frame.columns * s, frame.rows * s
    pen.open(frame.name)
    if frame.solid:
        box = {"x": left + 3, "y": top + 3, "width": wide - 6, "height": tall - 6}
        cls = f"{pen.fill(frame.role)} {pen.edge(frame.role)}"
        pen.add("rect", **box, rx=s * 0.2, cls=cls, stroke_width=2)
        words = clean(frame.name).split() or [""]
        size = min(s * 0.31, (wide - 10) / max(map(len, words)) / 0.6)
        lines = wrap(clean(frame.name), int((wide - 10) / size / 0.6))
        for number, line in enumerate(lines):
            y = top + tall / 2 + size * (1.15 * (number - (len(lines) - 1) / 2) + 0.36)
            pen.text(left + wide / 2, y, line, pen.ink(frame.role), size, anchor="middle", bold=True)
    else:
        box = {"x": left, "y": top, "width": wide, "height": tall}
        pen.add("rect", **box, cls=pen.edge(frame.role), fill="none", stroke_width=1.6, stroke_opacity="0.55")
    if label := clip(clean(frame.label), 3):
        tag = {"x": left - s * 0.38, "y": top - s * 0.38, "width": s * 0.76, "height": s * 0.76}
        pen.add("rect", **tag, rx=s * 0.14, cls=f"{pen.fill('card')} {pen.stroke('line')}")
        pen.text(
            left,
            top + s * 0.2,
            label,
            pen.ink("card"),
            s * (0.56 if len(label) == 1 else 0.4),
            anchor="middle",
            bold=True,
        )
    pen.close()


def _mark(pen: Pen, mark: Mark, place: Place, covered: bool) -> None:
    left, top = place.point(*mark.at)
    s = place.unit
    pen.open(mark.name)
    frame = {"x": left + 3, "y": top + 3, "width": s - 6, "height": s - 6}
    pen.add(
        "rect",
        **frame,
        rx=s * 0.1,
        cls=pen.stroke(mark.role, "mark"),
        fill="none",
        stroke_width=2.2,
        stroke_dasharray="6 3",
    )
    if not covered:
        pen.add("circle", cx=left + s / 2, cy=top + s * 0.5, r=s * 0.1, cls=pen.fill(mark.role, "mark"))
    pen.close()


def _axes(pen: Pen, scene: Scene, place: Place) -> None:
    axes = scene.axes
    if axes is None:
        return
    taken = {(cell.x, cell.y) for cell in scene.cells}
    right, below = axes.x + len(axes.columns), axes.y + len(axes.rows)
    spots = [(axes.x + i, y, name) for i, name in enumerate(axes.columns) for y in (axes.y - 1, below)]
    spots += [(x, axes.y + i, name) for i, name in enumerate(axes.rows) for x in (axes.x - 1, right)]
    for x, y, name in spots:
        if (x, y) not in taken:
            px, py = place.of((x, y))
            # Close to the board's edge, not in the middle of the square beyond it.
            px += 9.0 * ((x == axes.x - 1) - (x == right))
            py += 9.0 * ((y == axes.y - 1) - (y == below))
            pen.text(px, py + 4.5, clip(clean(name), 4), pen.ink("axis"), 13, anchor="middle")
