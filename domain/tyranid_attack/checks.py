"""What content must be like beyond the types of its fields, or the rules could not be played with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..faults import refuse
from . import checks_boards, checks_cards, checks_forces, checks_weapons

if TYPE_CHECKING:
    from .catalogue import Catalogue

PARTS = (
    checks_boards.numbers, checks_boards.geometry, checks_boards.grids, checks_boards.objectives, checks_boards.room,
    checks_weapons.counters, checks_weapons.weapons, checks_weapons.heavies, checks_forces.figures,
    checks_forces.armed, checks_forces.lists, checks_forces.box, checks_cards.deck, checks_cards.artifacts,
    checks_cards.orders, checks_cards.effects,
)  # fmt: skip
"""The checks in their order; each may rely on those before it."""


def check(catalogue: Catalogue) -> None:
    """Raise ContentError, naming file, line, record and reason, for the first thing that contradicts itself."""
    for part in PARTS:
        refuse(catalogue.content, part(catalogue))
