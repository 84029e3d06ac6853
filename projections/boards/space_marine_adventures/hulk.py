"""What lies and stands on the hulk: squares, tiles, pieces, what may be chosen, and what the signs mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....domain.geometry import square_name
from ....domain.rules import Decision
from ....domain.space_marine_adventures.actions import Attack, Call, Deploy, Enter, Move, ThrowGrenade
from ....domain.space_marine_adventures.advanced import destroyed_at
from ....domain.space_marine_adventures.book import Book
from ....domain.space_marine_adventures.hulk import Hulk
from ....domain.space_marine_adventures.state import PRIME, LevelState, Marine
from ....domain.words import counted
from ...scene import Axes, Cell, Key, Mark, Piece, Shape
from .words import glyph, kind_name, mission, role, short

TYRANIDS = {"termagant": "foe.1", "genestealer": "foe.2", "lictor": "foe.3", PRIME: "foe.4"}
TILE = ("X1", "X2", "X3", "X4")
"""The tile on which a squad waits between two levels."""


class Table:
    """Where everything lies that is drawn: the hulk, once a board is laid, and the tile that has not docked yet."""

    def __init__(self, book: Book, state: LevelState) -> None:
        self.book = book
        self.state = state
        # Before the entry is chosen no tile lies at it: `cells` leaves that tile out.
        self.hulk: Hulk | None = (
            book.catalogue.hulk(state.face, state.entry or "A", state.exit or None) if state.face else None
        )
        self.waiting: dict[str, tuple[int, int]] = {}
        if state.faces and not state.entry:
            below = len(book.catalogue.faces[state.face].lines) + 1 if state.face in book.catalogue.faces else 0
            self.waiting = {name: (x, below) for x, name in enumerate(TILE)}

    def at(self, name: str) -> tuple[int, int] | None:
        """Return where a square is drawn, None for one that is not on the table."""
        if name in self.waiting:
            return self.waiting[name]
        grid = self.hulk.grid if self.hulk else None
        square = grid.index.get(name) if grid else None
        if grid is None or square is None or (not self.state.entry and name.startswith("V")):
            return None
        return grid.point(square)

    # Squares

    def cells(self) -> Iterator[Cell]:
        """Yield the squares of the hulk and of the tiles."""
        if self.hulk is not None:
            yield from self._ground(self.hulk)
        for name, (x, y) in self.waiting.items():
            yield Cell(x=x, y=y, kind="vessel", name=f"{name}, the tile that docks", ref=name)

    def _ground(self, hulk: Hulk) -> Iterator[Cell]:
        state, grid = self.state, hulk.grid
        exits = {square: label for label, square in hulk.exits.items()}
        xenos = {square: str(number) for number, square in enumerate(hulk.xenos, 1) if square >= 0}
        objective = grid.index.get(state.objective, hulk.objective)
        for square, name in enumerate(grid.names):
            if not name or (not state.entry and square in hulk.on_entry_tile):
                continue
            x, y = grid.point(square)
            kind, sign, tip = "floor", "", name
            if square not in grid.floor:
                kind, tip = "wall", ""
            elif square in exits:
                kind, sign, tip = _exit(state, name, exits[square])
            elif square == objective:
                kind, sign = "objective", "on" if state.console else ""
                tip = f"{name}, {self.objective}{', activated' if state.console else ''}"
            elif square in xenos:
                kind, sign, tip = "spawn", xenos[square], f"{name}, xenos entry {xenos[square]}"
            elif square in hulk.on_entry_tile:
                kind, tip = "vessel", f"{name}, entry tile"
            elif square in hulk.on_exit_tile:
                kind, tip = "vessel", f"{name}, exit tile"
            ref = "" if kind == "wall" else " ".join(filter(None, (name, exits.get(square, ""))))
            yield Cell(x=x, y=y, kind=kind, glyph=sign, name=tip, ref=ref)

    @property
    def objective(self) -> str:
        """What lies on the objective square: the console, or at Level 3 the place of the Prime."""
        briefing = mission(self.book, self.state)
        return "the Prime's lair" if briefing is not None and briefing.prime.enabled else "console"

    def axes(self) -> Axes | None:
        """Return letters and numbers of the face, whose north-west corner is a1."""
        if self.hulk is None:
            return None
        grid, tiles = self.hulk.grid, {*self.hulk.entry_tile, *self.hulk.exit_tile}
        points = [grid.point(square) for square, name in enumerate(grid.names) if name and square not in tiles]
        columns, rows = 1 + max(x for x, _ in points), 1 + max(y for _, y in points)
        return Axes(
            columns=tuple(square_name(x, 0).rstrip("0123456789") for x in range(columns)),
            rows=tuple(str(y + 1) for y in range(rows)),
        )

    # Who stands on them

    def pieces(self) -> Iterator[Piece]:
        """Yield the Marines, then the Tyranids."""
        book, state = self.book, self.state
        for code in state.squad:
            marine = state.marines.get(code)
            at = self.at(marine.square) if marine else None
            if marine and at is not None:
                yield Piece(
                    at=at,
                    glyph=glyph(book, code),
                    role=role(book, code),
                    name=f"{short(book, code)} at {marine.square}{', wounded' if marine.wounds else ''}",
                    badge="!" if marine.wounds else "",
                    ref=code,
                )
        places = {name: at for name in state.tyranids if (at := self.at(name)) is not None}
        for name in sorted(places, key=lambda name: places[name][::-1]):
            kind = state.tyranids[name].kind
            damage = state.damage if kind == PRIME else 0
            yield Piece(
                at=places[name],
                glyph=_sign(book, kind),
                role=TYRANIDS.get(kind, "foe"),
                shape=_shape(kind),
                name=f"{kind_name(book, kind)} at {name}{f', {damaged(book, state)}' if kind == PRIME else ''}",
                badge=str(damage) if damage else "",
            )

    def marks(self, decision: Decision | None) -> Iterator[Mark]:
        """Yield where the one who decides may go, aim or send somebody now."""
        seen = set()
        exits = {label: self.hulk.grid.name(square) for label, square in self.hulk.exits.items()} if self.hulk else {}
        for action in decision.actions if decision else ():
            match action:
                case Move(to=name):
                    tone, text = "mark", f"may move to {name}"
                case Deploy(square=name):
                    tone, text = "mark", f"next to deploy: {name}"
                case Call(marine=code, square=name):
                    tone, text = "mark", f"{short(self.book, code)} may be sent for to {name}"
                case Enter(label=label) if label in exits:
                    tone, name = "mark", exits[label]
                    text = f"may enter at {label}"
                case Attack(square=name):
                    tone, text = "mark.danger", f"may attack {name}"
                case ThrowGrenade(square=name):
                    tone, text = "mark.danger", f"may throw a grenade at {name}"
                case _:
                    continue
            at = self.at(name)
            if at is not None and at not in seen:
                seen.add(at)
                yield Mark(at=at, role=tone, name=text)

    # What the signs mean

    def legend(self, cells: Sequence[Cell], pieces: Sequence[Piece]) -> Iterator[Key]:
        """Yield what the signs on this board mean; those that are not on it are left out."""
        book, state = self.book, self.state
        for code in state.squad:
            if (state.marines.get(code) or Marine()).square:
                yield Key(text=short(book, code), glyph=glyph(book, code), role=role(book, code), shape="round")
        if hurt := [piece for piece in pieces if piece.badge == "!"]:
            yield Key(text="wounded", glyph=hurt[0].glyph, role=hurt[0].role, shape="round", badge="!")
        kinds = {creature.kind for creature in state.tyranids.values()}
        for kind, card in book.catalogue.tyranids.items():
            if kind in kinds:
                key = Key(text=card.name, glyph=card.code, role=TYRANIDS.get(kind, "foe"), shape=_shape(kind))
                yield key
                if kind == PRIME and state.damage:
                    yield Key(text="damaged", glyph=key.glyph, role=key.role, shape=key.shape, badge=str(state.damage))
        words = {
            "spawn": "xenos entry",
            "exit": "exit",
            "bulkhead": "sealed bulkhead",
            "objective": self.objective,
            "vessel": "vessel",
        }
        for kind, text in words.items():
            if found := [cell for cell in cells if cell.kind == kind]:
                yield Key(text=text, glyph=found[0].glyph, kind=kind)


def damaged(book: Book, state: LevelState) -> str:
    """Return what the Prime has taken, and how much it takes: `1 of 3 damage counters`."""
    briefing = mission(book, state)
    if briefing is None or not briefing.prime.enabled:
        return counted(state.damage, "damage counter")
    return f"{state.damage} of {counted(destroyed_at(book, state), 'damage counter')}"


def _exit(state: LevelState, name: str, label: str) -> tuple[str, str, str]:
    if label not in state.sealed:
        return "exit", label, f"{name}, {'entry' if label == state.entry else 'exit'} {label}"
    known = {"open": ", it can open", "sealed": ", it never opens"}.get(state.peeked.get(label, ""), "")
    return "bulkhead", label, f"{name}, exit {label}, sealed bulkhead{known}"


def _sign(book: Book, kind: str) -> str:
    return book.catalogue.tyranids[kind].code if kind in book.catalogue.tyranids else kind[:1].upper()


def _shape(kind: str) -> Shape:
    return "hex" if kind == PRIME else "diamond"
