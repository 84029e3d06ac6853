"""Statistics as pictures: a chart of each kind of statistics and heat maps over the boards, by the name of a file."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from typing import Any, TypeVar

from ...domain import rules as games
from ...domain.errors import StoreError, WarptapeError
from ...replays.paths import typed
from ..scene import Scheme
from . import charts
from .grounds import Rules, grounds, installed
from .heat_map import MEASURES, HeatMap
from .report import Statistics, statistics
from .theming import check_extra

T = TypeVar("T")


def pictures(
    found: Statistics, connection: sqlite3.Connection, rules: Rules | None = None, scheme: Scheme = "auto"
) -> Iterator[tuple[str, str]]:
    """Yield the name of a file and the SVG in it, for everything the statistics hold.

    Heat is drawn over the boards, which come from the archive's own events; `rules` gives the rules of a game by its id
    (default: the installed ones, for games with the boards that came with them). Raises NeedsExtra before the first where
    matplotlib is missing and more than heat is asked for.
    """
    if any(
        part is not None for part in (found.dice, found.outcomes, found.length, found.losses, found.cards, found.units)
    ):
        check_extra()
    for group in found.dice.groups if found.dice else ():
        yield f"dice-d{group.sides}-{'hand' if group.entered else 'fate'}.svg", charts.dice(group, scheme)
    for one in found.games:
        yield from _of(one.ruleset, found, connection, rules or installed(connection), scheme)


def ask(
    connection: sqlite3.Connection,
    rules: Rules | None = None,
    *,
    ruleset: str | None = None,
    options: Mapping[str, str] | None = None,
    seats: Mapping[str, str] | None = None,
    only: Collection[str] = (),
    svg: str | os.PathLike[str] | None = None,
) -> Statistics:
    """Return the statistics of an archive as `statistics` does, and draw them into a folder where `svg` names one.

    Raises StoreError when the folder cannot be written.
    """
    found = statistics(connection, ruleset=ruleset, options=options, seats=seats, only=only)
    if svg is not None:
        folder = typed(svg)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in pictures(found, connection, rules):
                (folder / name).write_text(text, encoding="utf-8")
        except OSError as error:
            raise StoreError(f"{folder} cannot be written: {(error.strerror or str(error)).lower()}.") from error
    return found


def _of(
    name: str, found: Statistics, connection: sqlite3.Connection, rules: Rules, scheme: Scheme
) -> Iterator[tuple[str, str]]:
    title, file = _title(name), re.sub(r"[^A-Za-z0-9.-]+", "-", name)
    if part := _only(found.outcomes, name):
        yield f"outcomes-{file}.svg", charts.outcomes(title, part, scheme)
    if length := _only(found.length, name):
        yield f"length-{file}.svg", charts.lengths(title, length, scheme)
    if losses := _only(found.losses, name):
        yield f"losses-{file}.svg", charts.losses(title, losses, _only(found.losses_by_round, name), scheme)
    if cards := _only(found.cards, name):
        yield f"cards-{file}.svg", charts.cards(title, cards, scheme)
    if units := _only(found.units, name):
        yield f"units-{file}.svg", charts.units(title, units, scheme)
    if heat := _only(found.heat, name):
        spots: dict[str, list[str]] = {}
        for place in heat:
            spots.setdefault(place.board, []).append(place.spot)
        boards = grounds(connection, name, spots, rules)
        for measure in MEASURES:
            yield f"heat-{file}-{measure}.svg", HeatMap(title, measure, tuple(heat), boards).svg(scheme)


def _only(rows: tuple[T, ...] | None, name: str) -> list[T]:
    found: list[Any] = [row for row in rows or () if row.ruleset == name]  # type: ignore[attr-defined]
    return found


def _title(name: str) -> str:
    try:
        return games.ruleset(name).title
    except WarptapeError:
        return name
