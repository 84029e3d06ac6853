"""Takes out of a text what names a person or a machine: folders, the user, the host, stores with passwords."""

from __future__ import annotations

import os
import platform
import re
from contextlib import suppress
from functools import cache
from pathlib import Path

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>]*[^\s'\"<>.,;:)]")
_REST = r"[^\s'\"<>|:,;)]*(?: [^\s'\"<>|:,;)/\\]*[/\\][^\s'\"<>|:,;)]*)*"
"""What goes on a path, with names that hold one space, as far as another separator shows it."""
_ROOT = r"(?:[A-Za-z]:[\\/]|~?[\\/])(?=[\w.~\\-])"
_QUOTED = re.compile(rf"(['\"]){_ROOT}(?:(?!\1).)*\1")
_PATH = re.compile(rf"(?<![\w./\\]){_ROOT}{_REST}(?<!\.)")
_MARKS = re.compile(r"\\\((?:path|url|user|host)\\\)")
_NUMBERS = re.compile(r"0x[0-9a-fA-F]+|\d+")
SHORTEST = 3
"""Letters of a name of a user or a host below which it is left alone: it would be found in half the words."""


def scrubbed(text: str) -> str:
    """Return a text with `(path)`, `(url)`, `(user)` and `(host)` in place of what is personal in it."""
    text = _URL.sub("(url)", text)
    text = _QUOTED.sub(r"\1(path)\1", text)
    for folder in _folders():
        text = re.sub(re.escape(folder) + _REST, "(path)", text)
    text = _PATH.sub("(path)", text)
    for name, mark in _names():
        text = re.sub(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", mark, text, flags=re.IGNORECASE)
    return text


@cache
def _machine() -> str:
    return platform.node()


def _folders() -> list[str]:
    """The folders that are this user's, the longest first; they may hold spaces, which a pattern would stop at."""
    found = []
    with suppress(RuntimeError, OSError):
        found.append(str(Path.home()))
    with suppress(OSError):
        found.append(str(Path.cwd()))
    return sorted((folder for folder in found if len(folder) > SHORTEST), key=len, reverse=True)


def _names() -> list[tuple[str, str]]:
    users = {os.environ.get(name, "") for name in ("USER", "LOGNAME", "USERNAME")}
    with suppress(RuntimeError, OSError):
        users.add(Path.home().name)
    hosts = {os.environ.get("HOSTNAME", ""), os.environ.get("COMPUTERNAME", ""), _machine()}
    hosts |= {host.partition(".")[0] for host in hosts}
    named = [*((user, "(user)") for user in users), *((host, "(host)") for host in hosts)]
    return sorted((pair for pair in named if len(pair[0]) >= SHORTEST), key=lambda pair: (-len(pair[0]), pair))


def masked(text: str) -> str:
    """Return the kind of message that a text is: numbers and addresses in memory stand for any."""
    return _NUMBERS.sub("#", text)


def alike(kept: str, found: str) -> bool:
    """Say whether a message of today is of the same kind as a scrubbed one of a report."""
    pattern = _MARKS.sub(".*", re.escape(masked(kept)))
    return masked(found) == masked(kept) or re.fullmatch(pattern, masked(scrubbed(found)), re.DOTALL) is not None
