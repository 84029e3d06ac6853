"""What the texts of the cards say against what their effects are: every figure, every name, every order of steps.

Each primitive is said in the words that the cards use; a text must be those words. So a figure that is changed in one of the
two and not in the other is found here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from helpers import CATALOGUE

from warptape.domain.space_marine_adventures import effects as e

CREATURES = ("termagant", "genestealer", "lictor")
ALL_KINDS = (*CREATURES, "prime")
WHO = {
    "each": "each Space Marine",
    "foremost": "the Space Marine nearest the objective square",
    "rearmost": "the Space Marine farthest from the objective square",
    "isolated": "the Space Marine farthest from every comrade",
}
COUNTS = ("no", "one", "two", "three", "four")
AROUND = " (with the Prime there, around it)"


def span(wound_on: int) -> str:
    """Up to a figure of a die."""
    return "on 1 or 2" if wound_on == 2 else f"on 1 to {wound_on}"


def creature(kind: str, count: int = 1) -> str:
    """So many counters of a kind."""
    one = "creature" if kind == "bag" else kind.capitalize()
    return f"a {one}" if count == 1 else f"{count} {one}s"


def numbers(entries: Sequence[int]) -> str:
    """The entries named."""
    *most, last = (str(entry) for entry in entries)
    return f"entries {', '.join(most)} and {last}" if most else f"entry {last}"


def of_kinds(kinds: Sequence[str], noun: str = "Tyranid") -> str:
    """One of those kinds, as a card names it."""
    return (
        f"a {noun}"
        if tuple(kinds) == ALL_KINDS
        else f"the {kinds[0].capitalize()}"
        if kinds[0] == "prime"
        else f"a {kinds[0].capitalize()}"
    )


def step(effect: Any) -> str:
    """One primitive in the words of the cards."""
    match effect:
        case e.PlaceEntries():
            return f"place {creature(effect.kind)} at xenos {numbers(effect.entries)}"
        case e.PlaceRolled(count=1, kind="bag"):
            return "roll a die and place another on the xenos entry square of that number"
        case e.PlaceRolled(count=1):
            return f"roll a die; place {creature(effect.kind)} on that xenos entry square"
        case e.PlaceRolled():
            return f"roll {COUNTS[effect.count]} dice; place {creature(effect.kind)} on the xenos entry square of each number rolled"
        case e.PlaceEmptyEntries(max=6):
            return "place a creature on every empty xenos entry square"
        case e.PlaceEmptyEntries():
            return f"place a creature on up to {COUNTS[effect.max]} empty xenos entry squares, lowest numbers first"
        case e.PlaceObjective():
            return "place a creature on the objective square"
        case e.Ambush():
            room = "one with no empty square beside him" if effect.who == "each" else "if there is no empty square, he"
            wound = "is wounded (once)" if effect.count > 1 else "is wounded"
            return f"place {creature(effect.kind, effect.count)} adjacent to {WHO[effect.who]}; {room} {wound}, unless he stands on the entry tile"
        case e.Claws():
            return f"every Space Marine adjacent to {of_kinds(effect.kinds)} rolls a die and is wounded {span(effect.wound_on)}"
        case e.Spines(wound_on=6):
            return f"every Space Marine whom {of_kinds(effect.kinds)} can see within {effect.range} squares is wounded"
        case e.Spines():
            return f"every Space Marine whom {of_kinds(effect.kinds)} can see within {effect.range} squares rolls a die and is wounded {span(effect.wound_on)}"
        case e.Charge():
            who = "Tyranids" if tuple(effect.kinds) == CREATURES else f"{effect.kinds[0].capitalize()}s"
            return f"{who} charge up to {effect.range} squares"
        case e.Spores(who="each", minus=1):
            return "each Space Marine has one action fewer in his next turn"
        case e.Harden(plus=1):
            kinds = [f"{kind.capitalize()}s" for kind in effect.kinds]
            return f"until the end of the round, the resilience of {', '.join(kinds[:-1])} and {kinds[-1]} is 1 higher"
        case e.PrimeHeal(count=1):
            return "remove one damage counter from the Prime"
        case e.ExtraInfestation(count=1):
            return "turn over one more infestation card"
        case e.Lull():
            return "nothing happens"
        case e.Branch(if_bag_empty=True):
            return f"{told(effect.otherwise)} if the bag is empty, instead {told(effect.then)}"
        case e.Branch(if_prime_damaged=True):
            return f"{told(effect.then)} if it has none, {told(effect.otherwise)}"
        case e.Branch():
            kind = effect.if_kind_on_board
            return f"if {of_kinds([kind])} is on the board, {told(effect.then)} otherwise {told(effect.otherwise)}"
        case _:
            raise AssertionError(f"no words for {effect}")


def told(effects: Sequence[Any]) -> str:
    """The steps of a card, in order."""
    return " ".join(step(effect) for effect in effects)


def plain(text: str) -> str:
    """A text without what joins its steps and without capitals: full stops, semicolons, `then`, `and then`."""
    text = text.replace(AROUND, "")
    text = text.replace("roll a die and place a ", "roll a die; place a ")
    text = re.sub(r"[.;,]?( and)? then\b|[.;,]", " ", text, flags=re.IGNORECASE)
    return " ".join(text.lower().split())


@pytest.mark.parametrize("card", CATALOGUE.infestation)
def test_the_text_of_an_infestation_card_is_what_its_effects_say(card: str) -> None:
    record = CATALOGUE.infestation[card]
    assert plain(record.text) == plain(told(record.effects))


@pytest.mark.parametrize("card", [card.id for card in CATALOGUE.infestation.values() if card.level == 3])
def test_cards_that_place_on_the_primes_square_say_where_the_creatures_come(card: str) -> None:
    record = CATALOGUE.infestation[card]
    places = "PlaceObjective" in str(record.effects)
    assert (AROUND in record.text) is (places and not record.skull)


FIGURES = {
    "blast": ("range",),
    "special_attack": ("range", "plus"),
    "line_blast": ("range",),
    "free_moves": ("count",),
    "free_attacks": ("count",),
    "free_actions": ("count",),
    "extra_actions": ("count",),
    "turn_bonus": ("attack_plus", "console_plus"),
    "peek_infestation": ("count",),
    "peek_bulkhead": ("count",),
    "heal": (),
    "prevent_wound": (),
    "cancel_infestation": (),
    "auto_hit": (),
    "reroll": (),
    "redeploy": (),
}
WINDOWS = {
    "own_turn": "In his own turn: ",
    "own_roll_failed": "After one of his Attack or console dice fails: ",
    "wound_self": "When he is about to be wounded: ",
    "wound_near": "When a Space Marine adjacent to him is about to be wounded: ",
    "infestation_revealed": "When an infestation card is revealed: ",
    "between": "Before an activation card is turned over: ",
}
WORDS = {1: "one", 2: "two", 3: "three", 4: "four"}


@pytest.mark.parametrize("card", CATALOGUE.specials)
def test_the_text_of_a_special_card_has_its_window_and_its_figures(card: str) -> None:
    """SMA-SPEC-7, section 6.2 and 6.4 of the card texts."""
    special = CATALOGUE.specials[card]
    (window,) = special.windows
    assert special.text.startswith(WINDOWS[window])
    rest = special.text.removeprefix(WINDOWS[window])
    for effect in special.effects:
        op = effect.__struct_config__.tag
        for figure in FIGURES[op]:
            value = getattr(effect, figure)
            if value:
                assert re.search(rf"\b({value}|{WORDS[value]})\b", rest), (figure, value)
    (twin,) = {other.text for other in CATALOGUE.specials.values() if other.design == special.design}
    assert twin == special.text, "both copies say the same"


def test_the_texts_of_challenges_have_their_figures() -> None:
    """Section 6.6 of the card texts."""
    words = {10: "ten", 3: "three", 2: "two", 4: "fourth"}
    events = {
        "ConsoleActivated": "console is activated",
        "MarineWounded": "first wound",
        "PrimeDamaged": "damage counter",
    }
    for challenge in CATALOGUE.challenges.values():
        (effect,) = challenge.effects
        match effect:
            case e.OnEvent():
                assert events[effect.event] in challenge.text
                assert "at the start of the next round" in challenge.text
                assert [do.count for do in effect.do] == [1]
                assert ("Each time" in challenge.text, effect.max is not None) == (not effect.once, not effect.once)
                assert effect.max is None or f"{words[effect.max]} at most" in challenge.text
            case e.Require():
                noun = "Tyranids" if effect.kind == "any" else f"{effect.kind.capitalize()}s"
                assert f"at least {words[effect.at_least]} {noun}" in challenge.text
                assert "the best result is a draw" in challenge.text
            case e.PrimeDestroyedAt():
                assert f"{words[effect.count]} damage counter would be placed" in challenge.text
            case _:
                raise AssertionError(challenge.id)
