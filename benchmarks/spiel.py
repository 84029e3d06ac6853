"""The game of Pig on OpenSpiel, played at random; prints decisions and CPU seconds. Needs `pip install open_spiel`."""

from __future__ import annotations

import json
import random
import sys
import time

import pyspiel


def play(game: pyspiel.Game, wanted: int, luck: random.Random) -> int:
    decisions = 0
    while decisions < wanted:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(luck.random() * len(outcomes))][0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(luck.random() * len(legal))])
                decisions += 1
    return decisions


if __name__ == "__main__":
    pig, luck = pyspiel.load_game("pig(players=2,winscore=100)"), random.Random(1)
    play(pig, 2000, luck)
    start = time.process_time()
    done = play(pig, int(sys.argv[1]), luck)
    print(json.dumps({"decisions": done, "seconds": time.process_time() - start}))
