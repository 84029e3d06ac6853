"""What content must be like beyond the types of its fields, or the rules could not be played with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..faults import Fault, refuse

if TYPE_CHECKING:
    from .catalogue import Catalogue

PARTS: tuple[Callable[[Catalogue], Iterator[Fault]], ...] = ()
"""The checks in their order; each may rely on those before it."""


def check(catalogue: Catalogue) -> None:
    """Raise ContentError, naming file, line, record and reason, for the first thing that contradicts itself."""
    for part in PARTS:
        refuse(catalogue.content, part(catalogue))
