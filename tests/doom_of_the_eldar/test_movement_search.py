"""Movement against a search of our own: destinations and paths in positions at random."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from doom import Play, play
from doom_moves import COUNTERS, CRAFTWORLD, GROUND, NEIGHBOURS, SHIPS, SPACE, SPECIALS, targets

from warptape.domain.doom_of_the_eldar.state import TYRANID, DoomState


def loop(start: str, steps: int) -> list[str]:
    """So many areas in a row round the ring that an area of space is in."""
    return [f"{start[0]}{(int(start[1]) - 1 + step) % 6 + 1}" for step in range(1, steps + 1)]


def distance(start: str, end: str, within: frozenset[str] | set[str]) -> int:
    """How many steps apart two areas are, by way of these areas alone."""
    found, edge, steps = {start}, {start}, 0
    while end not in found:
        steps += 1
        edge = {next for area in edge for next in NEIGHBOURS[area] & within} - found
        assert edge
        found |= edge
    return steps


def ground_of(state: DoomState, id: str) -> frozenset[str]:
    """The areas that a counter may be in (DOE-MOVE-9 to -14)."""
    if id in SHIPS:
        return frozenset(SPACE)
    if id in GROUND or id in ("AVA", "WRG") or (state.face.get(id) not in (None, "HM")):
        return CRAFTWORLD
    return frozenset(NEIGHBOURS)


def allowance_of(state: DoomState, id: str) -> int:
    """How far a counter moves (DOE-MOVE-2 to -4); 21 areas are any number."""
    if id in SPECIALS or state.face.get(id) == "HM":
        return 21
    return 3 if id in SHIPS else 1


def walks(state: DoomState, id: str, longest: int) -> Iterator[tuple[str, ...]]:
    """Every legal path of a counter, up to a length, without the area it starts in."""
    start = state.swarms.get(id) or state.units[id]
    enemies = {place for place in state.eldar if place in NEIGHBOURS} if id[0] == "#" else {*state.stacks}
    open_: list[tuple[str, ...]] = [()]
    most = min(longest, allowance_of(state, id))
    while open_:
        path = open_.pop()
        here = path[-1] if path else start
        landed = id[0] == "#" and id not in state.face and here in CRAFTWORLD
        if len(path) == most or (path and (here in enemies or landed)):
            continue
        for next in NEIGHBOURS[here] & ground_of(state, id):
            open_.append((*path, next))
            yield (*path, next)


def ends(state: DoomState, id: str) -> set[str]:
    """Where a counter's legal paths end, by growing the set of areas that it can go on from."""
    start = state.swarms.get(id) or state.units[id]
    enemies = {*state.eldar} if id[0] == "#" else {*state.stacks}
    reached: set[str] = set()
    for _ in range(allowance_of(state, id)):
        onward = {start, *(area for area in reached if area not in enemies)}
        reached |= {next for area in onward for next in NEIGHBOURS[area] & ground_of(state, id)}
    return reached - {start}


def anywhere(seed: int) -> Play:
    """A position at random: any number of counters of both sides, anywhere they may be."""
    luck = random.Random(f"occupancy {seed}")
    eldar: dict[str, str] = {}
    for unit in luck.sample([*GROUND, *SHIPS], luck.randrange(2, 30)) + [
        one for one in SPECIALS if luck.random() < 0.8
    ]:
        area = luck.choice(sorted(ground_of(DoomState(), unit)))
        eldar[area] = f"{eldar.get(area, '')} {unit}"
    tyranid: dict[str, str] = {}
    for counter in luck.sample(COUNTERS, luck.randrange(2, 20)):
        area = luck.choice(sorted(NEIGHBOURS))
        tyranid[area] = f"{tyranid.get(area, '')} {counter}"
    phase = luck.choice(("tyranid_movement", "eldar_movement"))
    fallen = [area for area in sorted(CRAFTWORLD) if luck.random() < 0.4 and area != "shrine"]
    return play(phase, eldar=eldar, tyranid=tyranid, shown=["HM"] if luck.random() < 0.5 else [], devastated=fallen)


@pytest.mark.parametrize("ship", SHIPS)
def test_doe_move_3_every_ship_reaches_what_lies_within_three_areas(ship: str) -> None:
    for start in sorted(SPACE):
        game = play("eldar_movement", eldar={start: ship, "shrine": "GUA1"}, tyranid={"souls": "TH1"})
        assert targets(game, ship) == {area for area in SPACE if 0 < distance(start, area, SPACE) <= 3}
        assert game.why(f"mv {ship} " + ">".join(loop(start, 4))) == "DOE-MOVE-3"


@pytest.mark.parametrize("seed", range(60))
def test_the_destinations_of_all_counters_against_a_search(seed: int) -> None:
    """DOE-MOVE-1 to -4, -6 to -16: what is offered is what a search of our own finds; all else is refused, and why."""
    game = anywhere(seed)
    state = game.state
    ids = [*state.swarms] if game.seat == TYRANID else [unit for unit, at in state.units.items() if at in NEIGHBOURS]
    for id in ids:
        found = ends(state, id)
        assert targets(game, id) == found, id
        start = state.swarms.get(id) or state.units[id]
        for area in NEIGHBOURS.keys() - found:
            assert game.why(f"mv {id} {area}") == expected(state, id, start, area), (id, start, area)


def expected(state: DoomState, id: str, start: str, area: str) -> str:
    """The rule that keeps a counter from an area."""
    if area == start:
        return "DOE-MOVE-6"
    if area not in ground_of(state, id):
        return "DOE-MOVE-9" if id in SHIPS else "DOE-MOVE-13" if id[0] == "#" else "DOE-MOVE-10"
    if distance(start, area, ground_of(state, id)) <= allowance_of(state, id):
        return "DOE-MOVE-7"
    assert id not in SHIPS  # in this map three areas lead from anywhere in space to anywhere in it
    return "DOE-MOVE-4"


@pytest.mark.parametrize("seed", range(12))
def test_paths_against_a_walk(seed: int) -> None:
    """DOE-MOVE-3, -4, -6 to -10, -13, -17: of all walks of up to three steps just the legal ones are taken."""
    game = anywhere(seed)
    state, luck = game.state, random.Random(seed)
    ids = [*state.swarms] if game.seat == TYRANID else [unit for unit, at in state.units.items() if at in NEIGHBOURS]
    tried = 0
    for id in luck.sample(ids, min(len(ids), 6)):
        start = state.swarms.get(id) or state.units[id]
        legal = {path for path in walks(state, id, 3) if path[-1] != start}
        paths = [
            (first, second, third)[:length]
            for first in NEIGHBOURS[start] for second in NEIGHBOURS[first] for third in NEIGHBOURS[second]
            for length in (1, 2, 3)
        ]  # fmt: skip
        for path in luck.sample(paths, min(len(paths), 60)):
            if path[-1] != start and path[0] != start:
                tried += 1
                assert (game.why(f"mv {id} {'>'.join(path)}") == "") == (path in legal), (id, start, path)
    assert tried > 50
