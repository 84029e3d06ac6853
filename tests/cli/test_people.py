"""Who did it: --by on every command that records something, and people who share a seat by name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

OPTION = "players=MAX=Distinctive Anna,ADR=Distinctive Anna,RAP=Distinctive Ben"
SETUP = ("board 1-up", "enter A", "squad MAX ADR RAP VOR", "deploy RAP=V1 MAX=V2 ADR=V3 VOR=V4")


def heads(data: Any, game: str) -> list[tuple[str, str]]:
    """Kind and person of every head since the opening."""
    found = [event["event"] for event in data("log", game)]
    return [(event["type"], event.get("person", "")) for event in found[1:] if "seat" in event or "time" in event]


def test_by_names_who_does_it_on_every_command_that_records(run: Any, data: Any) -> None:
    run("new", "pig", "--name", "x", "--seed", "s", "--undo", "free")
    run("act", "x", "roll", "roll", "--by", "Anna")
    run("undo", "x", "--by", "Ben")
    run("redo", "x", "--by", " Cleo ")
    run("rewind", "x@d1", "--by", "Dora")
    run("note", "x", "well", "--by", "Anna")
    note = data("notes", "x")[0]["position"]
    run("note", f"x@{note}", "--remove", "--by", "Ben")
    run("play", "x", "--by", "Eve", stdin="roll\nundo\nredo\nnote mine\n")
    assert heads(data, "x") == [
        ("ActionTaken", "Anna"), ("ActionTaken", "Anna"), ("Rewound", "Ben"), ("Rewound", "Cleo"), ("Rewound", "Dora"),
        ("NoteAdded", "Anna"), ("NoteRemoved", "Ben"), ("ActionTaken", "Eve"), ("Rewound", "Eve"), ("Rewound", "Eve"),
        ("NoteAdded", "Eve"),
    ]  # fmt: skip


def test_by_names_who_asks_and_who_agrees(run: Any, data: Any) -> None:
    run("new", "pig", "--name", "x", "--seed", "s", "--undo", "consent")
    run("act", "x", "roll")
    run("undo", "x", "--by", "Anna")
    run("consent", "x", "yes", "--by", "Ben")
    people = heads(data, "x")[1:]
    assert people[0] == ("UndoAsked", "Anna")
    assert people[1:] == [("UndoAnswered", "Ben"), ("Rewound", "Anna")]  # it is what she asked for


@pytest.mark.parametrize("name", [" ", "bot:sensible", "a\tb", "x" * 81])
def test_what_is_no_name_is_refused(run: Any, pig: Any, data: Any, name: str) -> None:
    run("act", "first", "roll", "--by", name, code=2)
    assert heads(data, "first") == []


@pytest.fixture
def team(run: Any) -> str:
    """A game of three people, one of whose Marines is everybody's."""
    run("new", "space-marine-adventures", "--name", "hulk", "--seed", "ancient", "--option", OPTION)
    run("act", "hulk", *SETUP)
    return "hulk"


def test_the_prompt_says_whose_action_it_is(run: Any, data: Any, team: str) -> None:
    out = run("play", team, stdin="1\n" * 30).output
    assert re.search(r"^@\d+  Distinctive (Anna|Ben) \(team\) to decide: ", out, re.MULTILINE)
    assert re.search(r"^Distinctive (Anna|Ben)> ", out, re.MULTILINE)
    assert "\nteam> 1\n" in out
    told = [event["text"] for event in data("log", team) if event["kind"] == "ActionTaken"]
    assert any(text.startswith("Distinctive ") for text in told)
    assert "team: next" in told


def test_giving_out_cards_is_a_joint_choice(run: Any, data: Any, team: str) -> None:
    assert "Distinctive" not in run("legal", team).output
    assert data("legal", team)["people"] == []


def test_a_report_does_not_name_who_shares_a_seat(run: Any, team: str, tmp_path: Path) -> None:
    run("play", team, "--by", "Distinctive Eve", stdin="1\n" * 30)
    for number, more in enumerate(([], ["--action", "next"], ["--action", "board 1-up"])):
        file = tmp_path / f"{number}.report.tape.jsonl"
        run("report", team, *more, "-o", str(file))
        assert "distinctive" not in file.read_text().lower()
        assert "Reproduced" in run("reproduce", str(file), code=1).output
