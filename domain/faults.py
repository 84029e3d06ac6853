"""What checks of content find: a fault and where it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from .content import Content
from .errors import ContentError


class Fault(NamedTuple):
    """What is wrong with record `number` (from 0) of a table of a file, at its `key` if one is named.

    Without a table the fault is the file's as a whole.
    """

    reason: str
    file: str
    table: str = ""
    number: int = 0
    key: str = ""


def refuse(content: Content, faults: Iterable[Fault]) -> None:
    """Raise ContentError, naming file, line, record and reason, for the first of the faults, if there is one."""
    for fault in faults:
        if not fault.table:
            raise ContentError(f"{fault.file}: {fault.reason}")
        raise content.wrong(fault.file, fault.table, fault.number, fault.reason, fault.key)


def repeated(names: Iterable[str]) -> str:
    """Return the first name that is there more than once; empty if all differ."""
    return next((name for name, times in Counter(names).items() if times > 1), "")
