"""What a check of a log found: findings, rows and the report."""

from __future__ import annotations

from typing import Literal

import msgspec

MOST = 20
"""The findings and remarks a report lists; it counts them all."""

Check = Literal["file", "shelf", "chain", "structure", "secrets", "chance", "rules"]
Verdict = Literal["ok", "bad", "unchecked"]


class Finding(msgspec.Struct, frozen=True):
    """Something wrong: which check found it and why; `position` and `line` say where, if known.

    Of a broken chain only the batch is known: `until` is its last position.
    """

    check: Check
    reason: str
    position: int | None = None
    line: int | None = None
    until: int | None = None

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


class Report(msgspec.Struct):
    """What an audit found: its rows, the first findings in order, how many there are, and remarks that are no faults."""

    title: str
    rows: list[Row]
    findings: list[Finding] = []
    total: int = 0
    remarks: list[str] = []

    @property
    def ok(self) -> bool:
        """Whether nothing wrong was found."""
        return self.total == 0

    @property
    def first(self) -> Finding | None:
        """The first thing wrong, by position; None when nothing is."""
        return self.findings[0] if self.findings else None

    def text(self) -> str:
        """Return the report as lines of plain text."""
        words = {"ok": "ok", "bad": "BAD", "unchecked": "not checked"}
        verdicts = {row.check: words[row.verdict] for row in self.rows}
        wide = max((len(verdict) for verdict in verdicts.values()), default=2)
        lines = [self.title]
        for row in self.rows:
            counted = f"{row.count} {UNITS[row.check][row.count != 1]}"
            lines.append(
                f"  {row.check:<9}  {verdicts[row.check]:<{wide}}  {'; '.join(filter(None, (counted, row.detail)))}"
            )
        lines += [f"  first bad: {self.first}"] if self.first else []
        lines += [f"  also: {finding}" for finding in self.findings[1:]]
        if self.total > len(self.findings):
            lines.append(f"  and {self.total - len(self.findings)} more")
        lines += [f"  note: {remark}" for remark in self.remarks]
        return "\n".join(lines) + "\n"

    __str__ = text


UNITS: dict[Check, tuple[str, str]] = {
    "file": ("line", "lines"),
    "shelf": ("entry", "entries"),
    "chain": ("batch", "batches"),
    "structure": ("event", "events"),
    "secrets": ("sealed value", "sealed values"),
    "chance": ("outcome", "outcomes"),
    "rules": ("action", "actions"),
}
