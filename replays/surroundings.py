"""What lies outside a store and makes a difference: the user's file of playouts, and the optional parts of warptape."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from importlib import metadata
from pathlib import Path

from .complaints import Complaint, cache
from .valuing import user_cache

FOR_MAKERS = {"dev", "docs", "fuzz"}
"""Extras that those need who work on warptape itself."""


def playouts(repair: bool) -> Iterator[Complaint]:
    """Yield what is wrong with the file of playouts that analyses are worked out from; a repair deletes a damaged one."""
    path = Path(user_cache())
    if not path.is_file():
        return
    wrong = ""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
            fault = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if fault != "ok":
                wrong = str(fault)
            connection.execute("SELECT key, number, won FROM playouts LIMIT 1").fetchone()
    except sqlite3.DatabaseError as error:
        wrong = str(error)
        if "locked" in wrong or "unable to open" in wrong:
            yield Complaint("risk", "playouts", f"the file of playouts {path} cannot be read: {wrong}", "Is it in use?")
            return
    if wrong:
        done = ""
        if repair:
            with suppress(OSError):
                for suffix in ("", "-wal", "-shm"):
                    Path(f"{path}{suffix}").unlink(missing_ok=True)
                done = "it was deleted, which costs time only"
        yield cache("playouts", f"the file of playouts {path} is damaged ({' '.join(wrong.split())})", done)


def extras() -> Iterator[Complaint]:
    """Yield which optional parts are not installed: all in one."""
    try:
        required = metadata.requires("warptape") or []
    except metadata.PackageNotFoundError:
        return
    missing: dict[str, list[str]] = {}
    for line in required:
        name = re.match(r"[A-Za-z0-9._-]+", line)
        extra = re.search(r"""extra\s*==\s*["']([^"']+)""", line)
        if name is None or extra is None or extra[1] in FOR_MAKERS:
            continue
        try:
            metadata.version(name[0])
        except metadata.PackageNotFoundError:
            missing.setdefault(extra[1], []).append(name[0])
    if missing:
        parts = ", ".join(f"{part} ({', '.join(packages)})" for part, packages in missing.items())
        wanted = ",".join(missing)
        text = f"optional parts that are not installed: {parts}"
        yield Complaint("note", "extras", text, f"`pip install 'warptape[{wanted}]'` adds them.")
