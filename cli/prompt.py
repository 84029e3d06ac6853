"""Where lines come from: a prompt with completion and history on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from .session import Woken, matching
from .trouble import Failed

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.application import Application
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.history import History

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


class Prompt:
    """A reader with completion of what `known` returns, and the history of lines that `whose` names.

    The history of no name is kept between sittings; one with a name lasts for this sitting, and of None there is none.
    `wake`, from another thread, has the line that is being typed raise Woken, or the next one; what was typed is offered
    again.
    """

    def __init__(self, known: Callable[[], list[str]], whose: Callable[[], str | None] = lambda: "") -> None:
        self.known = known
        self.whose = whose
        self._sessions: dict[str, PromptSession[str]] = {}
        self._reading: Application[str] | None = None
        self._typed = ""
        self._woken = threading.Event()

    def __call__(self, prompt: str) -> str:
        """Return the next line; raises EOFError at the end, KeyboardInterrupt for Ctrl-C, Woken."""
        session = self._session(self.whose())
        self._reading = session.app
        try:
            typed, self._typed = self._typed, ""
            return str(session.prompt(prompt, default=typed, pre_run=self._look))
        finally:
            self._reading = None

    def wake(self) -> None:
        """Have the reader raise Woken."""
        self._woken.set()
        reading = self._reading
        loop = None if reading is None else reading.loop
        if loop is not None:
            with suppress(RuntimeError):  # it has just ended: then the next line is woken
                loop.call_soon_threadsafe(self._look)

    def _look(self) -> None:
        """End the line that is being typed, where somebody has woken it; runs in the loop that reads."""
        reading = self._reading
        if reading is not None and self._woken.is_set() and reading.is_running and not reading.is_done:
            self._woken.clear()
            self._typed = reading.current_buffer.text
            reading.exit(exception=Woken())

    def _session(self, name: str | None) -> PromptSession[str]:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import DummyHistory, InMemoryHistory

        if name is None:
            return PromptSession(history=DummyHistory())
        if name not in self._sessions:
            history = InMemoryHistory() if name else _kept()
            self._sessions[name] = PromptSession(
                history=history, completer=_completer(self.known), complete_while_typing=False
            )
        return self._sessions[name]


def _completer(known: Callable[[], list[str]]) -> Completer:
    from prompt_toolkit.completion import Completer, Completion

    class Known(Completer):
        def get_completions(self, document: Any, complete_event: Any) -> Iterable[Completion]:
            typed = document.text_before_cursor.lstrip()
            for text in matching(typed, known()):
                yield Completion(text, start_position=-len(typed))

    return Known()


def _kept() -> History:
    """Return the history of lines that is kept between sittings."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    try:
        from platformdirs import user_state_path

        folder = user_state_path("warptape", appauthor=False)
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "history"
        file.touch()
        return FileHistory(str(file))
    except OSError:
        return InMemoryHistory()
