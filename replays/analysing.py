"""Looks for luck and skill in a game: the curve first, then the decisions where it moves most, each split in its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ..domain.errors import BadAddress, NotAllowed, OptionError
from .allotting import CLOSELY, CLOSER, FEW, Allotment
from .curve import Curve, batches
from .luck import CLOSE, PLAYOUTS, POINTS, TRIED, Analysis, Point
from .steps import scan
from .swings import Swings
from .tape import Tape
from .valuing import Answers, Asker, panel_of, user_cache


class Analyst:
    """Works an analysis out: `run` does the work, and `result` says what is known so far, also when `run` was interrupted.

    `tip` and `since` bound the line: up to the end of the batch at that position, from that decision on. `points` and `close`
    say how many positions and decisions are looked at, at most (None: all), `playouts` how often each is played out by
    `bots` (default: sensible ones); None shares out what takes some minutes (`allotting`): few playouts everywhere, more
    where they tell most. `expect` and `done` hear of playouts to come and done, `enough` is asked whether to stop.
    The figures depend on these alone: not on `jobs`, nor on what `answers` had kept.

    Raises NotAllowed where not all of the game is here, or no bot can play it; OptionError for a bot that is not.
    """

    def __init__(
        self,
        tape: Tape,
        *,
        tip: int | None = None,
        since: int = 1,
        playouts: int | None = None,
        points: int | None = POINTS,
        close: int | None = CLOSE,
        tried: int = TRIED,
        bots: Mapping[str, str] | None = None,
        seed: str = "playout",
        answers: Answers,
        jobs: int = 1,
        expect: Callable[[int], None] = lambda playouts: None,
        done: Callable[[int], None] = lambda playouts: None,
        enough: Callable[[], bool] = lambda: False,
    ) -> None:
        rules = tape.ruleset
        if tape.seen_as is not None:
            raise NotAllowed("This log holds what one seat knew: only a whole game can be played out.")
        self.names = {seat.id: seat.name for seat in rules.seats(tape.options)}
        self.panel = panel_of(rules, bots_of(tape, bots or {}), seed)
        self.asker = Asker(rules, self.panel, tuple(self.names), answers, jobs, done, enough)
        line = tape.tree.resolve(tape.tip if tip is None else tape.batch_end(tip))
        steps = list(scan(tape, line))
        if since > max(1, len(steps)):
            raise BadAddress(f"There is no decision {since}: {len(steps)} were taken on this line of the game.")
        self.steps = [step for step in steps[max(0, since - 1) :] if step.head > tape.whole_from]
        if not self.steps and line < tape.whole_from:
            raise NotAllowed("Of this part of the game only what one seat knew is here, and it cannot be played out.")
        shared = playouts is None and points is not None
        usual = playouts or PLAYOUTS
        few, self.closely = (FEW, CLOSELY) if shared else (usual, usual)
        self.curve = Curve(
            tape, line, self.steps, self.asker, points=points, few=few, playouts=usual, shared=shared, expect=expect
        )
        self.swings = Swings(self.curve, self.closely, tried)
        self.allotment = self.curve.allotment
        self.close = close
        self.whole = False

    def run(self) -> None:
        """Do the work; KeyboardInterrupt, or `enough`, ends it early, and what was found until then stays."""
        self.whole = self.curve.run() and self._closely()

    def result(self) -> Analysis:
        """Return what is known so far."""
        points = [
            Point(number + self.curve.before, self.curve.place(number), value)
            for number in range(len(self.steps) + 1)
            if (value := self.asker.found.get(("point", number))) is not None
        ]
        return Analysis(
            self.names,
            self.panel.bots,
            self.curve.playouts,
            self.curve.before + len(self.steps),
            tuple(points),
            self.swings.found(),
            self.whole,
            dict(sorted(self.swings.skipped.items())),
            self.curve.few,
        )

    def _closely(self) -> bool:
        found = self.asker.found
        if self.allotment is not None and not self._pursue(self.allotment):
            return False
        known = [n for n in range(1, len(self.steps) + 1) if ("point", n) in found and ("point", n - 1) in found]
        known.sort(key=lambda number: (-self.curve.change(number - 1, number), number))
        if self.allotment is not None:
            known = self._affordable(known, self.allotment)
        chosen = sorted(known if self.close is None else known[: self.close])
        ends = sorted({end for number in chosen for end in (number - 1, number)})
        short = [end for end in ends if not found["point", end].exact and found["point", end].playouts < self.closely]
        if short and not self.curve.value(short, self.closely, spend=False):
            return False
        return all(self.swings.look([self.steps[number - 1] for number in some]) for some in batches(chosen))

    def _pursue(self, allotment: Allotment) -> bool:
        """Follow the largest changes down to single decisions, as long as half of the work and points are left."""
        allotment.closer()
        close = len(self.steps) if self.close is None else self.close
        while allotment.left > CLOSER / 2:
            known = [number for number in range(len(self.steps) + 1) if ("point", number) in self.asker.found]
            wide = [(low, high) for low, high in pairwise(known) if high - low > 1]
            if not wide or len(known) - 1 - len(wide) >= close or len(known) >= (self.curve.points or len(known) + 1):
                break
            low, high = max(wide, key=lambda ends: (self.curve.change(*ends), ends[0] - ends[1], ends))
            while high - low > 1:
                middle = (low + high) // 2
                if not self.curve.value([middle], self.curve.few):
                    return False
                earlier = self.curve.change(low, middle) > self.curve.change(middle, high)
                low, high = (low, middle) if earlier else (middle, high)
        return True

    def _affordable(self, numbers: Sequence[int], allotment: Allotment) -> list[int]:
        """Return those decisions, of which the first matter most, that there is work for."""
        most = len(numbers) if self.close is None else self.close
        chosen: list[int] = []
        for number in numbers:
            if len(chosen) < most and allotment.affords(allotment.cost(number - 1, self.swings.work(number))):
                chosen.append(number)
        return chosen


def analyse(
    tape: Tape,
    *,
    at: Any = None,
    since: int = 1,
    playouts: int | None = None,
    points: int | None = POINTS,
    close: int | None = CLOSE,
    tried: int = TRIED,
    bots: Mapping[str, str] | None = None,
    jobs: int = 1,
    answers: Answers | None = None,
) -> Analysis:
    """Return the analysis of the line that ends at a position or address (default: now): see `Analyst`.

    What was played out before is found in the user's cache (see `user_cache`), or in `answers`.
    Raises BadAddress, NotAllowed, OptionError, StoreError.
    """
    kept = Answers(user_cache()) if answers is None else answers
    try:
        analyst = Analyst(
            tape, tip=None if at is None else tape.locate(at), since=since, playouts=playouts, points=points, close=close,
            tried=tried, bots=bots, jobs=jobs, answers=kept,
        )  # fmt: skip
        analyst.run()
        return analyst.result()
    finally:
        if answers is None:
            kept.connection.close()


def bots_of(tape: Tape, bots: Mapping[str, str]) -> dict[str, str]:
    """Return the bot that plays each seat out: as named, else `sensible`, or the first there is.

    Raises NotAllowed where there is no bot, OptionError for a seat or a bot that is not.
    """
    rules = tape.ruleset
    if not rules.bots:
        raise NotAllowed(f"{rules.id} has no bots, so nobody can play it out.")
    usual = "sensible" if "sensible" in rules.bots else next(iter(rules.bots))
    held = {seat.id: usual for seat in rules.seats(tape.options)}
    for seat, bot in bots.items():
        wanted = bot.removeprefix("bot:")
        if seat not in held:
            raise OptionError(f"{rules.id} has no seat '{seat}'. Its seats: {', '.join(held)}.")
        if wanted not in rules.bots:
            raise OptionError(f"{rules.id} has no bot '{wanted}'. Its bots: {', '.join(rules.bots)}.")
        held[seat] = wanted
    return held
