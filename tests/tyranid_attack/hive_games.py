"""Four fixed games, one for each way to end: their moves, and how they are told, which no later version may change unseen.

python tests/tyranid_attack/hive_games.py           plays the moves that are kept and prints the stories
python tests/tyranid_attack/hive_games.py --write   keeps the stories of the moves that are kept
python tests/tyranid_attack/hive_games.py --anew    has the players play all games again, and keeps all of it
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parent.parent / "kernel"))

from eager import hasty
from kept_games import Kept, KeptGames

BOTS = {"marines": "sensible", "tyranid": "sensible"}
KEPT = KeptGames(
    "tyranid-attack",
    Path(__file__).parent / "expected",
    {
        "templates": Kept("templates", "gold 17", "Four objectives", BOTS),
        "no_marines": Kept("no_marines", "gold 2", "A small party", BOTS, {"party": "points", "points": "16"}),
        "templates_lost": Kept("templates_lost", "past 1", "Past them all", {"marines": hasty, "tyranid": "random"}),
        "turn_limit": Kept(
            "turn_limit", "gold 3", "Five turns", BOTS,
            {"turn_limit": "5", "extra_tyranids": "dreadnought=1,android=2", "sides": "fixed", "corners": "sealed"},
        ),
    },
    {
        "templates": ("templates", None),
        "templates_as_the_tyranids_know_it": ("templates", "tyranid"),
        "no_marines": ("no_marines", None),
        "templates_lost": ("templates_lost", None),
        "turn_limit": ("turn_limit", None),
    },
)  # fmt: skip
"""By the way in which they end; the second goes to the Tyranids although there was much left to be had."""

if __name__ == "__main__":
    KEPT.main()
