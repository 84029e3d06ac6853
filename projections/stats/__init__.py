"""Statistics of many games, or of one: pure functions over an archive that return typed values, as tables and pictures."""

from __future__ import annotations

from .report import SECTIONS, NothingToCount, Statistics, statistics

__all__ = ["SECTIONS", "NothingToCount", "Statistics", "statistics"]
