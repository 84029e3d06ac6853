"""Setting Level 1 up, step by step: board, entry, squad, creatures, decks, special cards."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from helpers import CATALOGUE, names, of, the

from warptape.domain.chance import Chance, Draw, Fate, Table
from warptape.domain.errors import ImpossibleOutcome, OptionError
from warptape.domain.events import Action, BagFilled, CardDrawn, DeckShuffled, Event
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures import actions as act
from warptape.domain.space_marine_adventures.events import (
    ActivationDeckBuilt,
    BoardLaid,
    BulkheadsLaid,
    CounterPlaced,
    LevelStarted,
    MarineDeployed,
    ObjectiveLaid,
    RoundStarted,
    SpecialsDrawn,
    SpecialsSetAside,
    SquadChosen,
    TurnStarted,
    VesselLaid,
)
from warptape.domain.space_marine_adventures.state import LevelState, Options

ROSTER = ("MAX", "ADR", "RAP", "LUK", "VOR")
POOL = ("SP-01", "SP-07", "SP-20", "SP-12", "SP-05", "SP-16", "SP-28", "SP-24")
LINES = (
    "board 2-down",
    "enter C",
    "squad MAX ADR RAP VOR",
    "deploy RAP=V1 MAX=V2 ADR=V3 VOR=V4",
    "equip MAX=SP-24 ADR=SP-20 RAP=SP-07 VOR=SP-12",
)


def set_up(*lines: str, chance: Chance | None = None, options: Options | None = None) -> Match:
    """A level whose set-up has come as far as these lines; the special cards drawn are those of POOL."""
    match = Match(RULESET, chance or Table(POOL), options)
    for line in lines:
        match.act(line)
    return match


def why(match: Match, action: Action) -> str:
    """The rule that refuses an action, empty if it is legal."""
    refusal = RULESET.refusal(match.state, "team", action)
    return refusal.rule if refusal is not None else ""


def legal(match: Match) -> set[object]:
    """The actions on offer."""
    return {*match.decision.actions} if match.decision is not None else set()


def state_of(match: Match) -> LevelState:
    """The position."""
    state: LevelState = match.state
    return state


# Board and entry


def test_sma_setup_1_the_team_picks_any_face() -> None:
    match = set_up()
    assert legal(match) == {act.LayBoard(face) for face in CATALOGUE.faces}
    assert len(CATALOGUE.faces) == 6
    assert why(match, act.LayBoard("4-up")) == "SMA-SETUP-1"
    for face in CATALOGUE.faces:
        event = the(set_up(f"board {face}").events, BoardLaid)
        assert (event.face, event.rule) == (face, "SMA-SETUP-1")


@pytest.mark.parametrize("face", CATALOGUE.faces)
@pytest.mark.parametrize("label", "ABCD")
def test_sma_setup_2_to_4_entry_tile_bulkheads_and_console(face: str, label: str) -> None:
    match = set_up(f"board {face}", f"enter {label}")
    state, events = state_of(match), match.events
    tile = the(events, VesselLaid)
    assert (tile.tile, tile.label, tile.squares) == ("entry", label, ("V1", "V2", "V3", "V4"))
    others = tuple(sorted({*"ABCD"} - {label}))
    assert the(events, BulkheadsLaid).labels == state.bulkheads == state.sealed == others
    assert sorted(the(events, DeckShuffled).items) == ["bulkhead-1", "bulkhead-2", "bulkhead-3"]
    console = the(events, ObjectiveLaid)
    hulk = CATALOGUE.hulk(face, label)
    assert (console.square, console.side) == (hulk.grid.name(hulk.objective), "console")
    assert not state.console
    assert state.exit == ""


def test_sma_setup_2_there_are_four_exits_to_enter_by() -> None:
    match = set_up("board 1-up")
    assert legal(match) == {act.Enter(label) for label in "ABCD"}
    assert why(match, act.Enter("E")) == "SMA-SETUP-2"


def test_sma_setup_3_nobody_looks_under_the_bulkheads() -> None:
    """What opens is not in the position: two games that will open different exits are the same until then."""
    played = [set_up("board 1-up", "enter A", chance=Fate(f"bulkheads {seed}")) for seed in range(40)]
    assert all(match.state == played[0].state and match.events == played[0].events for match in played)
    assert played[0].state.chance.decks["bulkheads/1"].seen == {}
    assert not of(played[0].events, CardDrawn)
    under = {Fate(f"bulkheads {seed}").card(played[0].state.chance, Draw("bulkheads/1", 0)) for seed in range(40)}
    assert len(under) == 3


# The squad


def test_sma_setup_5_four_of_the_five_marines() -> None:
    """SMA-SETUP-17: exactly four; the fifth stays out."""
    match = set_up(*LINES[:2])
    assert legal(match) == {act.Squad(squad) for squad in combinations(ROSTER, 4)}
    for squad in (ROSTER[:3], ROSTER, ("MAX", "MAX", "ADR", "RAP"), ()):
        assert why(match, act.Squad(squad)) == "SMA-SETUP-5"
    match.act("squad MAX ADR RAP VOR")
    assert the(match.events, SquadChosen).marines == ("MAX", "ADR", "RAP", "VOR")
    assert "LUK" not in match.state.marines
    assert why(match, act.Deploy("LUK", "V1")) == "SMA-SETUP-5"


def test_sma_setup_6_every_marine_is_the_teams_to_play() -> None:
    assert [seat.id for seat in RULESET.seats(Options())] == ["team"]
    for code, card in (("MAX", "maximus"), ("ADR", "adrix"), ("RAP", "raphael"), ("VOR", "vorne")):
        match = set_up(*LINES, chance=Table([*POOL, f"act-{card}-1"]))
        assert the(match.act("next"), TurnStarted).marine == code
        assert match.decision is not None
        assert match.decision.seat == "team"


def test_sma_setup_7_all_datacards_start_on_the_healthy_side() -> None:
    match = set_up(*LINES, chance=Table([*POOL, "act-vorne-1"]))
    assert [marine.wounds for marine in state_of(match).marines.values()] == [0, 0, 0, 0]
    turn = the(match.act("next"), TurnStarted)
    assert (turn.marine, turn.side, turn.allowance) == ("VOR", "healthy", 3)


def test_sma_setup_8_one_marine_a_square_in_the_order_the_team_picks() -> None:
    match = set_up(*LINES[:3])
    assert legal(match) == {act.Deploy(code, "V1") for code in ("MAX", "ADR", "RAP", "VOR")}
    assert why(match, act.Deploy("RAP", "V2")) == "SMA-SETUP-8"
    assert why(match, act.Deploy("RAP", "h2")) == "SMA-SETUP-8"
    match.act(act.Deploy("RAP", "V1"))
    assert why(match, act.Deploy("RAP", "V2")) == "SMA-SETUP-8"
    assert why(match, act.Deploy("VOR", "V1")) == "SMA-SETUP-8"
    match.act(act.Deploy("MAX", "V2"))
    match.act(act.Deploy("ADR", "V3"))
    squares = {code: marine.square for code, marine in match.state.marines.items()}
    assert squares == {"RAP": "V1", "MAX": "V2", "ADR": "V3", "VOR": "V4"}
    assert [event.square for event in of(match.events, MarineDeployed)] == ["V1", "V2", "V3", "V4"]


@pytest.mark.parametrize("order", list(permutations(("MAX", "ADR", "RAP", "VOR")))[::5])
def test_sma_setup_8_any_order(order: tuple[str, ...]) -> None:
    line = "deploy " + " ".join(f"{code}=V{n}" for n, code in enumerate(order, 1))
    match = set_up(*LINES[:3], line)
    assert [next(c for c in order if match.state.marines[c].square == f"V{n}") for n in range(1, 5)] == [*order]


# Creatures, decks, cards


@pytest.mark.parametrize("face", CATALOGUE.faces)
def test_sma_setup_9_a_termagant_on_each_xenos_entry(face: str) -> None:
    match = set_up(f"board {face}", *LINES[1:4])
    hulk = CATALOGUE.hulk(face, "C")
    laid = of(match.events, CounterPlaced)
    assert [event.square for event in laid] == [hulk.grid.name(square) for square in hulk.xenos]
    assert {event.kind for event in laid} == {"termagant"}
    assert len({event.counter for event in laid}) == 6
    assert {event.source for event in laid} == {"box"}


def test_sma_setup_10_six_termagants_and_five_genestealers_in_the_bag_and_no_lictor() -> None:
    match = set_up(*LINES[:4])
    inside = match.state.chance.bags["creatures"].inside()
    kinds = [CATALOGUE.counters[counter].kind for counter in inside]
    assert (kinds.count("termagant"), kinds.count("genestealer"), len(kinds)) == (6, 5, 11)
    assert len(the(match.events, BagFilled).items) == 17
    assert not {c.counter for c in match.state.tyranids.values()} & {*inside}


def test_sma_setup_11_the_24_cards_of_level_1_face_down_without_the_briefing() -> None:
    match = set_up(*LINES[:4])
    shuffled = next(event for event in of(match.events, DeckShuffled) if event.deck == "infestation")
    assert shuffled.items == CATALOGUE.decks[1]
    assert len(shuffled.items) == 24
    assert match.state.chance.decks["infestation/1"].seen == {}
    assert match.state.known == []


def test_sma_setup_12_two_cards_a_marine_and_four_tyranid_cards() -> None:
    match = set_up(*LINES)
    deck = the(match.events, ActivationDeckBuilt).cards
    shows = [RULESET.book.shows[card] for card in deck]
    assert {code: shows.count(code) for code in (*ROSTER, "tyranid")} == {
        "MAX": 2,
        "ADR": 2,
        "RAP": 2,
        "LUK": 0,
        "VOR": 2,
        "tyranid": 4,
    }
    assert len({*deck}) == 12
    assert not any(CATALOGUE.activation[card].extra for card in deck)
    shuffled = next(event for event in of(match.events, DeckShuffled) if event.deck == "activation")
    assert shuffled.items == deck


def test_sma_setup_13_two_special_cards_a_marine_are_drawn_from_all_28() -> None:
    match = set_up(*LINES[:4])
    shuffled = next(event for event in of(match.events, DeckShuffled) if event.deck == "specials")
    assert len(shuffled.items) == 28
    assert the(match.events, SpecialsDrawn).cards == POOL == match.state.pool
    assert [event.item for event in of(match.events, CardDrawn)] == [*POOL]
    with pytest.raises(ImpossibleOutcome, match="SP-01"):
        set_up(*LINES[:4], chance=Table(["SP-01", "SP-01"]))
    found = {card for seed in range(40) for card in set_up(*LINES[:4], chance=Fate(f"draw {seed}")).state.pool}
    assert len(found) == 28


def test_sma_setup_14_exactly_one_card_for_each_marine_and_the_rest_are_out() -> None:
    match = set_up(*LINES[:4])
    assert why(match, act.Equip("MAX", "SP-02")) == "SMA-SETUP-14"
    assert why(match, act.Equip("ADR", "SP-01")) == "SMA-SETUP-14"
    assert why(match, act.Equip("LUK", "SP-01")) == "SMA-SETUP-5"
    match.act(act.Equip("MAX", "SP-24"))
    assert why(match, act.Equip("MAX", "SP-01")) == "SMA-SETUP-14"
    assert why(match, act.Equip("ADR", "SP-24")) == "SMA-SETUP-14"
    for code, card in (("ADR", "SP-20"), ("RAP", "SP-07"), ("VOR", "SP-12")):
        match.act(act.Equip(code, card))
    held = {code: marine.cards for code, marine in match.state.marines.items()}
    assert held == {"MAX": ["SP-24"], "ADR": ["SP-20"], "RAP": ["SP-07"], "VOR": ["SP-12"]}
    assert the(match.events, SpecialsSetAside).cards == ("SP-01", "SP-05", "SP-16", "SP-28")
    assert match.state.pool == ()
    assert why(match, act.Play("SP-28")) == "SMA-SPEC-1"


def test_sma_setup_15_any_of_the_pooled_cards_or_one_of_his_own_pair() -> None:
    """Ruling 3 either way: `special_pick`."""
    match = set_up(*LINES[:4])
    assert legal(match) == {act.Equip("MAX", card) for card in POOL}
    match.act(act.Equip("MAX", "SP-24"))
    assert legal(match) == {act.Equip("ADR", card) for card in POOL if card != "SP-24"}
    match = set_up(*LINES[:4], options=Options(special_pick="own_pair"))
    for code, pair in zip(("MAX", "ADR", "RAP", "VOR"), (POOL[:2], POOL[2:4], POOL[4:6], POOL[6:]), strict=True):
        assert legal(match) == {act.Equip(code, card) for card in pair}
        outside = next(card for card in POOL if card not in pair and card not in _held(match))
        assert why(match, act.Equip(code, outside)) == "SMA-SETUP-15"
        match.act(act.Equip(code, pair[1]))
    assert the(match.events, SpecialsSetAside).cards == POOL[::2]


def _held(match: Match) -> set[str]:
    return {card for marine in state_of(match).marines.values() for card in marine.cards}


def test_sma_setup_16_the_briefing_is_followed_and_then_play_begins() -> None:
    match = set_up()
    started = the(match.events, LevelStarted)
    assert (started.level, started.mission) == (1, "mission-1")
    for line in LINES:
        for action in (act.NEXT, act.END, act.Move("V1"), act.PASS, act.Pick("V1")):
            assert why(match, action) == "SMA-SETUP-16"
        match.act(line)
    assert the(match.events, RoundStarted).round == 1
    assert why(match, act.NEXT) == ""
    late = (act.LayBoard("1-up"), act.Enter("A"), act.Squad(ROSTER[:4]), act.Deploy("MAX", "V1"))
    for late_action in (*late, act.Equip("MAX", "SP-01")):
        assert why(match, late_action) == "SMA-SETUP-16"


def test_sma_setup_16_the_order_of_the_steps() -> None:
    told = [name for name in names(set_up(*LINES).events) if name not in ("ActionTaken", "Awaiting")]
    steps = [name for n, name in enumerate(told) if n == 0 or told[n - 1] != name]
    assert steps == [
        "GameOpened",
        "LevelStarted",
        "BoardLaid",
        "VesselLaid",
        "DeckShuffled",
        "BulkheadsLaid",
        "ObjectiveLaid",
        "SquadChosen",
        "MarineDeployed",
        "CounterPlaced",
        "BagFilled",
        "DeckShuffled",
        "CardDrawn",
        "SpecialsDrawn",
        "SpecialEquipped",
        "SpecialsSetAside",
        "ActivationDeckBuilt",
        "RoundStarted",
        "DeckShuffled",
    ]


def test_the_set_up_is_told() -> None:
    match = set_up(*LINES)
    told = story(match.events)
    for sentence in (
        "The space hulk is Reliquary Vault.",
        "The entry tile is laid at C.",
        "Bulkheads seal A, B, D.",
        "The console is on g7.",
        "The squad: Sergeant Maximus, Brother Adrix, Brother Raphael and Brother Vorne.",
        "Brother Raphael takes V1.",
        "A Termagant appears on f2.",
        "Brother Adrix takes Litany of Wrath.",
        "Round 1.",
    ):
        assert sentence in told
    assert not any("SP-" in sentence or "INF-" in sentence for sentence in told)


def story(events: list[Event]) -> list[str]:
    """What is told of events, each given the state just before it."""
    state, told = LevelState(), []
    for event in events:
        told.append(RULESET.tell(state, event))
        event.apply(state)
    return told


def test_sma_gen_2_three_levels_exist_and_another_is_refused() -> None:
    for level in (1, 2, 3):
        assert RULESET.parse_options({"level": str(level)}) == Options(level=level)
    with pytest.raises(OptionError, match="'level' cannot be '4'"):
        RULESET.parse_options({"level": "4"})
    with pytest.raises(OptionError, match=r"special_pick.*pooled, own_pair"):
        RULESET.parse_options({"special_pick": "mine"})
    assert RULESET.parse_options({"frag_needs_sight": "no", "short_bag": "team"}) == Options(
        frag_needs_sight=False, short_bag="team"
    )


def test_sma_camp_2_a_campaign_begins_as_level_1_does() -> None:
    """The same choices under the same fate lay the same hulk, creatures, decks and cards; only the briefing is another."""
    single, campaign = (Match(RULESET, Fate("first"), Options(mode=mode)) for mode in ("single", "campaign"))
    for match in (single, campaign):
        for line in ("board 2-down", "enter C", "squad MAX ADR RAP VOR", "deploy RAP=V1 MAX=V2 ADR=V3 VOR=V4"):
            match.act(line)
        while not match.state.round:
            match.act(match.decision.actions[0])
    assert (single.state.mission, campaign.state.mission) == ("mission-1", "campaign-1")
    assert single.events[2:] == campaign.events[2:]
