"""Forks as of one seat: the game goes on from what that seat knew, with everything else drawn anew.

Such a fork refers to no other log. It begins with the events of its parent as the seat knows them, under the same chain,
and `Redrawn` says value by value what lies where the seat could not look. So it holds nothing that the seat's own log
does not give, and it can be made of that log alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from ..domain.chance import Luck
from ..domain.errors import NotAllowed, OptionError, RulesetCrash, WarptapeError
from ..domain.events import Event, GameForked, GameOpened, Redrawn, Resalted
from ..domain.redraw import Redealt, unknown
from ..domain.rules import Ruleset
from ..domain.secrets import Disclosure, visible
from .codec import batch_digest, with_head
from .shelf import Row, Shelf
from .takeback import BOTS
from .upcasting import Eras

if TYPE_CHECKING:
    from .recording import Recorder
    from .tape import Tape

LUCK = "redraw"
"""The label of the numbers, under the fork's own key, that draw what the seat did not know."""

MEMORY = 8 * 2**20
"""Bytes of a parent's log that are copied in memory; more go through a file."""

_encode = msgspec.json.Encoder().encode
_disclosures = msgspec.json.Decoder(list[Disclosure])


def forked_as_of(game: Recorder, at: Any, seat: str, name: str, seats: Mapping[str, str], undo: str) -> Shelf:
    """Record a fork from the end of the batch at a position or address, as of a seat; returns its shelf.

    Nothing of what the seat does not know is read, so a seat's own log gives the same fork. Raises NotAllowed for an
    unknown seat, for one whose knowledge is not here, and where the game is over; OptionError for a bot at a table.
    """
    place = game.length - 1 if at is None else game.batch_end(game.locate(at))
    _check(game, place, seat)
    seen = game.ruleset.view(game.state_at(place), seat)
    if not seen.pending:
        raise NotAllowed("The game is over there, and nothing is left to be drawn: fork it before its end.")
    mode = source(game, seen)
    if mode == "table" and any(holder.startswith(BOTS) for holder in seats.values()):
        raise OptionError("There people enter what dice and cards gave, for every seat: no bot can hold one.")
    desk = game.desk
    now, salt = desk.now(), desk.salt()
    forked: Event = GameForked(lineage=game.lineage(place), seats=dict(seats), undo=undo)
    eras = [one for one in game.eras() if one.first <= place]
    batches = [[forked], *Eras(game.ruleset, lambda: eras).upgrade(acting=True)]
    epoch = place + 1 + len(batches)
    fixed = seen.chance.fixed()
    because = f"what {seat} did not know is drawn anew"
    batches.append([Resalted(at=epoch, commitment=salt.commitment, chance=mode, fixed=fixed, reason=because)])
    batches.append([Redrawn(seat=seat, values=drawn(game.ruleset, seen, seat, salt.key))])
    prev = batch_digest(row.data for row in game.rows(game.batch_start(place), place + 1))
    own: list[Row] = []
    for position, batch in enumerate(batches, place + 1):
        (event,) = with_head(batch, time=now, prev=prev)
        data = game.codec.encode(event, position, salt.key)
        own.append(Row(position, type(event).__name__, data))
        prev = batch_digest([data])
    shelf = game.shelf
    fork = Shelf(
        id=desk.new_id(),
        name=name,
        ruleset=shelf.ruleset,
        ruleset_version=shelf.ruleset_version,
        content=shelf.content,
        created=now,
        changed=now,
        length=own[-1].position + 1,
        head=prev,
        seats=dict(seats),
        secrets={str(epoch): [salt.nonce, salt.seed]},
        extra={"undo": undo, "redrawn": str(own[-1].position)},
    )
    with _Spool(seen_rows(game, place + 1, seat), own) as rows:
        desk.put_on_shelf(game.store, fork, rows, None, f"{shelf.name.partition(' fork')[0]} fork")
    return fork


def _check(game: Recorder, place: int, seat: str) -> None:
    if seat not in game.shelf.seats:
        raise NotAllowed(f"This game has no seat '{seat}'. Its seats: {', '.join(game.shelf.seats)}.")
    known = game.known_to(place)
    if known - {seat}:
        others = " and ".join(sorted(known))
        raise NotAllowed(f"Up to there only what {others} knew is here, which is not enough for what {seat} knew.")


def source(tape: Tape, state: Any) -> str:
    """Return where outcomes come from at a state: `fate` or `table`."""
    event = tape.event(state.chance.epoch)
    assert isinstance(event, GameOpened | Resalted)
    return event.chance


def drawn(rules: Ruleset, seen: Any, seat: str, key: str) -> tuple[Redealt, ...]:
    """Return everything that a seat's view hides, drawn by the rules with the numbers of a key.

    Raises RulesetCrash where the rules do not give a full state that looks to the seat as its view does.
    """
    try:
        full = rules.determinize(seen, seat, Luck(key, LUCK))
        values = tuple(unknown(seen, full))
        if rules.view(full, seat) != seen:
            raise ValueError("what the seat knew would be changed")
    except WarptapeError:
        raise
    except Exception as error:
        raise RulesetCrash(
            f"The ruleset '{rules.id}' cannot draw anew what {seat} does not know ({type(error).__name__}: {error}); "
            "nothing was recorded."
        ) from error
    return values


def seen_rows(tape: Tape, stop: int, seat: str) -> Iterator[Row]:
    """Yield the rows before `stop` without the secrets that a seat may not have: what the chain covers stays."""
    for position, kind, data in tape.rows(0, stop):
        public, _, beside = data.partition(b"\n")
        given = visible(_disclosures.decode(beside), seat) if beside else []
        yield Row(position, kind, public + b"\n" + _encode(given) if given else public)


class _Spool:
    """Rows put aside to be read while the store writes: a store cannot be read within its own transaction."""

    def __init__(self, rows: Iterator[Row], own: list[Row]) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=MEMORY)  # noqa: SIM115
        self._own = own
        for row in rows:
            self._file.write(f"{row.position} {row.kind} {len(row.data)}\n".encode() + row.data)

    def __enter__(self) -> _Spool:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[Row]:
        self._file.seek(0)
        while head := self._file.readline():
            position, kind, size = head.decode().split()
            yield Row(int(position), kind, self._file.read(int(size)))
        yield from self._own
