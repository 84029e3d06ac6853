"""`warptape archive`: build, export, serve and tables, as they are typed."""

from __future__ import annotations

import csv
import json
import os
import re
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from warptape.projections.archive import TABLES, VIEWS
from warptape.projections.archive.questions import QUESTIONS

Run, Data = Callable[..., Any], Callable[..., Any]


@pytest.fixture
def played(run: Run) -> None:
    """Three games of Pig on the shelf."""
    run("simulate", "pig", "-n", "3", "--seed", "archived", "--record", "--jobs", "1")


@pytest.fixture
def made(played: None, run: Run, tmp_path: Path) -> Path:
    """The archive of the shelf."""
    run("archive", "build", "a.db")
    return tmp_path / "a.db"


def test_build_takes_the_store_in_use_and_follows_it(played: None, run: Run, data: Data) -> None:
    assert re.fullmatch(r"a\.db: 3 added; [\d,]+ rows written\.\n", run("archive", "build", "a.db").stdout)
    assert run("archive", "build", "a.db").stdout == "a.db: 3 unchanged.\n"
    game = data("games")[0]["id"]
    run("rename", game, "another")
    run("delete", data("games")[1]["id"], "--yes")
    found = data("archive", "build", "a.db")
    assert (found["updated"], found["removed"], found["unchanged"], found["failed"]) == (1, 1, 1, [])


def test_build_takes_stores_files_and_folders(played: None, run: Run, data: Data, shelf: Path, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    for number, game in enumerate(data("games")):
        run("export", game["id"], "-o", f"logs/{number}.tape.jsonl")
    (tmp_path / "logs" / "notes.txt").write_text("no log")
    os.rename("logs/0.tape.jsonl", "alone.tape.jsonl")
    found = data("archive", "build", "a.db", "--from", "logs", "--from", "alone.tape.jsonl", "--jobs", "1")
    assert (found["added"], found["failed"]) == (3, [])
    found = data("archive", "build", "a.db", "--from", str(shelf), "--from", "logs")
    assert found["copies"] + found["updated"] == 3, "the same games"
    with sqlite3.connect("a.db") as connection:
        assert connection.execute("SELECT count(*) FROM games").fetchone() == (3,)
    connection.close()


def test_what_cannot_be_read_is_named_and_the_exit_code_is_1(played: None, run: Run, data: Data, shelf: Path) -> None:
    Path("broken.tape.jsonl").write_text("{}\n")
    result = run("archive", "build", "a.db", "--from", str(shelf), "--from", "broken.tape.jsonl", code=1)
    assert "3 added, 1 not read" in result.stdout
    assert "broken.tape.jsonl: " in result.stderr
    found = data("archive", "build", "a.db", "--from", "broken.tape.jsonl", code=1)
    assert len(found["failed"]) == 1


def test_many_failures_are_not_all_printed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("logs").mkdir()
    for number in range(4):
        Path(f"logs/{number}.tape.jsonl").touch()
    monkeypatch.setattr("warptape.cli.commands.archive.MOST_NAMED", 3)
    result = run("archive", "build", "a.db", "--from", "logs", code=1)
    assert "… and 1 more" in result.stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("build", "a.db", "--from", "nowhere"), 2, "There is no store, file or folder nowhere."),
        (("build", "a.db", "--from", ""), 2, "There is no store, file or folder ."),
        (("build", ""), 2, "The name of the file is empty."),
        (("build", "shelf.db"), 4, "is a database, but no archive"),
        (("build", "no/such/folder/a.db"), 4, "cannot be opened"),
        (("export", "a.db", "--csv", "out"), 4, "cannot be opened"),
        (("export", "a.db"), 2, "Say what to write"),
        (("serve", "shelf.db"), 4, "is a database, but no archive"),
        (("tables", "cards"), 2, "There is no table 'cards'"),
    ],
)
def test_slips_are_told_in_a_sentence(words: tuple[str, ...], code: int, said: str, played: None, run: Run) -> None:
    result = run("archive", *words, code=code)
    assert said in result.stderr
    assert not Path("a.db").exists() or words[0] == "build"


def test_tables_prints_the_data_dictionary(run: Run, data: Data) -> None:
    listed = run("archive", "tables").stdout
    assert all(re.search(rf"(?m)^{name} ", listed) for name in [*(table.name for table in TABLES), *VIEWS])
    one = run("archive", "tables", "decisions").stdout
    assert re.search(r"(?m)^choices +INTEGER +How many legal actions", one)
    assert "SELECT ruleset, result" in run("archive", "tables", "results").stdout
    found = data("archive", "tables", "rolls")
    assert [column["name"] for column in found[0]["columns"]][:2] == ["game", "position"]


def test_csv_holds_every_row(made: Path, run: Run, data: Data) -> None:
    files = [Path(name) for name in data("archive", "export", "a.db", "--csv", "out")]
    assert [file.name for file in files] == [f"{table.name}.csv" for table in TABLES]
    connection = sqlite3.connect(made)
    for table, file in zip(TABLES, files, strict=True):
        with file.open(newline="", encoding="utf-8") as opened:
            head, *rows = csv.reader(opened)
        assert tuple(head) == table.names
        wanted = connection.execute(f"SELECT * FROM [{table.name}] ORDER BY {', '.join(table.key)}").fetchall()
        assert rows == [["" if value is None else str(value) for value in row] for row in wanted]
    connection.close()
    assert not list(Path("out").glob(".*"))


def test_parquet_holds_every_row_typed(made: Path, run: Run) -> None:
    duckdb = pytest.importorskip("duckdb", reason="Parquet needs DuckDB: install 'warptape[parquet]'")
    with sqlite3.connect(made) as raw:  # what a CSV file on the way might lose
        raw.execute("UPDATE games SET name = ?, reason = '', parent = NULL", ('a "b", \\N\n\\\\c\té',))
        raw.execute("UPDATE seats SET name = '\\N', won = NULL")
    raw.close()
    run("archive", "export", "a.db", "--parquet", "out")
    types = {"TEXT": "VARCHAR", "INTEGER": "BIGINT", "REAL": "DOUBLE"}
    connection = sqlite3.connect(made)
    for table in TABLES:
        file = f"out/{table.name}.parquet"
        shape = duckdb.sql(f"DESCRIBE SELECT * FROM '{file}'").fetchall()
        wanted = [(column.name, types[column.type.partition(" ")[0]]) for column in table.columns]
        assert [row[:2] for row in shape] == wanted
        order = f"ORDER BY {', '.join(table.key)}"
        found = duckdb.sql(f"SELECT * FROM '{file}' {order}").fetchall()
        assert found == connection.execute(f"SELECT * FROM [{table.name}] {order}").fetchall()
    connection.close()
    assert not list(Path("out").glob(".*"))


def test_without_duckdb_the_extra_is_named(made: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    result = run("archive", "export", "a.db", "--parquet", "out", code=4)
    assert "warptape[parquet]" in result.stderr
    assert "--csv" in result.stderr


def test_without_datasette_the_extra_is_named(made: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasette.app", None)
    assert "warptape[datasette]" in run("archive", "serve", "a.db", code=2).stderr


def test_a_folder_that_cannot_be_written_is_told(made: Path, run: Run) -> None:
    Path("taken").touch()
    assert "The folder taken cannot be written: " in run("archive", "export", "a.db", "--csv", "taken", code=4).stderr


@pytest.fixture
def served(made: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of the archive in a server of its own."""
    pytest.importorskip("datasette", reason="serving needs Datasette: install 'warptape[datasette]'")
    words = [sys.executable, "-m", "warptape", "archive", "serve", "a.db", "--no-open", "--port", "0"]
    running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stdout is not None
    line = running.stdout.readline()
    found = re.search(r"http://\S+", line)
    try:
        assert found is not None, (line, running.stderr.read() if running.stderr else "")
        yield found[0], running
    finally:
        running.terminate()
        running.communicate(timeout=60)


def fetched(url: str, **params: str) -> Any:
    query = f"?{urllib.parse.urlencode({'_shape': 'array', **params})}"
    with urllib.request.urlopen(f"{url}.json{query}", timeout=60) as answer:
        return json.load(answer)


def test_serve_shows_tables_with_texts_search_views_and_questions_and_writes_nothing(
    served: tuple[str, subprocess.Popen[str]], made: Path
) -> None:
    url, _ = served
    before = made.read_bytes()
    assert len(fetched(f"{url}/games")) == 3
    assert fetched(f"{url}/story", _search="opened")
    assert fetched(f"{url}/results")
    for question in QUESTIONS:
        fetched(f"{url}/{question.name}", **dict(question.params))
        fetched(f"{url}/{question.name}", **{name: "" for name, _ in question.params})
    with urllib.request.urlopen(f"{url}.json", timeout=60) as answer:
        keys = {one["name"]: one["foreign_keys"]["outgoing"] for one in json.load(answer)["tables"]}
    assert all(keys[table.name][0]["other_table"] == "games" for table in TABLES if table.name != "games")
    with urllib.request.urlopen(f"{url}/decisions", timeout=60) as answer:
        page = answer.read().decode()
    assert "How many legal actions there were" in page
    with pytest.raises(urllib.error.HTTPError):
        fetched(url, sql="DELETE FROM games")
    assert made.read_bytes() == before


def test_a_port_that_is_taken_is_told(served: tuple[str, subprocess.Popen[str]], run: Run) -> None:
    port = urllib.parse.urlsplit(served[0]).port
    assert (
        f"Nothing can listen at 127.0.0.1:{port}" in run("archive", "serve", "a.db", "--port", str(port), code=4).stderr
    )
