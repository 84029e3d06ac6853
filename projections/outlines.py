"""Polygons as drawings need them: how wide one is at a height, a line inside its edge, hatching."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
Outline: TypeAlias = tuple[Point, ...]


def crossings(outline: Sequence[Point], y: float) -> list[float]:
    """Where a level line crosses the edge of a polygon, from left to right; always an even number of places."""
    found = []
    for (ax, ay), (bx, by) in pairwise((*outline, outline[0])):
        if (ay <= y) != (by <= y):
            found.append(ax + (y - ay) / (by - ay) * (bx - ax))
    return sorted(found)


def chord(outline: Sequence[Point], x: float, y: float) -> tuple[float, float] | None:
    """The stretch inside a polygon, on the level of a point, that the point is in; None if it is in none."""
    found = crossings(outline, y)
    for left, right in zip(found[::2], found[1::2], strict=True):
        if left <= x <= right:
            return left, right
    return None


@lru_cache(maxsize=512)
def inset(outline: Outline, distance: float) -> Outline:
    """The polygon with its edges moved inwards; meant for a distance that is small beside the polygon."""
    points = [point for point, other in pairwise((*outline, outline[0])) if math.dist(point, other) > 1e-6]
    if len(points) < 3:
        return outline
    closed = (*points, points[0])
    area = sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise(closed))
    way = math.copysign(distance, area)
    moved = []
    for (ax, ay), (x, y), (bx, by) in zip((points[-1], *points), points, closed[1:], strict=False):
        one, other = math.hypot(x - ax, y - ay) or 1.0, math.hypot(bx - x, by - y) or 1.0
        # The normals of both edges; a corner moves along their sum, further the sharper it is.
        nx, ny = (ay - y) / one + (y - by) / other, (x - ax) / one + (bx - x) / other
        share = max((nx * nx + ny * ny) / 2, 0.2)
        moved.append((x + way * nx / share, y + way * ny / share))
    return tuple(moved)


@lru_cache(maxsize=512)
def hatching(outline: Outline, step: float) -> tuple[tuple[Point, Point], ...]:
    """Slanting lines across a polygon, as their ends; lines of neighbouring polygons fall in with each other."""
    root = math.sqrt(0.5)
    turned = [((x - y) * root, (x + y) * root) for x, y in outline]
    first = math.ceil(min(y for _, y in turned) / step)
    last = math.floor(max(y for _, y in turned) / step)
    lines = []
    for number in range(first, min(last, first + 400) + 1):
        level = number * step
        found = crossings(turned, level)
        for left, right in zip(found[::2], found[1::2], strict=True):
            ends = [((x + level) * root, (level - x) * root) for x in (left, right)]
            lines.append((ends[0], ends[1]))
    return tuple(lines)
