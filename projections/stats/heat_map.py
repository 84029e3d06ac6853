"""Heat drawn over the boards themselves: the squares and areas in colours of how much happened there."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from ..render_svg import MARGIN, TILED, document
from ..scene import Area, Cell, Scheme, Spot
from ..svg_areas import draw_areas
from ..svg_board import Place, draw_squares
from ..svg_pen import Pen, text_width
from ..typeset import clean, clip, wrap
from .grounds import Ground
from .heat import Heat

Measure: TypeAlias = Literal["moves", "fights", "losses"]
MEASURES: Mapping[Measure, str] = {"moves": "moves to", "fights": "fights in", "losses": "losses in"}
LEVELS = 5
WIDE = 1500.0
"""Pixels: as many boards stand in a row as have room in that."""
BETWEEN = 44.0


class HeatMap(msgspec.Struct, frozen=True):
    """The places of a ruleset and what to draw of them: how often units moved there, fought there, or were lost there.

    `title` is that of the ruleset, `grounds` are the boards by name; places that none of them shows are named below.
    """

    title: str
    measure: Measure
    places: tuple[Heat, ...]
    grounds: dict[str, Ground]

    def rate(self, one: Heat) -> float:
        """How often a place was hot, by the games that were played on its board."""
        return float(getattr(one, self.measure)) / one.games

    @property
    def span(self) -> tuple[float, float]:
        """The least and the greatest rate of the places where anything happened."""
        rates = [rate for one in self.places if (rate := self.rate(one))]
        return (min(rates), max(rates)) if rates else (0.0, 0.0)

    def ends(self, level: float) -> float:
        """The rate where a level ends: they are equal steps of the root of the rate."""
        low, high = map(math.sqrt, self.span)
        return (low + (high - low) * level / LEVELS) ** 2

    def level(self, one: Heat) -> int:
        """How hot a place is, from 1 to 5; 0 where nothing happened."""
        rate = self.rate(one)
        return next((at for at in range(1, LEVELS) if rate <= self.ends(at) * (1 + 1e-9)), LEVELS) if rate else 0

    def svg(self, scheme: Scheme = "auto") -> str:
        """Return the drawing as an SVG document; `auto` follows the reader's light or dark setting."""
        return _drawn(self, scheme)


def _drawn(chart: HeatMap, scheme: Scheme) -> str:
    pen = Pen()
    what = MEASURES[chart.measure]
    title = f"{chart.title}: {what} each place"
    pen.text(MARGIN, MARGIN + 18, title, pen.ink("page"), 22, bold=True)
    _scale(pen, chart, MARGIN + 34)
    boards = sorted({one.board for one in chart.places})
    left, top, tall, wide = MARGIN, MARGIN + 78, 0.0, text_width(title, 24)
    lost = [one for one in chart.places if one.board not in chart.grounds]
    for board in boards:
        ground = chart.grounds.get(board)
        if ground is None:
            continue
        ours = {one.spot: one for one in chart.places if one.board == board}
        across = _place(ground, 0, 0).wide
        if left > MARGIN and left + across > MARGIN + WIDE:
            left, top, tall = MARGIN, top + tall + BETWEEN, 0.0
        games = max(one.games for one in ours.values())
        label = f"{next(iter(ours.values())).board_name or board}, " if board else ""
        pen.text(left, top + 12, f"{label}{games:,} game{'s' * (games != 1)}", pen.ink("page"), 15, bold=True)
        place = _place(ground, left, top + 24)
        _board(pen, ground, place, {spot: ours[name] for spot, name in ground.spots.items() if name in ours}, chart)
        lost += [one for name, one in ours.items() if name not in ground.spots.values()]
        wide, tall = max(wide, left - MARGIN + place.wide), max(tall, place.tall + 24)
        left += place.wide + BETWEEN
    bottom = top + tall
    if lost := [one for one in lost if getattr(one, chart.measure)]:
        words = ", ".join(f"{_full(one)} {getattr(one, chart.measure)}" for one in lost)
        for line in wrap(f"Not on the drawing: {words}.", int(wide / 7.2)):
            bottom += 20
            pen.text(MARGIN, bottom, line, pen.ink("axis"), 13)
    return document(pen, title, _words(chart), scheme, math.ceil(wide + 2 * MARGIN), math.ceil(bottom + MARGIN))


def _place(ground: Ground, left: float, top: float) -> Place:
    squares = bool(ground.scene.cells)
    return Place(ground.scene, left, top, squares, TILED)


def _scale(pen: Pen, chart: HeatMap, y: float) -> None:
    """What the colours mean: the rates from which each begins."""
    x = MARGIN
    pen.text(x, y + 14, "A game:", pen.ink("axis"), 13)
    x += 58
    for level in range(1, LEVELS + 1):
        until = chart.ends(level)
        text = f"to {_rate(until)}" if level < LEVELS else f"most, {_rate(until)}"
        pen.add("rect", x=x, y=y, width=22.0, height=18.0, rx=4, cls=pen.fill(f"area.heat.{level}"))
        pen.text(x + 28, y + 14, text, pen.ink("page"), 13)
        x += 28 + text_width(text, 13) + 16


def _rate(rate: float) -> str:
    return f"{rate:.2f}" if rate < 1 else f"{rate:.1f}" if rate < 10 else f"{rate:.0f}"


def _board(pen: Pen, ground: Ground, place: Place, hot: Mapping[Spot, Heat], chart: HeatMap) -> None:
    scene = ground.scene
    if scene.cells:
        draw_squares(pen, scene, place, {})
        for cell in scene.cells:
            if (one := hot.get((cell.x, cell.y))) is not None:
                _square(pen, cell, place, one, chart)
    if scene.areas:
        areas = tuple(_numbered(area, hot.get(area.id), chart) for area in scene.areas)
        draw_areas(pen, msgspec.structs.replace(scene, areas=areas), place, {}, lambda: None)


def _square(pen: Pen, cell: Cell, place: Place, one: Heat, chart: HeatMap) -> None:
    """A square in its colour, a rim of its own left free, with the number in the middle and its sign in the corner."""
    level, count, s = chart.level(one), getattr(one, chart.measure), place.unit
    x, y = place.point(cell.x, cell.y)
    pen.open(_tip(one))
    if level:
        left, top, wide, tall = x + 3.5, y + 3.5, s - 7, s - 7
        if cell.half in ("e", "w"):
            left, wide = (x + s / 2 if cell.half == "e" else left), s / 2 - 3.5
        elif cell.half in ("n", "s"):
            top, tall = (y + s / 2 if cell.half == "s" else top), s / 2 - 3.5
        role = f"area.heat.{level}"
        pen.add("rect", x=left, y=top, width=wide, height=tall, rx=4, cls=pen.fill(role))
        size = min(13.0, (wide - 2) / max(1, len(str(count))) / 0.58)
        pen.text(left + wide / 2, top + tall / 2 + size * 0.36, str(count), pen.ink(role), size, anchor="middle")
        if sign := clip(clean(cell.glyph), 3):
            pen.text(left + 2, top + 9, sign, pen.ink(role), 9, bold=True)
    else:
        pen.add("rect", x=x + 3.5, y=y + 3.5, width=s - 7, height=s - 7, fill="none", stroke="none")
    pen.close()


def _numbered(area: Area, one: Heat | None, chart: HeatMap) -> Area:
    """An area in its colour, with the number in the place of its code."""
    if one is None:
        return area
    level, count = chart.level(one), getattr(one, chart.measure)
    return msgspec.structs.replace(area, code=f"{count:,}", kind=f"heat.{level}" if level else area.kind)


def _tip(one: Heat) -> str:
    return f"{one.name or one.place}: {one.moves:,} moves to, {one.fights:,} fights, {one.losses:,} losses"


def _full(one: Heat) -> str:
    """A place by its name, with that of its board."""
    return f"{one.board_name} {one.name}".strip() or one.spot


def _words(chart: HeatMap) -> str:
    """The picture in words: the hottest places."""
    hottest = sorted(chart.places, key=lambda one: (-chart.rate(one), one.spot))[:10]
    return "Most: " + ", ".join(f"{_full(one)} {getattr(one, chart.measure)}" for one in hottest) + "."
