"""Statistics as tables: rows of texts, for the terminal, for plain text and for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec

from ..statistics import Share
from .effects import Effect
from .naming import labels, name_of
from .report import Statistics


class Table(msgspec.Struct, frozen=True):
    """A table: an id for files, its title, the names of its columns, and rows of texts and numbers.

    `section` is the part of the statistics it belongs to, `notes` are sentences below it. A column whose cells are
    numbers, or texts that begin with one, is `right`. `ids` are what the rows are about by id, where they show names.
    """

    id: str
    section: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...] = ()
    right: tuple[int, ...] = ()
    ids: tuple[str, ...] = ()


WORDS = {"": "nobody"}
TOGETHER = (
    "It says what went together, not what caused what: a card that is played in need is played in games that go badly."
)


def _wins(parts: Sequence[Any]) -> tuple[str, ...]:
    """Whose wins are counted, and what they do not prove."""
    seats = {one.effect.seat for one in parts if not one.side}
    whose = (
        [f"Wins are those of the side; with what belongs to nobody, those of {' and '.join(sorted(seats))}."]
        if seats
        else []
    )
    return (*whose, TOGETHER)


def tables(found: Statistics) -> Iterator[Table]:
    """Yield all tables of some statistics, section by section and ruleset by ruleset."""
    if found.dice is not None:
        yield from _dice(found)
    for make in (_outcomes, _length, _losses, _rounds, _cards, _weapons, _units, _heat):
        yield from make(found)


def _dice(found: Statistics) -> Iterator[Table]:
    assert found.dice is not None
    rows, notes = [], []
    for one in found.dice.groups:
        name = f"d{one.sides}"
        rows.append(
            (
                name, "by hand" if one.entered else "fate", one.dice, one.rolls, " ".join(map(str, one.counts)),
                _p(one.p_even), _p(one.p_order), one.verdict, one.needed,
            )
        )  # fmt: skip
        whose = "entered by hand" if one.entered else "of fate"
        notes.append(f"{name} {whose}: {one.words}")
        if one.verdict != "too few":
            notes.append(f"So many show a side that comes up {100 * one.finds:.0f} % too often, four times in five.")
    if rows:
        notes.append("As many as are needed show one that comes up 25 % too often.")
    if found.dice.repeats:
        notes.append(
            f"The dice of {found.dice.repeats} games are left out: they are those of another game (a fork, or the same seed)."
        )
    head = ("dice", "from", "count", "rolls", "each side, from 1", "even: p", "order: p", "verdict", "needed")
    yield Table("dice", "dice", "Dice", head, tuple(rows), tuple(notes), (2, 3, 5, 6, 8))


def _p(p: float | None) -> str:
    if p is None:
        return "-"
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _outcomes(found: Statistics) -> Iterator[Table]:
    for ruleset, parts in _by_ruleset(found.outcomes):
        rows = []
        for one in parts:
            label = one.value if one.by else "all"
            for number, (result, share) in enumerate(one.results.items()):
                first = (one.by, label, one.games) if number == 0 else ("", "", "")
                rows.append((*first, result, share.count, *_share(share)))
            for seat, share in one.wins.items():
                if len(one.wins) > 1 and one.results.get(seat) != share:
                    rows.append(("", "", "", f"{seat} wins", share.count, *_share(share)))
        head = ("by", "value", "games", "result", "count", "share", "95 % interval")
        if rows:
            yield Table(
                f"outcomes-{ruleset}", "outcomes", f"Outcomes of {ruleset}", head, tuple(rows), (), (2, 4, 5, 6)
            )


def _length(found: Statistics) -> Iterator[Table]:
    for ruleset, parts in _by_ruleset(found.length):
        rows = [
            (
                one.what.replace("_", " "),
                one.games,
                *map(_number, (one.mean, one.least, one.low, one.median, one.high, one.most)),
            )
            for one in parts
        ]
        head = ("of a game", "games", "mean", "least", "quarter", "median", "three quarters", "most")
        yield Table(f"length-{ruleset}", "length", f"Length of {ruleset}", head, tuple(rows), (), tuple(range(1, 8)))


def _losses(found: Statistics) -> Iterator[Table]:
    for ruleset, parts in _by_ruleset(found.losses):
        rows = []
        names = found.names[ruleset]
        for one, label in zip(parts, labels(parts, "unit"), strict=True):
            by = [
                f"{name_of(names, cause) if cause else WORDS['']} {amount}"
                for cause, amount in list(one.causes.items())[:3]
            ]
            by += ["…"] if len(one.causes) > 3 else []
            rows.append(
                (
                    WORDS.get(one.side, one.side),
                    label,
                    one.amount,
                    one.lost,
                    one.games,
                    f"{one.per_game:.2f}",
                    ", ".join(by),
                )
            )
        head = ("side", "unit", "amount", "lost", "games", "a game", "through")
        ids = tuple(one.unit for one in parts)
        yield Table(f"losses-{ruleset}", "losses", f"Losses of {ruleset}", head, tuple(rows), (), (2, 3, 4, 5), ids)


def _rounds(found: Statistics) -> Iterator[Table]:
    for ruleset, parts in _by_ruleset(found.losses_by_round):
        sides = sorted({one.side for one in parts})
        by_round: dict[tuple[int, int], dict[str, Any]] = {}
        for one in parts:
            by_round.setdefault((one.level, one.round), {})[one.side] = one
        first = ("level", "round") if any(level for level, _ in by_round) else ("round",)
        rows = []
        for (level, round), here in sorted(by_round.items()):
            row: list[Any] = [level or "", round] if len(first) > 1 else [round]
            row.append(max(one.games for one in here.values()))
            for side in sides:
                part = here.get(side)
                row += [part.amount, f"{part.per_game:.2f}"] if part else [0, "0.00"]
            rows.append(tuple(row))
        head = (*first, "games", *(text for side in sides for text in (WORDS.get(side, side), "a game")))
        title = f"Losses of {ruleset} by round"
        yield Table(f"rounds-{ruleset}", "losses", title, head, tuple(rows), (), tuple(range(len(head))))


def _cards(found: Statistics) -> Iterator[Table]:
    for ruleset, parts in _by_ruleset(found.cards):
        rows = [
            (
                WORDS.get(one.side, one.side), label, one.uses, one.games, one.fights, _percent(one.success), one.caused,
                *_effect(one.effect),
            )
            for one, label in zip(parts, labels(parts, "item"), strict=True)
        ]  # fmt: skip
        head = ("side", "used", "times", "games", "fights", "come off", "caused", *EFFECT)
        yield Table(
            f"cards-{ruleset}", "cards", f"Cards and orders of {ruleset}", head, tuple(rows), _wins(parts), RIGHT,
            tuple(one.item for one in parts),
        )  # fmt: skip


def _weapons(found: Statistics) -> Iterator[Table]:
    for ruleset, parts in _by_ruleset(found.weapons):
        rows = [
            (WORDS.get(one.side, one.side), label, one.fights, one.successes, *_share(one.success), one.caused)
            for one, label in zip(parts, labels(parts, "weapon"), strict=True)
        ]
        head = ("side", "with", "fights", "come off", "share", "95 % interval", "caused")
        right, ids = tuple(range(2, 7)), tuple(one.weapon for one in parts)
        yield Table(f"weapons-{ruleset}", "cards", f"Attacks of {ruleset}", head, tuple(rows), (), right, ids)


def _units(found: Statistics) -> Iterator[Table]:
    for ruleset, parts in _by_ruleset(found.units):
        rows = [
            (
                WORDS.get(one.side, one.side), label, one.games, one.moves, one.fights, _percent(one.success), one.caused,
                one.suffered, one.lost, *_effect(one.effect),
            )
            for one, label in zip(parts, labels(parts, "unit"), strict=True)
        ]  # fmt: skip
        head = ("side", "unit", "games", "moves", "fights", "come off", "caused", "suffered", "lost", *EFFECT)
        right, ids = tuple(range(2, len(head))), tuple(one.unit for one in parts)
        yield Table(f"units-{ruleset}", "units", f"Units of {ruleset}", head, tuple(rows), _wins(parts), right, ids)


EFFECT = ("wins with", "without", "difference")
RIGHT = tuple(range(2, 10))


def _heat(found: Statistics) -> Iterator[Table]:
    for ruleset, parts in _by_ruleset(found.heat):
        boards = any(one.board for one in parts)
        head = (*(("board",) if boards else ()), "place", "moves to", "fights", "losses", "all")
        parts = sorted(parts, key=lambda one: (-one.all, one.board, one.place))
        rows = tuple(
            (*((one.board_name,) if boards else ()), one.name, one.moves, one.fights, one.losses, one.all)
            for one in parts
        )
        right, ids = tuple(range(len(head) - 4, len(head))), tuple(one.spot for one in parts)
        yield Table(f"heat-{ruleset}", "heat", f"Places of {ruleset}", head, rows, (), right, ids)


def _by_ruleset(rows: Sequence[Any] | None) -> Iterator[tuple[str, list[Any]]]:
    for ruleset, part in groupby(rows or (), lambda row: row.ruleset):
        yield ruleset, list(part)


def _share(share: Share) -> tuple[str, str]:
    return (_percent(share), f"{100 * share.low:.1f} to {100 * share.high:.1f}") if share.total else ("-", "-")


def _percent(share: Share) -> str:
    return f"{100 * share.share:.1f} %" if share.total else "-"


def _effect(effect: Effect) -> tuple[str, str, str]:
    apart = "-"
    if effect.difference is not None and effect.low is not None and effect.high is not None:
        apart = f"{100 * effect.difference:+.0f} ({100 * effect.low:+.0f} to {100 * effect.high:+.0f})"
    return _percent(effect.with_it), _percent(effect.without), apart


def _number(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:.1f}"


def shortened(table: Table, most: int) -> Table:
    """Return a table with the first `most` rows of each side, and a sentence on those left out (of outcomes: none)."""
    if most <= 0 or table.section in ("outcomes", "length"):
        return table
    side = table.head.index("side") if "side" in table.head else None
    seen: Counter[Any] = Counter()
    rows = []
    for row in table.rows:
        key = "" if side is None else row[side]
        seen[key] += 1
        if seen[key] <= most:
            rows.append(row)
    if len(rows) == len(table.rows):
        return table
    left = f"… and {len(table.rows) - len(rows)} more rows, which `--rows 0` shows."
    return msgspec.structs.replace(table, rows=tuple(rows), notes=(left, *table.notes))


def as_text(found: Statistics, most: int = 10) -> str:
    """Return the tables as plain text, columns under each other."""
    return "\n".join(line for table in tables(found) for line in (*lines(shortened(table, most)), ""))


def lines(table: Table) -> Iterator[str]:
    """Yield a table line by line: title, head, rows, notes."""
    cells = [table.head, *([str(cell) for cell in row] for row in table.rows)]
    wide = [max(len(row[column]) for row in cells) for column in range(len(table.head))]
    yield table.title
    for row in cells:
        parts = [
            text.rjust(wide[at]) if at in table.right else text.ljust(wide[at]) for at, text in enumerate(row)
        ]  # fmt: skip
        yield "  " + "  ".join(parts).rstrip()
    yield from (f"  {note}" for note in table.notes)


def as_csv(table: Table) -> str:
    """Return a table as CSV with a head; where its rows show names, the last column has their ids."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(_rows(table))
    return out.getvalue()


def _rows(table: Table) -> Iterable[Sequence[Any]]:
    if not table.ids:
        return [table.head, *table.rows]
    return [(*table.head, "id"), *((*row, id) for row, id in zip(table.rows, table.ids, strict=True))]
