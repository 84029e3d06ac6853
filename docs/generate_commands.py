"""Writes `docs/commands.md`, the reference of all commands, from the commands themselves.

python docs/generate_commands.py           writes the page
python docs/generate_commands.py --check   writes nothing; exits 1 if the page is out of date
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from warptape.cli import main as warptape
from warptape.cli.group import CODES, FAMILIES

PAGE = Path(__file__).resolve().parent / "commands.md"
NOTICE = "<!-- Written by docs/generate_commands.py from the commands; edits are lost. -->"


def page() -> str:
    """The Markdown page of all commands."""
    context = click.Context(warptape, info_name="warptape")
    parts = [
        "# Commands",
        NOTICE,
        "\n\n".join(" ".join(block.split()) for block in (warptape.help or "").split("\n\n")),
        CODES,
        "These go before or after the name of a command:",
        *options(warptape, context),
    ]
    for family, names in FAMILIES.items():
        parts.append(f"## {family}")
        for name in names:
            command = warptape.get_command(context, name)
            assert command is not None
            parts += section(command, click.Context(command, info_name=name, parent=context))
    return "\n\n".join(parts) + "\n"


def section(command: click.Command, context: click.Context) -> Iterator[str]:
    """The parts of the page about one command, and about those of its own."""
    path = context.command_path
    yield f"### {path}"
    yield f"```text\n{path} {' '.join(command.collect_usage_pieces(context))}\n```"
    for block in (command.help or "").split("\n\n"):
        lines = [line.strip() for line in block.splitlines() if line.strip()]
        if lines and lines[0].startswith("warptape "):
            yield "```sh\n" + "\n".join(lines) + "\n```"
        else:
            yield " ".join(lines)
    yield from options(command, context)
    for name, part in sorted(command.commands.items()) if isinstance(command, click.Group) else ():
        yield from section(part, click.Context(part, info_name=name, parent=context))


def options(command: click.Command, context: click.Context) -> Iterator[str]:
    """The table of a command's options, if it has any."""
    records = [
        record
        for option in command.get_params(context)
        if isinstance(option, click.Option)
        and "--help" not in option.opts
        and (record := option.get_help_record(context))
    ]
    if records:
        rows = [
            f"| `{names}` | {text} |"
            for names, text in ((n.replace("|", "\\|"), t.replace("|", "\\|")) for n, t in records)
        ]
        yield "\n".join(["| option | |", "| --- | --- |", *rows])


def main(arguments: list[str]) -> int:
    """Writes the page, or with `--check` says whether it differs."""
    text = page()
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    if "--check" in arguments:
        print("docs/commands.md is out of date: run `make docs`.", file=sys.stderr)
        return 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
