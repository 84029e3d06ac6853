"""Campaigns for tests: a level about to end, the way into the next one by entered chance, and games with kind chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import games
from helpers import CATALOGUE, LULL, Level, laid, of

from warptape.domain.chance import Draw, Pick, Roll
from warptape.domain.events import ActionTaken, CardDrawn, CounterDrawn, DiceRolled, Event
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures.events import InfestationRevealed
from warptape.domain.space_marine_adventures.state import LevelState, Options
from warptape.domain.states import ChanceState

CAMPAIGN = Options(mode="campaign")
ROSTER = ("MAX", "ADR", "RAP", "LUK", "VOR")
CARDS = tuple(CATALOGUE.specials)
FACES = {1: "1-up", 2: "2-up", 3: "3-up"}
"""A face for each level; those of earlier levels were played on."""
QUIET = {1: LULL, 2: "INF-2-29", 3: "INF-3-30"}
"""An infestation card of each level that does nothing to anybody: a lull, or resilience for this round."""


def campaign(**options: Any) -> Options:
    """The options of a campaign."""
    return Options(mode="campaign", **options)


def standing(on_exit: int, elsewhere: int = 0) -> dict[str, str]:
    """Marines by square: so many on the exit tile of 1-up, so many on the board, in the order of the roster."""
    squares = ("X1", "X2", "X3", "X4")[:on_exit] + ("h2", "i2", "j2", "k2")[:elsewhere]
    return dict(zip(ROSTER, squares, strict=False))


def last_card(level: int = 1, marines: dict[str, str] | None = None, **given: Any) -> Level:
    """A campaign level on 1-up, exit B open, whose last infestation card comes next."""
    options = given.pop("options", CAMPAIGN)
    found = laid("1-up", level=level, marines=marines, exit="B", infestation=[QUIET[level]], options=options, **given)
    _played_before(found, level)
    return found


def last_step(level: int = 1, *, out: Iterable[str] = ("LUK",), **given: Any) -> Level:
    """A campaign level on 1-up in which Maximus is about to step on X1, the last of those in play.

    Adrix and Raphael stand on X2 and X3, Lukas is out of action; Vorne has not played.
    """
    marines = {"MAX": "m10", "ADR": "X2", "RAP": "X3"}
    options = given.pop("options", CAMPAIGN)
    given.setdefault("turn", "MAX")
    found = laid("1-up", level=level, marines=marines, out=tuple(out), exit="B", options=options, **given)
    _played_before(found, level)
    return found


def _played_before(level: Level, number: int) -> None:
    level.state.faces = tuple(FACES[earlier + 1] for earlier in range(1, number))


def entered(level: Level, *, face: str = "", label: str = "A") -> list[Event]:
    """Lay the next board and dock at an exit, as far as it goes without chance: up to the call, if there is one."""
    state = level.state
    if not face:
        boards = {CATALOGUE.faces[one].board for one in state.faces}
        face = next(one for one, record in CATALOGUE.faces.items() if record.board not in boards)
    level.table.left = []
    return level.do(f"board {face}") + level.do(f"enter {label}", *([] if calls(level) else creatures_and_cards(level)))


def calls(level: Level) -> bool:
    """Whether the call will be asked for when the level is set up."""
    state = level.state
    lost = state.fallen or (state.strays and state.options.left_behind_calls)
    return bool(lost) and not state.called


def creatures_and_cards(level: Level, extra: int = 0, first: Sequence[str] = ()) -> list[object]:
    """What chance gives while a level is set up: the creatures of Level 2 or 3, then two special cards for each Marine."""
    state = level.state
    held = {card for marine in state.marines.values() for card in marine.cards}
    cards = [*first, *(card for card in CARDS if card not in {*held, *state.spent, *first})]
    drawn = cards[: 2 * (len(state.squad) + extra)]
    # Level 3: the briefing's own four creatures come after the equipment.
    return ([1] if state.level == 2 else ["T01", "T02", "T03", "T04", "T05", "T06"]) + drawn


def equipped(level: Level) -> list[Event]:
    """Give everybody the first card on offer, and begin; what the Level 3 briefing places are Termagants."""
    happened: list[Event] = []
    while level.asked == "EquipSquad":
        action = level.referee.decision.actions[0]  # type: ignore[union-attr]
        waiting = [code for code in level.state.squad if code not in level.state.equipped]
        guard = ["T07", "T08", "T09", "T10"][: guards(level)] if waiting[0] == level.state.squad[-1] else []
        happened += level.do(level.rules.notation(level.state, action), *guard)
    return happened


def guards(level: Level) -> int:
    """How many creatures the briefing of Level 3 lays around the Prime."""
    if level.state.level != 3:
        return 0
    field = level.rules.book.field(level.state)
    return len(field.empty_beside(field.prime))


def into(level: Level, **where: str) -> list[Event]:
    """From the last step of a level, or its end, into the next one, without a call, up to its first activation card."""
    happened = level.do("mv X1") if level.asked == "Turn" else []
    happened += entered(level, **where)
    if level.asked == "CallMarine":
        happened += level.do("nocall", *creatures_and_cards(level))
    return happened + equipped(level)


# Whole campaigns


class Kind:
    """Chance that is kind to the squad: sixes, Marines before Tyranids, quiet cards, and bulkheads that open."""

    def roll(self, chance: ChanceState, request: Roll) -> tuple[int, ...]:
        return (request.sides,) * request.count

    def card(self, chance: ChanceState, request: Draw) -> str:
        return min(chance.decks[request.deck].left(), key=self.ill)

    def counter(self, chance: ChanceState, request: Pick) -> str:
        # Lictors first: Level 2 is won by destroying them.
        return min(chance.bags[request.bag].inside())

    @staticmethod
    def ill(card: str) -> tuple[int, str]:
        """How little a card is wished for."""
        if card in CATALOGUE.bulkheads:
            return int(CATALOGUE.bulkheads[card].faces[1] != "open"), card
        if card in CATALOGUE.infestation:
            ops = [type(effect).__name__ for effect in CATALOGUE.infestation[card].effects]
            return sum(op not in ("Lull", "Harden", "Spores", "Charge") for op in ops), card
        return int("tyranid" in card), card


def kind(seed: str, options: Options = CAMPAIGN) -> Match:
    """A whole campaign, played by a squad that wants to win and has luck."""
    *_, match = games.played(seed, options, Kind())
    return match


def outcomes(events: Iterable[Event]) -> list[str]:
    """What came out of chance in some events, as it is entered."""
    found: list[str] = []
    for event in events:
        if isinstance(event, DiceRolled):
            assert isinstance(event.values, tuple)
            found += [str(value) for value in event.values]
        elif isinstance(event, CardDrawn | CounterDrawn):
            found.append(str(event.item))
    return found


def batches(events: Sequence[Event]) -> Iterator[list[Event]]:
    """The batches of a log, without the opening's."""
    batch: list[Event] = []
    for event in events:
        if isinstance(event, ActionTaken):
            if batch:
                yield batch
            batch = []
        if batch or isinstance(event, ActionTaken):
            batch.append(event)
    yield batch


def states(events: Iterable[Event]) -> Iterator[tuple[Event, LevelState]]:
    """Each event with the position after it: always the same object."""
    state = LevelState()
    for event in events:
        event.apply(state)
        yield event, state


def revealed(events: Iterable[Event]) -> list[str]:
    """The infestation cards turned over."""
    return [event.card for event in of(events, InfestationRevealed)]
