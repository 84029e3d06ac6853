"""report, reproduce, shrink: three planted bugs found, reported, made small, kept as tests, and fixed.

A bug is planted in a copy of a ruleset, installed from a folder of its own: the world in which it lives, and the one in
which it is fixed, are two such folders.
"""

from __future__ import annotations

import gzip
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import warptape
from warptape.replays.reported import BugReport

RULESETS = Path(__file__).resolve().parent.parent / "rulesets"

MARINES = """
from warptape.domain.space_marine_adventures import RULESET as ORIGINAL
from warptape.domain.space_marine_adventures.actions import Move
from warptape.domain.rules import Decision, Refusal
import msgspec


class Copy(type(ORIGINAL)):
    id = "marines-copy"

    def _walled(self, action):
        return PLANTED and isinstance(action, Move) and action.to.startswith("V")

    def ask(self, state, step):
        found = super().ask(state, step)
        if found is None or not PLANTED:
            return found
        left = tuple(action for action in found.actions if not self._walled(action))
        return msgspec.structs.replace(found, actions=left)

    def explain(self, state, step, action):
        walled = self._walled(action) and action in super().ask(state, step).actions
        return Refusal("SMA-MOVE-2", f"{action.to} is walled up") if walled else super().explain(state, step, action)


RULESET = Copy()
"""

WALLED = """
import os, warptape
game = warptape.open(os.environ["WARPTAPE_STORE"]).game("last")
ask = type(game.ruleset).__base__.ask
for row in reversed(list(game.kinds({"ActionTaken"}))):
    state = game.state_at(row.position - 1)
    walled = [a for a in ask(game.ruleset, state, state.pending[-1]).actions if game.ruleset._walled(a)]
    if walled:
        print(row.position - 1, game.ruleset.notation(state, walled[0]))
        break
"""
"""Where the last Marine stood who was to be let through."""

Done = subprocess.CompletedProcess[str]
Invoke = Callable[..., Done]
Together = Callable[..., list[Done]]


def copied(name: str, source: str, edit: tuple[str, str] | None) -> str:
    """The source of a ruleset under another id, with or without an edit that must apply."""
    text = (RULESETS / source).read_text(encoding="utf-8").replace(f'id = "{source[:-3]}"', f'id = "{name}"')
    if edit is not None:
        assert text.count(edit[0]) == 1
        text = text.replace(*edit)
    return text


def world(folder: Path, name: str, text: str) -> dict[str, str]:
    """Installs a module with a ruleset into a folder; returns the environment of processes that see it."""
    module = name.replace("-", "_")
    info = folder / f"{module}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[warptape.rulesets]\n{name} = {module}:RULESET\n")
    (folder / f"{module}.py").write_text(text, encoding="utf-8")
    return {"PYTHONPATH": str(folder)}


def kept_as_a_test(folder: Path, environment: dict[str, str]) -> Done:
    """Runs the tests of a folder as somebody would who has only warptape and pytest."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder, folder],
        cwd=folder, env={**os.environ, **environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def from_report_to_fix(
    invoke: Together, file: str, tmp_path: Path, bad: dict[str, str], good: dict[str, str], soon: int
) -> None:
    """What all three bugs go through, once they are reported."""
    small = "small.report.tape.jsonl"
    first, shrunk, again, audit = invoke(
        ["reproduce", file, "--json"],
        ["shrink", file, "-o", small, "--json"],
        ["reproduce", small, "--as-test", "tests"],
        ["audit", small],
        **bad,
    )
    assert first.returncode == 1, first
    before = json.loads(first.stdout)
    assert before["found"]["verdict"] == "reproduced"
    assert shrunk.returncode == 0, shrunk
    size = json.loads(shrunk.stdout)
    assert size["before"] == before["found"]["decision"]
    assert size["after"] <= soon < size["before"], size
    assert again.returncode == 1, again
    assert "Reproduced at decision" in again.stdout
    assert "test_small.py is a test of it: it fails" in again.stdout
    assert audit.returncode == 0
    failed = kept_as_a_test(tmp_path / "tests", bad)
    assert failed.returncode == 1, failed.stdout
    assert "Reproduced at decision" in failed.stdout
    passed = kept_as_a_test(tmp_path / "tests", good)
    assert passed.returncode == 0, passed.stdout


def gone(found: Done) -> None:
    """That is what `reproduce` says of a report where the bug is fixed."""
    assert found.returncode == 0, found
    assert "Gone: " in found.stdout


def test_a_crash_of_the_rules_from_the_report_that_writes_itself_to_the_fix(process: Invoke, tmp_path: Path) -> None:
    """Each command is a process of its own."""
    plant = (
        '        elif card == "alarm":\n',
        '        elif card == "alarm":\n            raise KeyError(laid.place)\n',
    )
    bad = world(tmp_path / "bad", "raid-copy", copied("raid-copy", "hidden.py", plant))
    good = world(tmp_path / "good", "raid-copy", copied("raid-copy", "hidden.py", None))
    seats = ("--seat", "raider=bot:bold", "--seat", "warden=bot:random")
    for number in range(10):
        told = process("new", "raid-copy", "--seed", f"s{number}", "--option", "goal=50", *seats, **bad)
        if told.returncode:
            break
    assert told.returncode == 1
    assert "KeyError" in told.stderr
    assert "it has not acted" in told.stderr
    (file,) = (tmp_path / "data" / "warptape" / "reports").iterdir()
    assert str(file) in told.stderr
    assert "raise KeyError(laid.place)" in file.read_text()

    def one_by_one(*commands: list[str], **environment: str) -> list[Done]:
        return [process(*words, **environment) for words in commands]

    from_report_to_fix(one_by_one, str(file), tmp_path, bad, good, soon=9)
    gone(process("reproduce", "small.report.tape.jsonl", **good))
    assert process("reproduce", str(file), **good).returncode == 0


def test_a_wrong_refusal_from_the_report_to_the_fix(process: Invoke, together: Together, tmp_path: Path) -> None:
    bad = world(tmp_path / "bad", "marines-copy", f"PLANTED = True\n{MARINES}")
    good = world(tmp_path / "good", "marines-copy", f"PLANTED = False\n{MARINES}")
    assert process("new", "marines-copy", "--seed", "walled", "--seat", "team=bot:random", **bad).returncode == 0
    found = subprocess.run(
        [sys.executable, "-c", WALLED], env={**os.environ, **bad}, capture_output=True, text=True, check=True
    ).stdout.split(maxsplit=1)
    address, action = f"last@{found[0]}", found[1].strip()
    made = process("report", address, "--action", action, "-m", "there is no wall", "-o", "r.report.tape.jsonl", **bad)
    assert made.returncode == 0, made
    assert "is walled up" in made.stdout
    from_report_to_fix(together, "r.report.tape.jsonl", tmp_path, bad, good, soon=25)  # 11 of them set the game up
    fixed = process("reproduce", "small.report.tape.jsonl", **good)
    gone(fixed)
    assert "The reporter says: there is no wall" in fixed.stdout
    assert f"Gone: '{action}' at decision" in fixed.stdout


def test_a_wrong_event_from_the_report_to_the_fix(together: Together, tmp_path: Path) -> None:
    plant = ("yield PointsGathered(value, ", "yield PointsGathered(value + (value == 6), ")
    bad = world(tmp_path / "bad", "pig-copy", copied("pig-copy", "pig.py", plant))
    good = world(tmp_path / "good", "pig-copy", copied("pig-copy", "pig.py", None))
    seats = ("--seat", "p1=bot:sensible", "--seat", "p2=bot:sensible")
    new, log = together(["new", "pig-copy", "--seed", "seven", *seats], ["log", "last", "--json"], **bad)
    assert new.returncode == 0
    events = json.loads(log.stdout)
    wrong = [event["position"] for event in events if event["event"].get("points") == 7][-1]
    (made,) = together(["report", f"last@{wrong}", "-m", "7 points for a 6", "-o", "r.report.tape.jsonl"], **bad)
    assert made.returncode == 0, made
    from_report_to_fix(together, "r.report.tape.jsonl", tmp_path, bad, good, soon=3)
    # The same happened before, and is right there as well now.
    whole, small, fixed = together(
        ["reproduce", "r.report.tape.jsonl"],
        ["reproduce", "small.report.tape.jsonl", "--json"],
        ["reproduce", "small.report.tape.jsonl"],
        **good,
    )
    gone(fixed)
    first = next(event["position"] for event in events if event["event"].get("points") == 7)
    assert whole.returncode == 1
    assert f"Differs before the failure: the rules of today part from the log at @{first}." in whole.stdout
    told = json.loads(small.stdout)
    assert told["report"]["shrunk_from"] > 20
    assert '"points":6' in "".join(told["found"]["details"])


# One command at a time


def test_a_report_is_a_log_that_is_imported_audited_and_shown(run: Any, data: Any, pig: Any) -> None:
    run("act", "first", "roll", "roll")
    made = data("report", "first@d2", "-m", "so far")
    assert made["report"]["message"] == "so far"
    assert made["file"] == f"pig-{made['report']['position']}.report.tape.jsonl"
    assert run("audit", made["file"]).output.count("ok") >= 6
    loaded = data("import", made["file"])[0]
    assert loaded["length"] == made["report"]["position"] + 1
    assert run("show", "last").output
    run("report", "first", "-o", "r.report.tape.jsonl.gz")
    assert gzip.decompress(Path("r.report.tape.jsonl.gz").read_bytes()).startswith(b'{"sum":"')
    assert run("reproduce", "r.report.tape.jsonl.gz", code=1).output.startswith("Reproduced at decision 2")
    written = run("report", "first", "-o", "-").output
    Path("piped.report.tape.jsonl").write_text(written)
    run("reproduce", "piped.report.tape.jsonl", code=1)


def test_the_report_says_what_the_rules_make_of_an_action(run: Any, data: Any, pig: Any) -> None:
    made = data("report", "first", "--action", "hold", "-m", "I want to hold")["report"]
    assert made["failure"]["kind"] == "refused"
    assert made["failure"]["rule"] == "PIG-2"
    assert made["attempts"][0]["action"] == {"type": "hold"}
    made = data("report", "first", "--action", "roll")["report"]
    assert made["failure"]["kind"] == "accepted"
    assert made["attempts"][0]["outcomes"][0]["type"] == "DiceRolled"
    made = data("report", "first", "--action", "sing")["report"]
    assert (made["failure"]["type"], made["attempts"][0]["action"]) == ("BadNotation", None)
    made = data("report", "first", "--action", "roll", "--as", "p2")["report"]
    assert "for p1 to decide" in made["failure"]["message"]
    assert data("log", "first")[-1]["kind"] != "ActionTaken", "a report records nothing in the game"
    run("new", "pig", "--chance", "table", "--name", "real")
    assert "--rolled" not in run("report", "real", "--action", "roll", "--rolled", "4").output
    assert "What came out" in run("report", "real", "--action", "roll", code=2).stderr


def test_a_try_tells_nothing_of_what_is_to_come(data: Any, run: Any) -> None:
    """A report on an action that nobody took must not be a look at the next die, but where everything may be undone."""
    for policy, same in (("until-revealed", False), ("free", True)):
        name = f"game-{policy}"
        data("new", "pig", "--name", name, "--seed", "die", "--undo", policy, "--option", "goal=1000")
        told = []
        for number in range(12):
            made = data("report", name, "--action", "roll", "-o", f"{policy}-{number}.report.tape.jsonl")["report"]
            told.append(made["attempts"][0]["outcomes"][0]["values"])
        assert (len({str(values) for values in told}) == 1) is same
        rolled = next(e["event"]["values"] for e in data("act", name, "roll")["events"] if e["kind"] == "DiceRolled")
        assert not same or told[0] == rolled
        taken = data("report", f"{name}@d1", "--action", "roll", "-o", "taken.report.tape.jsonl")["report"]
        assert taken["attempts"][0]["outcomes"][0]["values"] == rolled, "what was rolled is known"


def test_usage(run: Any, pig: Any) -> None:
    assert "no game" in run("report", "nobody", code=2).stderr.lower()
    assert "no seat 'p9'" in run("report", "first", "--as", "p9", code=2).stderr
    assert "no file" in run("reproduce", "gone.report.tape.jsonl", code=1).stderr.lower()
    run("export", "first", "-o", "plain.tape.jsonl")
    for command in ("reproduce", "shrink"):
        assert "not a report" in run(command, "plain.tape.jsonl", code=1).stderr
    run("report", "first", "-o", "r.report.tape.jsonl")
    assert "predicate is empty" in run("shrink", "r.report.tape.jsonl", "--predicate", " ", code=2).stderr
    assert "must exit with 0" in run("shrink", "r.report.tape.jsonl", "--predicate", "exit 1 #", code=3).stderr
    damaged = Path("r.report.tape.jsonl").read_bytes().replace(b'"decisions":0', b'"decisions":1')
    Path("d.report.tape.jsonl").write_bytes(damaged)
    assert "checksum" in run("reproduce", "d.report.tape.jsonl", code=1).stderr


def test_a_predicate_says_what_the_failure_is(run: Any, data: Any, tmp_path: Path) -> None:
    """Any question to a smaller report: here that player 1 has held at all."""
    data("new", "pig", "--name", "g", "--seed", "held", "--seat", "p1=bot:sensible", "--seat", "p2=bot:sensible")
    run("report", "g", "-o", "r.report.tape.jsonl")
    check = tmp_path / "check me.py"
    check.write_text("import sys\nsys.exit('Banked' not in open(sys.argv[1]).read())\n")
    found = data("shrink", "r.report.tape.jsonl", "--predicate", f"'{sys.executable}' '{check}' {{}}")
    assert found["file"] == "r.small.report.tape.jsonl"
    assert found["before"] > 20
    assert found["after"] <= 3  # a roll, and a hold; perhaps a turn of the other before
    assert "Banked" in Path(found["file"]).read_text()
    run("audit", found["file"])
    plain = data("shrink", "r.report.tape.jsonl", "--predicate", f"'{sys.executable}' '{check}'", "-o", "again.jsonl")
    assert plain["after"] == found["after"]


def test_a_test_that_is_written_cannot_be_made_to_run_what_the_reporter_wrote(
    run: Any, pig: Any, tmp_path: Path
) -> None:
    evil = '"""\nraise SystemExit("run")\n"""\\'
    run("report", "first", "-m", evil, "-o", "Some Bug!.report.tape.jsonl")
    run("reproduce", "Some Bug!.report.tape.jsonl", "--as-test", "tests", code=1)
    text = (tmp_path / "tests" / "test_some_bug.py").read_text()
    space: dict[str, Any] = {"__file__": str(tmp_path / "tests" / "test_some_bug.py")}
    exec(compile(text, "test_some_bug.py", "exec"), space)
    with pytest.raises(AssertionError, match="Reproduced"):
        space["test_some_bug"]()


# Nothing personal

USER, HOST, PERSON = "distinctiveuser", "distinctivehost", "Anna Distinctive"


def test_a_report_names_no_person_no_machine_and_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from warptape.domain.rules import ruleset
    from warptape.replays import scrub

    home = tmp_path / USER
    home.mkdir()
    for name in ("USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(name, USER)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("HOSTNAME", HOST)
    monkeypatch.setenv("WARPTAPE_REPORTS", str(tmp_path / "reports"))
    monkeypatch.setattr(platform, "node", lambda: f"{HOST}.lan")
    scrub._machine.cache_clear()
    url = "postgresql://dbuser:secretpassword@dbhost/games"
    rules = type(ruleset("pig"))
    resolve = rules.resolve

    def failing(self: Any, state: Any, step: Any, action: Any) -> Any:
        yield from resolve(self, state, step, action)
        raise OSError(f"{home}/my games/x.db and /opt/elsewhere/y on {HOST} for {USER}, store {url}, C:\\Users\\x\\z")

    with warptape.open(home / "distinctivestore.db") as store:
        game = store.new("pig", seed="distinctiveseed", name="distinctivename", undo="free", person=PERSON)
        game.act("roll", person=PERSON, key="distinctivekey")
        game.note(f"{PERSON} was here", person=PERSON, tags=["distinctivetag"])
        game.undo(person=PERSON, reason="distinctivereason")
        game.act("roll", person=PERSON)
        files = [
            game.report(tmp_path / "position.report.tape.jsonl"),
            game.report(tmp_path / "action.report.tape.jsonl", action="hold"),
        ]
        with monkeypatch.context() as patch:
            patch.setattr(rules, "resolve", failing)
            with pytest.raises(warptape.RulesetCrash) as failed:
                game.act("roll", person=PERSON, key="distinctivekey2")
        files.append(Path(failed.value.report))
        for file in files:
            assert warptape.reproduce(file).position == game.tip
            assert store.load(file).audit().ok
    words = [
        USER, HOST, "distinctive", "anna", "password", "dbuser", "dbhost", "my games", "elsewhere", "users", str(tmp_path),
        str(Path(warptape.__file__).parent), "site-packages", sys.prefix,
    ]  # fmt: skip
    for file in files:
        text = file.read_text().lower()
        assert [word for word in words if word.lower() in text] == []
    report: BugReport = warptape.read_report(files[2])
    assert report.left_out == ("key", "person", "reason", "tags", "text")
    assert report.failure.message == "(path) and (path) on (host) for (user), store (url), (path)"
    scrub._machine.cache_clear()


def test_without_anything_personal_the_chain_is_the_one_of_the_game(run: Any, data: Any, pig: Any) -> None:
    run("act", "first", "roll")
    data("report", "first", "-o", "r.report.tape.jsonl")
    run("export", "first", "-o", "g.tape.jsonl")
    one, other = (Path(name).read_bytes().splitlines() for name in ("r.report.tape.jsonl", "g.tape.jsonl"))
    assert one[1:-1] == other[1:-1]
    assert warptape.read_report("r.report.tape.jsonl").left_out == ()
