"""The bots: what they win, that they repeat themselves, and that no position or question is too odd for them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import helpers as at
import pytest
from helpers import Level, chamber, drawn

from warptape.domain.chance import Fate, Luck
from warptape.domain.events import Question
from warptape.domain.referee import Match, choose
from warptape.domain.space_marine_adventures import RULESET, SpaceMarineAdventures, steps
from warptape.domain.space_marine_adventures import actions as act
from warptape.domain.space_marine_adventures.bot_cards import PREFERENCE
from warptape.domain.space_marine_adventures.bot_outlook import cards_before, coming, forecast
from warptape.domain.space_marine_adventures.bot_plan import Plan
from warptape.domain.space_marine_adventures.bot_routes import STEP, Goal, worker
from warptape.domain.space_marine_adventures.bots import sensible
from warptape.domain.space_marine_adventures.positions import position
from warptape.domain.space_marine_adventures.state import LevelState, Options
from warptape.domain.space_marine_adventures.steps import Ambushed, OrderCards, Revealed, RollFailed, Tie, Wound

QUESTIONS = {step for step in steps.STEPS if issubclass(step, Question)}


def answer(state: LevelState, rules: SpaceMarineAdventures = RULESET) -> Any:
    """What the bot does in a position; it must be legal and leave the position alone."""
    before = state.copy()
    decision = rules.decision(state)
    assert decision is not None
    action = sensible(rules, state, decision, Luck("x"))
    assert action in decision.actions
    assert state == before
    return action


def said(where: LevelState | Level) -> str:
    """What the bot does in a position, in notation."""
    rules, state = (where.rules, where.state) if isinstance(where, Level) else (RULESET, where)
    return rules.notation(state, answer(state, rules))


def play(seed: str, options: Options | None = None, bot: str = "sensible") -> Match:
    match = Match(RULESET, Fate(seed), options, luck=seed)
    assert match.play({"team": bot}) is not None
    return match


def laid(*pending: Any, **given: Any) -> LevelState:
    return position("1-up", pending=pending, **given)


# Whole games


@pytest.mark.parametrize("games", [60, pytest.param(600, marks=pytest.mark.slow)])
def test_it_wins_about_as_often_as_a_squad_that_plays_by_rule_of_thumb(games: int) -> None:
    results = Counter(play(f"sample {n}").outcome.result for n in range(games))
    assert 0.45 <= (results["major"] + results["minor"]) / games <= 0.80
    assert results.keys() == {"major", "minor", "draw", "loss"}


def test_it_beats_chance() -> None:
    assert {play(f"sample {n}", bot="random").outcome.result for n in range(10)} == {"loss"}


def test_a_game_repeats_itself_for_its_seed() -> None:
    one, again, other = play("twice"), play("twice"), play("thrice")
    assert one.events == again.events
    assert one.events != other.events


def test_luck_chooses_face_entry_and_squad_and_nothing_else() -> None:
    chosen = {(s.face, s.entry, s.squad) for s in (start(f"l{n}").state for n in range(60))}
    assert {face for face, _, _ in chosen} == set(RULESET.book.catalogue.faces)
    assert {entry for _, entry, _ in chosen} == set("ABCD")
    assert len({squad for _, _, squad in chosen}) == 5
    match = start("later")
    for _ in range(150):
        decision = match.decision
        if decision is None:
            break
        answers = {RULESET.notation(match.state, sensible(RULESET, match.state, decision, Luck(k))) for k in "abc"}
        assert len(answers) == 1
        match.act(answers.pop())


def start(seed: str) -> Match:
    """A game in which board, entry and squad are chosen."""
    match = Match(RULESET, Fate("start"), luck=seed)
    for _ in range(3):
        assert match.decision is not None
        match.act(choose(RULESET, match.state, match.decision, "sensible", seed))
    return match


def test_it_sees_no_order_that_nobody_has_seen() -> None:
    """Another fate for what is hidden, the same answers: the bot gets a state, and that holds no hidden order."""
    match = start("fates")
    for n in range(120):
        if match.decision is None:
            break
        action = answer(match.state)
        # What `determinize` deals differs each time; positions of a seat's view do not.
        full = RULESET.determinize(match.state.copy(), "team", Luck(str(n)))
        assert sensible(RULESET, full, match.decision, Luck("x")) == action
        match.act(action)


# Odd positions


VARIANTS = [
    Options(),
    Options(sight="any_angle", corner="either_flank", range_count="exclusive"),
    Options(special_pick="own_pair", frag_needs_sight=False, blast_adjacent="eight"),
    Options(empty_bag_strikes=True, line_marine="skip", short_bag="team", deck_out="draw_needed"),
    Options(level=2, challenges="ask", skull_cards="ask"),
    Options(mode="campaign", campaign_pass=1, skull_cards="ask", left_behind_calls=True),
]


def test_it_has_an_answer_to_every_question_anywhere() -> None:
    """From the positions of games that run wild, under all options: at each of them its action is legal."""
    met: Counter[type] = Counter()
    for n in range(36):
        luck = Luck("wild", n)
        match = Match(RULESET, Fate(f"wild {n}"), VARIANTS[n % len(VARIANTS)], keep=False)
        while match.decision is not None:
            met[type(match.state.pending[-1])] += 1
            action = answer(match.state)
            match.act(action if luck.below(3) else luck.choice(match.decision.actions))
    assert sum(met.values()) > 3_000
    assert QUESTIONS - met.keys() <= {steps.Spread, steps.Place}


def test_the_last_counters_of_a_short_bag_do_not_go_to_a_marine_first() -> None:
    """Entry 1 of this face is f3 and entry 3 d6; a Tyranid on f3 makes lines out of it."""
    team = Options(short_bag="team")
    squares = steps.Place(squares=("f3", "d6"), cause="INF-1-07")
    assert said(laid(squares, marines={"MAX": "f3"}, bag=["T07"], options=team)) == "pick d6"
    lines = steps.Spread(square="f3", cause="INF-1-01")
    state = laid(lines, marines={"MAX": "f2"}, tyranids={"f3": "termagant"}, bag=["T07"], options=team)
    decision = RULESET.decision(state)
    assert decision is not None
    assert act.Pick("f2") in decision.actions
    assert said(state) != "pick f2"


# Rules of thumb, one by one


def test_it_tries_the_console_when_it_stands_there() -> None:
    assert said(drawn(chamber(7, 7, d4="M"), turn="MAX", objective="d4")) == "con"


def test_it_kills_what_is_beside_it_first() -> None:
    assert said(drawn(chamber(7, 7, d4="M", d3="T"), turn="MAX", objective="d4")) == "at d3"


def test_it_walks_to_the_console_the_short_way() -> None:
    level = drawn("#########\n#M......#\n#########", turn="MAX", objective="h2")
    assert said(level) == "mv c2"


def test_a_tyranid_in_the_way_is_shot_at() -> None:
    level = drawn("#########\n#M..T...#\n#########", turn="MAX", objective="h2")
    assert said(level) == "at e2"


def test_the_marine_who_needs_the_fewest_turns_works_the_console() -> None:
    level = drawn("#########\n#M.A....#\n#########", objective="h2")
    assert worker(Plan(level.rules.book, level.state)) == "ADR"
    slow = drawn("#########\n#.AV....#\n#########", objective="h2")
    assert worker(Plan(slow.rules.book, slow.state)) == "ADR"


def test_all_go_to_the_exit_and_the_first_one_goes_deep() -> None:
    """Exit C of the face 1-up is f13; its tile goes on from X1 to X4."""
    out = position("1-up", exit="C", marines={"LUK": "f12", "ADR": "V1"}, turn="LUK")
    assert said(out) == "mv f13"
    first = position("1-up", exit="C", marines={"LUK": "X1", "ADR": "V1"}, turn="LUK", actions=3)
    assert said(first) == "mv X2"
    goal = Goal(Plan(RULESET.book, out), "LUK", 4)
    assert (goal.leaving, goal.safe, goal.distance) == (True, False, 2)
    assert goal.step >= STEP


def test_a_step_is_worth_more_when_time_is_short() -> None:
    late = position("1-up", exit="C", marines={"LUK": "h2"}, infestation=[at.LULL], activation=["act-lukas-1"])
    early = position("1-up", exit="C", marines={"LUK": "h2"})
    assert Goal(Plan(RULESET.book, late), "LUK").step > Goal(Plan(RULESET.book, early), "LUK").step == STEP


def test_a_marine_on_the_exit_tile_does_not_leave_it() -> None:
    for square in ("f13", "X2"):
        marines = {"LUK": "X1", "ADR": "V1"}
        state = position("1-up", exit="C", marines=marines, tyranids={square: "termagant"}, turn="LUK")
        assert said(state) in (f"at {square}", f"gr {square}")
    deepest = position("1-up", exit="C", marines={"LUK": "X4", "ADR": "V1"}, cards=hand(LUK="SP-24"), turn="LUK")
    assert said(deepest) == "end"


def test_those_who_wait_keep_off_xenos_entries() -> None:
    """f3 is entry 1; on it a Marine would be struck by three of the 24 cards, and by a roll of 1."""
    book = RULESET.book
    clear = Plan(book, position("1-up", marines={"MAX": "f2", "ADR": "V1"}))
    f3, f2 = clear.ground.index["f3"], clear.ground.index["f2"]
    assert clear.danger(f3) == pytest.approx(3 / 24 + 1 / 24 / 6)
    assert clear.danger(f2) == 0
    held = Plan(book, position("1-up", marines={"MAX": "f2", "ADR": "V1"}, tyranids={"f3": "genestealer"}))
    assert held.danger(f2) > 3 / 24 + 1 / 24 / 6
    assert held.danger_without(f2, f3) == 0


def test_it_knows_what_the_deck_is_made_of() -> None:
    """Six of the cards have claws, on 1 to 3 or 1 to 4; the entries are named by the cards that place."""
    deck = RULESET.book.catalogue.decks[1]
    card = forecast(RULESET.book.catalogue, deck, False)
    assert card.claws == pytest.approx((3 + 3 + 4 + 3 + 3 + 3) / 6 / 24)
    assert card.entries[0] == pytest.approx(3 / 24 + 1 / 24 / 6)
    assert card.objective == pytest.approx(1 / 24)
    empty = forecast(RULESET.book.catalogue, deck, True)
    assert empty.entries == (0,) * 6
    assert empty.claws > card.claws
    assert forecast(RULESET.book.catalogue, (at.LULL,), True) == ((0,) * 6, 0, 0, (), (), 0)
    state = position("1-up", marines={"MAX": "V1"}, infestation=["INF-1-12", at.LULL], known=[at.LULL])
    assert coming(state) == (at.LULL,)


def test_it_counts_the_cards_before_a_marine_acts_again() -> None:
    deck = ["act-maximus-1", "act-tyranid-1", "act-tyranid-2"]
    state = position("1-up", marines={"MAX": "V1", "ADR": "V2"}, activation=deck)
    assert cards_before(RULESET.book, state, "MAX") == pytest.approx(2 / 2)
    assert cards_before(RULESET.book, state, "ADR") == pytest.approx(2 + 4 / 3)


# Cards, reactions and choices


def hand(**cards: str) -> dict[str, list[str]]:
    return {code: [card] for code, card in cards.items()}


def test_the_wounded_are_healed() -> None:
    state = position("1-up", marines={"MAX": "f2", "ADR": "g2"}, wounded=["ADR"], cards=hand(MAX="SP-05"), turn="MAX")
    assert said(state) == "sp SP-05 ADR"


def test_wounds_are_prevented() -> None:
    state = laid(Wound(marine="MAX", cause="INF-1-17"), marines={"MAX": "f2", "ADR": "g2"}, cards=hand(MAX="SP-07"))
    assert said(state) == "react SP-07"


def test_an_infestation_card_is_stopped_when_it_would_hurt() -> None:
    beside = {"tyranids": {"e2": "termagant", "h2": "termagant"}, "marines": {"MAX": "f2", "ADR": "g2"}}
    state = laid(Revealed(card="INF-1-18", bag_empty=False), cards=hand(MAX="SP-16"), **beside)
    assert said(state) == "react SP-16"
    state = laid(Revealed(card=at.LULL, bag_empty=False), cards=hand(MAX="SP-16"), **beside)
    assert said(state) == "pass"


def test_known_cards_are_put_back_with_the_worst_last() -> None:
    known = ["INF-1-18", at.LULL, "INF-1-17"]
    state = laid(
        OrderCards(marine="MAX"), marines={"MAX": "f2", "ADR": "V1"}, tyranids={"e2": "termagant"}, known=known
    )
    assert said(state) == "order 2 3 1"


def test_a_failed_die_is_rolled_again() -> None:
    where = {"marines": {"ADR": "f2", "MAX": "V1"}, "tyranids": {"e2": "termagant"}, "turn": "ADR"}
    failed = RollFailed(
        marine="ADR", purpose="attack", own_turn=True, dice=1, modifier=0, need=3, values=(1,), counter="T01",
        square="e2", distance=1,
    )  # fmt: skip
    assert said(laid(failed, **where)) == "react ability"
    assert said(laid(failed, cards=hand(ADR="SP-20"), **where)) == "react ability"


def test_the_litany_is_kept_for_the_last_try_at_the_console() -> None:
    failed = RollFailed(marine="MAX", purpose="console", own_turn=True, dice=1, modifier=0, need=6, values=(2,))
    where = {"marines": {"MAX": "f8", "ADR": "V1"}, "cards": hand(MAX="SP-20"), "turn": "MAX"}
    assert said(laid(failed, actions=2, **where)) == "pass"
    assert said(laid(failed, actions=0, **where)) == "react SP-20"


def test_ambushes_come_where_they_touch_one_marine_only() -> None:
    level = drawn("######\n#...##\n#MA..#\n######", objective="b2")
    level.state.pending.append(Ambushed(marines=("MAX",), count=1, each=1, cause="INF-1-15"))
    level.state.pending.append(Ambushed(marines=("ADR",), count=1, each=1, cause="INF-1-15"))
    decision = level.rules.decision(level.state)
    assert decision is not None
    assert {action.choice for action in decision.actions} == {"c2", "d3"}
    assert sensible(level.rules, level.state, decision, Luck("x")).choice in {"c2", "d3"}


def test_of_tied_marines_the_unhurt_one_is_meant() -> None:
    tied = Tie(source="INF-1-15", path=(0,), marines=("MAX", "ADR"))
    state = laid(tied, marines={"MAX": "f2", "ADR": "g2"}, wounded=["MAX"])
    assert said(state) == "pick ADR"


def test_free_actions_are_used() -> None:
    tyranids = {"X2": "termagant"}
    shoot = position("1-up", exit="C", marines={"MAX": "X1", "ADR": "V1"}, tyranids=tyranids, free="MAX", free_any=1)
    assert said(shoot) == "free at X2"
    walk = position("1-up", exit="C", marines={"MAX": "f12", "ADR": "V1"}, free="MAX", free_any=1)
    assert said(walk) == "free mv f13"
    stay = position("1-up", exit="C", marines={"MAX": "X4", "ADR": "V1"}, free="MAX", free_any=1)
    assert said(stay) == "pass"


def test_maximus_gives_his_order_to_the_one_who_gains_most() -> None:
    state = position("1-up", exit="C", marines={"MAX": "X4", "ADR": "e12", "VOR": "X3"}, turn="MAX")
    assert said(state) == "cmd ADR"


def test_the_squad_takes_the_cards_most_worth_having() -> None:
    match = start("equip")
    while not match.state.pool:
        assert match.decision is not None
        match.act(answer(match.state))
    pool = match.state.pool
    given = []
    while type(match.state.pending[-1]) is steps.EquipSquad:
        action = answer(match.state)
        given.append(PREFERENCE.index(RULESET.book.catalogue.specials[action.card].design))
        match.act(action)
    ranks = [PREFERENCE.index(RULESET.book.catalogue.specials[card].design) for card in pool]
    assert len(given) == 4
    assert given == sorted(ranks)[:4]


def test_every_design_of_a_special_card_has_its_place() -> None:
    designs = [card.design for card in RULESET.book.catalogue.specials.values()]
    assert sorted(PREFERENCE) == sorted(set(designs))
