"""The rooms keep to themselves: imports run one way, `domain/` is pure, no game is named outside its own folder."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "warptape"
ROOMS = ("domain", "replays", "projections", "service", "cli")
FILES = [file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))]
GAMES = [folder.parent for folder in sorted((ROOT / "domain").glob("*/content"))]
LINES = 500

# What `domain/` may import besides itself: nothing that reads a clock, a file of its own choice, entropy or a store.
PURE = {
    "__future__", "abc", "base64", "bisect", "collections", "contextlib", "copy", "dataclasses", "difflib", "enum",
    "fractions", "functools", "hashlib", "heapq", "hmac", "importlib.metadata", "importlib.resources", "inspect",
    "itertools", "math", "msgspec", "operator", "re", "statistics", "string", "struct", "textwrap", "tomllib", "types",
    "typing",
}  # fmt: skip
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "breakpoint"}
IMPURE_METHODS = {"write_text", "write_bytes", "mkdir", "unlink"}


def called(file: Path) -> str:
    """A module as a fault names it."""
    return file.relative_to(ROOT).as_posix()


@cache
def tree(file: Path) -> ast.Module:
    """The syntax of a module."""
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def imports(file: Path, syntax: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of everything a module imports; names in the package begin with a dot.

    `from ..domain.events import DiceRolled` in `cli/play.py` gives `.domain.events.DiceRolled`.
    """
    package = file.relative_to(ROOT).parent.parts
    for node in ast.walk(syntax):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            stem = node.module or ""
            if node.level:
                above = package[: len(package) - node.level + 1]
                stem = "." + ".".join([*above, *([stem] if stem else [])])
            yield from ((node.lineno, f"{stem.rstrip('.')}.{alias.name}") for alias in node.names)


@cache
def imported(file: Path) -> list[tuple[int, str]]:
    """What a module imports, read once for all tests."""
    return list(imports(file, tree(file)))


def test_links_lead_to_the_rooms() -> None:
    links = {path.name: path.readlink().as_posix() for path in PACKAGE.iterdir() if path.is_symlink()}
    assert links == {room: f"../../{room}" for room in ROOMS}
    assert all((PACKAGE / room / "__init__.py").is_file() for room in ROOMS)


def test_rooms_have_modules() -> None:
    assert {file.relative_to(ROOT).parts[0] for file in FILES} == set(ROOMS)
    assert GAMES


def test_imports_run_one_way() -> None:
    wrong = []
    for file in FILES:
        room = file.relative_to(ROOT).parts[0]
        below = ROOMS[: ROOMS.index(room) + 1]
        for line, name in imported(file):
            if name.partition(".")[0] == "warptape":
                wrong.append(f"{called(file)}, line {line}: rooms import each other relatively, not as {name}")
            elif name.startswith("."):
                target = name.split(".")[1]
                facade = target not in ROOMS and (room == "cli" or target == "__version__")
                if target not in below and not facade:
                    wrong.append(f"{called(file)}, line {line}: {room} may not import {name}")
    assert not wrong


def test_no_game_imports_another() -> None:
    wrong = []
    for file in FILES:
        own = set(file.relative_to(ROOT).with_suffix("").parts)
        for line, name in imported(file):
            if any(game.name in name.split(".") and game.name not in own for game in GAMES):
                wrong.append(f"{called(file)}, line {line}: imports {name}")
    assert not wrong


def test_the_facade_imports_no_command() -> None:
    facade = PACKAGE / "__init__.py"
    found = [name for _, name in imports(facade, tree(facade)) if "cli" in name.split(".")]
    assert not found


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_is_named_only_in_its_own_folder(game: Path) -> None:
    """Rulesets and boards are found through entry points, so a game is named in pyproject.toml and its own modules."""
    rules = tomllib.loads((game / "rules.toml").read_text(encoding="utf-8"))
    others = [tomllib.loads((one / "rules.toml").read_text(encoding="utf-8"))["title"] for one in GAMES if one != game]
    words = re.escape(game.name).replace("_", "[-_ ]?")
    name = re.compile(rf"{words}|\b{rules['prefix']}-[A-Z]", re.IGNORECASE)
    found = []
    for file in [*FILES, *sorted(PACKAGE.glob("*.py")), *sorted((ROOT / "benchmarks").rglob("*.py"))]:
        if game in file.parents or file.stem == game.name or game.name in file.parts:
            continue
        text = file.read_text(encoding="utf-8")
        for title in others:  # the whole title of a game may hold the name of another
            text = text.replace(title, "")
        lines = text.splitlines()
        found += [
            f"{file.relative_to(ROOT)}:{n}: {line.strip()}" for n, line in enumerate(lines, 1) if name.search(line)
        ]
    assert not found


def test_domain_is_pure() -> None:
    impure = []
    for file in (file for file in FILES if file.is_relative_to(ROOT / "domain")):
        impure += [
            f"{called(file)}, line {line}: imports {name}"
            for line, name in imported(file)
            if not name.startswith(".") and not any(name == pure or name.startswith(f"{pure}.") for pure in PURE)
        ]
        for node in ast.walk(tree(file)):
            if isinstance(node, ast.Call):
                name, method = getattr(node.func, "id", None), getattr(node.func, "attr", None)
                if name in IMPURE_CALLS or method in IMPURE_METHODS:
                    impure.append(f"{called(file)}, line {node.lineno}: calls {name or method}")
    assert not impure


def test_a_module_fits_on_a_few_screens() -> None:
    lines = {called(file): len(file.read_text(encoding="utf-8").splitlines()) for file in FILES}
    assert not {name: count for name, count in lines.items() if count >= LINES}, "split it by what it does"


@cache
def contracts() -> set[str]:
    """Names of methods that `domain/` documents or a protocol gives; a class with such a method need not say it again."""
    names = set()
    for file in FILES:
        for node in tree(file).body:
            if isinstance(node, ast.ClassDef):
                protocol = any("Protocol" in ast.unparse(base) for base in node.bases)
                kernel = file.is_relative_to(ROOT / "domain")
                methods = [item for item in node.body if isinstance(item, ast.FunctionDef)]
                names |= {method.name for method in methods if protocol or (kernel and ast.get_docstring(method))}
    return names


def undocumented(syntax: ast.Module, inherited: set[str]) -> Iterator[str]:
    """Public classes, functions and methods of a module that have no docstring; mere signatures need none."""
    if not ast.get_docstring(syntax):
        yield "the module"
    for node in syntax.body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        if not ast.get_docstring(node):
            yield node.name
        for method in node.body if isinstance(node, ast.ClassDef) else []:
            if (
                isinstance(method, ast.FunctionDef)
                and not method.name.startswith("_")
                and method.name not in inherited
                and not ast.get_docstring(method)
                and ast.unparse(method.body[0]) != "..."
            ):
                yield f"{node.name}.{method.name}"


def test_what_is_public_is_documented() -> None:
    assert not [f"{called(file)}: {name}" for file in FILES for name in undocumented(tree(file), contracts())]


def test_the_installed_package_is_this_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert metadata.version("warptape") == project["version"]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## \[?([^\] ]+)", changes, re.MULTILINE)[1] == project["version"]  # type: ignore[index]


def dotted(folder: Path) -> str:
    """The name of the package in a folder: a room, what is in it, or `src/warptape` itself."""
    parts = folder.relative_to(ROOT).parts
    return ".".join(parts[1:] if parts[0] == "src" else ("warptape", *parts))


def test_an_installed_package_holds_all_that_is_no_python() -> None:
    setting = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    patterns = setting["package-data"]
    left_out = []
    for room in (ROOT / "src" / "warptape", *(ROOT / name for name in ROOMS)):
        for file in sorted(room.rglob("*")):
            if file.is_dir() or file.suffix in (".py", ".pyc"):
                continue
            packages = [folder for folder in file.parents if (folder / "__init__.py").is_file()]
            known = [
                (folder, pattern)
                for folder in packages
                for name in ("*", dotted(folder))
                for pattern in patterns.get(name, ())
            ]
            if not any(file.relative_to(folder).match(pattern) for folder, pattern in known):
                left_out.append(str(file.relative_to(ROOT)))
    assert not left_out
    assert (ROOT / "src" / "warptape" / "py.typed").is_file()


def test_public_names_are_offered_by_dir() -> None:
    import warptape

    assert set(warptape.__all__) <= set(dir(warptape))


def test_the_checks_here_can_fail() -> None:
    """Each check above, on a module made to fail it."""
    bad = ast.parse(
        "import os\nfrom ..cli import main\nfrom .. import open_store\ndef f(): print(1)\nclass C:\n def m(self): pass\n def n(self): pass"
    )
    found = [name for _, name in imports(ROOT / "domain" / "x.py", bad)]
    assert found == ["os", ".cli.main", ".open_store"]
    nested = [name for _, name in imports(ROOT / "domain" / "game" / "x.py", ast.parse("from ..events import Event"))]
    assert nested == [".domain.events.Event"]
    assert list(undocumented(bad, {"n"})) == ["the module", "f", "C", "C.m"]
