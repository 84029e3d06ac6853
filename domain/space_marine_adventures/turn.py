"""A Marine's turn, and free actions outside it (SMA-ACT-1 to SMA-ACT-9)."""

from __future__ import annotations

from typing import Any

from ..rules import Decision, Refusal, Script, do
from . import actions as act
from . import attacks, console, moves
from .abilities import command, explain_command, explain_grenade, grenade, turn_actions
from .book import Book
from .endings import all_on_exit, end
from .events_turn import ActivationPiled, FreeActionsLapsed, TurnEnded, TurnStarted
from .field import Field
from .specials import explain_card, explain_play, play, plays
from .state import FreeRecord, LevelState, TurnRecord
from .steps import Free, RollFailed, Turn
from .wounds import holder, play_card


def begin(book: Book, state: LevelState, code: str) -> Script:
    """Begin a Marine's turn; spores take actions from it (SMA-ROUND-3, SMA-ACT-1)."""
    side, lost = book.side(state, code), state.marines[code].spores
    yield TurnStarted(code, max(0, side.actions - lost), side.name, lost, rule="SMA-ROUND-3")
    yield do(Turn(marine=code))


def legal(book: Book, state: LevelState, turn: TurnRecord) -> list[object]:
    """Return every action of the turn; `end` is the last and always there (SMA-ACT-3, SMA-ACT-4)."""
    code, field = turn.marine, book.field(state)
    here, left = field.index[state.marines[code].square], turn.left
    found: list[object] = []
    moves.moves(field, here, left + turn.free_moves, found)
    if field.tyranids and left + turn.free_attacks:
        shots = field.ground.attacks
        found.extend([shots[square] for square, _ in book.targets(state, field, here, book.side(state, code).range)])
    if left and console.can_try(book, state, turn):
        found.append(act.TRY_CONSOLE)
    turn_actions(book, state, field, turn, found)
    if state.marines[code].cards:
        plays(book, state, field, code, "own_turn", found)
    found.append(act.END)
    return found


def could_go_on(book: Book, state: LevelState, turn: TurnRecord) -> bool:
    """Say whether anything but `end` is legal (SMA-ACT-6)."""
    field = book.field(state)
    here = field.index[state.marines[turn.marine].square]
    return moves.can_move(field, here, moves.budget(turn)) or len(legal(book, state, turn)) > 1


def ask_turn(book: Book, state: LevelState, step: Turn) -> Decision | None:
    """Ask for the next action; the turn asks nothing more when the Marine is out or the level is to end."""
    turn = state.turn
    if turn is None or not state.marines[step.marine].square or all_on_exit(state):
        return None
    return Decision("team", legal(book, state, turn), book.prompts[step.marine])


def resolve_turn(book: Book, state: LevelState, step: Turn, action: Any) -> Script:
    """Take an action of the turn, which goes on afterwards."""
    turn = state.turn
    assert turn is not None
    kind = type(action)
    if kind is act.End:
        yield from finish(state, step.marine, "ended" if could_go_on(book, state, turn) else "no_action")
        return
    yield do(step)
    field = book.field(state)
    if kind is act.Move:
        yield from moves.move(state, field, turn, action.to)
    elif kind is act.Attack:
        yield from attacks.attack(book, state, field, turn, action.square)
    elif kind is act.TryConsole:
        yield from console.try_console(book, state, turn)
    elif kind is act.Command:
        yield from command(book, state, turn, action)
    elif kind is act.ThrowGrenade:
        yield from grenade(book, state, field, turn, action)
    else:
        yield from play(book, state, step.marine, action)


def run_turn(book: Book, state: LevelState, step: Turn) -> Script:
    """End the level if all are on the exit tile, else the turn of a Marine who is out (SMA-END-5)."""
    if all_on_exit(state):
        yield from end(book, state, "all_on_exit")
    else:
        yield from finish(state, step.marine, "out")


def finish(state: LevelState, code: str, reason: str) -> Script:
    """End a turn: what is left of it lapses, and its card goes on the pile (SMA-ACT-6, SMA-ACT-7)."""
    yield TurnEnded(code, reason, rule="SMA-ACT-6" if reason == "no_action" else "SMA-ACT-4")
    if state.activation:
        yield ActivationPiled(state.activation, rule="SMA-ROUND-2")


# Free actions outside the turn


def legal_free(book: Book, state: LevelState, field: Field, free: FreeRecord) -> list[object]:
    """Return every free action that is left, and `pass`."""
    here = field.index[state.marines[free.marine].square]
    found: list[object] = []
    moves.moves(field, here, free.moves + free.either, found)
    if field.tyranids and free.attacks + free.either:
        shots = field.ground.attacks
        found.extend(
            [shots[square] for square, _ in book.targets(state, field, here, book.side(state, free.marine).range)]
        )
    found.append(act.PASS)
    return found


def ask_free(book: Book, state: LevelState, step: Free) -> Decision | None:
    """Ask for the next free action."""
    free = state.free
    if free is None or not state.marines[step.marine].square or all_on_exit(state):
        return None
    actions = legal_free(book, state, book.field(state), free)
    return Decision("team", actions, f"{book.names.marine(step.marine)} may act out of turn:")


def resolve_free(book: Book, state: LevelState, step: Free, action: Any) -> Script:
    """Take a free action, or give up what is left."""
    free = state.free
    assert free is not None
    if type(action) is act.Pass:
        yield from run_free(book, state, step)
        return
    yield do(step)
    field = book.field(state)
    if type(action) is act.Move:
        yield from moves.move(state, field, free, action.to)
    else:
        yield from attacks.attack(book, state, field, free, action.square)


def run_free(book: Book, state: LevelState, step: Free) -> Script:
    """Close free actions: what is left lapses (SMA-ACT-7); then the exit tile is tested (SMA-END-5)."""
    free = state.free
    if free is not None:
        yield FreeActionsLapsed(step.marine, free.moves + free.attacks + free.either, rule="SMA-ACT-7")
    if all_on_exit(state):
        yield from end(book, state, "all_on_exit")


# Second rolls


def resolve_failed(book: Book, state: LevelState, step: RollFailed, action: object) -> Script:
    """Roll a failed die again, or leave it (SMA-ATK-6)."""
    if not isinstance(action, act.React):
        return
    if action != act.ABILITY:
        yield from play_card(state, step.marine, action.card)
    yield from attacks.roll_again(book, state, step, action)
    again = attacks.roll if step.purpose == "attack" else console.roll
    yield from again(book, state, step, again=True)


# Refusals


def explain_turn(book: Book, state: LevelState, step: Turn, action: Any) -> Refusal | None:
    """Return why an action is not one of this turn, None when it is."""
    turn, kind = state.turn, type(action)
    assert turn is not None
    field = book.field(state)
    name = book.names.marine(step.marine)
    if kind is act.Move:
        return moves.explain_move(state, field, turn, action)
    if kind is act.Attack:
        return attacks.explain_attack(book, state, field, turn, action)
    if kind is act.TryConsole:
        return console.explain_console(book, state, turn)
    if kind is act.Command:
        return explain_command(book, state, field, turn, action)
    if kind is act.ThrowGrenade:
        return explain_grenade(book, state, field, turn, action)
    if kind is act.Play:
        return explain_play(book, state, "own_turn", step.marine, action)
    if kind is act.React:
        return _explain_late(book, state, turn, action)
    if kind is act.Next:
        return Refusal("SMA-ROUND-2", f"{name}'s turn comes first; `end` ends it")
    if kind is act.Pass:
        return Refusal("SMA-ACT-4", f"there is nothing to pass; `end` ends {name}'s turn")
    return None


def explain_free(book: Book, state: LevelState, step: Free, action: Any) -> Refusal | None:
    """Return why an action is none that this Marine may take outside his turn, None when it is (SMA-ACT-9)."""
    free, kind = state.free, type(action)
    assert free is not None
    field = book.field(state)
    name = book.names.marine(step.marine)
    if kind is act.Move:
        return moves.explain_move(state, field, free, action)
    if kind is act.Attack:
        return attacks.explain_attack(book, state, field, free, action)
    if kind is act.TryConsole:
        return Refusal("SMA-CON-8", "no free action can be a console try")
    if kind is act.Command or kind is act.ThrowGrenade:
        return Refusal("SMA-ACT-9", f"it is not {name}'s turn: he may only use his free actions, or `pass`")
    if kind is act.Play:
        refusal = explain_card(book, state, action.card, "own_turn", step.marine)
        return refusal or Refusal("SMA-SPEC-1", f"it is not {name}'s turn")
    if kind is act.React:
        return _explain_late(book, state, free, action)
    if kind is act.Next:
        return Refusal("SMA-ROUND-2", f"{name}'s free actions come first; `pass` gives them up")
    if kind is act.End:
        return Refusal("SMA-ACT-7", f"it is not {name}'s turn; `pass` gives up his free actions")
    return None


def _explain_late(book: Book, state: LevelState, record: TurnRecord | FreeRecord, action: act.React) -> Refusal:
    """Return why a reaction comes at no time for it: after a second roll the reason is SMA-ATK-6."""
    rolls = action == act.ABILITY or "own_roll_failed" in book.windows.get(action.card, ())
    if record.second_roll and rolls and (action == act.ABILITY or holder(state, action.card) == record.marine):
        return Refusal("SMA-ATK-6", "the last die was a second roll, and no die is rolled again twice")
    if action == act.ABILITY:
        return Refusal("SMA-ABIL-ADR", "there is no failed Attack die to roll again")
    window = "none"
    return explain_card(book, state, action.card, window, "") or Refusal("SMA-SPEC-1", "there is nothing to react to")
