"""One recorded game as rows of the archive's tables: a pure function of its log."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from ...domain.errors import UnknownGame
from ...replays.notes import notes
from ...replays.tape import Tape, blamed
from ...replays.told import plain
from .reading import Reading
from .tables import BY_NAME
from .telling import Rows

NOBODY = ""
"""The seat of a looker-on: what is archived of a game with secrets that is not over."""


def project(tape: Tape, game: str = "", source: str = "", item: str = "") -> Rows:
    """Return the rows of a game, under its id or another one; of one that is not over, only what everybody may know.

    A fork is not over while a game it came from is not: it holds that game's secrets. `source` and `item` say where the
    game was found. Raises BadLog for a log that cannot be read.
    """
    known_as, rules, forked = game or tape.shelf.id, tape.ruleset, ancestors_are_over(tape)
    seat = None if not rules.secretive or (forked and tape.shelf.outcome) else NOBODY
    found = Reading(tape, known_as, seat)
    if rules.secretive and seat != (wanted := None if forked and not found.state.pending else NOBODY):
        found = Reading(tape, known_as, wanted)  # the shelf was wrong about the log
    _finish(found, source, item)
    return found.rows


def ancestors_are_over(tape: Tape) -> bool:
    """Say whether all that a game was forked from is over, as far as it is in the store."""
    for ancestor, _ in tape.shelf.lineage:
        try:
            if not tape.store.shelf(ancestor).outcome:
                return False
        except UnknownGame:  # of a fork that was imported
            continue
    return True


def _finish(read: Reading, source: str, item: str) -> None:
    """Add what is known of the game at its end to the rows of its events."""
    tape, shelf, opening = read.tape, read.tape.shelf, read.tape.opening
    outcome = None
    if not read.state.pending:
        with blamed(tape.tip):
            outcome = read.rules.outcome(read.state if read.seat is None else tape.at().state)
    tip = tape.tree.resolve(tape.tip)
    here = read.places[tip]
    parent = shelf.lineage[-1] if shelf.lineage else (None, None)
    seconds = (read.last - read.began).total_seconds() if read.began and read.last else None
    read.rows["games"].append(
        (
            read.game,
            shelf.name,
            shelf.ruleset,
            shelf.ruleset_version,
            shelf.content,
            opening.chance,
            shelf.extra.get("undo", opening.undo),
            shelf.created,
            read.changed,
            *parent,
            tape.length,
            here.decisions,
            here.round,
            here.level,
            int(outcome is not None),
            outcome.result if outcome else None,
            (outcome.words or outcome.result) if outcome else None,
            outcome.reason if outcome else None,
            seconds,
            tape.seen_as,
            int(read.seat is None),
            shelf.extra.get("imported"),
            source,
            item,
        )
    )
    for name, value in sorted(msgspec.to_builtins(opening.options).items()):
        read.rows["options"].append((read.game, name, _text(value)))
    for seat in read.rules.seats(opening.options):
        won = int(seat.id in outcome.winners) if outcome else None
        read.rows["seats"].append((read.game, seat.id, seat.name, shelf.seats.get(seat.id, "human"), won))
    for name, value in sorted(outcome.figures.items()) if outcome else ():
        read.rows["outcomes"].append((read.game, name, value))
    start = (read.game, tip, read.on_line[tip], int(tip < read.own), here.round, here.level, here.level_round)
    read.figures(start, read.state)
    if read.noted:
        _notes(read)
    _names(read)


def _notes(read: Reading) -> None:
    for note in notes(read.tape, read.seat):
        tags = ",".join(note.tags)
        read.rows["notes"].append((read.game, note.position, note.at, note.seat, note.person, tags, note.text))


def _names(read: Reading) -> None:
    ids = {row[at] for table, columns in NAMED for row in read.rows[table] for at in columns}
    boards = {row[at].partition(":")[0] for table, at in SPOTS for row in read.rows[table]}
    for id in sorted((ids | boards) - {None, ""}):
        with suppress(Exception):  # an id that a damaged log has, rules may not be able to look up
            if (name := plain(read.rules.called(id))) != id:
                read.rows["names"].append((read.game, id, name))


def _at(table: str, *columns: str) -> tuple[str, tuple[int, ...]]:
    return table, tuple(BY_NAME[table].names.index(column) for column in columns)


NAMED = (
    _at("moves", "unit", "cause"), _at("fights", "unit", "target", "cause"), _at("losses", "unit", "cause"),
    _at("uses", "unit", "item"), _at("draws", "item"),
)  # fmt: skip
"""The tables and columns that have ids with names."""
SPOTS = tuple((table, BY_NAME[table].names.index("spot")) for table in ("moves", "fights", "losses"))


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
