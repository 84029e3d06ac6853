"""How a bot uses special cards, orders and reactions, and what it picks when a card leaves it a choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import actions as act
from . import effects as e
from .book import Book
from .bot_aims import console_chance
from .bot_outlook import activations
from .bot_plan import Plan
from .bot_routes import Goal
from .bot_turn import GAIN, THREAT, Acting
from .state import FreeRecord, LevelState, cards_left
from .steps import Ambushed, OrderCards, Revealed, RollFailed

PREFERENCE = (
    "warding-canticle",
    "refractor-field",
    "field-narthecium",
    "shield-of-a-brother",
    "combat-stimulants",
    "headlong-advance",
    "litany-of-wrath",
    "overwatch",
    "bolter-drill",
    "combined-assault",
    "teleport-beacon",
    "melta-charge",
    "krak-grenade",
    "auspex-sweep",
    "frag-grenade",
    "servo-skull-scout",
    "promethium-burst",
    "hellfire-shells",
    "rite-of-override",
)
"""Designs of special cards, the one most worth having first."""
AGAINST_PRIME = ("melta-charge", "krak-grenade")
"""Designs that are worth most against the Prime."""
AFTER = 3
"""After so many of the preferred designs come those that the level asks for."""
FOR_CONSOLE = ("rite-of-override",)
"""Designs that are worth most where kills are the key to the console."""
STOP = 0.7
"""Wounds from which on an infestation card is worth stopping."""
LIKELY = 0.5
"""The chance of success in this turn from which on tries at the console are helped by a card."""
SECOND = 0.2
"""What a second roll has to gain, in wounds, to be spent on the Prime or its guards."""
LATE = 4
"""Infestation cards left from which on nothing is saved up."""


def equip(book: Book, state: LevelState, actions: Sequence[act.Equip]) -> act.Equip:
    """Return the card most worth having among those offered."""
    specials, order = book.catalogue.specials, preference(book, state)
    return min(actions, key=lambda action: _rank(order, specials[action.card].design))


def preference(book: Book, state: LevelState) -> tuple[str, ...]:
    """Return the designs of special cards in the order in which they are worth having in this level."""
    mission = book.mission(state)
    first = AGAINST_PRIME if mission.prime.enabled else FOR_CONSOLE if mission.console.bonus_per_kill else ()
    if not first:
        return PREFERENCE
    rest = [design for design in PREFERENCE if design not in first]
    return (*rest[:AFTER], *first, *rest[AFTER:])


def _rank(order: Sequence[str], design: str) -> int:
    return order.index(design) if design in order else len(order)


# Own turn


def own_turn(acting: Acting) -> Any:
    """Return a special card or an order worth playing before the next action of a turn; None if there is none."""
    best, chosen = 0.0, None
    for action in acting.actions:
        if type(action) is act.Play:
            effect = acting.outlook.book.catalogue.specials[action.card].effects[0]
            gain = OWN_TURN[type(effect)](acting, effect, action) if type(effect) in OWN_TURN else 0.0
        elif type(action) is act.Command:
            gain = _order(acting, action)
        else:
            continue
        if gain > best:
            best, chosen = gain, action
    return chosen


def _order(acting: Acting, action: act.Command) -> float:
    command = acting.side.command
    gain = _free(acting, action.marine, 1)
    return gain if command is None or not command.cost or gain >= 2 * THREAT else 0.0


def _free(acting: Acting, code: str, count: int) -> float:
    """Return what free actions would be worth to another Marine."""
    outlook = acting.outlook
    record = FreeRecord(code, either=count)
    here = outlook.standing[code]
    shots = outlook.ground.attacks
    reach = outlook.book.side(outlook.state, code).range
    targets = outlook.book.targets(outlook.state, outlook.field, here, reach)
    other = Acting(outlook, record, [shots[square] for square, _ in targets])
    shot, _ = other.best_shot((act.Attack,))
    progress, _ = other.best_move(count)
    return max(shot, progress if progress >= GAIN else 0.0)


def _assault(acting: Acting, effect: e.FreeActions, action: act.Play) -> float:
    gain = _free(acting, action.args[0], effect.count)
    return gain if gain >= 2 * THREAT or _late(acting) else 0.0


def _heal(acting: Acting, effect: e.Heal, action: act.Play) -> float:
    own = action.args[0] == acting.code
    return 1.1 if own else 1.0


def _look(acting: Acting, effect: e.PeekBulkhead, action: act.Play) -> float:
    return 1.0


def _bonus(acting: Acting, effect: e.TurnBonus, action: act.Play) -> float:
    if effect.console_plus:
        return float(act.TRY_CONSOLE in acting.actions and _overrides(acting, effect.console_plus))
    if acting.outlook.assault is not None:
        return float(acting.left >= 2 and acting.outlook.assault.prime in [s for s, _ in acting.targets()])
    gain, shot = acting.best_shot((act.Attack,))
    return gain if shot is not None and gain >= THREAT and acting.left >= 2 else 0.0


def _overrides(acting: Acting, plus: int) -> bool:
    """Say whether to spend a bonus for console tries: if it makes success in this turn likely, or time runs short."""
    chance = console_chance(acting.outlook, plus)
    if not acting.outlook.book.mission(acting.outlook.state).console.bonus_per_kill:
        return acting.left >= 2
    return chance > 0 and (1 - (1 - chance) ** acting.left >= LIKELY or cards_left(acting.outlook.state) <= 3 * LATE)


def _attacks(acting: Acting, effect: e.FreeAttacks, action: act.Play) -> float:
    gains = [gain for square, _ in acting.targets() if (gain := acting.value(square)) >= THREAT]
    # Two threats at once, or one and no action left.
    return max(gains) if len(gains) > (1 if acting.left else 0) else 0.0


def _moves(acting: Acting, effect: e.FreeMoves, action: act.Play) -> float:
    return _further(acting, effect.count, effect.count - 1)


def _actions(acting: Acting, effect: e.ExtraActions, action: act.Play) -> float:
    if acting.left:
        return 0.0
    if acting.goal.working and acting.goal.distance == 0:
        return 1.0
    shot = max((acting.value(square) for square, _ in acting.targets()), default=0.0)
    return shot if shot >= 2 * THREAT else _further(acting, effect.count, effect.count)


def _further(acting: Acting, count: int, least: int) -> float:
    """Return what more steps gain for one who cannot reach the console or the exit without them."""
    goal = acting.goal
    if acting.steps or goal.safe or not (goal.working or goal.leaving or goal.fighting):
        return 0.0
    gain, _ = acting.best_move(count)
    return gain if gain >= least * goal.step else 0.0


def _beam(acting: Acting, effect: e.Redeploy, action: act.Play) -> float:
    goal, square = acting.goal, acting.outlook.ground.index[action.args[0]]
    saved = goal.distance - goal.costs[square]
    if goal.safe or acting.holds or saved < (2 if _late(acting) else 4):
        return 0.0
    return acting.worth(acting.here, 0) - acting.worth(square, 0)


def _late(acting: Acting) -> bool:
    return cards_left(acting.outlook.state) <= LATE


OWN_TURN: Mapping[type, Callable[[Acting, Any, act.Play], float]] = {
    e.Heal: _heal,
    e.PeekBulkhead: _look,
    e.TurnBonus: _bonus,
    e.FreeAttacks: _attacks,
    e.FreeMoves: _moves,
    e.ExtraActions: _actions,
    e.FreeActions: _assault,
    e.Redeploy: _beam,
}
"""What playing a card is worth, by its first effect; cards that shoot are shots like others."""


# Between turns


def between(outlook: Plan, actions: Sequence[Any]) -> Any:
    """Return `next`, or a card worth playing before it."""
    for action in actions:
        if type(action) is not act.Play:
            continue
        effect = outlook.book.catalogue.specials[action.card].effects[0]
        if isinstance(effect, e.FreeAttacks) and _overwatch(outlook, action.card):
            return action
        if isinstance(effect, e.PeekInfestation) and _sweep(outlook):
            return action
    return act.NEXT


def _overwatch(outlook: Plan, card: str) -> bool:
    code = next(code for code, marine in outlook.state.marines.items() if card in marine.cards and marine.square)
    reach = outlook.book.side(outlook.state, code).range
    seen = outlook.book.targets(outlook.state, outlook.field, outlook.standing[code], reach)
    worth = sum(sorted((outlook.value(square) for square, _ in seen), reverse=True)[:2])
    return worth >= (THREAT if cards_left(outlook.state) <= LATE else 3 * THREAT)


def _sweep(outlook: Plan) -> bool:
    _, tyranid = activations(outlook.book, outlook.state, "")
    exposed = sum(outlook.danger(square) >= 0.1 for square in outlook.standing.values())
    return tyranid > 0 and exposed >= 2


# Reactions and choices


def reroll(outlook: Plan, step: RollFailed, actions: Sequence[Any]) -> Any:
    """Return how a failed die is rolled again, or `pass`."""
    if act.ABILITY in actions:
        return act.ABILITY
    if step.purpose == "console":
        turn = outlook.state.turn
        return actions[0] if turn is None or not turn.left else act.PASS
    target = outlook.ground.index[step.square]
    if outlook.assault is not None and outlook.assault.value(target):
        miss = min(1.0, (step.need - step.modifier - 1) / 6) ** step.dice
        return actions[0] if (1 - miss) * outlook.value(target) >= SECOND else act.PASS
    if step.dice == 1 and step.need - step.modifier > 5:
        return act.PASS
    goal = Goal(outlook, step.marine)
    if outlook.threat(target) >= 2 * THREAT or goal.way(outlook, outlook.standing[step.marine]) == target:
        return actions[0]
    return act.PASS


def stop(outlook: Plan, step: Revealed, actions: Sequence[Any]) -> Any:
    """Return whether an infestation card is stopped: one that would hurt, or any near the end."""
    harm = outlook.harm(step.card)
    return actions[0] if harm >= (0.2 if cards_left(outlook.state) <= 2 else STOP) else act.PASS


def prevent(actions: Sequence[Any]) -> Any:
    """Return the card that prevents a wound: wounds are always prevented."""
    return actions[0]


def order(outlook: Plan, step: OrderCards, actions: Sequence[act.Order]) -> act.Order:
    """Return the order of known cards with the most harmful last."""
    harms = [outlook.harm(card) for card in outlook.state.known]
    wanted = tuple(sorted(range(1, len(harms) + 1), key=lambda number: (harms[number - 1], number)))
    return next((action for action in actions if action.numbers == wanted), actions[0])


def ambush(outlook: Plan, step: Ambushed, actions: Sequence[act.Pick]) -> act.Pick:
    """Return where a creature appears: beside as few Marines as possible, and not on the way."""
    code = step.marines[0]
    goal = Goal(outlook, code)
    index, neighbours, marines = outlook.ground.index, outlook.ground.neighbours, outlook.field.marines

    def cost(action: act.Pick) -> tuple[float, float]:
        square = index[action.choice]
        beside = sum(there in marines for there in neighbours[square])
        return beside, -goal.costs[square]

    return min(actions, key=cost)


def tie(outlook: Plan, actions: Sequence[act.Pick]) -> act.Pick:
    """Return which of several Marines is meant: an unhurt one, and one who has time before he acts."""
    marines, state = outlook.field.marines, outlook.state
    neighbours, tyranids = outlook.ground.neighbours, outlook.tyranids

    def cost(action: act.Pick) -> tuple[int, bool, float]:
        square = outlook.standing[action.choice]
        room = any(there not in marines and there not in tyranids for there in neighbours[square])
        return state.marines[action.choice].wounds, not room, outlook.weight(action.choice)

    return min(actions, key=cost)


def placed(outlook: Plan, actions: Sequence[act.Pick]) -> act.Pick:
    """Return where the last counters of a short bag go first: not where a Marine stands."""
    index, marines = outlook.ground.index, outlook.field.marines
    return min(actions, key=lambda action: index[action.choice] in marines)
