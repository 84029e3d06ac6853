"""Luck and skill: values against the exact solution of Pig, swings that add up, and answers that are found again."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import msgspec
import pytest
from exact_pig import after, held, key_of, rolled, solved
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import warptape
from warptape.domain.chance import Draw, Pick, Roll
from warptape.domain.errors import BadAddress, NotAllowed, OptionError, RulesetCrash, StoreError
from warptape.domain.referee import Referee, choose
from warptape.domain.rules import ruleset
from warptape.domain.states import ChanceState, Shuffled
from warptape.replays.analysing import Analyst, analyse
from warptape.replays.luck import Analysis, sparkline
from warptape.replays.playouts import Asked, Estimate, Imagined, Probe, Value, length, playout, position, possible
from warptape.replays.swings import AGAIN
from warptape.replays.valuing import CHUNK, Answers, Asker, Question, panel_of, user_cache

GOAL = 20
CAREFUL = 6
"""Points at which the careful bot holds."""


@pytest.fixture
def store() -> Iterator[Any]:
    with warptape.open(":memory:") as opened:
        yield opened


@pytest.fixture(scope="module")
def careful_worth() -> dict[Any, float]:
    return solved(GOAL, lambda key: key[2] < CAREFUL and key[0] + key[2] < GOAL)


@pytest.fixture(scope="module")
def best_worth() -> dict[Any, float]:
    return solved(GOAL)


@pytest.fixture
def pig(monkeypatch: pytest.MonkeyPatch, best_worth: dict[Any, float]) -> Any:
    """Pig with bots of known policies: `careful` holds at 6, `best` plays as well as can be."""
    rules = ruleset("pig")
    roll, hold = (cls() for cls in rules.actions)

    def careful(rules: Any, state: Any, decision: Any, luck: Any) -> Any:
        i, _, k = key_of(state)
        return hold if k >= CAREFUL or i + k >= GOAL else roll

    def best(rules: Any, state: Any, decision: Any, luck: Any) -> Any:
        key = key_of(state)
        worse = key[2] and held(best_worth, GOAL, key) > rolled(best_worth, GOAL, key)
        return hold if worse else roll

    monkeypatch.setattr(type(rules), "bots", {**rules.bots, "careful": careful, "best": best})
    return rules


def game_of(store: Any, *lines: str, name: str = "pig", seed: str = "luck", **options: Any) -> Any:
    game = store.new(name, seed=seed, options=options or None)
    for line in lines:
        game.act(line)
    return game


def scripted(store: Any, faces: str, *lines: str, goal: int = GOAL) -> Any:
    """A game of Pig at a table: the faces that the dice show, in order, and what is done."""
    left = list(faces)
    game = store.new("pig", options={"goal": str(goal)}, chance="table")
    for line in lines:
        game.act(line, outcomes=[left.pop(0)] if line == "roll" else [])
    return game


def whole(game: Any, **how: Any) -> Analysis:
    how = {"playouts": 6, "points": None, "close": None, "tried": 1, "answers": Answers(), **how}
    return analyse(game, **how)


def close(found: Estimate, exact: float) -> bool:
    """Whether an estimate is within four standard errors: the seeds are fixed, so a test passes always or never."""
    return abs(found.mean - exact) < 4 * found.error


# Values


def test_a_position_is_worth_what_the_exact_solution_says(store: Any, pig: Any, careful_worth: Any) -> None:
    game = scripted(store, "5463", "roll", "roll", "hold", "roll", "roll")
    bots = {"p1": "careful", "p2": "careful"}
    found = whole(game, playouts=1200, close=0, bots=bots)
    states = [game.at(point.position).state for point in found.points]
    assert len(states) == 6
    for point, state in zip(found.points, states, strict=True):
        seat = f"p{state.pending[-1].player + 1}"
        value = point.value
        assert close(Estimate(value.share(seat), value.error(seat)), careful_worth[key_of(state)])
        assert value.error(seat) < 0.02
        assert value.share("p1") + value.share("p2") == 1


def test_the_end_of_a_game_is_worth_exactly_who_won(store: Any, pig: Any) -> None:
    game = scripted(store, "666", "roll", "roll", "roll", "hold", goal=18)
    last = whole(game).points[-1]
    assert last.value.exact
    assert (last.value.share("p1"), last.value.share("p2"), last.value.error("p1")) == (1, 0, 0)


def test_a_won_position_is_won_in_every_playout(store: Any, pig: Any) -> None:
    game = scripted(store, "666", "roll", "roll", "roll", goal=18)
    value = whole(game, bots={"p1": "best", "p2": "best"}).points[-1].value
    assert value.share("p1") == 1
    assert not value.exact
    assert value.error("p1") > 0, "only the end of a game is certain"


# Luck


@pytest.mark.parametrize("face", [1, 2, 6])
def test_the_luck_of_a_roll_is_what_the_exact_solution_says(
    store: Any, pig: Any, careful_worth: Any, face: int
) -> None:
    """A roll at 12 points: a 1 loses all of them, and exactly so much of the chances."""
    game = scripted(store, f"66{face}", "roll", "roll", "roll")
    swing = whole(game, playouts=1200, bots={"p1": "careful", "p2": "careful"}, tried=0, since=3).swings[0]
    key = (0, 0, 12)
    exact = after(careful_worth, GOAL, key, face) - rolled(careful_worth, GOAL, key)
    assert abs(exact) > 0.02
    assert close(swing.luck("p1"), exact)
    assert swing.luck("p1").mean == pytest.approx(-swing.luck("p2").mean)
    assert close(swing.choice("p1"), rolled(careful_worth, GOAL, key) - careful_worth[key])


def test_luck_is_over_every_face_of_the_die_alike(store: Any, pig: Any) -> None:
    """Any face but 1 wins at once, so the roll is worth five sixths and a sixth of what is left then, without noise."""
    game = scripted(store, "6662", "roll", "roll", "roll", "roll")
    swing = whole(game, playouts=60, bots={"p1": "best", "p2": "best"}, tried=0, since=4).swings[0]
    lost = [result for number, result in enumerate(swing.chosen.results) if number % 6 == 0]
    wins = 5 / 6 + sum(result == 1 for result in lost) / len(lost) / 6
    assert all(result == 1 for number, result in enumerate(swing.chosen.results) if number % 6)
    assert 0 < sum(result == 1 for result in lost) < len(lost) == 10
    assert swing.after.share("p1") == 1
    assert swing.luck("p1").mean == pytest.approx(1 - wins)


def test_an_action_without_chance_has_no_luck(store: Any, pig: Any) -> None:
    game = scripted(store, "54", "roll", "roll", "hold")
    swing = whole(game).swings[-1]
    assert (swing.notation, swing.draws, swing.luck("p1")) == ("hold", (), Estimate(0.0))
    assert swing.chosen == swing.after


def test_each_of_several_rolls_has_its_share(store: Any) -> None:
    """The second roll's luck is against what was known after the first, over all that the second might have given."""
    game = game_of(store, name="hidden")
    bots = dict.fromkeys(game.seats, "random")
    game.run(bots, 12)
    found = whole(game, bots=bots, playouts=6, tried=0)
    swing = next(one for one in found.swings if len(one.draws) > 1 and one.draws[0].luck[one.seat].mean)
    rules, (first, second) = game.ruleset, swing.draws[:2]
    state, action = game.state_at(swing.position - 1), game.event(swing.position).action
    given = tuple(getattr(game.event(at), "values", None) or game.event(at).item for at in first.positions)
    spread = possible(rules, state, action, given, most=3)  # one, two or three: six playouts are shared out evenly
    wins = 0
    for number in range(6):
        forced = (*given, spread[number % len(spread)]) if spread else given
        wins += swing.seat in playout(rules, state, bots, f"playout/{number}", action, forced)
    assert first.luck[swing.seat].mean == pytest.approx(wins / 6 - swing.chosen.share(swing.seat))
    assert second.positions > first.positions


# Choice


def test_the_best_action_costs_nothing(store: Any, pig: Any) -> None:
    game = store.new("pig", seed="better", options={"goal": str(GOAL)}, seats={"p1": "bot:best", "p2": "bot:best"})
    game.run({})
    assert game.state.decisions > 5
    found = whole(game, playouts=60, bots={"p1": "best", "p2": "best"})
    assert len(found.swings) == found.decisions
    assert any(swing.tried for swing in found.swings)
    assert found.costliest() == []


def test_a_blunder_costs_what_the_exact_solution_says(store: Any, pig: Any, best_worth: Any) -> None:
    """To hold with 2 points where the other one needs 2 more is to give the game away."""
    faces = "2 666 2".replace(" ", "")
    game = scripted(store, faces, "roll", "hold", "roll", "roll", "roll", "hold", "roll", "hold")
    found = whole(game, playouts=300, bots={"p1": "best", "p2": "best"}, since=8)
    key = (2, 18, 2)
    exact = rolled(best_worth, GOAL, key) - held(best_worth, GOAL, key)
    assert exact > 0.15
    (swing,) = found.costliest()
    assert (swing.number, swing.notation, swing.tried[0].notation) == (8, "hold", "roll")
    assert close(swing.cost, exact)
    assert swing.cost.error < 0.04


def test_the_best_of_several_is_asked_again_by_playouts_of_its_own(
    store: Any, pig: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best of many noisy figures is too high: what is told as the cost comes from other seeds."""
    game = scripted(store, "24642", "roll", "hold", "roll", "hold", "roll", "hold", "roll", "hold", "roll", "hold")
    seeds: Counter[str] = Counter()

    def heard(rules: Any, state: Any, bots: Any, seed: str, *more: Any) -> Any:
        seeds[seed] += 1
        return playout(rules, state, bots, seed, *more)

    monkeypatch.setattr("warptape.replays.valuing.playout", heard)
    found = whole(game, playouts=6, bots={"p1": "best", "p2": "best"})
    again = sum(one.better is not None for one in found.swings)
    assert seeds.keys() == {f"playout/{n}" for n in (*range(6), *range(AGAIN, AGAIN + 12))}
    assert seeds[f"playout/{AGAIN}"] == 2 * again, "both the action and the best other one"
    swing = next(one for one in found.swings if one.better is not None)
    first = swing.tried[0].value.minus(swing.chosen, swing.seat)
    assert first.mean > 0
    assert swing.better != first


# What adds up


@pytest.mark.parametrize(
    ("name", "bot", "limit"),
    [
        ("pig", "random", 60), ("nested", "random", 15), ("hidden", "random", 16), ("space-marine-adventures", "sensible", 3),
        ("doom-of-the-eldar", "sensible", 1), ("tyranid-attack", "sensible", 1),
    ],
)  # fmt: skip
def test_luck_and_choice_add_up_to_what_changed(name: str, bot: str, limit: int, store: Any) -> None:
    heavy = name not in ("pig", "nested", "hidden")

    @settings(max_examples=1 if heavy else 3, deadline=None, database=None, derandomize=True)
    @given(st.integers(0, 1000))
    def adds_up(seed: int) -> None:
        options = {"goal": "12"} if name == "pig" else None
        game = store.new(name, seed=f"{seed}", options=options)
        bots = dict.fromkeys(game.seats, bot)
        game.run(bots, limit)
        found = whole(game, playouts=1 if heavy else 2, bots=bots)
        assert found.whole
        assert not found.skipped
        assert len(found.points) == found.decisions + 1
        assert [swing.number for swing in found.swings] == list(range(1, found.decisions + 1))
        for seat in found.seats:
            sums = found.totals(seat)
            assert sums is not None
            assert sums.start + sums.luck + sums.own + sums.others == pytest.approx(sums.end)
            assert sums.rest == pytest.approx(0)
            for swing in found.swings:
                change = swing.after.share(seat) - swing.before.share(seat)
                assert swing.luck(seat).mean + swing.choice(seat).mean == pytest.approx(change)
                assert sum(drawn.luck[seat].mean for drawn in swing.draws) == pytest.approx(swing.luck(seat).mean)
        if game.outcome is not None:
            last = found.points[-1].value
            assert [seat for seat in found.seats if last.share(seat)] == list(game.outcome.winners)

    adds_up()


def test_a_curve_that_is_not_whole_says_what_it_left_out(store: Any) -> None:
    game = game_of(store, seed="long", goal="40")
    game.run(dict.fromkeys(game.seats, "random"))
    found = analyse(game, playouts=8, points=16, close=3, tried=1, answers=Answers())
    assert found.decisions >= 30
    assert len(found.points) == 16
    assert [found.points[0].decision, found.points[-1].decision] == [0, found.decisions]
    assert 1 <= len(found.swings) <= 3
    sums = found.totals("p1")
    assert sums is not None
    assert sums.start + sums.luck + sums.own + sums.others + sums.rest == pytest.approx(sums.end)
    assert found.swings == tuple(sorted(found.swings, key=lambda swing: swing.number))


# What is played out when nobody says how often


def test_of_a_short_game_everything_is_played_as_often_as_can_be(store: Any, pig: Any, careful_worth: Any) -> None:
    game = scripted(store, "54634", "roll", "roll", "hold", "roll", "roll", "hold", "roll")
    found = analyse(game, bots={"p1": "careful", "p2": "careful"}, answers=Answers())
    assert (found.few, found.playouts) == (12, 40)
    assert [point.decision for point in found.points] == list(range(8))
    assert {point.value.playouts for point in found.points} == {40}
    assert len(found.swings) == 7
    for point in found.points:
        state = game.at(point.position).state
        seat = f"p{state.pending[-1].player + 1}"
        gap = point.value.share(seat) - careful_worth[key_of(state)]
        assert close(Estimate(gap, point.value.error(seat)), 0.0)


def test_of_a_long_game_no_more_is_played_than_there_is_work_for(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(store, seed="long", goal="40")
    game.run(dict.fromkeys(game.seats, "random"))
    monkeypatch.setattr("warptape.replays.allotting.CURVE", 5_000)
    monkeypatch.setattr("warptape.replays.allotting.CLOSER", 8_000)
    costs: list[int] = []

    def counted(*args: Any) -> Any:
        costs.append(length(args[0], args[1], args[2], args[3]))
        return playout(*args)

    monkeypatch.setattr("warptape.replays.valuing.playout", counted)
    answers = Answers()
    found = analyse(game, answers=answers)
    often = {point.value.playouts for point in found.points}
    assert min(often) in (1, 12)
    assert max(often) == 40  # where least is known for what it takes
    assert 9 <= len(found.points) < found.decisions
    assert [found.points[0].decision, found.points[-1].decision] == [0, found.decisions]
    assert 1 <= len(found.swings) < 12
    assert 3_000 < sum(costs) < 25_000  # bots may play longer games than this one was
    sums = found.totals("p1")
    assert sums is not None
    assert sums.start + sums.luck + sums.own + sums.others + sums.rest == pytest.approx(sums.end)
    costs.clear()
    assert analyse(game, answers=answers) == found
    assert not costs
    assert len(analyse(game, answers=answers, points=9).points) == 9


def test_of_a_game_that_is_not_over_the_rest_counts_as_bots_play_it(store: Any) -> None:
    game = game_of(store, "roll", goal="40")
    analyst = Analyst(game, answers=Answers())
    assert analyst.allotment is not None
    assert analyst.allotment.cost(1) > 10
    assert analyst.allotment.cost(0, 3) == 3 * (analyst.allotment.cost(1) + 1)
    assert Analyst(game, answers=Answers(), playouts=5).allotment is None


# Lines, notes, and what is not there


def test_what_was_taken_back_is_analysed_by_its_address_alone(store: Any) -> None:
    game = scripted(store, "54", "roll", "roll")
    left = game.tip
    game.undo()
    game.act("hold")
    now, then = whole(game, close=0), whole(game, close=0, at=left)
    assert now.points[-1].position == game.tip
    assert then.points[-1].position == left
    assert now.points[:2] == then.points[:2]


def test_notes_and_new_salts_change_no_figure(store: Any) -> None:
    plain, noted = (scripted(store, "54", "roll") for _ in range(2))
    noted.note("a good one")
    noted.reroll()
    for game in (plain, noted):
        game.act("roll", outcomes=["4"])
    one, other = whole(plain), whole(noted)
    assert [point.value for point in one.points] == [point.value for point in other.points]
    assert [swing.chosen for swing in one.swings] == [swing.chosen for swing in other.swings]
    assert other.points[1].position == plain.tip - 3  # the end of the action, not of what was written then


def test_an_analysis_begins_where_it_is_told(store: Any) -> None:
    game = scripted(store, "5463", "roll", "roll", "hold", "roll", "roll")
    all_of_it, later = whole(game), whole(game, since=4)
    assert [point.decision for point in later.points] == [3, 4, 5]
    assert later.points == all_of_it.points[3:]
    assert later.swings == all_of_it.swings[3:]
    with pytest.raises(BadAddress, match="no decision 6: 5 were taken"):
        whole(game, since=6)


def test_a_game_without_decisions_has_one_point(store: Any) -> None:
    found = whole(store.new("pig", seed="none"))
    assert [point.decision for point in found.points] == [0]
    assert found.swings == ()
    assert found.whole


def test_what_a_seat_knew_cannot_be_played_out(store: Any, tmp_path: Path) -> None:
    game = game_of(store, name="hidden")
    game.run(dict.fromkeys(game.seats, "random"), 5)
    seen = store.load(game.export(tmp_path / "raider.tape.jsonl", "raider"))
    with pytest.raises(NotAllowed, match="what one seat knew"):
        whole(seen)


def test_a_fork_as_of_a_seat_is_analysed_from_where_it_is_whole(store: Any) -> None:
    game = game_of(store, name="hidden")
    game.run(dict.fromkeys(game.seats, "random"), 5)
    branch = game.fork(as_of="raider")
    branch.run(dict.fromkeys(game.seats, "random"), 4)
    found = whole(branch)
    assert found.points[0].decision == 5
    assert len(found.swings) == 4
    with pytest.raises(NotAllowed, match="only what one seat knew"):
        whole(branch, at="@d2")


def test_a_log_that_does_not_fit_together_says_where(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from warptape.domain.events import DiceRolled

    game = scripted(store, "54", "roll", "roll")

    def unfit(event: Any, state: Any) -> None:
        raise KeyError("no such die")

    monkeypatch.setattr(DiceRolled, "apply", unfit)
    with pytest.raises(RulesetCrash, match="fail on the position @"):
        whole(game)


def test_who_plays_on_must_be_there(store: Any) -> None:
    game = store.new("pig", seed="none")
    with pytest.raises(OptionError, match="no bot 'clever'"):
        whole(game, bots={"p1": "clever"})
    with pytest.raises(OptionError, match="no seat 'p9'"):
        whole(game, bots={"p9": "random"})


def test_a_decision_that_todays_rules_take_otherwise_is_left_out(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game = scripted(store, "54", "roll", "roll", "hold")
    rules = type(ruleset("pig"))
    real = rules.resolve

    def generous(self: Any, state: Any, step: Any, action: Any) -> Any:
        """Nothing is lost by a 1, and holding is not what it was."""
        if self.notation(state, action) == "hold":
            yield from real(self, state, step, action)
            state.decisions += 7
        else:
            yield from real(self, state, step, action)

    monkeypatch.setattr(rules, "resolve", generous)
    found = whole(game, playouts=2)
    assert list(found.skipped) == [3]
    assert "today's rules" in found.skipped[3]
    assert [swing.number for swing in found.swings] == [1, 2]


def test_a_bot_that_fails_is_no_answer(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ruleset("pig")

    def broken(rules: Any, state: Any, decision: Any, luck: Any) -> Any:
        raise ValueError("no idea")

    monkeypatch.setattr(type(rules), "bots", {"sensible": broken})
    asker = Asker(rules, panel_of(rules, dict.fromkeys(("p1", "p2"), "sensible")), ("p1", "p2"), Answers())
    state = store.new("pig", seed="x").state
    assert asker.ask([("a", Question(position(state))), ("b", Question(position(state)))], 4)
    assert asker.found == {}
    assert asker.failed == {"a": "ValueError: no idea", "b": "ValueError: no idea"}


# Chance that is imagined


def test_what_may_come_out_is_all_that_may() -> None:
    chance = ChanceState(decks={"d/1": Shuffled(("a", "a", "b", "c"), {1: "a"})})
    for ask, most, expected in (
        (lambda probe: probe.roll(chance, Roll("die")), 6, [(face,) for face in range(1, 7)]),
        (lambda probe: probe.roll(chance, Roll("die", 6, 2)), 35, None),
        (lambda probe: probe.card(chance, Draw("d/1", 0)), 6, ["a", "b", "c"]),
    ):
        with pytest.raises(Asked) as asked:
            ask(Probe((), most))
        assert asked.value.possible == expected
    assert Probe(("b",), 6).card(chance, Draw("d/1", 0)) == "b"


def test_a_roll_of_pig_has_six_outcomes_and_a_hold_none(store: Any) -> None:
    rules, game = ruleset("pig"), scripted(store, "5", "roll")
    roll, hold = (cls() for cls in rules.actions)
    assert possible(rules, game.state, roll) == tuple((face,) for face in range(1, 7))
    assert possible(rules, game.state, roll, ((4,),)) == ()
    assert possible(rules, game.state, hold) == ()
    assert possible(rules, game.state, roll, most=5) == ()


ITEMS = ("a", "a", "a", "b", "b", "c")


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.permutations(ITEMS), st.permutations(range(6)), st.integers(0, 5), st.text("xyz", max_size=3))
def test_a_forced_card_is_nowhere_else(lying: list[str], order: list[int], known: int, seed: str) -> None:
    """What was seen or forced stays, every item lies once, and no card changes while others are seen."""
    deck = Shuffled(ITEMS, {place: lying[place] for place in order[:known]})
    chance = ChanceState(decks={"d/1": deck})
    whole_ = Imagined(seed)
    promised = [deck.seen[p] if p in deck.seen else whole_.card(chance, Draw("d/1", p)) for p in range(6)]
    assert sorted(map(str, promised)) == sorted(ITEMS)
    source = Imagined(seed)
    for place in order[known:]:
        deck.seen[place] = source.card(chance, Draw("d/1", place))
        assert deck.seen[place] == promised[place]


def test_every_deal_that_agrees_with_what_was_seen_is_as_likely() -> None:
    """`a` lies on place 1: of the deals of the others none comes up more often, at 4 standard errors."""
    items, seen = ("a", "a", "b", "c"), {1: "a"}
    chance = ChanceState(decks={"d/1": Shuffled(items, seen)})
    count, found = 1200, Counter()
    for seed in range(count):
        source = Imagined(f"{seed}")
        found["".join(source.card(chance, Draw("d/1", place)) for place in (0, 2, 3))] += 1
    deals = {"".join(deal) for deal in permutations("abc")}
    assert set(found) == deals
    share = count / len(deals)
    assert all(abs(number - share) < 4 * (share * (1 - 1 / len(deals))) ** 0.5 for number in found.values())


def test_playouts_never_use_the_games_own_fate(store: Any) -> None:
    """Two games that stand alike but for their secret are worth the same, playout by playout."""
    one, other = (store.new("pig", seed=seed, options={"goal": "30"}) for seed in ("one", "other"))
    assert position(one.state) == position(other.state)
    bots = dict.fromkeys(("p1", "p2"), "sensible")
    results = {seed: playout(one.ruleset, one.state, bots, f"{seed}") for seed in range(20)}
    assert results == {seed: playout(other.ruleset, other.state, bots, f"{seed}") for seed in range(20)}
    assert len(set(results.values())) == 2
    assert one.state.decisions == 0, "the position is left as it is"


@pytest.mark.parametrize(
    ("name", "bot", "limit"),
    [
        ("pig", "random", 4),
        ("nested", "random", 4),
        ("hidden", "random", 6),
        ("space-marine-adventures", "sensible", 40),
    ],
)
def test_a_seed_gives_the_same_game_at_any_position_of_it(name: str, bot: str, limit: int, store: Any) -> None:
    """Common random numbers: from every position on the way of a playout the same seed leads to the same end."""
    game = game_of(store, name=name)
    bots = dict.fromkeys(game.seats, bot)
    game.run(bots, limit)
    rules, ends = game.ruleset, Counter()
    for number in range(4):
        seed, state = f"playout/{number}", game.state.copy()
        state.chance.epoch = 0
        referee, end = Referee(rules, state, Imagined(seed)), playout(rules, game.state, bots, seed)
        on = 0
        while (decision := referee.decision) is not None:
            referee.take(decision.seat, choose(rules, referee.state, decision, bots[decision.seat], seed))
            on += 1
            if on % (1 if name in ("pig", "nested") else 60) == 0 and referee.decision is not None:
                assert playout(rules, referee.state, bots, seed) == end, (number, on)
        ends[end] += on
    assert sum(ends.values()) > 8


def test_common_seeds_compare_playout_by_playout() -> None:
    one = Value(("p1", "p2"), (1, 1, 2, 2, 1, 2, 2, 1))
    better = Value(("p1", "p2"), (1, 1, 2, 1, 1, 2, 2, 1))
    assert one.share("p1") == 0.5
    found = better.minus(one, "p1")
    assert found.mean == pytest.approx(1 / 8)
    assert found.error < Value(one.seats, (*one.results, 1)).minus(better, "p1").error
    assert not found.sure
    assert Value(("p1",), (1,), exact=True).minus(Value(("p1",), (0,), exact=True), "p1") == Estimate(1.0, 0.0)


# Order, processes, and what is kept


def test_processes_change_no_figure(store: Any) -> None:
    game = game_of(store, seed="many", goal="15")
    game.run(dict.fromkeys(game.seats, "random"))
    assert whole(game, jobs=2) == whole(game, jobs=1)


def test_what_was_kept_changes_no_figure_and_is_not_played_again(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(store, seed="kept", goal="15")
    game.run(dict.fromkeys(game.seats, "random"))
    with Answers() as answers:
        whole(game, playouts=2, answers=answers)
        longer = whole(game, playouts=12, answers=answers)
        assert longer == whole(game, playouts=12)
        monkeypatch.setattr("warptape.replays.valuing.playout", None)
        assert whole(game, playouts=12, answers=answers) == longer


@pytest.mark.parametrize("after_", [1, 7, 23])
def test_a_run_that_was_stopped_goes_on_where_it_was(store: Any, after_: int) -> None:
    game = game_of(store, seed="stopped", goal="15")
    game.run(dict.fromkeys(game.seats, "random"))
    how: dict[str, Any] = {"playouts": 10, "points": None, "close": None, "tried": 1}
    heard: list[int] = []
    with Answers() as answers:
        first = Analyst(game, answers=answers, done=heard.append, enough=lambda: len(heard) >= after_, **how)
        first.run()
        part = first.result()
        assert not part.whole
        assert len(heard) == after_
        kept = answers.connection.execute("SELECT count(*) FROM playouts").fetchone()[0]
        assert kept >= (after_ - 1) * CHUNK
        again = Analyst(game, answers=answers, **how)
        again.run()
        assert again.result() == whole(game, **how)
        known = {point.decision: point for point in again.result().points}
        assert all(known[point.decision] == point for point in part.points)


KILLED = """
import os, signal, sys
import warptape
from warptape.replays import valuing
left = int(sys.argv[3])
real = valuing.playout
def dying(*given):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*given)
valuing.playout = dying
with warptape.open(sys.argv[1]) as store:
    store.game("last").analyse(playouts=10, close=None, tried=1, answers=valuing.Answers(sys.argv[2]))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system kills in another way")
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, rulesets: dict[str, str]) -> None:
    shelf, cache = str(tmp_path / "games.db"), str(tmp_path / "cache" / "playouts.db")
    with warptape.open(shelf) as store:
        game = game_of(store, seed="killed", goal="15")
        game.run(dict.fromkeys(game.seats, "random"))
        done = subprocess.run(
            [sys.executable, "-c", KILLED, shelf, cache, "63"],
            env=rulesets,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == -signal.SIGKILL, done.stderr
        with Answers(cache) as answers:
            assert (
                answers.connection.execute("SELECT count(*) FROM playouts").fetchone()[0] == 61
            )  # the end of the game, and chunks of 5
            found = whole(game, playouts=10, answers=answers)
        assert found == whole(game, playouts=10)


def test_an_answer_is_kept_under_all_that_it_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ruleset("pig")
    bots = {"p1": "sensible", "p2": "sensible"}
    panel, question = panel_of(rules, bots), Question(b"{}", b"{}", ((1,),), ((2,),))
    keys = {panel.key(question)}
    for name, value in {
        "rules": "other", "version": "2/0", "content": "abc", "bots": {**bots, "p2": "random"}, "seed": "x",
    }.items():  # fmt: skip
        keys.add(msgspec.structs.replace(panel, **{name: value}).key(question))
    for name, changed in {"state": b"[]", "action": b"[]", "outcomes": ((2,),), "spread": ()}.items():
        keys.add(panel.key(msgspec.structs.replace(question, **{name: changed})))
    assert len(keys) == 10
    assert panel_of(rules, dict(reversed(bots.items()))).key(question) in keys, "whatever order the bots are named in"
    monkeypatch.setattr(warptape, "__version__", "9.9", raising=False)
    assert panel_of(rules, bots).key(question) not in keys


def test_where_playouts_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WARPTAPE_CACHE", str(tmp_path))
    assert user_cache() == str(tmp_path / "playouts.db")
    monkeypatch.setenv("WARPTAPE_CACHE", "off")
    assert user_cache() == ":memory:"
    monkeypatch.delenv("WARPTAPE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    assert user_cache().endswith(os.path.join("warptape", "playouts.db"))


def test_a_damaged_file_of_playouts_says_that_it_may_go(tmp_path: Path) -> None:
    path = tmp_path / "playouts.db"
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match="may be deleted"):
        Answers(path)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE playouts (other TEXT)")
    with Answers(other) as answers, pytest.raises(StoreError, match="may be deleted"):
        answers.get(b"key", 0, 5)


def test_what_is_kept_but_is_no_answer_is_played_again(store: Any) -> None:
    game = scripted(store, "54", "roll", "roll", "hold")
    with Answers() as answers:
        found = whole(game, answers=answers)
        for wrong in ("x", -1, 4, None, 1.5):
            answers.connection.execute("UPDATE playouts SET won = ? WHERE number % 2", (wrong,))
            assert whole(game, answers=answers) == found


# What is shown


def test_a_curve_is_drawn_at_even_steps(store: Any) -> None:
    game = scripted(store, "5463", "roll", "roll", "hold", "roll", "roll")
    found = whole(game, close=0)
    assert found.along("p1", 6) == [point.value.share("p1") for point in found.points]
    ends = msgspec.structs.replace(found, points=(found.points[0], found.points[-1]))
    low, high = (point.value.share("p1") for point in ends.points)
    assert ends.along("p1", 3) == pytest.approx([low, (low + high) / 2, high])
    assert msgspec.structs.replace(found, points=found.points[:1]).along("p1", 60) == [low]
    assert msgspec.structs.replace(found, points=()).along("p1", 60) == []
    assert sparkline([0, 1], "0123456789") == "09"


@pytest.mark.parametrize("form", ["txt", "md", "html"])
def test_the_story_has_a_margin(store: Any, pig: Any, form: str) -> None:
    faces = "266622"
    game = scripted(store, faces, "roll", "hold", "roll", "roll", "roll", "hold", "roll", "hold", "roll", "hold")
    assert game.outcome is not None
    found = whole(game, playouts=150, bots={"p1": "best", "p2": "best"})
    story = game.transcript(form, analysis=found)
    assert "Costly: 'roll' was worth" in story.replace("&#x27;", "'").replace("\n  | ", " ")
    assert "Luck: Player" in story
    assert "Chances of Player 1: " in story
    assert "to 0 % (" in story.replace("\n", " ").replace("  ", " ")
    assert ("<polyline" if form == "html" else "▁") in story
    plain = game.transcript(form)
    assert "Costly" not in plain
    assert "Chances" not in plain
    last = {"txt": "  | Costly", "md": "- > *Costly", "html": "<aside>Costly"}[form]
    at = story.index(last)
    assert story.rindex("hold", 0, at) > story.rindex("roll", 0, at), "below the choice it is about"


def test_the_page_reads_an_analysis_as_plain_data(store: Any, pig: Any) -> None:
    from warptape.projections.analysis import curve

    game = scripted(store, "266622", "roll", "hold", "roll", "roll", "roll", "hold", "roll", "hold", "roll", "hold")
    found = whole(game, playouts=150, bots={"p1": "best", "p2": "best"})
    data = json.loads(msgspec.json.encode(curve(game, found)))
    assert [point["decision"] for point in data["points"]] == list(range(11))
    assert data["points"][-1]["shares"]["p2"] == {"share": 1.0, "low": 1.0, "high": 1.0}
    first = data["points"][0]["shares"]["p1"]
    assert 0 < first["low"] < first["share"] < first["high"] < 1
    assert data["choices"][0]["decision"] == 8
    assert data["choices"][0]["better"] == "roll"
    assert all(one["text"] and one["positions"] for one in data["luck"])
    assert set(data["totals"]["p1"]) == {"start", "luck", "own", "others", "rest", "end"}
    assert data["whole"] is True


def test_counters_are_drawn_as_they_lie_in_the_bag() -> None:
    from warptape.domain.states import Bag

    chance = ChanceState(bags={"crew": Bag(("axe", "mage", "thug"), {"c1": "axe"})})
    assert Imagined("x", ("thug",)).counter(chance, Pick("crew")) == "thug"
    assert {Imagined(f"{seed}").counter(chance, Pick("crew")) for seed in range(20)} == {"mage", "thug"}
    with pytest.raises(Asked) as asked:
        Probe((), 6).counter(chance, Pick("crew"))
    assert asked.value.possible == ["mage", "thug"]
