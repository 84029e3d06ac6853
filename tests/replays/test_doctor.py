"""The doctor: each damage, planted in either database, is found; what is a cache is set right, and no event is touched."""

from __future__ import annotations

import gc
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from warptape.replays.complaints import Complaint
from warptape.replays.doctor import Doctor
from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.store import Store

pytestmark = pytest.mark.usefixtures("small_steps")


class Ward:
    """A store with a parent, its fork, and another game, all with snapshots and keys."""

    def __init__(self, url: str) -> None:
        if url.startswith("postgresql"):
            url += "&options=-c%20synchronous_commit%3Doff"  # nobody pulls the plug
        self.url = url
        self.library = Library[Game](url)
        self.parent = self.played("parent", 10)
        self.fork = self.parent.fork("@d8", name="fork")
        for _ in range(8):
            self.fork.act("roll")
        self.other = self.played("other", 6)

    def played(self, name: str, actions: int) -> Game:
        game = self.library.new("pig", seed=name, name=name, undo="free", options={"goal": 1000})
        for number in range(actions):
            game.act("roll", key=f"{name} {number}")
        return game

    @property
    def store(self) -> Store:
        return self.library.store

    @property
    def postgres(self) -> bool:
        return self.url.startswith("postgresql")

    @property
    def binary(self) -> str:
        return "BYTEA" if self.postgres else "BLOB"

    def sql(self, sql: str, *params: object) -> None:
        """Do something behind everybody's back."""
        with self.store.transaction(write=True) as cursor:
            cursor.execute(sql, params)

    def events(self) -> list[Any]:
        """All that must never change, whatever a repair does."""
        found: list[Any] = []
        for query in (
            "SELECT originator_id, originator_version, topic, state FROM stored_events ORDER BY 1, 2",
            "SELECT * FROM warptape_games ORDER BY id",
        ):
            with self.store.transaction(write=False) as cursor:
                cursor.execute(query)
                found += map(tuple, cursor.fetchall())
        return found

    def visit(self, repair: bool = False, games: Sequence[Game] = (), jobs: int = 1) -> list[Complaint]:
        """What is wrong, and what was: notes on what is not are left out."""
        named = [(game.id, game.name) for game in games]
        found = Doctor(self.store, self.url, named, repair=repair, jobs=jobs).run()
        return [one for one in found if one.wrong or one.done]


@pytest.fixture
def ward(lasting_store_url: str) -> Iterator[Ward]:
    ward = Ward(lasting_store_url)
    yield ward
    ward.library.close()


def test_in_a_sound_store_nothing_is_wrong(ward: Ward) -> None:
    before = ward.events()
    snapshots = ward.store.snapshots(ward.parent.id, ward.parent.schema)
    assert len(snapshots) > 2
    assert ward.visit() == ward.visit(repair=True) == ward.visit(jobs=2) == ward.visit(games=[ward.fork]) == []
    assert ward.events() == before
    assert ward.store.snapshots(ward.parent.id, ward.parent.schema) == snapshots


class Damage(NamedTuple):
    """What is done to a store (`ID` stands for the game's id), and in which words the doctor is to tell of it."""

    game: str
    sql: str
    told: str
    about: str = "game"


DAMAGES = {
    "an event is lost": Damage(
        "other", "DELETE FROM stored_events WHERE originator_id = 'ID' AND originator_version = 5", "@5.* missing"
    ),
    "the last event is lost": Damage(
        "other",
        "DELETE FROM stored_events WHERE originator_id = 'ID' AND originator_version ="
        " (SELECT length - 1 FROM warptape_games WHERE id = 'ID')",
        "the end was cut off",
    ),
    "an event of an ancestor is lost": Damage(
        "parent", "DELETE FROM stored_events WHERE originator_id = 'ID' AND originator_version = 3", "@3.* missing"
    ),
    "an event was changed": Damage(
        "other",
        "UPDATE stored_events SET topic = 'CardDrawn' WHERE originator_id = 'ID' AND originator_version = 4",
        "files it under CardDrawn",
    ),
    "too long": Damage("other", "UPDATE warptape_games SET length = length + 1 WHERE id = 'ID'", "the shelf says"),
    "another head": Damage("other", "UPDATE warptape_games SET head = 'f00d' WHERE id = 'ID'", "batch|chain|digest"),
    "another outcome": Damage("other", "UPDATE warptape_games SET outcome = 'won' WHERE id = 'ID'", "another outcome"),
    "a parent that is gone": Damage(
        "fork", """UPDATE warptape_games SET lineage = '[["nobody",5]]' WHERE id = 'ID'""", "ancestor nobody is gone"
    ),
    "filed wrong": Damage("fork", "UPDATE warptape_games SET first = first + 1 WHERE id = 'ID'", "the shelf files it"),
    "no record": Damage("other", "UPDATE warptape_games SET seats = 'nonsense' WHERE id = 'ID'", "could not be read"),
    "a key to nowhere": Damage(
        "other", "UPDATE warptape_keys SET position = 999 WHERE game = 'ID' AND key LIKE '% 2'", "1 idempotency key", "keys"
    ),
    "a key to the middle of a batch": Damage(
        "other",
        "UPDATE warptape_keys SET position = position + 1 WHERE game = 'ID' AND key LIKE '% 2'",
        "point at no action",
        "keys",
    ),
    "numbers out of order": Damage(
        "other",
        "UPDATE stored_events SET NUMBER = (SELECT MAX(NUMBER) + 1 FROM stored_events)"
        " WHERE originator_id = 'ID' AND originator_version = 2",
        "event @3 stands before",
        "events",
    ),
}  # fmt: skip


def test_damage_to_games_is_found_and_not_touched(ward: Ward) -> None:
    hurt: dict[str, tuple[Game, set[str]]] = {}
    for name, damage in DAMAGES.items():
        game = ward.played(name, 5)
        theirs = {game.id}
        if damage.game in ("fork", "parent"):
            fork = game.fork(name=f"fork: {name}")
            theirs = {fork.id} if damage.game == "fork" else {game.id, fork.id}
            game = fork if damage.game == "fork" else game
        hurt[name] = (game, theirs)
    assert ward.visit() == []
    for name, damage in DAMAGES.items():
        ward.sql(damage.sql.replace("ID", hurt[name][0].id).replace("NUMBER", ward.store.notice))
    damaged = ward.events()
    for repair in (False, True):
        found = ward.visit(repair=repair)
        for name, damage in DAMAGES.items():
            game = hurt[name][0]
            mine = [one for one in found if one.game == game.id and re.search(damage.told, one.text)]
            said = [(one.grade, one.about, one.name, one.done) for one in mine]
            assert said == [("damage", damage.about, game.name, "")], (name, [str(one) for one in found])
            assert f"`warptape audit {game.id}`" in mine[0].advice
        hurt_games = set().union(*(theirs for _, theirs in hurt.values()))
        assert {one.game for one in found if one.grade == "damage"} == hurt_games, "nobody else is accused"
        assert ward.events() == damaged


def test_content_that_is_damaged_is_told_of_each_game(ward: Ward) -> None:
    ward.sql("UPDATE warptape_contents SET data = CAST('x' AS BINARY)".replace("BINARY", ward.binary))
    found = ward.visit(repair=True)
    assert {(one.grade, one.game) for one in found} == {
        ("damage", game.id) for game in (ward.parent, ward.fork, ward.other)
    }
    assert all("content of the game is damaged" in one.text for one in found)


def test_a_fork_without_the_event_it_is_forked_at(ward: Ward) -> None:
    ward.sql("UPDATE warptape_games SET length = ? WHERE id = ?", ward.fork.shelf.first - 1, ward.parent.id)
    found = [one.text for one in ward.visit(games=[ward.fork])]
    at = ward.fork.shelf.first - 1
    assert f"its ancestor {ward.parent.id} has no event @{at} of its own to be forked at" in found


def test_an_ancestor_that_comes_from_elsewhere(ward: Ward) -> None:
    branch = ward.fork.fork(name="branch")
    assert ward.visit() == []
    ward.sql("UPDATE warptape_games SET lineage = ? WHERE id = ?", f'[["{ward.other.id}",3]]', ward.fork.id)
    found = [one.text for one in ward.visit(games=[branch])]
    assert any(f"its ancestor {ward.fork.id} comes from other games than it says" in text for text in found)


def test_events_of_no_game_are_told_of_and_kept(ward: Ward) -> None:
    ward.library.delete(ward.fork.id)  # its notice belongs to no game, and is as it should be
    assert ward.visit() == []
    ward.sql("DELETE FROM warptape_games WHERE id = ?", ward.other.id)
    damaged = ward.events()
    found = ward.visit(repair=True)
    assert [(one.grade, one.about) for one in found if one.wrong] == [("damage", "events")]
    assert f"{ward.other.length} events of a game {ward.other.id}" in found[0].text
    assert {one.about for one in found if one.done} == {"snapshots", "idempotency keys"}
    assert ward.events() == damaged


# ---------------------------------------------------------------------- caches

CACHES = {
    "keys of a game that is gone": ("INSERT INTO warptape_keys VALUES ('gone', 'k', 3)", "idempotency keys"),
    "tokens of a game that is gone": (
        "INSERT INTO warptape_tokens VALUES ('d1', 'gone', 'seat', 'p1', '', 0, '2024', '', '')",
        "access tokens",
    ),
    "snapshots of a game that is gone": (
        "INSERT INTO warptape_snapshots SELECT 'gone', schema, position, data FROM warptape_snapshots WHERE game = 'ID'",
        "snapshots",
    ),
    "content that nothing uses": ("INSERT INTO warptape_contents VALUES ('f00d', CAST('x' AS BINARY))", "content"),
    "a missing index": ("DROP INDEX INwarptape_rewinds", "database"),
    "damaged snapshots": ("UPDATE warptape_snapshots SET data = CAST('x' AS BINARY) WHERE game = 'ID'", "snapshots"),
    "a snapshot of the future": (
        "INSERT INTO warptape_snapshots SELECT game, schema, 99999, data FROM warptape_snapshots WHERE game = 'ID'"
        " ORDER BY position LIMIT 1",
        "snapshots",
    ),
}  # fmt: skip


def test_what_is_a_cache_is_found_and_set_right(ward: Ward) -> None:
    schema = f"{ward.store.schema}." if ward.postgres else ""  # type: ignore[attr-defined]
    ward.sql("INSERT INTO warptape_tokens VALUES ('host', '', 'host', '', '', 0, '2024', '', '')")
    for sql, about in CACHES.values():
        sql = sql.replace("BINARY", ward.binary).replace("ID", ward.parent.id)
        ward.sql(sql.replace(" INwarptape", f" {schema}warptape"))
        before = ward.events()
        found = ward.visit()
        assert [(one.grade, one.about, one.done) for one in found] == [("cache", about, "")], sql
        assert "--repair" in found[0].advice
        assert found == ward.visit(), "without --repair nothing changes"
        (repaired,) = ward.visit(repair=True)
        assert (repaired.text, repaired.wrong) == (found[0].text, False)
        assert repaired.done
        assert ward.visit() == []
        assert ward.events() == before
    with ward.store.transaction(write=False) as cursor:
        cursor.execute("SELECT digest FROM warptape_tokens")
        assert cursor.fetchall() == [("host",)]
    assert ward.store.find_key(ward.parent.id, "parent 3") is not None


def test_a_snapshot_that_lies_is_made_anew(ward: Ward) -> None:
    position = ward.store.snapshots(ward.parent.id, ward.parent.schema)[1]
    truth = ward.parent.state_at(position)
    lie = ward.parent.state_at(position)
    lie.scores = [999, 0]
    ward.parent.keep(position, lie)
    assert ward.parent.state_at(position) == lie
    (found,) = ward.visit()
    assert (found.grade, found.about, found.game) == ("cache", "snapshots", ward.parent.id), "told of the parent, once"
    assert "1 snapshots are not what the log gives" in found.text
    (repaired,) = ward.visit(repair=True)
    assert repaired.done == "they were thrown away and made anew"
    assert ward.parent.state_at(position) == truth
    assert len(ward.store.snapshots(ward.parent.id, ward.parent.schema)) > 1
    assert ward.store.snapshots(ward.fork.id, ward.fork.schema), "only one game's were thrown away"
    assert ward.visit() == []


def test_snapshots_of_other_rules_are_no_fault(ward: Ward) -> None:
    ward.sql("INSERT INTO warptape_snapshots SELECT game, 'older', position, data FROM warptape_snapshots")
    assert ward.visit() == []
    notes = [one for one in Doctor(ward.store, ward.url).run() if one.about == "snapshots"]
    assert [one.grade for one in notes] == ["note"]
    (repaired,) = ward.visit(repair=True)
    assert repaired.text == notes[0].text
    assert ward.store.snapshots(ward.parent.id, "older") == []
    assert ward.store.snapshots(ward.parent.id, ward.parent.schema) != []


def test_a_table_that_is_gone(ward: Ward) -> None:
    ward.sql("DROP TABLE warptape_tokens")
    found = ward.visit(repair=True)
    assert "the table warptape_tokens is missing" in [one.text for one in found]
    assert all(one.grade == "damage" for one in found)


def test_a_column_that_is_gone(ward: Ward) -> None:
    ward.sql("ALTER TABLE warptape_tokens DROP COLUMN label")
    assert [one.text for one in ward.visit()] == ["the table warptape_tokens lacks label"]


def test_games_whose_rules_are_not_installed(ward: Ward) -> None:
    ward.sql("UPDATE warptape_games SET ruleset = 'chess' WHERE id = ?", ward.other.id)
    notes = [one.text for one in Doctor(ward.store, ward.url).run() if one.grade == "note"]
    assert any("chess is not installed: of 1 games" in text for text in notes)


# ---------------------------------------------------------------------- the databases themselves


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Ward]:
    ward = Ward(str(tmp_path / "games.db"))
    yield ward
    ward.library.close()


def test_an_index_that_does_not_fit_its_table(sqlite: Ward) -> None:
    other = sqlite3.connect(sqlite.url)
    other.execute("PRAGMA writable_schema = ON")
    other.execute(
        "UPDATE sqlite_master SET sql = REPLACE(sql, '''Rewound''', '''DiceRolled''') WHERE name = 'warptape_rewinds'"
    )
    other.execute("PRAGMA schema_version = 99")
    other.commit()
    other.close()
    before = sqlite.events()
    (found,) = sqlite.visit()
    assert (found.grade, found.about) == ("cache", "database")
    assert "an index does not fit its table" in found.text
    (repaired,) = sqlite.visit(repair=True)
    assert repaired.done == "the indexes were made anew"
    assert sqlite.visit() == []
    assert sqlite.events() == before


def test_a_file_with_damaged_pages(tmp_path: Path) -> None:
    ward = Ward(str(tmp_path / "games.db"))
    with ward.store.transaction(write=False) as cursor:
        cursor.execute("SELECT rootpage FROM sqlite_master WHERE name = 'stored_events'")
        ((root,),) = cursor.fetchall()
        cursor.execute("PRAGMA page_size")
        ((size,),) = cursor.fetchall()
    ward.library.close()
    with open(ward.url, "r+b") as file:  # behind SQLite's back
        file.seek((int(str(root)) - 1) * int(str(size)))
        file.write(b"\x7f" * 64)
    damaged = Path(ward.url).read_bytes()
    ward.library = Library[Game](ward.url)
    found = ward.visit(repair=True)
    assert any(one.about == "database" and "is damaged" in one.text for one in found)
    assert all(one.grade == "damage" for one in found)
    ward.library.close()
    assert Path(ward.url).read_bytes() == damaged


def test_the_place_of_a_file(sqlite: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(sqlite.url)
    path.chmod(0o666)
    (found,) = sqlite.visit()
    assert (found.grade, found.about) == ("risk", "place")
    assert f"chmod go-w {path}" in found.advice
    path.chmod(0o644)
    assert sqlite.visit() == []
    notes = [one.text for one in Doctor(sqlite.store, sqlite.url).run()]
    assert any("other users of this machine may read" in text for text in notes)
    path.chmod(0o600)
    assert list(Doctor(sqlite.store, sqlite.url).run()) == []
    usage = shutil.disk_usage(path)
    monkeypatch.setattr(shutil, "disk_usage", lambda where: usage._replace(free=2**20))
    (found,) = sqlite.visit()
    assert "the disk has 1 MB left" in found.text


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can start a process that may not write")
def test_a_log_that_a_reader_holds(sqlite: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warptape.replays.checkup_sqlite.ROOM", 100_000)
    reader = sqlite3.connect(sqlite.url, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM warptape_games").fetchall()
    for _ in range(3):
        with sqlite.store.transaction(write=True) as cursor:
            cursor.execute("UPDATE stored_events SET state = state || x'' ")
            cursor.execute("UPDATE stored_events SET state = CAST(state AS BLOB)")
    found = sqlite.visit(repair=True)
    assert [(one.grade, one.about, one.done) for one in found] == [("cache", "place", "")], "the reader is in the way"
    assert "the write-ahead log has grown" in found[0].text
    reader.execute("COMMIT")
    reader.close()
    assert [one.done for one in sqlite.visit(repair=True)] == ["it was moved into the file"]
    assert sqlite.visit() == []


@pytest.fixture
def postgres(postgres_database: str) -> Iterator[Ward]:
    ward = Ward(f"{postgres_database.partition('?')[0]}?schema=ward_{os.urandom(4).hex()}")
    yield ward
    ward.library.close()


def test_an_index_that_is_not_valid(postgres: Ward) -> None:
    schema = postgres.store.schema  # type: ignore[attr-defined]
    postgres.sql(
        f"UPDATE pg_index SET indisvalid = false WHERE indexrelid = CAST('{schema}.warptape_versions' AS regclass)"
    )
    (found,) = postgres.visit()
    assert "the index warptape_versions is not valid" in found.text
    assert [one.done for one in postgres.visit(repair=True)] == ["it was made anew"]
    assert postgres.visit() == []


def test_numbers_that_would_be_given_twice(postgres: Ward) -> None:
    schema = postgres.store.schema  # type: ignore[attr-defined]
    newest = postgres.store.latest()
    postgres.sql(f"SELECT setval('{schema}.stored_events_notification_id_seq', 3)")
    (found,) = postgres.visit()
    assert (found.about, found.text) == (
        "events",
        f"the next event would get number 4, and number {newest} is given already",
    )
    assert [one.wrong for one in postgres.visit(repair=True)] == [False]
    assert postgres.visit() == []
    postgres.other.act("roll")
    assert postgres.store.latest() > newest


def test_a_user_who_may_not_write(postgres: Ward) -> None:
    import psycopg

    schema = postgres.store.schema  # type: ignore[attr-defined]
    base = postgres.url.partition("?")[0]
    role = f"reader_{os.urandom(4).hex()}"
    with psycopg.connect(base, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN")
        connection.execute(f"GRANT USAGE ON SCHEMA {schema} TO {role}")
        connection.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role}")
        connection.execute(f"GRANT SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {role}")
        try:
            theirs = re.sub(r"//[^@/]*@", f"//{role}@", postgres.url)
            with Library[Game](theirs) as library:
                found = [one for one in Doctor(library.store, theirs).run() if one.wrong]
            assert [(one.grade, "stored_events" in one.text) for one in found] == [("risk", True)]
            assert "Grant SELECT" in found[0].advice
        finally:
            connection.execute(f"DROP OWNED BY {role}")
            connection.execute(f"DROP ROLE {role}")


def test_others_may_play_meanwhile(ward: Ward, rulesets: dict[str, str]) -> None:
    script = Path(__file__).with_name("bustle.py")
    players = [
        subprocess.Popen([sys.executable, str(script), ward.url, str(number)], env=rulesets, stdout=subprocess.PIPE)
        for number in range(2)
    ]
    try:
        for player in players:
            assert player.stdout is not None
            assert player.stdout.readline() == b"ready\n"
        ends = time.monotonic() + 2
        while time.monotonic() < ends:
            assert [str(one) for one in ward.visit(repair=True)] == []
        assert all(player.poll() is None for player in players), "they were not disturbed"
    finally:
        for player in players:
            player.kill()
            player.communicate()


def test_memory_does_not_grow_with_the_number_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warptape.replays.reader.MANY", 20)  # ids that are read at a time

    def tidy() -> None:
        gc.collect(1)  # what is thrown away is not to be counted

    def peak(games: int) -> int:
        with Library[Game](":memory:") as library:
            for number in range(games):
                library.new("pig", seed=str(number)).act("roll")
            tracemalloc.start()
            assert [one for one in Doctor(library.store, ":memory:", done=tidy).run() if one.wrong] == []
            most = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            return most

    peak(2)  # what is loaded once
    assert peak(120) < 1.25 * peak(30)
