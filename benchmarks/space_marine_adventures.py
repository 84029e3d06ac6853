"""How the bots of Space Marine Adventures fare: every level, face, advanced card, and the campaign, as tables in Markdown.

`python benchmarks/space_marine_adventures.py` plays what the page on its bots reports; `--only NAME` one part of it, `--games N` fewer
games, `--seed TEXT` others. One process: run it with `nice`. A game's seed is its part's name and its number.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from warptape.domain.chance import Fate
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures.events_cards import MarineWounded
from warptape.domain.space_marine_adventures.state import Options
from warptape.projections.statistics import wilson

WON = ("major", "minor", "epic_victory")
PARTS: Mapping[str, tuple[int, dict[str, Any]]] = {
    "Level 1": (1000, {"level": 1}),
    "Level 2": (1000, {"level": 2}),
    "Level 3": (1000, {"level": 3}),
    "Skull cards, Level 1": (300, {"level": 1, "skull_cards": "all"}),
    "Skull cards, Level 2": (300, {"level": 2, "skull_cards": "all"}),
    "Skull cards, Level 3": (300, {"level": 3, "skull_cards": "all"}),
    "CHA-1-1": (300, {"level": 1, "challenges": "CHA-1-1"}),
    "CHA-1-2": (300, {"level": 1, "challenges": "CHA-1-2"}),
    "CHA-2-1": (300, {"level": 2, "challenges": "CHA-2-1"}),
    "CHA-2-2": (300, {"level": 2, "challenges": "CHA-2-2"}),
    "CHA-3-1": (300, {"level": 3, "challenges": "CHA-3-1"}),
    "CHA-3-2": (300, {"level": 3, "challenges": "CHA-3-2"}),
    "Campaign": (1000, {"mode": "campaign"}),
}
"""What is played: how many games, under which options."""


class Played(msgspec.Struct):
    """How one game went; `wounds` counts the whole game, `level` is the one it ended in."""

    result: str
    reason: str
    face: str
    entry: str
    level: int
    rounds: int
    wounds: int
    kills: int
    in_play: int
    damage: int
    console: bool

    @property
    def won(self) -> bool:
        """Whether the squad won."""
        return self.result in WON


def play(seed: str, options: Options) -> Played:
    """Play one game by the bot `sensible`."""
    match = Match(RULESET, Fate(seed), options, luck=seed)
    match.play({"team": "sensible"})
    state, outcome = match.state, match.outcome
    assert outcome is not None
    assert state.ended is not None
    return Played(
        outcome.result,
        state.ended.reason,
        state.face,
        state.entry,
        state.level,
        state.round,
        sum(type(event) is MarineWounded for event in match.events),
        sum(state.kills.values()),
        state.ended.in_play,
        state.ended.damage,
        state.console,
    )


def share(games: Sequence[Played]) -> str:
    """Return the wins of games with their interval."""
    return str(wilson(sum(game.won for game in games), len(games)))


def mean(games: Sequence[Played], figure: str) -> float:
    """Return the mean of a figure."""
    return sum(getattr(game, figure) for game in games) / (len(games) or 1)


def table(rows: Mapping[str, Sequence[Played]], first: str) -> None:
    """Print one row for each group of games."""
    print(f"| {first} | Games | Wins | Major | Minor | Draw | Loss | Wounds | Kills | Marines left | Rounds |")
    print("|" + " --- |" * 11)
    for name, games in rows.items():
        of = Counter(game.result for game in games)
        results = " | ".join(str(of[result]) for result in ("major", "minor", "draw", "loss"))
        figures = " | ".join(f"{mean(games, figure):.1f}" for figure in ("wounds", "kills", "in_play", "rounds"))
        print(f"| {name} | {len(games)} | **{share(games)}** | {results} | {figures} |")


def groups(games: Sequence[Played], figure: str) -> dict[str, list[Played]]:
    """Return games by a figure, in its order."""
    found = defaultdict(list)
    for game in games:
        found[str(getattr(game, figure))].append(game)
    return dict(sorted(found.items()))


def crosswise(games: Sequence[Played]) -> None:
    """Print the share of wins by face and by the exit that the squad came in by."""
    print("| Face | A | B | C | D |")
    print("|" + " --- |" * 5)
    for face, some in groups(games, "face").items():
        by = groups(some, "entry")
        cells = (
            f"{sum(game.won for game in by[label]) / len(by[label]):.0%}" if label in by else "" for label in "ABCD"
        )
        print(f"| {face} | {' | '.join(cells)} |")


def campaign(games: Sequence[Played]) -> None:
    """Print where campaigns end."""
    print("| Games | Won | Lost at Level 1 | at Level 2 | at Level 3 | Wounds | Marines left |")
    print("|" + " --- |" * 7)
    lost = Counter(game.level for game in games if not game.won)
    print(
        f"| {len(games)} | **{share(games)}** | {lost[1]} | {lost[2]} | {lost[3]} | {mean(games, 'wounds'):.1f} "
        f"| {mean(games, 'in_play'):.1f} |"
    )


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=0, help="games of each part")
    parser.add_argument("--seed", default="balance")
    parser.add_argument("--only", action="append", default=[], help="a part; repeat it for more")
    given = parser.parse_args()
    for name, (count, options) in PARTS.items():
        if given.only and name not in given.only:
            continue
        games = [
            play(f"{given.seed} {name} {number}", Options(**options)) for number in range(1, (given.games or count) + 1)
        ]
        print(f"\n{name}\n")
        if "mode" in options:
            campaign(games)
            continue
        table({"all": games}, "")
        reasons = ", ".join(f"{reason} {len(some)}" for reason, some in groups(games, "reason").items())
        console = sum(game.console for game in games) / len(games)
        print(f"\nEnded by: {reasons}; console activated in {console:.0%}, damage {mean(games, 'damage'):.2f}.\n")
        if name.startswith("Level"):
            table(groups(games, "face"), "Face")
            print()
            crosswise(games)


if __name__ == "__main__":
    main()
