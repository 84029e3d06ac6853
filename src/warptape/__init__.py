"""warptape records tabletop games move by move: rewind, fork, audit and tell them as stories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from .api import Game, Position, Store, archive, open, read_report, reproduce, shrink
    from .domain.errors import (
        AmbiguousGame,
        BadAddress,
        BadLog,
        BadNotation,
        BotFailed,
        Conflict,
        ContentError,
        IllegalAction,
        ImpossibleOutcome,
        NameTaken,
        NeedsOutcome,
        NotAllowed,
        OptionError,
        RulesetCrash,
        StoreError,
        UnknownGame,
        UnknownRuleset,
        WarptapeError,
    )

__all__ = [
    "AmbiguousGame",
    "BadAddress",
    "BadLog",
    "BadNotation",
    "BotFailed",
    "Conflict",
    "ContentError",
    "Game",
    "IllegalAction",
    "ImpossibleOutcome",
    "NameTaken",
    "NeedsOutcome",
    "NotAllowed",
    "OptionError",
    "Position",
    "RulesetCrash",
    "Store",
    "StoreError",
    "UnknownGame",
    "UnknownRuleset",
    "WarptapeError",
    "__version__",
    "archive",
    "open",
    "read_report",
    "reproduce",
    "shrink",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


_API = ("Game", "Position", "Store", "archive", "open", "read_report", "reproduce", "shrink")


def __getattr__(name: str) -> Any:
    # Loaded when first used: the command line must start without the store, the rulesets and the package's metadata.
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("warptape")
        except PackageNotFoundError:  # run from a bare checkout
            return "0"
    if name in __all__:
        from importlib import import_module

        return getattr(import_module(".api" if name in _API else ".domain.errors", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
