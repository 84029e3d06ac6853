"""What a PostgreSQL schema is asked: its indexes, its rights, and where its notification numbers stand."""

from __future__ import annotations

from collections.abc import Iterator

from .checkup import changed
from .complaints import Complaint, cache
from .postgres import PostgresStore

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
    rows = _asked(store, f"SELECT last_value, is_called FROM {store.schema}.{SEQUENCE}")
    last, called = rows[0]
    if isinstance(last, int) and (last if called else last - 1) < (newest := store.latest()):
        text = f"the next event would get number {last + bool(called)}, and number {newest} is given already"
        move = f"SELECT setval('{store.schema}.{SEQUENCE}', (SELECT MAX(notification_id) FROM stored_events))"
        yield cache("events", text, changed(store, "the numbers go on after the newest", move) if repair else "")
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
