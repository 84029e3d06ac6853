"""When something fails: a ruleset, a bot, the store. Nothing half is recorded or left in memory; the game goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from replay_model import SeededDesk

from warptape.domain.errors import (
    BadNotation,
    Conflict,
    IllegalAction,
    ImpossibleOutcome,
    NeedsOutcome,
    RulesetCrash,
    StoreError,
)
from warptape.domain.rules import ruleset
from warptape.replays.game import Game
from warptape.replays.library import Library


def standing(game: Game) -> tuple[Any, ...]:
    """All that must not change."""
    return game.length, game.tip, game.state.copy(), game.shelf.head, [row.data for row in game.rows()]


def unharmed(library: Library[Game], game: Game, before: tuple[Any, ...]) -> None:
    assert standing(game) == before
    assert standing(library.game(game.id)) == before
    length = game.length
    assert game.act("roll").position == length
    assert library.game(game.id).state == game.state


def test_a_crash_in_the_ruleset_records_nothing(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library[Game](store_url, SeededDesk(3))
    game = library.new("pig", undo="free", options={"goal": 1000})
    game.act("roll")
    before = standing(game)
    rules = type(ruleset("pig"))
    resolve = rules.resolve

    def planted(self: Any, state: Any, step: Any, action: Any) -> Any:
        yield from resolve(self, state, step, action)
        raise ZeroDivisionError("planted")

    with monkeypatch.context() as patch:
        patch.setattr(rules, "resolve", planted)
        with pytest.raises(RulesetCrash, match=r"planted.*nothing was recorded"):
            game.act("roll")
        assert standing(game) == before
        with pytest.raises(RulesetCrash):
            game.act(["roll", "roll"])
        assert standing(game) == before
    unharmed(library, game, before)


def test_a_crash_in_the_set_up_puts_nothing_on_the_shelf(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library[Game](store_url, SeededDesk(3))

    def planted(self: Any, state: Any) -> Any:
        raise ZeroDivisionError("planted")
        yield

    monkeypatch.setattr(type(ruleset("pig")), "setup", planted)
    with pytest.raises(RulesetCrash, match="planted"):
        library.new("pig")
    assert library.games() == []


@pytest.mark.parametrize("fault", ["crash", "illegal"])
def test_a_failing_bot_does_not_act(store_url: str, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    library = Library[Game](store_url, SeededDesk(3))
    game = library.new("pig", seed="bots", seats={"p2": "bot:sensible"}, options={"goal": 1000})
    while game.state.turn_total == 0:
        game.act("roll")

    def bad(*_: Any) -> Any:
        if fault == "crash":
            raise ZeroDivisionError("planted")
        return "sing"

    bots = type(ruleset("pig")).bots
    with monkeypatch.context() as patch:
        patch.setitem(bots, "sensible", bad)  # type: ignore[arg-type]
        with pytest.raises(RulesetCrash, match=r"The action is recorded, but.*bot 'sensible' failed"):
            game.act("hold")
        assert game.state.scores[0] > 0
        assert library.game(game.id).state == game.state
        length = game.length
        with pytest.raises(RulesetCrash, match="it has not acted"):
            game.act("roll")
        assert game.length == length
    # The bot is due, so it moves first.
    played = game.act("roll")
    assert played.position > length
    assert library.game(game.id).state == game.state


def test_an_interrupt_while_the_referee_works_leaves_nothing(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library[Game](store_url, SeededDesk(3))
    game = library.new("pig", undo="free", options={"goal": 1000})
    before = standing(game)
    take, count = game.referee.take, 0

    def stopped(*given: Any) -> Any:
        nonlocal count
        batch = take(*given)
        count += 1
        if count == 2:
            raise KeyboardInterrupt
        return batch

    monkeypatch.setattr(game.referee, "take", stopped)
    with pytest.raises(KeyboardInterrupt):
        game.act(["roll", "roll"])
    unharmed(library, game, before)


@pytest.mark.parametrize(
    ("what", "error"),
    [("sing", BadNotation), ("hold", IllegalAction), ("roll sing", BadNotation), ("hold roll", IllegalAction)],
)
def test_refused_actions_leave_nothing(store_url: str, what: str, error: type[Exception]) -> None:
    library = Library[Game](store_url, SeededDesk(3))
    game = library.new("pig", undo="free")
    before = standing(game)
    with pytest.raises(error):
        game.act(what)
    with pytest.raises(IllegalAction, match="for p1 to decide"):
        game.act("roll", "p2")
    unharmed(library, game, before)


def test_entered_outcomes_are_checked_and_all_used(store_url: str) -> None:
    library = Library[Game](store_url, SeededDesk(3))
    game = library.new("pig", chance="table", undo="free", options={"goal": 1000})
    before = standing(game)
    with pytest.raises(NeedsOutcome):
        game.act("roll")
    with pytest.raises(ImpossibleOutcome):
        game.act("roll", outcomes=["7"])
    with pytest.raises(ImpossibleOutcome, match="Nothing here needs"):
        game.act("roll", outcomes=["4", "5"])
    with pytest.raises(NeedsOutcome):
        game.act("roll roll", outcomes=["4"])
    assert standing(game) == before
    game.act("roll roll", outcomes=["4", "5"])
    assert game.state.turn_total == 9
    assert game.typed_chance
    game.reroll(chance="fate")
    assert not game.typed_chance
    game.act("roll")
    game.rewind("@d2")
    assert game.typed_chance
    assert library.game(game.id).typed_chance


FAILURES: dict[str, BaseException] = {"store": StoreError("The disk is full."), "interrupt": KeyboardInterrupt()}


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("doing", ["act", "line", "undo", "rewind", "note", "reroll", "run", "consent"])
def test_a_failing_store_leaves_nothing_half_in_memory(
    store_url: str, monkeypatch: pytest.MonkeyPatch, failure: str, doing: str
) -> None:
    library = Library[Game](store_url, SeededDesk(3))
    game = library.new("pig", undo="consent" if doing == "consent" else "free", seed="disk", options={"goal": 1000})
    for text in ("roll", "roll", "roll"):
        game.act(text)
    if doing == "consent":
        game.ask_undo("p1")
    before = standing(game)

    def fail(*_: Any, **__: Any) -> None:
        raise FAILURES[failure]

    deeds: dict[str, Callable[[], Any]] = {
        "act": lambda: game.act("roll"),
        "line": lambda: game.act("roll roll"),
        "undo": lambda: game.undo(reroll=True),
        "rewind": lambda: game.rewind("@d1"),
        "note": lambda: game.note("oh"),
        "reroll": lambda: game.reroll(),
        "run": lambda: game.run({"p1": "random", "p2": "random"}, limit=5),
        "consent": lambda: game.consent("p2"),
    }
    with monkeypatch.context() as patch:
        patch.setattr(library.store, "append", fail)
        with pytest.raises(type(FAILURES[failure])):
            deeds[doing]()
    unharmed(library, game, before)


def test_a_store_that_may_only_be_read(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    library = Library[Game](path, SeededDesk(3))
    game = library.new("pig", undo="free", options={"goal": 1000})
    game.act("roll")
    before = standing(game)
    with library.store.transaction(write=False) as cursor:
        cursor.execute("PRAGMA query_only = 1")
    with pytest.raises(StoreError):
        game.act("roll")
    with library.store.transaction(write=False) as cursor:
        cursor.execute("PRAGMA query_only = 0")
    unharmed(library, game, before)


def test_a_store_locked_by_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warptape.replays.sqlite.PATIENCE", 0.1)
    path = tmp_path / "games.db"
    library = Library[Game](path, SeededDesk(3))
    game = library.new("pig", undo="free", options={"goal": 1000})
    before = standing(game)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="in use"):
        game.act("roll")
    other.execute("ROLLBACK")
    other.close()
    unharmed(library, game, before)


def test_a_lost_connection(postgres_database: str) -> None:
    import psycopg

    library = Library[Game](f"{postgres_database}?schema=wt_lost", SeededDesk(3))
    game = library.new("pig", undo="free", options={"goal": 1000})
    before = standing(game)
    with psycopg.connect(postgres_database, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid()"
        )
    with pytest.raises(StoreError):
        game.act("roll")
    unharmed(library, game, before)


def test_a_commit_that_failed_for_the_caller_only(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library[Game](store_url, SeededDesk(3))
    game = library.new("pig", undo="free", seed="half", options={"goal": 1000})
    append = library.store.append

    def cut(*given: Any, **named: Any) -> None:
        append(*given, **named)
        raise StoreError("The connection was lost.")

    with monkeypatch.context() as patch:
        patch.setattr(library.store, "append", cut)
        with pytest.raises(StoreError, match="lost"):
            game.act("roll", key="k1")
    length = game.length
    assert length > 4  # the game has looked again
    repeated = game.act("roll", key="k1")
    assert repeated.repeated
    assert game.length == length
    assert game.state == library.game(game.id).state
    with pytest.raises(Conflict):
        game.act("roll", expect=3)
