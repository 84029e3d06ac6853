"""Sets of options of every level and the campaign, so that any two values of two options are in one of them together."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from warptape.domain.chance import Luck
from warptape.domain.space_marine_adventures.state import Options

GAMES = (1, 2, 3, "campaign")
TEXTS: dict[str, tuple[Any, ...]] = {
    "skull_cards": ("none", "all", "ask"),
    "challenges": ("none", "all", "ask", "random"),
    "players": ("", "MAX=Ann,RAP=Ben"),
}
Pair = tuple[str, Any, str, Any]


def _values(name: str, kind: Any) -> tuple[Any, ...]:
    if name in TEXTS:
        return TEXTS[name]
    if get_origin(kind) is Literal:
        return get_args(kind)
    return (False, True) if kind is bool else (1, 2, 3)


VALUES: dict[str, tuple[Any, ...]] = {
    "game": GAMES,
    **{name: _values(name, kind) for name, kind in get_type_hints(Options).items() if name not in ("level", "mode")},
}
"""By option; `game` is which level is played, or the campaign."""


def pairs(row: dict[str, Any]) -> set[Pair]:
    """The pairs of values that a row has together."""
    return {(one, row[one], other, row[other]) for one, other in combinations(VALUES, 2)}


def _rows() -> list[dict[str, Any]]:
    """Rows that have all pairs: each the best of some at random, with a pair in it that was still missing."""
    luck, found = Luck("rows", "options"), list[dict[str, Any]]()
    left = {(a, x, b, y) for a, b in combinations(VALUES, 2) for x in VALUES[a] for y in VALUES[b]}
    while left:
        a, x, b, y = min(left, key=str)
        some = [{**{name: luck.choice(VALUES[name]) for name in VALUES}, a: x, b: y} for _ in range(40)]
        row = max(some, key=lambda one: len(pairs(one) & left))
        found.append(row)
        left -= pairs(row)
    return found


def options(row: dict[str, Any]) -> Options:
    """The options of a row."""
    rest = {name: value for name, value in row.items() if name != "game"}
    return Options(mode="campaign", **rest) if row["game"] == "campaign" else Options(level=row["game"], **rest)


def typed(given: Options) -> dict[str, str]:
    """The options that are not as by default, as they are typed; a campaign is given no level."""
    plain, found = msgspec.structs.asdict(Options()), msgspec.structs.asdict(given)
    words = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in found.items()}
    return {name: words[name] for name in found if found[name] != plain[name]}


ROWS = _rows()
OPTION_SETS = {f"{number}-{row['game']}": options(row) for number, row in enumerate(ROWS)}
"""By number and game."""
