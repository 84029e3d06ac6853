"""Programs at seats: asked in time, started again once, given up with a clear sentence; the game stays as it was."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from ...domain.errors import BotFailed
from ..takeback import EXEC
from ..told import plain
from .messages import TRIES, Bye, Clock, Message, Refused, encode
from .process import Command, Deadline, Program, Trouble
from .questions import Question, Unfit, hello, over, read

if TYPE_CHECKING:
    from ..game import Game

START = 10.0
"""Seconds more that the first answer of a program may take: it has to start."""

Log = Callable[[str, str, bytes], None]
"""Hears every line: the name of the seat, `>`, `<` or `!`, and the line."""


class Pace(msgspec.Struct, frozen=True):
    """How long a program may think, in seconds: for one answer, and in one game of a sitting (None: no limit)."""

    answer: float = 10.0
    game: float | None = None


class Player:
    """A program at a seat, for one game after another: it is started when it is first asked.

    After it has failed in a game it is `given_up` there, and its seat is nobody's.
    """

    def __init__(self, seat: str, command: Command, pace: Pace, log: Log | None = None) -> None:
        self.seat = seat
        self.command = command
        self.pace = pace
        self.given_up = ""
        self._log = log or (lambda seat, sign, line: None)
        self._program: Program | None = None
        self._game = ""
        self._since = 0
        self._used = 0.0

    @property
    def holder(self) -> str:
        """What a game calls it: `exec:NAME`."""
        return EXEC + self.command.name

    def choose(self, game: Game) -> Any:
        """Return the legal action that the program takes; raises BotFailed, and the program is gone then."""
        question = Question(game, self.seat)
        if self._game != game.id:
            self._game, self._since, self._used, told = game.id, 0, 0.0, False
        else:
            told = self._program is not None
        for again in ("", ", also when it was started again"):
            try:
                action = self._asked(game, question, told)
            except Trouble as error:
                words = self._stop()
                told, self._since = False, 0
                if again:
                    raise self._failed(game, f"{error}{again}", words) from error
            except BotFailed:
                raise
            except BaseException:  # Ctrl-C, say: what it would answer now would be taken for another answer
                self._stop()
                self._game = ""
                raise
            else:
                self._since = question.id
                return action
        raise AssertionError

    def _asked(self, game: Game, question: Question, told: bool) -> Any:
        seconds = self.pace.answer
        if self._program is None:
            self._program = Program(self.command, lambda sign, line: self._log(self.seat, sign, line))
            seconds += START
        if self.pace.game is not None:
            left = self.pace.game - self._used
            if left <= 0:
                raise self._failed(game, f"has used up its {self.pace.game:g} s for this game", self._stop())
            seconds = min(seconds, left)
        program = self._program
        if not told:
            program.tell(encode(hello(game, self.seat)))
        began, deadline = time.monotonic(), Deadline.after(seconds)
        try:
            return self._answered(game, question, program, deadline)
        finally:
            self._used += time.monotonic() - began

    def _answered(self, game: Game, question: Question, program: Program, deadline: Deadline) -> Any:
        line = program.ask(encode(question.ask(self._clock(deadline), self._since)), deadline)
        left = TRIES
        while True:
            reply: Message
            try:
                answer = read(line)
                if answer.id not in (None, question.id):
                    line = program.hear(deadline)
                    continue
                if answer.list is None:
                    return question.chosen(answer)
                reply = question.listing(answer.list.first, self._clock(deadline))
            except Unfit as error:
                left -= 1
                if not left:
                    why = f"{error.rule}: {error.reason}" if error.rule else error.reason
                    raise self._failed(
                        game, f"gave {TRIES} answers that cannot be taken (the last: {plain(why)[:200]})", self._stop()
                    ) from error
                reply = Refused(question.id, error.rule, error.reason, left, self._clock(deadline))
            program.tell(encode(reply))
            line = program.hear(deadline)  # it may have said it already

    def _clock(self, deadline: Deadline) -> Clock:
        game = None if self.pace.game is None else max(0, int((self.pace.game - self._used) * 1000))
        return Clock(int(deadline.left * 1000), game)

    def _failed(self, game: Game, what: str, words: str) -> BotFailed:
        self.given_up = game.id
        last = f" Its last words: '{words}'." if words else ""
        return BotFailed(
            f"The program '{self.command.name}' at the seat {self.seat} {what}; it has not acted.{last} Play the seat "
            f"yourself, or give it a program: --seat {self.seat}=exec:'COMMAND'."
        )

    def _stop(self) -> str:
        """End the program at once, and return its last words."""
        program, self._program = self._program, None
        if program is None:
            return ""
        program.close()
        return plain(program.last_words.rpartition("\n")[2])[-200:]

    def over(self, game: Game) -> None:
        """Tell the program that the game is over, if it knows of it."""
        if self._program is not None and self._game == game.id:
            self._program.tell(encode(over(game, self.seat, self._since)))
            self._game = ""

    def close(self) -> None:
        """Say goodbye; the program is gone then."""
        program, self._program = self._program, None
        if program is not None:
            program.close(encode(Bye()))
