"""The store's own tables through the versions: an old store is upgraded in place, and nothing in it is lost."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

import pytest

import warptape
from warptape.domain.errors import StoreError
from warptape.replays.doctor import Doctor
from warptape.replays.migrations import STEPS, VERSION
from warptape.replays.store import open_store

STORES = Path(__file__).parent.parent / "stores"
OLD = range(1, VERSION)
GAMES = {"finished": 48, "rewound": 112, "fork": 18, "secrets": 45}
"""The games of each stored store, with their events; `deleted` was deleted."""
TABLES = """
SELECT 'games', COUNT(*) FROM warptape_games UNION SELECT 'events', COUNT(*) FROM stored_events
UNION SELECT 'keys', COUNT(*) FROM warptape_keys UNION SELECT 'contents', COUNT(*) FROM warptape_contents
UNION SELECT 'snapshots', COUNT(*) FROM warptape_snapshots ORDER BY 1
"""


def restored(version: int, url: str) -> str:
    """Put the kept store of a version where the URL leads; returns the URL."""
    if not url.startswith("postgresql"):
        shutil.copy(STORES / f"version-{version}.sqlite", url)
        return url
    import psycopg

    base, _, schema = url.partition("?schema=")
    text = (STORES / f"version-{version}.sql").read_text()
    with psycopg.connect(base, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")
        connection.execute(text.replace(f"wt_version_{version}", schema).encode())
    return url


def look(url: str, sql: str) -> list[tuple[object, ...]]:
    """What a query gives without the store in between."""
    if not url.startswith("postgresql"):
        connection = sqlite3.connect(url)
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()
    import psycopg

    base, _, schema = url.partition("?schema=")
    with psycopg.connect(base, autocommit=True) as connection:
        connection.execute(f"SET search_path = {schema}")
        return connection.execute(sql.encode()).fetchall()


@pytest.mark.parametrize("version", OLD)
def test_a_store_of_each_version_is_upgraded_with_its_games(lasting_store_url: str, version: int) -> None:
    url = restored(version, lasting_store_url)
    assert look(url, "SELECT version FROM warptape_store") == [(version,)]
    before = look(url, TABLES)
    with warptape.open(url) as store:
        assert look(url, "SELECT version FROM warptape_store") == [(VERSION,)]
        assert look(url, TABLES) == before
        assert {shelf.name: shelf.length for shelf in store.store.shelves()} == GAMES
        for name in GAMES:
            assert store.game(name).audit().ok
        game = store.game("rewound")
        assert game.decision is not None
        assert store.store.find_key(game.id, "key 0") is not None
        game.act(game.decision.actions[0])
        assert game.audit().ok
        store.store.delete(store.game("secrets").id)
    with warptape.open(url) as store:  # the second time there is nothing to do
        assert {shelf.name for shelf in store.store.shelves()} == GAMES.keys() - {"secrets"}


@pytest.mark.parametrize("version", OLD)
def test_an_upgraded_store_has_the_tables_of_a_new_one(lasting_store_url: str, version: int) -> None:
    def tables(url: str) -> list[tuple[object, ...]]:
        if not url.startswith("postgresql"):
            return look(url, "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%' ORDER BY 1, 2")
        schema = url.partition("?schema=")[2]
        columns = (
            "SELECT table_name, column_name, data_type, is_nullable, collation_name FROM information_schema.columns"
        )
        indexes = f"SELECT tablename, replace(indexdef, '{schema}', '') FROM pg_indexes WHERE schemaname = '{schema}'"
        return [
            *look(url, f"{columns} WHERE table_schema = '{schema}' ORDER BY 1, ordinal_position"),
            *look(url, f"{indexes} ORDER BY 1, 2"),
        ]

    open_store(lasting_store_url).close()
    new = tables(lasting_store_url)
    if not lasting_store_url.startswith("postgresql"):
        Path(lasting_store_url).unlink()
    url = restored(version, lasting_store_url)
    assert tables(url) != new
    open_store(url).close()
    assert tables(url) == new
    assert any("warptape_tokens" in row for row in new)


@pytest.mark.parametrize("version", [0, VERSION + 1, 99])
def test_a_store_of_an_unknown_version_is_refused_and_left_alone(lasting_store_url: str, version: int) -> None:
    with open_store(lasting_store_url) as store, store.transaction(write=True) as cursor:
        cursor.execute("UPDATE warptape_store SET version = ?", (version,))
    with pytest.raises(StoreError, match=f"has tables of version {version}, and this warptape knows {VERSION}"):
        open_store(lasting_store_url)
    assert look(lasting_store_url, "SELECT version FROM warptape_store") == [(version,)]


OPENER = """
import sys
import tempfile
from warptape.replays.store import open_store
print("ready", flush=True)
sys.stdin.readline()
with open_store(sys.argv[1]) as store:
    print(store.count(), flush=True)
"""


def test_many_processes_upgrade_one_store_at_once(lasting_store_url: str) -> None:
    url = restored(1, lasting_store_url)
    before = look(url, TABLES)
    openers = [
        subprocess.Popen([sys.executable, "-c", OPENER, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert all(opener.stdout is not None and opener.stdout.readline() == "ready\n" for opener in openers)
    for opener in openers:  # all are told before any is heard
        assert opener.stdin is not None
        opener.stdin.write("go\n")
        opener.stdin.flush()
    assert [(opener.communicate(timeout=30)[0], opener.returncode) for opener in openers] == [("4\n", 0)] * 4
    assert look(url, "SELECT version FROM warptape_store") == [(VERSION,)]
    assert look(url, TABLES) == before


def in_child(work: Callable[[], object]) -> int:
    """Run something in a process of its own; returns its id. It ends with 0 when the work ends well."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return child


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_kill_at_any_moment_leaves_a_store_that_the_next_start_upgrades(lasting_store_url: str) -> None:
    chance = random.Random(8)
    postgres = lasting_store_url.startswith("postgresql")
    turns = 8 if postgres else 24
    for turn in range(turns):
        url = restored(1, lasting_store_url)
        for leftover in ("-wal", "-shm"):
            Path(url + leftover).unlink(missing_ok=True)
        before = look(url, TABLES)
        child = in_child(lambda: open_store(lasting_store_url))
        time.sleep((turn + chance.random()) / turns * (0.12 if postgres else 0.03))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert look(url, "SELECT version FROM warptape_store") in ([(1,)], [(VERSION,)])
        with open_store(url) as store:
            assert store.count() == 4
            with store.transaction(write=False) as cursor:
                cursor.execute("SELECT COUNT(*) FROM warptape_tokens")
                assert cursor.fetchone() == (0,)
        assert look(url, "SELECT version FROM warptape_store") == [(VERSION,)]
        assert look(url, TABLES) == before


@pytest.mark.parametrize("at", range(1, len(STEPS[0]) + 2))
def test_a_step_that_fails_at_any_statement_changes_nothing(
    lasting_store_url: str, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before each statement of the step, and after the last, one fails."""
    url = restored(1, lasting_store_url)
    tables = look(url, TABLES)
    steps = (*STEPS[0][: at - 1], "a statement that is none", *STEPS[0][at - 1 :])
    with monkeypatch.context() as patch:
        patch.setattr("warptape.replays.migrations.STEPS", (steps,))
        with pytest.raises(StoreError):
            open_store(url)
    assert look(url, "SELECT version FROM warptape_store") == [(1,)]
    assert look(url, TABLES) == tables
    with pytest.raises(Exception, match="warptape_tokens"):
        look(url, "SELECT * FROM warptape_tokens")
    open_store(url).close()
    assert look(url, "SELECT COUNT(*) FROM warptape_tokens") == [(0,)]


def test_an_old_store_that_may_only_be_read_is_read(postgres_database: str) -> None:
    base = postgres_database.partition("?")[0]
    url = restored(1, f"{base}?schema=wt_only_read")
    with open_store(f"{url}&options=-c%20default_transaction_read_only%3Don") as store:
        assert {shelf.name for shelf in store.shelves()} == GAMES.keys()
        with pytest.raises(StoreError, match="may only be read"):
            store.rename(store.find("fork").id, "spoon")
    assert look(url, "SELECT version FROM warptape_store") == [(1,)]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can start a process that may not write")
def test_an_old_file_that_may_only_be_read_is_read(tmp_path: Path) -> None:
    temporary = Path(tempfile.gettempdir())
    for folder in takewhile(lambda one: one != temporary and one != one.parent, (tmp_path, *tmp_path.parents)):
        folder.chmod(0o755)
    url = restored(1, str(tmp_path / "games.db"))
    keeper = sqlite3.connect(url)  # while another has it open, the write-ahead log is there to be read
    keeper.execute("PRAGMA journal_mode = WAL")
    keeper.execute("SELECT * FROM warptape_games").fetchone()

    def read() -> None:
        os.setuid(65534)
        with open_store(url) as store:
            assert {shelf.name for shelf in store.shelves()} == GAMES.keys()
            with pytest.raises(StoreError, match="may only be read"):
                store.rename(store.find("fork").id, "spoon")

    _, status = os.waitpid(in_child(read), 0)
    keeper.close()
    assert os.waitstatus_to_exitcode(status) == 0
    assert look(url, "SELECT version FROM warptape_store") == [(1,)]


def test_the_doctor_says_that_an_old_store_may_only_be_read(postgres_database: str) -> None:
    url = restored(1, f"{postgres_database.partition('?')[0]}?schema=wt_old_read")
    with open_store(f"{url}&options=-c%20default_transaction_read_only%3Don") as store:
        found = [one for one in Doctor(store, url).run() if one.wrong]
    assert [one.grade for one in found] == ["risk", "risk"]
    assert f"the tables are of version 1, and this warptape, which knows {VERSION}" in found[1].text
    assert "the server takes no writes" in found[0].text
