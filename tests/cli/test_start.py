"""The command starts fast, helps, and ends well whatever it is given."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from warptape.cli import main
from warptape.cli.app import App
from warptape.cli.group import COMMANDS, FAMILIES


def loaded(*words: str) -> set[str]:
    """The modules that a run of the command leaves loaded."""
    code = (
        "import sys, json\n"
        "from warptape.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "sys.stderr.write(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr))


@pytest.mark.parametrize("words", [["--help"], ["-h"]])
def test_help_imports_click_alone(words: list[str]) -> None:
    modules = loaded(*words)
    assert {name for name in modules if name.split(".")[0] == "warptape"} == {
        "warptape", "warptape.cli", "warptape.cli.group",
    }  # fmt: skip
    foreign = {name.split(".")[0] for name in modules} - sys.stdlib_module_names - {"__main__", "warptape"}
    at_start = subprocess.run(
        [sys.executable, "-c", "import sys, json; print(json.dumps(sorted(sys.modules)))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert foreign - {name.split(".")[0] for name in json.loads(at_start.stdout)} == {"click"}
    assert not {name for name in modules if name.startswith(("importlib.metadata", "email", "sqlite3", "asyncio"))}


def test_version(process: Any) -> None:
    from warptape import __version__

    assert process("--version").stdout == f"warptape {__version__}\n"


def test_every_command_of_the_table_is_there_and_named_so() -> None:
    context = click.Context(main)
    for name, (_, summary) in COMMANDS.items():
        command = main.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert command.short_help == summary
    assert sum(map(len, FAMILIES.values())) == len(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_shows_examples_that_parse(run: Any, name: str) -> None:
    out = run(name, "--help").output
    examples = [line.strip() for line in out.splitlines() if line.startswith(f"    warptape {name}")]
    assert examples
    context = click.Context(main, info_name="warptape", obj=App(":memory:"))
    command = main.get_command(context, name)
    assert command is not None
    for example in examples:
        typed = re.split(r" [<>] ", example)[0]  # a shell takes what is read and written for itself
        command.make_context(name, shlex.split(typed)[2:], parent=context)


def test_the_page_of_commands_is_up_to_date() -> None:
    script = runpy.run_path(str(Path(__file__).resolve().parents[2] / "docs" / "generate_commands.py"))
    assert script["main"](["--check"]) == 0


@pytest.mark.parametrize("words", [["--help"], ["new", "--help"]])
def test_help_fits_the_terminal(run: Any, words: list[str]) -> None:
    assert all(len(line) <= 100 for line in run(*words).output.splitlines())


def test_an_unknown_command_offers_the_nearest(run: Any) -> None:
    assert "Did you mean" in run("shwo", code=2).stderr
    assert "show" in run("shwo", code=2).stderr
    assert "--help" in run("xyzzy", code=2).stderr


def test_the_store_may_be_named_before_or_after_the_command(run: Any, data: Any, tmp_path: Any) -> None:
    other = str(tmp_path / "other.db")
    run("--store", other, "new", "pig", "--name", "there")
    run("new", "pig", "--name", "there too", "--store", other)
    assert [game["name"] for game in data("games", "--store", other)] == ["there too", "there"]
    assert data("games") == []


def test_the_default_store_is_in_the_users_data_folder(process: Any, monkeypatch: Any, tmp_path: Any) -> None:
    monkeypatch.delenv("WARPTAPE_STORE")
    assert process("new", "pig").returncode == 0
    file = tmp_path / "data" / "warptape" / "games.db"
    assert file.is_file()
    assert file.stat().st_mode & 0o077 == 0  # the secrets of games are in it
    assert "games.db" not in process("doctor").stdout


def test_examples_name_a_ruleset_and_a_seat_that_are_there(run: Any) -> None:
    out = run("new", "--help").output
    example = next(line.split() for line in out.splitlines() if "    warptape new" in line and "--seat" in line)
    ruleset, seat = example[2], example[4].partition("=")[0]
    assert seat in run("rulesets", ruleset).output
    assert f"--as {seat}" in run("consent", "--help").output
