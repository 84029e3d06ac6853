"""The data dictionary: every table, column and view in words, for the docs, for Datasette and for `archive tables`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .questions import QUESTIONS, Question
from .tables import TABLES, Table
from .views import VIEW_TEXTS, VIEWS


def described() -> list[dict[str, Any]]:
    """Return tables and views as plain data."""
    tables = [
        {
            "name": table.name,
            "kind": "table",
            "text": table.text,
            "key": list(table.key),
            "columns": [
                {"name": column.name, "type": column.type.partition(" ")[0], "text": column.text}
                for column in table.columns
            ],
        }
        for table in TABLES
    ]
    return [*tables, *({"name": name, "kind": "view", "text": VIEW_TEXTS[name]} for name in VIEWS)]


def markdown() -> str:
    """Return tables, columns, views and questions as Markdown, below headings of the second level."""
    return "\n\n".join(_parts()) + "\n"


def _parts() -> Iterator[str]:
    yield "## Tables"
    yield "\n".join(
        ["| table | a row is |", "| --- | --- |", *(f"| [`{t.name}`](#{t.name}) | {t.text} |" for t in TABLES)]
    )
    for table in TABLES:
        yield f"### {table.name}"
        yield f"{table.text} {_keys(table)}"
        rows = [f"| `{column.name}` | {column.type.partition(' ')[0]} | {column.text} |" for column in table.columns]
        yield "\n".join(["| column | type | |", "| --- | --- | --- |", *rows])
    yield "## Views"
    yield "\n".join(["| view | |", "| --- | --- |", *(f"| `{name}` | {VIEW_TEXTS[name]} |" for name in VIEWS)])
    for name, select in VIEWS.items():
        yield f"### {name}"
        yield VIEW_TEXTS[name]
        yield f"```sql\n{_dedented(select)}\n```"


def _keys(table: Table) -> str:
    key = f"Key: {', '.join(f'`{name}`' for name in table.key)}."
    searched = f" Index: {', '.join(f'`{name}`' for name in table.indexes)}." if table.indexes else ""
    return key + searched


def _dedented(select: str) -> str:
    import textwrap

    return textwrap.dedent(select.strip("\n")).strip()


def metadata(database: str) -> dict[str, Any]:
    """Return what Datasette shows beside the data of a file `database`.db: texts, units of search, canned queries."""
    return {
        "title": "An archive of recorded games",
        "description": "Made by warptape. What hangs together has the same game and position: GAME@57.",
        "databases": {
            database: {
                "tables": {
                    **{
                        table.name: {
                            "description": table.text,
                            "columns": {column.name: column.text for column in table.columns},
                            **({"fts_table": "story_fts", "fts_pk": "id"} if table.name == "story" else {}),
                            **({"label_column": "name"} if table.name == "games" else {}),
                        }
                        for table in TABLES
                    },
                    **{name: {"description": text} for name, text in VIEW_TEXTS.items()},
                    "archive": {"hidden": True},
                    "tracking": {"hidden": True},
                },
                "queries": {
                    question.name: {
                        "title": question.title,
                        "sql": begun(question),
                        "params": [name for name, _ in question.params],
                    }
                    for question in QUESTIONS
                },
            }
        },
    }


def begun(question: Question) -> str:
    """Return a question's SQL for a page whose fields are empty at first: what is left empty has the value to begin with."""
    sql = question.sql
    for name, value in question.params:
        text = value.replace("'", "''")
        sql = re.sub(rf":{name}\b", f"ifnull(nullif(trim(:{name}), ''), '{text}')", sql)
    return sql
