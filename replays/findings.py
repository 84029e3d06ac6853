"""What a check of a log found: findings, rows and the report."""

from __future__ import annotations

from typing import Literal

import msgspec

MOST = 20
"""The findings and remarks a report lists; it counts them all."""

Check = Literal["file", "shelf", "chain", "structure", "secrets", "chance", "entered", "rules", "takebacks"]
Verdict = Literal["ok", "bad", "unchecked", "noted"]
"""`noted` is no fault, and worth a look."""


class Finding(msgspec.Struct, frozen=True):
    """Something wrong: which check found it and why; `position` and `line` say where, if known.

    Of a broken chain only the batch is known: `until` is its last position. `cause` counts it in a summary.
    """

    check: Check
    reason: str
    position: int | None = None
    line: int | None = None
    until: int | None = None
    cause: str = ""

    @property
    def place(self) -> tuple[int, int]:
        """Sorts findings: by position, exact ones first; those without one, such as a cut file, last."""
        last = self.until if self.until is not None else self.position
        return (2**62 if last is None else last, 1 if self.until is not None else 0)

    def __str__(self) -> str:
        where = "" if self.position is None else f"@{self.position}"
        if self.until is not None and self.until != self.position:
            where += f" to @{self.until}"
        if self.line is not None:
            where += f" (line {self.line})" if where else f"line {self.line}"
        return f"{where}: {self.reason}" if where else self.reason


class Row(msgspec.Struct):
    """One line of a report: what was checked, how much of it, the verdict, and a word on it."""

    check: Check
    count: int = 0
    verdict: Verdict = "ok"
    detail: str = ""

    @property
    def words(self) -> str:
        """The count and the detail: `182 outcomes; 182 follow from the key`."""
        return "; ".join(filter(None, (f"{self.count} {UNITS[self.check][self.count != 1]}", self.detail)))


class Moment(msgspec.Struct, frozen=True):
    """An outcome of chance, or another event that made something known: its position and what it was.

    What was for some seats alone is not told here: whoever reads an audit may be another.
    """

    position: int
    what: str

    def __str__(self) -> str:
        return f"@{self.position} {self.what}"


class TakeBack(msgspec.Struct, frozen=True):
    """A take-back of what somebody had seen already.

    Event `position` went back to `to`, `by` undo or rewind; `seat` and `person` did it, `consent` is the seat that had
    agreed, empty for none. `count` is how much had been seen, `seen` the last of it.
    """

    position: int
    to: int
    by: str
    seat: str
    person: str
    reason: str
    consent: str
    count: int
    seen: list[Moment]

    def __str__(self) -> str:
        who = self.seat + (f" ({self.person})" if self.person and self.seat else self.person)
        agreed = f", {self.consent} agreed" if self.consent else ""
        why = f", '{self.reason}'" if self.reason else ""
        what = ", ".join(map(str, self.seen)) + (", …" if self.count > len(self.seen) else "")
        return (
            f"@{self.position}: {self.by}{' by ' if who else ''}{who} to @{self.to}{agreed}{why} took back {self.count} "
            f"outcome{'s' * (self.count != 1)} already seen: {what}"
        )


class Difference(msgspec.Struct, frozen=True):
    """A decision on which today's rules decide otherwise than the log.

    `position` is the action's, `at` the first event that differs, `version` that of the rules that recorded it.
    `action` is its notation (empty where differences are not listed), `rule` the ID of today's rule, if one is named.
    """

    position: int
    seat: str
    action: str
    kind: Literal["refused", "other events", "other chance", "failed"]
    rule: str
    at: int
    text: str
    version: str

    def __str__(self) -> str:
        what = f"{self.seat} {self.action}".strip()
        where = f" from @{self.at} on" if self.kind == "other events" else ""
        rule = f" ({self.rule})" if self.rule else ""
        return f"@{self.position}{' ' if what else ''}{what}: {NOW[self.kind]}{where}{rule}: {self.text}"


NOW = {
    "refused": "refused now",
    "other events": "other events now",
    "other chance": "other dice or cards are asked for now",
    "failed": "the rules fail on it now",
}


class Report(msgspec.Struct):
    """What an audit found: its rows, the first findings in order, how many there are, and what is no fault.

    `name` is the game's. `takebacks` crossed something seen, `entered` were typed by people (the first of them: the rows have the counts),
    `differences` are the first decision that today's rules decide otherwise, or all where they were asked for.
    """

    title: str
    rows: list[Row]
    name: str = ""
    findings: list[Finding] = []
    total: int = 0
    remarks: list[str] = []
    takebacks: list[TakeBack] = []
    entered: list[Moment] = []
    differences: list[Difference] = []
    listed: bool = False

    @property
    def ok(self) -> bool:
        """Whether nothing wrong was found."""
        return self.total == 0

    @property
    def first(self) -> Finding | None:
        """The first thing wrong, by position; None when nothing is."""
        return self.findings[0] if self.findings else None

    @property
    def cause(self) -> str:
        """What is wrong at the root, in two words: `chain broken`; empty where nothing is."""
        named = next((one.cause for one in self.findings if one.cause not in ("", SNAPSHOT)), "")
        bad = {row.check for row in self.rows if row.verdict == "bad"} | {finding.check for finding in self.findings}
        return named or next((words for check, words in CAUSES.items() if check in bad), "")

    def row(self, check: Check) -> Row | None:
        """Return the row of a check, None where it was not made."""
        return next((row for row in self.rows if row.check == check), None)

    def details(self) -> list[str]:
        """Return the lines under the table: what is wrong, what differs, and notes."""
        lines = [f"first bad: {self.first}"] if self.first else []
        lines += [f"also: {finding}" for finding in self.findings[1:]]
        if self.total > len(self.findings):
            lines.append(f"and {self.total - len(self.findings)} more")
        if self.listed:
            lines += [f"differs: {difference}" for difference in self.differences]
        for what, items, check in (("take-back", self.takebacks, "takebacks"), ("by hand", self.entered, "entered")):
            lines += [f"{what}: {item}" for item in items]
            if items and (row := self.row(check)) is not None and (more := _more(row, items)):  # type: ignore[arg-type]
                lines.append(f"{what}: and {more} more")
        return lines + [f"note: {remark}" for remark in self.remarks]

    def text(self) -> str:
        """Return the report as lines of plain text."""
        verdicts = [WORDS[row.verdict] for row in self.rows]
        wide = max(map(len, verdicts), default=2)
        lines = [self.title]
        for row, verdict in zip(self.rows, verdicts, strict=True):
            lines.append(f"  {row.check:<9}  {verdict:<{wide}}  {row.words}")
        return "\n".join([*lines, *(f"  {line}" for line in self.details())]) + "\n"

    __str__ = text


def _more(row: Row, items: list[Moment] | list[TakeBack]) -> int:
    """How many there are beyond those that a report lists."""
    if row.check == "entered":
        return row.count - len(items)
    crossed = row.detail.partition(" ")[0]
    return int(crossed) - len(items) if crossed.isdigit() else 0


WORDS: dict[Verdict, str] = {"ok": "ok", "bad": "BAD", "unchecked": "not checked", "noted": "noted"}

UNITS: dict[Check, tuple[str, str]] = {
    "file": ("line", "lines"),
    "shelf": ("entry", "entries"),
    "chain": ("batch", "batches"),
    "structure": ("event", "events"),
    "secrets": ("sealed value", "sealed values"),
    "chance": ("outcome", "outcomes"),
    "entered": ("outcome", "outcomes"),
    "rules": ("action", "actions"),
    "takebacks": ("take-back", "take-backs"),
}

SNAPSHOT = "snapshot wrong"
"""The cause of a finding that is about a snapshot, which is a cache, and not about the log."""

CAUSES: dict[Check, str] = {
    "file": "file damaged",
    "chain": "chain broken",
    "structure": "events malformed",
    "secrets": "secrets do not fit",
    "chance": "chance cannot be",
    "entered": "entered wrong",
    "rules": "against the rules",
    "takebacks": "take-backs wrong",
    "shelf": "shelf wrong",
}
"""The roots of what is wrong, the deepest first: where a file is damaged, the chain is broken too."""
