"""The versions of the store's own tables: numbered steps, each in one transaction, for both databases alike."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from ..domain.errors import StoreError
from .reader import Cursor, ReadOnly

STEPS: tuple[tuple[str, ...], ...] = (
    (  # to version 2: the access tokens of the service, by the SHA-256 of each
        "CREATE TABLE warptape_tokens (digest TEXT PRIMARY KEY, game TEXT NOT NULL, role TEXT NOT NULL,"
        " seat TEXT NOT NULL, label TEXT NOT NULL, delay BIGINT NOT NULL, created TEXT NOT NULL,"
        " revoked TEXT NOT NULL, used TEXT NOT NULL)",
        "CREATE INDEX warptape_tokens_game ON warptape_tokens (game)",
    ),
)
"""What leads from version 1 to 2, from 2 to 3 and so on. A step that was released is never changed."""

VERSION = 1 + len(STEPS)
"""The version of the tables that this warptape writes. A new store is made as version 1 and taken through the steps."""

READABLE = 1
"""The oldest version whose tables this warptape reads as they are, where it may not upgrade a store."""


def checked(name: str, version: object) -> int:
    """Return the version found in the store `name`; raises StoreError for one that this warptape does not know."""
    if isinstance(version, int) and 1 <= version <= VERSION:
        return version
    found = "none" if version is None else version
    raise StoreError(
        f"The store {name} has tables of version {found}, and this warptape knows {VERSION}:"
        " open it with the warptape that made it, or a newer one."
    )


def make(cursor: Cursor) -> None:
    """Take a store whose tables of version 1 were just made through all steps, in the same transaction."""
    cursor.execute("INSERT INTO warptape_store VALUES (?)", (1,))
    for version in range(1, VERSION):
        _step(cursor, version)


def upgrade(transaction: Callable[[], AbstractContextManager[Cursor]], name: str, version: int) -> None:
    """Bring the store `name` from a version to today's, in place, each step in one `transaction`.

    Several processes may do so at once, and each may be killed at any moment: a step is there whole or not at all, and
    the next to open the store goes on. A store that may only be read stays as it is, if it can be read as it is.

    Raises:
        StoreError: a step failed, or the store is of a version that this warptape does not know.
    """
    while version < VERSION:
        try:
            with transaction() as cursor:
                _step(cursor, version)
                now = checked(name, found(cursor))
        except ReadOnly:
            if version >= READABLE:
                return
            raise
        if now <= version:
            raise StoreError(f"The store {name} could not be brought from version {version} to {version + 1}.")
        version = now


def found(cursor: Cursor) -> object:
    """Return what stands in the store as its version: a number, or None when nothing does."""
    cursor.execute("SELECT version FROM warptape_store")
    row = cursor.fetchone()
    return None if row is None else row[0]


def _step(cursor: Cursor, version: int) -> None:
    # The guarded write comes before everything else: it takes the lock of the store, waits for another process that is
    # at the same step, and then changes nothing.
    cursor.execute("UPDATE warptape_store SET version = ? WHERE version = ?", (version + 1, version))
    if cursor.rowcount == 1:
        for statement in STEPS[version - 1]:
            cursor.execute(statement)
