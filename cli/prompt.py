"""Where lines come from: a prompt with completion and history on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

import click

from .session import Read, matching
from .trouble import Failed

LONGEST = 2**16
"""The most characters that a line of standard input may have."""


def plain(prompt: str) -> str:
    """Return the next line of standard input, printing prompt and line; raises EOFError at the end, Failed for a line
    that nobody has typed.
    """
    line = sys.stdin.readline(LONGEST + 1) if sys.stdin is not None else ""
    if not line:
        raise EOFError
    if len(line) > LONGEST:
        raise Failed(f"A line of standard input has more than {LONGEST:,} characters: nothing of it was done.")
    text = line.rstrip("\n")
    click.echo(f"{prompt}{text}")
    return text


def on_terminal() -> bool:
    """Whether a person sits at both ends."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout is not None and sys.stdout.isatty()


def reader(known: Callable[[], list[str]], whose: Callable[[], str | None] = lambda: "") -> Read:
    """Return a reader with completion of what `known` returns, and the history of lines that `whose` names.

    The history of no name is kept between sittings; one with a name lasts for this sitting, and of None there is none.
    """
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.history import DummyHistory, FileHistory, History, InMemoryHistory

    class Known(Completer):
        def get_completions(self, document: Any, complete_event: Any) -> Iterable[Completion]:
            typed = document.text_before_cursor.lstrip()
            for text in matching(typed, known()):
                yield Completion(text, start_position=-len(typed))

    def kept() -> History:
        try:
            from platformdirs import user_state_path

            folder = user_state_path("warptape", appauthor=False)
            folder.mkdir(parents=True, exist_ok=True)
            file = folder / "history"
            file.touch()
            return FileHistory(str(file))
        except OSError:
            return InMemoryHistory()

    sessions: dict[str, PromptSession[str]] = {}

    def read(prompt: str) -> str:
        name = whose()
        if name is None:
            return str(PromptSession(history=DummyHistory()).prompt(prompt))
        if name not in sessions:
            history = InMemoryHistory() if name else kept()
            sessions[name] = PromptSession(history=history, completer=Known(), complete_while_typing=False)
        return sessions[name].prompt(prompt)

    return read
