"""A bug report as a test: a pytest file, and the report beside it, that fail while the bug lives."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from ..domain.errors import StoreError
from .logfile import LogFile
from .paths import typed
from .report import ENDING, read_report
from .reported import BugReport

TEST = '''\
"""A bug report of {ruleset} that plays: this test fails while the bug lives.

What was reported, as it stands in the file:
{reported}
"""

from pathlib import Path

import warptape

REPORT = Path(__file__).with_name("{file}")


def test_{name}() -> None:
    found = warptape.reproduce(REPORT)
    assert found.gone, str(found)
'''


def write_test(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> Path:
    """Write `test_NAME.py` and a copy of the report into a folder, which is made where it is missing; returns the test.

    The test needs warptape, pytest and the ruleset. Raises BadLog for a file that is no report, StoreError where the
    folder cannot be written.
    """
    report, source, target = read_report(path), typed(path), typed(folder)
    ruleset = LogFile(path).header.ruleset
    stem = source.name.lower()
    packed = ".gz" if stem.endswith(".gz") else ""
    stem = re.sub(r"(\.report)?(\.tape)?(\.jsonl)?(\.gz)?$", "", stem)
    name = re.sub(r"[^a-z0-9]+", "_", stem).strip("_")[:60] or "report"
    copy = target / f"{name}{ENDING}{packed}"
    test = target / f"test_{name}.py"
    text = TEST.format(ruleset=_line(ruleset), reported=_reported(report), file=copy.name, name=name)
    try:
        target.mkdir(parents=True, exist_ok=True)
        if not (copy.exists() and copy.samefile(source)):
            shutil.copyfile(source, copy)
        test.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {(error.strerror or str(error)).lower()}.") from error
    return test


def _reported(report: BugReport) -> str:
    lines = [report.message, f"{report.command}: {report.failure.text()}"]
    return "\n".join(f"    {_line(line)}" for line in lines if line)


def _line(text: str) -> str:
    """Return a text from a file of others on one line, such that it cannot leave the docstring it stands in."""
    shown = text if len(text) <= 400 else f"{text[:400]}..."
    return ascii(" ".join(shown.split()))[1:-1].replace("\\", "/").replace('"', "'")
