"""Recordings for asciinema: screens of a game one after the other, as a terminal would have shown them (version 2)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

LINES = 4000
"""Lines that are kept as they were written."""


class Screen(NamedTuple):
    """A screen, line by line, how many seconds it stands, and the name of a mark that a player can jump to."""

    lines: list[Text]
    seconds: float
    mark: str = ""


def cast(screens: Iterable[Screen], columns: int, rows: int, title: str) -> Iterator[str]:
    """Yield the lines of a recording, each with its line break; only what changes from screen to screen is written.

    The same screens give the same text: no time of day, no name of a user or machine is in it.
    """
    about = {"version": 2, "width": columns, "height": rows, "title": title, "env": {"TERM": "xterm-256color"}}
    yield json.dumps(about, ensure_ascii=False) + "\n"
    console = Console(
        width=columns, height=rows, force_terminal=True, color_system="256", no_color=False, legacy_windows=False,
        highlight=False, markup=False, emoji=False, _environ={},
    )  # fmt: skip
    shown: list[str] = []
    known: dict[tuple[str, str, tuple[object, ...]], str] = {}  # most lines of a screen stood on the one before
    at = 0.0
    for screen in screens:
        lines = []
        for line in screen.lines[:rows]:
            key = (line.plain, str(line.style), tuple(line.spans))
            if key not in known:
                if len(known) > LINES:
                    known.clear()
                known[key] = _ansi(console, line)
            lines.append(known[key])
        out = "" if shown else "\x1b[?25l\x1b[2J"
        for number, written in enumerate(lines):
            if number >= len(shown) or shown[number] != written:
                out += f"\x1b[{number + 1};1H{written}\x1b[0m\x1b[K"
        if screen.mark:
            yield _event(at, "m", screen.mark)
        yield _event(at, "o", out)
        shown = lines
        at += screen.seconds
    yield _event(at, "o", f"\x1b[{rows};1H\x1b[?25h\r\n")


def _ansi(console: Console, line: Text) -> str:
    line = line.copy()
    line.no_wrap, line.overflow = True, "crop"
    with console.capture() as caught:
        console.print(line, end="", soft_wrap=False, crop=True)
    return caught.get().rstrip("\n")


def _event(at: float, code: str, data: str) -> str:
    return json.dumps([round(at, 3), code, data], ensure_ascii=False) + "\n"
