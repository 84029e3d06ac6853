"""The audit: chain, form, secrets, chance and rules of a recorded game or a log file, and the first thing wrong.

Nothing is imported or changed, no snapshot is trusted (each is compared), and damage of any kind becomes a finding, never an exception.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from ..domain.chance import Salt
from ..domain.content import Content
from ..domain.errors import BadLog, UnknownGame, WarptapeError
from ..domain.rules import Ruleset, ruleset
from ..domain.secrets import PUBLIC
from .chain import BrokenChain
from .examine import Examiner
from .findings import MOST, Check, Finding, Report, Row, Verdict
from .logfile import ABOVE, LogFile
from .logline import CutShort
from .shelf import Row as Stored
from .shelf import Shelf
from .store import Store
from .survey import KINDS, Survey
from .tape import Tape, opened, schema_of


def audit(what: Tape | str | os.PathLike[str], *, rules: bool = True, listing: bool = False) -> Report:
    """Audit a recorded game, or the log file at a path, and return the report.

    `rules=False` leaves the rules out; `listing` keeps every decision that today's rules decide otherwise, not only the
    first. All lines of the log are checked, abandoned ones too, and of a fork the whole past. Raises StoreError when the
    store cannot be read, UnknownGame when the game is deleted meanwhile.
    """
    if isinstance(what, Tape):
        return audit_stored(what.store, what.shelf, rules=rules, listing=listing)
    return audit_file(what, rules=rules, listing=listing)


class _Audit:
    """Collects what the checks find, and makes the report."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.name = ""
        self.findings: list[Finding] = []
        self.total = 0
        self.bad: set[Check] = set()
        self.entries = 0
        self.in_file = False
        self.with_rules = True
        self.examiner: Examiner | None = None
        self.no_rules = ""

    def tell(self, finding: Finding) -> None:
        """Take a finding."""
        if self.in_file and finding.position is not None:
            finding = msgspec.structs.replace(finding, line=finding.position + ABOVE)
        self.total += 1
        self.bad.add(finding.check)
        self.findings.append(finding)
        if len(self.findings) > 4 * MOST:
            self.findings = sorted(self.findings, key=lambda item: item.place)[:MOST]

    def damaged(self, error: BadLog) -> None:
        """Take what reading a file raised."""
        where = f"Line {error.line}: "
        reason = str(error).removeprefix(where).rstrip(".")
        position = error.line - ABOVE if error.line is not None and error.line >= ABOVE else None
        check: Check = "chain" if isinstance(error, BrokenChain) else "file"
        cause = "file cut short" if isinstance(error, CutShort) else ""
        self.total += 1
        self.bad.add(check)
        self.findings.append(Finding(check, reason, position, error.line, None, cause))

    def run(self, rows: Iterator[Stored], examiner: Examiner) -> None:
        """Examine the rows to their end, or to the line where a file is damaged."""
        self.examiner = examiner
        try:
            for row in rows:
                examiner.feed(row)
            examiner.finish_batch()
        except BadLog as error:  # what there is of the last batch is not to be judged
            if not self.bad & {"file", "chain"}:
                self.damaged(error)
        examiner.close()

    # The report

    def report(self) -> Report:
        """Return what was found."""
        rows: list[Row] = []
        if self.in_file:
            rows.append(self._row("file", self.entries, ""))
        elif self.entries:
            rows.append(self._row("shelf", self.entries, ""))
        ordered = sorted(self.findings, key=lambda item: item.place)
        report = Report(self.title, rows, self.name, ordered[:MOST], self.total)
        if self.examiner is not None:
            self._examined(report, self.examiner)
        return report

    def _examined(self, report: Report, examiner: Examiner) -> None:
        ledger = examiner.ledger
        counts = ledger.counts
        unknown = f"not known here from @{examiner.unknown[0]} on: {examiner.unknown[1]}" if examiner.unknown else ""
        withheld = counted(counts, {"withheld": "not in this log"})
        by_hand = counts.get("by hand", 0)
        report.rows += [
            self._row("chain", counts.get("batches", 0), ""),
            self._row("structure", counts.get("events", 0), unknown, bool(unknown)),
            self._row("secrets", counts.get("seals", 0), withheld),
            self._chance(examiner),
            self._row("entered", by_hand, "by hand" if by_hand else "", noted=bool(by_hand)),
            self._rules(examiner),
            self._takebacks(examiner),
        ]
        report.remarks = list(ledger.remarks)
        if (more := counts.get("remarks", 0) - len(report.remarks)) > 0:
            report.remarks.append(f"and {more} more of the kind")
        report.takebacks, report.entered, report.differences = ledger.takebacks, ledger.entered, ledger.differences
        report.listed = ledger.listing

    def _row(self, check: Check, count: int, detail: str, unchecked: bool = False, noted: bool = False) -> Row:
        verdict: Verdict = "bad" if check in self.bad else "unchecked" if unchecked else "noted" if noted else "ok"
        return Row(check, count, verdict, detail)

    def _chance(self, examiner: Examiner) -> Row:
        kinds = {
            "proven": "follow from the key",
            "possible": "could be (the secret of chance is not known here)",
            "by hand": "entered by hand",
            "sealed": "sealed",
        }
        counts = examiner.ledger.counts
        if examiner.rules is None:
            return self._row("chance", 0, self.no_rules, True)
        return self._row("chance", counts.get("outcomes", 0), counted(counts, kinds), examiner.unknown is not None)

    def _takebacks(self, examiner: Examiner) -> Row:
        counts = examiner.ledger.counts
        count, crossed = counts.get("takebacks", 0), counts.get("crossed", 0)
        if count and examiner.rules is None:
            return self._row("takebacks", count, "what they took back is not known without the rules", True)
        detail = f"{crossed} of what had been seen" if crossed else ""
        return self._row("takebacks", count, detail, noted=bool(crossed))

    def _rules(self, examiner: Examiner) -> Row:
        counts = examiner.ledger.counts
        count, rerun = counts.get("actions", 0), counts.get("rerun", 0)
        rules = examiner.rules
        if rules is None or not self.with_rules:
            return self._row("rules", count, self.no_rules or "not asked for", True)
        reasons = []
        if rerun < count:
            reasons.append(f"{rerun} of {count} run again")
        if examiner.rerun.stopped:
            reasons.append(examiner.rerun.stopped)
        differ, first = counts.get("differ", 0), next(iter(examiner.ledger.differences), None)
        other = first is not None and "rules" not in self.bad
        if first is not None and (other or examiner.ledger.listing):
            by = f"recorded by version {first.version} of the rules, and {rules.version} is here: " if other else ""
            shown = "" if examiner.ledger.listing else f", the first {first}"
            reasons.append(f"{by}{differ} differ{'s' * (differ == 1)}{shown}")
        unchecked = bool(other or examiner.rerun.stopped or examiner.unknown)
        return self._row("rules", count, "; ".join(reasons), unchecked)


def counted(counts: dict[str, int], kinds: dict[str, str]) -> str:
    """Return the counts that are not 0 in words."""
    return ", ".join(f"{counts[name]} {words}" for name, words in kinds.items() if counts.get(name))


def _rules(audit: _Audit, name: str, content: bytes | None) -> Ruleset | None:
    """The installed rules over the log's own content; None, with the reason noted, where there are none."""
    try:
        rules = ruleset(name)
        return rules if content is None else rules.bound(Content.decode(content))
    except WarptapeError as error:
        audit.no_rules = f"{error}".rstrip(".")
        return None


# A log file


def audit_file(path: str | os.PathLike[str], *, rules: bool = True, listing: bool = False) -> Report:
    """Audit a log file without importing it; raises BadLog only where there is no such file."""
    audit = _Audit(f"Audit of {os.fspath(path)}")
    audit.in_file = True
    audit.with_rules = rules
    try:
        log = LogFile(path)
    except BadLog as error:
        if error.line is None:
            raise
        audit.damaged(error)
        return audit.report()
    audit.name = log.header.name
    audit.title += f": '{log.header.name}', {log.header.ruleset} {log.header.version}"
    if log.header.seat:
        audit.title += f", as {log.header.seat} saw it"

    def surveyed() -> Iterator[Stored]:
        audit.entries = 2
        try:
            for row, line in log.rows():
                audit.entries = line
                if row.kind in KINDS:
                    yield row
            audit.entries += 1
        except BadLog as error:
            audit.damaged(error)

    survey = Survey(surveyed())
    salts = {int(at): Salt(*pair) for at, pair in log.header.secrets.items()}
    installed = _rules(audit, log.header.ruleset, log.content)
    examiner = Examiner(
        installed, survey, audit.tell, salts=salts, seat=log.header.seat, with_rules=rules, listing=listing
    )
    audit.run((row for row, _ in log.rows()), examiner)
    if not audit.total and salts.keys() - examiner.chance.epochs:
        audit.damaged(BadLog("a secret of chance is given for a position where none came into force", line=1))
    return audit.report()


# A stored game


def audit_stored(store: Store, shelf: Shelf, *, rules: bool = True, listing: bool = False) -> Report:
    """Audit a game in a store by its shelf record alone, so that a damaged game need not be opened."""
    audit = _Audit(f"Audit of '{shelf.name}' ({shelf.id}), {shelf.ruleset} {shelf.ruleset_version}")
    audit.name = shelf.name
    audit.with_rules = rules
    content: bytes | None = None
    try:
        content = store.content(shelf.content)
        if Content.decode(content).digest != shelf.content:
            raise BadLog("its digest is another")
    except WarptapeError as error:
        audit.tell(Finding("shelf", f"the content of the game is damaged: {str(error).rstrip('.')}"))
    survey = Survey(_stored(store, shelf, KINDS))
    salts = _owned(store, shelf)
    installed = _rules(audit, shelf.ruleset, content) if not audit.bad else None
    audit.no_rules = audit.no_rules or ("the content is damaged" if audit.bad else "")
    seat = shelf.extra.get("seat", "")
    snapshots = _snapshots(store, shelf, installed) if installed is not None else {}
    examiner = Examiner(
        installed,
        survey,
        audit.tell,
        salts=salts,
        seat=seat,
        with_rules=rules,
        listing=listing,
        snapshots=snapshots,
    )
    audit.run(_up_to_now(store, shelf), examiner)
    _check_shelf(audit, examiner, shelf)
    if audit.total:
        store.shelf(shelf.id)  # raises UnknownGame for one that was deleted meanwhile
    return audit.report()


def _snapshots(store: Store, shelf: Shelf, rules: Ruleset) -> dict[int, Callable[[], Any]]:
    """By position, how to get at the states that the store keeps of this game and its ancestors."""
    decoder = msgspec.json.Decoder(rules.state)
    schema = schema_of(rules)

    def state(game: str, position: int) -> Any:
        found = store.snapshot(game, position, schema)
        return opened(found[1], decoder) if found is not None and found[0] == position else None

    return {
        position: partial(state, game, position)
        for game, first, last in _owners(shelf)
        for position in store.snapshots(game, schema)
        if first <= position and (last is None or position < last)
    }


def _up_to_now(store: Store, shelf: Shelf) -> Iterator[Stored]:
    """The rows of a game as it was when the audit began: without those that somebody has played since."""
    for row in _stored(store, shelf):
        if row.position == shelf.length and store.shelf(shelf.id).length != shelf.length:
            return
        yield row


def _owned(store: Store, shelf: Shelf) -> dict[int, Salt]:
    """The secrets of chance that this store holds: the game's, and of its ancestors those from before the fork."""
    held: dict[int, Salt] = {}
    for game, last in [*shelf.lineage, (shelf.id, 2**62)]:
        with suppress(UnknownGame):  # an ancestor that is gone: its events are missed as well
            secrets = shelf.secrets if game == shelf.id else store.shelf(game).secrets
            for at, pair in secrets.items():
                if at.isdecimal() and int(at) <= last and len(pair) == 2:
                    held[int(at)] = Salt(*pair)
    return held


def _stored(store: Store, shelf: Shelf, kinds: tuple[str, ...] = ()) -> Iterator[Stored]:
    for game, first, last in _owners(shelf):
        yield from store.kinds(game, kinds, first, last) if kinds else store.rows(game, first, last)


def _owners(shelf: Shelf) -> Iterator[tuple[str, int, int | None]]:
    """The games whose logs make up this one's: each with its first position here, and the one after its last."""
    first = 0
    for game, last in shelf.lineage:
        yield game, first, last + 1
        first = last + 1
    yield shelf.id, first, None


def _check_shelf(audit: _Audit, examiner: Examiner, shelf: Shelf) -> None:
    """Compare what stands on the shelf with the log."""
    last = examiner.position - 1
    if shelf.length != examiner.position:
        reason = (
            f"the shelf says {shelf.length} events, and there are {examiner.position}: the end was cut off or added to"
        )
        audit.tell(Finding("shelf", reason, max(0, min(shelf.length, examiner.position) - 1)))
    elif shelf.head != examiner.chain.head:
        audit.tell(Finding("chain", examiner.chain.broken(), examiner.chain.first, None, last))
    compared: list[tuple[str, Any, Any]] = [
        ("version", shelf.ruleset_version, examiner.version),
        ("content", shelf.content, examiner.content),
        ("ruleset", shelf.ruleset, examiner.ruleset),
        ("undo policy", shelf.extra.get("undo", "free"), examiner.policy),
    ]
    redrawn = examiner.survey.redrawn
    if redrawn or "redrawn" in shelf.extra:
        compared.append(("redraw", shelf.extra.get("redrawn", ""), str(redrawn[-1][0]) if redrawn else ""))
    # Else its past is its own now, and a bot that is not installed has left its seat.
    if "imported" not in shelf.extra and not redrawn:
        compared.append(
            ("lineage", [tuple(pair) for pair in shelf.lineage], [tuple(pair) for pair in examiner.lineage])
        )
        compared.append(("seats", shelf.seats, examiner.seats))
    if examiner.state is not None and not examiner.seat:
        try:
            ended = examiner.rules.outcome(examiner.state) if examiner.rules and not examiner.state.pending else None
            compared.append(("outcome", shelf.outcome, ended.result if ended is not None else ""))
        except Exception:  # the rules fail on this position: their own row says so
            pass
    if examiner.seat and examiner.seat not in (*shelf.seats, PUBLIC):
        audit.tell(Finding("shelf", f"the shelf says that this is what '{examiner.seat}' knew, which is no seat"))
    audit.entries = len(compared) + 2
    for name, kept, found in compared:
        if kept != found and examiner.version:
            audit.tell(Finding("shelf", f"the shelf has another {name} ({kept}) than the log ({found})"))
