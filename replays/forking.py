"""Forks: another game that begins at a moment of this one and copies nothing of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..domain.errors import NotAllowed, OptionError
from ..domain.events import GameForked
from .codec import batch_digest, with_head
from .recording import Recorder
from .redrawing import source
from .shelf import Row, Shelf
from .takeback import BOTS


def forked(game: Recorder, at: Any, name: str, seats: Mapping[str, str], undo: str) -> Shelf:
    """Record the opening of a fork from the end of the batch at a position or address; returns its shelf.

    The secrets of chance go with it only where fate may be known in both games: in all others it would show what fate
    has in store for its parent, or be played by those who know. Raises OptionError for a bot's seat at a table.
    """
    place = game.length - 1 if at is None else game.batch_end(game.locate(at))
    if place < game.whole_from:
        raise NotAllowed(
            f"Before @{game.whole_from} only what one seat knew is here: fork it as of that seat, or from there on."
        )
    state = game.state_at(place)
    if any(holder.startswith(BOTS) for holder in seats.values()) and source(game, state) == "table":
        raise OptionError("There people enter what dice and cards gave, for every seat: no bot can hold one.")
    ended = None if state.pending else game.ruleset.outcome(state)
    lineage = game.lineage(place)
    fate_is_known = game.policy == "free" and undo == "free"
    desk, shelf, first = game.desk, game.shelf, place + 1
    now = desk.now()
    prev = batch_digest(row.data for row in game.rows(game.batch_start(place), first))
    (opening,) = with_head([GameForked(lineage=lineage, seats=dict(seats), undo=undo)], time=now, prev=prev)
    data = game.codec.encode(opening, first, "")
    fork = Shelf(
        id=desk.new_id(),
        name=name,
        ruleset=shelf.ruleset,
        ruleset_version=shelf.ruleset_version,
        content=shelf.content,
        created=now,
        changed=now,
        length=first + 1,
        head=batch_digest([data]),
        outcome=ended.result if ended else "",
        seats=dict(seats),
        lineage=list(lineage),
        secrets={at: pair for at, pair in shelf.secrets.items() if int(at) <= place} if fate_is_known else {},
        key_public=shelf.key_public and fate_is_known,
        extra={**shelf.extra, "undo": undo},
    )
    desk.put_on_shelf(
        game.store, fork, [Row(first, "GameForked", data)], None, f"{shelf.name.partition(' fork')[0]} fork"
    )
    return fork
