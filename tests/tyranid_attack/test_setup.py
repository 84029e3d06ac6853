"""The set-up: sides, the ship laid out, cards and tiles, what both sides have, and the deployment."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest
from hive import BOOK, Entered, Play, of, play
from hull import hull, names, squares

from warptape.domain.chance import Fate, Roll
from warptape.domain.events import CardDrawn, DiceRolled, Event, fold
from warptape.domain.referee import Match, Referee
from warptape.domain.secrets import Sealed, bare
from warptape.domain.tyranid_attack import RULESET
from warptape.domain.tyranid_attack.actions import DeployModel, StandOn
from warptape.domain.tyranid_attack.events_model import ModelsDeployed, ModelShifted, Supplied
from warptape.domain.tyranid_attack.events_ship import DeckMade, EntryAreaSet, SectionLaid, SidesRolled, TileTaken
from warptape.domain.tyranid_attack.exploration import lay
from warptape.domain.tyranid_attack.ship import HEADINGS
from warptape.domain.tyranid_attack.state import MARINES, TYRANID, Laid, Options

PLAIN = Options(rotation="fixed", sides="fixed")
SCOUTS = {*(f"SC{n}" for n in range(1, 7)), "HV1", "HV2", "SG1", "SG2"}


def opened(*chance: object, options: Options = PLAIN) -> Match:
    """A game set up with these outcomes: sides, then sections and ways as they are asked for."""
    table = Entered()
    table.left = [str(outcome) for outcome in chance]
    match = Match(RULESET, table, options)
    assert not table.left
    return match


def seeded(seed: str, options: Options | None = None) -> tuple[Play, list[Event]]:
    match = Match(RULESET, Fate(seed), options or Options())
    return Play(match.state), match.events


def laid(events: list[Event]) -> list[SectionLaid]:
    return of(events, SectionLaid)


# Sides


def test_ta_setup_1_and_2_the_higher_die_leads_and_equal_rolls_are_rolled_again() -> None:
    rolling = Options(rotation="fixed")
    (rolled,) = of(opened(5, 2, options=rolling).events, SidesRolled)
    assert (rolled.rolls, rolled.rule) == (((5, 2),), "TA-SETUP-1")
    (rolled,) = of(opened(3, 3, 1, 1, 2, 6, options=rolling).events, SidesRolled)
    assert (rolled.rolls, rolled.rule) == (((3, 3), (1, 1), (2, 6)), "TA-SETUP-2")
    assert not of(opened().events, SidesRolled)  # option sides = fixed


def test_ta_setup_3_to_5_who_owns_whom_and_who_starts() -> None:
    """TA-SETUP-3, TA-SETUP-4, TA-SETUP-5: ten Scouts start; Terminators and the Librarian wait to be found."""
    state = seeded("owners")[0].state
    assert {*state.party} == SCOUTS
    assert {*state.reserve} == {"TE1", "TE2", "TE3", "TF1", "LI1"}
    assert Counter(name[:2] for name in state.pool) == {"GE": 8, "BO": 3, "DS": 3, "HB": 1, "HP": 1}
    assert {*state.blobs} == {"AB1", "AB2", "AB3", "AB4"}
    assert {BOOK.side(name) for name in (*state.party, *state.reserve)} == {MARINES}
    assert {BOOK.side(name) for name in (*state.pool, *state.blobs)} == {TYRANID}


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        (Options(warrior_boneswords=0), {"GE": 8, "DS": 6, "HB": 1, "HP": 1}),
        (Options(warrior_boneswords=6), {"GE": 8, "BO": 6, "HB": 1, "HP": 1}),
        (Options(hybrid_arms="plasma,chainsword"), {"GE": 8, "BO": 3, "DS": 3, "HP": 1, "HC": 1}),
        (Options(hybrid_arms="chainsword,chainsword"), {"GE": 8, "BO": 3, "DS": 3, "HC": 2}),
        (Options(terminator_flamers=0), {"GE": 8, "BO": 3, "DS": 3, "HB": 1, "HP": 1}),
    ],
)
def test_ta_comp_8_arms_are_fixed_before_the_game(options: Options, counts: dict[str, int]) -> None:
    """TA-COMP-8, ruling G-3: `warrior_boneswords`, `hybrid_arms`, `terminator_flamers`; six, two and four in all."""
    state = seeded("arms", options)[0].state
    assert Counter(name[:2] for name in state.pool) == counts
    terminators = Counter(name[:2] for name in state.reserve)
    flamers = options.terminator_flamers
    assert terminators == {"TE": 4 - flamers, "LI": 1} | ({"TF": flamers} if flamers else {})


# The ship


def test_w_2_to_w_5_the_printed_example() -> None:
    """TA-SETUP-6 to TA-SETUP-11: right, north, west; then a 1 does not fit and the 4 goes ahead."""
    match = opened("SEC-1", "SEC-2", 5, "SEC-3", 2, "SEC-4", 2, "SEC-5", 1, 4, "SEC-6", 3)
    sections = laid(match.events)
    assert [(one.laid.section, one.laid.cell, one.laid.heading) for one in sections] == [
        (1, (0, 0), "N"), (2, (1, 0), "E"), (3, (1, -1), "N"), (4, (0, -1), "W"), (5, (-1, -1), "W"), (6, (-2, -1), "W"),
    ]  # fmt: skip
    assert [one.rolls for one in sections] == [(), (5,), (2,), (2,), (1, 4), (3,)]
    assert [(one.cell, one.section) for one in of(match.events, EntryAreaSet)] == [((0, 1), 1)]


@pytest.mark.parametrize(("die", "cell", "heading"), [
    (1, (-1, 0), "W"), (2, (-1, 0), "W"), (3, (0, -1), "N"), (4, (0, -1), "N"), (5, (1, 0), "E"), (6, (1, 0), "E"),
])  # fmt: skip
def test_ta_setup_7_and_10_left_ahead_and_right_of_somebody_who_walks_in(
    die: int, cell: tuple[int, int], heading: str
) -> None:
    """TA-SETUP-7, TA-SETUP-8, TA-SETUP-10: for the first section through the entry area's edge."""
    second = laid(opened("SEC-3", "SEC-5", die).events)[1].laid
    assert (second.cell, second.heading) == (cell, heading)


def test_ta_setup_9_and_11_the_entry_area_blocks_as_a_section_does() -> None:
    """TA-SETUP-9, TA-SETUP-11: left, left, and left again would be the entry area's cell."""
    match = opened("SEC-1", "SEC-2", 1, "SEC-3", 1, "SEC-4", 1, 2, 6)
    assert laid(match.events)[3].rolls == (1, 2, 6)
    assert laid(match.events)[3].laid.cell == (-2, 1)


def chains() -> list[list[Laid]]:
    """Every layout of two to five sections that can come up."""
    found = []
    for count in range(2, 6):
        for ways in product("LAR", repeat=count - 1):
            heading, cell, cells = "N", (0, 0), [(0, 0)]
            path = [Laid(1, (0, 0), 0, "N")]
            for number, way in enumerate(ways, 2):
                heading = "NESW"[("NESW".index(heading) + {"L": 3, "A": 0, "R": 1}[way]) % 4]
                cell = (cell[0] + HEADINGS[heading][0], cell[1] + HEADINGS[heading][1])
                cells.append(cell)
                path.append(Laid(number, cell, 0, heading))
            if len({*cells, (0, 1)}) == count + 1:
                found.append(path)
    return found


def test_ta_setup_9_in_all_108_layouts_a_way_is_left_and_blocked_ones_are_rolled_again() -> None:
    """TA-SETUP-9, TA-SETUP-11, TA-EXPL-19 (ruling G-11): left, ahead or right is always free."""
    layouts = chains()
    assert len(layouts) == 108
    blocked = 0
    for path in layouts:
        state = play(models={"SC1": "1:b6"}, options=PLAIN).state
        state.chain, state.entry = path, (0, 1)
        cells = {one.cell for one in path} | {(0, 1)}
        free = 0
        for die, quarter in ((1, 3), (2, 3), (3, 0), (4, 0), (5, 1), (6, 1)):
            heading = "NESW"[("NESW".index(path[-1].heading) + quarter) % 4]
            cell = (path[-1].cell[0] + HEADINGS[heading][0], path[-1].cell[1] + HEADINGS[heading][1])
            script = lay(BOOK, state, 6, path[-1])
            asked = next(script)
            assert isinstance(asked, Roll)
            answer = script.send((die,))
            if cell in cells:
                assert isinstance(answer, Roll)
                blocked += 1
            else:
                assert isinstance(answer, SectionLaid)
                assert (answer.laid.cell, answer.laid.heading, answer.rolls) == (cell, heading, (die,))
                free += 1
        assert free
    assert blocked


def test_ta_setup_6_the_sections_are_shuffled_and_the_entry_area_lies_along_a_long_edge() -> None:
    firsts = set()
    for number in range(40):
        game, events = seeded(f"ship {number}")
        state = game.state
        firsts.add(state.chain[0].section)
        assert sorted(one.section for one in state.chain) == [1, 2, 3, 4, 5, 6]
        assert (state.chain[0].cell, state.chain[0].heading, state.entry) == ((0, 0), "N", (0, 1))
        for before, after in zip(state.chain, state.chain[1:], strict=False):
            step = HEADINGS[after.heading]
            assert after.cell == (before.cell[0] + step[0], before.cell[1] + step[1])  # TA-SETUP-8
        assert len({one.cell for one in state.chain} | {state.entry}) == 7
        for one in laid(events)[1:]:
            assert all(1 <= roll <= 6 for roll in one.rolls)
    assert firsts == {1, 2, 3, 4, 5, 6}


def test_ta_board_9_sections_are_turned_at_random_or_not_at_all() -> None:
    """TA-BOARD-9, option `rotation`."""
    turns: Counter[int] = Counter()
    for number in range(30):
        game, events = seeded(f"turned {number}")
        turns.update(one.rotation for one in game.state.chain)
        assert sum(die.rule == "TA-BOARD-9" for die in of(events, DiceRolled)) == 6
    assert set(turns) == {0, 180}
    assert min(turns.values()) > 60
    for number in range(5):
        game, events = seeded(f"turned {number}", Options(rotation="fixed"))
        assert {one.rotation for one in game.state.chain} == {0}
        assert not any(die.rule == "TA-BOARD-9" for die in of(events, DiceRolled))


def test_ta_comp_4_all_dice_are_six_sided() -> None:
    """TA-COMP-4: but for the turn of a section, which is no die of the box."""
    for number in range(3):
        match = Match(RULESET, Fate(f"dice {number}"))
        match.play({MARINES: "random", TYRANID: "random"}, limit=400)
        dice = [die for die in of(match.events, DiceRolled) if die.rule != "TA-BOARD-9"]
        assert dice
        assert {die.sides for die in dice} == {6}


# Cards, tiles, counters


def test_ta_setup_12_and_13_the_top_card_lies_unseen_on_the_last_section_the_others_are_the_deck() -> None:
    """TA-SETUP-12, TA-SETUP-13."""
    state = seeded("cards")[0].state
    assert {*state.cards} == {state.chain[-1].section}
    deck = state.chance.decks[state.deck]
    assert sorted(deck.items) == [f"EX-{n:02}" for n in range(1, 17)]
    assert not deck.seen
    assert (state.cards[state.chain[-1].section].place, state.drawn) == (0, 1)
    (made,) = of(seeded("cards")[1], DeckMade)
    assert made.count == 16


def test_ta_setup_14_orders_and_counters() -> None:
    state = seeded("counters")[0].state
    assert state.orders == ["double", "sustained", "blades", "mark"]
    assert (state.shells, state.bombs, state.cysts_left) == (3, 2, 3)
    (supplied,) = of(seeded("counters")[1], Supplied)
    assert supplied.rule == "TA-SETUP-14"


def test_ta_setup_15_he_draws_one_tile_for_himself_alone() -> None:
    game, events = seeded("tiles")
    state = game.state
    (taken,) = of(events, TileTaken)
    assert (taken.place, taken.left, state.tile, state.taken) == (0, 5, 0, 1)
    stack = state.chance.decks[state.stack]
    assert sorted(stack.items) == [f"LOC-{n}" for n in range(1, 7)]
    assert {*stack.seen} == {0}
    mine, theirs = (RULESET.view(state, seat).chance.decks[state.stack].seen[0] for seat in (MARINES, TYRANID))
    assert bare(mine) in stack.items
    assert isinstance(bare(theirs), Sealed)


# Deployment


def test_ta_setup_16_and_17_on_any_squares_of_the_first_five_sections() -> None:
    """TA-SETUP-16, TA-SETUP-17: shared squares of the last section are of the last section."""
    game, _ = seeded("deployment")
    state, drawn = game.state, hull(game)
    last = state.chain[-1].section
    assert names(game, DeployModel) == SCOUTS
    game.referee.take(MARINES, DeployModel("SC1"))
    allowed = {drawn.name(square) for square, there in drawn.floor.items() if last not in there}
    assert squares(game, StandOn) == allowed
    shared = [square for square, there in drawn.floor.items() if last in there and len(there) > 1]
    inner = next(square for square, there in drawn.floor.items() if there == [last])
    assert shared
    for square in (*shared, inner):
        refusal = game.referee.refusal(MARINES, StandOn(square))
        assert refusal is not None
        assert refusal.rule == "TA-SETUP-17"
    wall = (drawn.origin[state.chain[0].section][0], drawn.origin[state.chain[0].section][1])
    refusal = game.referee.refusal(MARINES, StandOn(wall))
    assert refusal is not None
    assert refusal.rule == "TA-SETUP-18"


def test_ta_setup_18_one_model_a_square_and_every_one_is_deployed() -> None:
    game, _ = seeded("all of them")
    rear = game.state.chain[0].section
    free = sorted(hull(game).of(rear) - hull(game).of(game.state.chain[1].section))
    spots = [hull(game).name(square) for square in free[:12]]
    assert game.why("ready") == "TA-SETUP-18"
    for name, square in zip(sorted(SCOUTS - {"SC1"}), spots, strict=False):
        game.do(f"deploy {name} {square}")
    assert game.why("ready") == "TA-SETUP-18"
    assert game.why(f"deploy SC1 {spots[0]}") == "TA-SETUP-18"
    assert game.why("deploy GE1 " + spots[10]) == "TA-SETUP-4"
    assert game.why("deploy TE1 " + spots[10]) == "TA-SETUP-4"  # TA-SETUP-5
    game.do(f"deploy SC1 {spots[10]}")
    assert game.why("ready") == ""
    assert len(game.state.models) == 10


def test_a_second_deployment_of_a_model_moves_it() -> None:
    game, _ = seeded("twice")
    rear = game.state.chain[0].section
    one, two = sorted(square for square, there in hull(game).floor.items() if there == [rear])[:2]
    game.do(f"deploy SG1 {hull(game).name(one)}")
    (shifted,) = of(game.do(f"deploy SG1 {hull(game).name(two)}"), ModelShifted)
    assert (shifted.model, shifted.at) == ("SG1", two)
    assert game.state.models["SG1"].at == two
    assert "SG1" not in game.state.party
    assert game.state.models["SG1"].life == 2


def test_deploy_auto_lays_a_legal_start_and_keeps_what_was_deployed_by_hand() -> None:
    for number in range(6):
        game, _ = seeded(f"auto {number}")
        last = game.state.chain[-1].section
        inner = next(s for s, there in sorted(hull(game).floor.items()) if there == [game.state.chain[0].section])
        game.do(f"deploy SC3 {hull(game).name(inner)}")
        (event,) = of(game.do("deploy auto"), ModelsDeployed)
        assert len(event.models) == 9
        assert game.state.models["SC3"].at == inner
        places = [model.at for model in game.state.models.values()]
        assert len({*places}) == 10
        assert all(last not in hull(game).floor[square] for square in places)
        game.do("ready")
        assert (game.state.turn, game.state.side, game.asked) == (1, MARINES, "Free")


def test_ta_setup_2_equal_rolls_are_rolled_again() -> None:
    """TA-SETUP-2: until one die is higher; the event keeps all of them."""
    ties = 0
    for seed in range(40):
        match = Match(RULESET, Fate(f"sides {seed}"), Options())
        (rolled,) = [event for event in match.events if isinstance(event, SidesRolled)]
        *before, last = rolled.rolls
        assert last[0] != last[1]
        assert all(mine == yours for mine, yours in before)
        assert rolled.rule == ("TA-SETUP-2" if before else "TA-SETUP-1")
        ties += bool(before)
    assert ties


def test_e_50_the_same_action_after_a_rewind_has_the_same_dice_and_cards() -> None:
    """E-50: chance goes by what has been asked so far, wherever the game was in between."""
    fate = Fate("again")
    match = Match(RULESET, fate, Options())
    match.play({"marines": "random", "tyranid": "random"}, limit=15)
    mark, seen = len(match.events), 0
    for _ in range(80):
        match.play({"marines": "random", "tyranid": "random"}, limit=1)
        after = match.events[mark:]
        head: Any = after[0]
        referee = Referee(RULESET, fold(match.events[:mark], RULESET.state()), fate)
        assert referee.take(referee.decision.seat if referee.decision else "", head.action) == after
        seen += any(isinstance(event, (DiceRolled, CardDrawn)) for event in after)
        mark = len(match.events)
    assert seen > 3
