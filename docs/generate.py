"""Writes the pages of `docs/rules/` from the rule registers, the games' content and the tests that cite the rules.

In a game's own page of `docs/games/` it writes what stands between a comment of these forms and `<!-- end -->`:

    <!-- table FILE RECORDS | HEAD: {field} | HEADS => CELLS -->   records of a content file; HEADS, CELLS are lists
    <!-- text FILE FIELD -->                                      a text of a content file as it is; FIELD may go through
                                                                  a list by number, as in section.0.grid
    <!-- options -->                                              the options of the register

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
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from warptape.domain.register import FILE, Option, Register, Rule, Ruling, parse
from warptape.replays import schema
from warptape.replays.outside import schema as bots

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
PAGES = ROOT / "docs" / "rules"
GAMES = ROOT / "docs" / "games"
NOTICE = "<!-- Written by docs/generate.py from the rule register and the tests; edits are lost. -->"
OPEN_END = 9999
"""What content files write as the upper end of a range without one."""


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


@cache
def tests_under(folder: Path) -> list[tuple[str, str, str]]:
    """Every test under a folder as (file, name, the texts in which it may cite a rule), read once for all registers."""
    found = []
    for file in sorted(folder.rglob("test_*.py")):
        for test in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(test, ast.FunctionDef | ast.AsyncFunctionDef) or not test.name.startswith("test_"):
                continue
            text = "\n".join([ast.get_docstring(test) or "", *map(strings, test.decorator_list)])
            found.append((file.relative_to(folder.parent).as_posix(), test.name, text))
    return found


def citing_tests(register: Register, folder: Path = TESTS) -> dict[str, list[tuple[str, str]]]:
    """For each rule ID that a test cites, known or not: the tests as (file, name), in order of file and line."""
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for file, name, text in tests_under(folder):
        for id in dict.fromkeys([*cited_by_name(name, register), *cited(text, register.prefix)]):
            found[id].append((file, name))
    return dict(found)


def page(folder: Path, register: Register) -> str:
    """The Markdown page of one game's rules."""
    tests = citing_tests(register)
    kinds = [rule.kind for rule in register.rules]
    described = kinds.count("component")
    lines = [
        f"# {register.title}: the rules",
        NOTICE,
        f"Every rule has an ID, which refusals, events and tests cite. Of {len(kinds)} rules, {kinds.count('rule')} are "
        f"in force and shown by tests, {described} only describe{'s' * (described == 1)} something. "
        "The words are ours, not the rulebook's. *Printed* means that the "
        "rulebook says so, a *ruling* closes a gap, *house* means that the content was designed here because the "
        "rulebook lacks it."
        + (
            " Of a *withdrawn* rule only the ID is kept."
            if any("withdrawn" in r.status for r in register.rules)
            else ""
        ),
    ]
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
    if rule.why:
        facts.append(f"**Component:** {rule.why}")
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
                    _otherwise(r),
                )
                for r in register.rulings
            ),
        )


def _otherwise(ruling: Ruling) -> str:
    options = f"option{'s' * (len(ruling.options) > 1)} {', '.join(f'`{name}`' for name in ruling.options)}"
    return options if ruling.options else "content files" if ruling.content else ""


def _options(register: Register) -> Iterator[str]:
    if register.options:
        yield "## Options"
        yield "An option says what is played, or plays by the other reading of a ruling: `warptape new … --option NAME=VALUE`."
        yield _options_table(register)


def _options_table(register: Register, rulings: str = "") -> str:
    """The options as a table; `rulings` is the page of the rulings, empty for this one.

    In a game of several parts the last column says to which an option belongs.
    """
    several = len(register.parts) > 1
    head = ("Option", "Ruling", "What it settles", "Values (the first is the default)", *(("For",) if several else ()))
    return _table(
        head,
        (
            (
                f"`{o.name}`",
                f"[{o.ruling}]({rulings}#ruling-{o.ruling})" if o.ruling else "–",
                o.text,
                _values(o),
                *((", ".join(register.part(id).title.partition(":")[0].lower() for id in o.parts),) if several else ()),
            )
            for o in register.options
        ),
    )


def _values(option: Option) -> str:
    """The values of an option with their meaning, the default first; an empty text is named, `form` comes last."""
    values = sorted(option.values, key=lambda value: value.value != option.default)
    listed = "; ".join(f"{f'`{v.value}`' if v.value else '(empty)'}: {v.text}" for v in values)
    return f"{listed}; or {option.form}" if option.form else listed


def _content(folder: Path) -> Iterator[str]:
    """What of a game's content is house: whole records by name, and single figures of other records."""
    yield "## House content"
    yield (
        "What the rulebook lacks was designed here, and every record of the content files says so. "
        "An owner of the printed game may put the real cards and boards in its place."
    )
    for file in sorted(folder.glob("*.toml")):
        data: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
        for name, rows in _record_tables(data) if file.name != FILE else ():
            house = list(dict.fromkeys(_label(row) for row in rows if row.get("source") == "house"))
            figures = sorted(
                {key[:-7] for row in rows for key in row if key.endswith("_source") and row[key] == "house"}
                | {field for row in rows if row.get("source") == "printed" for field in row.get("house_fields", ())}
            )
            printed = sum(row.get("source") == "printed" for row in rows)
            facts = [f"{len(rows)} record{'s' * (len(rows) > 1)}, {printed} of them printed"]
            facts += [f"house: {', '.join(house)}"] if house else []
            facts += [f"house figures in some: {', '.join(f'`{figure}`' for figure in figures)}"] if figures else []
            if house or figures:
                yield f"- `{file.name}`, `{name}`: {'; '.join(facts)}."


def _record_tables(data: dict[str, Any], above: str = "") -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The tables of records in a file by their dotted names; a single table that names its source is one of one record."""
    for name, value in data.items():
        if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
            yield above + name, value
        elif isinstance(value, dict):
            if any(key == "source" or key.endswith("_source") for key in value):
                yield above + name, [value]
            yield from _record_tables(value, f"{above}{name}.")


def _label(row: dict[str, Any]) -> str:
    names = (str(row[key]) for key in ("name", "id", "kind", "symbol") if row.get(key, "") != "")
    fields = (f"{key} {value}" for key, value in row.items() if key != "source" and isinstance(value, str | int))
    return next(names, next(fields, "all of it"))


def filled(text: str, folder: Path, register: Register) -> str:
    """A page with everything between its marks (see above) written anew from that game's content and register."""

    def section(found: re.Match[str]) -> str:
        kind, _, what = found[1].partition(" ")
        if kind == "options":
            body = _options_table(register, f"../rules/{folder.name.replace('_', '-')}.md")
        else:
            file, name, *columns = (*what.partition("|")[0].split(), *re.split(r" \| ", what)[1:])
            data: Any = tomllib.loads((folder / "content" / file).read_text(encoding="utf-8"))
            *above, last = name.split(".")
            for key in above:
                data = data[int(key) if isinstance(data, list) else key]
            body = f"```text\n{data[last].strip(chr(10))}\n```" if kind == "text" else _records(data, last, columns)
        return f"<!-- {found[1]} -->\n\n{body}\n\n<!-- end -->"

    return re.sub(r"(?s)<!-- ((?:table|text|options)\b[^\n]*?) -->.*?<!-- end -->", section, text)


def _records(above: dict[str, Any], name: str, columns: list[str]) -> str:
    """Records as a table. What is house is in italics: of a record that is house the cells of a list but for those in
    `printed_cells`, and of any record the fields that its `house_fields` name.
    """
    heads: list[str] = []
    lines: list[list[str]] = [[] for _ in above[name]]
    for column in columns:
        if " => " in column:
            names, cells = column.split(" => ")
            parts = zip(*(above[key] for key in names.split("-")), strict=True)
            spread = [re.sub(rf"-{OPEN_END}$", "+", "-".join(map(str, part))) for part in parts]
            heads += spread
            for line, row in zip(lines, above[name], strict=True):
                house = row.get("source") == "house"
                printed = row.get("printed_cells", [])
                line += (
                    f"*{cell}*" if house and head not in printed else f"{cell}"
                    for head, cell in zip(spread, row[cells], strict=True)
                )  # fmt: skip
        else:
            head, form = column.split(": ", 1)
            heads.append(head)
            blank = dict.fromkeys((key for row in above[name] for key in row), "–")
            for line, row in zip(lines, above[name], strict=True):
                cell = form.format_map({key: _Words(value) for key, value in (blank | row).items()})
                line.append(f"*{cell}*" if cell != "–" and _is_house(form, row.get("house_fields", ())) else cell)
    return _table(heads, lines)


def _is_house(form: str, house: Collection[str]) -> bool:
    """Whether a column shows a field that its record names as house; a record may name `all` of its figures."""
    shown = set(re.findall(r"{(\w+)", form))
    return not shown.isdisjoint(house) or ("all" in house and not shown & {"id", "name", "side"})


class _Words:
    """A value of a content file as a page shows it: a list joined by commas, yes or no, `{…:words}` without underscores."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __getitem__(self, key: Any) -> _Words:
        return _Words(self.value[key])

    def __format__(self, spec: str) -> str:
        text = str(self.value)
        if isinstance(self.value, list):
            text = ", ".join(map(str, self.value)) or "none"
        if isinstance(self.value, bool):
            text = "yes" if self.value else "no"
        return text.replace("_", " ") if spec == "words" else format(text, spec)


def pages() -> dict[Path, str]:
    """Every generated file by its path: the rules of each game, their list, its own page, and the schemas of log files and bots."""
    made: dict[Path, str] = {}
    own: dict[Path, str] = {}
    links = []
    for folder, register in registers():
        name = f"{folder.name.replace('_', '-')}.md"
        made[PAGES / name] = page(folder, register)
        links.append(f"- [{register.title}]({name})")
        if (GAMES / name).exists():
            own[GAMES / name] = filled((GAMES / name).read_text(encoding="utf-8"), folder, register)
    intro = (
        "Every rule that warptape plays by stands in a register: its ID, its text in our own words, where the rulebook "
        "says it, the ruling where the rulebook is silent, and the tests that show it."
    )
    index = "\n\n".join(["# Rules", NOTICE, intro, "\n".join(links)]) + "\n"
    schemas = {
        ROOT / "docs" / "format.schema.json": schema.text(),
        ROOT / "docs" / "bots.schema.json": bots.text(),
    }
    return {PAGES / "index.md": index, **made, **own, **schemas}


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
