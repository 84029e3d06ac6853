"""Plays, forks, renames and deletes games in the store at a URL until it is killed: what a doctor may meet."""

from __future__ import annotations

import random
import sys

from warptape.replays import recording, tape
from warptape.replays.game import Game
from warptape.replays.library import Library

tape.EVERY = recording.EVERY = 5
chance = random.Random(sys.argv[2])
with Library[Game](sys.argv[1]) as library:
    print("ready", flush=True)
    for number in range(10**6):
        game = library.new("pig", seed=str(number), undo="free", options={"goal": 1000})
        for turn in range(chance.randrange(1, 9)):
            game.act("roll", key=f"k{turn}")
            if chance.random() < 0.3:
                game.undo()
        fork = game.fork(chance.randrange(2, 4)) if chance.random() < 0.5 else game
        fork.act("roll")
        if chance.random() < 0.7:
            library.store.delete(game.id, with_forks=True)
