"""Writes `docs/api-reference.md`, the reference of the Python API, from the docstrings and the signatures.

python docs/generate_api.py           writes the page
python docs/generate_api.py --check   writes nothing; exits 1 if the page is out of date
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

import warptape
from warptape.domain import chance, choices, errors, events, referee, rules, secrets, states, upcasts
from warptape.domain.content import Content, Record
from warptape.projections import archive, scene, statistics, stats
from warptape.projections.stats import dice, effects, grounds, heat, heat_map, losses, outcomes, pictures, report
from warptape.replays import diff, findings, lines, recording, reported, reproduce, shelf, shrink, told

PAGE = Path(__file__).resolve().parent / "api-reference.md"
NOTICE = "<!-- Written by docs/generate_api.py from the docstrings; edits are lost. -->"

INTERNAL = {
    "Game": {
        "batch_end", "batch_start", "chance_at_tip", "chunks", "eras", "going_on", "heading_kinds", "headings", "inside", "keep", "kinds", "line_chunks",
        "line_rows", "newest", "newest_on_line", "on_line", "owner", "places", "position_type", "positions", "referee", "rows",
        "schema", "take_from",
    },
    "Store": {"game_type"},
}  # fmt: skip
"""Public names of the façades that serve the rooms behind them; they may change without notice."""

ERRORS = [error for error in vars(errors).values() if inspect.isclass(error) and error.__module__ == errors.__name__]
SECTIONS: dict[str, tuple[str, list[Any]]] = {
    "Games": (
        "What `import warptape` gives.",
        [
            warptape.open, warptape.Store, warptape.Game, warptape.Position, warptape.archive, warptape.read_report,
            warptape.reproduce, warptape.shrink,
        ],
    ),
    "What games return": (
        "Plain structs, to read.",
        [
            rules.Decision, rules.Outcome, rules.Refusal, rules.Seat, recording.Played, told.Told, lines.Line,
            shelf.Shelf, diff.Diff, diff.Change, findings.Report, findings.Row,
            findings.Finding, findings.TakeBack, findings.Moment, findings.Difference, scene.Scene,
            reported.BugReport, reported.Failure, reported.Attempt, reproduce.Reproduction, shrink.Shrunk,
        ],
    ),
    "Archives": (
        "Games as tables for SQL: see [The archive](archive.md) for what the tables hold. Sources are in "
        "`warptape.projections.archive`.",
        [archive.Archive, archive.Followed, archive.StoreSource, archive.FolderSource, archive.FileSource],
    ),
    "Statistics": (
        "What `stats` of a store, a game or an archive returns: see [Count many games](howto/stats.md).",
        [
            stats.Statistics, report.Counted, dice.Dice, dice.Fairness, outcomes.Outcomes, outcomes.Length, losses.Loss,
            losses.RoundLoss, effects.Use, effects.Weapon, effects.Unit, effects.Effect, heat.Heat, statistics.Share,
            grounds.Ground, heat_map.HeatMap, pictures.pictures,
        ],
    ),
    "For rulesets": (
        "What a game is made of: see [Write a ruleset of your own](howto/ruleset.md). Everything here is imported from "
        "the module that is named with it.",
        [
            rules.Ruleset, states.State, events.Event, events.Action, events.Step, events.Question, rules.do,
            rules.Drop, rules.End, chance.Roll, chance.Shuffle, chance.Draw, chance.Pick, chance.Reveal, chance.Luck,
            choices.Product, choices.Choices, secrets.hidden, secrets.Secret, secrets.Sealed, Content, Record,
            referee.Match, rules.Demo, upcasts.Upcasts,
        ],
    ),
    "For boards": (
        "A board turns a state into a `Scene`, which is drawn as text, SVG and HTML. All of it is in "
        "`warptape.projections.scene`.",
        [
            scene.Cell, scene.Axes, scene.Frame, scene.Piece, scene.Mark, scene.Area, scene.Link, scene.Track, scene.Box,
            scene.Panel, scene.Row, scene.Key, scene.table,
        ],
    ),
}  # fmt: skip


def page() -> str:
    """The Markdown page of the Python API."""
    parts = ["# Python reference", NOTICE, "For examples, see [From Python](api.md)."]
    for title, (intro, things) in SECTIONS.items():
        parts += [f"## {title}", intro]
        for thing in things:
            parts += _class(thing) if inspect.isclass(thing) else _function(thing)
    parts += ["## Errors", "All of them can be imported from `warptape`.", "\n".join(_tree(errors.WarptapeError))]
    return "\n\n".join(parts) + "\n"


def _class(cls: type) -> Iterator[str]:
    yield f"### {cls.__name__}"
    yield f"`{'warptape' if cls.__name__ in warptape.__all__ else cls.__module__}.{cls.__name__}`"
    yield from _words(cls)
    if issubclass(cls, msgspec.Struct) and cls.__struct_fields__:
        yield "```text\n" + "\n".join(_field(cls, field) for field in msgspec.structs.fields(cls)) + "\n```"
    hidden = INTERNAL.get(cls.__name__, set())
    said = [
        f"{name}: {hint}" + (f" = {vars(cls)[name]!r}" if name in vars(cls) else "")
        for name, hint in inspect.get_annotations(cls).items()
        if hint.startswith("ClassVar") and name not in hidden
    ]
    if said:
        yield "Class variables:"
        yield "```text\n" + "\n".join(said) + "\n```"
    for name, member in sorted(_members(cls).items()):
        if name in hidden:
            continue
        if isinstance(member, property) or hasattr(member, "func"):
            yield f"#### {cls.__name__}.{name}"
            yield from _words(getattr(member, "fget", None) or member.func)
        else:
            yield from _callable(f"{cls.__name__}.{name}", inspect.unwrap(getattr(cls, name)), 4)


def _members(cls: type) -> dict[str, Any]:
    """The public methods and properties of a class and of what it inherits from here, those of nearer classes first."""
    found: dict[str, Any] = {}
    for base in cls.__mro__:
        if base.__module__.startswith("warptape."):
            for name, member in vars(base).items():
                behaves = callable(member) or isinstance(member, property | classmethod) or hasattr(member, "func")
                if not name.startswith("_") and behaves and not inspect.isclass(member):
                    found.setdefault(name, member)
    return found


def _function(function: Any) -> Iterator[str]:
    title, *rest = _callable(function.__name__, function, 3)
    known = function.__name__ in warptape.__all__
    yield from (title, f"`{'warptape' if known else function.__module__}.{function.__name__}`", *rest)


def _callable(name: str, function: Any, level: int) -> Iterator[str]:
    yield f"{'#' * level} {name}"
    yield f"```text\n{_signature(name, inspect.signature(function))}\n```"
    yield from _words(function)


def _signature(name: str, sign: inspect.Signature) -> str:
    """A signature as it stands in the source, on one line, or with a parameter a line where it is long."""
    given, starred = [], False
    for one in sign.parameters.values():
        if one.name in ("self", "cls"):
            continue
        if one.kind is one.KEYWORD_ONLY and not starred:
            given.append("*")
        starred |= one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        # Of a function the text would be where it lies in memory.
        shown = "..." if inspect.isfunction(one.default) else repr(one.default)
        default = "" if one.default is one.empty else f" = {shown}"
        given.append(f"{'*' if one.kind is one.VAR_POSITIONAL else ''}{one.name}: {one.annotation}{default}")
    back = {"G": "Game", "Self": name.partition(".")[0]}.get(sign.return_annotation, sign.return_annotation)
    short = f"{name}({', '.join(given)}) -> {back}"
    return short if len(short) <= 100 else "\n".join([f"{name}(", *(f"    {one}," for one in given), f") -> {back}"])


def _field(cls: type, field: msgspec.structs.FieldInfo) -> str:
    hint = next(hints[field.name] for base in cls.__mro__ if field.name in (hints := inspect.get_annotations(base)))
    if field.default is not msgspec.NODEFAULT:
        return f"{field.name}: {hint} = {field.default!r}"
    if field.default_factory is not msgspec.NODEFAULT:
        made = field.default_factory()
        return f"{field.name}: {hint} = {made!r}" if isinstance(made, list | dict) else f"{field.name}: {hint} = …"
    return f"{field.name}: {hint}"


def _words(thing: Any) -> Iterator[str]:
    """The docstring as paragraphs."""
    text = inspect.cleandoc(thing.__doc__ or "")
    assert text, f"{thing!r} has no docstring"
    for block in text.split("\n\n"):
        yield f"```text\n{block}\n```" if block.startswith((" ", ">>>")) else block


def _tree(error: type, depth: int = 0) -> Iterator[str]:
    words = " ".join(inspect.cleandoc(error.__doc__ or "").split())
    yield f"{'    ' * depth}- **{error.__name__}**: {words}"
    for child in sorted((one for one in ERRORS if error in one.__bases__), key=lambda one: one.__name__):
        yield from _tree(child, depth + 1)


def main(arguments: list[str]) -> int:
    """Writes the page, or with `--check` says whether it differs."""
    text = page()
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    if "--check" in arguments:
        print("docs/api-reference.md is out of date: run `make docs`.", file=sys.stderr)
        return 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
