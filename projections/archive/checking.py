"""Whether an archive is what its sources can still account for."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from itertools import islice

from ...domain.errors import StoreError
from ...replays.complaints import Complaint, cache
from ...replays.store import Store
from .build import LOOKED_UP, Archive
from .sources import StoreSource

ANEW = "Delete it and run `warptape archive build {}`: all of it comes from your games."


def check(path: str | os.PathLike[str], store: Store, repair: bool = False) -> Iterator[Complaint]:
    """Yield what is wrong with the archive at a path, and with what it has of the games of a store.

    An archive that has more of a game than the store has follows a store that is gone: one was restored from a backup. A
    repair takes such games out, so that the next build puts them in as they are now.
    """
    advice = ANEW.format(path)
    try:
        with Archive(path, readonly=not repair) as archive:
            faults = archive.connection.execute("PRAGMA quick_check(1)").fetchone()
            if faults != ("ok",):
                yield cache("archive", f"{path} is damaged ({' '.join(faults[0].split())})", "", advice=advice)
                return
            yield from _beyond(archive, store, repair)
    except (StoreError, sqlite3.Error) as error:
        yield cache("archive", f"{error}" if isinstance(error, StoreError) else f"{path}: {error}", "", advice=advice)


def _beyond(archive: Archive, store: Store, repair: bool) -> Iterator[Complaint]:
    source = StoreSource(store).name
    held = iter(
        archive.connection.execute(
            "SELECT tracking.item, games.events FROM tracking JOIN games ON games.id = tracking.game"
            " AND games.found_in = tracking.source AND games.found_as = tracking.item WHERE tracking.source = ?"
            " ORDER BY tracking.item",
            (source,),
        )
    )
    ahead: list[str] = []
    gone = 0
    while some := dict(islice(held, LOOKED_UP)):
        lengths = store.lengths(some)
        gone += len(some.keys() - lengths.keys())
        ahead += [game for game, length in lengths.items() if some[game] > length]
    if ahead:
        text = f"{archive.path} has more of {len(ahead)} games than the store: {', '.join(sorted(ahead)[:5])}"
        text += " …" if len(ahead) > 5 else ""
        done = ""
        if repair:
            archive.forget(source, ahead)
            done = f"they were taken out; `warptape archive build {archive.path}` puts them in anew"
        yield cache("archive", text, done)
    if gone:
        text = f"{archive.path} has {gone} games that were deleted here since"
        yield Complaint("note", "archive", text, f"`warptape archive build {archive.path}` takes them out.")
