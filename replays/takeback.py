"""Taking back: where undo and redo go, and what the game's undo policy allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..domain.errors import NotAllowed
from ..domain.events import ActionTaken, Event, Rewound, UndoAnswered, UndoAsked

if TYPE_CHECKING:
    from .game import Game


class Takebacks:
    """The undo rules of one game.

    `free` allows everything; `until-revealed` lets a seat take back its own last action while no other seat has acted
    and nothing was revealed; `consent` lets the other seat agree to what `until-revealed` does not allow.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def last_action(self) -> tuple[int, ActionTaken]:  # type: ignore[type-arg]
        """Return the head to which an undo goes back: that of the last line a person typed.

        Bots' answers go with it; where only bots have played it is the last action. Raises NotAllowed at the opening.
        """
        game = self.game
        positions = [row.position for row in game.kinds({"ActionTaken"})]
        tip = game.tip
        newest: tuple[int, ActionTaken] | None = None  # type: ignore[type-arg]
        at = game.tree.last_on_line(positions, tip)
        while at is not None:
            head = game.event(at)
            assert isinstance(head, ActionTaken)
            newest = newest or (at, head)
            if not head.person.startswith("bot:"):
                if not head.joined:
                    return at, head
            elif not any(not holder.startswith("bot:") for holder in game.seats.values()):
                return at, head
            before = game.tree.before(at, tip)
            at = game.tree.last_on_line(positions, before) if before >= 0 else None
        if newest is None:
            raise NotAllowed("There is nothing to take back: the game stands at its opening.")
        return newest

    def undo_target(self, seat: str | None) -> int:
        """Return the position an undo asked for by a seat goes to; raises NotAllowed, saying why not."""
        at, head = self.last_action()
        why = self.barrier(at, head, seat)
        if why is not None:
            if self.game.policy == "consent":
                raise NotAllowed(f"{why} Ask the other seat to agree: `consent` answers it.")
            raise NotAllowed(why)
        return self.game.tree.before(at, self.game.tip)

    def barrier(self, at: int, head: ActionTaken, seat: str | None) -> str | None:  # type: ignore[type-arg]
        """Return why the policy forbids taking back everything from a head on; None when it allows it."""
        game = self.game
        if game.policy == "free":
            return None
        asking = seat or head.seat
        if head.seat != asking:
            return f"{asking} may not take back an action of {head.seat}."
        for position, event in game.line(start=at):
            if isinstance(event, ActionTaken) and event.seat != asking:
                return f"{event.seat} has acted since (@{position})."
            if event.reveals:
                return f"Something was revealed since (@{position} {type(event).__name__})."
        return None

    def redo_target(self) -> int:
        """Return the tip that a redo goes to: the last one left by an undo or a rewind since the last action."""
        tips = self.redo_tips()
        if not tips:
            raise NotAllowed("There is nothing to redo: nothing was taken back since the last action.")
        to = tips[-1]
        self.check_rewind(to, redo=True)
        return to

    def redo_tips(self) -> list[int]:
        """Return the tips left since the last action, the oldest first: an editor's redo stack."""
        game = self.game
        tips: list[int] = []
        rows = game.kinds({"ActionTaken", "Rewound"})
        last = max((number for number, row in enumerate(rows) if row.kind == "ActionTaken"), default=-1)
        for row in rows[last + 1 :]:
            event = game.codec.decode(row.data, row.position)
            assert isinstance(event, Rewound)
            if event.by == "redo":
                tips.pop()
            else:
                tips.append(game.tree.resolve(row.position - 1))
        return tips

    def check_rewind(self, to: int, redo: bool = False) -> None:
        """Raise NotAllowed unless the policy lets anybody go to any position (a redo may go where an undo came from)."""
        if self.game.policy != "free" and not redo:
            raise NotAllowed(
                f"This game's undo policy is '{self.game.policy}': use undo, or fork the game to look at other lines."
            )

    # Consent

    def open_request(self) -> tuple[int, UndoAsked] | None:
        """Return the request that nobody has answered and no action has overtaken, with its position."""
        for row in reversed(self.game.kinds({"UndoAsked", "UndoAnswered", "ActionTaken", "Rewound"})):
            event = self.game.codec.decode(row.data, row.position)
            return (row.position, event) if isinstance(event, UndoAsked) else None
        return None

    def ask(self, seat: str) -> list[Event]:
        """Return the batch by which a seat asks to take back the last action; raises NotAllowed by another policy."""
        if self.game.policy != "consent":
            raise NotAllowed(f"This game's undo policy is '{self.game.policy}': nobody has to be asked.")
        if self.open_request() is not None:
            raise NotAllowed("There is an open request already.")
        at, _ = self.last_action()
        return [UndoAsked(to=self.game.tree.before(at, self.game.tip), seat=seat)]

    def answer(self, seat: str, agree: bool) -> tuple[str, int, list[Event]]:
        """Return who asked, the position asked for, and the batch that answers; raises NotAllowed for no request."""
        request = self.open_request()
        if request is None:
            raise NotAllowed("Nobody asks to take anything back.")
        position, asked = request
        if asked.seat == seat:
            raise NotAllowed("The other seat must answer, not the one that asked.")
        return asked.seat, asked.to, [UndoAnswered(asked=position, granted=agree, seat=seat)]
