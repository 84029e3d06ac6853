"""stats: of the store in use, of an archive, of a game, of files; as text, JSON, CSV and pictures."""

from __future__ import annotations

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Run = Callable[..., Result]
LOGS = Path(__file__).parent.parent / "logs"
DOOM = LOGS / "doom-of-the-eldar-tyranid-format-1.tape.jsonl"


@pytest.fixture
def many(run: Run) -> None:
    """Twelve games of Pig and two adventures on the shelf."""
    run("simulate", "pig", "-n", "12", "--seed", "many", "--record", "--jobs", "1", "--option", "goal=30")
    run("simulate", "space-marine-adventures", "-n", "2", "--seed", "two", "--record", "--jobs", "1")


@pytest.mark.usefixtures("many")
def test_without_an_argument_it_is_the_store_in_use(run: Run, data: Callable[..., Any]) -> None:
    text = run("stats", "--jobs", "1").stdout
    assert "pig: 12 games\nspace-marine-adventures: 2 games\n" in text
    for title in ("Dice", "Outcomes of pig", "Length of space-marine-adventures", "Losses of space-marine-adventures"):
        assert f"\n{title}\n" in text
    assert "… and " in text
    found = data("stats", "--jobs", "1")
    assert {"games", "dice", "outcomes", "length", "losses", "cards", "weapons", "units", "heat"} <= found.keys()
    whole = run("stats", "--rows", "0", "--jobs", "1").stdout
    assert "… and " not in whole
    assert whole.count("\n") > text.count("\n")


@pytest.mark.usefixtures("many")
def test_an_archive_says_what_its_store_says(run: Run, data: Callable[..., Any], tmp_path: Path) -> None:
    run("archive", "build", "made.db", "--jobs", "1")
    before = (tmp_path / "made.db").read_bytes()
    assert data("stats", "made.db") == data("stats", "--jobs", "1")
    assert (tmp_path / "made.db").read_bytes() == before
    chosen = data("stats", "made.db", "--ruleset", "pig", "--only", "outcomes, length")
    assert chosen.keys() == {"games", "names", "outcomes", "length"}
    assert [(one["ruleset"], one["games"]) for one in chosen["games"]] == [("pig", 12)]
    assert data("stats", "made.db", "--option", "goal=30", "--only", "dice")["games"][0]["games"] == 12
    assert data("stats", "made.db", "--seat", "team=bot:sensible", "--only", "dice")["games"][0]["games"] == 2
    refused = run("stats", "made.db", "--option", "goal=31", code=2)
    assert "no such game to count" in refused.stderr


@pytest.mark.usefixtures("many")
def test_one_game_and_one_moment_of_it(run: Run, data: Callable[..., Any]) -> None:
    text = run("stats", "last").stdout
    assert text.startswith("space-marine-adventures: 1 game\n")
    early = data("stats", "last@r2", "--only", "length,losses,heat")
    whole = data("stats", "last", "--only", "length,losses,heat")
    assert early["games"][0]["finished"] == 0
    assert sum(one["moves"] for one in early["heat"]) < sum(one["moves"] for one in whole["heat"])
    assert "not over" in run("stats", "last@r2").stdout
    assert "no game" in run("stats", "nosuch", code=2).stderr.lower()


@pytest.mark.usefixtures("many")
def test_files_folders_and_other_stores_are_read(
    run: Run, data: Callable[..., Any], shelf: Path, tmp_path: Path
) -> None:
    found = data("stats", str(DOOM), "--only", "outcomes")
    assert [one["ruleset"] for one in found["games"]] == ["doom-of-the-eldar"]
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / DOOM.name).write_bytes(DOOM.read_bytes())
    (folder / "broken.tape.jsonl").write_bytes(DOOM.read_bytes()[:5000])
    part = run("stats", "logs", "--only", "outcomes", code=1)
    assert part.stdout.startswith("doom-of-the-eldar: 1 game\n")
    assert "Not counted: " in part.stderr
    assert "broken.tape.jsonl" in part.stderr
    assert data("stats", str(shelf), "--jobs", "1", "--only", "dice")["games"][0]["games"] == 12
    assert "no store, file or folder" in run("stats", "missing.db", code=2).stderr


def test_an_empty_store_has_nothing_to_count(run: Run) -> None:
    assert "There is no game to count." in run("stats", code=2).stderr


def test_an_unknown_part_is_refused_before_any_work(run: Run) -> None:
    refused = run("stats", "--only", "dice,weather", code=2)
    assert "no part 'weather'" in refused.stderr
    assert "dice, outcomes, length, losses, cards, units, heat" in refused.stderr


@pytest.mark.usefixtures("many")
def test_tables_as_files_are_whole(run: Run, tmp_path: Path) -> None:
    said = run("stats", "--ruleset", "space-marine-adventures", "--csv", "tables", "--rows", "1", "--jobs", "1").stdout
    files = {path.name: path for path in (tmp_path / "tables").iterdir()}
    assert f"{len(files)} tables are in tables." in said
    assert {"dice.csv", "outcomes-space-marine-adventures.csv", "heat-space-marine-adventures.csv"} <= {*files}
    with files["heat-space-marine-adventures.csv"].open(encoding="utf-8", newline="") as file:
        places = list(csv.DictReader(file))
    assert len(places) > 50
    assert places[0].keys() == {"board", "place", "moves to", "fights", "losses", "all", "id"}
    assert all(place["id"].endswith(f":{place['place']}") for place in places)


@pytest.mark.usefixtures("many")
def test_pictures_are_written(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    said = run("stats", "--svg", "pictures", "--jobs", "1").stdout
    files = {path.name for path in (tmp_path / "pictures").iterdir()}
    assert f"{len(files)} pictures are in pictures." in said
    assert {"dice-d6-fate.svg", "outcomes-pig.svg", "heat-space-marine-adventures-moves.svg"} <= files
    assert "heat-pig-moves.svg" not in files, "a game without a board"
    assert run("stats", "--only", "dice", "--svg", "one", "--jobs", "1").stdout.endswith("\n1 picture is in one.\n")
    (tmp_path / "file").write_text("")
    assert "cannot be made" in run("stats", "--only", "heat", "--svg", "file", "--jobs", "1", code=4).stderr


def test_pictures_say_which_extra_they_need(
    process: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError('there is none')")
    import os

    path = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])
    done = process("stats", str(DOOM), "--svg", "pictures", PYTHONPATH=path)
    assert done.returncode == 2
    assert "pip install 'warptape[plots]'" in done.stderr
    assert not (tmp_path / "pictures").exists()
    heat = process("stats", str(DOOM), "--only", "heat", "--svg", "pictures", PYTHONPATH=path)
    assert heat.returncode == 0, heat.stderr
    assert len(list((tmp_path / "pictures").iterdir())) == 3


def test_of_an_unfinished_game_with_secrets_it_says_so(run: Run) -> None:
    run("new", "doom-of-the-eldar", "--name", "hush", "--seat", "tyranid=bot:sensible")
    found = run("stats", "hush")
    assert "only that counts which everybody may know" in found.stdout
    assert json.loads(run("stats", "hush", "--json").stdout)["whole"] is False


def test_a_terminal_gets_drawn_tables(terminals: Any, run: Run) -> None:
    run("simulate", "pig", "-n", "3", "--seed", "t", "--record", "--jobs", "1")
    terminal = terminals("stats", "--only", "dice,outcomes", "--jobs", "1")
    terminal.until("Outcomes of pig")
    assert terminal.ended() == 0
    assert "─" in terminal.seen
