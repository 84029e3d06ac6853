"""Runs a bug report: does today's engine still do what was reported, at the same decision?"""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import islice
from typing import Any, Literal

import msgspec

from ..domain.chance import Luck
from ..domain.events import Event
from ..domain.referee import Referee
from .diff import compare
from .failing import Draw, Tried, digest, make, plain, position, same
from .game import Game
from .kept import Kept
from .library import Library
from .report import check_place, read_report, where
from .reported import BugReport
from .retake import SPARE, Batch, Parting, Retake, batches, short
from .told import sentence

Verdict = Literal["reproduced", "gone", "differs"]

TOLD = 12
"""The events that a verdict tells, and the values that it lists."""


class Reproduction(msgspec.Struct, frozen=True):
    """What came of running a report.

    `reproduced`: the same failure at the same decision. `gone`: it works now. `differs`: something else goes wrong, or
    today's rules part from the log before the failure. `position` is the event of the log that the verdict is about,
    `text` says it in a sentence, `details` what today's engine gives, and `remarks` what is installed otherwise here
    than where the report was made.
    """

    verdict: Verdict
    text: str
    position: int
    decision: int
    details: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def gone(self) -> bool:
        """Whether the failure is gone."""
        return self.verdict == "gone"

    def __str__(self) -> str:
        return "\n".join([self.text, *(f"  {line}" for line in (*self.details, *self.remarks))])


def reproduce(path: str | os.PathLike[str], draw: Draw | None = None) -> Reproduction:
    """Run the report in a file with the installed ruleset, on the content of the log, and return the verdict.

    The decisions of the line are taken again with the recorded chance, and then what failed. `draw` draws a state as
    text. Raises BadLog for a damaged file and for a log that is no report, UnknownRuleset, StoreError.
    """
    report = read_report(path)
    with Library[Game](":memory:") as library:
        game = library.load(path)
        check_place(report, game.length)
        return _Run(game, report, draw).verdict()


class _Run:
    """One run of a report, over its log as a game of its own."""

    def __init__(self, game: Game, report: BugReport, draw: Draw | None) -> None:
        self.game = game
        self.rules = game.ruleset
        self.report = report
        self.draw = draw
        self.decision = report.decisions + (1 if report.attempts else 0)

    def verdict(self) -> Reproduction:
        """Return what came of it."""
        report, game = self.report, self.game
        if game.seen_as is not None and self.rules.secretive:
            referee = _seated(game)
            if not report.attempts:
                return self._position(game.state_at(report.position), None)
            return self._attempts(referee)
        last = self._last_acting()
        retake = Retake(self.rules, lambda: game.state_at(before), game.whole_from)
        before = 0
        about_log = not report.attempts
        for batch in batches(game, game.tip):
            parting = retake.follow(batch)
            if batch.first == last and about_log:
                return self._about(batch, before, parting)
            if parting is not None:
                return self._parted(batch, parting)
            before = batch.first + len(batch.events) - 1
        return self._attempts(retake.referee)

    def _last_acting(self) -> int:
        """The head of the batch of the line that a report on an event or a position is about."""
        heads = self.game.on_line({"GameOpened", "ActionTaken"})
        return max(head for head in heads if head <= self.game.tree.resolve(self.report.position))

    def _say(self, verdict: Verdict, text: str, at: int, details: Iterable[str] = ()) -> Reproduction:
        report = self.report
        here = where(self.rules)
        remarks = [
            f"The report was made with {name} {getattr(report, field)}; here it is {here[field]}."
            for name, field in (
                (f"version {self.rules.id} of", "rules"),
                ("warptape", "warptape"),
                ("Python", "python"),
                ("the platform", "platform"),
            )
            if getattr(report, field) != here[field]
        ]
        if self.rules.packaged().digest != self.rules.content.digest:
            remarks.append("The content of the report is not the one installed here; it ran with its own.")
        if self.game.seen_as is not None and self.rules.secretive:
            remarks.append(f"The log holds what {self.game.seen_as} knew, so earlier decisions were not run again.")
        return Reproduction(verdict, text, at, self.decision, tuple(islice(details, TOLD)), tuple(remarks))

    # What stands in the log

    def _parted(self, batch: Batch, parting: Parting) -> Reproduction:
        at = batch.first + parting.place
        if parting.failure is not None:
            if same(self.report.failure, parting.failure):
                text = f"Differs: the same failure comes earlier, at the action of @{at}: {parting.found}."
                return self._say("differs", text, at, parting.failure.traceback)
            found = f"today {parting.found}"
            return self._say(
                "differs", f"Differs before the failure: at the action of @{at} {found}.", at, parting.failure.traceback
            )
        text = f"Differs before the failure: the rules of today part from the log at @{at}."
        return self._say("differs", text, at, [f"the log: {parting.recorded}", f"today:   {parting.found}"])

    def _about(self, batch: Batch, before: int, parting: Parting | None) -> Reproduction:
        """Judge a report on an event, a position or a question, at the batch that it is about."""
        report, wanted = self.report, self.report.failure
        if parting is not None and parting.failure is not None:
            if same(wanted, parting.failure):
                return self._still(report.position, parting.failure.traceback)
            if parting.failure.kind == "refused":
                return self._say(
                    "gone", f"Gone: the action of @{batch.first} is refused now: {parting.found}.", batch.first
                )
            return self._parted(batch, parting)
        due = list(parting.due) if parting is not None else batch.events
        index = min(report.position - batch.first, len(batch.events) - 1)
        if wanted.kind == "crash":
            if parting is not None:
                return self._parted(batch, parting)
            return self._say("gone", "Gone: the rules go on from the position of the log.", report.position)
        if wanted.kind == "event":
            if parting is None or parting.place > index:
                return self._still(report.position)
            text = f"Gone: today's rules give something else than the log at @{batch.first + parting.place}."
            return self._say(
                "gone",
                text,
                batch.first + parting.place,
                [f"the log: {parting.recorded}", f"today:   {parting.found}"],
            )
        state = self.rules.state() if batch.first == 0 else self.game.state_at(before)
        for event in due[: index + 1] if index + 1 < len(batch.events) else due:
            event.apply(state)
        return self._position(state, parting, batch.first)

    def _position(self, state: Any, parting: Parting | None, first: int = 0) -> Reproduction:
        """Judge a report on a position by the one that today's engine gives."""
        report, wanted = self.report, self.report.failure
        if wanted.kind == "event":
            kept = self.game.event(report.position, self.game.seen_as)
            if plain(kept) == wanted.events[0]:
                return self._still(report.position)
            return self._say("differs", f"Differs: the log has {short(kept)}.", report.position)
        found = position(self.rules, state, self.game.seen_as, self.draw)
        if not wanted.board or self.draw is None:
            wanted = msgspec.structs.replace(wanted, board="")
            found = msgspec.structs.replace(found, board="")
        if same(wanted, found):
            return self._still(report.position)
        details = [] if parting is None else [f"the log: {parting.recorded}", f"today:   {parting.found}"]
        recorded = self.game.state_at(report.position)
        details += [str(change) for change in compare(recorded, state)]
        if wanted.board != found.board:
            old, new = wanted.board.splitlines(), found.board.splitlines()
            gone = [line for line in old if line not in new]
            come = [line for line in new if line not in old]
            details += [f"- {line}" for line in gone[: TOLD // 2]] + [f"+ {line}" for line in come[: TOLD // 2]]
        elif parting is None and wanted.board:
            return self._say(
                "differs",
                "Differs: the same events and the same board, but what the position holds beside is kept otherwise now.",
                report.position,
                [f"digest: {wanted.digest[:16]} -> {digest(state)[:16]}"],
            )
        at = report.position if parting is None else first + parting.place
        return self._say("gone", f"Gone: @{report.position} is another position now.", at, details)

    def _still(self, at: int, details: Iterable[str] = ()) -> Reproduction:
        report = self.report
        place = f"at decision {self.decision} (@{at})"
        return self._say("reproduced", f"Reproduced {place}: {report.failure.text()}.", at, details)

    # What was tried after it

    def _attempts(self, referee: Referee) -> Reproduction:
        game, report = self.game, self.report
        *earlier, last = report.attempts
        for number, attempt in enumerate(earlier, 1):
            tried = self._make(referee, attempt)
            if tried.failure.kind != "accepted":
                text = f"Differs before the failure: '{attempt.text}', which came before it, is not taken now: "
                return self._say("differs", text + f"{tried.failure.text()}.", game.tip, tried.failure.traceback)
            self.decision = report.decisions + number + 1
        base = referee.state.copy()
        tried = self._make(referee, last)
        wanted, found = report.failure, tried.failure
        what = f"'{tried.attempt.text}'" if tried.attempt.text else f"the bot '{last.bot}'"
        if same(wanted, found):
            return self._still(game.tip, found.traceback)
        if found.kind == "crash":
            text = f"Differs: {what} at decision {self.decision} fails otherwise than it was reported; {found.text()}."
            return self._say("differs", text, game.tip, found.traceback)
        if found.kind == "refused":
            verdict: Verdict = "differs" if wanted.kind == "refused" else "gone"
            text = f"{verdict.capitalize()}: {what} at decision {self.decision} is refused: {found.text()}."
            return self._say(verdict, text, game.tip, [f"reported: {wanted.text()}"])
        text = f"Gone: {what} at decision {self.decision} works now."
        if wanted.kind == "accepted":
            text = f"Gone: {what} at decision {self.decision} gives something else now."
        return self._say("gone", text, game.tip, self._told(base, tried.events))

    def _make(self, referee: Referee, attempt: Any) -> Tried:
        chance = Kept(attempt.outcomes, Luck(SPARE, f"@{self.game.tip}"))
        return make(referee, attempt, chance, self.game.opening.commitment)

    def _told(self, state: Any, events: Iterable[Event]) -> Iterable[str]:
        for event in events:
            text = sentence(self.game, state, event)
            event.apply(state)
            if text:
                yield text


def _seated(game: Game) -> Referee:
    return Referee(game.ruleset, game.state_at(game.tip), Kept(), lambda: game.state_at(game.tip))
