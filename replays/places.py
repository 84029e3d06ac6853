"""Where an address leads: the position on a line of a game where a decision, a round or a level is."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from ..domain.errors import BadAddress
from .address import Address

if TYPE_CHECKING:
    from .tape import Tape


def located(tape: Tape, address: Address, tip: int) -> int:
    """Return the position an address names along the line that ends at `tip`; raises BadAddress when there is none."""
    number = address.number
    match address.kind:
        case "event":
            return tape.inside(number)
        case "end":
            return tip
        case "start":
            return tape.batch_end(0)
        case "round":
            rounds = tape.headings("round", tip)
            if not 1 <= number <= len(rounds):
                raise BadAddress(f"There is no round {number}: this line of the game has {len(rounds)}.")
            return rounds[number - 1]
        case "level":
            return _level(tape, number, address.round, tip)
    decisions = tape.on_line({"ActionTaken"}, tip)
    if address.kind == "back":
        if number > len(decisions):
            raise BadAddress(f"Only {len(decisions)} decisions were taken on this line of the game.")
        return tip if number == 0 else tape.tree.before(decisions[-number], tip)
    if not 1 <= number <= len(decisions) + 1:
        raise BadAddress(f"There is no decision {number}: {len(decisions)} were taken on this line of the game.")
    return tip if number == len(decisions) + 1 else tape.tree.before(decisions[number - 1], tip)


def _level(tape: Tape, number: int, within: int | None, tip: int) -> int:
    """Return where a level begins, or the round of it that has this number in it."""
    if not tape.heading_kinds("level"):
        raise BadAddress("This game has no levels: count its rounds along the line, as in @r3.")
    levels = tape.headings("level", tip)
    if not 1 <= number <= len(levels):
        raise BadAddress(f"There is no level {number}: this line of the game has {len(levels)}.")
    first = levels[number - 1]
    if within is None:
        return first
    rounds = tape.headings("round", tip)
    last = bisect_left(rounds, levels[number]) if number < len(levels) else len(rounds)
    rounds = rounds[bisect_left(rounds, first) : last]
    if not 1 <= within <= len(rounds):
        raise BadAddress(f"Level {number} has no round {within}: on this line of the game it has {len(rounds)}.")
    return rounds[within - 1]
