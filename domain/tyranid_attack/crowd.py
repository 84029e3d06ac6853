"""Where the models of a position stand, as bits of the ship's plane: kept with a state, and moved along with its models."""

from __future__ import annotations

from collections.abc import Iterable

from .plane import Plane
from .state import MARINES, TYRANID, Model, Point


class Crowd:
    """The squares of Marines, of Tyranids and of prone models on a plane, as bits."""

    __slots__ = ("_listed", "marines", "plane", "prone", "tyranids")

    def __init__(self, plane: Plane, marines: Iterable[Model], tyranids: Iterable[Model]) -> None:
        self.plane = plane
        self.marines = plane.mask([model.at for model in marines])
        self.tyranids = plane.mask([model.at for model in tyranids])
        self.prone = plane.mask([model.at for model in marines if model.prone])
        self._listed: dict[str, list[Point]] = {}

    @property
    def taken(self) -> int:
        """All squares with a model."""
        return self.marines | self.tyranids

    @property
    def blocking(self) -> int:
        """The squares of models that block a line: all but prone Marines (TA-LOS-2, -6, -7)."""
        return (self.marines | self.tyranids) & ~self.prone

    def against(self, side: str) -> int:
        """Return the squares of a side's enemies."""
        return self.tyranids if side == MARINES else self.marines

    def enemies(self, side: str) -> list[Point]:
        """Return the squares of a side's enemies in reading order; not to be changed."""
        found = self._listed.get(side)
        if found is None:
            found = self._listed[side] = list(self.plane.squares(self.against(side)))
        return found

    def move(self, start: Point, to: Point) -> None:
        """Follow a model from a square to another."""
        old, new = self.plane.bit(start), self.plane.bit(to)
        if self.marines & old:
            self.marines ^= old ^ new
            self._listed.pop(TYRANID, None)
        else:
            self.tyranids ^= old ^ new
            self._listed.pop(MARINES, None)
