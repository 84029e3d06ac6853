"""Rulesets that give each step to a module of theirs: a table of what carries it on, asks, answers and explains it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

from .events import Action, Step
from .rules import Decision, Refusal, Ruleset, Script


def nothing(book: Any, state: Any, step: Any) -> Script:
    """Carry on with a question that is done with."""
    yield from ()


def _no_reason(book: Any, state: Any, step: Any, action: Any) -> Refusal | None:
    return None


class Handler(NamedTuple):
    """How a step carries on without an answer, and how it is asked, answered and explained."""

    run: Callable[[Any, Any, Any], Script] = nothing
    ask: Callable[[Any, Any, Any], Decision | None] | None = None
    resolve: Callable[[Any, Any, Any, Any], Script] | None = None
    explain: Callable[[Any, Any, Any, Any], Refusal | None] = _no_reason


class Handled(Ruleset):
    """A ruleset whose steps are in `handlers`; each is given the book, what the rules look up in the content.

    `elsewhere` says by rule and reason why an action has no place at another question. Anything else is refused by the
    rule of the question that is asked, where `about` knows it, else by `otherwise`.
    """

    handlers: ClassVar[Mapping[type[Step], Handler]]
    elsewhere: ClassVar[Mapping[type[Action], tuple[str, str]]]
    about: ClassVar[Mapping[type[Step], str]] = {}
    otherwise: ClassVar[Refusal]
    book: Any

    def check_content(self) -> None:
        assert self.book

    def ask(self, state: Any, step: Any) -> Decision | None:
        handler = self.handlers[type(step)].ask
        return handler(self.book, state, step) if handler is not None else None

    def explain(self, state: Any, step: Any, action: Any) -> Refusal | None:
        decision = self.ask(state, step)
        if decision is not None and action in decision.actions:
            return None
        found = self.handlers[type(step)].explain(self.book, state, step, action)
        if found is None and type(action) in self.elsewhere:
            found = Refusal(*self.elsewhere[type(action)])
        return found or self._no_answer(step, decision)

    def _no_answer(self, step: Any, decision: Decision | None) -> Refusal:
        rule = self.about.get(type(step), "")
        if not rule or decision is None:
            return self.otherwise
        asked = re.split(r"(?<=[.?]) ", decision.prompt)[0].rstrip(".")
        return Refusal(rule, f"that does not answer what is asked now: {asked}")

    def resolve(self, state: Any, step: Any, action: Any) -> Script:
        handler = self.handlers[type(step)].resolve
        assert handler is not None
        return handler(self.book, state, step, action)

    def run(self, state: Any, step: Any) -> Script:
        return self.handlers[type(step)].run(self.book, state, step)
