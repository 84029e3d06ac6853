"""What content must be like beyond the types of its fields, or the rules could not be played with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .catalogue import Catalogue


def check(catalogue: Catalogue) -> None:
    """Raise ContentError, with the place, for content that contradicts itself."""
