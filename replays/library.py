"""The shelf of recorded games: open one, start one, find one."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from .. import __version__
from ..domain.chance import Fate, Salt, Table
from ..domain.content import Content
from ..domain.errors import ImpossibleOutcome, OptionError, RulesetCrash, WarptapeError
from ..domain.events import GameOpened
from ..domain.referee import Referee
from ..domain.rules import Ruleset, ruleset
from .codec import POLICIES, SOURCES, Codec, batch_digest, with_head
from .game import BOT, Game
from .shelf import Row, Shelf
from .store import Store, open_store
from .takeback import BOTS, EXEC, is_holder
from .upcasting import FORMAT
from .writing import Desk

if TYPE_CHECKING:
    from .findings import Report

HUMAN = "human"

G = TypeVar("G", bound=Game)


class Library(Generic[G]):
    """The games of one store; a context manager that closes it.

    Raises StoreError when the store cannot be opened, read or written.
    """

    game_type: ClassVar[type[Game]] = Game

    def __init__(self, store: Store | str | os.PathLike[str], desk: Desk | None = None) -> None:
        self.store = store if isinstance(store, Store) else open_store(store)
        self.desk = desk or Desk()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store, and end the programs that play here; what was acknowledged is on disk already."""
        try:
            self.desk.close()
        finally:
            self.store.close()

    def games(self, ruleset: str | None = None) -> list[Shelf]:
        """Return what the shelf says of every game, the last changed first."""
        return self.store.shelves(ruleset=ruleset)

    def game(self, name: str = "last") -> G:
        """Return a game by id, unique prefix, name, or `last`; raises UnknownGame or AmbiguousGame."""
        return self.game_type(self.store, self.store.find(name), self.desk)  # type: ignore[return-value]

    def load(self, path: str | os.PathLike[str], name: str = "") -> G:
        """Put the game in a log file on the shelf, under its own name if that is free, and return it.

        Raises BadLog naming the line and the reason, UnknownRuleset, StoreError, NameTaken; nothing is imported then.
        """
        from .importing import load

        shelf = load(self.store, self.desk, path, name)
        return self.game_type(self.store, shelf, self.desk)  # type: ignore[return-value]

    def rename(self, name: str, new: str) -> Shelf:
        """Give a game, known by id, prefix, name or `last`, another name; returns its record as it was.

        Raises UnknownGame, AmbiguousGame, NameTaken, or StoreError for a name that is not allowed.
        """
        shelf = self.store.find(name)
        self.store.rename(shelf.id, new)
        return shelf

    def delete(self, name: str, with_forks: bool = False) -> list[str]:
        """Delete a game, known by id, prefix, name or `last`, for good, and on request its forks; returns their ids.

        Raises UnknownGame, AmbiguousGame, NotAllowed for a game with forks.
        """
        return self.store.delete(self.store.find(name).id, with_forks)

    def audit(self, name: str = "last", *, rules: bool = True, listing: bool = False) -> Report:
        """Audit a game by id, prefix, name or `last`, without opening it: also one that is damaged beyond that.

        `rules=False` leaves the rules out; `listing` keeps every decision that today's rules decide otherwise.
        """
        from .audit import audit_stored

        return audit_stored(self.store, self.store.find(name), rules=rules, listing=listing)

    def new(
        self,
        rules: str | Ruleset,
        *,
        seed: str | None = None,
        options: Mapping[str, Any] | None = None,
        seats: Mapping[str, str] | None = None,
        name: str = "",
        chance: str = "fate",
        undo: str = "",
        content: Content | None = None,
        outcomes: Sequence[str] = (),
        person: str = "",
    ) -> G:
        """Start a game and record its opening.

        `seed` makes it reproducible (and known to whoever typed it); without one nobody knows what chance will give.
        `options` by name, `seats` by seat (`human`, the default, or `bot:NAME`; `exec:NAME` keeps a seat for a program
        from outside, which whoever sits here must give), `chance` is `fate` or `table` (people
        enter what dice and cards gave, for every seat: no bot may hold one), `undo` a policy (default `free` with one human
        seat and at a table, else `until-revealed`),
        `content` replaces the ruleset's own, `outcomes` are the results the set-up itself needs from a table.

        Raises UnknownRuleset, OptionError, ContentError, NameTaken, NeedsOutcome.
        """
        played = ruleset(rules) if isinstance(rules, str) else rules
        if content is not None:
            played = played.bound(content)
        parsed = played.parse_options({key: str(value) for key, value in (options or {}).items()})
        held = seat_holders(played, parsed, seats or {})
        humans = sum(1 for holder in held.values() if not holder.startswith(BOTS))
        # At a table nothing is rolled for anybody: what was taken back is entered as it lies there, or as it should have been.
        policy = undo or ("free" if humans <= 1 or chance == "table" else "until-revealed")
        if policy not in POLICIES:
            raise OptionError(f"'{policy}' is no undo policy: use {', '.join(POLICIES)}.")
        if chance not in SOURCES:
            raise OptionError(f"'{chance}' is no source of chance: use fate or table.")
        if outcomes and chance != "table":
            raise OptionError("Results are entered only in a game whose chance is a table; fate draws its own.")
        if chance == "table" and humans < len(held):
            raise OptionError(
                "At a table people roll and draw for every seat, so no bot can hold one: give all seats to people, or "
                "take chance from fate."
            )
        salt = Salt(seed=seed) if seed else self.desk.salt()
        now = self.desk.now()
        opening: GameOpened[Any] = GameOpened(
            format=FORMAT,
            ruleset=played.id,
            version=played.version,
            content=played.content.digest,
            options=parsed,
            seats=held,
            commitment=salt.commitment,
            typed_seed=bool(salt.seed),
            chance=sys.intern(chance),  # what is usual is left out, and that goes by identity
            undo=sys.intern(policy),
            software=f"warptape {__version__}",
            time=now,
            person=person,
        )
        source = Fate(salt) if chance == "fate" else Table(outcomes)
        referee = Referee(played, played.state(), source)
        try:
            events = with_head(referee.open(opening))
        except WarptapeError:
            raise
        except Exception as error:
            raise RulesetCrash(
                f"The ruleset '{played.id}' failed on the set-up ({type(error).__name__}: {error}); nothing was recorded."
            ) from error
        if isinstance(source, Table) and source.left:
            raise ImpossibleOutcome(f"The set-up does not need the result '{source.left[0]}'.")
        codec = Codec(played)
        rows = [Row(at, type(event).__name__, codec.encode(event, at, salt.key)) for at, event in enumerate(events)]
        shelf = Shelf(
            id=self.desk.new_id(),
            name=name,
            ruleset=played.id,
            ruleset_version=played.version,
            content=played.content.digest,
            created=now,
            changed=now,
            length=len(rows),
            head=batch_digest(row.data for row in rows),
            outcome=referee.outcome.result if referee.outcome else "",
            seats=held,
            secrets={"0": [salt.nonce, salt.seed]},
            extra={"undo": policy},
        )
        self.desk.put_on_shelf(self.store, shelf, rows, played.content.encode(), played.title)
        game = self.game(shelf.id)
        game.play_bots()
        return game


def seat_holders(
    played: Ruleset, options: Any, given: Mapping[str, str], before: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return who holds each seat: what is given, else what was before, else a human; raises OptionError."""
    held = {seat.id: (before or {}).get(seat.id, HUMAN) for seat in played.seats(options)}
    for seat, holder in given.items():
        if seat not in held:
            raise OptionError(f"{played.id} has no seat '{seat}'. Its seats: {', '.join(held)}.")
        if holder.startswith(BOT) and holder[len(BOT) :] not in played.bots:
            known = ", ".join(BOT + bot for bot in played.bots) or "none"
            raise OptionError(f"{played.id} has no bot '{holder[len(BOT) :]}'. Its bots: {known}.")
        if holder.startswith(EXEC) and not is_holder(holder):
            raise OptionError(
                f"'{holder}' is no name of a program: a game holds up to 40 letters, digits and . _ + - after 'exec:', and "
                "no command."
            )
        if not holder.startswith(BOTS) and holder != HUMAN:
            raise OptionError(f"A seat is held by 'human' or by 'bot:NAME', not by '{holder}'.")
        held[seat] = holder
    return held
