"""What the tests of movement know of the map and of the counters, and where the engine lets one move."""

from __future__ import annotations

from doom import BOOK, Play

from warptape.domain.doom_of_the_eldar import RULESET, actions

NEIGHBOURS = {
    area["id"]: frozenset(area["adjacent"]) for area in RULESET.book.catalogue.content.parsed("map.toml")["area"]
}
"""Adjacency as the map file lists it."""
CRAFTWORLD = frozenset(("spear", "tears", "redmoon", "souls", "singers", "shrine", "forests", "dreams", "nightmares"))
SPACE = NEIGHBOURS.keys() - CRAFTWORLD
SPECIALS = ("AVA", "FAR", "YRI", "WRG")
SHIPS = tuple(unit.id for unit in BOOK.units.values() if unit.combat)
GROUND = tuple(unit.id for unit in BOOK.units.values() if unit.id not in (*SPECIALS, *SHIPS))
COUNTERS = BOOK.lid(RULESET.options())


def targets(game: Play, id: str) -> set[str]:
    """Where a counter can move now."""
    assert game.referee.decision is not None
    return {one.to for one in game.referee.decision.actions if isinstance(one, actions.Move) and one.id == id}
