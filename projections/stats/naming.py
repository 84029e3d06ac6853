"""What is counted by ids, under the names that people know: of cards, units, weapons, boards and areas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def name_of(names: Mapping[str, str], id: str) -> str:
    """Return the common name of an id; one that has none is its own name, read as words.

    >>> name_of({"INF-1-04": "Ventral Crawlers"}, "INF-1-04"), name_of({}, "hand_to_hand")
    ('Ventral Crawlers', 'hand to hand')
    """
    return names.get(id) or id.replace("_", " ")


def labels(rows: Sequence[Any], key: str) -> list[str]:
    """Return the name of each row; where several ids share one, each with its id, which is the rows' field `key`."""
    ids: dict[str, set[str]] = {}
    for row in rows:
        ids.setdefault(row.name, set()).add(getattr(row, key))
    return [f"{row.name} ({getattr(row, key)})" if len(ids[row.name]) > 1 else row.name for row in rows]
