"""What a PostgreSQL schema is asked: its indexes, its rights, and where its notification numbers stand."""

from __future__ import annotations

from collections.abc import Iterator

from .checkup import changed
from .complaints import Complaint, cache
from .postgres import PostgresStore
from .reader import as_int

SEQUENCE = "stored_events_notification_id_seq"


def schema(store: PostgresStore, repair: bool) -> Iterator[Complaint]:
    """Yield what is wrong with the schema; a repair makes indexes anew and moves the numbers on, and changes no rows."""
    rows = _asked(
        store,
        "SELECT c.relname FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid"
        " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = ? AND NOT (i.indisvalid AND i.indisready) ORDER BY 1",
        store.schema,
    )
    for (index,) in rows:
        text = f"the index {index} is not valid: PostgreSQL does not use it"
        done = changed(store, "it was made anew", f'REINDEX INDEX {store.schema}."{index}"') if repair else ""
        yield cache("database", text, done)
    # In one statement: the sequence is read after the events, so a writer at work is never taken for a fault.
    ((newest, last, called),) = _asked(
        store,
        "SELECT (SELECT COALESCE(MAX(notification_id), 0) FROM stored_events), last_value, is_called"
        f" FROM {store.schema}.{SEQUENCE}",
    )
    following = as_int(last) + bool(called)
    if following <= as_int(newest):
        text = f"the next event would get number {following}, and number {newest} is given already"
        lock = "LOCK TABLE stored_events IN EXCLUSIVE MODE"  # as every writer does
        move = f"SELECT setval('{store.schema}.{SEQUENCE}', (SELECT MAX(notification_id) FROM stored_events))"
        yield cache("events", text, changed(store, "the numbers go on after the newest", lock, move) if repair else "")
    rows = _asked(
        store,
        "SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = ? AND NOT (has_table_privilege("
        "quote_ident(schemaname) || '.' || quote_ident(tablename), 'SELECT') AND has_table_privilege("
        "quote_ident(schemaname) || '.' || quote_ident(tablename), 'INSERT')) ORDER BY 1",
        store.schema,
    )
    if rows:
        text = f"this user may not read and write {', '.join(str(row[0]) for row in rows)}"
        yield Complaint(
            "risk", "database", text, "Grant SELECT, INSERT, UPDATE and DELETE on all tables of the schema."
        )
    ((recovering, readonly),) = _asked(
        store, "SELECT pg_is_in_recovery(), current_setting('default_transaction_read_only') = 'on'"
    )
    if recovering or readonly:
        text = "the server takes no writes" + (" (it is a standby)" if recovering else "")
        yield Complaint("risk", "database", text, "Open the store on the server that does.")


def _asked(store: PostgresStore, sql: str, *params: object) -> list[tuple[object, ...]]:
    with store.transaction(write=False) as cursor:
        cursor.execute(sql, params)
        return [tuple(row) for row in cursor.fetchall()]
