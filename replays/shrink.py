"""Makes a bug report smaller: decisions are left out while the failure stays, and nothing is dealt again.

Delta debugging over the decisions of the line. Each keeps the outcomes that it drew, by stream, deck and bag; what it
now asks for beyond them comes from those of decisions that were left out. A decision that is no longer legal, or that
asks for chance that nobody recorded, is left out as well.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

from .. import __version__
from ..domain.chance import Salt
from ..domain.errors import ImpossibleOutcome, NotAllowed, RulesetCrash
from ..domain.events import Event, GameOpened, fold
from ..domain.referee import Referee
from .codec import Codec, batch_digest, with_head
from .failing import Draw, Tried, digest, make, plain, position, same
from .game import Game
from .kept import Joined, Kept
from .library import HUMAN, Library
from .logfile import LogFile, write_log
from .report import ENDING, check_place, read_report, where
from .reported import Attempt, BugReport, Failure
from .retake import batches, short
from .shelf import Row
from .upcasting import FORMAT

Predicate = Callable[[Path], bool]
Progress = Callable[[int, int], None]


class Shrunk(msgspec.Struct, frozen=True):
    """What shrinking came to: the file, the decisions `before` and `after`, and how many shorter games were tried.

    `stopped` says that its time was over before all had been tried.
    """

    path: Path
    before: int
    after: int
    tries: int
    stopped: bool = False

    def __str__(self) -> str:
        more = " Its time was over: with more it may become smaller." if self.stopped else ""
        return f"From {self.before} to {self.after} decisions, after {self.tries} shorter games were tried.{more}"


class Move(msgspec.Struct, frozen=True):
    """A decision to take again: what was tried, the events that hold the chance it drew, and the action of the log."""

    attempt: Attempt
    chance: tuple[Event, ...]
    action: Any = None


class Candidate(msgspec.Struct):
    """A shorter game: the moves that were taken, the batches they gave, and what the last of all came to."""

    moves: list[Move]
    events: list[list[Event]]
    last: Tried | None = None
    """The attempt after the log, or else the last decision of the log."""
    failure: Failure | None = None
    place: int = -1
    """The position of the event that the failure is about; -1 for the last."""


def shrink(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    predicate: Predicate | None = None,
    draw: Draw | None = None,
    progress: Progress = lambda left, tries: None,
    seconds: float = math.inf,
) -> Shrunk:
    """Write a report with fewer decisions that fails in the same way, and return what it came to.

    The same way is the same failure (an event or a position that was reported comes again); or what `predicate` says
    of the file of a candidate, a report of its own. `progress` hears how many decisions are left and how many games
    were tried. After `seconds`, and on Ctrl-C, what was reached is kept. Raises BadLog, UnknownRuleset, and NotAllowed
    for a report that does not fail today or holds what one seat knew of a game with secrets.
    """
    report = read_report(path)
    with Library[Game](":memory:") as library:
        game = library.load(path)
        check_place(report, game.length)
        if game.seen_as is not None and game.ruleset.secretive:
            raise NotAllowed(
                f"This report holds what {game.seen_as} knew, so its decisions cannot be taken again: shrink a report "
                "of the whole log."
            )
        if game.whole_from:
            raise NotAllowed(
                "This report is of a fork as of one seat, so the decisions before the fork cannot be taken again: it cannot "
                "be made smaller."
            )
        if report.failure.kind == "crash" and not report.attempts:
            raise NotAllowed(
                "This report is about a position that the rules fail on: there is no decision to leave out."
            )
        with tempfile.TemporaryDirectory() as folder:
            work = _Shrinking(game, report, LogFile(path), predicate, draw, progress, Path(folder))
            work.until = monotonic() + seconds
            best = work.run()
            target = work.write(best, output)
    return Shrunk(target, work.before, len(best.moves), work.tries, work.stopped)


class _Shrinking:
    def __init__(
        self,
        game: Game,
        report: BugReport,
        log: LogFile,
        predicate: Predicate | None,
        draw: Draw | None,
        progress: Progress,
        folder: Path,
    ) -> None:
        self.game, self.rules, self.report, self.log = game, game.ruleset, report, log
        self.predicate, self.draw, self.progress, self.folder = predicate, draw, progress, folder
        self.tries = 0
        self.until = math.inf
        self.stopped = False
        self.best = Candidate([], [])
        heads = game.on_line({"GameOpened", "ActionTaken"})
        upto = max(head for head in heads if head <= game.tree.resolve(report.position))
        line = [batch for batch in batches(game, game.tip) if batch.acts and batch.first <= upto]
        opening: Any = line[0].events[0]
        self.opening: GameOpened[Any] = msgspec.structs.replace(
            opening,
            format=FORMAT,
            version=self.rules.version,
            seats=dict.fromkeys(opening.seats, HUMAN),
            chance="table",
            software=f"warptape {__version__}",
        )
        self.dealt = line[0].events
        self.moves = []
        for batch in line[1:]:
            head: Any = batch.events[0]
            tried = Attempt(seat=head.seat, action=plain(head.action))
            self.moves.append(Move(tried, tuple(batch.events), head.action))
        self.moves += [Move(attempt, attempt.outcomes) for attempt in report.attempts]
        self.before = len(self.moves)
        self.whole_batch = report.position >= line[-1].first + len(line[-1].events) - 1

    # Delta debugging

    def run(self) -> Candidate:
        """Leave out decisions until none can be left out any more, and return what is left."""
        best = self.test(self.moves)
        if best is None:
            raise NotAllowed(
                "This report does not fail here, so there is nothing to shrink: `warptape reproduce` says what came of it."
                if self.predicate is None
                else "The predicate says that the whole report does not fail: it must exit with 0 while the failure lives."
            )
        self.best, self.tries = best, 0
        try:
            size = max(1, len(best.moves) // 2)
            while (self._pass(size) or size > 1) and not self.stopped:
                size = max(1, size // 2)
        except KeyboardInterrupt:
            pass
        return self.best

    def _pass(self, size: int) -> bool:
        """Try once, from the front, to leave out each part of some size; returns whether any could be."""
        fewer, start = False, 0
        last = 0 if self.report.failure.kind == "position" else 1  # the decision that fails stays
        while start < len(self.best.moves) - last:
            if monotonic() > self.until:
                self.stopped = True
                break
            moves = self.best.moves
            stop = min(start + size, len(moves) - last)
            found = self.test([*moves[:start], *moves[stop:]])
            self.tries += 1
            if found is not None and len(found.moves) < len(moves):
                self.best, fewer = found, True
            else:
                start = stop
            self.progress(len(self.best.moves), self.tries)
        return fewer

    def test(self, moves: Sequence[Move]) -> Candidate | None:
        """Play a candidate; returns it, without what was not taken, when it fails in the same way."""
        candidate = self.play(moves)
        if candidate is None:
            return None
        if self.predicate is not None:
            file = self.folder / f"candidate{ENDING}"
            self.write(candidate, file)
            return candidate if self.predicate(file) else None
        return candidate if self._fails(candidate) else None

    def _fails(self, candidate: Candidate) -> bool:
        wanted, last = self.report.failure, candidate.last
        if wanted.kind in ("crash", "refused", "accepted"):
            return last is not None and same(wanted, last.failure, exactly=False)
        if wanted.kind == "event":
            return candidate.place >= 0
        return candidate.failure is not None and candidate.failure.digest == wanted.digest

    # Playing

    def play(self, moves: Sequence[Move]) -> Candidate | None:
        """Take decisions from the opening on; None where the rules fail before the end in another way than reported."""
        played: list[list[Event]] = []
        chosen = {id(move) for move in moves}
        spare = Kept(event for move in self.moves if id(move) not in chosen for event in move.chance)

        def again() -> Any:
            return fold((event for batch in played for event in batch), self.rules.state())

        referee = Referee(self.rules, self.rules.state(), Joined(Kept(self.dealt), spare), again)
        try:
            played.append(referee.open(self.opening))
        except (RulesetCrash, ImpossibleOutcome):
            return None
        taken: list[Move] = []
        tried: Tried | None = None
        for number, move in enumerate(moves, 1):
            source = Joined(Kept(move.chance), spare)
            try:
                last = number == len(moves)
                one = make(referee, move.attempt, source, self.opening.commitment, action=move.action, told=last)
            except ImpossibleOutcome:
                continue
            failing = one.failure.kind == "crash" or (number == len(moves) and bool(self.report.attempts))
            if failing:
                if one.failure.kind == "crash" and self.report.failure.kind != "crash" and self.predicate is None:
                    return None
                tried = one
                taken.append(move)
                break
            if one.events:
                played.append(list(one.events))
                taken.append(move)
        candidate = Candidate(taken, played, tried)
        self._judge(candidate)
        return candidate

    def _judge(self, candidate: Candidate) -> None:
        """Find the event or the position that the report is about in the last batch of a candidate."""
        wanted, last = self.report.failure, candidate.last
        if last is not None:
            candidate.failure = last.failure
            return
        start = sum(map(len, candidate.events[:-1]))
        batch = candidate.events[-1]
        if wanted.kind == "event":
            for number, event in enumerate(batch):
                if number and plain(event) == wanted.events[0]:
                    candidate.failure = Failure(kind="event", message=short(event), events=(plain(event),))
                    candidate.place = start + number
            return
        state = fold((event for one in candidate.events[:-1] for event in one), self.rules.state())
        for number, event in enumerate(batch):
            event.apply(state)
            final = number == len(batch) - 1
            if final or (not self.whole_batch and digest(state) == wanted.digest):
                candidate.failure = position(self.rules, state, None, None)
                candidate.place = start + number
                if candidate.failure.digest == wanted.digest:
                    return

    # Writing

    def write(self, candidate: Candidate, path: str | os.PathLike[str]) -> Path:
        """Write a candidate as a report of its own; returns the path."""
        key = Salt(nonce=self.opening.commitment).key
        codec = Codec(self.rules)
        rows: list[Row] = []
        prev = ""
        for batch in candidate.events:
            first = len(rows)
            for event in with_head(batch, prev=prev):
                rows.append(Row(len(rows), type(event).__name__, codec.encode(event, len(rows), key)))
            prev = batch_digest(row.data for row in rows[first:])
        attempts = () if candidate.last is None else (candidate.last.attempt,)
        failure = candidate.failure or Failure(kind="position")
        at = candidate.place if candidate.place >= 0 else len(rows) - 1
        if failure.kind == "position" and self.draw is not None:
            flat = [event for batch in candidate.events for event in batch]
            failure = position(self.rules, fold(flat[: at + 1], self.rules.state()), None, self.draw)
        made = msgspec.structs.replace(
            self.report,
            position=at,
            decisions=len(candidate.events) - 1,
            attempts=attempts,
            failure=failure,
            shrunk_from=self.report.shrunk_from or self.before,
            **where(self.rules),
        )
        header = msgspec.structs.replace(
            self.log.header,
            sum="",
            format=FORMAT,
            version=self.rules.version,
            software=f"warptape {__version__}",
            seats=self.opening.seats,
            lineage=[],
            secrets={},
            report=made,
        )
        return write_log(path, header, self.log.content, rows)
