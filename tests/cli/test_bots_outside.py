"""--seat SEAT=exec:COMMAND: programs that play, however they behave; and that nothing else is ever started."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from warptape.replays.outside.questions import hello

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")

OWN = tempfile.TemporaryDirectory(prefix="warptape-odd-")
"""Each process of the tests has a copy of the program, so that none looks for what another one started."""
ODD = Path(shutil.copy(Path(__file__).with_name("odd_bot.py"), OWN.name))
GREEDY = f"exec:{Path(__file__).parents[2]}/docs/examples/bots/greedy.py"
Run = Callable[..., Any]


def odd(mode: str, *words: str) -> str:
    return "exec:" + " ".join([sys.executable, str(ODD), mode, *words])


def left_running() -> list[str]:
    """The command lines of all programs of these tests that are still there, guardians among them."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            line = file.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            if str(ODD) in line and "-m warptape" not in line:
                found.append(line)
    return found


def gone(patience: float = 10) -> bool:
    end = time.monotonic() + patience
    while left_running() and time.monotonic() < end:
        time.sleep(0.05)
    return not left_running()


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """After each test no program is there any more."""
    yield
    assert gone(), left_running()


def game(data: Run, mode: str, *words: str, **options: str) -> dict[str, Any]:
    """A game of pig between a person, who begins, and a program."""
    found: dict[str, Any] = data(
        "new", "pig", "--name", "first", "--seed", "lucky", "--option", "goal=30", "--seat", f"p2={odd(mode, *words)}"
    )
    return found


def length(data: Run) -> int:
    """Events of the game that was changed last."""
    return int(data("games")[0]["length"])


def test_a_program_plays_its_seat(data: Run, run: Run, tmp_path: Path) -> None:
    game(data, "remembers", str(tmp_path / "told"))
    done = data("act", "first", "roll", "hold")
    assert done["seat"] is None or done["seat"] == "p1"
    heads = [one["event"] for one in done["events"] if one["kind"] == "ActionTaken"]
    assert {head["person"] for head in heads if head["seat"] == "p2"} == {"exec:odd_bot.py"}
    messages = [json.loads(line) for line in (tmp_path / "told").read_text().splitlines()]
    assert [message["type"] for message in messages[:2]] == ["hello", "ask"]
    assert messages[0]["seat"] == {"id": "p2", "name": "Player 2"}
    first = messages[1]
    assert [choice["notation"] for choice in first["actions"]] == ["roll"]
    assert 9_000 < first["clock"]["answer"] <= 20_000
    assert "bye" in messages[-1]["type"]
    told = [one["position"] for message in messages if message["type"] == "ask" for one in message["since"]]
    assert told == sorted(set(told)), "everything is told once"
    assert run("audit", "first").exit_code == 0


def test_what_it_is_called_by_and_nothing_else_is_recorded(data: Run, run: Run, tmp_path: Path, shelf: Path) -> None:
    secret = tmp_path / "a-private-folder"
    secret.mkdir()
    bot = shutil.copy(ODD, secret / "my bot.py")
    data(
        "new",
        "pig",
        "--name",
        "first",
        "--seed",
        "lucky",
        "--seat",
        f"p2=exec:{sys.executable} '{bot}' serves --token=hush",
    )
    data("act", "first", "roll", "hold")
    run("export", "first", "-o", "first.tape.jsonl", "--with-secret")
    text = Path("first.tape.jsonl").read_text()
    assert '"exec:my-bot.py"' in text
    for hidden in ("a-private-folder", "hush", sys.executable):
        assert hidden not in text
        assert hidden.encode() not in shelf.read_bytes(), "another who opens the store has no command"
    assert str(tmp_path) not in text


def test_a_report_calls_no_program_by_its_name(data: Run, run: Run) -> None:
    game(data, "serves")
    data("act", "first", "roll", "hold")
    run("report", "first", "-m", "odd", "-o", "odd.report.tape.jsonl")
    text = Path("odd.report.tape.jsonl").read_text()
    assert '"exec:program"' in text
    assert "odd_bot" not in text
    run("reproduce", "odd.report.tape.jsonl", code=None)
    assert run("audit", "odd.report.tape.jsonl").exit_code == 0


TROUBLES = {
    "dies": "has ended (exit code 3), also when it was started again; it has not acted. Its last words: 'was found'",
    "is_silent": "has not answered within",
    "stays": "has not answered within",
    "raves": "gave 3 answers that cannot be taken (the last: that is no answer",
    "floods": "bytes in one line",
    "babbles": "gave 3 answers that cannot be taken",
    "shuts_up": "has closed its standard output",
    "cheats": "gave 3 answers that cannot be taken",
}


@pytest.mark.parametrize("mode", TROUBLES)
def test_a_program_that_fails_has_not_acted_and_the_game_goes_on(
    data: Run, run: Run, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warptape.replays.outside.players.START", 0.5)
    game(data, mode)
    before = length(data)
    error = run("act", "first", "roll", "hold", "--bot-time", "0.5", code=4).stderr
    assert "The action is recorded, but there is no answer to it." in error
    assert "The program 'odd_bot.py' at the seat p2 " in error
    assert TROUBLES[mode] in error
    assert "--seat p2=exec:'COMMAND'" in error
    assert "\x1b" not in error
    assert left_running() == []
    after = length(data)
    assert after > before, "the person's own action"
    assert run("audit", "first").exit_code == 0
    assert data("show", "first", "--format", "json") is not None
    done = data("act", "first", "roll", "--seat", "p2=human")
    assert done["events"][0]["event"]["seat"] == "p2", "a person may play the seat"
    assert done["events"][0]["event"].get("person", "") == ""


def test_nobody_waits_for_one_that_reads_nothing(data: Run, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def much(table: Any, seat: str) -> Any:
        return msgspec.structs.replace(hello(table, seat), options={"much": "x" * 400_000})

    monkeypatch.setattr("warptape.replays.outside.players.START", 0.2)
    monkeypatch.setattr("warptape.replays.outside.players.hello", much)
    game(data, "stays")
    error = run("act", "first", "roll", "hold", "--bot-time", "0.5", code=4).stderr
    assert "does not read what it is asked within 0.7 s" in error


@pytest.mark.parametrize("mode", ["hesitates", "is_late", "complains", "serves"])
def test_what_is_forgiven(data: Run, run: Run, mode: str) -> None:
    game(data, mode)
    assert data("act", "first", "roll", "hold")["seat"] in ("p1", None)
    assert run("audit", "first").exit_code == 0


def test_one_that_dies_is_started_again(data: Run, tmp_path: Path) -> None:
    game(data, "dies_at_first", str(tmp_path / "died"))
    assert data("act", "first", "roll", "hold")["seat"] in ("p1", None)


def test_all_it_has_started_ends_with_it(data: Run, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warptape.replays.outside.players.START", 0.5)
    game(data, "has_children", str(tmp_path / "started"))
    run("act", "first", "roll", "hold", "--bot-time", "1", code=4)
    assert (tmp_path / "started").exists()
    assert left_running() == []


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGINT"])
def test_nothing_outlives_warptape(data: Run, run: Run, tmp_path: Path, name: str) -> None:
    game(data, "has_children", str(tmp_path / "started"))
    words = [sys.executable, "-m", "warptape", "act", "first", "roll", "hold", "--bot-time", "60"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        end = time.monotonic() + 30
        while not (tmp_path / "started").exists() and time.monotonic() < end:
            time.sleep(0.05)
        running = left_running()
        process.send_signal(getattr(signal, name))
        try:
            assert process.wait(30) != 0
        finally:
            process.kill()
    assert len(running) >= 4, "a guardian, the program and its children"
    assert gone(), left_running()
    assert run("audit", "first").exit_code == 0
    assert data("legal", "first")["seat"] == "p2", "the person's action stands, and the program's is due"


def test_a_limit_for_the_whole_game(data: Run, run: Run) -> None:
    error = run("simulate", "pig", "-n", "1", "--seat", f"p1={odd('serves')}", "--bot-time", "10/0.0001", code=1).stderr
    assert "p1" in error
    assert "0.0001 s" in error


# Nothing is started but what this user has typed


def evil(tmp_path: Path) -> tuple[str, Path]:
    """A holder that would leave a file behind if anybody ran it, and the file."""
    mark = tmp_path / "was-run"
    script = tmp_path / "evil"
    script.write_text(f"#!/bin/sh\ntouch {mark}\n")
    script.chmod(0o755)
    return f"exec:{script}", mark


def test_a_hostile_log_starts_nothing(
    data: Run, run: Run, tmp_path: Path, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holder, mark = evil(tmp_path)
    with monkeypatch.context() as forged:  # a log written by somebody who does not check names
        forged.setattr("warptape.replays.library.seat_holders", lambda *_: {"p1": "human", "p2": holder})
        data("new", "pig", "--name", "bad", "--seed", "lucky")
    run("export", "bad", "-o", "bad.tape.jsonl")
    assert holder in Path("bad.tape.jsonl").read_text()
    run("act", "bad", "roll", "hold")  # their store itself, opened here
    assert "that plays p2 is not here" in run("play", "bad", stdin="quit\n").output
    run("import", "bad.tape.jsonl")
    assert data("games")[0]["seats"] == {"p1": "human", "p2": "human"}
    run("rename", "last", "mine")
    run("play", "mine", stdin="roll\nquit\n")
    run("fork", "bad@start", "--name", "forked")
    run("act", "forked", "roll", "hold")
    assert data("legal", "forked")["seat"] == "p2"
    run("undo", "forked")
    for words in (("show", "bad"), ("log", "bad"), ("audit", "bad"), ("transcript", "bad"), ("replay", "bad")):
        run(*words)
    assert not mark.exists()


def test_a_games_own_name_of_a_holder_is_no_command(run: Run, tmp_path: Path) -> None:
    import warptape

    holder, mark = evil(tmp_path)
    with warptape.open("other.db") as store:
        with pytest.raises(warptape.OptionError, match="no name of a program"):
            store.new("pig", seats={"p1": holder})
        table = store.new("pig", seed="lucky", seats={"p2": "exec:sh"})
        table.act("roll")
        table.act("hold")
        assert table.decision is not None
        assert table.decision.seat == "p2", "the Python surface starts no programs"
    assert not mark.exists()


def test_another_user_of_a_store_is_told_what_to_do(
    data: Run, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game(data, "serves")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "another user"))
    out = run("act", "first", "roll", "hold").output
    assert "The program 'odd_bot.py' that plays p2 is not here" in out
    assert "--seat p2=exec:" in out
    run("play", "first", stdin="quit\n", code=0)
    assert data("legal", "first")["seat"] == "p2"
    out = run("play", "first", "--seat", f"p2={odd('serves')}", stdin="quit\n").output
    assert "is not here" not in out
    assert data("legal", "first")["seat"] in ("p1", None)
    assert "odd_bot" in "".join(file.read_text() for file in (tmp_path / "another user").rglob("*.json")), "kept"


def test_commands_that_others_may_write_are_not_run(data: Run, run: Run, tmp_path: Path) -> None:
    made = game(data, "serves")
    (file,) = (tmp_path / "data").rglob(f"{made['id']}.json")
    assert file.stat().st_mode & 0o077 == 0
    file.chmod(0o666)
    assert "is not here" in run("act", "first", "roll", "hold").output


def test_forks_inherit_programs_and_deleting_forgets_them(data: Run, run: Run, tmp_path: Path) -> None:
    made = game(data, "serves")
    fork = data("fork", "first", "--name", "again")
    assert data("act", "again", "roll", "hold")["seat"] in ("p1", None)
    kept = {file.stem for file in (tmp_path / "data").rglob("bots/*.json")}
    assert kept == {made["id"], fork["id"]}
    taken = data("fork", "first", "--name", "by hand", "--seat", "p2=human")
    data("act", "by hand", "roll", "hold")
    assert data("legal", "by hand")["seat"] == "p2"
    run("delete", "first", "--with-forks", "--yes")
    assert not list((tmp_path / "data").rglob("bots/*.json"))
    assert taken["id"] not in kept


# Words


@pytest.mark.parametrize(
    ("holder", "sentence"),
    [
        ("exec:", "is empty"),
        ("exec:./nobody", "There is no program './nobody'"),
        ("exec:surely-no-such-program", "There is no program"),
        ("exec:'", "cannot be read"),
        ("exec:./data.txt", "cannot be run"),
        ("robot", "by 'human' or by 'bot:NAME'"),
    ],
)
def test_commands_that_cannot_be(run: Run, holder: str, sentence: str) -> None:
    Path("data.txt").write_text("x")
    assert sentence in run("new", "pig", "--seat", f"p1={holder}", code=2).stderr


@pytest.mark.parametrize("time", ["0", "x", "1/2/3", "-1", "nan", "1e9"])
def test_times_that_cannot_be(run: Run, time: str) -> None:
    assert "no time for bots" in run("new", "pig", "--bot-time", time, code=2).stderr


def test_seats_that_cannot_be_given_away(data: Run, run: Run) -> None:
    data("new", "pig", "--name", "first", "--seat", "p2=bot:random")
    assert (
        "bot:random holds the seat p2"
        in run("act", "first", "roll", "hold", "--seat", f"p2={odd('serves')}", code=2).stderr
    )
    assert "settled when a game begins" in run("act", "first", "roll", "hold", "--seat", "p1=bot:random", code=2).stderr
    assert "no seat 'p9'" in run("act", "first", "roll", "hold", "--seat", f"p9={odd('serves')}", code=2).stderr
    assert "At a table" in run("new", "pig", "--chance", "table", "--seat", f"p1={odd('serves')}", code=2).stderr
    assert "and it is a person" in run("act", "first", "roll", "hold", "--by", "exec:x", code=2).stderr


def test_an_undo_takes_back_the_programs_answers(data: Run, run: Run) -> None:
    game(data, "serves")
    before = data("act", "first", "roll")["position"]
    data("act", "first", "hold")
    assert data("undo", "first")["position"] == before


# Many games, and the prompt


def test_simulated_games_are_the_same_whatever_the_jobs(data: Run, run: Run) -> None:
    words = ["simulate", "pig", "-n", "4", "--seed", "a", "--option", "goal=8", "--seat", f"p1={GREEDY}"]
    one, two, kept = data(*words, "--jobs", "1"), data(*words, "--jobs", "2"), data(*words, "--record")
    for name in ("outcomes", "wins", "mean", "figures", "failures"):
        assert one[name] == two[name] == kept[name]
    assert one["seats"] == {"p1": "exec:greedy.py", "p2": "sensible"}
    assert one["games"] == 4
    games = data("games")
    assert all(report["ok"] for report in data("audit", *[each["id"] for each in games]))


def test_a_game_that_a_program_gives_up_is_named_and_the_others_go_on(run: Run, tmp_path: Path) -> None:
    done = run("simulate", "pig", "-n", "2", "--seed", "a", "--seat", f"p2={odd('cheats')}", "--jobs", "1", code=1)
    assert done.stderr.count("at the seat p2 gave 3 answers") == 2


def test_two_programs_play_by_themselves(data: Run, run: Run) -> None:
    made = data("new", "pig", "--option", "goal=9", "--seat", f"p1={GREEDY}", "--seat", f"p2={GREEDY}", "--seed", "a")
    assert made["outcome"] is not None
    assert "exec:greedy.py" in run("transcript", "last").output


def test_at_the_prompt_a_program_that_fails_leaves_its_seat_to_the_player(data: Run, run: Run) -> None:
    game(data, "dies")
    out = run("play", "first", stdin="roll\nhold\nroll\nquit\n").output
    assert "there is no answer to it" in out
    assert "is not here" in out
    assert data("log", "first", "--json") is not None
    assert data("undo", "first")["seat"] == "p2", "that was the person's own action"


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="this system has no pseudo-terminals")
def test_ctrl_c_while_a_program_thinks(data: Run, terminals: Any) -> None:
    game(data, "is_silent")
    terminal = terminals("play", "first", "--bot-time", "60")
    terminal.until("p1>")
    terminal.type("roll\r")
    terminal.until("p1>")
    terminal.type("hold\r")
    end = time.monotonic() + 20
    while not left_running() and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.5)
    terminal.type("\x03")
    terminal.until("Nothing of this line was done")
    assert gone()
    terminal.type("quit\r")
    assert terminal.ended() == 0
    assert data("legal", "first")["seat"] == "p2"


def test_what_is_said_can_be_logged(data: Run, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game(data, "complains")
    monkeypatch.setenv("WARPTAPE_BOT_LOG", str(tmp_path / "bots.log"))
    data("act", "first", "roll", "hold")
    signs = {line.split(" ", 2)[1] for line in (tmp_path / "bots.log").read_text().splitlines()}
    assert signs == {">", "<", "!"}
