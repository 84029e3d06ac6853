"""Space Marine Adventures: Tyranid Attack! One to four people together against the cards."""

from .ruleset import RULESET, SpaceMarineAdventures

__all__ = ["RULESET", "SpaceMarineAdventures"]
