"""The ruleset: which module asks, carries out and explains each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from ..content import Content
from ..errors import ContentError, OptionError
from ..events import CardDrawn, CounterDrawn, CounterReturned, DeckShuffled, DiceRolled, Event, Step
from ..handlers import Handled, Handler, nothing
from ..happenings import Happening
from ..rules import Bot, Demo, Outcome, Refusal, Script, Seat
from ..states import State
from ..upcasts import Upcasts
from ..words import sentence
from . import actions as act
from . import (
    advanced,
    attacks,
    campaign,
    endings,
    infestation,
    notation,
    players,
    ready,
    setup,
    steps,
    tally,
    turn,
    tyranid_effects,
    wounds,
    writing,
)
from . import reinforcements as rein
from .book import Book
from .bots import BOTS
from .catalogue import FILES, Catalogue
from .events import EVENTS
from .facts import PLAIN, Fact, Names, a
from .refusals import explain
from .state import LevelState, Options
from .summary import summary

HANDLERS: Mapping[type[Step], Handler] = {
    steps.ChooseChallenges: Handler(nothing, advanced.ask_challenges, advanced.resolve_challenges),
    steps.ChooseSkulls: Handler(nothing, advanced.ask_skulls, advanced.resolve_skulls),
    steps.CallMarine: Handler(nothing, campaign.ask_call, campaign.resolve_call),
    steps.NextLevel: Handler(campaign.run_next),
    steps.ChooseBoard: Handler(nothing, setup.ask_board, setup.resolve_board),
    steps.ChooseEntry: Handler(nothing, setup.ask_entry, setup.resolve_entry),
    steps.ChooseSquad: Handler(nothing, setup.ask_squad, setup.resolve_squad),
    steps.DeploySquad: Handler(nothing, setup.ask_deploy, setup.resolve_deploy),
    steps.Populate: Handler(setup.run_populate),
    steps.EquipSquad: Handler(setup.run_equip, setup.ask_equip, setup.resolve_equip),
    steps.Begin: Handler(setup.run_begin),
    steps.Ready: Handler(ready.run_ready, ready.ask_ready, ready.resolve_ready),
    steps.Turn: Handler(turn.run_turn, turn.ask_turn, turn.resolve_turn),
    steps.Free: Handler(turn.run_free, turn.ask_free, turn.resolve_free),
    steps.RollFailed: Handler(nothing, attacks.ask_failed, turn.resolve_failed),
    steps.Salvo: Handler(attacks.run_salvo),
    steps.Infest: Handler(infestation.run_infest),
    steps.Revealed: Handler(infestation.run_revealed, infestation.ask_revealed, infestation.resolve_revealed),
    steps.Carry: Handler(infestation.run_carry),
    steps.CardDone: Handler(infestation.run_done),
    steps.Tie: Handler(nothing, tyranid_effects.ask_tie, tyranid_effects.resolve_tie),
    steps.Place: Handler(rein.run_place, rein.ask_place, rein.resolve_place),
    steps.Spread: Handler(rein.run_spread, rein.ask_spread, rein.resolve_spread),
    steps.PlaceAtRolls: Handler(rein.run_rolls),
    steps.Ambushed: Handler(
        tyranid_effects.run_ambushed, tyranid_effects.ask_ambushed, tyranid_effects.resolve_ambushed
    ),
    steps.Strikes: Handler(infestation.run_strikes),
    steps.Wound: Handler(wounds.run_wound, wounds.ask_wound, wounds.resolve_wound),
    steps.OrderCards: Handler(nothing, ready.ask_order, ready.resolve_order),
}


class SpaceMarineAdventures(Handled):
    """Space Marine Adventures: Tyranid Attack!, three levels and a campaign, for one to four people against the cards."""

    id = "space-marine-adventures"
    version = "2"
    # Version 1 had Level 1 alone: its logs have the form of today's, but for options that did not exist.
    upcasters: ClassVar[Mapping[str, Upcasts]] = {"1": Upcasts()}
    title = "Space Marine Adventures: Tyranid Attack!"
    summary = "Four Space Marines against the cards, in three levels and a campaign of them. Co-operative, 1-4 players."
    state: ClassVar[type[State]] = LevelState
    options = Options
    events: ClassVar[tuple[type[Event], ...]] = EVENTS
    actions = act.ACTIONS
    steps = steps.STEPS
    handlers = HANDLERS
    bots: ClassVar[Mapping[str, Bot]] = BOTS
    personal = ("players",)
    demo = Demo(
        seed="ancient", lines=("board 1-up", "enter A", "squad MAX ADR RAP VOR"), refused="board 2-up", moves=16
    )

    @classmethod
    def packaged(cls) -> Content:
        files = Content.packaged(__package__).files
        return Content({name: files[name] for name in (*FILES, "fixtures.toml") if name in files})

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

    def parse_options(self, given: Mapping[str, str]) -> Options:
        options: Options = super().parse_options(given)
        if options.mode == "campaign" and "level" in given:
            raise OptionError("A campaign plays all three levels: leave out the option 'level'.")
        advanced.check_options(self.book, options)
        players.check_players(self.book, options)
        return options

    def seats(self, options: Options) -> Sequence[Seat]:
        return [Seat("team", "The squad")]

    def levels(self, options: Options) -> int:
        return len(options.levels)

    def people(self, options: Options) -> Mapping[str, Sequence[str]]:
        names = players.people(options)
        return {"team": names} if names else {}

    def person(self, state: LevelState, action: Any) -> str:
        return players.person(state, action)

    def asked(self, state: LevelState) -> Sequence[str]:
        return players.asked(state, self.decision(state)) if state.options.players else ()

    def setup(self, state: LevelState) -> Script:
        return setup.start(self.book, state)

    def explain(self, state: LevelState, step: Any, action: Any) -> Refusal | None:
        decision = self.ask(state, step)
        if decision is not None and action in decision.actions:
            return None
        return explain(self.book, state, step, action)

    def outcome(self, state: LevelState) -> Outcome | None:
        return endings.outcome(state)

    def parse(self, state: LevelState, seat: str, text: str) -> Sequence[Any]:
        return notation.parse(self, state, text)

    def notation(self, state: LevelState, action: Any) -> str:
        return writing.write(state, action)

    def describe(self, state: LevelState, action: Any) -> str:
        return writing.describe(self.book, state, action)

    def tell(self, state: LevelState, event: Event) -> str:
        names = self.names
        if isinstance(event, Fact):
            return event.words(state, names)
        if isinstance(event, CardDrawn):
            # What a card is, the event that follows from it says.
            return ""
        if isinstance(event, CounterDrawn):
            return sentence(f"{a(names.counter(str(event.item)))} is drawn from the bag.")
        if isinstance(event, CounterReturned):
            return f"The {names.counter(event.token)} goes back in the bag."
        if isinstance(event, DiceRolled):
            who = "The team" if event.subject == "team" else names.marine(event.subject)
            shown = " and ".join(map(str, event.values)) if isinstance(event.values, tuple) else "unseen"
            against = f" against the {event.purpose}" if event.purpose in ("claws", "spines") else ""
            return f"{who} rolls {shown}{against}."
        if isinstance(event, DeckShuffled):
            return f"Shuffled: {event.deck} ({len(event.items)})."
        return event.tell(state)

    def happenings(self, state: LevelState, event: Event) -> Sequence[Happening]:
        return tally.happenings(self.book, state, event)

    def figures(self, state: LevelState) -> Mapping[str, int]:
        return tally.figures(state)

    def spot(self, state: LevelState, place: str) -> str:
        return f"{state.face}:{place}" if state.face else place

    def called(self, id: str) -> str:
        return self.names.called(id)

    def summarize(self, state: LevelState) -> Sequence[tuple[str, str]]:
        return summary(self.names, state)


RULESET = SpaceMarineAdventures()
