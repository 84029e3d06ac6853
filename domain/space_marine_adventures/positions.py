"""Positions set up by hand, for worked examples, puzzles and tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..states import Bag, ChanceState, Shuffled
from .hulk import EDGES
from .ruleset import RULESET, SpaceMarineAdventures
from .setup import LEVEL_1_KINDS
from .state import (
    ACTIVATION,
    BAG,
    BULKHEADS,
    INFESTATION,
    PRIME,
    Creature,
    FreeRecord,
    LevelState,
    Marine,
    Options,
    TurnRecord,
)
from .steps import AnyStep, Free, Ready, Turn


def position(
    ground: str = "1-up",
    *,
    level: int | None = None,
    entry: str = "A",
    exit: str = "",
    marines: Mapping[str, str] | None = None,
    tyranids: Mapping[str, str] | None = None,
    wounded: Iterable[str] = (),
    out: Iterable[str] = (),
    cards: Mapping[str, Sequence[str]] | None = None,
    used: Sequence[str] = (),
    turn: str = "",
    actions: int | None = None,
    free: str = "",
    free_moves: int = 0,
    free_attacks: int = 0,
    free_any: int = 0,
    spores: Mapping[str, int] | None = None,
    hardened: Mapping[str, int] | None = None,
    bag: Sequence[str] | None = None,
    infestation: Sequence[str] | None = None,
    known: Sequence[str] = (),
    activation: Sequence[str] | None = None,
    objective: str | None = None,
    console: bool | None = None,
    peeked: Mapping[str, str] | None = None,
    round: int = 1,
    options: Options | None = None,
    damage: int = 0,
    skulls: Sequence[str] = (),
    dares: Sequence[str] = (),
    kills: Mapping[str, int] | None = None,
    pending: Sequence[AnyStep] = (),
    ruleset: SpaceMarineAdventures = RULESET,
) -> LevelState:
    """Return a position of a level to give to `Referee(RULESET, state, chance)`.

    >>> state = position("fx-move", turn="MAX", actions=2)
    >>> state.marines["MAX"].square, sorted(state.tyranids), state.turn.left
    ('d3', ['d2'], 2)

    - `ground` is a face (`1-up`) or a layout of a worked example (`fx-move`), whose own units are used unless `marines`
      or `tyranids` is given. `entry` is the entry label; `exit` the label of the exit tile if it has been laid, and
      then the console has been activated unless `console=False`.
    - `marines` maps codes to squares. `wounded` are on their wounded side, `out` belong to the squad and are out of
      action. `cards` maps codes to special cards, `used` are special cards in the box.
    - `tyranids` maps squares to kinds or to counter ids. `bag` lists kinds or ids in the bag; without it the bag holds
      all other counters of the level.
    - With `turn` it is that Marine's turn and he has `actions` paid actions left (all, if not given); with `free` that
      Marine acts outside his turn (on top of `turn`, if both are given). `free_moves`, `free_attacks` and `free_any`
      (only with `free`) are the free actions of the one who acts. With neither, an activation card is about to be
      turned over. `pending` puts further questions on top.
    - `infestation` are the cards left in that deck, `known` its known top, topmost first (part of the deck whether
      `infestation` names them or not); `activation` are the cards left this round. Which of them comes next is chance:
      with `Table(["act-tyranid-1", "INF-1-07", "T07"])` it is what the test says.
    - `level` is that of the options if not given; at Level 3 the Prime stands on the objective square and bears `damage`
      counters. `skulls` are the skull cards in the deck, `dares` the challenges in use, `kills` what was destroyed.
    - `objective` is the objective's square where the ground has none. `peeked` maps exit labels to `open` or `sealed`.
      `spores`, `hardened` as in the state.

    Raises KeyError for codes, squares, kinds and ids that do not exist, ValueError for units in walls or two on a square.
    """
    book = ruleset.book
    options = options or Options()
    fixture = book.catalogue.fixtures.get(ground)
    if fixture is not None:
        entry = ""
        standing = {at: who for who, at in (mark.split() for mark in fixture.marks.values())}
        if marines is None:
            marines = {book.catalogue.codes[who]: at for at, who in standing.items() if who in book.catalogue.codes}
        if tyranids is None:
            tyranids = {at: who for at, who in standing.items() if who in book.resiliences}
    marines, tyranids, out = marines or {}, tyranids or {}, tuple(out)
    hulk = book.catalogue.hulk(ground, entry, exit or None)
    standing_on = [square for code, square in marines.items() if code not in out] + [*tyranids]
    for square in standing_on:
        if hulk.grid.square(square) not in hulk.grid.floor:
            raise ValueError(f"{square} is wall")
    if len({*standing_on}) != len(standing_on):
        raise ValueError("two units stand on one square")

    level = options.levels[0] if level is None else level
    mission = book.briefing(options, level)
    state = LevelState(options=options, level=level, mission=mission.id, face=ground, entry=entry, exit=exit)
    labels = () if fixture is not None else tuple(label for label in EDGES if label != entry)
    state.bulkheads = labels
    state.sealed = tuple(label for label in labels if label != exit)
    state.console = bool(exit) if console is None else console
    state.peeked = dict(peeked or ({label: "open" if label == exit else "sealed" for label in labels} if exit else {}))
    state.objective = objective if objective is not None else hulk.grid.name(hulk.objective) if fixture is None else ""
    state.squad = tuple(code for code in book.roster if code in marines or code in out)
    if unknown := {*marines, *out} - {*book.roster}:
        raise KeyError(unknown.pop())
    state.marines = {
        code: Marine(
            "" if code in out else marines[code],
            2 if code in out else 1 if code in wounded else 0,
            list((cards or {}).get(code, ())),
            (spores or {}).get(code, 0),
        )
        for code in state.squad
    }
    state.used = list(used)
    state.hardened = dict(hardened or {})
    state.round = round
    state.deck = tuple(card for card, shows in book.shows.items() if shows in state.squad) + tuple(
        card.id for card in book.catalogue.activation.values() if book.shows[card.id] == "tyranid" and not card.extra
    )
    inside = _fill(book.kinds, state, tyranids, bag)
    state.damage, state.skulls, state.dares = damage, tuple(skulls), tuple(dares)
    state.kills = dict(kills or {})
    state.equipped = list(state.squad)
    state.chance = ChanceState()
    on_board = {one.counter: one.counter for one in state.tyranids.values() if one.kind != PRIME}
    if mission.prime.enabled and state.objective:
        state.tyranids.setdefault(state.objective, Creature("P", PRIME))
    state.chance.bags[BAG] = Bag(tuple(sorted({*inside, *on_board})), dict(on_board))
    deck = tuple(infestation) if infestation is not None else (*book.catalogue.decks[level], *state.skulls)
    deck = (*(card for card in known if card not in deck), *deck)
    state.known = list(known)
    _shuffle(state, INFESTATION, deck, dict(enumerate(known)))
    _shuffle(state, ACTIVATION, tuple(activation) if activation is not None else state.deck)
    items = tuple(book.catalogue.bulkheads)
    looked = [(place, state.peeked[label]) for place, label in enumerate(labels) if label in state.peeked]
    seen: dict[int, str] = {}
    for place, face in looked:
        seen[place] = next(
            item for item in items if item not in seen.values() and book.catalogue.bulkheads[item].faces[1] == face
        )
    _shuffle(state, BULKHEADS, items, seen)

    state.pending = [Ready()]
    if turn:
        side = book.side(state, turn)
        left = side.actions if actions is None else actions
        record = TurnRecord(turn, max(left, side.actions), max(0, side.actions - left), max(0, left - side.actions))
        if not free:
            record.free_moves, record.free_attacks = free_moves, free_attacks
        state.turn = record
        state.pending.append(Turn(marine=turn))
    if free:
        state.free = FreeRecord(free, free_moves, free_attacks, free_any)
        state.pending.append(Free(marine=free))
    state.pending.extend(pending)
    return state


def _fill(
    kinds: Mapping[str, str], state: LevelState, tyranids: Mapping[str, str], bag: Sequence[str] | None
) -> list[str]:
    """Put counters on the board and return those in the bag; ids that are named are set apart first."""
    named = {item for item in (*tyranids.values(), *(bag or ())) if item in kinds}
    spare = [counter for counter in kinds if counter not in named]

    def counter(item: str) -> str:
        if item in kinds:
            return item
        found = next((one for one in spare if kinds[one] == item), None)
        if found is None:
            raise KeyError(item)
        spare.remove(found)
        return found

    for square, item in tyranids.items():
        one = counter(item)
        state.tyranids[square] = Creature(one, kinds[one])
    if bag is None:
        return [one for one in spare if state.level > 1 or kinds[one] in LEVEL_1_KINDS]
    return [counter(item) for item in bag]


def _shuffle(state: LevelState, deck: str, items: tuple[str, ...], seen: Mapping[int, str] | None = None) -> None:
    # What has been seen is fixed, so that a seeded source deals only the rest.
    state.chance.decks[f"{deck}/1"] = Shuffled(items, dict(seen or {}), tuple(sorted(seen or {})))
    state.chance.ordinals[deck] = 1
