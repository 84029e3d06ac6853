"""What a caller may do now: the legal actions, filtered and a page at a time."""

from __future__ import annotations

from collections import Counter

from ..domain.rules import Decision
from ..replays.choosing import listed, mentioned
from ..replays.problems import BadRequest, NotYours
from ..replays.tape import Position, Tape
from ..replays.wire import Choice, Choices
from .access import ARBITER, SEAT, Caller
from .standing import asked

COUNTED = 5000
"""Up to so many legal actions are looked through where nothing is asked of them."""

MOST_PICKS = 20


def picks(text: str) -> list[frozenset[str]]:
    """Return names by which actions are chosen: `SC1,SC2 4:k1` are those that name one of the first two, and the third.

    Raises BadRequest for too many.
    """
    found = [frozenset(one.split(",")) for one in text.split()]
    if len(found) > MOST_PICKS:
        raise BadRequest(f"Actions are chosen by at most {MOST_PICKS} names at once.")
    return found


def offered(
    tape: Tape, caller: Caller, q: str = "", verb: str = "", names: str = "", offset: int = 0, limit: int = 100
) -> Choices:
    """Return a page of what a caller may do now; nothing while another seat must decide.

    `verb` keeps the actions that begin with this word, `q` those whose notation or words hold a text, `names` those that
    name something (see `picks`). Raises NotYours for an arbiter who does not act, BadRequest.
    """
    if caller.role == ARBITER and not caller.sees_all:
        raise NotYours("Who set this game up does not act in it.")
    wanted = picks(names)
    position = tape.at()
    decision = position.decision
    if decision is None or (caller.role == SEAT and decision.seat != caller.seat):
        question = asked(position)
        who, prompt = (question.seat, question.prompt) if question else ("", "")
        return Choices(position.position, who, prompt, 0, 0, {}, [])
    total = len(decision.actions)
    if total > COUNTED and not (q or verb or wanted):
        last = min(total, offset + limit)
        return _page(tape, position, decision, list(range(min(offset, total), last)), total, {}, [])
    rules = tape.ruleset
    shown = rules.view(position.state, decision.seat) if rules.secretive else position.state
    notations = [rules.notation(shown, action) for action in decision.actions]
    verbs = Counter(one.split(" ", 1)[0] for one in notations)
    matching = [
        number
        for number, one in enumerate(notations)
        if (not verb or one.split(" ", 1)[0] == verb) and (not wanted or _names_all(frozenset(mentioned(one)), wanted))
    ]
    if q:
        text = q.casefold()
        actions = [decision.actions[number] for number in matching]
        told = listed(rules, position.state, decision, tape.people, actions)
        matching = [
            number
            for number, one in zip(matching, told, strict=True)
            if text in one.notation.casefold() or text in one.words.casefold()
        ]
    there = dict.fromkeys(name for number in matching for name in mentioned(notations[number]))
    page = matching[offset : offset + limit]
    return _page(tape, position, decision, page, len(matching), dict(verbs), list(there))


def _names_all(there: frozenset[str], wanted: list[frozenset[str]]) -> bool:
    return all(not one.isdisjoint(there) for one in wanted)


def _page(
    tape: Tape,
    position: Position,
    decision: Decision,
    numbers: list[int],
    matching: int,
    verbs: dict[str, int],
    names: list[str],
) -> Choices:
    actions = [decision.actions[number] for number in numbers]
    told = listed(tape.ruleset, position.state, decision, tape.people, actions)
    found = [Choice(number + 1, one.notation, one.words, one.person) for number, one in zip(numbers, told, strict=True)]
    total = len(decision.actions)
    return Choices(position.position, decision.seat, decision.prompt, matching, total, verbs, found, names)
