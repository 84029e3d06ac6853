"""Moves as a file of notation: written from a recorded game, and read a line at a time from people and programs.

`docs/howto/table.md` is the format: a line holds a seat, its action, and what dice and draws gave.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from typing import IO, Any, NamedTuple

import msgspec

from ..domain.chance import OUTCOMES
from ..domain.errors import BadNotation, NotAllowed
from ..domain.events import ActionTaken, DiceRolled, Event, GameOpened, Head
from ..domain.rules import ruleset
from ..domain.secrets import Sealed
from .tape import Tape
from .upcasting import Several

LONGEST = 2**16
"""The most bytes a line of moves may have."""

_QUOTED = re.compile(r'\s*("(?:[^"\\]|\\.)*")\s*(?:,|$)')
_PLAIN = re.compile(r'[^\s",=#]+(?: [^\s",=#]+)*')


class Move(NamedTuple):
    """A line of a file: its number from 1, the seat (empty where none stands there), the notation, and the results."""

    number: int
    seat: str
    text: str
    results: tuple[str, ...] = ()


class BadMove(BadNotation):
    """A line of a file of moves cannot be read; `line` is its number from 1."""

    def __init__(self, message: str, line: int, text: str = "") -> None:
        super().__init__(message, text)
        self.line = line


# Reading


def read_moves(file: IO[bytes], seats: Collection[str]) -> Iterator[Move]:
    """Yield the moves in a file of lines, streaming; empty lines and comments are passed over.

    Raises BadMove for a line that is too long or no text. What its notation means is not looked at here.
    """
    number = 0
    while data := file.readline(LONGEST + 1):
        number += 1
        if len(data) > LONGEST:
            raise BadMove(f"A line of moves has at most {LONGEST} bytes, and this one has more.", number)
        try:
            line = data.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise BadMove(f"This is not UTF-8 (byte {error.start + 1} of the line).", number) from error
        try:
            move = read_move(line, seats, number)
        except BadNotation as error:
            raise BadMove(str(error), number, line.strip()) from error
        if move is not None:
            yield move


def read_move(line: str, seats: Collection[str], number: int = 1) -> Move | None:
    """Return the move on a line, None for an empty line or a comment; raises BadNotation for results in disorder.

    A seat stands in front, with a colon or without: a seat's id is never read as a verb. A `#` that stands alone begins
    a comment, so that a token such as `#07` is none.

    >>> read_move("eldar: mv #07 n6 = 4, 6  # at last", ["eldar", "tyranid"])
    Move(number=1, seat='eldar', text='mv #07 n6', results=('4', '6'))
    """
    text = re.split(r"(?:^|\s)#(?=\s|$)", line.strip(), maxsplit=1)[0].strip()
    if not text:
        return None
    seat, _, rest = text.partition(" ")
    if seat in seats or (seat.endswith(":") and seat[:-1] in seats):
        seat, text = seat.removesuffix(":"), rest.strip()
    else:
        seat = ""
    results: tuple[str, ...] = ()
    if text.endswith(" ="):
        text = text[:-2].rstrip()
    elif " = " in text:
        text, _, given = text.rpartition(" = ")
        text, results = text.rstrip(), tuple(read_results(given))
    return Move(number, seat, text, results)


def read_results(text: str) -> list[str]:
    """Return the results in a text such as `4, 6`; one that needs it stands in quotes, as a string of JSON.

    Raises BadNotation for quotes that do not end.
    """
    found: list[str] = []
    rest = text.strip()
    while rest:
        quoted = _QUOTED.match(rest)
        if quoted is not None:
            try:
                found.append(msgspec.json.decode(quoted[1], type=str))
            except (msgspec.MsgspecError, ValueError) as error:
                raise BadNotation(f"The result {quoted[1]} is no string as JSON writes one.", text) from error
            rest = rest[quoted.end() :]
            continue
        if rest.startswith('"'):
            raise BadNotation(f"The quotes of a result do not end: {rest[:60]}", text)
        part, _, rest = rest.partition(",")
        if part.strip():
            found.append(part.strip())
        rest = rest.lstrip()
    return found


# Writing


def moves(tape: Tape, tip: int | None = None, seat: str | None = None, *, results: bool = True) -> Iterator[str]:
    """Yield the lines of a file with the moves of the line that ends at `tip` (default: now), as one seat knows them.

    Comments at the top say what the game is and how one like it is opened. Typed into that one, the moves give the
    same game. `results=False` leaves out what dice and draws gave, for a game that draws them itself, from the same seed.

    Raises NotAllowed, before the first line, where the seat, or the log, does not know an action or a result: then
    nobody could type it.
    """
    rules = tape.ruleset
    state = rules.state()
    known = seat if seat is not None else tape.seen_as
    tip = tape.tip if tip is None else tip
    for batch in _batches(tape, tip, known):  # nothing is written of what cannot be written to its end
        position, head = batch[0]
        if isinstance(head, ActionTaken):
            _check(head.action, position)
        if results:
            drawn([event for _, event in batch], position)
    for batch in _batches(tape, tip, known):
        position, head = batch[0]
        events = [event for _, event in batch]
        if isinstance(head, GameOpened):
            yield f"# {' '.join(rules.title.split())}: '{tape.shelf.name}'\n"
            yield f"# {opened_by(head, drawn(events, position) if results else None, tape)}\n"
        elif isinstance(head, ActionTaken):
            line = f"{head.seat}: {rules.notation(state, head.action)}"
            given = drawn(events, position) if results else []
            if given or " = " in line:
                line += f" = {write_results(given)}".rstrip()
            yield f"{line}\n"
        for event in events:
            event.apply(state)


def opened_by(opening: GameOpened[Any], results: Sequence[str] | None, tape: Tape) -> str:
    """Return the command that opens a game like this one, its dice and cards to be entered; by fate without results."""
    words = ["warptape", "new", opening.ruleset]
    if results is not None:
        words += ["--chance", "table"]
    words += ["--undo", opening.undo]
    defaults = tape.ruleset.options()
    for name in opening.options.__struct_fields__:
        value = getattr(opening.options, name)
        if value != getattr(defaults, name):
            words += ["--option", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    if opening.content != ruleset(opening.ruleset).content.digest:
        words += ["--content", "FOLDER"]
    if results:
        words += ["--rolled", write_results(results)]
    return shlex.join(words)


def drawn(events: Sequence[Event], position: int) -> list[str]:
    """Return what dice and draws gave in a batch, in the order in which a table asks for it; raises NotAllowed."""
    found: list[Any] = []
    for event in events:
        if isinstance(event, Several):
            found += drawn(event.events, position)
        elif type(event) not in OUTCOMES:  # what is turned over later is no draw
            continue
        elif isinstance(event, DiceRolled):
            found += [event.values] if isinstance(event.values, Sealed) else event.values
        else:
            found.append(event.item)  # type: ignore[attr-defined]
    if any(isinstance(value, Sealed) for value in found):
        raise _not_known(position)
    return [str(value) for value in found]


def write_results(results: Sequence[str]) -> str:
    """Return results as one text, which `read_results` reads."""
    return ", ".join(one if _PLAIN.fullmatch(one) else _quoted(one) for one in results)


def _quoted(text: str) -> str:
    # Neither a sign for comments nor one for results may stand in it, or the line would be read in another way.
    return msgspec.json.encode(text).decode().replace("=", "\\u003d").replace("#", "\\u0023")


def _batches(tape: Tape, tip: int, seat: str | None) -> Iterator[list[tuple[int, Event]]]:
    batch: list[tuple[int, Event]] = []
    for position, event in tape.line(tip, 0, seat):
        if isinstance(event, Head) and batch:
            yield batch
            batch = []
        batch.append((position, event))
    if batch:
        yield batch


def _check(action: Any, position: int) -> None:
    if any(isinstance(getattr(action, name), Sealed) for name in action.__struct_fields__):
        raise _not_known(position)


def _not_known(position: int) -> NotAllowed:
    return NotAllowed(
        f"What happened at @{position} is not known here: only who knows a whole game can write its moves."
    )
