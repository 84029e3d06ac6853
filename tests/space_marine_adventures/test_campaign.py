"""The campaign: when a level is completed, docking, the next board, and what goes over from level to level."""

from __future__ import annotations

from typing import Any

import pytest
from campaigns import (
    CAMPAIGN,
    CARDS,
    FACES,
    QUIET,
    campaign,
    creatures_and_cards,
    entered,
    into,
    last_card,
    last_step,
    standing,
)
from helpers import CATALOGUE, LULL, laid, names, of, the

from warptape.domain.chance import Fate
from warptape.domain.errors import OptionError
from warptape.domain.events import DeckShuffled
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures.events import (
    ActivationDeckBuilt,
    BulkheadsLaid,
    CampaignEnded,
    LevelCleared,
    LevelEnded,
    LevelStarted,
    MarineLeftBehind,
    MarineTakenOut,
    ObjectiveLaid,
    SquadChosen,
    VesselDocked,
    VesselLaid,
)
from warptape.domain.space_marine_adventures.state import Creature, FreeRecord, LevelState, Marine, bag_size, cards_left

BULKHEADS = ("bulkhead-1", "bulkhead-2", "bulkhead-3")


def grid(face: str, label: str) -> Any:
    """The ground of a face entered at an exit."""
    return CATALOGUE.hulk(face, label)


# A level and its result


def test_sma_camp_1_and_2_a_campaign_begins_with_level_1_as_usual() -> None:
    """Its own briefing is read; everything else is what a single game asks and lays."""
    options = RULESET.parse_options({"mode": "campaign"})
    played, single = (Match(RULESET, Fate("first"), one) for one in (options, None))
    assert options.levels == (1, 2, 3)
    started = the(played.events, LevelStarted)
    assert (started.level, started.mission) == (1, "campaign-1")
    while not played.state.round:
        assert played.decision is not None
        assert single.decision is not None
        assert played.decision.actions == single.decision.actions
        action = played.decision.actions[-1]
        played.act(action)
        single.act(action)
    assert played.events[2:] == single.events[2:]


def test_sma_camp_1_the_three_briefings_of_a_campaign() -> None:
    for number in (1, 2):
        assert last_card(number, standing(2)).state.mission == f"campaign-{number}"
        level = last_step(number)
        events = level.do("mv X1")
        started = the(events, LevelStarted)
        assert (started.level, started.mission, started.rule) == (number + 1, f"campaign-{number + 1}", "SMA-CAMP-3")


def test_a_campaign_names_no_level() -> None:
    """SMA-GEN-2: one level by itself, or all three."""
    with pytest.raises(OptionError, match="level"):
        RULESET.parse_options({"mode": "campaign", "level": "2"})


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("needed", [1, 2, 3])
def test_sma_camp_4_enough_marines_on_the_tile_complete_a_level(number: int, needed: int) -> None:
    """SMA-CAMP-3, SMA-CAMP-5, SMA-CAMP-22, ruling 40: two of them, or what `campaign_pass` says; there are no grades."""
    for on_exit in range(5):
        options = campaign(campaign_pass=needed)
        level = last_card(number, standing(on_exit, 4 - on_exit), options=options)
        events = level.infest(QUIET[number])
        ended = the(events, LevelEnded)
        assert ended.on_exit == on_exit
        if on_exit >= needed:
            assert ended.result == "completed"
            assert (level.asked, level.state.level) == ("ChooseBoard", number + 1)
            assert level.rules.outcome(level.state) is None
            assert not of(events, CampaignEnded)
        else:
            assert ended.result == "campaign_lost"
            assert the(events, CampaignEnded).rule == "SMA-CAMP-5"
            assert (level.asked, level.state.level, level.state.over) == ("", number, "campaign_lost")
            assert not of(events, LevelCleared)
            outcome = level.rules.outcome(level.state)
            assert outcome is not None
            assert (outcome.result, outcome.winners, outcome.figures["level"]) == ("campaign_lost", (), number)


def test_sma_camp_5_a_squad_that_is_out_has_lost_the_campaign() -> None:
    level = laid(marines={"MAX": "f3"}, wounded=["MAX"], out=["ADR", "RAP", "LUK"], options=CAMPAIGN)
    events = level.infest("INF-1-07", "T01")
    assert (the(events, LevelEnded).reason, the(events, CampaignEnded).result) == ("all_out", "campaign_lost")
    assert names(events)[-3:] == ["LevelEnded", "CampaignEnded", "Awaiting"]


def test_with_campaign_pass_1_a_lone_marine_goes_on() -> None:
    """`campaign_pass = 1`: his deck holds two cards of his and four Tyranid ones, and he is given a choice of two."""
    level = laid(
        marines={"MAX": "m10"}, out=["ADR", "RAP", "LUK"], exit="B", turn="MAX", options=campaign(campaign_pass=1)
    )
    into(level)
    assert (level.at("MAX"), level.state.squad, len(level.state.deck)) == ("V4", ("MAX",), 6)
    assert len(level.state.chance.decks["specials/1"].seen) == 2


# Boards and docking


@pytest.mark.parametrize("number", [1, 2])
def test_sma_camp_6_the_boards_that_are_left(number: int) -> None:
    """One of the two boards not yet used, then the last one; the team picks the face."""
    level = last_step(number)
    level.do("mv X1")
    boards = {1: ("2", "3"), 2: ("3",)}[number]
    assert level.legal() == {f"board {board}-{face}" for board in boards for face in ("up", "down")}
    assert level.why("board 1-up") == level.why("board 1-down") == "SMA-CAMP-6"
    if number == 2:
        assert level.why("board 2-down") == "SMA-CAMP-6"
    face = f"{boards[-1]}-down"
    level.do(f"board {face}")
    assert level.state.face == face


@pytest.mark.parametrize("label", "ABCD")
def test_sma_camp_7_and_8_the_tile_docks_by_its_far_end(label: str) -> None:
    """X4 becomes V1, X3 V2, X2 V3, X1 V4: the survivors keep their squares, and the tile is the entry tile now."""
    level = last_card(1, {"MAX": "X1", "ADR": "X4", "RAP": "h2", "LUK": "X2"})
    level.infest(LULL)
    assert {code: level.at(code) for code in level.state.squad} == {"MAX": "X1", "ADR": "X4", "LUK": "X2"}
    events = entered(level, face="2-down", label=label)
    docked = the(events, VesselDocked)
    assert docked.moved == {"X4": "V1", "X3": "V2", "X2": "V3", "X1": "V4"}
    assert (docked.label, docked.squares, docked.rule) == (label, ("V1", "V2", "V3", "V4"), "SMA-CAMP-8")
    assert {code: level.at(code) for code in level.state.squad} == {"MAX": "V4", "ADR": "V1", "LUK": "V3"}
    assert not of(events, VesselLaid)
    assert not of(events, SquadChosen)
    ground = RULESET.book.ground(level.state)
    assert ground.index["V1"] in ground.neighbours[ground.hulk.exits[label]]
    assert level.asked == "EquipSquad"


def test_the_squad_walks_off_the_tile_onto_the_new_board() -> None:
    """SMA-CAMP-7: from V1 the next step is the new board's entry square."""
    level = last_card(1, {"MAX": "X4", "ADR": "X3"}, out=["RAP", "LUK"])
    level.state.turn = None
    level.infest(LULL)
    into(level, face="3-up", label="C")
    hulk = grid("3-up", "C")
    level.turn("MAX")
    square = hulk.grid.name(hulk.exits["C"])
    level.do(f"mv {square}")
    assert level.at("MAX") == square


def test_sma_camp_9_the_bulkheads_are_shuffled_anew() -> None:
    """They lie on the three other exits of the new board, sealed; any of them may be the one that opens, known to nobody."""
    opened = set()
    for order in (BULKHEADS, BULKHEADS[::-1], ("bulkhead-2", "bulkhead-3", "bulkhead-1")):
        level = last_step(1, peeked={"B": "open", "C": "sealed", "D": "sealed"})
        level.do("mv X1")
        level.do("board 2-up")
        events = level.do("enter C")
        laid_now = the(events, BulkheadsLaid)
        assert (laid_now.labels, laid_now.rule) == (("A", "B", "D"), "SMA-CAMP-9")
        shuffled = the(events, DeckShuffled)
        assert (shuffled.deck, shuffled.ordinal, shuffled.items) == ("bulkheads", 2, BULKHEADS)
        assert (level.state.bulkheads, level.state.sealed, level.state.peeked) == (("A", "B", "D"),) * 2 + ({},)
        level.do("nocall", *creatures_and_cards(level))
        while level.asked == "EquipSquad":
            level.do(next(iter(sorted(level.legal()))))
        level.turn("MAX")
        level.state.marines["MAX"].square = level.state.objective
        level.state.kills["lictor"] = 3
        level.state.moved()
        level.referee.reset(level.state)
        level.do("con", 6, *order)
        opened.add(level.state.exit)
    assert opened == {"A", "B", "D"}


@pytest.mark.parametrize("number", [1, 2])
def test_sma_camp_10_and_11_the_objective_moves_and_the_old_board_is_cleared(number: int) -> None:
    """The console has to be worked again at Level 2; at Level 3 the Prime stands on the new board's square."""
    level = last_step(number, tyranids={"b2": "termagant", "c2": "genestealer"})
    level.do("mv X1")
    assert level.state.tyranids == {}
    events = entered(level, face=FACES[number + 1])
    objective = the(events, ObjectiveLaid)
    hulk = grid(FACES[number + 1], "A")
    assert objective.square == level.state.objective == hulk.grid.name(hulk.objective)
    assert objective.side == ("console" if number == 1 else "prime")
    assert not level.state.console
    if number == 2:
        assert level.state.tyranids[objective.square] == Creature("P", "prime")


def test_sma_camp_17_creatures_and_bag_of_level_2() -> None:
    """A Lictor and five Termagants are laid, 16 counters are in the bag, whatever the old level left; 29 new cards."""
    level = last_step(1, bag=["T12"], infestation=["INF-1-01"], used=["SP-20"])
    into(level)
    kinds = sorted(creature.kind for creature in level.state.tyranids.values())
    assert kinds == ["lictor"] + ["termagant"] * 5
    assert bag_size(level.state) == 16
    assert cards_left(level.state) == 29
    assert level.state.chance.decks["infestation/2"].items == CATALOGUE.decks[2]
    assert (level.state.round, level.asked) == (1, "Ready")


def test_sma_camp_17_creatures_and_bag_of_level_3() -> None:
    """Six creatures are drawn, then the briefing lays one on each side of the Prime."""
    level = last_step(2)
    into(level, face="3-up")
    around = [square for square in level.state.tyranids if square != level.state.objective]
    assert len(around) == 6 + 3
    assert bag_size(level.state) == 22 - len(around)
    assert level.state.chance.decks["infestation/2"].items == CATALOGUE.decks[3]


# What goes over, and what is reset

KEPT = {
    "options", "pending", "chance", "decisions", "level", "mission", "ended", "squad", "marines", "faces", "called",
    "gone", "fallen", "strays", "spent", "dares", "cleared", "over", "rounds_before", "kills_before",
}  # fmt: skip
"""The fields that the end of a level leaves something in, or leaves alone."""
SOMETHING: dict[type, Any] = {int: 4, str: "x", bool: True, list: ["x"], tuple: ("x",), dict: {"x": 1}}
"""What a field holds, by its type, that is not as in a new game."""


def test_what_a_level_leaves_behind_is_the_squad_and_the_record_of_the_campaign() -> None:
    """SMA-CAMP-11, SMA-CAMP-12: every other field of the position is as in a new game, whatever stood in it."""
    level = last_step(
        1,
        tyranids={"b2": "termagant"},
        spores={"ADR": 2},
        wounded=["ADR"],
        cards={"ADR": "SP-01 SP-02"},
        dares=["CHA-1-1"],
    )
    state, fresh = level.state, LevelState()
    state.free = FreeRecord("RAP", moves=1)
    reset = {name for name in state.__struct_fields__ if name not in KEPT}
    for name in reset:
        if getattr(state, name) == getattr(fresh, name):
            setattr(state, name, SOMETHING[type(getattr(fresh, name))])
    assert all(getattr(state, name) != getattr(fresh, name) for name in reset)
    LevelCleared(1, ("MAX", "ADR", "RAP")).apply(state)
    assert {name for name in reset if getattr(state, name) != getattr(fresh, name)} == set()
    assert state.marines["ADR"] == Marine("X2", 1, ["SP-01", "SP-02"], 0)
    assert (state.gone, state.fallen, state.strays) == (("LUK",), ("LUK",), ())
    assert (state.faces, state.dares) == (("1-up",), ("CHA-1-1",))
    assert state.chance.bags == {}


def test_sma_camp_12_wounds_stay_and_so_do_unused_cards() -> None:
    """Nobody is healed between levels; cards that were not used stay with their Marines."""
    level = last_step(1, wounded=["ADR"], cards={"ADR": "SP-20", "RAP": "SP-01 SP-02"})
    into(level)
    assert [level.wounds(code) for code in ("MAX", "ADR", "RAP")] == [0, 1, 0]
    hands = {code: level.state.marines[code].cards for code in level.state.squad}
    assert hands["ADR"][0] == "SP-20"
    assert hands["RAP"][:2] == ["SP-01", "SP-02"]
    assert [len(hand) for hand in hands.values()] == [1, 2, 3]


def test_a_marine_wounded_at_level_1_goes_out_at_his_next_wound() -> None:
    """SMA-CAMP-12, SMA-WND-2."""
    level = last_step(1, wounded=["ADR"])
    into(level)
    level.state.marines["MAX"].square = "V1"
    level.state.tyranids = {"V4": Creature("G01", "genestealer")}  # beside V3, where he stands
    level.state.moved()
    events = level.infest("INF-2-23", 1)
    assert the(events, MarineTakenOut).marine == "ADR"


def test_e39_spores_lapse_when_the_level_ends() -> None:
    """E39, SMA-ACT-8: a Marine who never had his next turn has all his actions at the next level."""
    level = last_step(1, spores={"RAP": 3, "ADR": 1})
    into(level)
    assert [level.state.marines[code].spores for code in level.state.squad] == [0, 0, 0]
    level.turn("RAP")
    assert level.left == 4


def test_hardening_and_the_known_top_end_with_the_level() -> None:
    """SMA-CAMP-11: resilience is what the datacards say, and the next card is drawn from the new deck."""
    level = last_step(1, hardened={"lictor": 2, "termagant": 1}, known=["INF-1-17", "INF-1-18"])
    into(level)
    assert RULESET.book.resilience(level.state, "lictor") == 5
    assert level.state.known == []
    level.infest("INF-2-29")


def test_rounds_are_counted_anew_and_the_activation_deck_is_shuffled() -> None:
    """SMA-ROUND-1: round 1 of the new level, with a deck of its own, though old cards had not come up."""
    level = last_step(1, round=4, activation=["act-tyranid-1", "act-adrix-1"])
    into(level)
    assert level.state.round == 1
    key = f"activation/{level.state.chance.ordinals['activation']}"
    assert level.state.chance.decks[key].items == level.state.deck
    assert level.state.chance.decks[key].seen == {}
    assert (level.state.turn, level.state.activation) == (None, "")


@pytest.mark.parametrize(("on_exit", "size"), [(4, 12), (3, 10), (2, 8)])
def test_e37_the_activation_deck_is_that_of_the_squad(on_exit: int, size: int) -> None:
    """E37: SMA-CAMP-20: two cards for each Marine there is, and four Tyranid cards."""
    level = last_card(1, standing(on_exit, 4 - on_exit))
    events = level.infest(LULL)
    assert [event.marine for event in of(events, MarineLeftBehind)] == list(("MAX", "ADR", "RAP", "LUK")[on_exit:])
    built = the(into(level), ActivationDeckBuilt)
    assert len(built.cards) == size
    assert {RULESET.book.shows[card] for card in built.cards} == {*level.state.squad, "tyranid"}
    assert sum("tyranid" in card for card in built.cards) == 4


# The end


@pytest.mark.parametrize("mates", [0, 1, 3])
def test_sma_camp_21_destroying_the_prime_is_an_epic_victory(mates: int) -> None:
    """However many are left; nothing follows."""
    others = ("MAX", "ADR", "RAP")
    marines = {"VOR": "g6", **dict(zip(others[:mates], ("b2", "c2", "d2"), strict=False))}
    level = laid("1-down", level=3, turn="VOR", damage=2, bag=[], marines=marines, out=others[mates:], options=CAMPAIGN)
    events = level.do("at g7", 6, 1)
    ended, over = the(events, LevelEnded), the(events, CampaignEnded)
    assert (ended.reason, ended.result, ended.in_play) == ("prime_destroyed", "epic_victory", mates + 1)
    assert (over.result, over.rule, level.asked) == ("epic_victory", "SMA-CAMP-21", "")
    outcome = level.rules.outcome(level.state)
    assert outcome is not None
    assert (outcome.result, outcome.winners, outcome.words) == ("epic_victory", ("team",), "epic victory")


@pytest.mark.parametrize("damage", [0, 2])
def test_sma_camp_22_a_prime_that_lives_has_won(damage: int) -> None:
    """One counter short is no draw here."""
    level = laid(level=3, marines={"MAX": "h2", "ADR": "i2"}, damage=damage, infestation=["INF-3-30"], options=CAMPAIGN)
    events = level.infest("INF-3-30")
    assert (the(events, LevelEnded).result, the(events, CampaignEnded).result) == ("campaign_lost", "campaign_lost")


def test_a_whole_squad_is_offered_no_call_and_its_cards_add_up() -> None:
    """SMA-CAMP-18, SMA-CAMP-19: four Marines, one new card each, from all 28 less those held."""
    level = last_card(1, standing(4), cards={"MAX": "SP-01", "LUK": "SP-28"})
    level.infest(LULL)
    level.do("board 2-up")
    chance = creatures_and_cards(level)
    events = level.do("enter B", *chance)
    assert level.asked == "EquipSquad"
    shuffled = [event for event in of(events, DeckShuffled) if event.deck == "specials"]
    assert [event.items for event in shuffled] == [tuple(c for c in CARDS if c not in ("SP-01", "SP-28"))]
    assert shuffled[0].rule == "SMA-CAMP-19"
    assert len(level.state.pool) == 8
