"""What content must be like beyond the types of its fields, or the rules could not be played with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..faults import refuse
from . import checks_actions, checks_counters, checks_map, checks_tables

if TYPE_CHECKING:
    from .catalogue import Catalogue

PARTS = (
    checks_map.areas, checks_map.wedges, checks_counters.figures, checks_counters.names, checks_counters.specials,
    checks_counters.mine, checks_tables.craftworld, checks_tables.deep_space, checks_tables.track, checks_tables.options,
    checks_actions.actions, checks_actions.triggers, checks_actions.conversions, checks_actions.quickstart,
)  # fmt: skip
"""The checks in their order; each may rely on those before it."""


def check(catalogue: Catalogue) -> None:
    """Raise ContentError, naming file, line, record and reason, for the first thing that contradicts itself."""
    for part in PARTS:
        refuse(catalogue.content, part(catalogue))
