"""How things are measured: side by side in one run, in turns, as medians; and how a result is told."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import mkdtemp
from typing import Any, get_args, get_type_hints

ROOT = Path(__file__).resolve().parent.parent
TESTED = {"pig", "hidden", "nested"}
"""The small rulesets of the tests: Pig is measured by itself, the others not at all."""


@dataclass(frozen=True)
class Row:
    """One line of the report: `met` is None where there is no budget, or nothing could be measured."""

    work: str
    budget: str
    measured: str
    met: bool | None
    figures: dict[str, float]

    def told(self) -> dict[str, object]:
        """The row as JSON."""
        return asdict(self)


def in_turns(rounds: int, **timed: Callable[[], float]) -> dict[str, float]:
    """Call each function once a round, in turns, so that a busy machine hits all alike; the median of each."""
    results: dict[str, list[float]] = {name: [] for name in timed}
    for _ in range(rounds):
        for name, function in timed.items():
            results[name].append(function())
    return {name: median(values) for name, values in results.items()}


def ratio(work: str, least: float, figures: Mapping[str, float], ours: str, theirs: str, unit: str) -> Row:
    """A row for a budget of speed: ours has to reach `least` times theirs, both in seconds a unit of work."""
    speed = figures[theirs] / figures[ours]
    return Row(
        work,
        f"at least {least:g} of the raw speed",
        f"{speed:.2f} ({figures[ours] * 1e6:.1f} µs against {figures[theirs] * 1e6:.1f} µs {unit})",
        speed >= least,
        {"ratio": speed, **figures},
    )


def skipped(work: str, budget: str, why: str) -> Row:
    """A row for what could not be measured here."""
    return Row(work, budget, f"skipped: {why}", None, {})


def plans(rules: Any) -> dict[str, dict[str, str]]:
    """What is measured of a ruleset, as options that are typed: as it is by default, other levels, all levels in a row."""
    usual = rules.parse_options({})
    found: dict[str, dict[str, str]] = {"": {}}
    for name, hint in get_type_hints(rules.options, include_extras=True).items():
        for value in _values(hint):
            given = {name: str(value)}
            if value == getattr(usual, name):
                continue
            if name == "level" or rules.levels(rules.parse_options(given)) > rules.levels(usual):
                found[f", {name} {value}" if name == "level" else f", {value}"] = given
    return found


def _values(hint: Any) -> list[Any]:
    """The values of an option that is a word of some, or a small number."""
    for meta in getattr(hint, "__metadata__", ()):
        if meta.ge is not None and meta.le is not None:
            return list(range(meta.ge, meta.le + 1))
    return [value for value in get_args(hint) if isinstance(value, str)]


def install_rulesets() -> str:
    """Make the rulesets beside the tests known, as if they were installed; returns the PYTHONPATH for a process."""
    source = ROOT / "tests" / "rulesets"
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    folder = Path(mkdtemp(prefix="warptape-bench-"))
    info = folder / "rulesets-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "".join(
            f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in names.items())
            for group, names in project["entry-points"].items()
        ),
        encoding="utf-8",
    )
    sys.path[:0] = [str(folder), str(source)]
    return f"{folder}:{source}"


def table(rows: list[Row]) -> str:
    """The report as text."""
    marks = {True: "yes", False: "NO", None: "-"}
    cells = [("work", "budget", "measured", "met"), *((r.work, r.budget, r.measured, marks[r.met]) for r in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(4)]
    lines = ["  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in cells]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])
