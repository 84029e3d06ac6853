"""What the archive says of a game is what its log says: counted against the events, line by line and fork by fork."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from archives import dump, sound

import warptape
from warptape.domain.errors import StoreError
from warptape.domain.events import ActionTaken, DiceRolled
from warptape.projections.archive import TABLES, VIEWS, Archive, StoreSource
from warptape.projections.archive.dictionary import metadata
from warptape.projections.archive.questions import QUESTIONS


def built(store: warptape.Store, path: Path) -> Archive:
    """The archive of a store's games."""
    archive = Archive(path)
    assert archive.follow(StoreSource(store.store)).failed == []
    return archive


def asked(archive: Archive, sql: str, *params: Any) -> list[tuple[Any, ...]]:
    return archive.connection.execute(sql, params).fetchall()


@pytest.fixture
def store() -> Any:
    with warptape.open(":memory:") as opened:
        yield opened


@pytest.mark.parametrize("name", ["pig", "hidden", "nested"])
def test_events_decisions_dice_and_story_are_those_of_the_log(name: str, store: warptape.Store, tmp_path: Path) -> None:
    game = store.new(name, seed="archived", undo="free")
    game.run(dict.fromkeys(game.seats, "random"))
    assert game.outcome is not None
    with built(store, tmp_path / "a.db") as archive:
        events = [(told.position, told.kind, told.text) for told in game.log()]
        assert asked(archive, "SELECT position, kind FROM events ORDER BY position") == [pair[:2] for pair in events]
        told = [(position, text) for position, _, text in events if text]
        assert asked(archive, "SELECT position, text FROM story ORDER BY position") == told
        state, numbers = game.ruleset.state(), []
        for _, event in game.events():
            if isinstance(event, ActionTaken):
                decision = game.ruleset.decision(state)
                assert decision is not None
                numbers.append((event.seat, len(decision.actions), game.ruleset.notation(state, event.action)))
            event.apply(state)
        assert asked(archive, "SELECT seat, choices, notation FROM decisions ORDER BY number") == numbers
        dice = [value for _, event in game.events() if isinstance(event, DiceRolled) for value in event.values]  # type: ignore[union-attr]
        assert [value for (value,) in asked(archive, "SELECT value FROM dice ORDER BY position, number")] == dice
        assert asked(archive, "SELECT result, finished, decisions, whole FROM games") == [
            (game.outcome.result, 1, len(numbers), 1)
        ]
        last = asked(archive, "SELECT name, value FROM figures WHERE position = (SELECT max(position) FROM figures)")
        assert dict(last) == dict(game.ruleset.figures(game.state))
    sound(tmp_path / "a.db")


def test_what_was_taken_back_is_not_current_and_what_a_fork_has_from_its_parent_is_inherited(
    store: warptape.Store, tmp_path: Path
) -> None:
    game = store.new("pig", seed="lines", undo="free", name="first")
    for line in ("roll", "roll", "roll"):
        game.act(line)
    left = game.tip
    game.undo(reason="a slip")
    kept = game.tip
    game.act("hold")
    fork = game.fork(name="second")
    fork.act("roll")
    with built(store, tmp_path / "a.db") as archive:
        back = asked(
            archive, "SELECT by, origin, target, seen, reason, inherited FROM takebacks WHERE game = ?", game.id
        )
        assert back == [("undo", left, kept, 1, "a slip", 0)]
        mine = asked(
            archive, "SELECT position, current, inherited FROM events WHERE game = ? ORDER BY position", game.id
        )
        line = {position for position, _ in game.line()}
        assert {position for position, current, _ in mine if current} == line
        assert not any(inherited for _, _, inherited in mine)
        theirs = asked(archive, "SELECT position, inherited FROM events WHERE game = ? ORDER BY position", fork.id)
        assert [position for position, inherited in theirs if inherited] == [position for position, *_ in mine]
        assert asked(archive, "SELECT parent, parent_position FROM games WHERE id = ?", fork.id) == [
            (game.id, game.length - 1)
        ]
        rolled = Counter(event.values[0] for which in (game, fork) for at, event in which.events()
                         if isinstance(event, DiceRolled) and at >= which.shelf.first)  # fmt: skip
        counted = asked(archive, "SELECT value, dice FROM dice_by_value")
        assert dict(counted) == rolled, "each die that fell is counted once"


def test_dice_that_people_enter_are_marked(store: warptape.Store, tmp_path: Path) -> None:
    game = store.new("pig", chance="table")
    for value in ("4", "6"):
        game.act("roll", outcomes=[value])
    with built(store, tmp_path / "a.db") as archive:
        assert asked(archive, "SELECT value, entered FROM dice ORDER BY position") == [(4, 1), (6, 1)]


def test_notes_and_people_are_there(store: warptape.Store, tmp_path: Path) -> None:
    game = store.new("pig", seed="notes")
    game.act("roll", person="Anna")
    game.note("a bold start", tags=["opening", "bold"])
    with built(store, tmp_path / "a.db") as archive:
        assert asked(archive, "SELECT text, tags FROM notes") == [("a bold start", "opening,bold")]
        assert asked(archive, "SELECT person FROM decisions") == [("Anna",)]


def test_a_private_note_is_there_when_the_game_is_over(store: warptape.Store, tmp_path: Path) -> None:
    game = store.new("hidden", seed="private", undo="free")
    bots = dict.fromkeys(game.seats, "random")
    game.run(bots, 8)
    game.note("behind the zeppelin", seat="raider", tags=["ambush"])
    with built(store, tmp_path / "a.db") as archive:
        assert asked(archive, "SELECT text FROM notes") == []
    assert not [file for file in tmp_path.glob("a.db*") if b"zeppelin" in file.read_bytes()]
    game.run(bots)
    with built(store, tmp_path / "a.db") as archive:
        assert asked(archive, "SELECT seat, text, tags FROM notes") == [("raider", "behind the zeppelin", "ambush")]
    game.undo()
    with built(store, tmp_path / "a.db") as archive:
        assert asked(archive, "SELECT whole, finished FROM games") == [(0, 0)]
        assert asked(archive, "SELECT text FROM notes") == []


def test_words_of_the_story_are_found_in_all_their_forms(store: warptape.Store, tmp_path: Path) -> None:
    game = store.new("pig", seed="words")
    game.act("roll")
    found = "SELECT story.game FROM story_fts JOIN story ON story.id = story_fts.rowid WHERE story_fts MATCH ?"
    with built(store, tmp_path / "a.db") as archive:
        assert asked(archive, found, "opened") == [(game.id,)]
        assert asked(archive, found, "opening") == [(game.id,)]
        assert asked(archive, found, "zeppelin") == []


def test_every_view_is_answered_and_every_column_has_a_text(store: warptape.Store, tmp_path: Path) -> None:
    for name in ("pig", "hidden", "nested"):
        game = store.new(name, seed="views", undo="free")
        game.run(dict.fromkeys(game.seats, "random"))
    with built(store, tmp_path / "a.db") as archive:
        for view in VIEWS:
            list(archive.query(f"SELECT * FROM [{view}]"))
        assert {row["result"] for row in archive.query("SELECT * FROM results")}
        about = metadata("a")["databases"]["a"]
        for table in TABLES:
            columns = {row[1] for row in asked(archive, f"PRAGMA table_info([{table.name}])")}
            assert about["tables"][table.name]["columns"].keys() == columns


def test_questions_take_numbers_as_text_and_begin_with_a_value_where_nothing_is_typed(
    store: warptape.Store, tmp_path: Path
) -> None:
    """A page sends texts, and empty ones at first."""
    game = store.new("space-marine-adventures", seed="questions", undo="free")
    for _ in range(3):
        game.act(game.decision.actions[0])  # type: ignore[union-attr]
    game.undo()
    game.run({"team": "sensible"})
    least = {"least": "0", "words": "brother rolls"}
    found = 0
    with built(store, tmp_path / "a.db") as archive:
        shown = metadata("a")["databases"]["a"]["queries"]
        for question in QUESTIONS:
            to_begin_with = dict(question.params)
            answer = list(archive.query(question.sql, to_begin_with))
            assert list(archive.query(shown[question.name]["sql"], dict.fromkeys(to_begin_with, ""))) == answer
            typed = {name: least.get(name, value) for name, value in question.params}
            numbers = {name: int(value) if value.isdigit() else value for name, value in typed.items()}
            answer = list(archive.query(question.sql, typed))
            assert list(archive.query(question.sql, numbers)) == answer
            assert list(archive.query(shown[question.name]["sql"], typed)) == answer
            found += bool(answer)
    assert found >= len(QUESTIONS) - 1, "one asks for games with and without a card"


def test_words_that_mean_something_to_full_text_search_are_looked_for_as_they_are(
    store: warptape.Store, tmp_path: Path
) -> None:
    store.new("pig", seed="odd").act("roll")
    (question,) = (one for one in QUESTIONS if "words" in dict(one.params))
    with built(store, tmp_path / "a.db") as archive:
        assert list(archive.query(question.sql, {**dict(question.params), "words": '"pig"  is-opened.'}))
        for odd in ("don't", '"', "pig AND", "*", "NEAR(", "-", "^x", "no:x", "pig zeppelin", "é"):
            assert list(archive.query(question.sql, {**dict(question.params), "words": odd})) == [], odd


def test_a_question_that_is_no_sql_and_a_write_are_refused_in_words(store: warptape.Store, tmp_path: Path) -> None:
    store.archive(tmp_path / "a.db")
    with warptape.archive(tmp_path / "a.db") as archive:
        with pytest.raises(StoreError, match="cannot be answered: no such column: nonsense"):
            list(archive.query("SELECT nonsense"))
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            archive.connection.execute("DELETE FROM games")


def test_what_is_no_archive_is_refused_and_left_as_it_is(store: warptape.Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened: is it there"):
        warptape.archive(tmp_path / "missing.db")
    assert not (tmp_path / "missing.db").exists()
    (tmp_path / "text.db").write_text("this is no database, and long enough to be looked at" * 20)
    with pytest.raises(StoreError, match="no SQLite file"):
        store.archive(tmp_path / "text.db")
    with warptape.open(tmp_path / "store.db") as other:
        other.new("pig", seed="kept")
    before = (tmp_path / "store.db").read_bytes()
    with pytest.raises(StoreError, match="a database, but no archive"):
        store.archive(tmp_path / "store.db")
    assert (tmp_path / "store.db").read_bytes() == before
    store.archive(tmp_path / "a.db")
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("UPDATE archive SET value = '0' WHERE name = 'form'")
    connection.close()
    with pytest.raises(StoreError, match="another version of warptape"):
        store.archive(tmp_path / "a.db")


def test_the_columns_of_the_tables_are_those_of_the_rows(store: warptape.Store, tmp_path: Path) -> None:
    """SQLite keeps any type in any column: that each holds what it says is checked here."""
    game = store.new("hidden", seed="types", undo="free")
    game.run(dict.fromkeys(game.seats, "random"))
    game.undo()
    store.archive(tmp_path / "a.db")
    kinds = {"TEXT": str, "INTEGER": int, "INTEGER PRIMARY KEY": int, "REAL": float}
    rows = dump(tmp_path / "a.db")
    for table in TABLES:
        columns = table.columns[1:] if table.numbered else table.columns
        for row in rows[table.name]:
            for column, value in zip(columns, row, strict=True):
                assert value is None or isinstance(value, kinds[column.type]), (table.name, column.name, value)
    for table in ("rolls", "draws", "fights", "losses", "figures", "takebacks"):
        assert rows[table], "nothing to look at"
