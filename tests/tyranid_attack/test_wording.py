"""Actions in words and positions in rows; neither they nor the notation betray a secret."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import laws
import msgspec
import pytest
from eager import eager
from hive import BOOK
from phrasebook import ENTER, FREE, HV1, SC1, bad, duel, hall, read

from warptape.domain.errors import BadNotation, IllegalAction
from warptape.domain.tyranid_attack import RULESET, steps
from warptape.domain.tyranid_attack import actions as act
from warptape.domain.tyranid_attack.events_model import PartyBought
from warptape.domain.tyranid_attack.events_ship import TileTaken
from warptape.domain.tyranid_attack.state import MARINES, TYRANID, HiveState, Options
from warptape.domain.words import sentence

# Words


@pytest.mark.parametrize(
    ("line", "state", "words"),
    [
        ("use SC1", FREE, "SC1 (Scout) at 5:g5"),
        ("use SG1", hall(life={"SG1": 1}), "SG1 (Scout Sergeant) at 5:d6, 1 life left"),
        ("move 5:e3", SC1, "To 5:e3 (2 squares, keeps out of the unexplored section)"),
        ("move 5:e3 enter", SC1, "To 5:e3 (6 squares, steps into the unexplored section)"),
        ("move 5:h4", SC1, "To 5:h4 (1 square)"),
        ("move 5:e1", SC1, "To 5:e1 = 6:e11 (4 squares, steps into the unexplored section)"),
        ("shoot GE3", SC1, "Shoot at GE3 at 5:g8 (2 dice, needs 5)"),
        ("shoot GE3*3 BO1*1", HV1, "Shoot at BO1 at 5:h6 (1 die, needs 6) and GE3 at 5:g8 (3 dice, needs 5)"),
        ("hellfire floor", HV1, "Hellfire at an empty square"),
        ("fight BO1", SC1, "Fight BO1 at 5:h6 (2 dice against 4 dice+1)"),
        ("shoot DN1/2 SC1", duel(),
         "Shoot at SC1 at 5:g6 (2 dice, needs 4) with the missile launcher, and a burst around it"),
        ("drop 2", duel(active="", pending=(steps.Drop(model="DN1"),)), "Lose the missile launcher (weapon 2)"),
        ("enter GE1 1:e11", ENTER, "GE1 (Genestealer) enters on 1:e11"),
        ("order mark", FREE, "Mark Your Targets"),
    ],
)  # fmt: skip
def test_actions_in_words(line: str, state: HiveState, words: str) -> None:
    """What a menu says: squares to go, dice, and what they need."""
    (action,) = read(line, state)[-1:]
    assert RULESET.describe(state, action) == words


# Secrets


LINES: Sequence[str] = (
    "use SC1", "move SC1 6:e10", "shoot SC1 GE3", "place GE1 6:g6", "template OBJ-3 5:d4 wide", "cyst 6:g6", "xyzzy",
    "enter GE2 5:e1", "order marks", "use GE44",
)  # fmt: skip


def said(line: str, state: HiveState, seat: str) -> str:
    """What a line comes to for a seat: its actions, or what it is told."""
    try:
        return repr(read(line, state, seat))
    except (BadNotation, IllegalAction) as error:
        return f"{error} {getattr(error, 'suggestion', '')}"


def test_notation_and_summary_betray_no_secret() -> None:
    """The tile held and the card that lies face down: the Tyranid player reads the same, whatever they are."""
    cards = list(BOOK.catalogue.cards)
    one = hall(card=cards[2], known=True, tile="LOC-3")
    two = hall(card=cards[9], known=True, tile="LOC-5")
    for line in LINES:
        assert said(line, one, TYRANID) == said(line, two, TYRANID)
    theirs = [RULESET.summarize(RULESET.view(state, TYRANID)) for state in (one, two)]
    assert theirs[0] == theirs[1]
    assert ("The tile held", "face down") in theirs[0]
    mine = dict(RULESET.summarize(RULESET.view(one, MARINES)))
    assert mine["The tile held"] == "section 3: the Respiratory Vent"
    assert BOOK.names.card(cards[2]) in mine["Unexplored"]


def test_a_seat_that_is_not_asked_is_shown_no_lines_of_the_other() -> None:
    assert bad("use", FREE).suggestion == "use SG1"
    assert not bad("use", FREE, TYRANID).suggestion
    assert read("shoot GE3 SC1", FREE, TYRANID) == [act.Shoot((("SC1", 1),))]


def test_the_summary_says_what_is_on_the_table() -> None:
    state = hall(
        active="SC1", turn=4, life={"SG1": 1}, artifacts={"SC2": [3]}, lying={4: "5:e7"}, cysts=["5:d8"],
        templates={"OBJ-1": "1:e5"}, destroyed=["OBJ-2"], gone=["OBJ-3"], lost=["SC6"], prone=["SC2"],
        ready={"DS1": 5}, orders=["mark"],
    )  # fmt: skip
    rows = dict(RULESET.summarize(state))
    assert rows["Turn"] == "4: the Space Marines, SC1 is taken up"
    assert "SC2 5:f8 (prone, A3)" in rows["Marines"]
    assert "SG1 5:d6 (life 1)" in rows["Marines"]
    assert "its gun recharges until turn 5" in rows["Tyranids"]
    assert "heavy bolter, missile launcher" in dict(RULESET.summarize(duel()))["Tyranids"]
    assert rows["Objectives"] == "1 of 4 destroyed (OBJ-2), OBJ-3 lost"
    assert rows["The Dermal Sphincter (OBJ-1)"] == "1:e5 1:f5 1:g5 1:e6 1:f6 1:g6"
    assert rows["Artifacts that lie"] == "A4 on 5:e7"
    assert rows["Cysts"] == "5:d8"
    assert rows["Scouts lost"] == "SC6"
    assert rows["Orders"] == "Mark Your Targets"
    assert rows["Hellfire shells, melta-bombs"] == "3, 2"
    assert rows["Sections, the rear first"].startswith("1 (to the north), 2 (to the north)")


def test_numbers_agree_with_what_they_count() -> None:
    state = msgspec.structs.replace(FREE, pool=["GE1", "GE2", "BO1", "BO2", "DS1"])
    assert dict(RULESET.summarize(state))["In the pool"] == (
        "2 Genestealers, 2 Tyranid Warriors with Boneswords, 1 Tyranid Warrior with Deathspitter"
    )
    assert RULESET.describe(FREE, act.BuyKind("scout", 1)) == "1 Scout, 2 points"
    assert RULESET.describe(FREE, act.BuyKind("scout", 2)) == "2 Scouts, 4 points"
    said = [
        PartyBought(kind="scout", models=("SC1",), points=2).words(FREE, BOOK.names),
        PartyBought(kind="scout", models=("SC1", "SC2"), points=4).words(FREE, BOOK.names),
        TileTaken(place=4, left=1).words(FREE, BOOK.names),
        TileTaken(place=3, left=2).words(FREE, BOOK.names),
    ]
    assert said == [
        "1 Scout joins for 2 points: SC1.",
        "2 Scouts join for 4 points: SC1 and SC2.",
        "The Marine player takes a location tile; 1 is left.",
        "The Marine player takes a location tile; 2 are left.",
    ]


@pytest.mark.parametrize("seed", ["words 1", "words 2", "words 3"])
def test_no_sentence_begins_small(seed: str) -> None:
    state: Any = RULESET.state()
    for event in laws.whole(RULESET, seed, Options(party="points"), 1200, eager).events:
        said = RULESET.tell(state, event)
        assert said == sentence(said)
        event.apply(state)
