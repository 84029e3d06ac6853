"""What both databases are asked alike: tables, keys, tokens, content, and rows that belong to no game."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..domain.content import Content
from ..domain.errors import StoreError, UnknownGame, WarptapeError
from . import migrations
from .chain import HEAD_KINDS
from .complaints import Complaint, cache, damage, lost
from .reader import as_int
from .store import DELETED, Store, open_store

SOME = 500
"""Rows looked at a time: memory does not grow with their number."""

Shape = dict[str, set[str]]
"""The names of the columns of each table, and under an empty name those of the indexes."""

GONE = "NOT EXISTS (SELECT 1 FROM warptape_games WHERE id = {})"
OURS = ("", "stored_events")
FROM_BACKUP = "Restore the last backup that is whole: `warptape restore`."


def guarded(about: str, check: Callable[[], Iterator[Complaint]]) -> Iterator[Complaint]:
    """Yield what a check finds; where the database fails on it, that is what it found."""
    try:
        yield from check()
    except UnknownGame:
        return  # it was deleted meanwhile
    except StoreError as error:
        yield damage(about, f"{error}", FROM_BACKUP)


def shape() -> Shape:
    """Return the tables and indexes that every store of today's version has."""
    with open_store(":memory:") as new:  # the library has a table of another name on each
        return {table: names for table, names in new.shape().items() if table in OURS or table.startswith("warptape_")}


def tables(store: Store, repair: bool) -> Iterator[Complaint]:
    """Yield what is missing among tables, columns and indexes; a repair makes indexes anew."""
    with store.transaction(write=False) as cursor:
        version = migrations.found(cursor)
    if version != migrations.VERSION:
        text = f"the tables are of version {version}, and this warptape, which knows {migrations.VERSION}, may not change them"
        yield Complaint("risk", "database", text, "It reads them. Let a user open the store who may write it.")
        return
    wanted, found = shape(), store.shape()
    for table in sorted(wanted.keys() - {""}):
        if table not in found:
            yield damage("database", f"the table {table} is missing", FROM_BACKUP)
        elif missing := wanted[table] - found[table]:
            text = f"the table {table} lacks {' and '.join(sorted(missing))}"
            yield damage("database", text, FROM_BACKUP)
    for index in sorted(wanted[""] - found[""]):
        text = f"the index {index} is missing: all is there, and found slowly"
        statement = next(one for one in store.statements() if one.startswith(f"CREATE INDEX {index} "))
        if statement.partition(" ON ")[2].split()[0] not in found:
            continue  # the table is missing itself
        yield cache("database", text, changed(store, "it was made anew", statement) if repair else "")


def changed(store: Store, done: str, *statements: str, params: tuple[object, ...] = ()) -> str:
    """Carry statements out in one transaction; returns what was done, empty where the database did not let it.

    `params` are those of the last one.
    """
    try:
        with store.transaction(write=True) as cursor:
            for statement in statements[:-1]:
                cursor.execute(statement)
            cursor.execute(statements[-1], params)
    except StoreError:
        return ""
    return done


def strays(store: Store, repair: bool) -> Iterator[Complaint]:
    """Yield what belongs to games that are not here: events stay, whatever else is thrown away by a repair."""
    after = ""
    while True:
        with store.transaction(write=False) as cursor:
            cursor.execute(
                "SELECT originator_id, COUNT(*), MIN(topic) FROM stored_events WHERE originator_id > ?"
                f" AND {GONE.format('originator_id')} AND topic <> ? GROUP BY originator_id"
                " ORDER BY originator_id LIMIT ?",
                (after, DELETED, SOME),
            )
            chunk = cursor.fetchall()
        for game, count, _ in chunk:
            text = f"there are {count} events of a game {game} that is not on the shelf"
            yield damage("events", text, "Nothing was changed. If a backup has that game, restore it from there.")
        if len(chunk) < SOME:
            break
        after = str(chunk[-1][0])
    there = store.shape()
    for table, what in (
        ("warptape_snapshots", "snapshots"),
        ("warptape_keys", "idempotency keys"),
        ("warptape_tokens", "access tokens"),
    ):
        if table not in there:
            continue  # of an older version, or told of already
        where = f"game <> '' AND {GONE.format('game')}"
        count = _count(store, f"SELECT COUNT(*) FROM {table} WHERE {where}")
        if count:
            done = changed(store, "they were thrown away", f"DELETE FROM {table} WHERE {where}") if repair else ""
            yield cache(what, f"{count} belong to games that are not here", done)


def _count(store: Store, sql: str, params: tuple[object, ...] = ()) -> int:
    with store.transaction(write=False) as cursor:
        cursor.execute(sql, params)
        row = cursor.fetchone()
        return 0 if row is None else as_int(row[0])


def contents(store: Store, repair: bool) -> Iterator[Complaint]:
    """Yield the content that no game uses and whose digest is another: a new game would be given it."""
    after = ""
    while True:
        with store.transaction(write=False) as cursor:
            cursor.execute(
                "SELECT digest FROM warptape_contents WHERE digest > ? ORDER BY digest LIMIT ?", (after, SOME)
            )
            digests = [str(row[0]) for row in cursor.fetchall()]
        for digest in digests:
            try:
                sound = Content.decode(store.content(digest)).digest == digest
            except WarptapeError:
                sound = False
            if sound or _count(store, "SELECT COUNT(*) FROM warptape_games WHERE content = ?", (digest,)):
                continue  # of one that is used, each game is told of
            unused = (
                "DELETE FROM warptape_contents WHERE digest = ? AND digest NOT IN (SELECT content FROM warptape_games)"
            )
            lock = (store.shut,) if store.shut else ()  # a game that is being made with it would not be seen
            done = changed(store, "it was thrown away", *lock, unused, params=(digest,)) if repair else ""
            yield cache("content", f"what is kept under the digest {digest} is damaged; no game uses it", done)
        if len(digests) < SOME:
            return
        after = digests[-1]


def keys(store: Store, game: str, name: str) -> Iterator[Complaint]:
    """Yield the idempotency keys of a game that point at no head of a batch."""
    heads = sorted(HEAD_KINDS)
    places = ", ".join("?" * len(heads))
    count = _count(
        store,
        "SELECT COUNT(*) FROM warptape_keys WHERE game = ? AND NOT EXISTS (SELECT 1 FROM stored_events"
        f" WHERE originator_id = game AND originator_version = position AND topic IN ({places}))",
        (game, *heads),
    )
    if count:
        text = f"{count} idempotency keys point at no action: a repeated request would get a wrong answer"
        yield damage("keys", text, lost(game), game=game, name=name)


def order(store: Store, game: str, name: str) -> Iterator[Complaint]:
    """Yield it where the notification log has a game's events in another order than its own log."""
    with store.transaction(write=False) as cursor:
        cursor.execute(
            "SELECT originator_version FROM (SELECT originator_version, number, LAG(number) OVER (ORDER BY"
            f" originator_version) AS before FROM (SELECT originator_version, {store.notice} AS number"
            " FROM stored_events WHERE originator_id = ?) AS numbered) AS ordered WHERE number <= before LIMIT 1",
            (game,),
        )
        row = cursor.fetchone()
    if row is not None:
        text = f"in the notification log event @{row[0]} stands before the one it follows"
        yield damage("events", text, "Whoever follows the log misses it. " + lost(game), game=game, name=name)
