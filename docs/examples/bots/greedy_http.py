#!/usr/bin/env python3
"""The bot of greedy.py on a server: `greedy_http.py https://HOST GAME`, its token in WARPTAPE_TOKEN. Standard library only."""

import json
import os
import random
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

FIERCE = {"at", "fight", "shoot", "fire", "hit", "melta", "hellfire", "template", "det", "sp", "storm"}
IDLE = {"end", "pass", "done", "skip", "stay", "next", "rest", "keep", "hold"}


def weight(choice):
    """How much the bot would like to do that, by the verb of its notation."""
    verb = choice["notation"].split(" ", 1)[0]
    return 20 if verb in FIERCE else 1 if verb in IDLE else 4


def ask(path, answer=None):
    """Return what the server says next; None while the seat is not asked, or where the server does not answer."""
    url = f"{sys.argv[1]}/v1/games/{sys.argv[2]}/turn{path}"
    head = {"Authorization": f"Bearer {os.environ['WARPTAPE_TOKEN']}", "Content-Type": "application/json"}
    data = None if answer is None else json.dumps(answer).encode()
    try:
        with urlopen(Request(url, data, head), timeout=60) as found:
            return json.loads(found.read() or b"null")
    except HTTPError as error:
        if error.code not in (409, 429, 503):  # 409: the question is not open any more
            raise
        time.sleep(float(error.headers.get("Retry-After", 0)))
    except OSError:  # no line: what was answered last may have been taken or not, the next question shows it
        time.sleep(1)
    return None


def main():
    while not (hello := ask("/hello")):
        pass
    dice, since, message = random.Random(hello["luck"]), 0, None
    while True:
        message = message or ask(f"?wait=25&since={since}")
        if not message:
            continue
        if message["type"] == "over":
            return
        if message["type"] == "ask":
            actions, tried, since = message["actions"], set(), message["id"]
        left = [one for one in actions if one["index"] not in tried]
        choice = dice.choices(left, weights=[weight(one) for one in left])[0]
        tried.add(choice["index"])  # if it is refused, another one
        message = ask("?wait=25", {"id": message["id"], "index": choice["index"]})


main()
