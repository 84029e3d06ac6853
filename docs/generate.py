"""Writes the pages of `docs/rules/` from the rule registers, the games' content and the tests that cite the rules.

    python docs/generate.py           writes the pages
    python docs/generate.py --check   writes nothing; exits 1 and names the pages that are out of date

A test cites a rule in its name (`test_sma_move_3_...`, ranges as `sma_frag_1_to_5`), in its docstring or in the
strings of its decorators (`SMA-MOVE-3`, `SMA-FRAG-1..5`, `SMA-FRAG-1 to -5`, `SMA-ACT-1, -8`).
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from warptape.domain.register import FILE, Register, Rule, parse
from warptape.replays import schema

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
PAGES = ROOT / "docs" / "rules"
NOTICE = "<!-- Written by docs/generate.py from the rule register and the tests; edits are lost. -->"


def registers() -> Iterator[tuple[Path, Register]]:
    """Each game's folder in the repository and its register, by folder name."""
    for file in sorted((ROOT / "domain").glob(f"*/{FILE}")):
        yield file.parent, parse(file.read_text(encoding="utf-8"), str(file.relative_to(ROOT)))


def cited(text: str, prefix: str) -> Iterator[str]:
    """The rule IDs written in a text, ranges (`SMA-FRAG-1..5`, `SMA-FRAG-1 to -5`) and lists (`SMA-ACT-1, -8`) spelled out."""
    span = r"[0-9]+(?:(?:\.\.| to -)[0-9]+)?"
    written = rf"(\b{prefix}-[A-Z]+[0-9]*)-({span}(?:(?:,| and) -{span})*|[A-Z]+\b)"
    for stem, ends in re.findall(written, text):
        for end in re.split(r"(?:,| and) -", ends):
            first, *last = re.split(r"\.\.| to -", end)
            yield from (f"{stem}-{n}" for n in range(int(first), int(last[0]) + 1)) if last else (f"{stem}-{first}",)


def cited_by_name(name: str, register: Register) -> Iterator[str]:
    """The rule IDs in a test's name: those of the register by their whole spelling, others by their number."""
    prefix = register.prefix.lower()
    known = {rule.id.lower().replace("-", "_"): rule.id for rule in register.rules}
    spelled = "|".join(sorted(known, key=len, reverse=True))
    numbered = rf"{prefix}_[a-z]+[0-9]*_[0-9]+"
    for found, last in re.findall(rf"(?<![a-z0-9])({spelled}|{numbered})(?:_to_([0-9]+))?(?![a-z0-9])", name):
        stem, _, first = found.rpartition("_")
        names = [f"{stem}_{n}" for n in range(int(first), int(last) + 1)] if last else [found]
        yield from (known.get(name, name.upper().replace("_", "-")) for name in names)


def strings(node: ast.AST) -> str:
    """All string constants under a node of syntax, a line each."""
    return "\n".join(n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str))


def citing_tests(register: Register, folder: Path = TESTS) -> dict[str, list[tuple[str, str]]]:
    """For each rule ID that a test cites, known or not: the tests as (file, name), in order of file and line."""
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for file in sorted(folder.rglob("test_*.py")):
        for test in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(test, ast.FunctionDef | ast.AsyncFunctionDef) or not test.name.startswith("test_"):
                continue
            text = "\n".join([ast.get_docstring(test) or "", *map(strings, test.decorator_list)])
            ids = [*cited_by_name(test.name, register), *cited(text, register.prefix)]
            for id in dict.fromkeys(ids):
                found[id].append((file.relative_to(folder.parent).as_posix(), test.name))
    return dict(found)


def page(folder: Path, register: Register) -> str:
    """The Markdown page of one game's rules."""
    tests = citing_tests(register)
    kinds = [rule.kind for rule in register.rules]
    lines = [
        f"# {register.title}: the rules",
        NOTICE,
        f"Every rule has an ID, which refusals, events and tests cite. Of {len(kinds)} rules, {kinds.count('rule')} are "
        f"in force and shown by tests, {kinds.count('component')} only describe something, and {kinds.count('later')} "
        "belong to parts that are not shipped yet. The words are ours, not the rulebook's. *Printed* means that the "
        "rulebook says so, a *ruling* closes a gap, *house* means that the content was designed here because the "
        "rulebook lacks it.",
    ]
    for part in register.parts:
        lines.append(f"- {part.title}: " + ("shipped." if part.shipped else part.why))
    for topic, rules in register.topics():
        lines += [f"## {topic}", *(_rule(register, rule, tests.get(rule.id, [])) for rule in rules)]
    lines += [*_rulings(register), *_options(register), *_content(folder / "content")]
    text = "\n\n".join(lines) + "\n"
    return re.sub(r"(?m)^(- .*)\n\n(?=- )", r"\1\n", text)


def _rule(register: Register, rule: Rule, tests: list[tuple[str, str]]) -> str:
    links = {n: f"[{n}](#ruling-{n})" for n in rule.rulings}
    status = " and ".join(rule.status) + (f" {', '.join(links.values())}" if links else "")
    where = f"*{rule.heading}*" if rule.heading else "the rulebook is silent"
    facts = [f"{status.capitalize()}; {where}."]
    if rule.note:
        facts.append(f"{rule.note[0].upper()}{rule.note[1:]}.")
    if reason := register.reason(rule):
        facts.append(f"**{'Component' if rule.kind == 'component' else 'Later'}:** {reason}")
    by_file: defaultdict[str, list[str]] = defaultdict(list)
    for file, name in tests:
        by_file[file].append(f"`{name}`")
    shown = "".join(f"\n    - `{file}`: {', '.join(names)}" for file, names in by_file.items())
    text = rule.text if rule.text.endswith(".") else f"{rule.text}."
    return f'- <a id="{rule.id.lower()}"></a>**{rule.id}** {text} <small>{" ".join(facts)}</small>{shown}'


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(head), *(list(row) for row in rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _rulings(register: Register) -> Iterator[str]:
    if register.rulings:
        yield "## Gaps and rulings"
        yield "Where the rulebook is silent or may be read in two ways."
        yield _table(
            ("No.", "Where", "Question", "Ruling", "Otherwise by"),
            (
                (
                    f'<a id="ruling-{r.number}"></a>{r.number}',
                    r.place or "(silent)",
                    r.question,
                    r.ruling,
                    f"option `{r.option}`" if r.option else "content files" if r.content else "",
                )
                for r in register.rulings
            ),
        )


def _options(register: Register) -> Iterator[str]:
    if register.options:
        yield "## Options"
        yield "An option plays by the other reading of a ruling: `warptape new … --option NAME=VALUE`."
        yield _table(
            ("Option", "Ruling", "What it settles", "Values (the first is the default)", "Shipped"),
            (
                (
                    f"`{o.name}`",
                    f"[{o.ruling}](#ruling-{o.ruling})",
                    o.text,
                    "; ".join(
                        f"`{v.value}`: {v.text}" for v in sorted(o.values, key=lambda value: value.value != o.default)
                    ),
                    "yes" if register.shipped(o) else "later",
                )
                for o in register.options
            ),
        )


def _content(folder: Path) -> Iterator[str]:
    """What of a game's content is house: whole records by name, and single figures of other records."""
    yield "## House content"
    yield (
        "What the rulebook lacks was designed here, and every record of the content files says so. "
        "An owner of the printed game may put the real cards and boards in its place."
    )
    for file in sorted(folder.glob("*.toml")):
        data: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
        tables = {name: rows for name, rows in data.items() if isinstance(rows, list) and file.name != FILE}
        for name, rows in tables.items():
            house = list(dict.fromkeys(_label(row) for row in rows if row.get("source") == "house"))
            figures = sorted(
                {key[:-7] for row in rows for key in row if key.endswith("_source") and row[key] == "house"}
            )
            printed = sum(row.get("source") == "printed" for row in rows)
            facts = [f"{len(rows)} records, {printed} of them printed"]
            facts += [f"house: {', '.join(house)}"] if house else []
            facts += [f"house figures in some: {', '.join(f'`{figure}`' for figure in figures)}"] if figures else []
            if house or figures:
                yield f"- `{file.name}`, `{name}`: {'; '.join(facts)}."


def _label(row: dict[str, Any]) -> str:
    return str(row.get("name") or row.get("id") or row.get("kind") or row.get("symbol"))


def pages() -> dict[Path, str]:
    """Every generated file by its path: the pages, one a game, their list, and the schema of log files."""
    made = {PAGES / f"{folder.name.replace('_', '-')}.md": page(folder, register) for folder, register in registers()}
    links = [f"- [{register.title}]({file.name})" for (_, register), file in zip(registers(), made, strict=True)]
    intro = (
        "Every rule that warptape plays by stands in a register: its ID, its text in our own words, where the rulebook "
        "says it, the ruling where the rulebook is silent, and the tests that show it."
    )
    index = "\n\n".join(["# Rules", NOTICE, intro, "\n".join(links)]) + "\n"
    return {PAGES / "index.md": index, **made, ROOT / "docs" / "format.schema.json": schema.text()}


def main(arguments: list[str]) -> int:
    """Writes the pages, or with `--check` says which differ; the exit code is 1 if one differs."""
    wanted = pages()
    stale = [file for file, text in wanted.items() if not file.exists() or file.read_text(encoding="utf-8") != text]
    stale += [file for file in PAGES.glob("*.md") if file not in wanted]
    if "--check" in arguments:
        for file in stale:
            print(f"{file.relative_to(ROOT)} is out of date: run `make docs`.", file=sys.stderr)
        return 1 if stale else 0
    PAGES.mkdir(exist_ok=True)
    for file in stale:
        if file in wanted:
            file.write_text(wanted[file], encoding="utf-8")
        else:
            file.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
