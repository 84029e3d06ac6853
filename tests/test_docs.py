"""The docs are true: their Python and their commands run and print what is shown, their links lead somewhere.

In a `console` block a line `$ warptape …` is run in a shelf of the page's own. The lines below it are what it prints (`...`
stands for anything, ids and times may be others); without such lines only its success counts. `$ echo $?` shows an exit
code other than 0. What stands behind a prompt (`team> next`) is typed. `< FILE` and `> FILE` are what they are in a shell.
"""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import os
import pkgutil
import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import click
import pytest
from click.testing import CliRunner

import warptape
from warptape.cli import main
from warptape.domain import rules

ROOT = Path(__file__).resolve().parent.parent
GENERATED = ROOT / "docs" / "rules"
PAGES = [ROOT / "README.md", *sorted(file for file in (ROOT / "docs").rglob("*.md") if GENERATED not in file.parents)]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = ["warptape", *sorted(module.name for module in pkgutil.walk_packages(warptape.__path__, "warptape."))]
MODULES.remove("warptape.__main__")  # importing it runs the command
VARYING = re.compile(
    r"(?m)(?<=^Game )\w{10}|(?<=is game )\w{10}|(?<=\()\w{10}(?=\))|^\w{10}(?=  )|\w{10}(?=@)|\d{4}-\d\d-\d\dT\d\d:\d\d"
)
COMMANDS = sorted(main.list_commands(click.Context(main)))


def source(name: str) -> str:
    """The text of a module, which is not imported for it."""
    found = importlib.util.find_spec(name)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).read_text(encoding="utf-8")


each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rulesets beside the tests, as a package that can be imported from."""
    packaging = runpy.run_path(str(ROOT / "tests" / "cli" / "packaging.py"))
    built: Path = packaging["build_wheel"](tmp_path_factory.mktemp("wheel"))
    return built


@pytest.fixture(autouse=True)
def own_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, wheel: Path) -> None:
    """Each page is read in an empty folder with an empty shelf; the one on rulesets with its example installed."""
    if request.node.name.endswith("[docs/howto/ruleset.md]"):
        monkeypatch.syspath_prepend(str(wheel))
    others = "warptape_test_rulesets-*.dist-info"  # which the tests of other folders leave there until the end
    monkeypatch.setattr(sys, "path", [path for path in sys.path if not any(Path(path).glob(others))])
    monkeypatch.chdir(tmp_path)
    for example in (ROOT / "docs" / "examples").iterdir():
        (tmp_path / example.name).symlink_to(example)
    monkeypatch.setenv("WARPTAPE_STORE", str(tmp_path / "shelf.db"))
    monkeypatch.setenv("WARPTAPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")


def blocks(page: Path, kind: str) -> list[str]:
    """The fenced blocks of a kind on a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [body for _, body in re.findall(rf"(?ms)^(```+){kind}\n(.*?)^\1$", text)]


def commands(block: str) -> Iterator[tuple[str, str]]:
    """The command lines of a console block, each with what it is shown to print."""
    for part in re.split(r"(?m)^\$ ", block)[1:]:
        line, _, shown = part.partition("\n")
        yield line, shown.rstrip("\n")


@each_page
def test_console_blocks_run_and_print_what_is_shown(page: Path) -> None:
    lines = [line for block in blocks(page, "console") for line in commands(block)]
    code = 0
    for (line, shown), following in pairwise([*lines, ("", "")]):
        if line == "echo $?":
            printed = f"{code}\n"
        else:
            words = shlex.split(line.replace("make demo", "warptape demo"))
            assert words[0] == "warptape", f"{page.name} shows a command that no test can run: {line}"
            typed = "".join(f"{line}\n" for line in re.findall(r"(?m)^\w+> (.*)$", shown))
            sign, file = words[-2:] if len(words) > 3 and words[-2] in ("<", ">") else ("", "")
            if sign:
                words, typed = words[:-2], Path(file).read_text(encoding="utf-8") if sign == "<" else typed
            result = CliRunner().invoke(main, words[1:], input=typed)
            if sign == ">":
                Path(file).write_text(result.stdout, encoding="utf-8")
            assert result.exception is None or isinstance(result.exception, SystemExit), f"{line}: {result.exception!r}"
            code, printed = result.exit_code, result.output
            assert code == 0 or following[0] == "echo $?", f"{line} exits with {code}:\n{printed}"
        if shown:
            wanted, found = (VARYING.sub("…", text) for text in (f"{shown}\n", printed))
            alike = doctest.OutputChecker().check_output(wanted, found, FLAGS)
            assert alike, f"{page.name} shows for {line}:\n{shown}\nbut it prints:\n{printed}"


@each_page
def test_python_on_pages_runs(page: Path) -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=FLAGS)
    text = "\n".join(block for block in blocks(page, "python") if ">>>" in block)
    runner.run(parser.get_doctest(text, {}, page.name, str(page), 0))
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize("name", [name for name in MODULES if ">>>" in source(name)])
def test_examples_in_docstrings_run(name: str) -> None:
    module: ModuleType = importlib.import_module(name)
    found = doctest.testmod(module, optionflags=FLAGS)
    assert found.attempted
    assert found.failed == 0


def test_every_module_can_be_imported() -> None:
    assert all(importlib.import_module(name) for name in MODULES)


def test_the_readme_has_examples_of_both_kinds() -> None:
    assert blocks(ROOT / "README.md", "console")
    assert any(">>>" in block for block in blocks(ROOT / "README.md", "python"))


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=lambda p: p.name
)
def test_links_at_the_top_lead_to_files(page: Path) -> None:
    """Links between pages of `docs/` are checked when the site is built."""
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
    assert not [target for target in targets if not (page.parent / target).exists()]


@each_page
def test_commands_on_pages_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    code = [*re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text), *blocks(page, "(?:console|sh)")]
    named = {name for part in code for name in re.findall(r"(?m)(?:^|^\$ )warptape ([a-z]+)", part)}
    assert named <= set(COMMANDS)


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "games").glob("*.md")), ids=lambda page: page.name)
def test_seats_on_the_page_of_a_game_exist(page: Path) -> None:
    ruleset = rules.ruleset(page.stem.removesuffix("-bots"))
    seats = {seat.id for seat in ruleset.seats(ruleset.options({}))}
    named = set(re.findall(r"--(?:as|as-of|seat) ([a-z]+)", page.read_text(encoding="utf-8")))
    assert named <= {*seats, "all"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_help_with_an_example_and_a_place_in_the_docs(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.help, "no help"
    assert f"warptape {name}" in command.help, "no example"
    assert all(option.help for option in command.params if isinstance(option, click.Option)), "an option without help"
    assert any(re.search(rf"\bwarptape {name}\b", page.read_text(encoding="utf-8")) for page in PAGES), "not in docs"


def test_the_reference_of_the_api_is_up_to_date_and_complete() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "generate_api.py"))
    assert script["main"](["--check"]) == 0
    text = script["page"]()
    for name in set(warptape.__all__) - {"__version__"}:
        assert f"### {name}\n" in text or f"- **{name}**: " in text, f"{name} is not in the reference"
    for facade, names in script["INTERNAL"].items():
        assert all(hasattr(getattr(warptape, facade), name) for name in names), "an internal name is gone"


def test_the_data_dictionary_of_the_archive_is_up_to_date_and_says_what_every_column_holds() -> None:
    assert runpy.run_path(str(ROOT / "docs" / "generate_archive.py"))["main"](["--check"]) == 0
    from warptape.projections.archive.tables import TABLES
    from warptape.projections.archive.views import VIEW_TEXTS, VIEWS

    assert all(column.text.endswith(".") for table in TABLES for column in table.columns)
    assert VIEWS.keys() == VIEW_TEXTS.keys()


def test_every_page_is_in_the_navigation() -> None:
    listed = set(re.findall(r"(?m)^ +- (?:[^:]+: )?([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8")))
    assert listed == {file.relative_to(ROOT / "docs").as_posix() for file in (ROOT / "docs").rglob("*.md")}


def test_the_site_builds_without_warnings(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    assert (tmp_path / "site" / "tutorial" / "index.html").is_file()
