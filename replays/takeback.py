"""Taking back: where undo and redo go, and what the game's undo policy allows."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

from ..domain.errors import NotAllowed
from ..domain.events import ActionTaken, Event, KeyRevealed, Resalted, Rewound, UndoAnswered, UndoAsked

if TYPE_CHECKING:
    from .game import Game
    from .tape import Tape

BOT = "bot:"
"""Begins the holder of a seat that a bot of the ruleset plays: `bot:sensible`."""

EXEC = "exec:"
"""Begins the holder of a seat that a program from outside plays, where it is there: `exec:greedy.py`, a name and no command."""

LONGEST_NAME = 40
"""Letters of the name of a program, at the most."""

BOTS = (BOT, EXEC)
"""What begins the name of whoever acts and is no person."""


def is_holder(text: str) -> bool:
    """Say whether a text may stand in a game as the holder of a seat that a program plays: `exec:NAME`."""
    name = text.removeprefix(EXEC)
    plain = name.isascii() and all(letter.isalnum() or letter in "._+-" for letter in name)
    return text.startswith(EXEC) and plain and 0 < len(name) <= LONGEST_NAME


def open_request(tape: Tape) -> tuple[int, UndoAsked] | None:
    """Return the request to take something back that is open in a game, with its position: see `Takebacks.open_request`."""
    for row in tape.newest({"UndoAsked", "UndoAnswered", "ActionTaken", "Rewound"}):
        event = tape.codec.decode(row.data, row.position)
        return (row.position, event) if isinstance(event, UndoAsked) else None
    return None


class Takebacks:
    """The undo rules of one game.

    `free` allows everything; `until-revealed` lets a seat take back its own last action while no other seat has acted
    and nothing was revealed; `consent` lets the other seat agree to what `until-revealed` does not allow (bots always
    agree).
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def check_seat(self, seat: str | None) -> None:
        """Raise NotAllowed for a seat that this game does not have; none is as good as any."""
        if seat and seat not in self.game.seats:
            raise NotAllowed(f"This game has no seat '{seat}'. Its seats: {', '.join(self.game.seats)}.")

    def _bot(self, seat: str) -> bool:
        return self.game.seats.get(seat, "").startswith(BOTS)

    def _by_a_bot(self, head: ActionTaken[Any]) -> bool:
        """Whether an action is a bot's answer: a person may have played the seat of a program that was not there."""
        return self.game.seats.get(head.seat, "").startswith(BOT) or head.person.startswith(EXEC)

    def last_action(self, seat: str | None = None) -> tuple[int, ActionTaken[Any]]:
        """Return the head to which an undo goes back: that of the last line of actions a person took (or one seat).

        Bots' answers go with it; where bots hold all seats it is the last action. Raises NotAllowed where there is none.
        """
        game = self.game
        only_bots = all(self._bot(one) for one in game.seats)
        for row in game.newest_on_line({"ActionTaken"}, game.tip):
            if row.position < game.whole_from:
                break
            head = game.codec.decode(row.data, row.position)
            assert isinstance(head, ActionTaken)
            if not head.joined and (only_bots or not self._by_a_bot(head)) and seat in (None, head.seat):
                return row.position, head
        raise NotAllowed(
            f"There is nothing to take back: {f'{seat} has taken no' if seat else 'nobody has taken an'} action on this line."
        )

    def undo_target(self, seat: str | None) -> tuple[int, str]:
        """Return the position an undo asked for by a seat goes to, and that seat; raises NotAllowed, saying why not."""
        game = self.game
        self.check_seat(seat)
        at, head = self.last_action()
        asking = seat or head.seat
        why = self.barrier(at, head, asking)
        if why is not None:
            if game.policy == "consent":
                why = f"{why} Ask the other seat to agree: `consent` answers it."
            raise NotAllowed(why)
        return game.tree.before(at, game.tip), asking

    def barrier(self, at: int, head: ActionTaken[Any], asking: str) -> str | None:
        """Return why the policy forbids taking back everything from a head on; None when it allows it."""
        game = self.game
        if game.policy == "free":
            return None
        if head.seat != asking:
            return f"{asking} may not take back an action of {head.seat}."
        if game.policy == "consent" and all(self._bot(seat) for seat in game.seats if seat != asking):
            return None
        for position, event in game.line(start=at):
            if isinstance(event, ActionTaken) and event.seat != asking:
                return f"{event.seat} has acted since (@{position})."
            if isinstance(event, Resalted):
                return f"Chance has had a new secret since (@{position})."
            if isinstance(event, KeyRevealed) and game.ruleset.secretive:
                return f"The secret of chance is out (@{position}), and all that was hidden with it."
            if event.reveals:
                return f"Something was revealed since (@{position} {type(event).__name__})."
        for position, event in game.events(at):
            # On a line that was left since, the other seat having agreed: to that, and not to more.
            if event.reveals:
                return f"Something was revealed since (@{position} {type(event).__name__}, taken back)."
        return None

    def redo_target(self, seat: str | None) -> tuple[int, str]:
        """Return the tip that a redo goes to, the last one left since the last action, and the seat that does it.

        Raises NotAllowed when there is none, and by a policy other than `free` for another seat than the one that left.
        """
        self.check_seat(seat)
        tips = self.redo_tips()
        if not tips:
            raise NotAllowed("There is nothing to redo: nothing was taken back since the last action.")
        to, left_by = tips[-1]
        if self.game.policy != "free" and seat and left_by and seat != left_by:
            raise NotAllowed(f"{left_by} took that back, so only {left_by} may redo it.")
        return to, seat or left_by

    def redo_tips(self) -> list[tuple[int, str]]:
        """Return the tips left since the last action, the oldest first, and who left: an editor's redo stack."""
        game = self.game
        rows = game.newest({"ActionTaken", "Rewound"})
        tips: list[tuple[int, str]] = []
        for row in reversed(list(takewhile(lambda row: row.kind == "Rewound", rows))):
            event = game.codec.decode(row.data, row.position)
            assert isinstance(event, Rewound)
            if event.by != "redo":
                tips.append((game.tree.resolve(row.position - 1), event.seat))
            elif tips:
                tips.pop()
        return tips

    def check_rewind(self, seat: str = "") -> None:
        """Raise NotAllowed unless the policy lets anybody go to any position."""
        self.check_seat(seat)
        if self.game.policy != "free":
            raise NotAllowed(
                f"This game's undo policy is '{self.game.policy}': use undo, or fork the game to look at other lines."
            )

    # Consent

    def open_request(self) -> tuple[int, UndoAsked] | None:
        """Return the request that nobody has answered and no action has overtaken, with its position."""
        return open_request(self.game)

    def ask(self, seat: str) -> list[Event]:
        """Return the batch by which a seat asks to take back its last action and all since.

        Raises NotAllowed by another policy, while a request is open, and for a seat that has not acted.
        """
        game = self.game
        self.check_seat(seat)
        if game.policy != "consent":
            raise NotAllowed(f"This game's undo policy is '{game.policy}': nobody has to be asked.")
        if self.open_request() is not None:
            raise NotAllowed("There is an open request already.")
        at, head = self.last_action(seat or None)
        return [UndoAsked(to=game.tree.before(at, game.tip), seat=seat or head.seat)]

    def answer(self, seat: str, agree: bool) -> tuple[UndoAsked, list[Event]]:
        """Return what was asked, and the batch that answers it; raises NotAllowed for no request."""
        request = self.open_request()
        if request is None:
            raise NotAllowed("Nobody asks to take anything back.")
        position, asked = request
        self.check_seat(seat)
        if not seat or asked.seat == seat:
            raise NotAllowed("The other seat must answer, not the one that asked.")
        return asked, [UndoAnswered(asked=position, granted=agree, seat=seat)]
