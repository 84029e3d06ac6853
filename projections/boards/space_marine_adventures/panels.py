"""The tables beside the board: how it ended, the squad, the level, advanced cards, the campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ....domain.secrets import bare
from ....domain.space_marine_adventures import effects as e
from ....domain.space_marine_adventures.book import Book
from ....domain.space_marine_adventures.campaign import may_call
from ....domain.space_marine_adventures.console import counted_kills
from ....domain.space_marine_adventures.events_action import REASONS, RESULTS
from ....domain.space_marine_adventures.players import shared
from ....domain.space_marine_adventures.records import Challenge
from ....domain.space_marine_adventures.state import (
    ACTIVATION,
    BAG,
    INFESTATION,
    PRIME,
    LevelState,
    Marine,
    cards_left,
    pile,
)
from ....domain.space_marine_adventures.steps import CallMarine
from ....domain.space_marine_adventures.summary import HEALTH, lost
from ....domain.words import counted, listed
from ...scene import Panel, Row
from .hulk import damaged
from .words import kind_name, mission, role, short


def panels(book: Book, state: LevelState) -> Iterator[Panel]:
    """Yield the tables that have something to say."""
    campaign = state.options.mode == "campaign"
    if state.ended:
        yield Panel(title=f"The {'campaign' if state.over else 'level'} is over", rows=tuple(_ending(state)))
    if state.squad:
        rows = (row for code in state.squad for row in _marine(book, state, code))
        yield Panel(title="Squad", rows=tuple(rows))
    if state.pool:
        cards = [Row(label=card, text=book.names.card(card)) for card in state.pool]
        yield Panel(title="Special cards to give", rows=tuple(cards))
    if facts := tuple(_level(book, state)):
        yield Panel(title="Hulk", rows=facts)
    if extra := tuple(_advanced(book, state)):
        yield Panel(title="Advanced cards", rows=extra)
    if campaign and state.level:
        yield Panel(title="Campaign", rows=tuple(_campaign(book, state)))


def _ending(state: LevelState) -> Iterator[Row]:
    ended = state.ended
    assert ended is not None
    yield Row(label="Result", text=RESULTS.get(ended.result, ended.result), role="accent")
    yield Row(label="Because", text=REASONS.get(ended.reason, ended.reason))
    yield Row(label="On the exit tile", text=str(ended.on_exit))
    yield Row(label="In play", text=str(ended.in_play))


# The squad


def _marine(book: Book, state: LevelState, code: str) -> Iterator[Row]:
    marine = state.marines.get(code, Marine())
    player = shared(state.options.players).get(code, "")
    label = f"{code} {short(book, code)}{f' ({player})' if player else ''}"
    if marine.wounds >= 2:
        yield Row(label=label, text=HEALTH[2], role=role(book, code))
        return
    side = book.sides[code][1 if marine.wounds else 0]
    facts = [f"at {marine.square}"] if marine.square else []
    if marine.wounds:
        facts.append(HEALTH[1])
    facts += [f"{side.actions} actions", f"range {side.range}", side.ability]
    if marine.spores:
        facts.append(f"{marine.spores} fewer next turn (spores)")
    yield Row(label=label, text=", ".join(facts), role=role(book, code))
    if state.turn and state.turn.marine == code:
        yield Row(text="his turn: " + ", ".join(_turn(state)), role="accent", depth=1)
    if state.free and state.free.marine == code:
        free = [
            (state.free.moves, "free Move"),
            (state.free.attacks, "free Attack"),
            (state.free.either, "free action"),
        ]
        yield Row(text=", ".join(f"{n} {what}" for n, what in free if n), role="accent", depth=1)
    for card in marine.cards:
        yield Row(text=f"{card} {book.names.card(card)}", depth=1)


def _turn(state: LevelState) -> Iterator[str]:
    turn = state.turn
    if turn is None:
        return
    yield f"{turn.left} of {turn.allowance} actions left"
    for count, what in ((turn.free_moves, "free Move"), (turn.free_attacks, "free Attack")):
        if count:
            yield f"{count} {what}"
    for plus, what in ((turn.attack_plus, "Attacks"), (turn.console_plus, "the console")):
        if plus:
            yield f"+{plus} on {what}"


# The level


def _level(book: Book, state: LevelState) -> Iterator[Row]:
    if state.round:
        yield Row(label="Round", text=str(state.round))
    if state.activation:
        yield Row(label="Activation card", text=_shows(book, state.activation))
    if (activation := state.chance.decks.get(pile(state, ACTIVATION))) is not None:
        yield Row(
            label="Activation deck",
            text=f"{len(activation.items) - len(activation.seen)} of {len(activation.items)} left",
        )
    if pile(state, INFESTATION):
        left = cards_left(state)
        yield Row(label="Infestation deck", text=f"{left} left", role="warn" if left <= 5 else "")
    if state.card:
        yield Row(label="Infestation card", text=book.names.card(state.card), role="bad")
    if state.known:
        yield Row(label="Known on top", text=", ".join(book.names.card(bare(card)) for card in state.known))
    if (bag := state.chance.bags.get(BAG)) is not None:
        kinds = book.kinds
        inside = Counter(kinds[item] for item in bag.inside() if item in kinds)
        yield Row(label="Bag", text=_kinds(book, inside) or "empty")
    if state.hardened:
        tougher = [f"{kind_name(book, kind)}s +{plus}" for kind, plus in state.hardened.items()]
        yield Row(label="Tougher this round", text=", ".join(tougher), role="bad")
    if state.kills:
        yield Row(label="Destroyed", text=_kinds(book, state.kills) or "none")
    yield from _objective(book, state)
    if state.sealed:
        yield Row(label="Sealed", text=", ".join(label + _peeked(state, label) for label in state.sealed))
    if state.exit:
        yield Row(label="Way out", text=f"{state.exit}: X1 to X4", role="good")


def _objective(book: Book, state: LevelState) -> Iterator[Row]:
    """What the level is about: the console and what it needs now, or the Prime and what keeps it from harm."""
    briefing = mission(book, state)
    if briefing is None or not state.objective:
        return
    console = briefing.console
    if console.enabled:
        plus = ""
        if console.bonus_per_kill:
            kind = kind_name(book, console.bonus_kind)
            counts = counted_kills(book, state)
            plus = f", +{counts} for {kind}s destroyed (at most +{console.bonus_max})"
        yield Row(
            label="Console", text="activated" if state.console else f"{state.objective}, needs {console.need}{plus}"
        )
    square = next((name for name, creature in state.tyranids.items() if creature.kind == PRIME), "")
    if briefing.prime.enabled and square:
        field = book.field(state)
        near = field.ground.neighbours[field.prime] if briefing.prime.guarded_by_adjacent else ()
        guards = [field.names[other] for other in near if other in field.tyranids]
        guarded = (
            f", guarded from {listed(guards)}" if guards else f", can be harmed within {briefing.prime.max_distance}"
        )
        yield Row(label="Prime", text=f"{square}, {damaged(book, state)}{guarded}", role="bad" if guards else "warn")


def _peeked(state: LevelState, label: str) -> str:
    return {"open": " (can open)", "sealed": " (never opens)"}.get(state.peeked.get(label, ""), "")


def _kinds(book: Book, count: dict[str, int]) -> str:
    return ", ".join(counted(n, kind_name(book, kind)) for kind, n in count.items() if n)


def _shows(book: Book, card: str) -> str:
    shows = book.shows.get(card, card)
    return short(book, shows) if shows in book.roster else "Tyranids" if card in book.shows else card


# Advanced cards


def _advanced(book: Book, state: LevelState) -> Iterator[Row]:
    challenges = book.catalogue.challenges
    for card in state.dares:
        one = challenges.get(card)
        here = one is not None and one.level == state.level
        text = f"of Level {one.level}" if one is not None and not here else ""
        if one is not None and here:
            text = ", ".join(_challenge(book, state, one))
        due = state.due.count(card)
        if due:
            text += f", {counted(due, 'extra Tyranid card')} from the next round on"
        yield Row(label=book.names.card(card), text=text, role="bad" if due else "accent" if here else "")
    if spare := sum(book.catalogue.activation[card].extra for card in state.deck if card in book.catalogue.activation):
        yield Row(label="Extra Tyranid cards", text=f"{spare} in the activation deck", role="bad")
    turned = state.chance.decks.get(pile(state, INFESTATION))
    seen = {bare(item) for item in turned.seen.values()} - {*map(bare, state.known)} if turned is not None else set()
    for card in state.skulls:
        yield Row(label=book.names.card(card), text=f"skull card, {'turned over' if card in seen else 'in the deck'}")


def _challenge(book: Book, state: LevelState, challenge: Challenge) -> Iterator[str]:
    """What a challenge asks for or waits for, and how far it is."""
    for effect in challenge.effects:
        if isinstance(effect, e.Require):
            wanted = "Tyranid" if effect.kind == "any" else kind_name(book, effect.kind)
            done = sum(n for kind, n in state.kills.items() if effect.kind in ("any", kind))
            yield f"{done} of {counted(effect.at_least, wanted)} destroyed"
        elif isinstance(effect, e.PrimeDestroyedAt):
            yield f"the Prime takes {counted(effect.count, 'damage counter')}"
        elif isinstance(effect, e.OnEvent):
            times = state.triggered.get(challenge.id, 0)
            yield f"took effect {counted(times, 'time')}" if times else "has not taken effect"


# The campaign


def _campaign(book: Book, state: LevelState) -> Iterator[Row]:
    names = book.names
    if state.over:
        yield Row(label="Result", text=RESULTS.get(state.over, state.over), role="accent")
    yield Row(label="Level", text=f"{state.level} of {len(state.options.levels)}")
    if state.faces:
        yield Row(label="Boards played", text=listed(names.face(face) for face in state.faces))
    for label, codes in lost(state):
        yield Row(label=label, text=listed(short(book, code) for code in codes), role="bad")
    asked = may_call(state) and any(isinstance(step, CallMarine) for step in state.pending)
    yield Row(label="Call for help", text="made" if state.called else "can be made" if asked else "not made")
