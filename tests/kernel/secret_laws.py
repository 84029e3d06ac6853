"""What every ruleset with secrets must obey: views, redaction, and that nothing a seat sees depends on what it does not.

Functions that take a ruleset, as in `laws`; each raises AssertionError where the law is broken.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence
from typing import Any

import laws
import msgspec

from warptape.domain.chance import OUTCOMES, Draw, Fate, Luck, Pick, Roll, Salt
from warptape.domain.choices import sole
from warptape.domain.errors import RulesetCrash
from warptape.domain.events import ActionTaken, CardDrawn, CounterDrawn, DiceRolled, Event
from warptape.domain.referee import Match, Referee
from warptape.domain.rules import Ruleset
from warptape.domain.secrets import Disclosure, Sealed, can_hide, redact, seal, unseal, view, visible
from warptape.domain.states import ChanceState

SPECTATOR = "a spectator"
KEY = Salt(nonce="0" * 32).key
encode = msgspec.json.encode


def seats_of(ruleset: Ruleset, state: Any) -> list[str]:
    """Return the seats of a game, and a spectator."""
    return [*(seat.id for seat in ruleset.seats(state.options)), SPECTATOR]


def view_law(ruleset: Ruleset, events: Sequence[Event], *, through_json: bool = False) -> int:
    """At every event: the view of the folded log is the fold of the redacted log, for every seat and a spectator.

    Redacting is sealing, dropping what belongs to others, and unsealing. Returns how many secrets were sealed.
    """
    decoder = msgspec.json.Decoder(ruleset.event_type)
    state, folds, count = ruleset.state(), dict[str, Any](), 0
    for position, event in enumerate(events):
        event.apply(state)
        sealed, disclosures = seal(event, position, KEY)
        count += len(disclosures)
        if through_json:
            assert decoder.decode(encode(sealed)) == sealed
            beside = msgspec.json.decode(encode(disclosures), type=list[Disclosure])
            assert unseal(sealed, visible(beside, None)) == event
        assert unseal(sealed, visible(disclosures, None)) == event
        assert seal(event, position, KEY) == (sealed, disclosures)
        for seat in seats_of(ruleset, state):
            mine = visible(disclosures, seat)
            seen = unseal(sealed, mine)
            assert seen == redact(event, seat)
            hides_others(encode(seen), encode(sealed), [item for item in disclosures if item not in mine])
            seen.apply(folds.setdefault(seat, ruleset.state()))
            assert view(state, seat) == folds[seat], (position, seat)
    return count


def hides_others(seen: bytes, sealed: bytes, secret: Sequence[Any]) -> None:
    """Neither the redacted bytes nor the sealed ones hold what a seat may not know."""
    for item in secret:
        for data in (seen, sealed):
            at: Any = msgspec.json.decode(data)
            for part in item.field.split("."):
                at = at[int(part)] if isinstance(at, list) else at[part]
            assert list(at) == ["sealed"]
            if isinstance(item.value, str):
                assert item.value.encode() not in data
            assert item.salt.encode() not in data


def every_view_asks_the_same(
    ruleset: Ruleset, seed: str, options: Any = None, choose: laws.Chooser = laws.anything
) -> Counter[str]:
    """Whenever the rules ask: whether they ask, whom, and whether it is a choice is the same in every seat's view; the
    seat that decides finds its actions in its own view."""
    checked, asked = copy.copy(ruleset), Counter[str]()

    def ask(state: Any, step: Any) -> Any:
        decision = ruleset.ask(state, step)
        for seat in seats_of(ruleset, state):
            mine = ruleset.ask(view(state, seat), view(step, seat))
            assert (mine is None) == (decision is None), f"asking {type(step).__name__} depends on a secret"
            if decision is None or mine is None:
                continue
            assert (mine.seat, mine.prompt, mine.always) == (decision.seat, decision.prompt, decision.always)
            if seat == decision.seat:
                assert list(mine.actions) == list(decision.actions)
            assert decision.always or sole(mine.actions) == sole(decision.actions), "a choice depends on a secret"
        asked[type(step).__name__] += 1
        return decision

    checked.ask = ask  # type: ignore[method-assign]
    try:
        laws.whole(checked, seed, options, choose=choose)
    except RulesetCrash as crash:
        raise crash.__cause__ or crash from None
    return asked


class Impossible(Exception):
    """The imagined world cannot have the outcome that the true one had."""


class Mirror:
    """Chance of an imagined world: what a seat saw in the true one, and for what it did not see anything possible."""

    def __init__(self, events: Sequence[Event], seat: str, luck: Luck) -> None:
        self.events = [event for event in events if type(event) in OUTCOMES]
        self.seat = seat
        self.luck = luck

    def _true(self, kind: type[Event]) -> Any:
        if not self.events or type(self.events[0]) is not kind:
            raise Impossible
        return redact(self.events.pop(0), self.seat)

    def roll(self, chance: ChanceState, request: Roll) -> tuple[int, ...]:
        event = self._true(DiceRolled)
        if isinstance(event.values, Sealed):
            return tuple(self.luck.below(request.sides) + 1 for _ in range(request.count))
        if (event.stream, event.sides, event.count) != (request.stream, request.sides, request.count):
            raise Impossible
        return event.values  # type: ignore[no-any-return]

    def _one(self, event: Any, possible: list[str]) -> str:
        item = event.item
        if isinstance(item, Sealed):
            return str(self.luck.choice(possible))
        if item not in possible:
            raise Impossible
        return str(item)

    def card(self, chance: ChanceState, request: Draw) -> str:
        return self._one(self._true(CardDrawn), chance.decks[request.deck].left())

    def counter(self, chance: ChanceState, request: Pick) -> str:
        return self._one(self._true(CounterDrawn), chance.bags[request.bag].inside())


def tells(event: Event) -> bool:
    """Say whether an event may differ between two worlds that looked alike: it shows what was hidden."""
    return event.reveals and type(event) not in OUTCOMES


def determinized(ruleset: Ruleset, state: Any, seat: str, luck: Luck) -> Any:
    """Return an imagined world for a seat; it looks the same to that seat and shares nothing with the true state."""
    before = encode(state)
    seen = ruleset.view(state, seat)
    world = ruleset.determinize(seen, seat, luck)
    assert view(world, seat) == seen
    assert b'{"sealed":' not in encode(world)
    assert encode(state) == before
    return world


def non_interference(
    ruleset: Ruleset, seed: str, options: Any = None, limit: int = 10_000, choose: laws.Chooser = laws.anything
) -> Counter[str]:
    """In two worlds that look alike to a seat, the same action and chance give that seat the same events, until a
    secret is told.

    At every decision of a random game a second world is imagined for each seat. Counts how the comparisons ended:
    `same` to the last event, `told` at a reveal, `impossible` when the second world cannot have the outcome or action.
    """
    match, luck, count = Match(ruleset, Fate(seed), options), Luck(seed, "worlds"), Counter[str]()
    for _ in range(limit):
        decision = match.decision
        if decision is None:
            break
        mover, before = decision.seat, laws.restored(ruleset, match.state)
        action = choose(match, luck)
        batch = match.act(action, mover)
        for seat in seats_of(ruleset, before)[:-1]:
            world = determinized(ruleset, before, seat, luck)
            referee = Referee(ruleset, world, Mirror(batch, seat, luck))
            assert referee.decision is not None, "whether a decision is asked depends on a secret"
            assert referee.decision.seat == mover, "who decides depends on a secret"
            alike = [other for other in referee.decision.actions if looks_like(action, other, mover, seat)]
            if seat == mover:
                assert alike == [action], "what a seat may do depends on what it cannot know"
            if not alike:
                count["impossible"] += 1
                continue
            count[compare(batch, referee, seat, mover, luck.choice(alike))] += 1
    return count


def looks_like(action: Any, other: Any, mover: str, seat: str) -> bool:
    """Say whether a seat that sees an action taken cannot tell that it was not the other."""
    if type(action) is not type(other) or not can_hide(type(action)):
        return bool(action == other)
    one, two = (redact(ActionTaken(action=taken, seat=mover), seat) for taken in (action, other))
    return one == two


def compare(batch: Sequence[Event], referee: Referee, seat: str, mover: str, action: Any) -> str:
    """Take the action in the second world too, and say how far the seat sees the same."""
    try:
        other = referee.take(mover, action)
    except Exception as error:
        if isinstance(error.__cause__, Impossible):
            return "impossible"
        raise
    for mine, theirs in zip(batch, other, strict=False):
        if redact(mine, seat) != redact(theirs, seat):
            assert tells(mine) or tells(theirs), f"{mine} or {theirs} betrays a secret to {seat}"
            return "told"
    assert len(batch) == len(other), f"the length of a batch betrays a secret to {seat}"
    return "same"
