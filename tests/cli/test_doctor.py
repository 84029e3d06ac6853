"""doctor, backup and restore as they are typed: what is found on one line each, and a store that comes back whole."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import warptape


@pytest.fixture
def played(run: Any) -> None:
    """Two games of Pig, the first with a fork, and an archive of all."""
    for name in ("first", "second"):
        run("new", "pig", "--name", name, "--seed", name, "--option", "goal=1000", "--undo", "free")
        for _ in range(4):
            run("act", name, "roll")
    run("fork", "first", "--name", "branch")
    run("act", "branch", "roll")
    run("archive", "build", "archive.db")


def test_a_sound_store(run: Any, data: Any, played: None, shelf: Path) -> None:
    shelf.chmod(0o600)
    out = run("doctor", "--archive", "archive.db").output
    assert out.endswith("Nothing wrong was found.\n")
    assert {one["grade"] for one in data("doctor", "--jobs", "1")} <= {"note"}
    assert run("doctor", "first", "branch").output == "Nothing wrong was found.\n"
    assert data("doctor", "second") == []


def test_what_is_wrong_is_told_on_a_line_each(run: Any, data: Any, played: None, shelf: Path) -> None:
    with sqlite3.connect(shelf) as other:
        other.execute("INSERT INTO warptape_keys VALUES ('gone', 'k', 1)")
        ((game,),) = other.execute("SELECT id FROM warptape_games WHERE name = 'second'")
        other.execute("DELETE FROM stored_events WHERE originator_id = ? AND originator_version = 3", (game,))
    lines = run("doctor", code=1).output.splitlines()
    assert f"damage    game 'second' ({game}): @3: @3 is missing" in "\n".join(lines)
    assert any(line.startswith("cache     idempotency keys: 1 belong to games that are not here.") for line in lines)
    assert lines[-1] == "2 things are wrong. 1 of them --repair may set right."
    found = {one["about"]: one for one in data("doctor", code=1) if one["grade"] != "note"}
    assert found.keys() == {"game", "idempotency keys"}
    assert found["game"]["game"] == game
    lines = run("doctor", "--repair", code=1).output.splitlines()
    assert any(line.startswith("repaired  idempotency keys: ") and "thrown away" in line for line in lines)
    assert lines[-1] == "1 set right. 1 thing is wrong."
    assert "1 thing is wrong." in run("doctor", "second", code=1).output
    run("doctor", "first")
    run("delete", "second", "--yes")
    assert "Nothing wrong" in run("doctor").output


def test_a_game_or_archive_that_is_not_there(run: Any, played: None) -> None:
    assert "No game" in run("doctor", "thrid", code=2).output
    assert "cannot be opened" in run("doctor", "--archive", "none.db", code=1).output
    assert not Path("none.db").exists()
    assert "The name of the file is empty" in run("doctor", "--archive", "", code=2).output


def test_no_store_is_made_by_looking(run: Any) -> None:
    assert "there is none at nowhere.db yet" in run("--store", "nowhere.db", "doctor").output
    assert not Path("nowhere.db").exists()


def test_a_file_that_is_no_store_any_more(run: Any, played: None, shelf: Path) -> None:
    whole = shelf.read_bytes()
    shelf.write_bytes(whole[:100] + b"\xff" * 4000 + whole[4100:])
    out = run("doctor", code=1).output
    assert "damage    store: " in out
    assert "warptape restore" in out


def test_the_file_of_playouts(run: Any, played: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARPTAPE_CACHE", str(tmp_path / "cache"))
    run("analyse", "first", "--playouts", "2", "--points", "2", "--jobs", "1", code=None)
    file = tmp_path / "cache" / "playouts.db"
    assert file.is_file()
    assert "playouts: " not in run("doctor").output
    file.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    assert "the file of playouts" in run("doctor", code=1).output
    assert "costs time only" in run("doctor", "--repair").output
    assert not file.exists()
    run("doctor")


def test_an_archive_that_knows_more_than_the_store(run: Any, data: Any, played: None, shelf: Path) -> None:
    """The store was put back from a backup: what the archive has of the time after must not stay."""
    run("backup", "kept.db")
    run("act", "second", "hold")
    run("archive", "build", "archive.db")
    shelf.unlink()
    run("restore", "kept.db")
    out = run("doctor", "--archive", "archive.db", code=1).output
    assert "archive.db has more of 1 games than the store" in out
    assert "they were taken out" in run("doctor", "--archive", "archive.db", "--repair").output
    assert data("archive", "build", "archive.db")["added"] == 1
    assert "Nothing wrong" in run("doctor", "--archive", "archive.db").output
    with sqlite3.connect("archive.db") as archive:
        events = dict(archive.execute("SELECT name, events FROM games"))
    with warptape.open(shelf) as store:
        assert events == {one.name: one.length for one in store.store.shelves()}


def test_optional_parts_that_are_missing(run: Any, played: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib import metadata

    there = metadata.version

    def version(name: str) -> str:
        if name == "textual":
            raise metadata.PackageNotFoundError(name)
        return there(name)

    monkeypatch.setattr(metadata, "version", version)
    out = run("doctor").output
    lines = [line for line in out.splitlines() if "extras" in line]
    assert len(lines) == 1
    assert lines[0].startswith("note      extras: optional parts that are not installed: ")
    assert "tui (textual)" in lines[0]


def test_a_service_is_looked_at_where_it_runs(run: Any) -> None:
    for words in (["doctor"], ["backup"], ["restore", "x.db"]):
        out = run("--store", "https://example.invalid", *words, code=2).output
        assert "where the game service runs" in out


# ---------------------------------------------------------------------- backup and restore


@pytest.fixture(params=["sqlite", "postgres"])
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str, str]]:
    """Where a store is, where its backup goes, and the new place of the store."""
    if request.param == "sqlite":
        yield str(tmp_path / "games.db"), "backup.db", str(tmp_path / "elsewhere" / "games.db")
        return
    import psycopg

    from warptape.replays.dumps import found

    try:
        found("pg_dump"), found("pg_restore")
    except warptape.WarptapeError as error:
        pytest.skip(str(error))
    base = request.getfixturevalue("postgres_database").partition("?")[0]
    schema, other = f"kept_{uuid.uuid4().hex[:8]}", f"restored_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(base, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {other} TEMPLATE template0")
        yield f"{base}?schema={schema}", "backup.dump", f"{base.rpartition('/')[0]}/{other}?schema={schema}"
        connection.execute(f"DROP DATABASE {other} WITH (FORCE)")


WRITER = """
import sys
import warptape
with warptape.open(sys.argv[1]) as store:
    game = store.game("played")
    while True:
        game.act("roll")
        game.undo()
        print(game.length, store.store.latest(), flush=True)
"""


def test_a_backup_while_others_play(run: Any, places: tuple[str, str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    url, file, new = places
    monkeypatch.setattr("warptape.replays.backups.PAGES", 1)  # the copy takes its time
    monkeypatch.setattr("warptape.cli.progress.Progress.set", lambda *_: time.sleep(0.02))
    run("--store", url, "new", "pig", "--name", "played", "--seed", "s", "--option", "goal=1000", "--undo", "free")
    writer = subprocess.Popen([sys.executable, "-c", WRITER, url], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    acknowledged = [writer.stdout.readline().split() for _ in range(20)][-1]
    run("--store", url, "backup", file)
    writer.stdout.readline()
    writer.send_signal(signal.SIGKILL)
    writer.communicate()
    assert oct(Path(file).stat().st_mode & 0o777) == "0o600"
    assert not list(Path().glob(".*.part*"))
    assert "1 game is in" in run("--store", new, "restore", file).output
    with warptape.open(new) as store, warptape.open(url) as old:
        game = store.game("played")
        assert game.length >= int(acknowledged[0]), "nothing that was acknowledged before is missing"
        assert game.audit().ok
        assert list(game.rows()) == list(old.game("played").rows(0, game.length))
        latest = store.store.latest()
        assert int(acknowledged[1]) <= latest < old.store.latest(), "the writer went on meanwhile"
        numbers = store.store.changed_since(0, 10**6)
        assert numbers == old.store.changed_since(0, len(numbers)), "followers find what they know"
        game.act("roll")
        assert store.store.changed_since(latest, 1)[0][0] > latest, "the numbers go on"
    run("--store", new, "audit", "played")
    assert "Nothing wrong" in run("--store", new, "doctor").output
    for words, reason in (
        (["--store", url, "backup", file], "already"),
        (["--store", new, "restore", file], "already"),
    ):
        assert reason in run(*words, code=4).output


def test_a_backup_has_a_name(run: Any, played: None, shelf: Path) -> None:
    out = run("backup").output
    (file,) = Path().glob("shelf-20*.db")
    assert str(file) in out
    with sqlite3.connect(file) as copy:
        assert copy.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert copy.execute("SELECT COUNT(*) FROM warptape_games").fetchone() == (3,)


@pytest.mark.parametrize("what", ["text", "foreign", "newer", "cut", "missing", "dump", "folder"])
def test_what_is_no_backup_is_not_restored(run: Any, played: None, what: str) -> None:
    file = Path("given.db")
    run("backup", str(file))
    whole = file.read_bytes()
    if what == "text":
        file.write_text("Dear diary, nothing is kept here. " * 99)
    elif what == "dump":
        file.write_bytes(b"PGDMP" + b"\0" * 99)
    elif what == "cut":
        file.write_bytes(whole[: len(whole) // 2])
    elif what == "missing":
        file.unlink()
    elif what == "folder":
        file.unlink()
        file.mkdir()
    else:
        with sqlite3.connect(file) as other:
            if what == "newer":
                other.execute("UPDATE warptape_store SET version = 99")
            else:
                other.execute("DROP TABLE warptape_store")
    told = {
        "text": "is no backup of a store",
        "foreign": "another program",
        "newer": "tables of version 99",
        "cut": "damaged",
        "missing": "cannot be read: no such file",
        "dump": "a dump of a PostgreSQL store",
        "folder": "is a directory",
    }[what]
    assert told in run("--store", "new.db", "restore", str(file), code=4).output
    assert not list(Path().glob("new.db*")) + list(Path().glob(".new.db*"))


def test_a_log_that_is_left_from_before_is_in_the_way(run: Any, played: None) -> None:
    """SQLite would play it into the restored store."""
    run("backup", "given.db")
    Path("new.db-wal").write_bytes(b"left")
    assert "new.db-wal already" in run("--store", "new.db", "restore", "given.db", code=4).output


def test_an_old_backup_is_brought_to_today(run: Any, data: Any) -> None:
    kept = Path(__file__).parent.parent / "stores" / "version-1.sqlite"
    run("--store", "new.db", "restore", str(kept))
    assert len(data("--store", "new.db", "games")) == 4
    with sqlite3.connect("new.db") as store:
        assert store.execute("SELECT COUNT(*) FROM warptape_tokens").fetchone() == (0,)
    with sqlite3.connect(kept) as store:
        assert store.execute("SELECT version FROM warptape_store").fetchone() == (1,)


def test_a_dump_goes_into_its_own_schema_only(run: Any, places: tuple[str, str, str]) -> None:
    url, file, new = places
    if not url.startswith("postgresql"):
        assert "a postgresql:// URL" in run("--store", url, "restore", _dump(), code=4).output
        return
    run("--store", url, "new", "pig", "--seed", "s")
    run("--store", url, "backup", file)
    base, _, schema = new.partition("?schema=")
    out = run("--store", f"{base}?schema=other", "restore", file, code=4).output
    assert f"end the URL with ?schema={schema}" in out
    Path("text.dump").write_bytes(b"PGDMP nothing else")
    assert "pg_restore failed" in run("--store", new, "restore", "text.dump", code=4).output
    assert "is no dump" in run("--store", new, "restore", _dump(b"SQLite format 3\0"), code=4).output
    wrong = new.replace("//postgres@", "//nobody_here:secret@")
    out = run("--store", wrong, "restore", file, code=4).output
    assert "secret" not in out


def _dump(start: bytes = b"PGDMP") -> str:
    Path("given").write_bytes(start + b"\0" * 99)
    return "given"


def test_without_pg_dump_it_says_what_to_install(
    run: Any, places: tuple[str, str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url, file, _ = places
    run("--store", url, "new", "pig", "--seed", "s")
    monkeypatch.setattr("warptape.replays.dumps.FOLDERS", tmp_path / "none")
    monkeypatch.setenv("PATH", str(tmp_path))
    out = run("--store", url, "backup", file, code=4 if url.startswith("postgresql") else 0).output
    assert ("install the PostgreSQL client programs" in out) == url.startswith("postgresql")


def test_a_store_named_by_a_url(run: Any, played: None, tmp_path: Path) -> None:
    run("backup", "given.db")
    assert "3 games are in" in run("--store", f"sqlite:///{tmp_path}/new.db", "restore", "given.db").output
    assert (tmp_path / "new.db").is_file()
    assert "there is none" in run("--store", "sqlite:///none.db", "doctor").output
    run("--store", "sqlite:///new.db", "doctor")
    assert not Path("none.db").exists()
    assert "gone when it is closed" in run("--store", ":memory:", "restore", "given.db", code=4).output
    assert "gone when it is closed" in run("--store", ":memory:", "backup", "other.db", code=4).output


@pytest.mark.skipif(os.name != "posix", reason="this system has no limit for the size of files")
def test_a_disk_that_is_full(run: Any, played: None) -> None:
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (60000, 60000));"
        "from warptape.cli import main; main(['backup', 'given.db'])"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ended.returncode == 4, ended
    assert "could not be copied" in ended.stderr
    assert not list(Path().glob("*given*")) + list(Path().glob(".*given*"))


def test_archives_that_cannot_be_followed(run: Any, played: None) -> None:
    whole = Path("archive.db").read_bytes()
    with sqlite3.connect("archive.db") as archive:
        ((root,),) = archive.execute("SELECT rootpage FROM sqlite_master WHERE name = 'story'")
        ((size,),) = archive.execute("PRAGMA page_size")
        archive.execute("PRAGMA journal_mode = DELETE")
    data = bytearray(Path("archive.db").read_bytes())
    data[(root - 1) * size : (root - 1) * size + 64] = b"\x7f" * 64
    Path("damaged.db").write_bytes(data)
    Path("text.db").write_text("no archive at all " * 99)
    Path("older.db").write_bytes(whole)
    with sqlite3.connect("older.db") as archive:
        archive.execute("UPDATE archive SET value = 'older' WHERE name = 'form'")
    for name, reason in {
        "damaged.db": "damaged|malformed",
        "text.db": "is no archive",
        "older.db": "by another version",
    }.items():
        before = Path(name).read_bytes()
        for repair in ([], ["--repair"]):
            out = run("doctor", "--archive", name, *repair, code=1).output
            line = next(line for line in out.splitlines() if line.startswith("cache     archive: "))
            assert re.search(reason, line), line
            assert f"warptape archive build {name}" in line
        assert name != "text.db" or Path(name).read_bytes() == before, "what is no archive is not touched"


def test_an_archive_has_games_that_were_deleted(run: Any, played: None) -> None:
    run("delete", "second", "--yes")
    out = run("doctor", "--archive", "archive.db").output
    assert "note      archive: archive.db has 1 games that were deleted here since" in out
    run("archive", "build", "archive.db")
    assert "archive:" not in run("doctor", "--archive", "archive.db").output
