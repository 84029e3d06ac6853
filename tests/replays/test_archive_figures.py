"""What an archive counts, worked out a second time from the bare log: time taken, take-backs, notes, figures by round."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import warptape
from warptape.domain.referee import choose
from warptape.projections.archive import Archive, StoreSource
from warptape.replays.writing import Desk

GAMES = (
    ("space-marine-adventures", {}),
    ("space-marine-adventures", {"mode": "campaign"}),
    ("doom-of-the-eldar", {}),
    ("tyranid-attack", {}),
)
CHANCE = {"DiceRolled", "CardDrawn", "CardRevealed", "CounterDrawn", "CounterRevealed"}


class Clock(Desk):
    """A clock that people of very different patience look at."""

    def __init__(self) -> None:
        self.time, self.luck = datetime(2025, 1, 3, 19, tzinfo=UTC), random.Random(7)

    def now(self) -> str:
        self.time += timedelta(milliseconds=self.luck.choice([0, 1, 250, 5_000, 900_000]))
        return self.time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Log:
    """A log as JSON, and its lines as each event's one before."""

    def __init__(self, game: warptape.Game) -> None:
        self.events = [json.loads(row.data.split(b"\n")[0]) for row in game.rows(0)]
        self.before = [event["to"] if event["type"] == "Rewound" else at - 1 for at, event in enumerate(self.events)]
        self.reveals = CHANCE | {cls.__name__ for cls in game.ruleset.events if cls.reveals}

    def line(self, at: int) -> list[int]:
        """The positions of the line that ends at one, the last first, without the take-backs on the way."""
        found = []
        while at >= 0:
            if self.events[at]["type"] != "Rewound":
                found.append(at)
            at = self.before[at]
        return found

    def of(self, kind: str) -> Iterator[tuple[int, dict[str, Any]]]:
        return ((at, event) for at, event in enumerate(self.events) if event["type"] == kind)

    def moment(self, at: int) -> datetime:
        return datetime.fromisoformat(self.events[at]["time"])


def lively(store: warptape.Store, name: str, options: dict[str, str]) -> tuple[warptape.Game, warptape.Game]:
    """A game that people play, take back, go about in and write on, with bots between, and a fork of it."""
    game = store.new(name, seed="by hand", options=options, undo="free")

    def play(count: int) -> None:
        for number in range(count):
            decision = game.decision
            assert decision is not None
            bot = "sensible" if "sensible" in game.ruleset.bots else next(iter(game.ruleset.bots))
            action = choose(game.ruleset, game.state, decision, bot, f"{game.length}")
            game.act(action, person=("Anna", "", "Ben")[number % 3])

    game.run(dict.fromkeys(game.seats, "sensible"), 90)  # past the set-up, to where dice and cards are
    play(14)
    other = game.tip
    game.undo(reason="a slip", person="Anna")
    game.undo()
    game.redo()
    play(9)
    game.rewind(other, person="Ben")  # to a line that was left, past what both have in common
    play(6)
    game.note("here it turned", tags=["turn", "luck"], person="Ben")
    game.note("nonsense", other)
    game.note("of the opening", 0)
    game.run(dict.fromkeys(game.seats, "sensible"), 25)
    game.reroll()
    play(5)
    fork = game.fork(at=other)
    decision = fork.decision
    assert decision is not None
    fork.act(decision.actions[0], person="Carla")
    fork.undo()
    return game, fork


@pytest.fixture(scope="module", params=GAMES, ids=lambda case: "-".join((case[0], *case[1].values())))
def archived(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("figures")
    with warptape.open(":memory:") as store:
        store.desk = Clock()
        games = lively(store, *request.param)
        with Archive(folder / "a.db") as archive:
            archive.follow(StoreSource(store.store))
        connection = sqlite3.connect(folder / "a.db")
        yield connection, [(game, Log(game)) for game in games]
        connection.close()


def asked(archived: Any, sql: str, game: warptape.Game) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = archived[0].execute(sql, (game.id,)).fetchall()
    return found


def test_each_decision_has_its_line_number_and_time(archived: Any) -> None:
    for game, log in archived[1]:
        heads = [at for at, event in enumerate(log.events) if "time" in event]
        current, wanted = set(log.line(len(log.events) - 1)), []
        for at, event in log.of("ActionTaken"):
            number = sum(log.events[one]["type"] == "ActionTaken" for one in log.line(at))
            before = max(head for head in heads if head < at)
            took = (log.moment(at) - log.moment(before)).total_seconds()
            person = event.get("person", "")
            seconds = None if person.startswith("bot:") else pytest.approx(took, abs=1e-4)
            inherited = int(at < game.shelf.first)
            wanted.append((at, int(at in current), inherited, number, event["seat"], person, seconds))
        sql = "SELECT position, current, inherited, number, seat, person, seconds FROM decisions WHERE game = ? ORDER BY position"
        assert asked(archived, sql, game) == wanted
        assert {row[6] is None for row in asked(archived, sql, game)} == {True, False} or game is not archived[1][0][0]
        count = sum(log.events[at]["type"] == "ActionTaken" for at in current)
        opened, last = log.moment(0), max(map(log.moment, heads))
        assert asked(archived, "SELECT events, decisions, seconds FROM games WHERE id = ?", game) == [
            (len(log.events), count, pytest.approx((last - opened).total_seconds()))
        ]


def test_each_decision_has_its_number_of_choices_and_its_words(archived: Any) -> None:
    for game, log in archived[1]:
        whole = asked(archived, "SELECT whole FROM games WHERE id = ?", game) == [(1,)]
        sql = "SELECT position, choices, question, notation FROM decisions WHERE game = ? ORDER BY position"
        rows = asked(archived, sql, game)
        assert len(rows) == sum(1 for _ in log.of("ActionTaken"))
        for at, choices, question, notation in rows[::9]:
            before = log.line(log.before[at])[0]
            state = game.state_at(before)
            decision = game.ruleset.decision(state)
            assert decision is not None
            assert choices == (len(decision.actions) if whole else None)
            if whole:
                assert (question, notation) == (decision.prompt, game.ruleset.notation(state, game.event(at).action))


def test_each_take_back_says_what_was_left_and_how_much_had_been_seen(archived: Any) -> None:
    for game, log in archived[1]:
        wanted = []
        for at, event in log.of("Rewound"):
            by = event.get("by", "rewind")
            if by == "redo":
                continue
            left, kept = log.line(at - 1), log.line(event["to"])
            seen = sum(log.events[one]["type"] in log.reveals for one in {*left} - {*kept})
            wanted.append(
                (
                    at,
                    by,
                    event.get("seat", ""),
                    event.get("person", ""),
                    left[0],
                    kept[0],
                    seen,
                    event.get("reason", ""),
                )
            )
        sql = "SELECT position, by, seat, person, origin, target, seen, reason FROM takebacks WHERE game = ? ORDER BY position"
        assert asked(archived, sql, game) == wanted
    rewind = [row for row in asked(archived, sql, archived[1][0][0]) if row[1] == "rewind"]
    assert len(rewind) == 1
    assert rewind[0][6] > 0, "what was seen on the line that was left"


def test_notes_are_those_that_were_written(archived: Any) -> None:
    for game, log in archived[1]:
        wanted = [
            (at, event["at"], event.get("person", ""), ",".join(event.get("tags", ())), event["text"])
            for at, event in log.of("NoteAdded")
        ]
        sql = "SELECT position, at, person, tags, text FROM notes WHERE game = ? ORDER BY position"
        assert asked(archived, sql, game) == wanted
    assert len(asked(archived, sql, archived[1][0][0])) == 3


def test_the_figures_of_each_round_are_those_of_the_position_at_its_start(archived: Any) -> None:
    for game, log in archived[1]:
        whole = asked(archived, "SELECT whole FROM games WHERE id = ?", game) == [(1,)]
        opening = {cls.__name__ for cls in game.ruleset.events if cls.heading == "round"}
        starts = [at for at, event in enumerate(log.events) if event["type"] in opening]
        end = log.line(len(log.events) - 1)[0]
        for at in {*starts, end}:
            state = game.ruleset.state()
            for one in reversed(log.line(at)):
                game.event(one).apply(state)
            if not whole:
                state = game.ruleset.view(state, "")
            sql = f"SELECT name, value FROM figures WHERE game = ? AND position = {at}"
            assert dict(asked(archived, sql, game)) == dict(game.ruleset.figures(state)) != {}
            number = sum(log.events[one]["type"] in opening for one in log.line(at))
            sql = f"SELECT DISTINCT round FROM figures WHERE game = ? AND position = {at}"
            assert asked(archived, sql, game) == [(number,)]
        sql = "SELECT DISTINCT position FROM figures WHERE game = ? ORDER BY position"
        assert [at for (at,) in asked(archived, sql, game)] == sorted({*starts, end})


def test_rolls_and_draws_are_those_of_the_log(archived: Any) -> None:
    for game, log in archived[1]:
        rolls = [
            (
                at,
                event.get("stream", ""),
                event.get("sides", 6),
                len(event["values"]),
                sum(event["values"]),
                max(event["values"]),
            )
            for at, event in log.of("DiceRolled")
        ]
        sql = "SELECT position, stream, sides, count, total, best FROM rolls WHERE game = ? ORDER BY position"
        assert asked(archived, sql, game) == rolls
        dice = [(at, n, value) for at, event in log.of("DiceRolled") for n, value in enumerate(event["values"], 1)]
        sql = "SELECT position, number, value FROM dice WHERE game = ? ORDER BY position, number"
        assert asked(archived, sql, game) == dice
        draws = [
            (at, None if isinstance(event["item"], dict) else event["item"])
            for at, event in enumerate(log.events)
            if event["type"] in CHANCE - {"DiceRolled"}
        ]
        assert asked(archived, "SELECT position, item FROM draws WHERE game = ? ORDER BY position", game) == draws


def test_the_view_of_rounds_counts_each_game_once_and_at_the_starts(archived: Any) -> None:
    starts: dict[tuple[str, int], list[int]] = {}
    for game, log in archived[1]:
        opening = {cls.__name__ for cls in game.ruleset.events if cls.heading == "round"}
        line = [at for at in reversed(log.line(len(log.events) - 1)) if log.events[at]["type"] in opening]
        for number, at in enumerate(line, 1):
            if at >= game.shelf.first:
                state = game.state_at(at)
                if archived[0].execute("SELECT whole FROM games WHERE id = ?", (game.id,)).fetchone() == (0,):
                    state = game.ruleset.view(state, "")
                for name, value in game.ruleset.figures(state).items():
                    starts.setdefault((name, number), []).append(value)
    found = archived[0].execute("SELECT name, round, mean, least, most, games FROM rounds_by_figure").fetchall()
    assert {row[:2]: row[2:] for row in found} == {
        key: (pytest.approx(sum(values) / len(values)), min(values), max(values), len(values))
        for key, values in starts.items()
    }
    assert found
