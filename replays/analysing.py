"""Looks for luck and skill in a game: the curve first, then the decisions where it moves most, each split in its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from ..domain.chance import Luck
from ..domain.errors import BadAddress, NotAllowed, OptionError, WarptapeError
from ..domain.referee import Referee, choose
from .allotting import CLOSELY, CLOSER, FEW, Allotment, wideness
from .luck import CLOSE, PLAYOUTS, POINTS, TRIED, Analysis, Drawn, Point, Swing, Tried
from .playouts import Imagined, Outcomes, Value, length, position, possible
from .steps import Step, notation, scan
from .tape import Tape
from .valuing import Answers, Asker, Question, panel_of, user_cache

SPLIT = 6
"""Parts into which the rolls and draws of one decision are split: more are put together, those next to each other."""

AGAIN = 1_000_000
"""The first playout of those that compare an action with the best other one once more: no playout chose that."""

AT_ONCE = 50
"""Positions that are held in memory at once."""


class _Closer(msgspec.Struct):
    """A decision that is looked at: what was tried besides, and into which parts its draws are split."""

    step: Step
    others: tuple[tuple[str, Question], ...] = ()
    chosen: Question | None = None
    cuts: tuple[int, ...] = ()
    best: int | None = None


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
        names = {seat.id: seat.name for seat in rules.seats(tape.options)}
        self.tape, self.rules, self.names = tape, rules, names
        self.panel = panel_of(rules, bots_of(tape, bots or {}), seed)
        shared = playouts is None and points is not None
        usual = playouts or PLAYOUTS
        self.few, self.closely, self.playouts = (FEW, CLOSELY, usual) if shared else (usual, usual, usual)
        self.points, self.close, self.tried = points, close, tried
        self.expect = expect
        self.asker = Asker(rules, self.panel, tuple(names), answers, jobs, done, enough)
        self.line = tape.tree.resolve(tape.tip if tip is None else tape.batch_end(tip))
        steps = list(scan(tape, self.line))
        if since > max(1, len(steps)):
            raise BadAddress(f"There is no decision {since}: {len(steps)} were taken on this line of the game.")
        self.steps = [step for step in steps[max(0, since - 1) :] if step.head > tape.whole_from]
        if not self.steps and self.line < tape.whole_from:
            raise NotAllowed("Of this part of the game only what one seat knew is here, and it cannot be played out.")
        self.closer: list[_Closer] = []
        self.skipped: dict[int, str] = {}
        self.whole = False
        self.allotment = Allotment(len(self.steps), self._after_all()) if shared else None

    def _after_all(self) -> int:
        """Return how many decisions bots take from the end of the line on, by one playout."""
        state = self.tape.state_at(self._place(len(self.steps)))
        try:
            return length(self.rules, state, self.panel.bots, self.panel.seed) if state.pending else 0
        except Exception:  # what is wrong there, the playouts say
            return 0

    def run(self) -> None:
        """Do the work; KeyboardInterrupt, or `enough`, ends it early, and what was found until then stays."""
        self.whole = self._curve() and self._closely()

    def result(self) -> Analysis:
        """Return what is known so far."""
        points = [
            Point(number + self._before, self._place(number), value)
            for number in range(len(self.steps) + 1)
            if (value := self.asker.found.get(("point", number))) is not None
        ]
        swings = [swing for swing in map(self._swing, self.closer) if swing is not None]
        skipped = dict(sorted(self.skipped.items()))
        decisions = self._before + len(self.steps)
        return Analysis(
            self.names,
            self.panel.bots,
            self.playouts,
            decisions,
            tuple(points),
            tuple(swings),
            self.whole,
            skipped,
            self.few,
        )

    # The curve. Its points are numbered from the one before the first decision.

    @property
    def _before(self) -> int:
        """The decisions before the first that is looked at."""
        return self.steps[0].number - 1 if self.steps else 0

    def _place(self, point: int) -> int:
        """Return the position of a point of the curve."""
        if point:
            return self.steps[point - 1].end
        return self.tape.tree.before(self.steps[0].head, self.line) if self.steps else self.line

    def _curve(self) -> bool:
        last, allotment = len(self.steps), self.allotment
        most = min(last + 1, last + 1 if self.points is None else max(2, self.points))
        rough = most if most == last + 1 else max(2, most // 2)
        if allotment is not None:
            rough = min(rough, max(2, allotment.rough(most)))
        first = [number * last // max(1, rough - 1) for number in range(rough)]
        if not self._value(_halving(last, first), self.few):
            return False
        left, together = most - rough, max(1, most // 8)
        if allotment is not None:  # few at once: where there is less of it, work has to follow the change closely
            together = min(together, 2 + rough // 8)
        while left > 0 and (allotment is None or allotment.follows):
            found = self._halves(min(left, together))
            if not found:
                break
            left -= len(found)
            if not self._value(found, self.few):
                return False
        return allotment is None or self._surer(allotment)

    def _surer(self, allotment: Allotment) -> bool:
        """Play the start and those points more often of which least is known for what it takes, as long as work is left."""
        found, more = self.asker.found, self.playouts - self.few
        known = [number for number in range(len(self.steps) + 1) if ("point", number) in found]
        values = {number: found["point", number] for number in known}
        known = [number for number in known if not values[number].exact]
        known.sort(key=lambda number: (number != 0, -(wideness(values[number]) ** 2) / allotment.cost(number), number))
        return self._value([n for n in known if allotment.affords(allotment.cost(n, more))], self.playouts, spend=False)

    def _halves(self, most: int) -> list[int]:
        """Return the middles of those parts of the curve over which it changes most."""
        known = [number for number in range(len(self.steps) + 1) if ("point", number) in self.asker.found]
        wide = [(low, high) for low, high in pairwise(known) if high - low > 1]
        wide.sort(key=lambda ends: (-self._change(*ends), ends[0] - ends[1], ends))
        return [(low + high) // 2 for low, high in wide[:most]]

    def _change(self, low: int, high: int) -> float:
        """Return how much two points of the curve differ for the seat for which they differ most."""
        before, after = self.asker.found["point", low], self.asker.found["point", high]
        return max(abs(after.share(seat) - before.share(seat)) for seat in self.names)

    def _value(self, numbers: Iterable[int], playouts: int, *, spend: bool = True) -> bool:
        wanted = list(numbers)
        self.expect(len(wanted) * playouts)
        if self.allotment is not None and spend:
            self.allotment.spend(sum(self.allotment.cost(number, playouts) for number in wanted))
        return all(
            self.asker.ask(((("point", number), self._point(number)) for number in some), playouts)
            for some in _some(wanted)
        )

    def _point(self, number: int) -> Question:
        state = self.tape.state_at(self._place(number))
        return Question(position(state), over=not state.pending)

    # The decisions

    def _closely(self) -> bool:
        found = self.asker.found
        if self.allotment is not None and not self._pursue(self.allotment):
            return False
        known = [n for n in range(1, len(self.steps) + 1) if ("point", n) in found and ("point", n - 1) in found]
        known.sort(key=lambda number: (-self._change(number - 1, number), number))
        if self.allotment is not None:
            known = self._affordable(known, self.allotment)
        chosen = sorted(known if self.close is None else known[: self.close])
        ends = sorted({end for number in chosen for end in (number - 1, number)})
        short = [end for end in ends if not found["point", end].exact and found["point", end].playouts < self.closely]
        if short and not self._value(short, self.closely, spend=False):
            return False
        return all(self._look([self.steps[number - 1] for number in some]) for some in _some(chosen))

    def _pursue(self, allotment: Allotment) -> bool:
        """Follow the largest changes down to single decisions, as long as half of the work and points are left."""
        allotment.closer()
        close = len(self.steps) if self.close is None else self.close
        while allotment.left > CLOSER / 2:
            known = [number for number in range(len(self.steps) + 1) if ("point", number) in self.asker.found]
            wide = [(low, high) for low, high in pairwise(known) if high - low > 1]
            if not wide or len(known) - 1 - len(wide) >= close or len(known) >= (self.points or len(known) + 1):
                break
            low, high = max(wide, key=lambda ends: (self._change(*ends), ends[0] - ends[1], ends))
            while high - low > 1:
                middle = (low + high) // 2
                if not self._value([middle], self.few):
                    return False
                low, high = (low, middle) if self._change(low, middle) > self._change(middle, high) else (middle, high)
        return True

    def _affordable(self, numbers: Sequence[int], allotment: Allotment) -> list[int]:
        """Return those decisions, of which the first matter most, that there is work for."""
        most = len(numbers) if self.close is None else self.close
        chosen: list[int] = []
        for number in numbers:
            # Both ends once more at most, the draws, what is tried, and two of these again, twice as often.
            parts = 2 + min(SPLIT, len(self.steps[number - 1].drawn)) + self.tried + 2
            if len(chosen) < most and allotment.affords(allotment.cost(number - 1, self.closely * parts)):
                chosen.append(number)
        return chosen

    def _look(self, steps: Sequence[Step]) -> bool:
        """Ask what has to be known of some decisions."""
        asked: list[tuple[Any, Question]] = []
        looked: list[_Closer] = []
        for step in steps:
            try:
                closer, questions = self._questions(step)
            except Exception as error:  # a log from elsewhere, or of other rules: what is wrong with it, an audit says
                self.skipped[step.number] = f"today's rules do not take '{step.notation}' there ({error})"
                continue
            looked.append(closer)
            asked += questions
        self.closer += looked
        if not self._ask(asked, 0, self.closely):
            return False
        again: list[tuple[Any, Question]] = []
        for closer in looked:
            number, found = closer.step.number, self.asker.found
            chosen = found.get(self._label(closer))
            values = {i: found[number, "tried", i] for i in range(len(closer.others)) if (number, "tried", i) in found}
            if chosen is None or not values or closer.chosen is None:
                continue
            best = max(values, key=lambda i: (values[i].share(closer.step.seat), -i))
            if values[best].share(closer.step.seat) > chosen.share(closer.step.seat):
                closer.best = best
                again += [((number, "again"), closer.chosen), ((number, "best"), closer.others[best][1])]
        return self._ask(again, AGAIN, 2 * self.closely)

    def _ask(self, asked: Sequence[tuple[Any, Question]], first: int, playouts: int) -> bool:
        self.expect(sum(question.playouts(playouts) for _, question in asked))
        answered = self.asker.ask(asked, playouts, first)
        for label, _ in asked:
            if label in self.asker.failed:
                self.skipped.setdefault(label[0], f"it cannot be played out ({self.asker.failed[label]})")
        return answered

    def _questions(self, step: Step) -> tuple[_Closer, list[tuple[Any, Question]]]:
        """Return what is to be asked of a decision: the action, its draws part by part, other actions."""
        rules, number = self.rules, step.number
        state = self.tape.state_at(self.tape.tree.before(step.head, self.line))
        before = position(state)
        given = tuple(outcome for _, outcome in step.drawn)
        self._retake(state, step, given)
        closer = _Closer(step)
        closer.chosen = self._after(state, before, step.action, ())
        asked: list[tuple[Any, Question]] = []
        if given:
            asked.append(((number, "chosen"), closer.chosen))
            shares = min(len(given), SPLIT)
            closer.cuts = tuple(part * len(given) // shares for part in range(1, shares))
            for cut in closer.cuts:
                asked.append(((number, "drawn", cut), self._after(state, before, step.action, given[:cut])))
        others = []
        for other in self._others(state, step):
            try:
                others.append((notation(rules, state, other), self._after(state, before, other, ())))
            except WarptapeError:
                continue
        closer.others = tuple(others)
        asked += [((number, "tried", i), question) for i, (_, question) in enumerate(others)]
        return closer, asked

    def _after(self, state: Any, before: bytes, action: Any, given: Outcomes) -> Question:
        """Return the question what an action is worth once chance gave so much: over all that it may give next."""
        spread = possible(self.rules, state, action, given, max(1, self.closely // 2))
        return Question(before, msgspec.json.encode(action), given, spread)

    def _retake(self, state: Any, step: Step, given: Outcomes) -> None:
        """Raise NotAllowed unless the action and what chance gave lead to where the log says they led."""
        copy = state.copy()
        copy.chance.epoch = 0
        source = Imagined("retake", given)
        Referee(self.rules, copy, source).take(step.seat, step.action)
        if source.left or position(copy) != position(self.tape.state_at(step.end)):
            raise NotAllowed("they lead elsewhere")

    def _others(self, state: Any, step: Step) -> list[Any]:
        """Return the other actions that are tried: the bot's, and some at random, of another kind where there are any."""
        decision = self.rules.decision(state)
        if decision is None or self.tried <= 0 or len(decision.actions) < 2:
            return []
        chosen: list[Any] = [choose(self.rules, state, decision, self.panel.bots[decision.seat], self.panel.seed)]
        luck, drawn = Luck(self.panel.seed, f"tried|{step.number}"), []
        for _ in range(8 * self.tried):
            other = decision.actions[luck.below(len(decision.actions))]
            if other not in drawn:
                drawn.append(other)
        kinds = {type(step.action), type(chosen[0])}
        for fresh in (True, False):
            for other in drawn:
                if other not in chosen and (not fresh or type(other) not in kinds):
                    kinds.add(type(other))
                    chosen.append(other)
        return [action for action in chosen if action != step.action][: self.tried]

    def _label(self, closer: _Closer) -> Any:
        """Return under which label the worth of the action taken is found: without chance it is that of what it led to."""
        return (closer.step.number, "chosen") if closer.step.drawn else ("point", closer.step.number - self._before)

    def _swing(self, closer: _Closer) -> Swing | None:
        """Return a decision split into its parts; None where not all of it is known."""
        found, step = self.asker.found, closer.step
        number, point = step.number, step.number - self._before
        labels = [
            ("point", point - 1), self._label(closer), *((number, "drawn", cut) for cut in closer.cuts), ("point", point),
            *((number, "tried", i) for i in range(len(closer.others))),
        ]  # fmt: skip
        if closer.best is not None:
            labels += [(number, "again"), (number, "best")]
        if not all(label in found for label in labels):
            return None
        # Of the same seeds, so that what they have in common cancels out, whatever a point was played besides.
        before, chosen, after = (
            found[label].first(self.closely) for label in (("point", point - 1), self._label(closer), ("point", point))
        )
        better = None
        if closer.best is not None:
            better = found[number, "best"].minus(found[number, "again"], step.seat)
        tried = [Tried(name, found[number, "tried", i]) for i, (name, _) in enumerate(closer.others)]
        tried.sort(key=lambda one: -one.value.share(step.seat))
        draws = self._draws(closer, chosen, after) if step.drawn else ()
        return Swing(
            number, step.head, step.end, step.seat, step.notation, before, after, chosen, draws, tuple(tried), better
        )

    def _draws(self, closer: _Closer, chosen: Value, after: Value) -> tuple[Drawn, ...]:
        found, step = self.asker.found, closer.step
        cuts = (0, *closer.cuts, len(step.drawn))
        values = [chosen, *(found[step.number, "drawn", cut] for cut in closer.cuts), after]
        return tuple(
            Drawn(
                tuple(position for position, _ in step.drawn[cuts[n] : cuts[n + 1]]),
                {seat: values[n + 1].minus(values[n], seat) for seat in self.names},
            )
            for n in range(len(cuts) - 1)
        )


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


def _some(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for at in range(0, len(items), AT_ONCE):
        yield items[at : at + AT_ONCE]


def _halving(last: int, among: Sequence[int] | None = None) -> list[int]:
    """Return 0 to `last`, or some of these numbers, so that any first part of it lies evenly: ends, middle, quarters."""
    numbers = list(range(last + 1)) if among is None else list(dict.fromkeys(among))
    found, ranges = [0, len(numbers) - 1], [(0, len(numbers) - 1)]
    for low, high in ranges:
        if high - low > 1:
            middle = (low + high) // 2
            found.append(middle)
            ranges += [(low, middle), (middle, high)]
    return list(dict.fromkeys(numbers[index] for index in found))
