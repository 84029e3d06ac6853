"""Puts a log file on the shelf: all of it, after every check, or nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NoReturn

from ..domain.chance import Salt
from ..domain.content import Content
from ..domain.errors import BadLog, UnknownRuleset
from ..domain.rules import Ruleset, ruleset
from .examine import Examiner
from .findings import Finding
from .logfile import ABOVE, LogFile
from .shelf import Row, Shelf
from .store import Store
from .survey import KINDS, Survey
from .takeback import BOT, EXEC
from .writing import Desk


def load(store: Store, desk: Desk, path: str | os.PathLike[str], name: str = "") -> Shelf:
    """Put the game in a log file on the shelf of a store, under a new id, and return its record.

    The file is read three times, always in constant memory: once for its own checks, once to fold it (form, secrets,
    chance: what could not have happened is refused), and once to store it, in one transaction. Whether the rules give
    what was recorded is left to `audit`: rules may have changed since, and a report of a fault in them must load. A seat
    of a bot that is not installed, or of a program from outside, is held by a human here: a log starts nothing.

    Raises BadLog naming the line and the reason, UnknownRuleset, ContentError, StoreError, NameTaken; nothing is
    imported then.
    """
    log = LogFile(path)
    header = log.header
    try:
        rules = ruleset(header.ruleset)
    except UnknownRuleset as error:
        raise UnknownRuleset(f"{error} Without it `warptape audit` can still check the file's chain.") from error
    rules = rules.bound(Content.decode(log.content))
    survey = Survey(row for row, _ in log.rows() if row.kind in KINDS)
    salts = {int(at): Salt(*pair) for at, pair in header.secrets.items()}
    examiner = Examiner(rules, survey, _refuse, salts=salts, seat=header.seat, with_rules=False)
    try:
        for row, _ in log.rows():
            examiner.feed(row)
        examiner.finish_batch()
    finally:
        examiner.close()
    if examiner.unknown is not None:
        position, why = examiner.unknown
        raise BadLog(f"the file is not known here from this line on: {why}.", line=position + ABOVE)
    if salts.keys() - examiner.chance.epochs:
        raise BadLog("a secret of chance is given for a position where none came into force.", line=1)
    salts = {**survey.revealed, **salts}
    shelf = Shelf(
        id=desk.new_id(),
        name=name,
        ruleset=header.ruleset,
        ruleset_version=header.version,
        content=header.content,
        created=examiner.opened or desk.now(),
        changed=desk.now(),
        length=examiner.position,
        head=examiner.chain.head,
        outcome=_outcome(rules, examiner),
        seats=_seats(rules, examiner),
        secrets={str(at): [salt.nonce, salt.seed] for at, salt in sorted(salts.items())},
        key_public=bool(survey.revealed),
        extra={
            "undo": examiner.policy,
            "imported": header.game,
            **({"seat": header.seat} if header.seat else {}),
            **({"redrawn": str(survey.redrawn[-1][0])} if survey.redrawn else {}),
        },
    )
    desk.put_on_shelf(store, shelf, _Rows(log), log.content, header.name)
    return store.shelf(shelf.id)


class _Rows:
    """The rows of a log file, read and checked anew each time."""

    def __init__(self, log: LogFile) -> None:
        self.log = log

    def __iter__(self) -> Iterator[Row]:
        return (row for row, _ in self.log.rows())


def _refuse(finding: Finding) -> NoReturn:
    line = finding.position + ABOVE if finding.position is not None else None
    raise BadLog(f"{finding.reason}.", line=line)


def _outcome(rules: Ruleset, examiner: Examiner) -> str:
    state = examiner.state
    if state.pending:
        return ""
    try:
        outcome = rules.outcome(state)
    except Exception:  # rules may look at what one seat's log does not hold
        return ""
    return outcome.result if outcome is not None else ""


def _seats(rules: Ruleset, examiner: Examiner) -> dict[str, str]:
    return {
        seat: "human"
        if holder.startswith(EXEC) or (holder.startswith(BOT) and holder[len(BOT) :] not in rules.bots)
        else holder
        for seat, holder in examiner.seats.items()
    }
