"""audit, export, import, transcript, diff."""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def played(run: Any, pig: Any) -> None:
    """A game with some rolls, a hold and a note."""
    run("act", "first", "roll", "roll", "hold", "roll")
    run("note", "first", "so far so good")


def test_audit_of_a_game_a_file_a_folder_and_a_store(run: Any, data: Any, played: None, shelf: Path) -> None:
    assert "Nothing wrong was found." in run("audit", "first").output
    run("export", "first", "-o", "one.tape.jsonl")
    run("export", "first", "-o", "two.tape.jsonl.gz")
    assert "All 2 are sound." in run("audit", "one.tape.jsonl", "two.tape.jsonl.gz").output
    assert "All 2 are sound." in run("audit", ".").output
    run("new", "pig")
    assert len(data("audit", str(shelf))) == 2
    assert run("audit", "first", "--quiet").output == ""
    assert data("audit", "first", "one.tape.jsonl")[1]["ok"]
    assert data("audit")[0]["ok"]


def test_audit_names_the_first_bad_event_of_a_store(run: Any, data: Any, played: None, shelf: Path) -> None:
    with sqlite3.connect(shelf) as connection:
        connection.execute(
            "UPDATE stored_events SET state = CAST(replace(CAST(state AS TEXT), '\"sides\":6', '\"sides\":7') AS BLOB)"
            " WHERE originator_version = 8"
        )
    connection.close()
    result = run("audit", "first", code=1)
    assert "first bad: @" in result.output
    assert "something is wrong" in result.output
    (report,) = data("audit", "first", code=1)
    assert not report["ok"]
    assert report["findings"][0]["position"] == 8


def test_one_changed_byte_of_a_file_is_found_and_nothing_imported(run: Any, data: Any, played: None) -> None:
    run("export", "first", "-o", "one.tape.jsonl")
    text = Path("one.tape.jsonl").read_text()
    lines = text.splitlines(keepends=True)
    spoiled = {
        "byte": text.replace("so far", "so fat"),
        "dropped": "".join(lines[:8] + lines[9:]),
        "swapped": "".join([*lines[:8], lines[9], lines[8], *lines[10:]]),
        "repeated": "".join(lines[:9] + lines[8:]),
        "cut": "".join(lines[:-3]),
        "empty": "",
    }
    for name, bad in spoiled.items():
        file = Path(f"{name}.tape.jsonl")
        file.write_text(bad)
        audited = run("audit", str(file), code=1).output
        assert "line " in audited.lower(), (name, audited)
        imported = run("import", str(file), code=1).stderr
        assert "Line " in imported, (name, imported)
        assert "Nothing of it was imported." in imported
    assert len(data("games")) == 1


def test_export_and_import_give_the_game_back(run: Any, data: Any, played: None) -> None:
    for name in ("first.tape.jsonl", "packed.tape.jsonl.gz"):
        assert f"written to {name}" in run("export", "first", "-o", name).output
        (loaded,) = data("import", name)
        strip = [
            {**e, "event": {k: v for k, v in e["event"].items() if k != "time"}} for e in data("log", loaded["id"])
        ]
        assert strip == [
            {**e, "event": {k: v for k, v in e["event"].items() if k != "time"}} for e in data("log", "first")
        ]
        run("act", loaded["id"], "roll")
    assert gzip.decompress(Path("packed.tape.jsonl.gz").read_bytes()) == Path("first.tape.jsonl").read_bytes()


def test_export_by_default_takes_the_games_name_and_a_hyphen_prints(run: Any, played: None) -> None:
    run("export")
    out = run("export", "first", "-o", "-").stdout
    assert out == Path("first.tape.jsonl").read_text()
    assert json.loads(out.splitlines()[0])
    assert "file is empty" in run("export", "-o", "", code=2).stderr
    assert "cannot be written" in run("export", "-o", "no/such/x.tape.jsonl", code=4).stderr


def test_export_for_a_seat_holds_no_secret_of_another(run: Any, data: Any) -> None:
    run("new", "hidden", "--name", "raid", "--seed", "s", "--seat", "raider=bot:random", "--seat", "warden=bot:random")
    run("simulate", "hidden", "-n", "1", "--seed", "s", "--record")
    for seat in ("raider", "warden"):
        run("export", "last", "--as", seat, "-o", f"{seat}.tape.jsonl")
        (report,) = data("audit", f"{seat}.tape.jsonl")
        assert report["ok"]
    assert "Its seats" in run("export", "last", "--as", "cat", code=2).stderr


def test_import_of_several_names_each_that_fails(run: Any, data: Any, played: None) -> None:
    run("export", "first", "-o", "good.tape.jsonl")
    Path("bad.tape.jsonl").write_text("{}")
    result = run("import", "bad.tape.jsonl", "good.tape.jsonl", "missing.tape.jsonl", code=1)
    assert "bad.tape.jsonl: " in result.stderr
    assert "missing.tape.jsonl: " in result.stderr
    assert "good.tape.jsonl is game " in result.stdout
    assert len(data("games")) == 2


def test_transcript_in_every_form(run: Any, played: None) -> None:
    text = run("transcript", "first").output
    assert "so far so good" in text
    assert run("transcript", "first", "--format", "md").output.startswith("#")
    run("transcript", "first", "-o", "story.html")
    assert "<html" in Path("story.html").read_text()
    assert run("transcript", "first@3").output != text
    assert run("transcript", "first", "--variations", "--as", "p1").output


def test_diff_names_the_first_event_that_differs(run: Any, data: Any, played: None) -> None:
    run("fork", "first@d2", "--name", "other")
    run("act", "other", "hold")
    assert "The first event that differs" in run("diff", "first", "other").output
    found = data("diff", "first", "other", "--exit-code", code=1)
    assert not found["same"]
    assert found["state"]
    assert data("diff", "first", "first", "--exit-code")["same"]
    assert not data("diff", "first@d1", "@d2")["same"]


def test_what_cannot_be_audited(run: Any, played: None) -> None:
    assert "no file" in run("audit", "none.tape.jsonl", code=2).stderr
    assert "without a position" in run("audit", "first@3", code=2).stderr
    assert "Did you mean 'first'?" in run("audit", "frist", code=2).stderr
    Path("empty").mkdir()
    assert "holds no log files" in run("audit", "empty", code=2).stderr
