"""Combat phases: the order of battles, what begins and ends one, re-rolls, growth, and fallen areas."""

from __future__ import annotations

from ..chance import Reveal, Roll
from ..events import CounterReturned, Step
from ..rules import Decision, Refusal, Script, do
from . import endings
from .actions import END, KEEP, ROLL_AGAIN, Fight, Keep, RollAgain
from .book import Book
from .effects import Grow, NoDevastation
from .events_battle import (
    AreaDevastated,
    BattleBegan,
    BattleEnded,
    DieCast,
    HiveMindLost,
    MineDetonated,
    ProtoidGrew,
    RerollDeclined,
)
from .losses import fighters
from .state import LID, TYRANID, Battle, DoomState
from .steps import BattleOver, Combat, EndCombat, Lose, Mine, Odds, Reroll, SpaceRound

# Which battles there are


def contested(book: Book, state: DoomState) -> list[str]:
    """Return the areas where a battle is still due in this phase, in the order of the map (DOE-COMBAT-1, -5, DOE-FORT-6)."""
    return [
        area
        for area in book.areas
        if area in state.stacks and area in state.eldar and area not in state.fought and fighters(book, state, area)
    ]


def ask_combat(book: Book, state: DoomState, step: Combat) -> Decision | None:
    """Ask the phasing player for the next battle (DOE-COMBAT-3)."""
    areas = contested(book, state)
    return Decision(step.side, tuple(map(Fight, areas)), "Which battle is fought next?") if areas else None


def resolve_combat(book: Book, state: DoomState, step: Combat, action: Fight) -> Script:
    """Begin a battle of everything in the area (DOE-COMBAT-2, DOE-COMBAT-4)."""
    area = action.area
    kind = "space" if area in book.deep else "craftworld"
    eldar, tyranid = tuple(state.eldar[area]), tuple(state.stacks[area])
    yield BattleBegan(area, kind, step.side, eldar, tyranid, rule="DOE-COMBAT-1")
    first: tuple[Step, ...] = (SpaceRound(),)
    if kind == "craftworld":
        mines = [token for token in tyranid if "craftworld" in book.mines.get(state.face[token], ())]
        first = (*(Mine(token=token) for token in mines if step.side == TYRANID), Odds())
    yield do(*first, BattleOver(), step)


def explain_combat(book: Book, state: DoomState, step: Combat, action: object) -> Refusal | None:
    """Say why no battle is fought there, or why the phase does not end yet."""
    if action == END:
        return Refusal("DOE-COMBAT-1", "every battle must be fought before the phase ends")
    if not isinstance(action, Fight):
        return None
    if action.area not in book.adjacent:
        return Refusal("DOE-MAP-1", f"there is no area {action.area}")
    where = book.names.area(action.area)
    if action.area in state.fought:
        return Refusal("DOE-COMBAT-3", f"the battle at {where} has been fought in this phase")
    if action.area in state.stacks and action.area in state.eldar:
        return Refusal("DOE-COMBAT-5", f"a face-up Hive Mind alone makes no battle at {where}")
    return Refusal("DOE-COMBAT-1", f"{where} does not hold counters of both sides")


def fighting(state: DoomState) -> Battle:
    """Return the battle that is on."""
    assert state.battle is not None
    return state.battle


# The die on the table


def cast(state: DoomState, side: str, purpose: str, rule: str) -> Script:
    """Roll a side's die of the battle (DOE-SPACE-1, DOE-CW-3)."""
    (value,) = yield Roll(side, 6, 1, purpose, fighting(state).area, rule)
    yield DieCast(side, value, rule=rule)


def window(state: DoomState) -> tuple[Reroll, ...]:
    """Return the question of a re-roll, if a side holds one (DOE-REROLL-1)."""
    holder = fighting(state).holder
    return (Reroll(side=holder),) if holder else ()


def ask_reroll(book: Book, state: DoomState, step: Reroll) -> Decision:
    """Ask the holder of the re-roll about the die on the table, his own or the enemy's (DOE-REROLL-4, -5)."""
    battle = fighting(state)
    whose = "your" if battle.side == step.side else "the enemy's"
    return Decision(step.side, (ROLL_AGAIN, KEEP), f"Is {whose} {battle.roll} rolled again?")


def resolve_reroll(book: Book, state: DoomState, step: Reroll, action: RollAgain | Keep) -> Script:
    """Roll again: the second roll stands (DOE-REROLL-2)."""
    battle = fighting(state)
    rule = "DOE-REROLL-4" if battle.kind == "space" else "DOE-REROLL-5"
    if isinstance(action, Keep):
        yield RerollDeclined(step.side, rule=rule)
        return
    (value,) = yield Roll(battle.side, 6, 1, "re-roll", battle.area, rule)
    yield DieCast(battle.side, value, True, rule="DOE-REROLL-2")


# Mines


def burst(book: Book, state: DoomState, token: str, rule: str) -> Script:
    """Detonate a mine: it goes to the lid, and the Eldar lose a counter of their choice (DOE-MINE-1, DOE-MINE-2)."""
    battle = fighting(state)
    item = yield Reveal(LID, token, rule=rule)
    yield MineDetonated(token, battle.area, rule=rule)
    yield CounterReturned(LID, token, rule=rule)
    effect = book.mines[item][battle.kind]
    yield do(Lose(side=effect.pick, count=effect.losses))


# The end of a battle, and of the phase


def run_over(book: Book, state: DoomState, step: BattleOver) -> Script:
    """Let Protoids that fed grow, and end the battle (DOE-PROT-2, DOE-END-1)."""
    battle = fighting(state)
    area = battle.area
    if battle.kind == "craftworld" and battle.killed:
        for token in state.stacks.get(area, ()):
            yield from _grow(book, state, token)
    eldar, tyranid = bool(state.eldar.get(area)), bool(fighters(book, state, area))
    outcome = "both" if eldar and tyranid else "eldar" if eldar else "tyranid" if tyranid else "none"
    yield BattleEnded(area, "retreat" if battle.fled else outcome, rule="DOE-COMBAT-3")
    yield from endings.check(book, state)


def _grow(book: Book, state: DoomState, token: str) -> Script:
    for effect in book.counters[state.face[token]].effects:
        if isinstance(effect, Grow):
            stage = min(state.stages.get(token, 0) + effect.step, len(effect.stages) - 1)
            if stage != state.stages.get(token, 0):
                yield ProtoidGrew(token, stage, *effect.stages[stage], rule="DOE-PROT-2")


def run_end_combat(book: Book, state: DoomState, step: EndCombat) -> Script:
    """Devastate what has fallen (DOE-FORT-3, -5), and lose a lonely Hive Mind if the game is played so (G-15)."""
    for area in tuple(state.fortified):
        wreckers = [token for token in state.stacks.get(area, ()) if not _harmless(book, state, token)]
        if wreckers and area not in state.eldar:
            yield AreaDevastated(area, area in book.calls_yriel, rule="DOE-FORT-3")
    if state.options.hive_mind_end == "dies_alone":
        for area, stack in tuple(state.stacks.items()):
            if area in state.eldar and not fighters(book, state, area):
                for token in tuple(stack):
                    yield HiveMindLost(token, area, rule="DOE-HM-4")
                    yield CounterReturned(LID, token, rule="DOE-HM-4")
        yield from endings.check(book, state)


def _harmless(book: Book, state: DoomState, token: str) -> bool:
    effects = book.counters[state.face[token]].effects if token in state.face else ()
    return any(isinstance(effect, NoDevastation) for effect in effects)
