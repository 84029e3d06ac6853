"""The reports of audits on the screen: a table where there is a terminal, else plain lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .app import has_colour, inert, is_plain_ascii, is_terminal, say, width

if TYPE_CHECKING:
    from ..replays.findings import Report

COLOURS = {"ok": "green", "bad": "red", "unchecked": "yellow", "noted": "cyan"}


def say_report(label: str, report: Report) -> None:
    """Print an audit's report: what was checked, how much of it and with what result, and what is wrong or worth a look."""
    if is_terminal() and not is_plain_ascii():
        _say_table(report)
    else:
        for line in report.text().rstrip("\n").splitlines():
            if "  BAD  " in f"{line}  " or line.startswith(("  first bad", "  also")):
                say(line, fg="red")
            elif re.match(r"  \w+ +ok\b", line):
                say(line, fg="green")
            else:
                say(line)
    colour = "green" if report.ok else "red"
    say("Nothing wrong was found." if report.ok else f"{label}: something is wrong.", fg=colour)


def _say_table(report: Report) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from ..replays.findings import UNITS, WORDS

    say(report.title, bold=True)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("checked")
    table.add_column("result")
    table.add_column("count", justify="right")
    table.add_column("of")
    table.add_column("detail", overflow="fold")
    for row in report.rows:
        result = Text(WORDS[row.verdict], style=COLOURS[row.verdict])
        unit = UNITS[row.check][row.count != 1]
        table.add_row(Text(row.check), result, Text(str(row.count)), Text(unit), Text(inert(row.detail)))
    Console(width=width(), no_color=not has_colour(), highlight=False).print(table)
    for line in report.details():
        say(f"  {line}", fg="red" if line.startswith(("first bad", "also")) else None)
