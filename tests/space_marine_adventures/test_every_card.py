"""Every card of the box is in a scene, by its id, and the scene plays it: a walk over the whole catalogue."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import test_briefings_and_activation as others
import test_cards_level_2 as level_2
import test_cards_level_3 as level_3
import test_infestation as level_1
import test_skull_cards as skull_cards
import test_specials as specials
import test_specials_in_the_lair as lair
from card_scenes import watched
from helpers import CATALOGUE, TEXTS, of

from warptape.domain.space_marine_adventures.events import (
    ActivationRevealed,
    InfestationResolved,
    InfestationRevealed,
    SpecialDiscarded,
    SpecialPlayed,
)

SPECIALS: dict[str, tuple[Callable[[str], object], ...]] = {
    card: (specials.SCENES[special.design], lair.SCENES[special.design]) for card, special in CATALOGUE.specials.items()
}
INFESTATION = {**level_1.SCENES, **level_2.SCENES, **level_3.SCENES, **skull_cards.SCENES}
OF_THE_BOX = {
    "infestation.toml": {**level_1.SCENES, **level_2.SCENES, **level_3.SCENES},
    "advanced.toml": {**skull_cards.SCENES, **others.CHALLENGES},
    "specials.toml": SPECIALS,
    "activation.toml": others.ACTIVATION,
    "missions.toml": others.MISSIONS,
}
"""The scenes by the file of the content that has the cards."""


@pytest.mark.parametrize("name", OF_THE_BOX)
def test_every_card_that_the_content_names_is_in_a_scene(name: str) -> None:
    """By the texts themselves: a card that is added to a file without a scene fails here, and so does a scene of none."""
    ids = [line.split('"')[1] for line in TEXTS[name].splitlines() if line.startswith("id = ")]
    assert len(ids) == len({*ids})
    without = [card for card in ids if card not in OF_THE_BOX[name]]
    assert not without, f"no scene plays {without}"
    assert not {*OF_THE_BOX[name]} - {*ids}


def test_how_many_cards_there_are() -> None:
    """SMA-COMP-12, SMA-COMP-13: 83 infestation cards, 6 skull cards, 6 challenges, 28 specials, 16 activation, 6 briefings."""
    assert [len(OF_THE_BOX[name]) for name in OF_THE_BOX] == [83, 12, 28, 16, 6]
    assert {*INFESTATION} == {*CATALOGUE.infestation}


@pytest.mark.parametrize("card", CATALOGUE.infestation)
def test_an_infestation_card_is_turned_over_and_carried_out_in_its_scene(card: str) -> None:
    with watched() as events:
        INFESTATION[card](card)
    assert card in {event.card for event in of(events, InfestationRevealed)}
    assert card in {event.card for event in of(events, InfestationResolved)}


@pytest.mark.parametrize("card", CATALOGUE.specials)
def test_a_special_card_is_played_and_discarded_in_each_of_its_scenes(card: str) -> None:
    for scene in SPECIALS[card]:
        with watched() as events:
            scene(card)
        assert card in {event.card for event in of(events, SpecialPlayed)}
        assert card in {event.card for event in of(events, SpecialDiscarded)}


@pytest.mark.parametrize("card", CATALOGUE.activation)
def test_an_activation_card_is_turned_over_in_its_scene(card: str) -> None:
    with watched() as events:
        others.ACTIVATION[card](card)
    assert card in {event.card for event in of(events, ActivationRevealed)}
