"""Fixed games of each level, one for each way it can end, and a campaign won and lost: their moves, and how they are told.

python tests/space_marine_adventures/hulk_games.py           plays the moves that are kept and prints the stories
python tests/space_marine_adventures/hulk_games.py --write   keeps the stories of the moves that are kept
python tests/space_marine_adventures/hulk_games.py --anew    has the players play all games again, and keeps all of it
python tests/space_marine_adventures/hulk_games.py --logs    records the games of the moves that are kept

A bot that has learned plays other games from the same seeds: after `--anew`, look for seeds that end as the names say.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parent.parent / "kernel"))
sys.path.append(str(Path(__file__).parent.parent / "logs"))

from games import eager
from kept_games import Kept, KeptGames
from recording import FixedDesk

import warptape
from warptape.domain.chance import Luck


def zealous(game: Any, luck: Luck) -> Any:
    """A squad that is in a hurry, and does anything now and then."""
    return eager(game.state, game.decision, luck)


BOT, SQUAD = {"team": "sensible"}, {"team": zealous}
PEOPLE = {"players": "MAX=Ann,ADR=Ann,RAP=Ben,LUK=Ben,VOR=Cleo"}
HARDER = {"skull_cards": "all", "challenges": "all"}
TWO, THREE, CAMPAIGN = {"level": "2"}, {"level": "3"}, {"mode": "campaign"}

GAMES = {
    "level_1_all_on_exit": Kept("level_1_all_on_exit", "hulk 1", "All aboard", BOT),
    "level_1_all_out": Kept("level_1_all_out", "void 5", "Nobody came back", SQUAD, HARDER),
    "level_1_deck_out": Kept("level_1_deck_out", "hulk 14", "Too slow", BOT, PEOPLE),
    "level_2_all_on_exit": Kept("level_2_all_on_exit", "hunt 4", "Three of four", BOT, TWO),
    "level_2_all_out": Kept("level_2_all_out", "prey 4", "The hunted", SQUAD, TWO),
    "level_2_deck_out": Kept("level_2_deck_out", "hunt 1", "A bulkhead too far", BOT, {**TWO, **HARDER}),
    "level_3_prime_destroyed": Kept("level_3_prime_destroyed", "lair 10", "Three blows", BOT, THREE),
    "level_3_all_out": Kept("level_3_all_out", "lair 2", "The lair keeps them", BOT, {**THREE, **HARDER}),
    "level_3_deck_out": Kept("level_3_deck_out", "lair 24", "One blow short", BOT, THREE),
    "campaign_won": Kept("campaign_won", "three ships 1", "Three ships", BOT, {**CAMPAIGN, **PEOPLE}),
    "campaign_lost": Kept("campaign_lost", "three ships 2", "Two ships", BOT, {**CAMPAIGN, **HARDER}),
}
"""By the level and the way in which they end."""

KEPT = KeptGames(
    "space-marine-adventures",
    Path(__file__).parent / "expected",
    GAMES,
    {which: (which, None) for which in GAMES},
)


def log(which: str) -> Path:
    """The recorded log of a game."""
    return KEPT.folder / f"{which}.tape.jsonl.gz"


def record() -> None:
    """Record all games from their moves."""
    for number, which in enumerate(GAMES, 2):
        game = KEPT.new(which, store=warptape.Store(":memory:", FixedDesk(f"s{number:x}2345678a")))
        for seat, line in KEPT.moves(which):
            game.act(line, seat=seat)
        log(which).unlink(missing_ok=True)
        game.export(log(which))


if __name__ == "__main__":
    if "--logs" in sys.argv:
        record()
    else:
        KEPT.main()
