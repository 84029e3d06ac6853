"""The areas of an SVG drawing: their shapes, and what stands in them, as large as there is room."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from .outlines import Outline, chord, hatching, inset
from .palette import resolve
from .scene import Area, Piece, Scene, Spot, alike
from .svg_board import Place
from .svg_pen import Pen, num, polygon_path, reach, text_width
from .typeset import clean, clip, wrap

SIZES = (16.0, 14.5, 13.0, 11.5, 10.5, 9.5, 8.5)
"""Radii of pieces in pixels, the largest that has room first."""
LINE, CODE = 1.19, 0.89
"""The heights of a line of the name and of the code, in sizes of the name."""
GAP, MARGIN = 5.0, 5.0
"""Pixels between pieces, and from the edge of an area."""
BOLD = 1.12
"""How much wider bold text is."""


def draw_areas(
    pen: Pen, scene: Scene, place: Place, stacks: Mapping[Spot, Sequence[Piece]], between: Callable[[], object]
) -> None:
    """The areas' shapes, then whatever `between` draws (links), then names and counters on top.

    Where all areas are round or have no shape of their own, links run from rim to rim: they are drawn first.
    """
    tiled = any(area.outline for area in scene.areas)
    if not tiled:
        between()
    for area in scene.areas:
        pen.again(("area", area, place.of(area.id), place.unit), partial(_shape, area=area, place=place))
    # Frames come after all grounds: a neighbour must not cover half of one.
    for area in scene.areas:
        if area.outline and area.mark:
            path = polygon_path(inset(_pixels(area, place), 2.5))
            frame = pen.stroke(area.mark, "mark")
            pen.add("path", d=path, cls=frame, fill="none", stroke_width=4.0, stroke_linejoin="round")
    if tiled:
        between()
    for area in scene.areas:
        held = tuple(stacks.get(area.id, ()))
        key = ("label", area, held, place.of(area.id), place.unit)
        pen.again(key, partial(_label, area=area, groups=alike(held), place=place))


def _pixels(area: Area, place: Place) -> Outline:
    return tuple(place.point(*point) for point in area.outline)


def _shape(pen: Pen, area: Area, place: Place) -> None:
    """The ground of an area; a double edge or hatching tells its condition without colour."""
    role = resolve(f"area.{area.kind}", "area")
    frame, edge = f"{pen.fill(role)} {pen.edge(role)}", pen.edge(role)
    pen.open(area.name, area.code)
    if area.outline:
        points = _pixels(area, place)
        path = polygon_path(points)
        pen.add("path", d=path, cls=frame, stroke_width=1.4, stroke_opacity="0.55", stroke_linejoin="round")
        if area.ground == "hatched":
            lines = "".join(f"M{num(ax)} {num(ay)}L{num(bx)} {num(by)}" for (ax, ay), (bx, by) in hatching(points, 9.0))
            pen.add("path", d=lines, cls=edge, fill="none", stroke_width=1.6, stroke_opacity="0.4")
        elif area.ground == "double":
            path = polygon_path(inset(points, 4.5))
            pen.add("path", d=path, cls=edge, fill="none", stroke_width=2.4, stroke_opacity="0.8")
    elif area.radius:
        x, y = place.of(area.id)
        circle: dict[str, str | float] = {"cx": x, "cy": y, "r": area.radius * place.unit}
        pen.add("circle", **circle, cls=frame, stroke_width=1.4, stroke_opacity="0.55")
    pen.close()


# ------------------------------------------------------------------------------------------- what stands there


class Setting(NamedTuple):
    """Where the label and the pieces of an area go: radius of the pieces, size of the name, lines with their middles."""

    radius: float
    font: float
    top: float
    names: list[tuple[float, str]]
    rows: list[tuple[float, list[list[Piece]]]]


def _label(pen: Pen, area: Area, groups: Sequence[list[Piece]], place: Place) -> None:
    role = resolve(f"area.{area.kind}", "area")
    x, y = place.of(area.id)
    name, code = clean(area.name), clip(clean(area.code), 16)
    setting = _fitted(_pixels(area, place), x, y, name, code, groups) if area.outline else None
    if setting is None:
        setting = _stacked(x, y, name, code, groups, 6 if area.outline else 3)
    r, font, y, names, rows = setting
    if not area.outline and not area.radius:
        wide = max(text_width(part, font) for _, part in names) + 16
        tall = len(names) * 16 + (12 if code else 0) + len(rows) * 30 + 10
        frame = f"{pen.fill(role)} {pen.edge(role)}"
        pen.add("rect", x=x - wide / 2, y=y - 4, width=wide, height=tall, rx=8, cls=frame, stroke_width=1.2)
    for middle, part in names:
        y += font * LINE
        pen.text(middle, y - font * 0.22, part, pen.ink(role), font, anchor="middle", bold=True)
    if code:
        y += font * CODE
        # On hatching small letters would be lost.
        marked = "*" * bool(area.mark) + code
        pen.text(
            names[-1][0], y - 2, marked, pen.ink(role), font * 0.82, anchor="middle", bold=area.ground == "hatched"
        )
    for middle, row in rows:
        y += 2 * r + GAP
        _row(pen, row, middle, y - r - GAP / 2, r, role)


def _row(pen: Pen, row: Sequence[list[Piece]], middle: float, y: float, r: float, role: str) -> None:
    left = middle - sum(_wide(group, r) for group in row) / 2
    for group in row:
        wide, half = _wide(group, r), r * reach(group[0].shape) + GAP / 2
        refs = " ".join(dict.fromkeys(piece.ref for piece in group if piece.ref))
        pen.open(", ".join(dict.fromkeys(piece.name or piece.glyph for piece in group)), refs)
        if len(group) > 1:
            behind = pen.fill(group[0].role, "unit")
            pen.shape(group[0].shape, left + half + r * 0.2, y - r * 0.2, r, cls=behind, opacity="0.55")
        pen.piece(group[0], left + half, y, r)
        if len(group) > 1:
            at = left + 2 * half + r * 0.1
            pen.text(at, y + r * 0.35, f"×{len(group)}", pen.ink(role), _size(r), bold=True)
        pen.close()
        left += wide


def _wide(group: Sequence[Piece], r: float) -> float:
    """The pixels a group takes with its number."""
    wide = 2 * r * reach(group[0].shape) + GAP
    return wide + r * 0.1 + BOLD * text_width(f"×{len(group)}", _size(r)) + 3.0 if len(group) > 1 else wide


def _size(r: float) -> float:
    """The size of the number of a group."""
    return max(r * 0.9, 10.0)


def _stacked(x: float, y: float, name: str, code: str, groups: Sequence[list[Piece]], per_row: int) -> Setting:
    """A label with rows of pieces below, about a point, whatever is around it."""
    r, font = 12.5, 13.5
    names = [(x, part) for part in wrap(name, 16)]
    rows = [(x, list(groups[start : start + per_row])) for start in range(0, len(groups), per_row)]
    tall = len(names) * font * LINE + (font * CODE if code else 0) + len(rows) * (2 * r + GAP)
    return Setting(r, font, y - tall / 2, names, rows)


def _fitted(
    outline: Outline, x: float, y: float, name: str, code: str, groups: Sequence[list[Piece]]
) -> Setting | None:
    """The largest setting that lies inside the outline, at the point or a little above or below; None if none does."""
    for r in SIZES if groups else SIZES[2:3]:
        font = min(13.5, 8.4 + r * 0.38)
        for columns in (16, 26, 11):
            parts = wrap(name, columns)
            head = len(parts) * font * LINE + (font * CODE if code else 0)
            for count in range(min(1, len(groups)), len(groups) + 1):
                tall = head + count * (2 * r + GAP)
                for shift in (0.0, -8.0, 8.0, -16.0, 16.0, -26.0, 26.0):
                    top = y + shift - tall / 2
                    if chord(outline, x, top + 2) is None or chord(outline, x, top + tall + 2) is None:
                        continue
                    names = _lines(outline, x, top, font, parts)
                    rows = _filled(outline, x, top + head, r, groups, count) if names else None
                    if names and rows is not None:
                        return Setting(r, font, top, names, rows)
                if tall > 260:
                    break
    return None


def _room(outline: Outline, x: float, top: float, bottom: float) -> tuple[float, float]:
    """The stretch about x that is free all the way from one level to another; empty if there is none."""
    one, other = chord(outline, x, top), chord(outline, x, bottom)
    if one is None or other is None:
        return (x, x)
    return (max(one[0], other[0]) + MARGIN, min(one[1], other[1]) - MARGIN)


def _lines(outline: Outline, x: float, top: float, font: float, parts: Sequence[str]) -> list[tuple[float, str]]:
    """The lines of a name with their middles; none if one is too wide."""
    lines = []
    for number, part in enumerate(parts):
        left, right = _room(outline, x, top + number * font * LINE, top + (number + 1) * font * LINE)
        half = BOLD * text_width(part, font) / 2
        if right - left < 2 * half:
            return []
        lines.append((min(max(x, left + half), right - half), part))
    return lines


def _filled(
    outline: Outline, x: float, top: float, r: float, groups: Sequence[list[Piece]], count: int
) -> list[tuple[float, list[list[Piece]]]] | None:
    """The groups in exactly so many rows, in order; None if they do not go into them."""
    rows: list[tuple[float, list[list[Piece]]]] = []
    rest = list(groups)
    for number in range(count):
        left, right = _room(outline, x, top + number * (2 * r + GAP), top + (number + 1) * (2 * r + GAP))
        # Rows of about the same length look better than a full one and a rest.
        fair = sum(_wide(group, r) for group in rest) / (count - number)
        row: list[list[Piece]] = []
        used = 0.0
        while rest and used + _wide(rest[0], r) <= right - left and (used < fair - 1 or not row):
            used += _wide(rest[0], r)
            row.append(rest.pop(0))
        if not row:
            return None
        rows.append((min(max(x, left + used / 2), right - used / 2), row))
    return None if rest else rows
