"""All statistics of the chosen games in one value."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping
from html import escape
from typing import Literal, TypeAlias

import msgspec

from ...domain.errors import OptionError, UnknownGame
from .dice import Dice, fairness
from .effects import Effects, Unit, Use, Weapon
from .games import Games
from .heat import Heat, heat
from .losses import Loss, RoundLoss, losses_by_kind, losses_by_round
from .outcomes import Length, Outcomes, lengths, outcomes

Section: TypeAlias = Literal["dice", "outcomes", "length", "losses", "cards", "units", "heat"]
SECTIONS: tuple[Section, ...] = ("dice", "outcomes", "length", "losses", "cards", "units", "heat")


class NothingToCount(UnknownGame):
    """No game is left to count."""


class Counted(msgspec.Struct, frozen=True):
    """How many games of a ruleset there are, and how many of them are over."""

    ruleset: str
    games: int
    finished: int


class Statistics(msgspec.Struct, frozen=True, omit_defaults=True):
    """What many games say: of each section what was asked for, None for the rest.

    `whole` is False where secrets are left out because a game is not over. `names` is by ruleset what ids are called.
    """

    games: tuple[Counted, ...]
    whole: bool = True
    dice: Dice | None = None
    outcomes: tuple[Outcomes, ...] | None = None
    length: tuple[Length, ...] | None = None
    losses: tuple[Loss, ...] | None = None
    losses_by_round: tuple[RoundLoss, ...] | None = None
    cards: tuple[Use, ...] | None = None
    weapons: tuple[Weapon, ...] | None = None
    units: tuple[Unit, ...] | None = None
    heat: tuple[Heat, ...] | None = None
    names: dict[str, dict[str, str]] = {}

    def text(self, most: int = 10) -> str:
        """Return the tables as plain text; a table shows `most` rows."""
        from .tables import as_text

        return as_text(self, most)

    def to_json(self) -> str:
        """Return all of it as JSON."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2).decode()

    def _repr_html_(self) -> str:
        from ..notebooks import table_html
        from .tables import tables

        parts = []
        for table in tables(self):
            notes = "".join(f"<p>{escape(note)}</p>" for note in table.notes)
            parts.append(table_html(table.head, table.rows, table.title, right=table.right) + notes)
        return "".join(parts)

    def __str__(self) -> str:
        return self.text()


def statistics(
    connection: sqlite3.Connection,
    *,
    ruleset: str | None = None,
    options: Mapping[str, str] | None = None,
    seats: Mapping[str, str] | None = None,
    only: Collection[str] = (),
) -> Statistics:
    """Return the statistics of an archive's games: of a ruleset, with some options, with some holders of seats.

    `only` names sections (default: all). Takebacks are left out, and so is what a fork has from its parent. Raises
    NothingToCount when no game is left, OptionError for an unknown section.
    """
    if unknown := sorted({*only} - {*SECTIONS}):
        raise OptionError(f"There is no section '{unknown[0]}'. The sections: {', '.join(SECTIONS)}.")
    wanted = {*only} or {*SECTIONS}
    with Games(connection, ruleset, options, seats) as games:
        counted = tuple(Counted(name, *counts) for name, counts in games.rulesets().items())
        if not counted:
            narrowed = ruleset is not None or options or seats
            raise NothingToCount(f"There is no {'such ' if narrowed else ''}game to count.")
        whole = next(games.rows("SELECT min(whole) FROM chosen JOIN games USING (id)"))[0]
        effects = Effects(games) if wanted & {"cards", "units"} else None
        cards, units = (effects if "cards" in wanted else None), (effects if "units" in wanted else None)
        found = Statistics(
            counted,
            whole=bool(whole),
            dice=fairness(games) if "dice" in wanted else None,
            outcomes=outcomes(games) if "outcomes" in wanted else None,
            length=lengths(games) if "length" in wanted else None,
            losses=losses_by_kind(games) if "losses" in wanted else None,
            losses_by_round=losses_by_round(games) if "losses" in wanted else None,
            cards=cards.uses() if cards else None,
            weapons=cards.weapons() if cards else None,
            units=units.units() if units else None,
            heat=heat(games) if "heat" in wanted else None,
        )
        return msgspec.structs.replace(found, names=_names(found, games.names))


def _names(found: Statistics, known: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """The names of the ids that some statistics have."""
    ids: dict[str, set[str]] = {one.ruleset: set() for one in found.games}
    for loss in found.losses or ():
        ids[loss.ruleset] |= {loss.unit, *loss.causes}
    for rows, keys in (
        (found.cards, ("item",)),
        (found.weapons, ("weapon",)),
        (found.units, ("unit",)),
        (found.heat, ("board", "place")),
    ):
        for row in rows or ():
            ids[row.ruleset] |= {getattr(row, key) for key in keys}
    return {
        ruleset: {id: known[ruleset][id] for id in sorted(some & known[ruleset].keys())}
        for ruleset, some in ids.items()
    }
