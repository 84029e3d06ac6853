"""Positions set up by hand, for worked examples, puzzles and tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..secrets import hidden
from ..states import Bag, ChanceState
from .phases import STEPS_OF
from .ruleset import RULESET, DoomOfTheEldar
from .state import BOXES, ELDAR, LID, PHASES, TYRANID, DoomState, Options
from .steps import AnyStep, EndTurn, Order, Phase, Turn


def position(
    phase: str = "tyranid_movement",
    *,
    eldar: Mapping[str, str] | None = None,
    tyranid: Mapping[str, str] | None = None,
    shown: Iterable[str] = (),
    scried: Iterable[str] = (),
    lid: Iterable[str] | None = None,
    devastated: Iterable[str] = (),
    marker: int = 0,
    turn: int = 1,
    over: int = 0,
    order: int | None = None,
    moved: Sequence[str] = (),
    used: Sequence[str] = (),
    placed: Sequence[str] = (),
    stages: Mapping[str, int] | None = None,
    quiet: int = 0,
    fallen: bool = False,
    options: Options | None = None,
    pending: Sequence[AnyStep] = (),
    ruleset: DoomOfTheEldar = RULESET,
) -> DoomState:
    """Return a position to give to `Referee(RULESET, state, chance)`.

    >>> state = position("eldar_movement", eldar={"n2": "WSH1 FAR"}, tyranid={"n3": "TH1 SM", "tears": "HT"})
    >>> state.eldar["n2"], state.stacks, state.face
    (['WSH1', 'FAR'], {'n3': ['#01', '#02'], 'tears': ['#03']}, {'#03': 'HT'})

    - `eldar` maps areas and boxes to units, written as `"ASP1 ASP2"`. A unit that is not named waits in the box that it
      starts in, or is nowhere if it starts on the map.
    - `tyranid` maps areas to counters, bottom to top. They get the tokens #01, #02 … in the order given. Those on the
      Craftworld lie face up, those in space face down, unless they are among `shown`. The Eldar know of those that are
      among `scried`. `stages` maps counters to how far they have grown.
    - `lid` lists what the lid holds; without it, all other counters.
    - `phase` is the phase that has begun; its first question is asked (of `tyranid_movement` the second: `pending`
      may put `Order()` on top). In `tyranid_reinforcement` nothing is asked: `Phase` is about to begin.
    - `devastated` areas, `marker`, `turn`, `over` (the turn in which the assault ended), `order` (that of the content,
      if none has been given), `moved`, `used`, `placed`, `quiet` and `fallen` are as in the state; `pending` puts
      further steps on top.

    Raises KeyError for units, counters, areas and boxes that do not exist, ValueError for a counter in two places.
    """
    book, options = ruleset.book, options or Options()
    state = DoomState(options=options, turn=turn, phase=phase, marker=marker, over=over, quiet=quiet, fallen=fallen)
    state.units = {unit.id: book.start(unit, options) for unit in book.units.values()}
    for place, units in (eldar or {}).items():
        if place not in BOXES:
            book.adjacent[place]
        for unit in units.split():
            book.units[unit]
            state.units[unit] = place
    out = {}
    for area, counters in (tyranid or {}).items():
        book.adjacent[area]
        for counter in counters.split():
            book.counters[counter]
            state.tokens += 1
            token = f"#{state.tokens:02}"
            state.stacks.setdefault(area, []).append(token)
            up = area not in book.deep or counter in shown
            if up:
                state.face[token] = counter
            if stages and counter in stages:
                state.stages[token] = stages[counter]
            who = (ELDAR, TYRANID) if counter in scried else (TYRANID,)
            out[token] = (counter, hidden(counter, None if up else who))
    if len({counter for counter, _ in out.values()}) != len(out):
        raise ValueError("a counter is in two places")
    there = {counter for counter, _ in out.values()}
    inside = set(book.lid(options)) - there if lid is None else {*lid}
    if inside & there:
        raise ValueError("a counter is in two places")
    kept = {token: item for token, (_, item) in out.items()}
    state.chance = ChanceState(bags={LID: Bag(tuple(sorted(inside | there)), kept)}, counters={"bag/" + LID: len(out)})
    state.devastated = [area for area in book.craftworld if area in {*devastated}]
    state.fortified = [area for area in book.craftworld if area not in state.devastated]
    state.order = book.first_order if order is None else hidden(order, (TYRANID,))
    state.moved, state.used, state.placed = list(moved), list(used), list(placed)
    number = PHASES.index(phase)
    later = [Phase(phase=later) for later in PHASES[number + 1 :]]
    now: tuple[AnyStep, ...] = tuple(step for step in STEPS_OF[phase] if not isinstance(step, Order))
    if phase == "tyranid_reinforcement":
        now = (Phase(phase=phase),)
    state.pending = [*reversed((*now, *later, EndTurn(), Turn(number=turn + 1))), *pending]
    return state
