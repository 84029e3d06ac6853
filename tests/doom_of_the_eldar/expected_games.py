"""Two fixed games, one for each winner: their moves, and how they are told, which no later version may change unseen.

python tests/doom_of_the_eldar/expected_games.py           plays the moves that are kept and prints the stories
python tests/doom_of_the_eldar/expected_games.py --write   keeps the stories of the moves that are kept
python tests/doom_of_the_eldar/expected_games.py --anew    has the bots play both games again, and keeps all of it
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "kernel"))

from kept_games import Kept, KeptGames

BOTS = {"eldar": "sensible", "tyranid": "sensible"}
KEPT = KeptGames(
    "doom-of-the-eldar",
    Path(__file__).parent / "expected",
    {
        "eldar": Kept("eldar_wins", "gold 5", "Eldar victory", BOTS),
        "tyranid": Kept("tyranid_wins", "gold 4", "Tyranid victory", BOTS),
    },
    {
        "eldar_wins": ("eldar", None),
        "eldar_wins_as_the_eldar_know_it": ("eldar", "eldar"),
        "tyranid_wins": ("tyranid", None),
    },
)
"""By the seat that wins."""

if __name__ == "__main__":
    KEPT.main()
