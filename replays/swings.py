"""Decisions looked at closely: what is asked of each, and how the answers split it into luck and choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ..domain.chance import Luck
from ..domain.errors import NotAllowed, WarptapeError
from ..domain.referee import Referee, choose
from .curve import Curve
from .luck import Drawn, Swing, Tried
from .playouts import Imagined, Outcomes, Value, position, possible
from .steps import Step, notation
from .valuing import Question

SPLIT = 6
"""Parts into which the rolls and draws of one decision are split: more are put together, those next to each other."""

AGAIN = 1_000_000
"""The first playout of those that compare an action with the best other one once more: no playout chose that."""


class _Closer(msgspec.Struct):
    """A decision that is looked at: what was tried besides, and into which parts its draws are split."""

    step: Step
    others: tuple[tuple[str, Question], ...] = ()
    chosen: Question | None = None
    cuts: tuple[int, ...] = ()
    best: int | None = None


class Swings:
    """The decisions of a curve that are looked at: each question is played out `closely` times, `tried` other actions as well.

    `skipped` says of decisions why they cannot be looked at.
    """

    def __init__(self, curve: Curve, closely: int, tried: int) -> None:
        self.curve, self.asker = curve, curve.asker
        self.closely, self.tried = closely, tried
        self.closer: list[_Closer] = []
        self.skipped: dict[int, str] = {}

    def found(self) -> tuple[Swing, ...]:
        """Return those of which all is known so far."""
        return tuple(swing for swing in map(self._swing, self.closer) if swing is not None)

    def work(self, number: int) -> int:
        """Return how many playouts looking at a decision takes at most, by its number among those of the curve."""
        # Both ends once more at most, the draws, what is tried, and two of these again, twice as often.
        return self.closely * (2 + min(SPLIT, len(self.curve.steps[number - 1].drawn)) + self.tried + 2)

    def look(self, steps: Sequence[Step]) -> bool:
        """Ask what has to be known of some decisions; returns False where that was stopped early."""
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
        self.curve.expect(sum(question.playouts(playouts) for _, question in asked))
        answered = self.asker.ask(asked, playouts, first)
        for label, _ in asked:
            if label in self.asker.failed:
                self.skipped.setdefault(label[0], f"it cannot be played out ({self.asker.failed[label]})")
        return answered

    def _questions(self, step: Step) -> tuple[_Closer, list[tuple[Any, Question]]]:
        """Return what is to be asked of a decision: the action, its draws part by part, other actions."""
        rules, number = self.asker.rules, step.number
        state = self.curve.tape.state_at(self.curve.tape.tree.before(step.head, self.curve.line))
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
        spread = possible(self.asker.rules, state, action, given, max(1, self.closely // 2))
        return Question(before, msgspec.json.encode(action), given, spread)

    def _retake(self, state: Any, step: Step, given: Outcomes) -> None:
        """Raise NotAllowed unless the action and what chance gave lead to where the log says they led."""
        copy = state.copy()
        copy.chance.epoch = 0
        source = Imagined("retake", given)
        Referee(self.asker.rules, copy, source).take(step.seat, step.action)
        if source.left or position(copy) != position(self.curve.tape.state_at(step.end)):
            raise NotAllowed("they lead elsewhere")

    def _others(self, state: Any, step: Step) -> list[Any]:
        """Return the other actions that are tried: the bot's, and some at random, of another kind where there are any."""
        decision = self.asker.rules.decision(state)
        if decision is None or self.tried <= 0 or len(decision.actions) < 2:
            return []
        panel = self.asker.panel
        chosen: list[Any] = [choose(self.asker.rules, state, decision, panel.bots[decision.seat], panel.seed)]
        luck, drawn = Luck(panel.seed, f"tried|{step.number}"), []
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
        number = closer.step.number
        return (number, "chosen") if closer.step.drawn else ("point", number - self.curve.before)

    def _swing(self, closer: _Closer) -> Swing | None:
        """Return a decision split into its parts; None where not all of it is known."""
        found, step = self.asker.found, closer.step
        number, point = step.number, step.number - self.curve.before
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
                {seat: values[n + 1].minus(values[n], seat) for seat in self.asker.seats},
            )
            for n in range(len(cuts) - 1)
        )
