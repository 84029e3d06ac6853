"""What the combat tables, the Wave Assault Track and the options must be like: complete and without gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, get_args

import msgspec

from ..faults import Fault, repeated
from . import records as r
from .state import BOXES, Options

if TYPE_CHECKING:
    from .catalogue import Catalogue

TABLES, TRACK, OPTIONS = "tables.toml", "track.toml", "options.toml"
CODES = ("AA", "AD", "BC", "DD", "DA")


def craftworld(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield what is wrong with the Craftworld table (DOE-CW-4, DOE-CW-6 to DOE-CW-9)."""
    odds = catalogue.craftworld
    columns = odds.columns
    for key in ("ratio_num", "ratio_den"):
        figures = getattr(odds, key)
        if not figures or len(figures) != len(columns):
            yield Fault("there must be one for each column.", TABLES, "craftworld", 0, key)
        if min(figures) < 1:
            yield Fault(f"a ratio must be of whole numbers from 1, not {min(figures)}.", TABLES, "craftworld", 0, key)
    ratios = [Fraction(num, den) for num, den in zip(odds.ratio_num, odds.ratio_den, strict=True)]
    if any(left >= right for left, right in pairwise(ratios)):
        yield Fault("the ratios must ascend.", TABLES, "craftworld", 0, "ratio_num")
    for column, num, den in zip(columns, odds.ratio_num, odds.ratio_den, strict=True):
        if column != f"{num}-{den}":
            yield Fault(f"column '{column}' has the ratio {num}-{den}.", TABLES, "craftworld", 0, "columns")
    for key in ("defence_zero_column", "attack_zero_column"):
        if getattr(odds, key) not in columns:
            yield Fault(f"there is no column '{getattr(odds, key)}'.", TABLES, "craftworld", 0, key)
    yield from _rows("craftworld.row", odds.row, [row.results for row in odds.row], "results", columns)
    for code in CODES:
        result = odds.result.get(code)  # type: ignore[call-overload]
        if result is None:
            yield Fault(f"there is no result '{code}'.", TABLES, "craftworld")
            return
        for key in ("attacker_losses", "defender_losses"):
            losses = getattr(result, key)
            if losses != "all" and losses < 0:
                yield Fault(f"{key} must be at least 0, not {losses}.", TABLES, f"craftworld.result.{code}", 0, key)


def deep_space(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield what is wrong with the Deep Space table (DOE-SPACE-8 to DOE-SPACE-10)."""
    table = catalogue.deep_space
    low, high = table.band_low, table.band_high
    if not low or low[0] != 0:
        yield Fault("the first column must begin at 0.", TABLES, "deep_space", 0, "band_low")
    if len(low) != len(high):
        yield Fault("there must be one for each column.", TABLES, "deep_space", 0, "band_high")
    for first, last, following in zip(low, high, (*low[1:], high[-1] + 1), strict=True):
        if not first <= last == following - 1:
            yield Fault(f"the column {first}-{last} leaves a gap or overlaps.", TABLES, "deep_space", 0, "band_high")
    columns = (*(f"{first}-{last}" for first, last in zip(low[:-1], high[:-1], strict=True)), f"{low[-1]}+")
    cells = [row.destroyed for row in table.row]
    yield from _rows("deep_space.row", table.row, cells, "destroyed", columns)
    for number, row in enumerate(table.row):
        if min(row.destroyed) < 0:
            yield Fault("nothing below 0 can be destroyed.", TABLES, "deep_space.row", number, "destroyed")
        for cell in row.printed_minimum_cells:
            if cell not in columns:
                yield Fault(f"there is no column '{cell}'.", TABLES, "deep_space.row", number, "printed_minimum_cells")


def _rows(
    table: str,
    rows: Sequence[r.OddsRow | r.FireRow],
    cells: Sequence[Sequence[object]],
    key: str,
    columns: Sequence[str],
) -> Iterator[Fault]:
    """Yield rows that are not those of a die's six faces, each with a cell in every column."""
    faces: set[int] = set()
    for number, row in enumerate(rows):
        if row.d6 not in range(1, 7) or row.d6 in faces:
            yield Fault(f"there must be one row for each roll 1 to 6; {row.d6} is one too many.", TABLES, table, number,
                        "d6")  # fmt: skip
        faces.add(row.d6)
        if len(cells[number]) != len(columns):
            yield Fault(f"there must be {len(columns)} cells, not {len(cells[number])}.", TABLES, table, number, key)
        for cell in row.printed_cells:
            if cell not in columns:
                yield Fault(f"there is no column '{cell}'.", TABLES, table, number, "printed_cells")
    for face in {*range(1, 7)} - faces:
        yield Fault(f"there is no row for a roll of {face}.", TABLES, table)


def track(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield what is wrong with the track, in either layout of its rows (DOE-TRACK-3, -7, -9)."""
    track = catalogue.track
    if track.first_box != 0:
        yield Fault("the marker starts in box 0, so that must be the first.", TRACK, "track", 0, "first_box")
    if not track.first_box < track.auto_end_box <= track.last_box:
        yield Fault("it must be a box of the track after the first.", TRACK, "track", 0, "auto_end_box")
    for box in track.destroyed_boxes:
        if box not in BOXES:
            yield Fault(f"there is no box '{box}'.", TRACK, "track", 0, "destroyed_boxes")
    for number, row in enumerate(catalogue.layouts["rows_of_10"]):
        if row.id != number:
            yield Fault(f"rows are numbered from 0; this must be {number}.", TRACK, "row", number, "id")
    other = catalogue.content.load(OPTIONS, r.OptionsFile).rows_of_15
    for key in ("ending_doubles", "eldar_vp"):
        if len(getattr(other, key)) != len(other.boxes):
            yield Fault("there must be one for each row of boxes.", OPTIONS, "rows_of_15", 0, key)
    for layout, rows in catalogue.layouts.items():
        file, table, apart = (TRACK, "row", 1) if layout == "rows_of_10" else (OPTIONS, "rows_of_15", 0)
        if not rows:
            yield Fault("the track has no rows.", file)
        due = track.first_box
        for number, row in enumerate(rows):
            first, last = row.boxes
            if first != due or last < first:
                yield Fault(f"the boxes {first}-{last} must begin at {due} and ascend.", file, table, number * apart,
                            "boxes")  # fmt: skip
            due = last + 1
            doubles = row.ending_doubles
            if not {*doubles} <= {*range(1, 7)} or list(doubles) != sorted({*doubles}):
                yield Fault("doubles are of 1 to 6, ascending.", file, table, number * apart, "ending_doubles")
            if row.eldar_vp < 0:
                yield Fault(
                    f"eldar_vp must be at least 0, not {row.eldar_vp}.", file, table, number * apart, "eldar_vp"
                )
        if due != track.last_box + 1:
            yield Fault(f"the last row must end at box {track.last_box}, not {due - 1}.", file, table,
                        (len(rows) - 1) * apart, "boxes")  # fmt: skip


def options(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield options that are not those the rules know, with just those values and that default."""
    known = {field.name: field for field in msgspec.structs.fields(Options)}
    for number, option in enumerate(catalogue.options.values()):
        if option.id not in known:
            yield Fault(f"the rules know no option '{option.id}'.", OPTIONS, "option", number, "id")
            return
        field = known[option.id]
        wanted = [_typed(value) for value in get_args(field.type) or (False, True)]
        given = [_typed(value) for value in option.values]
        if repeated(given) or {*given} != {*wanted}:
            yield Fault(f"its values must be {', '.join(wanted)}.", OPTIONS, "option", number, "values")
        if _typed(option.default) != _typed(field.default):
            yield Fault(f"its default must be {_typed(field.default)}.", OPTIONS, "option", number, "default")
        if not re.fullmatch(r"G-[1-9][0-9]*", option.ruling):
            yield Fault(f"'{option.ruling}' is no number of a ruling.", OPTIONS, "option", number, "ruling")
    for missing in known.keys() - catalogue.options.keys():
        yield Fault(f"it lacks the option '{missing}'.", OPTIONS)


def _typed(value: object) -> str:
    """Return a value as TOML writes it, so that 1, true and "1" differ."""
    return msgspec.json.encode(value).decode()
