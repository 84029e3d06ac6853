"""Statistics of recorded games against what is counted by hand from the archive's rows, and what must not count."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import warptape
from warptape.projections.archive import Archive, StoreSource
from warptape.projections.statistics import wilson
from warptape.projections.stats import SECTIONS, NothingToCount, Statistics, statistics
from warptape.projections.stats.sources import archived_game
from warptape.projections.stats.tables import as_csv, lines, shortened, tables

RULESETS = ["doom-of-the-eldar", "space-marine-adventures", "tyranid-attack"]
EXPECTED = Path(__file__).parent / "expected"
each = pytest.mark.parametrize("ruleset", RULESETS)


def rows(connection: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    """All rows of a table that count: of current lines, not inherited; with the game's ruleset."""
    rulesets = dict(connection.execute("SELECT id, ruleset FROM games"))
    cursor = connection.execute(f"SELECT * FROM [{table}]")
    names = [column[0] for column in cursor.description]
    found = [dict(zip(names, row, strict=True)) for row in cursor]
    return [
        {**row, "ruleset": rulesets[row.get("game", row.get("id"))]}
        for row in found
        if row.get("current", 1) and not row.get("inherited", 0)
    ]


def of(parts: Any, ruleset: str) -> list[Any]:
    mine = [part for part in parts if part.ruleset == ruleset]
    assert mine
    return mine


def test_every_game_is_counted(found: Statistics) -> None:
    assert [(one.ruleset, one.games, one.finished) for one in found.games] == [
        ("doom-of-the-eldar", 4, 4), ("space-marine-adventures", 11, 11), ("tyranid-attack", 3, 3),
    ]  # fmt: skip
    assert found.whole


def test_dice_are_counted_one_by_one(found: Statistics, connection: sqlite3.Connection) -> None:
    values: dict[int, Counter[int]] = defaultdict(Counter)
    for die in rows(connection, "dice"):
        values[die["sides"]][die["value"]] += 1
    assert found.dice is not None
    assert {one.sides: list(one.counts) for one in found.dice.groups} == {
        sides: [counts[value] for value in range(1, sides + 1)] for sides, counts in values.items()
    }
    assert not any(one.entered for one in found.dice.groups)
    assert found.dice.repeats == 0
    rolls = rows(connection, "rolls")
    for one in found.dice.groups:
        assert one.rolls == sum(row["sides"] == one.sides for row in rolls)
        assert one.verdict == "fair"


@each
def test_outcomes_are_those_of_the_games(found: Statistics, connection: sqlite3.Connection, ruleset: str) -> None:
    games = {row["id"]: row for row in rows(connection, "games") if row["ruleset"] == ruleset}
    every, *parts = of(found.outcomes, ruleset)
    results = Counter(row["result"] for row in games.values())
    assert {name: share.count for name, share in every.results.items()} == results
    assert all(share == wilson(share.count, len(games)) for share in every.results.values())
    wins: Counter[str] = Counter()
    for seat in rows(connection, "seats"):
        if seat["game"] in games:
            wins[seat["seat"]] += seat["won"]
    assert {seat: share.count for seat, share in every.wins.items()} == wins
    if ruleset != "space-marine-adventures":
        assert not [one for one in parts if one.by != "board"]
        return
    levels = Counter(
        row["value"] for row in rows(connection, "options") if row["name"] == "level" and row["game"] in games
    )
    assert {one.value: one.games for one in parts if one.by == "level"} == levels == {"1": 8, "3": 3}
    assert {one.value: one.games for one in parts if one.by == "seat team"} == {"bot:sensible": 8, "bot:random": 3}
    faces: dict[str, set[str]] = defaultdict(set)
    for move in rows(connection, "moves"):
        if move["game"] in games and move["spot"]:
            faces[move["game"]].add(move["spot"].partition(":")[0])
    assert all(len(names) == 1 for names in faces.values())
    assert {one.value: one.games for one in parts if one.by == "board"} == Counter(
        min(names) for names in faces.values()
    )


@each
def test_lengths_lie_in_order_and_their_means_are_right(
    found: Statistics, connection: sqlite3.Connection, ruleset: str
) -> None:
    games = [row for row in rows(connection, "games") if row["ruleset"] == ruleset]
    parts = {one.what: one for one in of(found.length, ruleset)}
    assert {"decisions", "rounds", "events", "seconds"} <= {*parts}
    for one in parts.values():
        assert one.least <= one.low <= one.median <= one.high <= one.most
        assert one.least <= one.mean <= one.most
    for what in ("decisions", "rounds", "events", "seconds"):
        values = sorted(row[what] for row in games)
        assert parts[what].mean == pytest.approx(sum(values) / len(values))
        assert (parts[what].least, parts[what].most) == (values[0], values[-1])


@each
def test_losses_add_up(found: Statistics, connection: sqlite3.Connection, ruleset: str) -> None:
    losses = [row for row in rows(connection, "losses") if row["ruleset"] == ruleset]
    amounts: Counter[tuple[str, str]] = Counter()
    left: Counter[tuple[str, str]] = Counter()
    by_round: Counter[tuple[str, int]] = Counter()
    for row in losses:
        amounts[row["side"], row["unit"]] += row["amount"]
        left[row["side"], row["unit"]] += row["final"]
        by_round[row["side"], row["round"]] += row["amount"]
    kinds = of(found.losses, ruleset)
    assert {(one.side, one.unit): one.amount for one in kinds} == amounts
    assert {(one.side, one.unit): one.lost for one in kinds if one.lost} == +left
    assert all(sum(one.causes.values()) == one.amount for one in kinds)
    rounds = of(found.losses_by_round, ruleset)
    assert {(one.side, one.round): one.amount for one in rounds if one.amount} == +by_round
    games = [row["rounds"] for row in rows(connection, "games") if row["ruleset"] == ruleset]
    assert all(one.games == sum(far >= one.round for far in games) for one in rounds)


def test_losses_of_a_game_in_levels_are_those_of_each_level() -> None:
    """Rounds count within their level, as in `@l2r3`; games of one level have no column for it."""
    with warptape.open(":memory:") as store:
        game = store.new("space-marine-adventures", seed="levels/1", options={"mode": "campaign"}, undo="free")
        game.run({"team": "sensible"})
        single = store.new("space-marine-adventures", seed="levels/2")
        single.run({"team": "random"})
        both = store.stats(only=["losses"])
        told, alone = game.stats(only=["losses"]), single.stats(only=["losses"])
        begun = game.stats(only=["losses"], at="@l2")
        levels = [*game.headings("level"), game.length]
        starts = game.headings("round")
        expected: Counter[tuple[str, int, int]] = Counter()
        state = game.ruleset.state()
        for position, event in game.events():
            if type(event) in game.ruleset.events:
                for one in game.ruleset.happenings(state, event):
                    if one.kind == "loss":
                        level = sum(at <= position for at in levels)
                        within = sum(levels[level - 1] <= at <= position for at in starts)
                        expected[one.side, level, within] += one.amount
            event.apply(state)
    found = told.losses_by_round or ()
    assert {(one.side, one.level, one.round): one.amount for one in found if one.amount} == +expected
    assert {one.level for one in found} == {*range(1, len(levels))} > {1}
    assert {one.level for one in alone.losses_by_round or ()} == {0}
    assert {one.level for one in begun.losses_by_round or ()} == {1}
    assert both.losses_by_round == tuple(
        sorted((*found, *(alone.losses_by_round or ())), key=lambda one: (one.side, one.level, one.round))
    )
    assert "  level  round  games" in str(told)
    assert "level" not in str(alone)


@each
def test_uses_and_units_are_counted_and_shares_are_of_games(
    found: Statistics, connection: sqlite3.Connection, ruleset: str
) -> None:
    seats = [row for row in rows(connection, "seats") if row["ruleset"] == ruleset]
    won = {(row["game"], row["seat"]): row["won"] for row in seats}
    games = {row["game"] for row in seats}
    first = seats[0]["seat"]

    def shares(side: str, there: set[str]) -> tuple[Any, Any]:
        seat = side if (next(iter(games)), side) in won else first
        return (
            wilson(sum(won[game, seat] for game in there), len(there)),
            wilson(sum(won[game, seat] for game in games - there), len(games - there)),
        )

    used: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows(connection, "uses"):
        if row["ruleset"] == ruleset:
            used[row["side"], row["item"]].append(row["game"])
    cards = of(found.cards, ruleset)
    assert {(one.side, one.item): (one.uses, one.games) for one in cards} == {
        key: (len(where), len({*where})) for key, where in used.items()
    }
    for one in cards:
        assert (one.effect.with_it, one.effect.without) == shares(one.side, {*used[one.side, one.item]})

    there: dict[tuple[str, str], set[str]] = defaultdict(set)
    moves, fights, hits, attacked = (Counter[Any]() for _ in range(4))
    for table in ("moves", "fights", "losses"):
        for row in rows(connection, table):
            if row["ruleset"] != ruleset:
                continue
            key = (row["side"], row["unit"])
            there[key].add(row["game"])
            moves[key] += table == "moves"
            if table == "fights":
                fights[key] += 1
                hits[key] += row["success"] == 1
                attacked[row["target"]] += 1
    units = of(found.units, ruleset)
    assert {(one.side, one.unit): one.games for one in units} == {key: len(where) for key, where in there.items()}
    for one in units:
        key = (one.side, one.unit)
        assert (one.moves, one.fights, one.successes, one.attacked) == (
            moves[key], fights[key], hits[key], attacked[one.unit],
        )  # fmt: skip
        assert (one.effect.with_it, one.effect.without) == shares(one.side, there[key])
    weapons = of(found.weapons, ruleset)
    assert sum(one.fights for one in weapons) == sum(one.fights for one in units) == sum(fights.values())


def test_whoever_destroys_is_named_or_fought_last(found: Statistics, connection: sqlite3.Connection) -> None:
    losses = [row for row in rows(connection, "losses") if row["ruleset"] == "space-marine-adventures"]
    by_marine: Counter[str] = Counter()
    for row in losses:
        by_marine[row["cause"]] += row["amount"]
    for one in of(found.units, "space-marine-adventures"):
        if one.side == "team":
            assert one.caused == by_marine[one.unit]
    units = {one.unit: one for one in of(found.units, "tyranid-attack")}
    total = sum(row["amount"] for row in rows(connection, "losses") if row["ruleset"] == "tyranid-attack")
    assert 0.9 * total <= sum(one.caused for one in units.values()) <= total
    weapons = {one.weapon: one for one in of(found.weapons, "tyranid-attack")}
    mine = [row for row in rows(connection, "losses") if row["ruleset"] == "tyranid-attack"]
    shot = sum(row["amount"] for row in mine if row["cause"] == "bolt_pistol")
    objectives = sum(row["unit"] == "objective" for row in mine)  # their losses name who did it, not with what
    assert shot <= weapons["bolt_pistol"].caused <= shot + objectives
    assert weapons["hand_to_hand"].caused > 0


@each
def test_heat_adds_up(found: Statistics, connection: sqlite3.Connection, ruleset: str) -> None:
    counts: dict[str, Counter[str]] = {}
    for table in ("moves", "fights", "losses"):
        counts[table] = Counter(
            row["spot"] for row in rows(connection, table) if row["ruleset"] == ruleset and row["spot"]
        )
    places = of(found.heat, ruleset)
    assert {one.spot: one.moves for one in places if one.moves} == counts["moves"]
    assert {one.spot: one.fights for one in places if one.fights} == counts["fights"]
    assert {one.spot: one.losses for one in places if one.losses} == counts["losses"]
    boards = {one.board for one in places}
    assert boards == {
        "doom-of-the-eldar": {""}, "tyranid-attack": {"1", "2", "3", "4", "5", "6"},
    }.get(ruleset, boards)  # fmt: skip


def test_each_part_can_be_asked_for_alone(connection: sqlite3.Connection, found: Statistics) -> None:
    for part in SECTIONS:
        alone = statistics(connection, only=[part])
        given = {name for name in alone.__struct_fields__ if getattr(alone, name) is not None} - {
            "games",
            "whole",
            "names",
        }
        assert given == {part} | {"losses": {"losses_by_round"}, "cards": {"weapons"}}.get(part, set())
        assert getattr(alone, part) == getattr(found, part)
    with pytest.raises(warptape.OptionError, match="no section 'weather'"):
        statistics(connection, only=["weather"])


def test_games_are_chosen_by_ruleset_options_and_holders(connection: sqlite3.Connection) -> None:
    ruleset = "space-marine-adventures"
    alone = statistics(connection, ruleset=ruleset, only=["outcomes"])
    assert [one.ruleset for one in alone.games] == [ruleset]
    deep = statistics(connection, options={"level": "3"}, only=["outcomes"])
    assert [(one.ruleset, one.games) for one in deep.games] == [(ruleset, 3)]
    held = statistics(connection, seats={"team": "bot:random"}, only=["outcomes", "losses"])
    assert held.outcomes == deep.outcomes
    with pytest.raises(NothingToCount, match="no such game"):
        statistics(connection, ruleset="chess")


def test_asking_changes_nothing_and_leaves_nothing_behind(archive: Path, connection: sqlite3.Connection) -> None:
    before = archive.read_bytes()
    statistics(connection)
    assert archive.read_bytes() == before
    assert connection.execute("SELECT count(*) FROM sqlite_temp_master").fetchone() == (0,)


def test_tables_show_all_and_say_what_they_leave_out(found: Statistics) -> None:
    every = list(tables(found))
    assert {table.section for table in every} == {*SECTIONS}
    assert len({table.id for table in every}) == len(every)
    for table in every:
        assert table.rows
        assert all(len(row) == len(table.head) for row in table.rows)
        wide = list(lines(table))[1 : 2 + len(table.rows)]
        assert len(wide) == 1 + len(table.rows)
        assert as_csv(table).count("\n") == 1 + len(table.rows)
        short = shortened(table, 2)
        left = len(table.rows) - len(short.rows)
        assert (left > 0) == any(f"… and {left} more" in note for note in short.notes)
        assert shortened(table, 0) == table
    heat = next(table for table in every if table.id == "heat-doom-of-the-eldar")
    assert len(shortened(heat, 2).rows) == 2
    text = found.text(3)
    assert all(table.title in text for table in every)


# What must not count twice, or at all


def counts(store: Any) -> tuple[list[int], int]:
    found = store.stats(only=["dice"]).dice
    return [one.dice for one in found.groups if one.sides == 6], found.repeats


TEAM = {"team": "sensible"}


def test_a_take_back_is_not_counted_and_a_fork_once() -> None:
    with warptape.open(":memory:") as store:
        game = store.new("space-marine-adventures", seed="twice")
        game.run(TEAM, 60)
        before, repeats = counts(store)
        assert repeats == 0
        assert before[0] > 10
        game.undo()
        fewer, _ = counts(store)
        game.run(TEAM, 1)
        assert fewer[0] <= before[0]
        assert counts(store) == (before, 0), "what was taken back is in the log twice"
        mine = game.stats(only=["dice"])
        fork = game.fork()
        fork.run(TEAM, 60)
        assert counts(store) == (before, 1), "the fork's dice are those that the game would roll"
        assert fork.stats(only=["dice"]).dice.groups[-1].dice > mine.dice.groups[-1].dice, "of itself it counts all"
        game.run(TEAM, 60)
        later, _ = counts(store)
        assert later[0] > before[0]
        store.new("space-marine-adventures", seed="twice").run(TEAM, 60)
        assert counts(store) == (later, 2), "nor are the dice of the same seed"


def test_dice_entered_by_hand_stand_apart_and_a_loaded_one_is_found() -> None:
    luck = random.Random(1)
    with warptape.open(":memory:") as store:
        for number in range(2):
            game = store.new("space-marine-adventures", chance="table", seed=str(number))
            while game.outcome is None:
                given: list[str] = []
                action = luck.choice(list(game.decision.actions))
                while True:
                    try:
                        game.act(action, outcomes=given)
                        break
                    except warptape.NeedsOutcome as error:
                        given.append(error.possible[-1] if luck.random() < 0.4 else luck.choice(error.possible))
        (one,) = store.stats(only=["dice"]).dice.groups
    assert (one.entered, one.sides) == (True, 6)
    assert one.verdict == "unfair"
    assert one.face == 6
    assert "the 6 came up" in one.words


def test_of_an_unfinished_game_with_secrets_only_what_everybody_may_know_counts() -> None:
    both = {"eldar": "sensible", "tyranid": "sensible"}
    with warptape.open(":memory:") as store:
        game = store.new("doom-of-the-eldar", seed="hush")
        game.run(both, 90)
        assert game.outcome is None
        found = game.stats()
        assert not found.whole
        kinds = {one.unit for one in found.units if one.side == "tyranid"}
        assert "swarm" in kinds
        with archived_game(game) as made:
            known = {one["item"] for one in made.db["draws"].rows if one["item"]}
        told = {game.ruleset.book.counters[item].kind for item in known if item in game.ruleset.book.counters}
        assert kinds - {"swarm", "tyranid"} <= told
        game.run(both)
        assert game.stats().whole
        early = game.stats("@r2", only=["units", "outcomes"])
        assert early.whole, "the game is over, and so is what was secret in it"
        assert early.outcomes == ()
        assert early.games[0].finished == 0


def test_a_game_up_to_a_position_is_what_was_there_then() -> None:
    both = {"marines": "sensible", "tyranid": "sensible"}
    with warptape.open(":memory:") as store:
        game = store.new("tyranid-attack", seed="then", undo="free")
        game.run(both, 150)
        then, parts = game.tip, ["dice", "losses", "units", "heat"]
        before = game.stats(only=parts)
        game.run(both, 60)
        assert game.stats(only=parts) != before
        assert game.stats(then, only=parts) == before
        game.rewind(then)
        game.run(both, 5)
        assert game.stats(then, only=parts) == before


# Golden


def test_a_fixed_archive_gives_the_same_statistics_for_ever(of_logs: Callable[..., Statistics]) -> None:
    found = of_logs("doom-of-the-eldar-tyranid-format-1.tape.jsonl", "tyranid-attack-marines-format-1.tape.jsonl")
    text = found.to_json() + "\n"
    expected = EXPECTED / "format-1.json"
    if not expected.exists():
        expected.write_text(text, encoding="utf-8")
        pytest.fail(f"{expected} was missing and has been written: read it, and run again")
    assert msgspec.json.decode(text) == _about(msgspec.json.decode(expected.read_bytes()))


def _about(data: Any) -> Any:
    """The same data, in which fractions may differ in the last digits: mathematics is not the same on every machine."""
    if isinstance(data, dict):
        return {key: _about(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_about(value) for value in data]
    return pytest.approx(data, rel=1e-9, abs=1e-12) if isinstance(data, float) else data


def test_an_archive_answers_as_its_store_does(played: Path, archive: Path, found: Statistics) -> None:
    with warptape.archive(archive) as made:
        assert made.stats() == found
        assert made.stats(ruleset="tyranid-attack").games[0].games == 3
    with warptape.open(played) as store, Archive(":memory:") as fresh:
        fresh.follow(StoreSource(store.store))
        assert statistics(fresh.connection, only=["losses"]).losses == found.losses
