"""The plan of a map: boxes drawn in text, stretched to the page and to what their areas hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from .scene import Area, Piece, Scene
from .text_signs import Line, Run, Signs, counters, measure
from .typeset import clean, width, wrap

WIDEST = 100
"""A plan is stretched to this many columns: wider boxes are no easier to read."""
TALLEST = 160
"""A plan that would need more lines is not drawn."""
WALLS = "+-|"


class Slot(NamedTuple):
    """A stretch of a line of the plan, of a box: from its first column up to the one behind its last."""

    line: int
    first: int
    end: int


class Plan(NamedTuple):
    """A plan that was read: for each line the strokes by column (up 1, down 2, left 4, right 8), each box's slots."""

    wide: int
    strokes: tuple[tuple[tuple[int, int], ...], ...]
    boxes: dict[str, tuple[Slot, ...]]


def draw_plan(scene: Scene, held: Mapping[str, Sequence[Piece]], columns: int, signs: Signs) -> list[Line]:
    """The plan with what stands in each area; empty if there is none, or it has no room for what it should show."""
    plan = read_plan(scene.plan, tuple(area.id for area in scene.areas)) if scene.plan else None
    if plan is None or plan.wide > columns:
        return []
    scale = (min(columns, WIDEST) - 1) / max(plan.wide - 1, 1)
    at = [round(x * scale) for x in range(plan.wide + 1)]
    texts = {
        area.id: _text(
            area,
            held.get(area.id, ()),
            max(at[end] - at[first - 1] - 2 for _, first, end in plan.boxes[area.id]),
            signs,
        )
        for area in scene.areas
    }
    copies = [1] * len(plan.strokes)
    filled: dict[str, list[tuple[int, int, int, Line]]] = {}
    for area, text in texts.items():
        slots = _stretched(plan, area, text, at, copies)
        if not slots:
            return []
    for area, text in texts.items():
        # A line that another box needed has made more room here: what there is stands in the middle of it.
        slots = _slots(plan, area, at, copies)
        lines = _flow(text, slots, 0) or []
        spare = len(slots) - len(lines)
        for start in range(spare // 2, -1, -1):
            if (moved := _flow(text, slots, start)) is not None:
                lines = moved
                break
        filled[area] = [(*slot, line) for slot, line in zip(slots, lines + [[]] * len(slots), strict=False)]
    return _canvas(scene, plan, at, copies, filled, signs)


# ------------------------------------------------------------------------------------------------ reading


@lru_cache(maxsize=16)
def read_plan(lines: tuple[str, ...], ids: tuple[str, ...]) -> Plan | None:
    """The plan with one box for each of the areas; None if it has not."""
    while lines and not lines[0].strip():
        lines = lines[1:]
    wide = max((len(line.rstrip()) for line in lines), default=0)
    if wide > 400 or len(lines) > TALLEST or not all(line.isascii() for line in lines):
        return None
    grid = [line.rstrip().ljust(wide) for line in lines]
    runs = [slot for y, line in enumerate(grid) for slot in _gaps(y, line)]
    boxes: dict[str, tuple[Slot, ...]] = {}
    for box in _joined(runs):
        words = [word for slot in box for word in grid[slot.line][slot.first : slot.end].split()]
        named = {id for word in words for id in ids if word == id} or {
            id for word in words for id in ids if len(word) > 1 and word[-1] == "." and id.startswith(word[:-1])
        }
        for id in named:
            if len(named) > 1 or id in boxes:
                return None
            boxes[id] = tuple(box)
    if len(boxes) < len(ids):
        return None
    return Plan(wide, tuple(_strokes(grid, y) for y in range(len(grid))), boxes)


def _gaps(y: int, line: str) -> list[Slot]:
    """The stretches between walls; what lies outside the outermost walls is no box."""
    walls = [x for x, char in enumerate(line) if char in WALLS]
    return [Slot(y, one + 1, other) for one, other in pairwise(walls) if other > one + 1]


def _joined(runs: Sequence[Slot]) -> list[list[Slot]]:
    """The stretches that touch from line to line, as boxes."""
    owner = list(range(len(runs)))

    def root(index: int) -> int:
        while owner[index] != index:
            index = owner[index]
        return index

    above: list[int] = []
    current: list[int] = []
    for index, slot in enumerate(runs):
        if current and runs[current[0]].line != slot.line:
            above, current = current, []
        current.append(index)
        for other in above:
            over = runs[other]
            if over.line == slot.line - 1 and over.first < slot.end and slot.first < over.end:
                owner[root(index)] = root(other)
    boxes: dict[int, list[Slot]] = {}
    for index, slot in enumerate(runs):
        boxes.setdefault(root(index), []).append(slot)
    return list(boxes.values())


def _strokes(grid: Sequence[str], y: int) -> tuple[tuple[int, int], ...]:
    line = grid[y]
    above = grid[y - 1] if y else ""
    below = grid[y + 1] if y + 1 < len(grid) else ""
    found = []
    for x, char in enumerate(line):
        ways = 0
        if char in "|+":
            ways += above[x : x + 1] in ("|", "+")
            ways += 2 * (below[x : x + 1] in ("|", "+"))
        if char in "-+":
            ways += 4 * (x > 0 and line[x - 1] in "-+")
            ways += 8 * (line[x + 1 : x + 2] in ("-", "+"))
        if ways:
            found.append((x, ways))
    return tuple(found)


# ---------------------------------------------------------------------------------------------- stretching


def _slots(plan: Plan, area: str, at: Sequence[int], copies: Sequence[int]) -> list[Slot]:
    """The slots of a box on the page, each as often as its line is repeated; columns are those of the page."""
    slots = []
    for line, first, end in plan.boxes[area]:
        slots += [Slot(line, at[first - 1] + 1, at[end])] * copies[line]
    return slots


def _stretched(plan: Plan, area: str, text: Sequence[Line], at: Sequence[int], copies: list[int]) -> list[Slot]:
    """Repeats lines of the plan, the widest of the box, until the text fits; no slots if it never will."""
    while True:
        slots = _slots(plan, area, at, copies)
        if _flow(text, slots, 0) is not None:
            return slots
        # A line with a wall along it cannot be repeated.
        able = [slot for slot in slots if not any(ways & 12 for _, ways in plan.strokes[slot.line])]
        if not able or sum(copies) >= TALLEST:
            return []
        widest = max(able, key=lambda slot: (slot.end - slot.first, slot.line))
        if not all(width(word) < widest.end - widest.first for line in text for word, _ in line):
            return []
        copies[widest.line] += 1


def _text(area: Area, held: Sequence[Piece], columns: int, signs: Signs) -> list[Line]:
    """What a box says, in paragraphs: code and name, then what stands there; words too long for it are broken."""
    role = area.mark or f"area.{area.kind}"
    code, name = clean(area.code), clean(area.name)
    label: Line = [(("*" if area.mark else "") + code, area.mark or "title")] if code else []
    label += [(part, role) for word in name.split() for part in wrap(word, max(columns, 2))]
    return [paragraph for paragraph in (label, list(counters(held, signs))) if paragraph]


def _flow(text: Sequence[Line], slots: Sequence[Slot], start: int) -> list[Line] | None:
    """The paragraphs set in the slots from `start` on: a line for each slot, or None where they do not fit."""
    lines: list[Line] = [[] for _ in range(start)]
    for paragraph in text:
        line: Line | None = None
        taken = 0
        for run in paragraph:
            wide = width(run[0])
            while True:
                if line is None:
                    if len(lines) >= len(slots):
                        return None
                    line, taken = [], 0
                    lines.append(line)
                slot = slots[len(lines) - 1]
                if taken + bool(line) + wide < slot.end - slot.first:
                    break
                line = None
            taken += bool(line) + wide
            line += [(" ", ""), run] if line else [run]
    return lines


# ------------------------------------------------------------------------------------------------ drawing


def _canvas(
    scene: Scene,
    plan: Plan,
    at: Sequence[int],
    copies: Sequence[int],
    filled: Mapping[str, Sequence[tuple[int, int, int, Line]]],
    signs: Signs,
) -> list[Line]:
    columns = at[plan.wide - 1] + 1
    rows: list[list[list[Run]]] = []
    for line, count in enumerate(copies):
        rows.append([_walls(plan.strokes[line], at, columns, signs) for _ in range(count)])
    for area in scene.areas:
        ground, role = signs.hatch if area.ground == "hatched" else " ", f"area.{area.kind}"
        copy: dict[tuple[int, int], int] = {}
        for line, first, end, text in filled[area.id]:
            row = rows[line][copy.get((line, first), 0)]
            copy[line, first] = copy.get((line, first), 0) + 1
            row[first:end] = [(ground, role)] * (end - first)
            spare = end - first - measure(text)
            _put(row, first + (spare + 1) // 2, text, ground != " ")
    return [_merged(row) for copied in rows for row in copied]


def _walls(strokes: Sequence[tuple[int, int]], at: Sequence[int], columns: int, signs: Signs) -> list[Run]:
    row: list[Run] = [(" ", "")] * columns
    for x, ways in strokes:
        # A stroke to the right reaches up to the next column of the plan.
        if ways & 8:
            for between in range(at[x] + 1, at[x + 1]):
                row[between] = (signs.lines[12], "line")
        row[at[x]] = (signs.lines[ways], "line")
    return row


def _put(row: list[Run], x: int, text: Line, framed: bool) -> None:
    """Writes a line into a row, on a hatched ground with a blank at either end where there is room."""
    if framed and text:
        end = x + measure(text)
        for spot in (x - 1, end):
            if spot < len(row) and row[spot][0] != "" and row[spot][1] != "line":
                row[spot] = (" ", "")
    for run, role in text:
        for char in run:
            wide = width(char)
            if wide == 0:
                row[x - 1] = (row[x - 1][0] + char, role)
                continue
            row[x] = (char, role)
            for more in range(1, wide):
                row[x + more] = ("", role)
            x += wide


def _merged(row: Sequence[Run]) -> Line:
    return [("".join([text for text, _ in runs]), role) for role, runs in groupby(row, itemgetter(1))]
