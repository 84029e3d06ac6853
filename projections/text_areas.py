"""A map of areas as text: on the plan that the scene brings, or the names at their points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from .scene import Area, Link, Piece, Scene
from .text_plan import draw_plan
from .text_signs import Line, Run, Signs, counters, measure
from .typeset import clean, width, wrap


def draw_map(scene: Scene, columns: int, signs: Signs) -> list[Line]:
    """The areas with what stands in them: on the scene's plan where it has room, else scaled to the width."""
    held: dict[str, list[Piece]] = defaultdict(list)
    for piece in scene.pieces:
        if isinstance(piece.at, str):
            held[piece.at].append(piece)
    return draw_plan(scene, held, columns, signs) or _scattered(scene, held, columns, signs)


def _scattered(scene: Scene, held: Mapping[str, Sequence[Piece]], columns: int, signs: Signs) -> list[Line]:
    """Areas by their names about their points; links as dotted lines."""
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
    used: set[tuple[int, int]] = set()
    for area in scene.areas:
        _place(_label(area, held.get(area.id, ()), signs), at[area.id], columns, canvas, used)
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
    for run in counters(held, signs):
        if line and measure(line) + width(run[0]) > 18:
            lines.append(line)
            line = []
        line.append(run)
    return [*lines, line] if line else lines


def _place(
    label: list[Line],
    middle: tuple[int, int],
    columns: int,
    canvas: dict[tuple[int, int], Run],
    used: set[tuple[int, int]],
) -> None:
    """Draws a label about its point, moved up or down to the nearest rows where it covers no other."""
    wide = max(measure(line) for line in label)
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
        x = start + (wide - measure(line)) // 2
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
