"""Special cards that are played as actions, in a Marine's own turn or between turns: one entry for each primitive."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any, NamedTuple

from ..chance import Draw
from ..geometry import DIRECTION_NAMES
from ..rules import Refusal, Script, do
from . import effects as e
from .abilities import blast_list, comrades, explain_reach, open_free
from .actions import Play
from .attacks import budget as attack_budget
from .attacks import can_attack, explain_sight, hit
from .book import Book
from .console import peek, unseen
from .events_action import MarineRedeployed
from .events_cards import InfestationPeeked
from .events_turn import FreeActionGranted, TurnBonusGained
from .field import Field
from .moves import budget as move_budget
from .moves import can_move
from .prime import explain_shield
from .state import INFESTATION, LevelState, pile, top
from .steps import OrderCards, Salvo
from .wounds import change_allowance, heal, holder, play_card

Args = tuple[str, ...]
NOTHING: list[Args] = []
ALONE: list[Args] = [()]


class Use(NamedTuple):
    """Who plays which card now, and where everything stands."""

    book: Book
    state: LevelState
    field: Field
    code: str
    card: str

    @property
    def here(self) -> int:
        """The square of the Marine who plays it."""
        return self.field.index[self.state.marines[self.code].square]

    @property
    def own_turn(self) -> bool:
        """Whether it is his turn."""
        return self.state.turn is not None and self.state.turn.marine == self.code

    def targets(self, reach: int) -> list[tuple[int, int]]:
        """Return the Tyranids in sight within `reach` that can be harmed from his square."""
        return self.book.targets(self.state, self.field, self.here, reach)

    def open(self, square: int) -> bool:
        """Say whether a Tyranid can be harmed from his square; only the Prime may not be (SMA-PRIME-4, SMA-PRIME-5)."""
        return square != self.field.prime or not self.book.shield(self.state, self.field, self.here)


class Primitive(NamedTuple):
    """What may be chosen for a card, empty when it can do nothing (SMA-SPEC-5), and what it does then."""

    choices: Callable[[Use, Any], list[Args]]
    play: Callable[[Use, Any, Args], Script]


def _squares(use: Use, squares: list[int]) -> list[Args]:
    return [(use.field.names[square],) for square in squares]


def _blast_choices(use: Use, effect: e.Blast) -> list[Args]:
    field, here = use.field, use.here
    if use.state.options.frag_needs_sight:
        return _squares(use, [square for square, _ in use.targets(effect.range)])
    ground = field.ground
    return _squares(
        use,
        [
            square
            for square in sorted(field.tyranids)
            if use.open(square)
            and ground.distance(here, square) <= effect.range
            and (ground.any_angle or ground.grid.direction(here, square) is not None)
        ],
    )


def _blast(use: Use, effect: e.Blast, args: Args) -> Script:
    counters = blast_list(use.state, use.field, args[0])
    yield do(Salvo(marine=use.code, counters=counters, cause=use.card))


def _attack_choices(use: Use, effect: e.SpecialAttack) -> list[Args]:
    return _squares(use, [square for square, _ in use.targets(effect.range)])


def _attack(use: Use, effect: e.SpecialAttack, args: Args) -> Script:
    counter = use.state.tyranids[args[0]].counter
    yield do(Salvo(marine=use.code, counters=(counter,), cause=use.card, plus=effect.plus))


def _line(use: Use, effect: e.LineBlast, direction: int) -> tuple[str, ...]:
    """Return the counters on a line, nearest first: walls and pinched corners stop it, Tyranids do not."""
    ground, tyranids = use.field.ground, use.field.tyranids
    ray = ground.grid.ray(use.here, direction, ground.corner)[: effect.range + ground.uncounted]
    return tuple(tyranids[square].counter for square in ray if square in tyranids)


def _line_choices(use: Use, effect: e.LineBlast) -> list[Args]:
    prime = use.field.prime
    shielded = use.field.tyranids[prime].counter if prime >= 0 and not use.open(prime) else ""
    return [
        (name,)
        for direction, name in enumerate(DIRECTION_NAMES)
        if any(counter != shielded for counter in _line(use, effect, direction))
    ]


def _line_blast(use: Use, effect: e.LineBlast, args: Args) -> Script:
    counters = _line(use, effect, DIRECTION_NAMES.index(args[0]))
    yield do(Salvo(marine=use.code, counters=counters, cause=use.card))


def _hit_choices(use: Use, effect: e.AutoHit) -> list[Args]:
    return _squares(use, [s for s in use.field.ground.neighbours[use.here] if s in use.field.tyranids and use.open(s)])


def _hit(use: Use, effect: e.AutoHit, args: Args) -> Script:
    yield from hit(use.book, use.state, use.code, args[0])


def _moves_choices(use: Use, effect: e.FreeMoves) -> list[Args]:
    turn = use.state.turn
    steps = effect.count + (move_budget(turn) if use.own_turn and turn is not None else 0)
    return ALONE if can_move(use.field, use.here, steps) else NOTHING


def _moves(use: Use, effect: e.FreeMoves, args: Args) -> Script:
    yield from _grant(use, "move", effect.count)


def _attacks_choices(use: Use, effect: e.FreeAttacks) -> list[Args]:
    return ALONE if can_attack(use.book, use.state, use.field, use.code) else NOTHING


def _attacks(use: Use, effect: e.FreeAttacks, args: Args) -> Script:
    yield from _grant(use, "attack", effect.count)


def _grant(use: Use, kind: str, count: int) -> Script:
    if use.own_turn:
        yield FreeActionGranted(use.code, kind, count, use.card, rule="SMA-ACT-2")
    else:
        yield from open_free(use.code, kind, count, use.card, "SMA-ACT-2")


def _actions_choices(use: Use, effect: e.FreeActions) -> list[Args]:
    return [(code,) for code in comrades(use.book, use.state, use.field, use.code, effect.count)]


def _actions(use: Use, effect: e.FreeActions, args: Args) -> Script:
    yield from open_free(args[0], "any", effect.count, use.card, "SMA-ACT-2")


def _extra_choices(use: Use, effect: e.ExtraActions) -> list[Args]:
    return ALONE if use.own_turn else NOTHING


def _extra(use: Use, effect: e.ExtraActions, args: Args) -> Script:
    yield from change_allowance(use.book, use.state, use.code, use.card, effect.count)


def _bonus_choices(use: Use, effect: e.TurnBonus) -> list[Args]:
    turn = use.state.turn
    if not use.own_turn or turn is None:
        return NOTHING
    console = effect.console_plus and use.book.mission(use.state).console.enabled and not use.state.console
    return ALONE if (effect.attack_plus and attack_budget(turn)) or (console and turn.left) else NOTHING


def _bonus(use: Use, effect: e.TurnBonus, args: Args) -> Script:
    yield TurnBonusGained(use.code, effect.attack_plus, effect.console_plus, rule="SMA-ATK-4")


def _heal_choices(use: Use, effect: e.Heal) -> list[Args]:
    near = {use.here, *use.field.ground.neighbours[use.here]} if effect.who == "self_or_adjacent" else {use.here}
    marines = use.state.marines
    return [
        (code,)
        for code in use.state.squad
        if marines[code].square and marines[code].wounds and use.field.index[marines[code].square] in near
    ]


def _heal(use: Use, effect: e.Heal, args: Args) -> Script:
    yield from heal(use.book, use.state, args[0])


def _cards_choices(use: Use, effect: e.PeekInfestation) -> list[Args]:
    known = len(use.state.known)
    short = known < effect.count and top(use.state, INFESTATION) >= 0
    return ALONE if short or (effect.reorder and known > 1) else NOTHING


def _cards(use: Use, effect: e.PeekInfestation, args: Args) -> Script:
    state = use.state
    drawn: list[str] = []
    key = pile(state, INFESTATION)
    while len(state.known) + len(drawn) < effect.count and (place := top(state, INFESTATION)) >= 0:
        drawn.append((yield Draw(key, place, purpose="peek", subject=use.code, rule="SMA-SPEC-7")))
    yield InfestationPeeked(tuple(drawn), (*state.known, *drawn), rule="SMA-SPEC-7")
    if effect.reorder:
        yield do(OrderCards(marine=use.code))


def _bulkheads_choices(use: Use, effect: e.PeekBulkhead) -> list[Args]:
    left = unseen(use.state)
    return list(combinations(left, min(effect.count, len(left)))) if left else NOTHING


def _bulkheads(use: Use, effect: e.PeekBulkhead, args: Args) -> Script:
    yield from peek(use.book, use.state, args)


def _redeploy_choices(use: Use, effect: e.Redeploy) -> list[Args]:
    field = use.field
    return _squares(use, sorted({s for mate in field.marines if mate != use.here for s in field.empty_beside(mate)}))


def _redeploy(use: Use, effect: e.Redeploy, args: Args) -> Script:
    yield MarineRedeployed(use.code, args[0], rule="SMA-SPEC-7")


PRIMITIVES: Mapping[type, Primitive] = {
    e.Blast: Primitive(_blast_choices, _blast),
    e.SpecialAttack: Primitive(_attack_choices, _attack),
    e.LineBlast: Primitive(_line_choices, _line_blast),
    e.AutoHit: Primitive(_hit_choices, _hit),
    e.FreeMoves: Primitive(_moves_choices, _moves),
    e.FreeAttacks: Primitive(_attacks_choices, _attacks),
    e.FreeActions: Primitive(_actions_choices, _actions),
    e.ExtraActions: Primitive(_extra_choices, _extra),
    e.TurnBonus: Primitive(_bonus_choices, _bonus),
    e.Heal: Primitive(_heal_choices, _heal),
    e.PeekInfestation: Primitive(_cards_choices, _cards),
    e.PeekBulkhead: Primitive(_bulkheads_choices, _bulkheads),
    e.Redeploy: Primitive(_redeploy_choices, _redeploy),
}


def choices(use: Use) -> list[Args]:
    """Return every way to play a card now that does something; its first effect is what is chosen for."""
    effect = use.book.catalogue.specials[use.card].effects[0]
    primitive = PRIMITIVES.get(type(effect))
    return primitive.choices(use, effect) if primitive is not None else NOTHING


def plays(book: Book, state: LevelState, field: Field, code: str, window: str, found: list[object]) -> None:
    """Add every play of a Marine's cards in a window to a list of actions."""
    usable = book.usable[window]
    for card in state.marines[code].cards:
        if card in usable:
            found.extend([Play(card, args) for args in choices(Use(book, state, field, code, card))])


def play(book: Book, state: LevelState, code: str, action: Play) -> Script:
    """Play a card: it is used up, then carried out."""
    use = Use(book, state, book.field(state), code, action.card)
    yield from play_card(state, code, action.card, action.args)
    for effect in book.catalogue.specials[action.card].effects:
        yield from PRIMITIVES[type(effect)].play(use, effect, action.args)


def explain_play(book: Book, state: LevelState, window: str, marine: str, action: Play) -> Refusal | None:
    """Return why a card cannot be played in a window, None when it can; `marine` is who may, empty for anybody."""
    card, names = action.card, book.names
    refusal = explain_card(book, state, card, window, marine)
    if refusal is not None:
        return refusal
    use = Use(book, state, book.field(state), holder(state, card), card)
    ways = choices(use)
    if action.args in ways:
        return None
    effect = book.catalogue.specials[card].effects[0]
    if action.args and isinstance(effect, e.Blast):
        return _explain_blast(use, effect, action.args[0])
    if action.args and isinstance(effect, e.SpecialAttack):
        refusal = explain_reach(book, use.field, state, use.code, action.args[0], effect.range, "SMA-SPEC-5")
        if refusal is not None:
            return refusal
    if action.args and isinstance(effect, e.AutoHit):
        beside = use.field.ground.neighbours[use.here]
        refusal = (
            explain_shield(book, state, use.field, use.here, action.args[0]) if use.field.prime in beside else None
        )
        if refusal is not None:
            return refusal
    if action.args and isinstance(effect, e.LineBlast) and action.args[0] in DIRECTION_NAMES:
        on_line = _line(use, effect, DIRECTION_NAMES.index(action.args[0]))
        prime = use.field.prime
        if prime >= 0 and on_line == (use.field.tyranids[prime].counter,):
            refusal = explain_shield(book, state, use.field, use.here, use.field.names[prime])
            if refusal is not None:
                return refusal
    if not ways:
        return Refusal("SMA-SPEC-5", f"{names.card(card)} can do nothing now")
    if not action.args:
        shown = ", ".join(" ".join(args) for args in ways[:6])
        return Refusal("SMA-SPEC-5", f"{names.card(card)} needs to know for what: {shown}")
    return Refusal("SMA-SPEC-5", f"{names.card(card)} can do nothing with {' '.join(action.args)}")


def explain_card(book: Book, state: LevelState, card: str, window: str, marine: str) -> Refusal | None:
    """Return why a card cannot be used by that Marine in that window at all, None when it can (SMA-SPEC-1)."""
    names = book.names
    if card not in book.windows:
        return Refusal("SMA-SPEC-1", f"there is no special card {card}")
    code = holder(state, card)
    if not code:
        if card in state.used:
            return Refusal("SMA-SPEC-3", f"{names.card(card)} is in the box and cannot be used again in this level")
        return Refusal("SMA-SPEC-1", f"nobody has {card} ({names.card(card)})")
    if marine and code != marine:
        return Refusal("SMA-SPEC-1", f"{names.card(card)} is {names.marine(code)}'s, and it is not his turn")
    if window not in book.windows[card]:
        when = " or ".join(WHEN[name] for name in book.windows[card])
        return Refusal("SMA-SPEC-1", f"{names.card(card)} can be used only {when}")
    return None


def _explain_blast(use: Use, effect: e.Blast, square: str) -> Refusal | None:
    field, ground = use.field, use.field.ground
    there = field.index.get(square, -1)
    if there not in field.tyranids:
        return Refusal("SMA-FRAG-1", f"no Tyranid is on {square}")
    if not ground.any_angle and ground.grid.direction(use.here, there) is None:
        return Refusal("SMA-FRAG-1", f"no straight line leads from him to {square}")
    distance = ground.distance(use.here, there)
    if distance > effect.range:
        return Refusal("SMA-FRAG-1", f"{square} is {distance} squares away, and {effect.range} is the most")
    refusal = explain_sight(field, use.here, square) if use.state.options.frag_needs_sight else None
    if refusal is not None:
        return Refusal("SMA-FRAG-2", refusal.reason)
    return explain_shield(use.book, use.state, field, use.here, square)


WHEN = {
    "own_turn": "in his own turn",
    "own_roll_failed": "right after one of his Attack or console dice failed",
    "wound_self": "when he is about to be wounded",
    "wound_near": "when a Space Marine adjacent to him is about to be wounded",
    "infestation_revealed": "when an infestation card has been revealed",
    "between": "before an activation card is turned over",
}
