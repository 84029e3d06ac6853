"""The start of the command line, against a bare interpreter that imports click."""

from __future__ import annotations

import resource
import subprocess
import sys

from measure import Row, in_turns


def start(*arguments: str) -> float:
    """CPU seconds of a process of this Python."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rows(quick: bool) -> list[Row]:
    """The row about `warptape --help`."""
    start("-m", "warptape", "--help")
    figures = in_turns(
        5 if quick else 15,
        help=lambda: start("-m", "warptape", "--help"),
        click=lambda: start("-c", "import click"),
    )
    times = figures["help"] / figures["click"]
    return [
        Row(
            "warptape --help",
            "under 2.5 times `import click`",
            f"{times:.2f} ({figures['help'] * 1e3:.0f} ms against {figures['click'] * 1e3:.0f} ms)",
            times < 2.5,
            {"ratio": times, **figures},
        )
    ]
