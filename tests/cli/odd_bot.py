"""A program at a seat that behaves as its first word says; `odd_bot.py MODE [FILE]`. Without trouble it takes action 0."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def told() -> Iterator[dict[str, Any]]:
    for line in sys.stdin:
        yield json.loads(line)


def say(**what: Any) -> None:
    print(json.dumps(what), flush=True)


def serve(**more: Any) -> None:
    """Answers everything with action 0."""
    for message in told():
        if message["type"] in ("ask", "refused"):
            say(index=0, **more)


def dies() -> None:
    print("no brain\nwas found", file=sys.stderr, flush=True)
    sys.exit(3)


def dies_at_first() -> None:
    file = Path(sys.argv[2])
    if file.exists():
        serve()
    file.touch()
    for message in told():
        if message["type"] == "ask":
            os.kill(os.getpid(), signal.SIGKILL)


def is_silent() -> None:
    for _ in told():
        pass


def stays() -> None:
    """Ignores requests to end, and whether anybody is there."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(1)


def has_children() -> None:
    """Leaves children behind, one of them in a session of its own, and none of them ends when asked."""
    me = str(Path(__file__))
    subprocess.Popen([sys.executable, me, "stays", "child"])
    subprocess.Popen([sys.executable, me, "stays", "daemon"], start_new_session=True)
    Path(sys.argv[2]).touch()
    stays()


def raves() -> None:
    for _ in told():
        print("what? \x1b[31m", flush=True)


def floods() -> None:
    sys.stdin.readline()
    while True:
        os.write(1, b"x" * 65536)


def babbles() -> None:
    while True:
        os.write(1, b"babble\n" * 1000)


def shuts_up() -> None:
    os.close(1)
    stays()


def cheats() -> None:
    for message in told():
        if message["type"] in ("ask", "refused"):
            say(action="win")


def hesitates() -> None:
    """Says what cannot be done, twice, then what can."""
    for message in told():
        if message["type"] == "ask":
            say(action="win")
        elif message["type"] == "refused":
            say(index=0) if message["left"] == 1 else say(index=99)


def is_late() -> None:
    """Says something before it is asked, and answers questions of before."""
    print("ready!", flush=True)
    for message in told():
        if message["type"] == "ask":
            say(id=message["id"] - 1, index=77)
            say(id=message["id"], index=0)


def complains() -> None:
    """Fills its standard error, and plays all the same."""
    for message in told():
        if message["type"] == "ask":
            os.write(2, b"oh dear! " * 50_000)
            say(index=0)


def remembers() -> None:
    """Writes everything that it is told into a file."""
    with open(sys.argv[2], "a", encoding="utf-8") as file:
        for line in sys.stdin:
            file.write(line)
            file.flush()
            if json.loads(line)["type"] == "ask":
                say(index=0)


{
    "serves": serve, "dies": dies, "dies_at_first": dies_at_first, "is_silent": is_silent, "stays": stays,
    "has_children": has_children, "raves": raves, "floods": floods, "babbles": babbles, "shuts_up": shuts_up,
    "cheats": cheats, "hesitates": hesitates, "is_late": is_late, "complains": complains, "remembers": remembers,
}[sys.argv[1]]()  # fmt: skip
