"""audit: one log as a table, many in parallel with a summary by cause, and where rules have changed."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from warptape.cli import audits, main
from warptape.domain import rules as registry


@pytest.fixture
def pig(run: Any) -> None:
    """A game of Pig named `first` in which anything may be taken back."""
    run("new", "pig", "--name", "first", "--seed", "lucky", "--option", "goal=30", "--undo", "free")


@pytest.fixture
def folder(run: Any, pig: None) -> Path:
    """Seven log files: one changed, two cut short, one of another format, three sound."""
    run("act", "first", "roll")
    run("undo", "first")
    run("act", "first", "roll")
    made = Path("logs")
    made.mkdir()
    for number in range(7):
        run("export", "first", "-o", f"logs/{number}.tape.jsonl")
    text = Path("logs/0.tape.jsonl").read_text()
    Path("logs/1.tape.jsonl").write_text(text.replace('"sides":6', '"sides":7'))
    Path("logs/3.tape.jsonl").write_text(text[:1000])
    Path("logs/4.tape.jsonl").write_text(text[: text.rindex('{"sum"')])
    Path("logs/6.tape.jsonl").write_text(text.replace('"format":1', '"format":9', 1))
    return made


def test_a_table_says_what_was_checked(run: Any, data: Any, pig: None) -> None:
    run("act", "first", "roll")
    run("undo", "first", "--reason", "too bold")
    out = run("audit", "first").output
    for check, words in {
        "chain": "3 batches",
        "structure": "8 events",
        "secrets": "0 sealed values",
        "chance": "1 outcome; 1 follow from the key",
        "entered": "0 outcomes",
        "rules": "1 action",
        "takebacks": "1 take-back; 1 of what had been seen",
    }.items():
        assert re.search(rf"^  {check} +(ok|noted) +{re.escape(words)}$", out, re.MULTILINE), (check, out)
    assert "take-back: @7: undo by p1 to @3, 'too bold' took back 1 outcome already seen: @5 die/p1" in out
    (report,) = data("audit", "first")
    assert report["label"] == report["name"] == "first"
    assert report["takebacks"][0]["seen"][0]["position"] == 5
    assert {row["check"]: row["verdict"] for row in report["rows"]}["takebacks"] == "noted"


def test_what_was_entered_by_hand_is_listed(run: Any, data: Any, pig: None) -> None:
    run("new", "pig", "--name", "table", "--chance", "table")
    run("act", "table", "roll", "--rolled", "4")
    assert "by hand: @5 die/p1 4" in run("audit", "table").output
    (report,) = data("audit", "table")
    assert report["entered"] == [{"position": 5, "what": "die/p1 4"}]


def test_a_table_is_drawn_on_a_terminal(run: Any, pig: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audits, "is_terminal", lambda: True)
    monkeypatch.setattr(audits, "is_plain_ascii", lambda: False)
    out = run("audit", "first").output
    assert re.search(r"checked +result +count +of +detail", out)
    assert re.search(r"structure +ok +4 +events", out)
    assert "───" in out
    assert "Nothing wrong was found." in out


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_many_logs_are_summed_up_by_cause_and_the_bad_ones_named(run: Any, data: Any, folder: Path, jobs: str) -> None:
    result = run("audit", "logs", "--jobs", jobs, code=1)
    lines = result.output.splitlines()
    assert lines[-1] == "3 of 7 are sound; 2 file cut short, 2 file damaged."
    named = [line.strip() for line in lines[-5:-1]]
    assert [line.partition(":")[0] for line in named] == [
        "logs/1.tape.jsonl ('first')", "logs/3.tape.jsonl ('first')", "logs/4.tape.jsonl ('first')", "logs/6.tape.jsonl",
    ]  # fmt: skip
    assert "(line 8): the checksum does not fit" in named[0]
    assert "install warptape" in named[3]
    assert [line for line in lines if line.startswith("ok  logs/0")] == [
        "ok  logs/0.tape.jsonl: 'first', pig 1, 11 events"
    ]
    reports = data("audit", "logs", "--jobs", jobs, code=1)
    assert [report["label"] for report in reports] == [f"logs/{number}.tape.jsonl" for number in range(7)]
    assert [report["ok"] for report in reports] == [True, False, True, False, False, True, False]
    assert reports[3]["cause"] == "file cut short"


def test_the_order_and_the_words_do_not_depend_on_the_number_of_processes(run: Any, folder: Path, shelf: Path) -> None:
    assert len({run("audit", "logs", str(shelf), "--jobs", jobs, code=1).output for jobs in ("1", "2", "5")}) == 1


def test_a_store_is_audited_though_a_record_of_it_is_damaged(run: Any, data: Any, pig: None, shelf: Path) -> None:
    for name in ("second", "third"):
        run("new", "pig", "--name", name, "--seed", name)
        run("act", name, "roll")
    connection = sqlite3.connect(shelf)
    with connection:
        connection.execute("UPDATE warptape_games SET seats = '[]' WHERE name = 'second'")
        connection.execute(
            "UPDATE stored_events SET state = CAST(replace(CAST(state AS TEXT), 'PIG-1', 'PIG-9') AS BLOB)"
            " WHERE originator_version = 6 AND originator_id = (SELECT id FROM warptape_games WHERE name = 'third')"
        )
    connection.close()
    for jobs in ("1", "2"):
        out = run("audit", str(shelf), "--jobs", jobs, code=1).output
        assert "1 of 3 are sound; 1 chain broken, 1 could not be read." in out
        assert re.search(r"^  third: @\d", out, re.MULTILINE)
        assert re.search(r"^  second: The shelf's record of game \w+ is damaged", out, re.MULTILINE)
    errors = [report.get("error", "") for report in data("audit", str(shelf), code=1)]
    assert sum("is damaged" in error for error in errors) == 1


def test_quiet_names_only_what_is_wrong(run: Any, folder: Path) -> None:
    out = run("audit", "-q", "logs", code=1).output
    assert "ok  " not in [line[:4] for line in out.splitlines()]
    assert "3 of 7 are sound" in out
    for number in (1, 3, 4, 6):
        (folder / f"{number}.tape.jsonl").unlink()
    assert run("audit", "-q", "logs").output == ""
    assert run("audit", "logs").output.splitlines()[-1] == "All 3 are sound."


def test_where_todays_rules_decide_otherwise(
    run: Any, data: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By default a remark; asked for with --rules, every one of them, and an exit code for scripts."""
    today = registry.ruleset("pig")

    class Later(type(today)):  # type: ignore[misc]
        version = "2"

        def ask(self, state: Any, step: Any) -> Any:
            return None if state.turn_total else super().ask(state, step)

        def explain(self, state: Any, step: Any, action: Any) -> Any:
            return super().explain(state, step, action)

    run("act", "first", "roll")
    assert "ok" in run("audit", "--rules", "first").output
    monkeypatch.setitem(registry._loaded, "pig", Later())
    assert "recorded by version 1 of the rules, and 2 is here: 3 differ, the first @4" in run("audit", "first").output
    listed = run("audit", "--rules", "first", code=1).output
    assert listed.count("  differs: @") == 3
    assert "differs: @4 p1 roll: " in listed
    assert "not asked for" in run("audit", "--no-rules", "first").output
    (report,) = data("audit", "--rules", "first", code=1)
    assert report["ok"]
    assert [one["position"] for one in report["differences"]] == [4, 8, 11]
    assert run("audit", "--rules", "-q", "first", code=1).output.count("differs: @") == 3


@pytest.mark.skipif(os.name == "nt", reason="signals as on Unix")
def test_ctrl_c_ends_all_processes_and_says_how_far_it_was(run: Any, folder: Path, tmp_path: Path) -> None:
    text = (folder / "0.tape.jsonl").read_text()
    many = tmp_path / "many"
    many.mkdir()
    for number in range(4000):
        (many / f"{number:05}.tape.jsonl").write_text(text)
    found = tmp_path / "found.json"
    with found.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "warptape", "audit", "many", "--jobs", "2", "--json"],
            stdout=out, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        deadline = time.monotonic() + 60
        while not found.stat().st_size and time.monotonic() < deadline:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes of it
        _, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    done = re.search(r"Interrupted after (\d+) of 4000 logs", error)
    assert done is not None, error
    assert 0 < len(json.loads(found.read_text())) == int(done[1]) < 4000
    assert "Traceback" not in error
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_a_process_that_is_killed_is_reported(run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: Any, **__: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)

    parent = os.getpid()
    monkeypatch.setattr("warptape.replays.audits.audit_file", lambda *a, **k: os.getpid() != parent and killed())
    result = CliRunner().invoke(main, ["audit", "logs", "--jobs", "2"])
    assert result.exit_code != 0
    assert "ended from outside" in result.output


def test_a_folder_without_logs_does_not_hide_the_game_of_its_name(run: Any, pig: None) -> None:
    Path("first").mkdir()
    assert "chain" in run("audit", "first").stdout
    run("export", "first", "-o", "first/one.tape.jsonl")
    assert "first/one.tape.jsonl" in run("audit", "first", "--json").stdout
