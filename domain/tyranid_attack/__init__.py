"""Tyranid Attack: a boarding party aboard a hive ship that rolls on, section by section."""

from .ruleset import RULESET, TyranidAttack

__all__ = ["RULESET", "TyranidAttack"]
