"""A program that is running: a line to it, a line back, each in time; however it behaves, it is ended with all its children."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from .messages import LONGEST

GUARDIAN = Path(__file__).with_name("guardian.py")

FLOOD = 2**20
"""Bytes that a program may write without being asked before it is ended."""

KEPT = 4096
"""Bytes of what a program has written to its standard error that are kept: the last ones."""

GRACE = 0.5
"""Seconds in which a program may end by itself when nothing is asked any more."""

Note = Callable[[str, bytes], None]


class Command(msgspec.Struct, frozen=True):
    """How to start a program: its words, the folder it runs in, and the name by which games know it."""

    words: tuple[str, ...]
    folder: str
    name: str


class Deadline(NamedTuple):
    """When an answer must be there: the moment by the monotonic clock, and how many seconds that gave."""

    until: float
    seconds: float

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """Return the deadline so many seconds from now."""
        return cls(time.monotonic() + seconds, seconds)

    @property
    def left(self) -> float:
        """Seconds that are left, at least 0."""
        return max(0.0, self.until - time.monotonic())


class Trouble(Exception):
    """A program has not done what it is there for; the text goes on after its name: `has ended (exit code 3)`."""


class Program:
    """A running program; raises Trouble, after which it is to be closed.

    `note` hears every line, with `>` for what it is told, `<` for what it says and `!` for its standard error. Needs a
    system with process groups.
    """

    def __init__(self, command: Command, note: Note = lambda sign, line: None) -> None:
        self._note = note
        self._errors = bytearray()
        self._todo = bytearray()
        self._got = bytearray()
        theirs, self._control = os.pipe()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("WARPTAPE_")}
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(GUARDIAN), str(theirs), *command.words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=command.folder,
                env=environment,
                pass_fds=[theirs],
                start_new_session=True,  # Ctrl-C is for whoever plays
            )
        except (OSError, ValueError) as error:
            os.close(self._control)
            raise Trouble(f"cannot be started ({getattr(error, 'strerror', None) or error})") from error
        finally:
            os.close(theirs)
        self._open: dict[int, Any] = {}
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
            self._open[pipe.fileno()] = pipe
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()

    @property
    def last_words(self) -> str:
        """What the program wrote last to its standard error, if anything."""
        return self._errors.decode("utf-8", "replace").strip()

    def tell(self, line: bytes) -> None:
        """Tell the program a line; what it does not read now it is told with the next question."""
        self._note(">", line)
        self._todo += line + b"\n"
        self._write()

    def ask(self, line: bytes, deadline: Deadline) -> bytes:
        """Tell the program a line and return the line that it says then; raises Trouble where none comes in time.

        What it said without being asked is passed over.
        """
        unasked = len(self._got)
        self._got.clear()
        while (came := self._turn(0.0)) and unasked <= FLOOD:
            unasked += came
            self._got.clear()
        if unasked > FLOOD:
            raise Trouble("writes without end and without being asked")
        self.tell(line)
        return self.hear(deadline)

    def hear(self, deadline: Deadline) -> bytes:
        """Return the next line that the program says, once it has been told everything; raises Trouble."""
        while True:
            end = self._got.find(b"\n")
            if end > LONGEST or (end < 0 and len(self._got) > LONGEST):
                raise Trouble(f"has written more than {LONGEST} bytes in one line")
            if end >= 0 and not self._todo:
                line = bytes(self._got[:end]).removesuffix(b"\r")
                del self._got[: end + 1]
                self._note("<", line)
                return line
            if len(self._got) > FLOOD:
                raise Trouble("writes without end and does not read what it is asked")
            if self._out not in self._open:
                raise Trouble(self._ended())
            left = deadline.left
            if not left:
                what = "does not read what it is asked" if self._todo else "has not answered"
                raise Trouble(f"{what} within {deadline.seconds:g} s")
            self._turn(left)

    def _turn(self, wait: float) -> int:
        """Write and read once what can be written and read within some seconds; returns how many bytes came, errors apart."""
        poll = select.poll()
        for number in self._open:
            if number != self._in:
                poll.register(number, select.POLLIN)
        if self._todo and self._in in self._open:
            poll.register(self._in, select.POLLOUT)
        came = 0
        for number, _ in poll.poll(max(0, wait * 1000)):
            if number == self._in:
                self._write()
            else:
                came += self._read(number)
        return came

    def _write(self) -> None:
        if self._in not in self._open:
            self._todo.clear()
            return
        try:
            del self._todo[: os.write(self._in, self._todo[:65536])]
        except BlockingIOError:
            return
        except OSError:  # nobody reads any more: what it still says, or its end, tells why
            self._todo.clear()
            self._shut(self._in)

    def _read(self, number: int) -> int:
        try:
            found = os.read(number, 65536)
        except BlockingIOError:
            return 0
        if not found:
            self._shut(number)
        elif number == self._out:
            self._got += found
            return len(found)
        else:
            self._errors += found
            del self._errors[:-KEPT]
            for line in found.splitlines():
                self._note("!", line)
        return 0

    def _shut(self, number: int) -> None:
        if number in self._open:
            with suppress(OSError):
                self._open.pop(number).close()

    def _ended(self) -> str:
        """Return how the program came to its end, its last words having been read."""
        until = time.monotonic() + GRACE
        while (self._process.poll() is None or self._open.keys() - {self._in}) and time.monotonic() < until:
            self._turn(0.02)
        code = self._process.poll()
        if code is None:
            return "has closed its standard output"
        return f"was ended by signal {code - 128}" if code > 128 else f"has ended (exit code {code})"

    def close(self, farewell: bytes = b"") -> None:
        """End the program: with a farewell it may do so by itself, for a moment; without one it is ended at once."""
        try:
            until = time.monotonic() + GRACE
            if farewell:
                self.tell(farewell)
            while farewell and self._open and self._process.poll() is None and time.monotonic() < until:
                if not self._todo:
                    self._shut(self._in)
                self._got.clear()
                self._turn(0.05)
        finally:
            if self._control >= 0:
                os.close(self._control)
                self._control = -1
            for number in list(self._open):
                self._shut(number)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
