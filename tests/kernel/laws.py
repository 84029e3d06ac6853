"""What every ruleset must obey, as functions that take a ruleset: usable for any game.

Each raises AssertionError where the law is broken. Games are played at random, by numbers of their own, from a seed.
"""

from __future__ import annotations

import copy
import hashlib
import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from warptape.domain.chance import Fate, Luck, Recorded
from warptape.domain.errors import IllegalAction, RulesetCrash
from warptape.domain.events import ActionTaken, Event
from warptape.domain.referee import Match, Referee
from warptape.domain.rules import Ruleset

encode = msgspec.json.encode
Chooser = Callable[[Match, Luck], Any]
"""How a game is played: the action that is taken, given the match at a decision and numbers of its own."""


def anything(match: Match, luck: Luck) -> Any:
    """Choose any legal action, all equally likely."""
    assert match.decision is not None
    return luck.choice(match.decision.actions)


def played(
    ruleset: Ruleset, seed: str, options: Any = None, limit: int = 10_000, choose: Chooser = anything
) -> Iterator[Match]:
    """Play a game at random and give the match at every decision, and once more when it is over (or at the limit)."""
    match = Match(ruleset, Fate(seed), options)
    luck = Luck(seed, "actions")
    for _ in range(limit):
        yield match
        decision = match.decision
        if decision is None:
            return
        match.act(choose(match, luck), decision.seat)
    yield match


def whole(ruleset: Ruleset, seed: str, options: Any = None, limit: int = 10_000, choose: Chooser = anything) -> Match:
    """Return a match played at random to its end (or to the limit)."""
    return list(played(ruleset, seed, options, limit, choose))[-1]


def batches(events: Sequence[Event]) -> list[list[Event]]:
    """Return a log's batches: the opening's first, then one an action."""
    found: list[list[Event]] = []
    for event in events:
        if isinstance(event, ActionTaken) or not found:
            found.append([])
        found[-1].append(event)
    return found


def restored(ruleset: Ruleset, state: Any) -> Any:
    """Return the state after a journey through JSON."""
    return msgspec.json.decode(encode(state), type=ruleset.state)


def replay_equals_live(
    ruleset: Ruleset, seed: str, options: Any = None, limit: int = 10_000, choose: Chooser = anything
) -> None:
    """Folding the decoded bytes of the log gives the live state at every decision; events never change afterwards."""
    decoder = msgspec.json.Decoder(ruleset.event_type)
    folded = ruleset.state()
    rows: list[bytes] = []
    for match in played(ruleset, seed, options, limit, choose):
        for event in match.events[len(rows) :]:
            rows.append(encode(event))
            again = decoder.decode(rows[-1])
            assert again == event
            assert encode(again) == rows[-1]
            again.apply(folded)
        assert folded == match.state
    assert rows == [encode(event) for event in match.events], "an event changed after it was recorded"


def state_keeps(ruleset: Ruleset, match: Match) -> None:
    """A state stored as JSON and restored is the same, asks the same, and the decision is a function of it alone."""
    state = restored(ruleset, match.state)
    assert state == match.state
    assert encode(state) == encode(match.state)
    same_decision(ruleset.decision(state), match.decision)
    same_decision(ruleset.decision(match.state), match.decision)


def same_decision(one: Any, other: Any) -> None:
    """Two decisions ask the same seat the same and offer the same actions."""
    assert (one is None) == (other is None)
    if one is not None:
        assert (one.seat, one.prompt, one.always) == (other.seat, other.prompt, other.always)
        assert list(one.actions) == list(other.actions)


def pool(ruleset: Ruleset, seeds: Iterable[str], options: Any = None, limit: int = 200, most: int = 400) -> list[Any]:
    """Return actions that were legal at some decision of some games, and the same with numbers changed a little."""
    found: dict[Any, None] = {}
    for seed in seeds:
        for match in played(ruleset, seed, options, limit):
            if match.decision is not None and len(found) < most:
                for action in match.decision.actions[:40]:
                    found[action] = None
                    for name in action.__struct_fields__:
                        if isinstance(value := getattr(action, name), int):
                            found[msgspec.structs.replace(action, **{name: value + 1})] = None
                            found[msgspec.structs.replace(action, **{name: -value})] = None
    return list(found)


def legal_is_not_refused(ruleset: Ruleset, match: Match, actions: Iterable[Any]) -> None:
    """The decision offers exactly what is not refused, to its seat alone; `explain` says the same of each action."""
    decision, state = match.decision, match.state
    others = [seat.id for seat in ruleset.seats(state.options)]
    if decision is None:
        for action in actions:
            assert all(ruleset.refusal(state, seat, action) for seat in others)
        return
    others.remove(decision.seat)
    legal = list(decision.actions)
    assert len(legal) == len(decision.actions) > 0
    assert len(set(legal)) == len(legal), "an action is offered twice"
    assert legal == [decision.actions[index] for index in range(len(legal))]
    step = state.pending[-1]
    for action in (*legal, *actions):
        assert (action in decision.actions) == (action in legal)
        assert (ruleset.refusal(state, decision.seat, action) is None) == (action in legal)
        assert (ruleset.explain(state, step, action) is None) == (action in legal), f"explain differs on {action}"
        for other in (*others, "nobody", ""):
            assert ruleset.refusal(state, other, action) is not None


def refused_leaves_nothing(ruleset: Ruleset, match: Match, actions: Iterable[Any]) -> None:
    """A refused action, and an action of a seat whose turn it is not, changes no byte."""
    before, count, decision = encode(match.state), len(match.events), match.decision
    seats = [seat.id for seat in ruleset.seats(match.state.options)]
    for action in actions:
        for seat in seats:
            if ruleset.refusal(match.state, seat, action) is None:
                continue
            with pytest.raises(IllegalAction) as caught:
                match.act(action, seat)
            assert caught.value.refusal.reason
    assert encode(match.state) == before
    assert (len(match.events), match.decision) == (count, decision)


def every_answer_works(ruleset: Ruleset, match: Match, seed: str, most: int = 50) -> None:
    """Every action that is offered can be taken, in a copy of the game."""
    if match.decision is not None:
        for action in match.decision.actions[:most]:
            Referee(ruleset, restored(ruleset, match.state), Fate(seed)).take(match.decision.seat, action)


def values_left_out(ruleset: Ruleset, sets: Iterable[Any]) -> list[str]:
    """Return what no set of options has: values of a choice, and of other options every value but one."""
    found, given = [], list(sets)
    for name, hint in get_type_hints(ruleset.options).items():
        met = {getattr(options, name) for options in given}
        choice = {True, False} if hint is bool else {*get_args(hint)} if get_origin(hint) is Literal else None
        if choice is not None:
            found += [f"{name}={value}" for value in sorted(choice - met, key=str)]
        elif len(met) < 2:
            found.append(f"{name}: always {met}")
    return found


class Planted(Exception):
    """The fault planted in a script."""


def taken(match: Match, action: Any, seat: str) -> tuple[list[Event], RulesetCrash | None]:
    """Take an action; give its batch, or the crash."""
    try:
        return match.act(action, seat), None
    except RulesetCrash as error:
        return [], error


def crash_leaves_nothing(ruleset: Ruleset, seed: str, options: Any = None, limit: int = 30) -> int:
    """A script that fails after its first, second, ... request leaves state, log and decision as they were.

    Returns how many faults were planted.
    """
    planted = copy.copy(ruleset)
    left: list[int] = []

    def faulty(script: Any) -> Any:
        answer = None
        while True:
            try:
                item = script.send(answer)
            except StopIteration:
                return
            if left:
                left[0] -= 1
                if not left[0]:
                    raise Planted("planted")
            answer = yield item

    planted.resolve = lambda *args: faulty(type(ruleset).resolve(planted, *args))  # type: ignore[method-assign]
    planted.run = lambda *args: faulty(type(ruleset).run(planted, *args))  # type: ignore[method-assign]
    match, luck, faults = Match(planted, Fate(seed), options), Luck(seed, "actions"), 0
    for _ in range(limit):
        decision = match.decision
        if decision is None:
            break
        action = luck.choice(decision.actions)
        before, count = encode(match.state), len(match.events)
        expected = Referee(ruleset, restored(ruleset, match.state), Fate(seed)).take(decision.seat, action)
        for requests in range(1, 1000):
            left[:] = [requests]
            batch, error = taken(match, action, decision.seat)
            if error is None:
                assert batch == expected
                break
            assert isinstance(error.__cause__, Planted)
            assert encode(match.state) == before
            assert len(match.events) == count
            assert match.decision is not None
            same_decision(match.decision, decision)
            faults += 1
        left.clear()
    return faults


def audited(ruleset: Ruleset, events: Sequence[Event]) -> None:
    """Re-running each recorded action with the recorded chance gives the recorded consequences, from the state alone."""
    opening, *rest = batches(events)
    chance = Recorded(opening)
    referee = Referee(ruleset, ruleset.state(), chance)
    assert referee.open(opening[0]) == opening  # type: ignore[arg-type]
    assert not chance.left
    for batch in rest:
        chance = Recorded(batch)
        referee = Referee(ruleset, restored(ruleset, referee.state), chance)
        head = batch[0]
        assert isinstance(head, ActionTaken)
        assert referee.take(head.seat, head.action) == batch
        assert not chance.left


def continued(ruleset: Ruleset, match: Match, events: Sequence[Event]) -> None:
    """From a decision of a game, stored and restored, the rest of the log runs again with its own chance."""
    chance = Recorded(events)
    referee = Referee(ruleset, restored(ruleset, match.state), chance)
    again: list[Event] = []
    for head in events:
        if isinstance(head, ActionTaken):
            again += referee.take(head.seat, head.action)
    assert again == list(events)
    assert not chance.left


def notation_returns(ruleset: Ruleset, match: Match, most: int = 40) -> None:
    """The notation of every offered action parses back to it, and no two actions share theirs."""
    decision = match.decision
    if decision is not None:
        actions = list(decision.actions[:most])
        texts = [ruleset.notation(match.state, action) for action in actions]
        assert len(set(texts)) == len(texts)
        for text, action in zip(texts, actions, strict=True):
            assert list(ruleset.parse(match.state, decision.seat, text)) == [action]


def put_in_words(ruleset: Ruleset, match: Match, actions: Iterable[Any]) -> None:
    """Any action can be described and written down, in the view of any seat: `why` does so with what is refused."""
    for seat in ruleset.seats(match.state.options):
        seen = ruleset.view(match.state, seat.id)
        for action in actions:
            assert ruleset.describe(seen, action)
            assert ruleset.notation(seen, action)


def told(ruleset: Ruleset, events: Sequence[Event]) -> None:
    """Every event can be told, given the state just before it."""
    state = ruleset.state()
    for event in events:
        assert isinstance(ruleset.tell(state, event), str)
        event.apply(state)


def fresh_states_are_apart(ruleset: Ruleset, seed: str, options: Any = None, limit: int = 200) -> None:
    """A game leaves no trace in the defaults of its state: the next fresh state is as the first."""
    before = encode(ruleset.state())
    whole(ruleset, seed, options, limit)
    assert encode(ruleset.state()) == before


def fingerprint(ruleset: Ruleset, seeds: Iterable[str], limit: int = 300) -> str:
    """Return a digest of the bytes of whole games, events and states."""
    digest = hashlib.sha256()
    for seed in seeds:
        match = whole(ruleset, seed, limit=limit)
        for event in match.events:
            digest.update(encode(event))
        digest.update(encode(match.state))
    return digest.hexdigest()


def deterministic(reference: str, seeds: Sequence[str], limit: int = 300) -> str:
    """The same seeds give the same bytes in fresh processes, whatever PYTHONHASHSEED; `reference` is `module:NAME`.

    Returns the digest.
    """
    found = set()
    for hash_seed in ("0", "1", "4242"):
        paths = os.pathsep.join(path for path in sys.path if path)
        done = subprocess.run(
            [sys.executable, str(Path(__file__)), reference, str(limit), *seeds],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(done.stdout.strip())
    assert len(found) == 1, found
    return found.pop()


if __name__ == "__main__":
    module, _, name = sys.argv[1].partition(":")
    print(fingerprint(getattr(importlib.import_module(module), name), sys.argv[3:], int(sys.argv[2])))
