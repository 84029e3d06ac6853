"""The laws of secrets: views and redaction, questions, and that nothing a seat sees depends on what it must not know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import laws
import msgspec
import pytest
import secret_laws
from doom import of, play, token
from option_sets import OPTIONS
from two_worlds import worlds_look_alike

from warptape.domain.chance import Luck
from warptape.domain.doom_of_the_eldar import RULESET
from warptape.domain.doom_of_the_eldar.events import BattleBegan, MineDetonated, MineOrderSet, StackScried, TotalsSet
from warptape.domain.doom_of_the_eldar.state import ELDAR, TYRANID, DoomState, Options
from warptape.domain.doom_of_the_eldar.steps import Order
from warptape.domain.events import CounterDrawn, CounterRevealed
from warptape.domain.secrets import SEALED, Sealed, redact, view

SETS = pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)


def few(options: Options, count: int) -> Iterator[str]:
    """Seeds of some games: of those with a free set-up, which are long, only a few."""
    return (f"secret {number}" for number in range(1 + count // 10 if options.setup == "free" else count))


# The laws


@SETS
def test_what_a_seat_sees_is_the_fold_of_its_redacted_log(options: Options) -> None:
    """At every event of whole games, for both seats and a spectator."""
    sealed = sum(
        secret_laws.view_law(RULESET, laws.whole(RULESET, seed, options, 2500).events) for seed in few(options, 4)
    )
    assert sealed > (100 if options.setup == "free" else 200)


def test_what_a_seat_sees_is_the_fold_of_its_redacted_log_through_json() -> None:
    for number in range(3):
        events = laws.whole(RULESET, f"json {number}", OPTIONS["quick"]).events
        secret_laws.view_law(RULESET, events, through_json=True)


@SETS
def test_every_view_asks_the_same(options: Options) -> None:
    """DOE-MINE-1: whether, whom and what the rules ask is the same in every seat's view."""
    asked = sum((secret_laws.every_view_asks_the_same(RULESET, seed, options) for seed in few(options, 6)), Counter())
    assert min(asked[name] for name in ("Movement", "Combat", "Special", "Order", "Lose", "Retreat")) > 10


@SETS
def test_nothing_a_seat_sees_depends_on_what_it_must_not_know(options: Options) -> None:
    """Two worlds that differ only in hidden facts look alike until a genuine reveal; every choice is met."""
    count = sum((secret_laws.non_interference(RULESET, seed, options, 1500) for seed in few(options, 4)), Counter())
    assert count["same"] > 10 * count["told"] > 0
    assert count["impossible"] < count["same"] / 100


@pytest.mark.slow
@SETS
def test_secrets_hold_over_many_games(options: Options) -> None:
    for number in range(20 if options.setup == "free" else 400):
        seed = f"many {number}"
        secret_laws.view_law(RULESET, laws.whole(RULESET, seed, options).events)
        secret_laws.every_view_asks_the_same(RULESET, seed, options)
        secret_laws.non_interference(RULESET, seed, options)


# What is shown and said in two worlds


def texts(state: DoomState, luck: Luck) -> list[str]:
    """Lines that somebody may type to find something out: right ones, wrong ones, and counters by their codes."""
    counters = [*RULESET.book.counters]
    tokens = [f"#{number:02}" for number in range(state.tokens + 2)]
    areas, units = [*RULESET.book.areas], [*RULESET.book.units]
    found = ["mine 3", "mine 99", "mine x", "end", "pass", "keep", "rr", "stay", "hold", "det", "det SM", "quickstart"]
    for _ in range(6):
        a, b, c = luck.choice(areas), luck.choice(counters), luck.choice(tokens)
        u = luck.choice(units)
        found += [f"mv {b} {a}", f"mv {c} {a}", f"mv {u} {a}", f"hit {b}", f"hit {c}", f"reveal {b}", f"reveal {c}"]
        found += [
            f"lose {b}",
            f"lose {u}",
            f"trim {a} {b}",
            f"fight {a}",
            f"use {a}",
            f"use shrine {a}",
            f"retreat {a}",
        ]
        found += [f"conv {u} {luck.choice(units)} {a}", f"place {u} {a}", f"{b}", f"mv {b[:-1]} {a}", f"hit {b} {c}"]
    return found


@pytest.mark.parametrize("options", [OPTIONS["quick"], OPTIONS["other"]], ids=["quick", "other"])
@pytest.mark.parametrize("seat", [ELDAR, TYRANID])
def test_boards_menus_and_answers_are_the_same_in_two_worlds(seat: str, options: Options) -> None:
    """What a seat is shown, offered and told, refusals, errors and suggestions included, says nothing hidden."""
    luck, differed, compared = Luck("worlds", seat), 0, 0
    for number in range(2):
        for match in laws.played(RULESET, f"two {number}", options):
            state = match.state
            if state.decisions % 50 == 0 and state.pending:
                lines = texts(state, Luck(f"{number}", state.decisions))
                differed += worlds_look_alike(RULESET, state, seat, luck, lines)
                compared += 1
    assert compared > 20
    assert differed > (20 if seat == ELDAR else -1)


def test_a_world_that_a_seat_imagines_is_a_whole_one() -> None:
    """`determinize` gives every hidden token a counter of its own, none that is known to be elsewhere."""
    luck = Luck("imagined")
    for match in laws.played(RULESET, "imagined", OPTIONS["quick"]):
        if match.state.decisions % 30 == 0 and match.state.pending:
            world = secret_laws.determinized(RULESET, match.state, ELDAR, luck)
            bag = world.chance.bags["lid"]
            out = [world.counter(token) for token in bag.out]
            assert sorted([*out, *bag.inside()]) == sorted(bag.initial)
            for face, counter in world.face.items():
                assert match.state.face[face] == counter
            assert isinstance(world.standing_order(), int)


# Each hidden fact, by its rule


def test_doe_reveal_3_only_the_tyranids_know_what_a_swarm_is() -> None:
    """DOE-REVEAL-3: the Eldar see a token; the Tyranids its counter."""
    match = laws.whole(RULESET, "reveal 3", OPTIONS["quick"], limit=1)
    drawn = of(match.events, CounterDrawn)
    assert drawn
    for event in drawn:
        assert event.seen_by == (TYRANID,)
        assert isinstance(redact(event, ELDAR).item, Sealed)
        assert redact(event, TYRANID) == event
    seen = view(match.state, ELDAR)
    assert [seen.counter(token) for token in match.state.swarms] == [None] * len(drawn)


def test_doe_spec_6_a_vision_is_for_the_eldar_and_shown_by_no_other_way() -> None:
    """DOE-SPEC-6: the Eldar learn what the stack is, and keep it; nobody else learns anything, and it stays as it was."""
    game = play("eldar_special", tyranid={"n4": "TH1 GH1", "n1": "GH2"}, eldar={"s6": "WSH1"})
    before = {area: list(stack) for area, stack in game.state.stacks.items()}
    batch = game.do("use shrine n4")
    shown = of(batch, CounterRevealed)
    assert [event.token for event in shown] == before["n4"]
    assert all(event.seen_by == (ELDAR, TYRANID) for event in shown)
    assert of(batch, StackScried)
    assert game.state.stacks == before
    seen = view(game.state, ELDAR)
    assert {seen.counter(token) for token in before["n4"]} == {"TH1", "GH1"}
    assert [seen.counter(token) for token in before["n1"]] == [None]
    spectator = view(game.state, secret_laws.SPECTATOR)
    assert {spectator.counter(token) for token in before["n4"]} == {None}


def test_doe_mine_1_the_order_is_asked_wherever_the_mine_is_and_shown_to_nobody() -> None:
    """DOE-MINE-1, example 47: asked with the mine in the lid too; the Eldar see that it was given, and not what."""
    logs = []
    for there in ("SM", "TH1"):
        game = play("tyranid_movement", tyranid={"s1": there}, eldar={"s4": "WSH1"}, pending=[Order()])
        assert game.asked == "Order"
        batch = game.do("mine 2")
        assert of(batch, MineOrderSet)[0].order == 2
        assert game.state.standing_order() == 2
        seen = [redact(event, ELDAR) for event in batch]
        assert of(seen, MineOrderSet)[0].order == SEALED
        assert view(game.state, ELDAR).standing_order() is None
        logs.append(seen)
    assert logs[0] == logs[1]


@pytest.mark.parametrize(("order", "bursts"), [(0, False), (3, False), (2, True), (1, True)])
def test_doe_mine_1_a_mine_that_does_not_burst_looks_like_any_swarm(order: int, bursts: bool) -> None:
    """DOE-MINE-1, example 36: below its order nothing happens or shows; at it, it bursts unasked, and that is a reveal."""
    seen: list[list[Any]] = []
    for counter in ("SM", "TH1"):
        game = play("eldar_combat", tyranid={"n1": counter}, eldar={"n1": "WSH1 NWG1"}, order=order)
        batch = game.do("fight n1", *([] if bursts and counter == "SM" else [1]))
        seen.append([redact(event, ELDAR) for event in batch])
        assert bool(of(batch, MineDetonated)) == (bursts and counter == "SM")
    if bursts:
        first = next(mine for mine, other in zip(*seen, strict=False) if mine != other)
        assert isinstance(first, CounterRevealed)
    else:
        assert seen[0] == seen[1]
        assert of(seen[0], BattleBegan)
        assert of(seen[0], TotalsSet)


def test_doe_loss_8_what_was_lost_in_space_is_not_shown() -> None:
    """DOE-LOSS-8: what a Swarm was stays sealed for the Eldar when it is destroyed; with the option it is shown."""
    for shown in (False, True):
        options = Options(eldar_sees_losses=shown)
        game = play("eldar_special", tyranid={"n1": "TH1", "n2": "GH1"}, eldar={"s4": "WSH1"}, options=options)
        mark = token(game.state, "TH1")
        batch = game.do("use spear", 6) + game.do(f"hit {mark}")
        assert mark not in game.state.swarms
        assert bool(of(batch, CounterRevealed)) == shown
        assert (b'"TH1"' in msgspec.json.encode([redact(event, ELDAR) for event in batch])) == shown
