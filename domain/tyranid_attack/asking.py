"""What real dice and cards are asked for at a table: whose they are, and what for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..chance import Draw, Roll
from .facts import Names
from .state import HiveState

OWNERS = {"marines": "the Marine player's", "tyranid": "the Tyranid player's"}
"""Whose the dice of a stream are; those of other streams are anybody's."""

Words = Callable[[HiveState, Names, Any], str]


def words(state: HiveState, names: Names, request: object) -> str:
    """Return what a die or a card is asked for, to follow "What came out of"; empty for a request of no known purpose.

    Only what everybody may know is said.
    """
    if isinstance(request, Roll) and request.purpose in ROLLS:
        said = ROLLS[request.purpose](state, names, request)
        dice = "die" if request.count == 1 else "dice"
        return f"{OWNERS.get(request.stream, 'the')} {dice} for {said}"
    if isinstance(request, Draw) and request.purpose in DRAWS:
        return DRAWS[request.purpose](state, names, request)
    return ""


def _said(text: str) -> Words:
    return lambda state, names, request: text


def _of(text: str) -> Words:
    return lambda state, names, request: text.format(request.subject)


def _at(text: str) -> Words:
    return lambda state, names, request: text.format(names.target(state, request.subject), state.active or "a model")


def _card(state: HiveState, names: Names, request: Roll) -> str:
    subject = request.subject
    return f"the card's attack on {subject}" if subject in state.models else f"the card {names.card(subject)}"


ROLLS: Mapping[str, Words] = {
    "sides": _of("the sides, thrown by the {0} of two players: the higher leads the Space Marines"),
    "way": _of("where section {0} is laid: 1-2 left, 3-4 ahead, 5-6 right"),
    "turn": _said("which way round the section lies: 1 as it is drawn, 2 turned round"),
    "peek": _said("a look at the new card"),
    "defenders": _said("the number of defenders"),
    "card": _card,
    "cortex": _of("{0}, near the Energy Cortex"),
    "valve": _said("the last spasm of the Dermal Sphincter"),
    "scouts": _said("how many Scouts may return"),
    "reinforcement": _said("a reinforcement"),
    "shot": _at("the shot of {1} at {0}"),
    "burst": _of("the burst that reaches {0}"),
    "splinters": _of("the splinters that reach {0}"),
    "attack": _of("the attack of {0} hand to hand"),
    "defence": _of("the defence of {0} hand to hand"),
    "force axe": _of("the force axe of {0}"),
}
"""By purpose, what dice are for."""

DRAWS: Mapping[str, Words] = {
    "laid": lambda state, names, request: f"the shuffled sections: which is laid {_ordinal(request.place)}",
    "peek": _of("the card of section {0}, at which the Marine player alone looks"),
    "turned": _of("the card that is turned on section {0}"),
    "tile": _said("the location tile that the Marine player takes, for him alone"),
    "shown": _said("the location tile that is shown"),
}
"""By purpose, what cards and tiles are drawn for."""


def _ordinal(place: int) -> str:
    return ("first, at the rear", "second", "third", "fourth", "fifth", "last, in front")[place]
