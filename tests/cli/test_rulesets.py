"""Every command once on a game of every ruleset that ships, with its secrets, its bots and results entered by people."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import warptape
from warptape.cli.group import COMMANDS
from warptape.domain.errors import NeedsOutcome
from warptape.domain.rules import installed, ruleset

SHIPPED = [name for name, point in installed().items() if point.value.startswith("warptape.")]
ALL = pytest.mark.parametrize("rules", SHIPPED)


class Used:
    """Runs commands and remembers which."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.names: set[str] = set()

    def __call__(self, *words: str, code: int | None = 0, **how: Any) -> str:
        self.names.add(words[0])
        output: str = self.run(*words, code=code, **how).output
        return output


@ALL
def test_every_command_works_on_a_game_of_it(run: Any, rules: str, tmp_path: Path) -> None:
    use = Used(run)
    seats = [seat.id for seat in ruleset(rules).seats(ruleset(rules).options())]
    assert rules in use("rulesets")
    use("demo", rules)
    use("content", "new", "own", "--ruleset", rules)
    assert rules in use("content", "check", "own")
    assert "'one'" in use("new", rules, "--name", "one", "--seed", "all", "--undo", "free")
    for line in beginning(rules):
        use("act", "one", line)
    for number in range(14):
        found = json.loads(use("legal", "one", "--json"))
        first = found["actions"][number % len(found["actions"])]
        assert first["notation"] in use("legal", "one", first["verb"])
        use("act", "one", first["notation"], "--as", found["seat"], "--key", f"k{number}")
    assert "Traceback" not in use("why", "one", "end", code=None)
    length = json.loads(use("legal", "one", "--json"))["length"]
    use("undo", "one")
    use("redo", "one")
    use("undo", "one", "--reroll")
    use("rewind", "one@d3")
    use("note", "one@d2", "a note")
    assert "a note" in use("notes", "one")
    assert "*" in use("lines", "one")
    use("fork", "one@d2", "--name", "two", "--json")
    use("act", "two", json.loads(use("legal", "two", "--json"))["actions"][0]["notation"])
    use("diff", "one", "two")
    assert "one" in use("games")
    for seat in (None, *seats):
        sees = ("--as", seat) if seat else ()
        for form in ("text", "svg", "html", "json"):
            assert use("show", "one", *sees, "--format", form)
        assert use("log", "one@d2", *sees, "--all")
        assert use("replay", "one", *sees, "--plain", "--boards")
        assert use("transcript", "one", *sees, "--format", "md", "--variations")
        assert use("lines", "one", *sees)
        use("diff", "one@d1", "@end", *sees)
        file = tmp_path / f"{seat}.tape.jsonl"
        use("export", "one", *sees, "-o", str(file))
        assert "Nothing wrong was found." in use("audit", str(file))
        assert "events" in use("import", str(file))
        assert "Nothing wrong was found." in use("audit", "last")
        report = tmp_path / f"{seat}.report.tape.jsonl"
        use("report", "one", *sees, "-m", "is this right?", "-o", str(report))
        assert "Traceback" not in use("reproduce", str(report), code=None)
        use("shrink", str(report), "-o", str(tmp_path / f"{seat}.small.tape.jsonl"), code=None)
    use("play", "one", stdin="show\nlegal\nlog 3\nundo\nhelp\nquit\n")
    for seat in seats:
        use("play", "one", "--as", seat, stdin="show\n\nquit\n")
    assert length > 14
    use("archive", "build", "all.db")
    use("stats", "all.db", "--only", "dice,length")
    use("page", "one", "--as", "all", "-o", "one.html")
    use(
        "analyse",
        "one",
        "--as",
        "all",
        "--playouts",
        "1",
        "--points",
        "1",
        "--close",
        "0",
        "--minutes",
        "0.02",
        code=None,
    )
    use("rename", "two", "other")
    use("delete", "other", "--yes")
    assert "3 games" in use("simulate", rules, "-n", "3", "--jobs", "1", "--seed", "s", *bots(seats, "random"))
    use("new", rules, "--name", "asks", "--undo", "consent")
    use("act", "asks", json.loads(use("legal", "asks", "--json"))["actions"][0]["notation"])
    asker = json.loads(use("log", "asks", "--json", "-n", "40"))
    acted = [event["event"]["seat"] for event in asker if event["kind"] == "ActionTaken"][-1]
    use("consent", "asks", "no", code=None)
    assert acted in seats
    assert "Nothing wrong was found." in use("doctor", "--archive", "all.db")
    use("backup", "copy.db")
    assert "are in" in use("restore", "copy.db", "--store", "again.db")
    assert use("invite", "one", "--spectator")
    assert use("tokens", "one")
    use("profiles")
    # Of a server there is none here: tests/service and tests/remote use `serve` and `join`.
    assert use.names | {"serve", "join"} == {*COMMANDS}, "a command is left out, or one is used that is none"


def beginning(rules: str) -> tuple[str, ...]:
    """The lines with which a game is set up, where its demonstration has some."""
    demo = ruleset(rules).demo
    return demo.lines if demo else ()


def bots(seats: list[str], name: str) -> list[str]:
    return [word for seat in seats for word in ("--seat", f"{seat}={name}")]


@ALL
def test_bots_of_it_play_whole_games_that_are_kept_and_pass_the_audit(run: Any, data: Any, rules: str) -> None:
    seats = [seat.id for seat in ruleset(rules).seats(ruleset(rules).options())]
    found = data("simulate", rules, "-n", "2", "--jobs", "1", "--seed", "league", "--record", *bots(seats, "random"))
    assert found["games"] == 2
    assert not found["failures"]
    kept = data("games")
    assert len(kept) == 2
    assert all(game["outcome"] for game in kept)
    for game in kept:
        (report,) = data("audit", game["id"])
        assert report["ok"], report
        for seat in seats:  # the game is over and its secret out: every seat's log says so
            assert "secret of chance is revealed" in run("log", game["id"], "--as", seat, "-n", "3").output


@ALL
def test_a_game_of_it_is_played_with_real_dice_and_counters(run: Any, data: Any, rules: str) -> None:
    """At a table each result is asked for, one after another; what cannot be is refused, and the log passes the audit."""
    entered: list[str] = []
    while True:  # the set-up may need results
        words = ["new", rules, "--chance", "table", "--name", "table"]
        done = run(*words, *(["--rolled", ",".join(entered)] if entered else []), code=None)
        if done.exit_code == 0:
            break
        entered.append(possible(done.output, rules, entered))
    asked = 0
    for number in range(25):
        found = data("legal", "table")
        if found["outcome"]:
            break
        lines = beginning(rules)
        action = (
            lines[number] if number < len(lines) else found["actions"][(number * 7) % len(found["actions"])]["notation"]
        )
        rolled: list[str] = []
        while True:
            done = run("act", "table", action, *(["--rolled", ",".join(rolled)] if rolled else []), code=None)
            if done.exit_code == 0:
                break
            rolled.append(possible(done.output, rules, rolled, action))
        asked += len(rolled)
    assert asked + len(entered) > 0
    (report,) = data("audit", "table")
    assert report["ok"]
    assert any("by hand" in row["detail"] for row in report["rows"])


def possible(output: str, rules: str, rolled: Sequence[str], action: str = "") -> str:
    """A result that the message offers, or that the game does where the message is not for everybody.

    Not always the first: equal dice may be rolled again.
    """
    if "One of: " in output:
        found = [word.strip() for word in output.partition("One of: ")[2].partition(".")[0].split(",")]
    else:
        assert "alone to see" in output, output
        with warptape.open(os.environ["WARPTAPE_STORE"]) as store:
            ask = partial(store.game("table").act, action) if action else partial(store.new, rules, chance="table")
            with pytest.raises(NeedsOutcome) as caught:
                ask(outcomes=rolled)
        found = list(map(str, caught.value.possible))
    return found[len(rolled) % len(found)]
