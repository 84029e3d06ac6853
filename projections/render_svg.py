"""A Scene as a standalone SVG document: accessible, without outside resources, the same bytes every time."""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TypeAlias
from xml.sax.saxutils import escape

from .palette import TONES
from .scene import Cell, Key, Link, Mark, Piece, Scene, Scheme, Spot
from .svg_areas import draw_areas
from .svg_board import Place, draw_squares
from .svg_pen import Pen, num, text_width
from .typeset import clean, clip, wrap

Size: TypeAlias = tuple[float, float]

MARGIN = 24.0
SIDE = 320.0
MAP = 1120.0
TILED = 1280.0
LINE = 18.0
"""Pixels: the margin of the picture, the width of a panel, of a map of areas and of one of areas with outlines, the
height of a line."""


def render_svg(scene: Scene, scheme: Scheme = "auto", *, panels: bool = True) -> str:
    """The scene as an SVG document; `panels=False` leaves out the heading and the side tables."""
    pen = Pen()
    y = MARGIN
    if panels:
        y = _heading(pen, scene, y)
    board_wide, board_tall = draw_board(pen, scene, MARGIN, y)
    wide, bottom = board_wide, y + board_tall
    if scene.tracks:
        # Tracks keep to the width of the board, or to that of a map where there is none.
        limit = max(board_wide, 480.0) if board_wide else MAP
        track_wide, bottom = draw_tracks(pen, scene, bottom + (14 if board_tall else 0), limit)
        wide = max(wide, track_wide)
    if panels and scene.panels:
        if board_wide or scene.tracks:
            bottom = max(bottom, _panels(pen, scene, wide + MARGIN + 20, y, 1)[1])
            wide += 20 + SIDE
        else:
            used, bottom = _panels(pen, scene, MARGIN, y, min(3, len(scene.panels)))
            wide = max(wide, used)
    if panels:
        head = max((text_width(clean(t), s) for t, s in ((scene.title, 24.0), (scene.subtitle, 14.0))), default=0.0)
        wide = max(wide, min(head, MAP))
    if scene.legend:
        wide = max(wide, 420.0)
        bottom = draw_legend(pen, scene, bottom + 16, wide)
    wide, tall = math.ceil(wide + 2 * MARGIN), math.ceil(bottom + MARGIN)
    return document(pen, scene.title, describe(scene), scheme, wide, tall)


def document(pen: Pen, title: str, words: str, scheme: Scheme, wide: int, tall: int) -> str:
    """What a pen has drawn as an SVG document of so many pixels, with its title and the picture in words."""
    # Ids must be unique on a page that shows several drawings, and the same for the same drawing.
    name = "wt-" + hashlib.sha256("".join([scheme, *pen.parts]).encode()).hexdigest()[:10]
    page = pen.fill("page")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="wt wt-{scheme}" role="img" width="{wide}" height="{tall}" '
            f'viewBox="0 0 {wide} {tall}" aria-labelledby="{name}-t {name}-d">',
            f'<title id="{name}-t">{escape(clean(title))}</title>',
            f'<desc id="{name}-d">{escape(words)}</desc>',
            f"<style>\n{pen.style(scheme)}\n</style>",
            f'<rect width="{wide}" height="{tall}" rx="14" class="{page}"/>',
            *pen.parts,
            "</svg>",
            "",
        ]
    )


def describe(scene: Scene, *, panels: bool = True) -> str:
    """The picture in words: the heading, and what stands on the board; without `panels` only the latter."""
    parts = [clean(scene.subtitle)] if scene.subtitle and panels else []
    names = Counter(clean(piece.name or piece.glyph) for piece in scene.pieces)
    if names:
        parts.append("Pieces: " + ", ".join(f"{n} times {name}" if n > 1 else name for name, n in names.items()))
    for track in scene.tracks:
        if track.here is not None and 0 <= track.here < len(track.boxes):
            parts.append(f"{clean(track.name)}: {clean(track.boxes[track.here].label)}")
    for panel in scene.panels if panels else ():
        rows = "; ".join(" ".join(filter(None, (clean(row.label), clean(row.text)))) for row in panel.rows)
        parts.append(f"{clean(panel.title)}: {rows}")
    return " ".join(part if part.endswith((".", "!", "?")) else part + "." for part in parts if part)


def _heading(pen: Pen, scene: Scene, y: float) -> float:
    for part in wrap(clean(scene.title), 66):
        pen.text(MARGIN, y + 18, part, pen.ink("page"), 22, bold=True)
        y += 30
    if scene.subtitle:
        for part in wrap(clean(scene.subtitle), 110):
            pen.text(MARGIN, y + 10, part, pen.ink("axis"), 14)
            y += 20
    return y + 12


# ------------------------------------------------------------------------------------------------ board


def draw_board(pen: Pen, scene: Scene, left: float, top: float) -> Size:
    """Draws cells, areas, links and pieces with the corner at (left, top); returns the size."""
    squares = bool(scene.cells or scene.marks or any(not isinstance(p.at, str) for p in scene.pieces))
    place = Place(scene, left, top, squares, TILED if any(area.outline for area in scene.areas) else MAP)
    if not squares and not scene.areas:
        return (0.0, 0.0)
    stacks: dict[Spot, list[Piece]] = defaultdict(list)
    for piece in scene.pieces:
        stacks[piece.at].append(piece)
    if squares:
        draw_squares(pen, scene, place, stacks)

    def links() -> None:
        for link in scene.links:
            _link(pen, link, place)

    if scene.areas:
        draw_areas(pen, scene, place, stacks, links)
    else:
        links()
    if squares:
        for at, held in stacks.items():
            if not isinstance(at, str):
                _stack(pen, held, *place.of(at), place.unit)
    return (place.wide, place.tall)


def _stack(pen: Pen, held: Sequence[Piece], x: float, y: float, unit: float) -> None:
    """The pieces of one square: one in the middle, up to four in quarters, of more the first three and a number."""
    if len(held) == 1:
        pen.again(("piece", held[0], x, y, unit), lambda pen: pen.piece(held[0], x, y, unit * 0.37))
        return
    shown = held if len(held) <= 4 else held[:3]
    spots = [(-0.24, -0.24), (0.24, -0.24), (-0.24, 0.24), (0.24, 0.24)]
    for piece, (dx, dy) in zip(shown, spots, strict=False):
        pen.piece(piece, x + dx * unit, y + dy * unit, unit * 0.21)
    if len(held) > 4:
        refs = " ".join(piece.ref for piece in held[3:] if piece.ref)
        pen.open(", ".join(piece.name or piece.glyph for piece in held[3:]), refs)
        pen.text(x + 0.24 * unit, y + 0.34 * unit, f"+{len(held) - 3}", pen.ink("cell"), 12, anchor="middle", bold=True)
        pen.close()


def _link(pen: Pen, link: Link, place: Place) -> None:
    (ax, ay), (bx, by) = place.of(link.start), place.of(link.end)
    length = math.hypot(bx - ax, by - ay)
    if length == 0:
        return
    cls = pen.stroke(link.role, "link")
    pen.open(link.name)
    if link.arrow:
        # From edge to edge of the pieces at both ends; a casing keeps a solid line visible on any ground.
        ux, uy = (bx - ax) / length, (by - ay) / length
        start = min(max(16.0, place.rim(link.start) + 4), length * 0.3)
        end = max(length - max(15.0, place.rim(link.end) + 4), length * 0.7)
        a, tip = (ax + ux * start, ay + uy * start), (ax + ux * end, ay + uy * end)
        neck = (tip[0] - ux * 9, tip[1] - uy * 9)
        ends: dict[str, str | float] = {"x1": a[0], "y1": a[1], "x2": neck[0], "y2": neck[1]}
        if not link.dashed:
            casing = pen.stroke("card")
            pen.add("line", **ends, cls=casing, stroke_width=6.0, stroke_linecap="round", stroke_opacity="0.75")
        pen.add("line", **ends, cls=cls, stroke_width=3.0, **_dash(link))
        head = [tip, (neck[0] - uy * 6.5, neck[1] + ux * 6.5), (neck[0] + uy * 6.5, neck[1] - ux * 6.5)]
        pen.add("polygon", points=" ".join(f"{num(x)},{num(y)}" for x, y in head), cls=pen.fill(link.role, "link"))
    else:
        pen.add("line", x1=ax, y1=ay, x2=bx, y2=by, cls=cls, stroke_width=3.0, stroke_linecap="round", **_dash(link))
    pen.close()


def _dash(link: Link) -> dict[str, str]:
    return {"stroke_dasharray": "7 5"} if link.dashed else {}


# ------------------------------------------------------------------------------- tracks, panels, legend


def draw_tracks(pen: Pen, scene: Scene, y: float, limit: float) -> Size:
    """The tracks, broken into rows of at most `limit` pixels; returns the width used and the lower edge."""
    used = 0.0
    for track in scene.tracks:
        pen.text(MARGIN, y + 12, clip(clean(track.name), 60), pen.ink("page"), 13, bold=True)
        used = max(used, text_width(clip(clean(track.name), 60), 14))
        y += 20
        x, tall = MARGIN, 30.0 + (26.0 if track.pieces else 0.0)
        for index, box in enumerate(track.boxes):
            label = clip(clean(box.label), 24)
            held = [piece for piece in track.pieces if piece.at == (index, 0)]
            wide = max(36.0, text_width(label, 13) + 18, 26.0 * len(held) + 8)
            if x > MARGIN and (index % track.per_row == 0 if track.per_row > 0 else x + wide > MARGIN + limit):
                x, y = MARGIN, y + tall + 6
            here = index == track.here
            role = "mark" if here else box.role or "card"
            pen.open(box.name or (f"{track.name}: {label}" if here else ""))
            frame = f"{pen.fill(role)} {pen.edge('mark') if here else pen.stroke('line')}"
            pen.add("rect", x=x, y=y, width=wide - 4, height=tall, rx=6, cls=frame, stroke_width=2 if here else 1)
            pen.text(x + wide / 2 - 2, y + 20, label, pen.ink(role), 13, anchor="middle", bold=here)
            for spot, piece in enumerate(held):
                pen.piece(piece, x + wide / 2 - 2 + (spot - (len(held) - 1) / 2) * 25, y + 40, 11)
            pen.close()
            x += wide
            used = max(used, x - MARGIN)
            if track.per_row > 0 and (index + 1) % track.per_row == 0 and index // track.per_row < len(track.notes):
                note = clip(clean(track.notes[index // track.per_row]), 60)
                pen.text(
                    x + 6, y + 20, note, pen.ink("axis"), 13, bold=index - track.per_row < (track.here or 0) <= index
                )
                used = max(used, x + 6 + text_width(note, 13) - MARGIN)
        y += tall + 12
    return used, y


def _panels(pen: Pen, scene: Scene, left: float, top: float, columns: int) -> Size:
    """The panels in columns, each under the shortest; returns the width used and the lower edge."""
    ends = [top] * columns
    for index in range(len(scene.panels)):
        column = ends.index(min(ends))
        ends[column] = _panel(pen, scene, index, left + column * (SIDE + 16), ends[column]) + 14
    return columns * (SIDE + 16) - 16, max(ends) - 14


def _panel(pen: Pen, scene: Scene, index: int, x: float, top: float) -> float:
    panel = scene.panels[index]
    lines: list[tuple[float, float, str, str, bool]] = []
    y = top + 46
    pairs = [text_width(clean(row.label), 15) + 14.0 * row.depth for row in panel.rows if row.label and row.text]
    first = max(64.0, min(max(pairs, default=0.0) + 10, SIDE * 0.42))
    for row in panel.rows:
        indent = min(14.0 * row.depth, 84.0)
        label, text = clean(row.label), clean(row.text)
        role = row.role if row.role in TONES and TONES[row.role].fill == TONES["card"].fill else ""
        space = SIDE - 28 - indent
        step = max(first - indent, 40.0) if label and text else 0.0
        names = wrap(label, int((step or space) / 8.6)) if label else []
        values = wrap(text, max(6, int((space - step) / 8.2))) if text else []
        for number, part in enumerate(names):
            lines.append((x + 14 + indent, y + number * LINE, part, role or "muted", True))
        for number, part in enumerate(values):
            lines.append((x + 14 + indent + step, y + number * LINE, part, role if not label else "card", False))
        if row.role and not role:
            # The colour of a side: a bar before the row, since its own colour may be too pale for text.
            lines.append((x + 5, y - 11, "", row.role, False))
        y += LINE * max(len(names), len(values), 1) + 3
    tall = y - top - (6 if panel.rows else 8)
    frame = f"{pen.fill('card')} {pen.stroke('line')}"
    pen.add("rect", x=x, y=top, width=SIDE, height=tall, rx=10, cls=frame)
    pen.text(x + 14, top + 23, clip(clean(panel.title), 38), pen.ink("title"), 14, bold=True)
    for lx, ly, part, role, bold in lines:
        if part:
            pen.text(lx, ly, part, pen.ink(role or "card"), 13, bold=bold)
        else:
            mark = f"{pen.fill(role)} {pen.stroke('line')}"
            pen.add("rect", x=lx, y=ly, width=5.0, height=14.0, rx=2, cls=mark)
    return top + tall


def draw_legend(pen: Pen, scene: Scene, y: float, limit: float) -> float:
    """The signs with what they mean, in rows of at most `limit` pixels; returns the lower edge."""
    x = MARGIN
    for key in scene.legend:
        text = clip(clean(key.text), int((limit - 34) / 7.4))
        wide = 30 + text_width(text, 13) + 18
        if x + wide - 18 > MARGIN + limit and x > MARGIN:
            x, y = MARGIN, y + 30
        _sample(pen, key, x + 12, y + 12)
        pen.text(x + 30, y + 17, text, pen.ink("page"), 13)
        x += wide
    return y + 26


def _sample(pen: Pen, key: Key, x: float, y: float) -> None:
    if key.shape:
        pen.piece(
            Piece(
                at="",
                glyph=key.glyph,
                role=key.role,
                shape=key.shape,
                badge=key.badge,
                name=key.text,
                faded=key.faded,
                code=key.code,
            ),
            x,
            y,
            11,
        )
    elif key.kind or key.role.startswith("mark"):
        marks = () if key.kind else (Mark(at=(0, 0), role=key.role),)
        cell = Cell(x=0, y=0, kind=key.kind or "floor", glyph=key.glyph if key.kind else "")
        tile = Scene(title="", cells=(cell,), marks=marks)
        draw_squares(pen, tile, Place(tile, x - 12, y - 12, True, MAP, unit=24.0), {})
    else:
        pen.text(x, y + 5, clip(clean(key.glyph), 3), pen.ink(key.role), 13, anchor="middle", bold=True)
