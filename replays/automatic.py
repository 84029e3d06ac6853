"""Bots at seats of a recorded game: those of the ruleset, and programs from outside where the desk has them."""

from __future__ import annotations

from collections.abc import Mapping

from ..domain.errors import BotFailed, NotAllowed, RulesetCrash
from ..domain.events import Event
from ..domain.referee import choose
from .codec import with_head
from .crashes import crashed, crashed_bot
from .recording import Recorder
from .takeback import BOT
from .writing import Player


class Automatic(Recorder):
    """A recorded game in which seats may be played by bots.

    Who holds a seat says which bot of the ruleset plays it. That a program plays it is never said by the game: the desk
    alone knows the programs of whoever sits here, so a log from elsewhere starts nothing.
    """

    @property
    def typed_chance(self) -> bool:
        """Whether people enter what dice and cards gave (`--chance table`) at the tip."""
        return self.chance_at_tip() == "table"

    def player(self, seat: str) -> Player | None:
        """Return the program from outside that sits at a seat here, if any."""
        return None if self.shelf.seats.get(seat, "").startswith(BOT) else self.desk.player(self.shelf.id, seat)

    def automatic(self, seat: str) -> bool:
        """Say whether nobody has to type for a seat: a bot holds it, or a program is there for it."""
        return self.shelf.seats.get(seat, "").startswith(BOT) or self.player(seat) is not None

    def play_bots(self, limit: int = 10_000) -> tuple[Event, ...]:
        """Let the seats that bots hold act until a person must decide or the game is over; returns the events.

        Where people enter what dice and cards gave, they act for these seats as well, and no bot does. Raises
        RulesetCrash when a bot fails, BotFailed when a program does: it has not acted then.
        """
        held = [self.automatic(seat) for seat in self.shelf.seats]
        return self.run({}, limit) if any(held) and not all(held) and not self.typed_chance else ()

    def _answers(self, bots: bool) -> tuple[Event, ...]:
        if not bots:
            return ()
        try:
            return self.play_bots()
        except RulesetCrash as error:
            failed = RulesetCrash(f"The action is recorded, but the answer to it failed. {error}")
            failed.report = error.report
            raise failed from error
        except BotFailed as error:
            raise BotFailed(f"The action is recorded, but there is no answer to it. {error}") from error

    def run(self, bots: Mapping[str, str], limit: int = 10_000, flush: int = 200) -> tuple[Event, ...]:
        """Let bots act, those that hold seats and those given by seat, until nobody of them must decide.

        Decisions are recorded in transactions of `flush` batches, and before a program is asked; returns all events. Raises
        RulesetCrash when a bot fails or does what the rules refuse: the decisions of the transaction at hand are not taken
        then; BotFailed when a program gives no answer; NotAllowed where people enter what dice and cards gave.
        """
        if self.typed_chance:
            raise NotAllowed("Here people enter what dice and cards gave, so no bot can play.")
        holders = {seat: held[len(BOT) :] for seat, held in self.shelf.seats.items() if held.startswith(BOT)}
        holders.update(bots)
        happened: tuple[Event, ...] = ()
        batches: list[list[Event]] = []
        referee = self.referee
        bot = ""
        try:
            for _ in range(limit):
                decision = referee.decision
                if decision is None:
                    break
                if decision.seat not in holders:
                    player = self.player(decision.seat)
                    if player is None:
                        break
                    happened += self._record(batches) if batches else ()
                    batches, bot = [], ""
                    happened += self._ask(player, decision.seat)
                    referee = self.referee
                    continue
                bot = holders[decision.seat]
                if not batches:
                    batches += self.going_on()
                action = choose(self.ruleset, referee.state, decision, bot, self.opening.commitment)
                batches.append(with_head(referee.take(decision.seat, action), person=BOT + bot))
                if len(batches) >= flush:
                    happened += self._record(batches)
                    batches = []
                    referee = self.referee
        except BaseException as error:
            crash = crashed_bot(self, error, batches, bot) if bot else None
            self._forget()
            if crash is None:
                raise
            raise crash from error
        happened += self._record(batches) if batches else ()
        if self.referee.decision is None:
            for player in filter(None, map(self.player, self.shelf.seats)):
                player.over(self)
        return happened

    def _ask(self, player: Player, seat: str) -> tuple[Event, ...]:
        """Record what a program decides, and return the events."""
        action = player.choose(self)
        batches = self.going_on()
        try:
            batches.append(with_head(self.referee.take(seat, action), person=player.holder))
        except BaseException as error:
            crash = crashed(self, error, batches, seat, action, ())
            if crash is None:
                raise
            raise crash from error
        return self._record(batches)
