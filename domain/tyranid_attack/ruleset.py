"""The ruleset: which module asks, carries out and explains each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import msgspec

from ..content import Content
from ..errors import ContentError
from ..events import Action, CardDrawn, DeckShuffled, DiceRolled, Event, Step
from ..handlers import Handled, Handler, nothing
from ..happenings import Happening
from ..rules import Bot, Demo, Outcome, Refusal, Script, Seat
from ..secrets import Sealed
from ..states import State
from . import actions as act
from . import (
    activation,
    asking,
    cards,
    endings,
    exploration,
    fighting,
    harm,
    notation,
    objectives,
    placing,
    setup,
    shooting,
    steps,
    tally,
    writing,
)
from .book import Book
from .bots import BOTS
from .catalogue import FILES, Catalogue
from .events import EVENTS
from .facts import PLAIN, Fact, Names
from .state import MARINES, TILES, TYRANID, HiveState, Options
from .summary import summary

HANDLERS: Mapping[type[Step], Handler] = {
    steps.Buy: Handler(nothing, setup.ask_buy, setup.resolve_buy, setup.explain_buy),
    steps.Deploy: Handler(nothing, setup.ask_deploy, setup.resolve_deploy, setup.explain_deploy),
    steps.DeployOn: Handler(nothing, setup.ask_square, setup.resolve_square, setup.explain_square),
    steps.MarinePart: Handler(activation.run_marine_part),
    steps.TyranidPart: Handler(activation.run_tyranid_part),
    steps.Free: Handler(nothing, activation.ask_free, activation.resolve_free, activation.explain_free),
    steps.Acting: Handler(
        activation.run_acting, activation.ask_acting, activation.resolve_acting, activation.explain_acting
    ),
    steps.Aim: Handler(nothing, shooting.ask_aim, shooting.resolve_aim, shooting.explain_aim),
    steps.FollowUp: Handler(nothing, fighting.ask_follow, fighting.resolve_follow, fighting.explain_follow),
    steps.EndPart: Handler(activation.run_end_part),
    steps.Reinforce: Handler(nothing, placing.ask_reinforce, placing.resolve_reinforce),
    steps.Enter: Handler(nothing, placing.ask_enter, placing.resolve_enter, placing.explain_enter),
    steps.Explore: Handler(exploration.run_explore),
    steps.PlaceTemplate: Handler(
        nothing, exploration.ask_template, exploration.resolve_template, exploration.explain_template
    ),
    steps.Defend: Handler(exploration.run_defend),
    steps.NextTile: Handler(exploration.run_next_tile),
    steps.TurnCard: Handler(exploration.run_turn),
    steps.Effects: Handler(cards.run_effects),
    steps.CardDone: Handler(cards.run_done),
    steps.Put: Handler(nothing, placing.ask_put, placing.resolve_put, placing.explain_put),
    steps.PutOn: Handler(nothing, placing.ask_put_on, placing.resolve_put_on, placing.explain_put_on),
    steps.LayCyst: Handler(nothing, placing.ask_cyst, placing.resolve_cyst, placing.explain_cyst),
    steps.Found: Handler(nothing, placing.ask_found, placing.resolve_found, placing.explain_found),
    steps.Arm: Handler(nothing, placing.ask_arm, placing.resolve_arm, placing.explain_arm),
    steps.Return: Handler(nothing, objectives.ask_return, objectives.resolve_return, objectives.explain_return),
    steps.Drop: Handler(nothing, harm.ask_drop, harm.resolve_drop, harm.explain_drop),
}

_OUT_OF_PLACE: Mapping[type[Action], tuple[str, str]] = {
    act.UseModel: ("TA-TURN-3", "no model is taken up now"),
    act.EndPartNow: ("TA-TURN-5", "the part does not end now"),
    act.PlayOrder: ("TA-ORDER-8", "no order is played now"),
    act.Follow: ("TA-FOLLOW-1", "there is no won round to follow up"),
    act.RollDie: ("TA-REINF-1", "the die is rolled when the Tyranid part begins"),
    act.EnterModel: ("TA-REINF-1", "no reinforcement enters now"),
    act.DeployModel: ("TA-SETUP-16", "the deployment is over"),
    act.StandOn: ("TA-SETUP-16", "nobody is being deployed"),
    act.BuyKind: ("TA-BUY-1", "nothing is bought now"),
    act.ReturnScout: ("TA-SPEC-1", "no Scout returns now"),
    act.StandTemplate: ("TA-OBJ-2", "no template is placed now"),
    act.PickModel: ("TA-CARD-2", "nothing is placed now"),
    act.PutModel: ("TA-CARD-2", "nothing is placed now"),
    act.PutCyst: ("TA-CYST-1", "no cyst opens now"),
    act.ArmWith: ("TA-DREAD-4", "nothing is armed now"),
    act.DropWeapon: ("TA-DREAD-6", "no weapon is lost now"),
}
"""Why an action has no place at another question."""


_ABOUT: Mapping[type[Step], str] = {
    steps.Buy: "TA-BUY-1",
    steps.Deploy: "TA-SETUP-16",
    steps.DeployOn: "TA-SETUP-16",
    steps.Free: "TA-TURN-5",
    steps.Acting: "TA-TURN-2",
    steps.Aim: "TA-WEAP-21",
    steps.FollowUp: "TA-FOLLOW-1",
    steps.Reinforce: "TA-REINF-1",
    steps.Enter: "TA-REINF-2",
    steps.PlaceTemplate: "TA-OBJ-2",
    steps.Put: "TA-RECYC-2",
    steps.PutOn: "TA-RECYC-2",
    steps.LayCyst: "TA-CYST-1",
    steps.Found: "TA-CARD-3",
    steps.Return: "TA-SPEC-1",
    steps.Arm: "TA-DREAD-4",
    steps.Drop: "TA-DREAD-6",
}
"""By question, the rule that asks it."""


class TyranidAttack(Handled):
    """Tyranid Attack: Scouts board a hive ship that rolls on beneath them, against its brood."""

    id = "tyranid-attack"
    version = "2"
    title = "Tyranid Attack"
    summary = "Scouts aboard a rolling hive ship: exploration, six objectives, shooting and hand-to-hand. 2 players."
    state: ClassVar[type[State]] = HiveState
    options = Options
    events: ClassVar[tuple[type[Event], ...]] = EVENTS
    actions = act.ACTIONS
    steps = steps.STEPS
    bots: ClassVar[Mapping[str, Bot]] = BOTS
    private = True
    handlers = HANDLERS
    elsewhere = _OUT_OF_PLACE
    about = _ABOUT
    otherwise = Refusal("TA-TURN-3", "that is no answer to what is asked now")
    demo = Demo(seed="hive", lines=("deploy auto", "ready"), refused="use GE1", moves=20)

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

    def parse_options(self, given: Mapping[str, str]) -> Options:
        options: Options = super().parse_options(given)
        self.book.extra(options)
        return options

    def seats(self, options: Options) -> Sequence[Seat]:
        return [Seat(MARINES, "The boarding party"), Seat(TYRANID, "The hive")]

    def setup(self, state: HiveState) -> Script:
        return setup.start(self.book, state)

    def outcome(self, state: HiveState) -> Outcome | None:
        return endings.outcome(state)

    def parse(self, state: HiveState, seat: str, text: str) -> Sequence[Any]:
        return notation.parse(self, state, seat, text)

    def notation(self, state: HiveState, action: Any) -> str:
        return writing.write(self.book, state, action)

    def describe(self, state: HiveState, action: Any) -> str:
        return writing.describe(self.book, state, action)

    def tell(self, state: HiveState, event: Event) -> str:
        names = self.names
        if isinstance(event, Fact):
            return event.words(state, names)
        if isinstance(event, CardDrawn):
            return self._tell_draw(event)
        if isinstance(event, DeckShuffled):
            return ""
        if isinstance(event, DiceRolled):
            return ""  # told by the event that follows
        return event.tell(state)

    def _tell_draw(self, event: CardDrawn) -> str:
        """Tell what one seat alone has seen; what all see, the event that follows tells."""
        if event.seen_by is None or isinstance(event.item, Sealed):
            return ""
        if event.deck.startswith(TILES):
            return f"It shows {self.names.tile(event.item)}."
        return f"It is {self.names.card(event.item)}."

    def wanted(self, state: HiveState, request: Any) -> str:
        return asking.words(state, self.names, request)

    def happenings(self, state: HiveState, event: Event) -> Sequence[Happening]:
        return tally.happenings(self.book, state, event)

    def figures(self, state: HiveState) -> Mapping[str, int]:
        return tally.figures(self.book, state)

    def spot(self, state: HiveState, place: str) -> str:
        return tally.spot(self.book, state, place)

    def bare(self, state: HiveState) -> HiveState:
        return msgspec.structs.replace(state, templates={}, cysts=[], artifacts={}, cards={})

    def called(self, id: str) -> str:
        return self.names.called(id)

    def summarize(self, state: HiveState) -> Sequence[tuple[str, str]]:
        return summary(self.book, state)


RULESET = TyranidAttack()
