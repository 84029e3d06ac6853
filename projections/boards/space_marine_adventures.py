"""The board of Space Marine Adventures: a state, or a view of one, as a Scene."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ...domain.content import Content
from ...domain.geometry import square_name
from ...domain.rules import Decision, Ruleset
from ...domain.secrets import bare
from ...domain.space_marine_adventures.actions import Attack, Deploy, Enter, Move, ThrowGrenade
from ...domain.space_marine_adventures.catalogue import Catalogue
from ...domain.space_marine_adventures.hulk import Hulk
from ...domain.space_marine_adventures.state import ACTIVATION, BAG, LevelState, Marine, cards_left, pile
from ..scene import Axes, Cell, Key, Mark, Panel, Piece, Row, Scene

TYRANIDS = {"termagant": "foe.1", "genestealer": "foe.2", "lictor": "foe.3", "prime": "foe.4"}
CONDITIONS = ("", "wounded", "out of action")
RESULTS = {"major": "major victory", "minor": "minor victory", "draw": "draw", "loss": "loss"}
REASONS = {
    "all_out": "every Marine is out of action",
    "all_on_exit": "all Marines in play stand on the exit tile",
    "deck_out": "the infestation deck has run out",
    "prime_destroyed": "the Prime is destroyed",
}
SQUARE_ASKED = Key(text="can be chosen", glyph=" * ", role="mark")

_catalogues: dict[str, Catalogue] = {}


def board(ruleset: Ruleset, state: LevelState, title: str = "") -> Scene:
    """Return the scene of a level: the hulk with all that stands on it, the squad, the decks, the legal targets."""
    decision = ruleset.decision(state)
    return draw(_catalogue(ruleset.content), state, title or ruleset.title, decision)


def _catalogue(content: Content) -> Catalogue:
    """The game's own content, read once for each digest: a recorded game may have been played with other cards."""
    if content.digest not in _catalogues:
        _catalogues[content.digest] = Catalogue(content)
    return _catalogues[content.digest]


def draw(catalogue: Catalogue, state: LevelState, title: str, decision: Decision | None = None) -> Scene:
    """Return the scene of a level from its content and its state; what a decision offers is marked on the board."""
    hulk = _hulk(catalogue, state)
    cells = tuple(_cells(catalogue, state, hulk)) if hulk else ()
    pieces = tuple(_pieces(catalogue, state, hulk)) if hulk else ()
    marks = tuple(_marks(state, hulk, decision)) if hulk else ()
    return Scene(
        title=title,
        subtitle=". ".join(_subtitle(catalogue, state, decision)),
        cells=cells,
        axes=_axes(hulk) if hulk else None,
        pieces=pieces,
        marks=marks,
        panels=tuple(_panels(catalogue, state)),
        legend=(*_legend(catalogue, state, cells, pieces), *((SQUARE_ASKED,) if decision and marks else ())),
    )


def _hulk(catalogue: Catalogue, state: LevelState) -> Hulk | None:
    if not state.face:
        return None
    # Before the entry is chosen no tile lies at it: `_cells` leaves that tile out.
    return catalogue.hulk(state.face, state.entry or "A", state.exit or None)


def _subtitle(catalogue: Catalogue, state: LevelState, decision: Decision | None) -> Iterator[str]:
    mission = _mission(catalogue, state)
    yield mission.name if mission else f"Level {state.level or state.options.level}"
    if state.face:
        yield catalogue.faces[state.face].name if state.face in catalogue.faces else state.face
    if state.round:
        yield f"Round {state.round}"
    if state.ended:
        yield RESULTS.get(state.ended.result, state.ended.result).capitalize()
    elif state.turn:
        yield f"{_short(catalogue, state.turn.marine)} acts"
    elif decision and decision.prompt:
        yield decision.prompt


def _mission(catalogue: Catalogue, state: LevelState) -> Any:
    return next((mission for mission in catalogue.missions.values() if mission.id == state.mission), None)


def _short(catalogue: Catalogue, code: str) -> str:
    """A Marine's name without his rank."""
    return catalogue.marines[code].name.rpartition(" ")[2] if code in catalogue.marines else code


# ------------------------------------------------------------------------------------------------ board


def _cells(catalogue: Catalogue, state: LevelState, hulk: Hulk) -> Iterator[Cell]:
    grid = hulk.grid
    exits = {square: label for label, square in hulk.exits.items()}
    xenos = {square: str(number) for number, square in enumerate(hulk.xenos, 1) if square >= 0}
    objective = grid.index.get(state.objective, hulk.objective)
    for square, name in enumerate(grid.names):
        if not name or (not state.entry and square in hulk.on_entry_tile):
            continue
        x, y = grid.point(square)
        kind, glyph, tip = "floor", "", name
        if square not in grid.floor:
            kind, tip = "wall", ""
        elif square in exits:
            kind, glyph, tip = _exit(state, name, exits[square])
        elif square == objective:
            kind, glyph = "objective", "on" if state.console else ""
            tip = f"{name}, console{', activated' if state.console else ''}"
        elif square in xenos:
            kind, glyph, tip = "spawn", xenos[square], f"{name}, xenos entry {xenos[square]}"
        elif square in hulk.on_entry_tile:
            kind, tip = "vessel", f"{name}, entry tile"
        elif square in hulk.on_exit_tile:
            kind, tip = "vessel", f"{name}, exit tile"
        yield Cell(x=x, y=y, kind=kind, glyph=glyph, name=tip)


def _exit(state: LevelState, name: str, label: str) -> tuple[str, str, str]:
    if label not in state.sealed:
        return "exit", label, f"{name}, {'entry' if label == state.entry else 'exit'} {label}"
    known = {"open": ", it can open", "sealed": ", it never opens"}.get(state.peeked.get(label, ""), "")
    return "bulkhead", label, f"{name}, exit {label}, sealed bulkhead{known}"


def _axes(hulk: Hulk) -> Axes:
    """Letters and numbers of the face, whose north-west corner is a1."""
    tiles = {*hulk.entry_tile, *hulk.exit_tile}
    points = [hulk.grid.point(square) for square, name in enumerate(hulk.grid.names) if name and square not in tiles]
    columns, rows = 1 + max(x for x, _ in points), 1 + max(y for _, y in points)
    return Axes(
        columns=tuple(square_name(x, 0).rstrip("0123456789") for x in range(columns)),
        rows=tuple(str(y + 1) for y in range(rows)),
    )


def _pieces(catalogue: Catalogue, state: LevelState, hulk: Hulk) -> Iterator[Piece]:
    for code in state.squad:
        marine = state.marines.get(code)
        square = hulk.grid.index.get(marine.square) if marine else None
        if marine and square is not None:
            yield Piece(
                at=hulk.grid.point(square),
                glyph=_glyph(catalogue, code),
                role=_role(catalogue, code),
                name=f"{_short(catalogue, code)} at {marine.square}{', wounded' if marine.wounds else ''}",
                badge="!" if marine.wounds else "",
            )
    for name in sorted(state.tyranids, key=lambda name: hulk.grid.index.get(name, -1)):
        kind = state.tyranids[name].kind
        if name in hulk.grid.index:
            yield Piece(
                at=hulk.grid.point(hulk.grid.index[name]),
                glyph=catalogue.tyranids[kind].code if kind in catalogue.tyranids else kind[:1].upper(),
                role=TYRANIDS.get(kind, "foe"),
                shape="hex" if kind == "prime" else "diamond",
                name=f"{_kind(catalogue, kind)} at {name}",
            )


def _kind(catalogue: Catalogue, kind: str) -> str:
    return catalogue.tyranids[kind].name if kind in catalogue.tyranids else kind.capitalize()


def _glyph(catalogue: Catalogue, code: str) -> str:
    """A Marine's initial, or his whole code where two share an initial."""
    return code if sum(other[0] == code[0] for other in catalogue.marines) > 1 else code[0]


def _role(catalogue: Catalogue, code: str) -> str:
    return f"unit.{catalogue.marines[code].colour}" if code in catalogue.marines else "unit"


def _marks(state: LevelState, hulk: Hulk, decision: Decision | None) -> Iterator[Mark]:
    """Where the one who decides may go or aim now."""
    seen = set()
    for action in decision.actions if decision else ():
        match action:
            case Move(to=name):
                role, text = "mark", f"may move to {name}"
            case Deploy(square=name):
                role, text = "mark", f"next to deploy: {name}"
            case Enter(label=label) if label in hulk.exits:
                role, name = "mark", hulk.grid.name(hulk.exits[label])
                text = f"may enter at {label}"
            case Attack(square=name):
                role, text = "mark.danger", f"may attack {name}"
            case ThrowGrenade(square=name):
                role, text = "mark.danger", f"may throw a grenade at {name}"
            case _:
                continue
        square = hulk.grid.index.get(name)
        if square is not None and square not in seen:
            seen.add(square)
            yield Mark(at=hulk.grid.point(square), role=role, name=text)


# ----------------------------------------------------------------------------------------------- panels


def _panels(catalogue: Catalogue, state: LevelState) -> Iterator[Panel]:
    if state.ended:
        rows = (
            Row(label="Result", text=RESULTS.get(state.ended.result, state.ended.result), role="accent"),
            Row(label="Because", text=REASONS.get(state.ended.reason, state.ended.reason)),
            Row(label="On the exit tile", text=str(state.ended.on_exit)),
            Row(label="In play", text=str(state.ended.in_play)),
        )
        yield Panel(title="The level is over", rows=rows)
    if state.squad:
        yield Panel(
            title="Squad", rows=tuple(row for code in state.squad for row in _squad_rows(catalogue, state, code))
        )
    if state.pool:
        cards = [Row(label=card, text=_special(catalogue, card)) for card in state.pool]
        yield Panel(title="Special cards to give", rows=tuple(cards))
    if facts := tuple(_level_rows(catalogue, state)):
        yield Panel(title="Hulk", rows=facts)


def _squad_rows(catalogue: Catalogue, state: LevelState, code: str) -> Iterator[Row]:
    marine = state.marines.get(code, Marine())
    role, label = _role(catalogue, code), f"{code} {_short(catalogue, code)}"
    if marine.wounds >= 2:
        yield Row(label=label, text=CONDITIONS[2], role=role)
        return
    side = catalogue.side(code, marine.wounds > 0)
    facts = [f"at {marine.square}"] if marine.square else []
    if marine.wounds:
        facts.append(CONDITIONS[1])
    facts += [f"{side.actions} actions", f"range {side.range}", side.ability]
    if marine.spores:
        facts.append(f"{marine.spores} fewer next turn (spores)")
    yield Row(label=label, text=", ".join(facts), role=role)
    if state.turn and state.turn.marine == code:
        yield Row(text="his turn: " + ", ".join(_turn(state)), role="accent", depth=1)
    if state.free and state.free.marine == code:
        free = [
            (state.free.moves, "free Move"),
            (state.free.attacks, "free Attack"),
            (state.free.either, "free action"),
        ]
        yield Row(text=", ".join(f"{n} {what}" for n, what in free if n), role="accent", depth=1)
    for card in marine.cards:
        yield Row(text=f"{card} {_special(catalogue, card)}", depth=1)


def _turn(state: LevelState) -> Iterator[str]:
    turn = state.turn
    if turn is None:
        return
    yield f"{turn.left} of {turn.allowance} actions left"
    for count, what in ((turn.free_moves, "free Move"), (turn.free_attacks, "free Attack")):
        if count:
            yield f"{count} {what}"
    for plus, what in ((turn.attack_plus, "Attacks"), (turn.console_plus, "the console")):
        if plus:
            yield f"+{plus} on {what}"


def _special(catalogue: Catalogue, card: str) -> str:
    return catalogue.specials[card].name if card in catalogue.specials else card


def _level_rows(catalogue: Catalogue, state: LevelState) -> Iterator[Row]:
    if state.round:
        yield Row(label="Round", text=str(state.round))
    if state.activation:
        yield Row(label="Activation card", text=_shows(catalogue, state.activation))
    if (activation := state.chance.decks.get(pile(state, ACTIVATION))) is not None:
        yield Row(
            label="Activation deck",
            text=f"{len(activation.items) - len(activation.seen)} of {len(activation.items)} left",
        )
    if pile(state, "infestation"):
        left = cards_left(state)
        yield Row(label="Infestation deck", text=f"{left} left", role="warn" if left <= 5 else "")
    if state.card:
        yield Row(label="Infestation card", text=_infestation(catalogue, state.card), role="bad")
    if state.known:
        names = ", ".join(_infestation(catalogue, bare(card)) for card in state.known)
        yield Row(label="Known on top", text=names)
    if (bag := state.chance.bags.get(BAG)) is not None:
        inside = Counter(catalogue.counters[item].kind for item in bag.inside() if item in catalogue.counters)
        yield Row(
            label="Bag", text=", ".join(f"{n} {_plural(catalogue, kind, n)}" for kind, n in inside.items()) or "empty"
        )
    if state.kills:
        destroyed = ", ".join(f"{n} {_plural(catalogue, kind, n)}" for kind, n in state.kills.items() if n)
        yield Row(label="Destroyed", text=destroyed or "none")
    mission = _mission(catalogue, state)
    if mission is not None and mission.console.enabled and state.objective:
        yield Row(
            label="Console", text="activated" if state.console else f"{state.objective}, needs {mission.console.need}"
        )
    if state.sealed:
        yield Row(label="Sealed", text=", ".join(label + _peeked(state, label) for label in state.sealed))
    if state.exit:
        yield Row(label="Way out", text=f"{state.exit}: X1 to X4", role="good")


def _peeked(state: LevelState, label: str) -> str:
    return {"open": " (can open)", "sealed": " (never opens)"}.get(state.peeked.get(label, ""), "")


def _plural(catalogue: Catalogue, kind: str, count: int) -> str:
    return _kind(catalogue, kind) + ("" if count == 1 else "s")


def _shows(catalogue: Catalogue, card: str) -> str:
    if card not in catalogue.activation:
        return card
    shows = catalogue.activation[card].shows
    return _short(catalogue, catalogue.codes[shows]) if shows in catalogue.codes else "Tyranids"


def _infestation(catalogue: Catalogue, card: Any) -> str:
    return catalogue.infestation[card].name if card in catalogue.infestation else str(card)


def _legend(catalogue: Catalogue, state: LevelState, cells: Sequence[Cell], pieces: Sequence[Piece]) -> Iterator[Key]:
    """What the signs on this board mean; those that are not on it are left out."""
    for code in state.squad:
        if (state.marines.get(code) or Marine()).square:
            role = _role(catalogue, code)
            yield Key(text=_short(catalogue, code), glyph=_glyph(catalogue, code), role=role, shape="round")
    if hurt := [piece for piece in pieces if piece.badge]:
        yield Key(text="wounded", glyph=hurt[0].glyph, role=hurt[0].role, shape="round", badge="!")
    kinds = {creature.kind for creature in state.tyranids.values()}
    for kind, card in catalogue.tyranids.items():
        if kind in kinds:
            shape = "hex" if kind == "prime" else "diamond"
            yield Key(text=card.name, glyph=card.code, role=TYRANIDS.get(kind, "foe"), shape=shape)  # type: ignore[arg-type]
    words = {
        "spawn": "xenos entry",
        "exit": "exit",
        "bulkhead": "sealed bulkhead",
        "objective": "console",
        "vessel": "vessel",
    }
    for kind, text in words.items():
        if found := [cell for cell in cells if cell.kind == kind]:
            yield Key(text=text, glyph=found[0].glyph, kind=kind)
