"""Level 3, Lair of the Tyranid Prime: its set-up, every way it ends, and the cards that speak of the Prime."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from helpers import CATALOGUE, TEXTS, Level, chamber, drawn, laid, of, the

from warptape.domain.chance import Chance, Fate, Table
from warptape.domain.content import Content
from warptape.domain.errors import ContentError
from warptape.domain.events import BagFilled, CounterDrawn, DeckShuffled, DiceRolled, Event
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures import RULESET, SpaceMarineAdventures
from warptape.domain.space_marine_adventures.events import (
    ActivationDeckBuilt,
    BulkheadsLaid,
    CounterPlaced,
    InfestationResolved,
    InfestationRevealed,
    LevelEnded,
    LevelStarted,
    MarineStruck,
    MarineTakenOut,
    MarineWounded,
    ObjectiveLaid,
    PrimeDamaged,
    PrimeDestroyed,
    PrimeHealed,
    RoundStarted,
    SpecialsDrawn,
)
from warptape.domain.space_marine_adventures.state import Creature, LevelState, Options, cards_left
from warptape.projections.boards.space_marine_adventures import board

LAIR = Options(level=3)
POOL = ("SP-01", "SP-07", "SP-20", "SP-12", "SP-05", "SP-16", "SP-28", "SP-24")
SIX = ("L03", "T12", "G01", "T01", "L01", "G05")
BROOD = ("T02", "T03", "T04", "T05")
SETUP = ("squad MAX ADR RAP VOR", "deploy RAP=V1 MAX=V2 ADR=V3 VOR=V4")
EQUIP = "equip MAX=SP-24 ADR=SP-20 RAP=SP-07 VOR=SP-12"
ENTRIES = ("f3", "l4", "d6", "h6", "c10", "h10")
"""The xenos entries 1 to 6 of face 1-up; the Prime is on f8."""
LULL = "INF-3-29"
"""The card that costs each Marine an action: it moves and wounds nobody."""
HEAL, GLARE = "ADV-3-1", "ADV-3-2"


def beside(face: str) -> int:
    """On how many sides of the objective is floor (E15)."""
    return {"1-down": 4, "3-down": 4}.get(face, 3)


def begun(face: str = "1-up", entry: str = "A", chance: Chance | None = None) -> Match:
    """A Level 3 that has been set up."""
    match = Match(RULESET, chance or Table([*SIX, *POOL, *BROOD[: beside(face)]]), LAIR)
    for line in (f"board {face}", f"enter {entry}", *SETUP):
        match.act(line)
    if chance is None:
        match.act(EQUIP)
    return match


def state_of(match: Match) -> LevelState:
    state: LevelState = match.state
    return state


def lair(ground: str = "1-up", options: Options = LAIR, **given: object) -> Level:
    """A Level 3 in the middle, the Prime alone unless creatures are named."""
    return laid(ground, options=options, **given)  # type: ignore[arg-type]


def placed(events: Iterable[Event]) -> dict[str, str]:
    """Counter by square, in the order in which they came."""
    return {event.square: event.counter for event in of(events, CounterPlaced)}


def result(level: Level) -> tuple[str, str]:
    """Why the level ended and its result, empty while it goes on."""
    ended = level.state.ended
    assert (ended is None) == (level.referee.decision is not None)
    return ("", "") if ended is None else (ended.reason, ended.result)


# Set-up


def test_sma_setup3_1_and_2_the_prime_on_the_objective_and_three_bulkheads() -> None:
    """SMA-SETUP3-1, SMA-SETUP3-2: as Level 1 but for the objective's other side; no exit will open."""
    match = begun()
    state = state_of(match)
    assert the(match.events, LevelStarted).mission == "mission-3"
    objective = the(match.events, ObjectiveLaid)
    assert (objective.square, objective.side, objective.rule) == ("f8", "prime", "SMA-SETUP3-1")
    assert state.tyranids["f8"] == Creature("P", "prime")
    bulkheads = the(match.events, BulkheadsLaid)
    assert (bulkheads.labels, bulkheads.rule) == (("B", "C", "D"), "SMA-SETUP3-2")
    assert (state.sealed, state.exit, state.damage) == (("B", "C", "D"), "", 0)
    assert {code: marine.square for code, marine in state.marines.items()} == {
        "MAX": "V2",
        "ADR": "V3",
        "RAP": "V1",
        "VOR": "V4",
    }
    assert len(the(match.events, ActivationDeckBuilt).cards) == 12
    assert the(match.events, SpecialsDrawn).cards == POOL


def test_sma_setup3_3_and_4_six_draws_onto_the_entries_in_order() -> None:
    """SMA-SETUP3-3, SMA-SETUP3-4: the first counter on entry 1 and so on; the bag holds 16, the briefing takes more."""
    match = begun()
    assert the(match.events, BagFilled).items == tuple(sorted(CATALOGUE.counters))
    assert the(match.events, BagFilled).out == ()
    drawn_first = [event.item for event in of(match.events, CounterDrawn)]
    assert drawn_first == [*SIX, *BROOD[:3]]
    at_setup = [event for event in of(match.events, CounterPlaced) if event.rule == "SMA-SETUP3-4"]
    assert [(event.square, event.counter) for event in at_setup] == [*zip(ENTRIES, SIX, strict=True)]
    assert {event.source for event in at_setup} == {"bag"}
    drawn_at_setup = [event for event in of(match.events, CounterDrawn) if event.rule == "SMA-SETUP3-3"]
    assert len(drawn_at_setup) == 6
    match = Match(RULESET, Table([*SIX, *POOL]), LAIR)
    for line in ("board 1-up", "enter A", *SETUP):
        match.act(line)
    inside = state_of(match).chance.bags["creatures"].inside()
    assert (len(inside), {*inside} & {*SIX}) == (16, set())
    assert len(state_of(match).tyranids) == 7


def test_sma_setup3_5_the_30_cards_of_level_3() -> None:
    match = begun()
    (deck,) = (event for event in of(match.events, DeckShuffled) if event.deck == "infestation")
    assert deck.items == CATALOGUE.decks[3] == tuple(f"INF-3-{number:02}" for number in range(1, 31))
    assert (deck.rule, cards_left(state_of(match))) == ("SMA-SETUP3-5", 30)


@pytest.mark.parametrize("face", CATALOGUE.faces)
def test_sma_prime_8_and_e15_the_brood_around_the_prime_before_the_first_round(face: str) -> None:
    """E15, SMA-PRIME-8, SMA-SETUP-16: a counter on each floor square beside it, N, E, S, W, none on wall sides."""
    match = begun(face)
    state = state_of(match)
    ground = RULESET.book.ground(state)
    around = [ground.names[square] for square in ground.neighbours[ground.index[state.objective]]]
    assert len(around) == beside(face)
    late = [event for event in of(match.events, CounterPlaced) if event.counter in BROOD]
    assert [(event.square, event.counter) for event in late] == [*zip(around, BROOD, strict=False)]
    assert {event.cause for event in late} == {"setup"}
    assert len(state.chance.bags["creatures"].inside()) == 16 - beside(face)
    order = [type(event) for event in match.events]
    assert order.index(ActivationDeckBuilt) < match.events.index(late[0]) < order.index(RoundStarted)


@pytest.mark.parametrize("seed", range(3))
def test_sma_setup3_3_nothing_is_drawn_twice_whatever_comes(seed: int) -> None:
    match = Match(RULESET, Fate(f"lair-{seed}"), LAIR)
    while state_of(match).round == 0:
        match.act(next(iter(match.decision.actions)))  # type: ignore[union-attr]
    state = state_of(match)
    on_board = [creature.counter for creature in state.tyranids.values() if creature.kind != "prime"]
    assert sorted([*on_board, *state.chance.bags["creatures"].inside()]) == sorted(CATALOGUE.counters)
    assert len(on_board) == len({*on_board})


def test_sma_comp_8_three_damage_counters_and_a_briefing_that_uses_them() -> None:
    """SMA-COMP-8: the third is the one that destroys it, so two at most lie on it; a fourth would lack a counter."""
    assert CATALOGUE.tyranids["prime"].damage_counters == 3
    assert TEXTS["tyranids.toml"].count("[[damage_counters]]") == 3
    for variant in ("single", "campaign"):
        assert CATALOGUE.missions[3, variant].prime.destroyed_at == 3


def test_sma_con_1_no_console_at_level_3() -> None:
    level = lair(marines={"MAX": "f7"}, turn="MAX", cards={"MAX": "SP-22"})
    refusal = level.refusal("con")
    assert refusal is not None
    assert (refusal.rule, "no console" in refusal.reason) == ("SMA-CON-1", True)
    assert level.why("sp SP-22") == "SMA-SPEC-5"


# How it ends


@pytest.mark.parametrize(("in_play", "grade"), [(4, "major"), (3, "major"), (2, "minor"), (1, "minor")])
def test_sma_end_9_and_10_the_prime_destroyed(in_play: int, grade: str) -> None:
    """SMA-END-9, SMA-END-10: at once, with all that are in play, wherever they stand."""
    others = ("ADR", "RAP", "LUK")
    marines = {"MAX": "f7", **dict(zip(others[: in_play - 1], ("V1", "b2", "l12"), strict=False))}
    level = lair(marines=marines, out=others[in_play - 1 :], damage=2, turn="MAX")
    events = level.do("at f8", 6)
    ended = the(events, LevelEnded)
    assert (ended.reason, ended.result, ended.in_play, ended.rule) == ("prime_destroyed", grade, in_play, "SMA-END-9")
    outcome = level.referee.outcome
    assert outcome is not None
    assert (outcome.result, outcome.winners, outcome.reason) == (grade, ("team",), "the Prime is destroyed")


@pytest.mark.parametrize(
    ("damage", "dares", "grade"),
    [(0, [], "loss"), (1, [], "loss"), (2, [], "draw"), (2, ["CHA-3-1"], "loss"), (3, ["CHA-3-1"], "draw")],
)
@pytest.mark.parametrize("in_play", [1, 4])
def test_sma_end_10_the_deck_runs_out(damage: int, dares: list[str], grade: str, in_play: int) -> None:
    """SMA-END-10: a draw one counter short of what destroys it, however many are in play; else a loss."""
    places = dict(zip(("MAX", "ADR", "RAP", "LUK"), ("V1", "V2", "b2", "l12"), strict=True))
    marines = dict([*places.items()][:in_play])
    out = [code for code in places if code not in marines]
    level = lair(marines=marines, out=out, damage=damage, dares=dares, infestation=[LULL])
    events = level.infest(LULL)
    assert result(level) == ("deck_out", grade)
    ended = the(events, LevelEnded)
    assert (ended.damage, ended.rule) == (damage, "SMA-END-9")
    assert level.referee.outcome is not None
    assert (level.referee.outcome.winners, level.referee.outcome.figures["damage"]) == ((), damage)


def test_sma_end_9_deck_out_under_draw_needed() -> None:
    """Ruling 33 read the other way: the level goes on until a card is missing."""
    options = Options(level=3, deck_out="draw_needed")
    level = lair(marines={"MAX": "V1"}, damage=2, infestation=[LULL], options=options)
    level.infest(LULL)
    assert result(level) == ("", "")
    level.do("next", level.unused("tyranid"))
    assert result(level) == ("deck_out", "draw")


@pytest.mark.parametrize("damage", [0, 2])
def test_sma_end_9_and_10_the_last_marine_out_is_a_loss_however_hurt_the_prime_is(damage: int) -> None:
    """SMA-END-10: one counter short counts only with a Marine in play; the card's other steps are dropped."""
    level = lair(marines={"MAX": "f7"}, wounded=["MAX"], out=["ADR"], damage=damage)
    events = level.infest("INF-3-15", 5)
    assert result(level) == ("all_out", "loss")
    assert not of(events, InfestationResolved)
    assert the(events, LevelEnded).rule == "SMA-END-9"


def test_sma_end_9_the_answer_to_the_second_wound_takes_the_last_marine_out() -> None:
    """SMA-PRIME-6 before the third hit: all out, not one short."""
    level = lair(marines={"ADR": "f7"}, wounded=["ADR"], damage=1, bag=[], turn="ADR")
    events = level.do("at f8", 6, 4)
    assert the(events, PrimeDamaged).damage == 2
    assert the(events, MarineTakenOut).marine == "ADR"
    assert result(level) == ("all_out", "loss")


def test_sma_end_9_the_prime_destroyed_outside_a_turn() -> None:
    """By the first of two Attacks of Overwatch: nothing is left to do, no card is turned over."""
    level = lair(marines={"ADR": "f6", "MAX": "V1"}, damage=2, cards={"ADR": "SP-28"})
    level.do("sp SP-28")
    events = level.do("free at f8", 6)
    assert of(events, PrimeDestroyed)
    assert (result(level), level.state.pending) == (("prime_destroyed", "minor"), [])


def test_sma_end_9_by_a_blast_the_rest_of_the_list_is_dropped() -> None:
    """The guard, the Prime, and no die for the creature west of the guard (E58, but it dies)."""
    level = lair(
        "1-down",
        marines={"MAX": "j6", "ADR": "V1"},
        tyranids={"g6": "termagant", "f6": "genestealer"},
        damage=2,
        turn="MAX",
        cards={"MAX": "SP-01"},
    )
    level.do("sp SP-01 g6", 3, 6)
    assert (result(level), level.tyranids) == (("prime_destroyed", "minor"), {"f6": "genestealer"})


# Readings of a short bag


def test_short_bag_team_asks_where_the_brood_comes_first() -> None:
    """SMA-PRIME-6 under `short_bag = team`: one counter for three sides; the claws wait for the answer."""
    options = Options(level=3, short_bag="team")
    level = lair(marines={"MAX": "f6", "ADR": "V1"}, bag=["T01"], turn="MAX", options=options)
    level.do("at f8", 6)
    assert level.legal() == {"pick f7", "pick g8", "pick f9"}
    events = level.do("pick g8", "T01")
    assert (placed(events), of(events, DiceRolled)) == ({"g8": "T01"}, [])
    assert (level.asked, level.left) == ("Turn", 3)


def test_empty_bag_strikes_around_the_prime() -> None:
    """SMA-REIN-13 read the other way: who stands beside the Prime is struck although no counter is left."""
    options = Options(level=3, empty_bag_strikes=True)
    level = lair(marines={"MAX": "f7", "ADR": "V1"}, bag=[], turn="MAX", options=options)
    events = level.do("at f8", 6, 5)
    assert [(event.marine, event.way) for event in of(events, MarineStruck)] == [("MAX", "counter")]


# Cards about the Prime


@pytest.mark.parametrize(("damage", "left"), [(1, 0), (2, 1)])
def test_prime_heal_takes_a_counter_off(damage: int, left: int) -> None:
    """ADV-3-1, `branch` with `if_prime_damaged`; then one more card is turned over."""
    level = lair(marines={"MAX": "V1"}, damage=damage, skulls=[HEAL])
    events = level.infest(HEAL, LULL)
    assert the(events, PrimeHealed).damage == left == level.state.damage
    assert not of(events, CounterPlaced)
    assert [event.card for event in of(events, InfestationRevealed)] == [HEAL, LULL]


def test_prime_heal_with_nothing_to_heal_places_around_it() -> None:
    """ADV-3-1, the other half: a creature on the objective square, so around the Prime (SMA-REIN-3)."""
    level = lair(marines={"MAX": "V1"}, skulls=[HEAL])
    events = level.infest(HEAL, "T01", "G01", "L01", LULL)
    assert placed(events) == {"f7": "T01", "g8": "G01", "f9": "L01"}
    assert not of(events, PrimeHealed)


@pytest.mark.parametrize(("damage", "told"), [(0, []), (1, [0]), (2, [0])])
def test_prime_heal_never_below_none(damage: int, told: list[int]) -> None:
    """More counters off than lie there leave none; with none nothing is told."""
    head, card, rest = TEXTS["infestation.toml"].partition('id = "INF-3-29"')
    swapped = rest.replace('{ op = "spores", who = "each", minus = 1 }', '{ op = "prime_heal", count = 3 }', 1)
    rules = SpaceMarineAdventures(Content({**TEXTS, "infestation.toml": head + card + swapped}))
    level = lair(marines={"MAX": "V1"}, damage=damage, ruleset=rules)
    events = level.infest("INF-3-29")
    assert [event.damage for event in of(events, PrimeHealed)] == told
    assert level.state.damage == 0


def test_a_healed_prime_needs_its_hits_again() -> None:
    """SMA-PRIME-3 counts what lies on it now."""
    level = lair(marines={"MAX": "f6", "ADR": "V1"}, damage=2, skulls=[HEAL], bag=[])
    level.infest(HEAL, LULL)
    level.turn("MAX")
    assert the(level.do("at f8", 6), PrimeDamaged).damage == 2


@pytest.mark.parametrize(("die", "wounded"), [(5, True), (6, False)])
def test_inf_3_15_claws_of_the_prime_alone(die: int, wounded: bool) -> None:
    """`claws` with kind prime: a Marine beside a Termagant rolls nothing."""
    level = lair(marines={"MAX": "f7", "ADR": "b2"}, tyranids={"b3": "termagant"})
    events = level.infest("INF-3-15", die)
    assert [one.stream for one in of(events, DiceRolled)] == ["die/max"]
    assert bool(of(events, MarineWounded)) is wounded


@pytest.mark.parametrize(("card", "reach", "most"), [("INF-3-16", 8, 3), ("INF-3-17", 4, 4)])
def test_spines_of_the_prime(card: str, reach: int, most: int) -> None:
    """`spines` with kind prime: sight as SMA-SEE has it, and a range of its own that SMA-PRIME-4 does not cut."""
    for far, die, wounded in ((reach, most, True), (reach, most + 1, False), (reach + 1, None, False)):
        picture = chamber(12, 1, **{f"{'bcdefghijklm'[far]}2": "M"})
        level = drawn(picture, objective="b2", options=LAIR)
        events = level.infest(card, *([] if die is None else [die]))
        assert bool(of(events, MarineWounded)) is wounded
    level = lair(marines={"MAX": "f6"}, tyranids={"f7": "termagant"})
    assert not of(level.infest(card), DiceRolled), "a Termagant stands between them"


def test_adv_3_2_whom_the_prime_sees_within_8_is_wounded_without_a_die() -> None:
    """`spines` with `wound_on = 6`: no die; not through a creature, not round a corner."""
    level = lair(
        marines={"MAX": "f5", "ADR": "i8", "RAP": "f10", "VOR": "b2"},
        tyranids={"f9": "termagant"},
        skulls=[GLARE],
    )
    events = level.infest(GLARE, LULL)
    assert not of(events, DiceRolled)
    assert [(event.marine, event.way) for event in of(events, MarineStruck)] == [("MAX", "spines"), ("ADR", "spines")]


def test_foremost_and_rearmost_are_measured_to_the_primes_square() -> None:
    """INF-3-21 and INF-3-20: walking distance to f8, over the creatures in between."""
    marines = {"MAX": "f5", "ADR": "b2"}
    level = lair(marines=marines, tyranids={"f7": "genestealer"})
    events = level.infest("INF-3-21")
    assert {pick.split()[1] for pick in level.legal("pick")} == {"f4", "f6"}, "beside Maximus"
    assert not of(events, CounterPlaced)
    level = lair(marines=marines, tyranids={"f7": "genestealer"})
    level.infest("INF-3-20")
    assert {pick.split()[1] for pick in level.legal("pick")} == {"b3", "c2"}, "beside Adrix"


def test_a_tie_about_the_prime_is_the_teams() -> None:
    """SMA-INF-2: two Marines three squares from it."""
    level = lair(marines={"MAX": "f5", "ADR": "i8"})
    level.infest("INF-3-21")
    assert level.legal("pick") == {"pick MAX", "pick ADR"}


def test_harden_leaves_the_prime_alone() -> None:
    """INF-3-30: the resilience of creatures is 1 higher, the Prime still needs 6."""
    level = lair(marines={"MAX": "f6", "ADR": "V1"}, bag=[])
    level.infest("INF-3-30")
    level.turn("MAX")
    assert of(level.do("at f8", 6), PrimeDamaged)


def test_the_prime_neither_charges_nor_can_be_told_to() -> None:
    """SMA-PRIME-1: own content that names it in a charge is refused."""
    texts = {
        **TEXTS,
        "infestation.toml": TEXTS["infestation.toml"].replace(
            '{ op = "charge", kinds = ["termagant", "genestealer", "lictor"], range = 12 }',
            '{ op = "charge", kinds = ["prime"], range = 12 }',
        ),
    }
    assert texts != TEXTS
    with pytest.raises(ContentError, match="prime"):
        _ = SpaceMarineAdventures(Content(texts)).book


# Shown


def positions() -> list[Level]:
    hurt = lair(marines={"MAX": "f6", "ADR": "V1"}, bag=["T01"], turn="MAX", damage=1, dares=["CHA-3-1"])
    destroyed = lair(marines={"MAX": "f7"}, damage=2, turn="MAX")
    destroyed.do("at f8", 6)
    lost = lair(marines={"MAX": "f7"}, wounded=["MAX"], damage=2)
    lost.infest("INF-3-15", 1)
    return [hurt, destroyed, lost, lair(marines={"MAX": "V1"}, skulls=[HEAL, GLARE])]


@pytest.mark.parametrize("number", range(4))
def test_positions_of_level_3_are_drawn_and_summed_up(number: int) -> None:
    level = positions()[number]
    scene = board(level.rules, level.state)
    pieces = [piece for piece in scene.pieces if piece.role == "foe.4"]
    assert len(pieces) == ("prime" in level.tyranids.values())
    assert scene.text()
    assert dict(level.rules.summarize(level.state))["Board"] == "Gantry Lattice"


def test_the_set_up_of_level_3_is_drawn_at_every_step() -> None:
    match = Match(RULESET, Fate("drawn"), LAIR)
    while state_of(match).round == 0:
        assert board(RULESET, match.state).text()
        match.act(next(iter(match.decision.actions)))  # type: ignore[union-attr]
    assert any(piece.role == "foe.4" for piece in board(RULESET, match.state).pieces)
