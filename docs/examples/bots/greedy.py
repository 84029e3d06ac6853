#!/usr/bin/env python3
"""A bot for any game of warptape: it would rather fight than walk, and rather walk than wait. Standard library only."""

import json
import random
import sys

FIERCE = {"at", "fight", "shoot", "fire", "hit", "melta", "hellfire", "template", "det", "sp", "storm"}
IDLE = {"end", "pass", "done", "skip", "stay", "next", "rest", "keep", "hold"}


def weight(choice):
    """How much the bot would like to do that, by the verb of its notation."""
    verb = choice["notation"].split(" ", 1)[0]
    return 20 if verb in FIERCE else 1 if verb in IDLE else 4


def main():
    dice, tried = random.Random(), set()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            dice = random.Random(message["luck"])  # the same game again gets the same answers
            continue
        if message["type"] == "ask":
            actions, tried = message["actions"], set()
        elif message["type"] != "refused":  # "over" and "bye" need no answer
            continue
        left = [one for one in actions if one["index"] not in tried]
        choice = dice.choices(left, weights=[weight(one) for one in left])[0]
        tried.add(choice["index"])
        print(json.dumps({"id": message["id"], "index": choice["index"]}), flush=True)


main()
