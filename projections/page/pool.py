"""The boards of a game in little room: each thing drawn is kept once, and each board as what it has in common with the last."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from ..render_html import panel_table
from ..render_svg import MAP, MARGIN, TILED, describe, draw_board, draw_legend, draw_tracks
from ..scene import Scene
from ..svg_board import Place
from ..svg_pen import Pen, num

Change = int | list[int]
"""How a list differs from the one before: 0 for not at all, else pairs, (start, length) of what is taken over from it or
(-1, number) of what is new."""

TEXTS = (1, 2, 3, 4, 6, 8)
"""The places of texts in a row: of who is to decide, the box, the heading, the words, and the boxes of tracks and legend."""

EDGE = 8.0
"""Pixels around a board."""

LEGEND = 440.0
"""The width of the legend: on a phone it is made smaller by little only, and stays legible."""


class Drawn(NamedTuple):
    """A board in numbers of a pool: of texts the box, the heading and the words, of parts what is drawn from below upwards."""

    box: int
    heading: int
    words: int
    board: tuple[int, ...]
    tracks_box: int
    tracks: tuple[int, ...]
    legend_box: int
    legend: tuple[int, ...]
    panels: tuple[int, ...]


class Pool:
    """What the drawings and texts of a game are made of, each once.

    `parts` are elements of SVG and panels of HTML, `texts` sentences and boxes, `roles` the colours that were used.
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.texts: list[str] = []
        self.roles: set[tuple[str, str]] = set()
        self._parts: dict[str, int] = {}
        self._texts: dict[str, int] = {}
        self._drawn: dict[bytes, tuple[tuple[int, ...], int]] = {}

    def text(self, text: str) -> int:
        """Return the number of a text."""
        return _number(text, self.texts, self._texts)

    def draw(self, scene: Scene) -> Drawn:
        """Return a scene in numbers."""
        spots = (scene.cells, scene.axes, scene.frames, scene.areas, scene.links, scene.pieces, scene.marks)
        board, box = self._once(spots, lambda pen: _board(pen, scene))
        tracks, tracks_box = self._once(scene.tracks, lambda pen: _tracks(pen, scene))
        legend, legend_box = self._once(scene.legend, lambda pen: _legend(pen, scene))
        panels = tuple(_number(panel_table(panel), self.parts, self._parts) for panel in scene.panels)
        words = self.text(describe(scene, panels=False))
        return Drawn(box, self.text(scene.subtitle), words, board, tracks_box, tracks, legend_box, legend, panels)

    def _once(self, of: Any, draw: Callable[[Pen], Box]) -> tuple[tuple[int, ...], int]:
        """Return what is drawn and its box; seats see most of a board alike, and what was drawn once is known."""
        key = hashlib.blake2b(msgspec.json.encode(of), digest_size=16).digest()
        known = self._drawn.get(key)
        if known is None:
            pen = Pen()
            box = self.text(" ".join(map(num, draw(pen))))
            self.roles |= pen.roles
            parts = tuple(_number(part, self.parts, self._parts) for part in whole(pen.parts))
            known = self._drawn[key] = parts, box
        return known


Box = tuple[float, float, float, float] | tuple[()]
"""Left, top, width and height in pixels; empty where nothing is drawn."""


def _board(pen: Pen, scene: Scene) -> Box:
    """Draw a board, each square where it is whatever else is drawn: what stays put is then the same on every board."""
    squares = bool(scene.cells or scene.marks or any(not isinstance(piece.at, str) for piece in scene.pieces))
    if not squares and not scene.areas:
        return ()
    wide = TILED if any(area.outline for area in scene.areas) else MAP
    left, top = Place(scene, 0.0, 0.0, squares, wide).point(0.0, 0.0)
    size = draw_board(pen, scene, -left, -top)
    return (-left - EDGE, -top - EDGE, size[0] + 2 * EDGE, size[1] + 2 * EDGE)


def _tracks(pen: Pen, scene: Scene) -> Box:
    if not scene.tracks:
        return ()
    wide, bottom = draw_tracks(pen, scene, 0.0, MAP)
    return (MARGIN - 4, -2.0, wide + 8, bottom - 8)


def _legend(pen: Pen, scene: Scene) -> Box:
    if not scene.legend:
        return ()
    return (MARGIN - 4, -2.0, LEGEND + 8, draw_legend(pen, scene, 0.0, LEGEND) + 4)


def whole(parts: Iterable[str]) -> Iterator[str]:
    """Yield elements with all that is in them, given opening and closing tags apart."""
    open_: list[str] = []
    depth = 0
    for part in parts:
        open_.append(part)
        if part.startswith("<g") and not part.endswith("/>"):
            depth += 1
        elif part == "</g>":
            depth -= 1
        if not depth:
            yield "".join(open_)
            open_ = []


def change(before: Sequence[int], after: Sequence[int]) -> Change:
    """Return how a list differs from the one before.

    >>> change([5, 6, 7], [5, 6, 7]), change([5, 6, 7], [5, 9, 7])
    (0, [0, 1, -1, 9, 2, 1])
    """
    if before == after:
        return 0
    places = {number: at for at, number in reversed(list(enumerate(before)))}
    found: list[int] = []
    at = 0
    while at < len(after):
        start = places.get(after[at])
        if start is None:
            found += (-1, after[at])
            at += 1
            continue
        length = 1
        while (
            at + length < len(after) and start + length < len(before) and before[start + length] == after[at + length]
        ):
            length += 1
        found += (start, length)
        at += length
    return found


def changes(boards: Iterable[Drawn]) -> Iterator[list[Change]]:
    """Yield boards one after the other as what differs from the one before."""
    last = Drawn(0, 0, 0, (), 0, (), 0, (), ())
    for one in boards:
        yield [
            one.box, one.heading, one.words, change(last.board, one.board), one.tracks_box,
            change(last.tracks, one.tracks), one.legend_box, change(last.legend, one.legend),
            change(last.panels, one.panels),
        ]  # fmt: skip
        last = one


def named(boards: Iterable[list[list[int | Change]]], pool: Pool) -> tuple[list[str], list[str]]:
    """Return the parts and texts of a pool that rows of boards name, and number them anew in the rows.

    A row is a position, a text, and what `changes` gives.
    """
    parts: list[str] = []
    texts: list[str] = []
    known_parts: dict[str, int] = {}
    known_texts: dict[str, int] = {}
    for rows in boards:
        for row in rows:
            for place, value in enumerate(row[1:], 1):
                if isinstance(value, list):
                    for at in range(0, len(value), 2):
                        if value[at] < 0:
                            value[at + 1] = _number(pool.parts[value[at + 1]], parts, known_parts)
                elif place in TEXTS:
                    row[place] = _number(pool.texts[value], texts, known_texts)
    return parts, texts


def _number(item: str, items: list[str], known: dict[str, int]) -> int:
    number = known.get(item)
    if number is None:
        number = known[item] = len(items)
        items.append(item)
    return number
