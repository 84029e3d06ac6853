"""The Attack: sight, range, dice, and what a failed die may still become (SMA-SEE, SMA-RNG, SMA-ATK)."""

from __future__ import annotations

from collections.abc import Sequence

from ..chance import Roll
from ..events import CounterReturned
from ..geometry import Corner
from ..rules import Decision, Refusal, Script, do
from .actions import ABILITY, PASS, Attack, React
from .book import Book
from .events_action import AttackDeclared, AttackMissed, CounterDestroyed, RolledAgain
from .events_turn import AbilityUsed, FreeActionGranted
from .field import Field
from .moves import spend
from .prime import damage, explain_shield
from .state import BAG, PRIME, FreeRecord, LevelState, TurnRecord
from .steps import RollFailed, Salvo


def budget(record: TurnRecord | FreeRecord) -> int:
    """Return how many Attacks may still be made."""
    if isinstance(record, TurnRecord):
        return record.left + record.free_attacks
    return record.attacks + record.either


def can_attack(book: Book, state: LevelState, field: Field, code: str) -> bool:
    """Say whether a Marine has a target, whatever actions he has."""
    here = field.index[state.marines[code].square]
    return bool(field.tyranids) and bool(book.targets(state, field, here, book.side(state, code).range))


def attack(book: Book, state: LevelState, field: Field, record: TurnRecord | FreeRecord, square: str) -> Script:
    """Attack the Tyranid on a square, which is legal (SMA-ATK-1)."""
    code = record.marine
    side = book.side(state, code)
    own_turn = isinstance(record, TurnRecord)
    dice, modifier = side.dice, side.attack_plus
    if isinstance(record, TurnRecord):
        if side.dice_uses is not None and record.attacks_made >= side.dice_uses:
            dice = 1
        modifier += record.attack_plus
    elif side.dice_uses is not None:
        # What a datacard grants "in each of his turns" does not work outside them (SMA-ACT-9).
        dice = 1
    yield from spend(record, "attack", 1)
    there = field.index[square]
    target = field.tyranids[there]
    distance = field.ground.distance(field.index[state.marines[code].square], there)
    need = book.resilience(state, target.kind)
    yield AttackDeclared(
        code, target.counter, target.kind, square, distance, "attack", modifier, need, rule="SMA-ATK-1"
    )
    failed = RollFailed(
        marine=code,
        purpose="attack",
        own_turn=own_turn,
        dice=dice,
        modifier=modifier,
        need=need,
        values=(),
        counter=target.counter,
        square=square,
        distance=distance,
    )
    yield from roll(book, state, failed)


def roll(book: Book, state: LevelState, throw: RollFailed, again: bool = False) -> Script:
    """Roll an Attack, and ask about a second roll if it fails and this was none (SMA-ATK-2, SMA-ATK-6)."""
    code = throw.marine
    values = yield Roll(
        book.streams[code],
        count=throw.dice,
        purpose="attack",
        subject=code,
        rule="SMA-ATK-6" if again else "SMA-ATK-1",
    )
    if max(values) + throw.modifier >= throw.need:
        yield from hit(book, state, code, throw.square)
        gained = book.side(state, code).free_moves
        if gained:
            yield FreeActionGranted(code, "move", gained, "ability", rule=book.side(state, code).rule)
        return
    yield AttackMissed(code, throw.counter, rule="SMA-ATK-2")
    if not again and second_rolls(book, state, throw):
        yield do(with_values(throw, values))


def with_values(throw: RollFailed, values: tuple[int, ...]) -> RollFailed:
    """Return the question about a throw that fell like that."""
    return RollFailed(
        marine=throw.marine,
        purpose=throw.purpose,
        own_turn=throw.own_turn,
        dice=throw.dice,
        modifier=throw.modifier,
        need=throw.need,
        values=values,
        counter=throw.counter,
        square=throw.square,
        distance=throw.distance,
    )


def hit(book: Book, state: LevelState, code: str, square: str) -> Script:
    """Destroy the creature on a square: its counter goes back in the bag (SMA-ATK-3); the Prime is damaged."""
    target = state.tyranids[square]
    if target.kind == PRIME:
        yield from damage(book, state, code, square)
        return
    yield CounterDestroyed(target.counter, target.kind, square, code, rule="SMA-ATK-3")
    yield CounterReturned(BAG, target.counter, rule="SMA-ATK-3")


def second_rolls(book: Book, state: LevelState, step: RollFailed) -> list[React]:
    """Return how the failed die may be rolled again: cards of the window `own_roll_failed`, and Adrix's ability."""
    marine = state.marines[step.marine]
    ways = [React(card) for card in marine.cards if card in book.usable["own_roll_failed"]]
    turn = state.turn
    if step.own_turn and step.purpose == "attack" and turn is not None:
        ability = book.side(state, step.marine).second_roll
        if ability is not None and turn.second_rolls < ability.uses and step.distance >= ability.min_distance:
            ways.append(ABILITY)
    return ways


def ask_failed(book: Book, state: LevelState, step: RollFailed) -> Decision | None:
    """Ask whether the failed die is rolled again; nobody is asked when nothing can do so."""
    ways: Sequence[object] = second_rolls(book, state, step) if state.marines[step.marine].square else ()
    if not ways:
        return None
    shown = ", ".join(map(str, step.values))
    return Decision("team", [*ways, PASS], f"{book.names.marine(step.marine)} rolled {shown}: roll again?")


def roll_again(book: Book, state: LevelState, step: RollFailed, action: React) -> Script:
    """Say that a failed die is rolled again; the roll itself is the caller's."""
    if action == ABILITY:
        rule = book.side(state, step.marine).rule
        yield AbilityUsed(step.marine, "second_roll", rule=rule)
        yield RolledAgain(step.marine, "ability", step.values, rule=rule)
    else:
        yield RolledAgain(step.marine, action.card, step.values, rule="SMA-ATK-6")


def run_salvo(book: Book, state: LevelState, step: Salvo) -> Script:
    """Roll one die against the first of the counters that is still on the board (SMA-FRAG-3 to SMA-FRAG-5)."""
    if len(step.counters) > 1:
        yield do(Salvo(marine=step.marine, counters=step.counters[1:], cause=step.cause, plus=step.plus))
    wanted = step.counters[0]
    square = next((name for name, creature in state.tyranids.items() if creature.counter == wanted), "")
    if not square:
        return
    code, target = step.marine, state.tyranids[square]
    need = book.resilience(state, target.kind)
    field = book.field(state)
    here = field.index.get(state.marines[code].square, -1)
    if target.kind == PRIME and (here < 0 or book.shield(state, field, here)):
        return
    distance = field.ground.distance(here, field.index[square]) if here >= 0 else 0
    purpose, rule = (
        ("grenade", f"SMA-ABIL-{code}") if step.cause == "grenade" else ("card", book.dice_rules[step.cause])
    )
    yield AttackDeclared(code, wanted, target.kind, square, distance, step.cause, step.plus, need, rule=rule)
    (value,) = yield Roll(book.streams[code], purpose=purpose, subject=code, rule="SMA-FRAG-4")
    if value + step.plus >= need:
        yield from hit(book, state, code, square)
    else:
        yield AttackMissed(code, wanted, rule="SMA-ATK-2")


def explain_sight(field: Field, here: int, square: str) -> Refusal | None:
    """Return why a Marine on `here` does not see a Tyranid on `square`, None when he does (SMA-SEE-1 to SMA-SEE-6)."""
    ground = field.ground
    there = field.index.get(square, -1)
    if there < 0 or there not in field.tyranids:
        return Refusal("SMA-ATK-1", f"no Tyranid is on {square}")
    if field.sees(here, there):
        return None
    grid = ground.grid
    if not ground.any_angle and grid.direction(here, there) is None:
        # If only the reading of "straight" stands in the way, that ruling is the reason.
        if grid.sight(ground.corner, any_angle=True).sees(here, there, field.tyranids):
            return Refusal("SMA-SEE-2", f"{square} is in none of the eight straight directions from him")
        return Refusal("SMA-SEE-1", f"no straight line joins him to {square}")
    if ground.sight.between(here, there) is None:
        if grid.sight(Corner.OPEN, ground.any_angle).between(here, there) is not None:
            return Refusal("SMA-SEE-5", f"the line to {square} is pinched between solid corners")
        return Refusal("SMA-SEE-4", f"wall or a sealed bulkhead blocks the line to {square}")
    return Refusal("SMA-SEE-4", f"another Tyranid blocks the line to {square}")


def explain_attack(
    book: Book, state: LevelState, field: Field, record: TurnRecord | FreeRecord, action: Attack
) -> Refusal | None:
    """Return why an Attack is not legal, None when it is."""
    here = field.index[state.marines[record.marine].square]
    refusal = explain_sight(field, here, action.square)
    if refusal is not None:
        return refusal
    reach = book.side(state, record.marine).range
    distance = field.ground.distance(here, field.index[action.square])
    if distance > reach:
        return Refusal("SMA-RNG-1", f"{action.square} is {distance} squares away, and his range is {reach}")
    shield = explain_shield(book, state, field, here, action.square)
    if shield is not None:
        return shield
    if budget(record) > 0:
        return None
    if isinstance(record, FreeRecord):
        return Refusal("SMA-ACT-7", "none of his free actions may be an Attack")
    return Refusal("SMA-ACT-1", "he has no action left")
