"""The ruleset: which module asks, carries out and explains each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from ..chance import Luck, imagine
from ..content import Content
from ..errors import ContentError
from ..events import Action, CounterDrawn, CounterReturned, DiceRolled, Event, Step
from ..handlers import Handled, Handler, nothing
from ..happenings import Happening
from ..rules import Bot, Demo, Outcome, Refusal, Script, Seat
from ..secrets import SEALED, bare, hidden
from ..states import State
from ..words import sentence
from . import actions as act
from . import (
    battles,
    craftworld_battle,
    endings,
    losses,
    movement,
    notation,
    phases,
    setup,
    space_battle,
    specials,
    steps,
    tally,
    writing,
)
from .book import Book
from .bots import BOTS
from .catalogue import FILES, Catalogue
from .events import EVENTS
from .facts import PLAIN, SIDES, Fact, Names
from .state import ELDAR, TYRANID, DoomState, Options
from .summary import summary

HANDLERS: Mapping[type[Step], Handler] = {
    steps.SetUp: Handler(nothing, setup.ask_setup, setup.resolve_setup, setup.explain_setup),
    steps.FinishSetUp: Handler(setup.run_finish),
    steps.Turn: Handler(phases.run_turn),
    steps.Phase: Handler(phases.run_phase),
    steps.Order: Handler(nothing, phases.ask_order, phases.resolve_order, phases.explain_order),
    steps.Movement: Handler(nothing, movement.ask_movement, movement.resolve_movement, movement.explain_movement),
    steps.EndMovement: Handler(movement.run_end_movement),
    steps.Trim: Handler(movement.run_trim, movement.ask_trim, movement.resolve_trim, movement.explain_trim),
    steps.Combat: Handler(nothing, battles.ask_combat, battles.resolve_combat, battles.explain_combat),
    steps.EndCombat: Handler(battles.run_end_combat),
    steps.Special: Handler(nothing, specials.ask_special, specials.resolve_special, specials.explain_special),
    steps.Hit: Handler(nothing, specials.ask_hit, specials.resolve_hit, specials.explain_hit),
    steps.Return: Handler(nothing, specials.ask_return, specials.resolve_return, specials.explain_return),
    steps.EndTurn: Handler(endings.run_end_turn),
    steps.SpaceRound: Handler(space_battle.run_round),
    steps.Fire: Handler(space_battle.run_fire),
    steps.Hits: Handler(space_battle.run_hits),
    steps.Reroll: Handler(nothing, battles.ask_reroll, battles.resolve_reroll),
    steps.Lose: Handler(losses.run_lose, losses.ask_lose, losses.resolve_lose, losses.explain_lose),
    steps.Retreat: Handler(
        space_battle.run_retreat, space_battle.ask_retreat, space_battle.resolve_retreat, space_battle.explain_retreat
    ),
    steps.Scatter: Handler(
        nothing, space_battle.ask_scatter, space_battle.resolve_scatter, space_battle.explain_retreat
    ),
    steps.Mine: Handler(
        nothing, craftworld_battle.ask_mine, craftworld_battle.resolve_mine, craftworld_battle.explain_mine
    ),
    steps.Odds: Handler(craftworld_battle.run_odds),
    steps.OddsRead: Handler(craftworld_battle.run_read),
    steps.BattleOver: Handler(battles.run_over),
}

_OUT_OF_PHASE: Mapping[type[Action], tuple[str, str]] = {
    act.RollAgain: ("DOE-REROLL-5", "no die may be rolled again now"),
    act.Use: ("DOE-SPEC-1", "special actions are made in the Eldar Special Actions phase"),
    act.Convert: ("DOE-CONV-1", "conversions are made in the Eldar Special Actions phase"),
    act.Move: ("DOE-SEQ-2", "counters move in their side's Movement phase"),
    act.Fight: ("DOE-SEQ-2", "battles are fought in a Combat phase, one after the other"),
    act.GiveOrder: ("DOE-MINE-1", "the standing order is given when the Tyranid Movement phase begins"),
    act.ShowSwarm: ("DOE-REVEAL-5", "the Hive Mind is turned face up in the Tyranid Movement phase"),
    act.SetUnit: ("DOE-SETUP-1", "the set-up is over"),
    act.QuickStart: ("DOE-SETUP-1", "the set-up is over"),
    act.RetreatTo: ("DOE-SPACE-4", "the Eldar break off after a round of a battle in space"),
    act.Detonate: ("DOE-MINE-2", "a Spore Mine detonates before a battle that the Tyranids start"),
}
"""Why an action has no place at another question (DOE-SEQ-2)."""


class DoomOfTheEldar(Handled):
    """Doom of the Eldar: the Eldar of Iyanden against a Tyranid hive fleet whose Swarms lie face down."""

    id = "doom-of-the-eldar"
    version = "1"
    title = "Doom of the Eldar"
    summary = "Iyanden against the hive fleet: hidden Swarms, two kinds of battle, a track of doom. 2 players."
    state: ClassVar[type[State]] = DoomState
    options = Options
    events: ClassVar[tuple[type[Event], ...]] = EVENTS
    actions = act.ACTIONS
    steps = steps.STEPS
    bots: ClassVar[Mapping[str, Bot]] = BOTS
    private = True
    handlers = HANDLERS
    elsewhere = _OUT_OF_PHASE
    otherwise = Refusal("DOE-SEQ-2", "that is no answer to what is asked now")
    demo = Demo(seed="iyanden", lines=("quickstart", "end"), refused="use spear", moves=16)

    @classmethod
    def packaged(cls) -> Content:
        files = Content.packaged(__package__).files
        return Content({name: files[name] for name in FILES})

    @cached_property
    def book(self) -> Book:
        """What the rules look up in the content; raises ContentError when it cannot be played with."""
        return Book(Catalogue(self.content))

    @cached_property
    def names(self) -> Names:
        """The names of things; their ids when the content is not there to be read."""
        try:
            return self.book.names
        except ContentError:
            return PLAIN

    def seats(self, options: Options) -> Sequence[Seat]:
        return [Seat(ELDAR, "The Eldar of Iyanden"), Seat(TYRANID, "The hive fleet")]

    def setup(self, state: DoomState) -> Script:
        return setup.start(self.book, state)

    def outcome(self, state: DoomState) -> Outcome | None:
        return endings.outcome(state)

    def parse(self, state: DoomState, seat: str, text: str) -> Sequence[Any]:
        return notation.parse(self, state, seat, text)

    def notation(self, state: DoomState, action: Any) -> str:
        return writing.write(state, action)

    def describe(self, state: DoomState, action: Any) -> str:
        return writing.describe(self.book, state, action)

    def determinize(self, seen: DoomState, seat: str, luck: Luck) -> DoomState:
        full: DoomState = seen.copy()
        full.chance = imagine(full.chance, luck)
        if bare(full.order) is SEALED:
            # Nobody tells the Eldar: any order is as good as another, small ones are the likelier.
            full.order = hidden(luck.below(6), (TYRANID,))
        return full

    def tell(self, state: DoomState, event: Event) -> str:
        names = self.names
        if isinstance(event, Fact):
            return event.words(state, names)
        if isinstance(event, CounterDrawn | CounterReturned):
            return ""  # told by the event that follows, as far as the reader may know it
        if isinstance(event, DiceRolled):
            if event.purpose in ("reinforcements", "sector", "yriel", *_ACTIONS):
                return ""  # told by the event that follows
            shown = " and ".join(map(str, event.values)) if isinstance(event.values, tuple) else "unseen"
            return sentence(f"{SIDES[event.stream]} roll {shown} ({event.purpose}).")
        return event.tell(state)

    def happenings(self, state: DoomState, event: Event) -> Sequence[Happening]:
        return tally.happenings(self.book, state, event)

    def figures(self, state: DoomState) -> Mapping[str, int]:
        return tally.figures(self.book, state)

    def called(self, id: str) -> str:
        return self.names.called(id)

    def summarize(self, state: DoomState) -> Sequence[tuple[str, str]]:
        return summary(self.book, state)


_ACTIONS = frozenset(("barrage", "repair", "muster", "warp_gate"))
"""Purposes of dice that the event of the special action tells."""

RULESET = DoomOfTheEldar()
