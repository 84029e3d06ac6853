"""Doom of the Eldar: two seats, Swarms that lie face down, battles in space and on the Craftworld."""

from .ruleset import RULESET, DoomOfTheEldar

__all__ = ["RULESET", "DoomOfTheEldar"]
