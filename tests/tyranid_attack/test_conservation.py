"""Games at random: nothing is lost or made, and the ship, its models and its counters stay consistent throughout."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hull import Hull, gap

from warptape.domain.chance import Fate
from warptape.domain.referee import Match, choose
from warptape.domain.tyranid_attack import RULESET
from warptape.domain.tyranid_attack.events_ship import CardPutAway, CardTurned, SectionEntered, TileShown
from warptape.domain.tyranid_attack.ship import HEADINGS
from warptape.domain.tyranid_attack.state import MARINES, TYRANID, HiveState, Options
from warptape.domain.tyranid_attack.steps import Deploy, Free

BOOK = RULESET.book
GAMES = [
    Options(),
    Options(rotation="fixed", sides="fixed", corners="sealed"),
    Options(cut_off_objective="returns", deck_empty="no_card", shared_square_survives=False),
    Options(extra_tyranids="dreadnought=1,android=2,bulwark_beast=1", blob_follow_up=False, cyst_distance=8),
    Options(party="points", points=30, warrior_boneswords=5, found_marines_act=True),
    Options(hybrid_arms="plasma,chainsword", terminator_flamers=0, kill_means="one_life", synapse="six_only"),
]


class Ledger:
    """What must hold in every position of a game."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.cards_out: Counter[str] = Counter()
        self.open_cards = 0
        self.tiles_shown: list[str] = []
        self.supplies = (3, 2)
        self.everybody: frozenset[str] = frozenset()

    def read(self, events: list[object]) -> None:
        for event in events:
            if isinstance(event, CardTurned):
                self.open_cards += 1
            elif isinstance(event, CardPutAway):
                self.open_cards -= 1
                if event.to == "remove":
                    self.cards_out[event.card] += 1
            elif isinstance(event, TileShown):
                self.tiles_shown.append(event.tile)
            elif isinstance(event, SectionEntered):
                assert self.options.deck_empty == "no_card"

    def check(self, state: HiveState) -> None:
        self.models(state)
        self.chain(state)
        self.cards(state)
        self.counters(state)

    def models(self, state: HiveState) -> None:
        places = [
            *state.models, *state.pool, *state.party, *state.reserve, *state.lost, *state.blobs, *state.spent
        ]  # fmt: skip
        assert len(places) == len({*places})
        if self.options.party == "scouts":
            self.everybody = self.everybody or frozenset(places)
            assert {*places} == self.everybody
        floor, solid = Hull(state.chain).floor, [s for squares in state.templates.values() for s in squares]
        squares = [model.at for model in state.models.values()]
        assert len(squares) == len({*squares})
        assert {*squares} <= floor.keys() - {*solid}
        for name, model in state.models.items():
            assert model.kind == BOOK.kind(name)
            assert 1 <= model.life <= BOOK.profiles[model.kind].life
            assert not model.artifacts or BOOK.side(name) == MARINES
            assert not model.prone or "OBJ-6" in state.templates
        assert {*state.lost} <= {name for name in places if name[:2] in ("SC", "HV", "SG")}
        assert len(solid) == len({*solid})

    def chain(self, state: HiveState) -> None:
        chain = state.chain
        assert sorted(laid.section for laid in chain) == [1, 2, 3, 4, 5, 6]
        cells = [laid.cell for laid in chain]
        assert len({*cells, state.entry}) == 7
        assert gap(state.entry, chain[0].cell) == 1
        assert sum(abs(a - b) for a, b in zip(state.entry, chain[0].cell, strict=True)) == 1
        for before, after in pairwise(chain):
            step = HEADINGS[after.heading]
            assert after.cell == (before.cell[0] + step[0], before.cell[1] + step[1])
            assert HEADINGS[before.heading] != (-step[0], -step[1])
        step = HEADINGS[chain[0].heading]  # the entry area lies behind the rear section
        assert chain[0].cell == (state.entry[0] + step[0], state.entry[1] + step[1])

    def cards(self, state: HiveState) -> None:
        if state.trigger is None:
            assert {*state.cards} == {state.chain[-1].section}
        deck = state.chance.decks[state.deck]
        down = sum(1 for card in state.cards.values() if card.deck)
        left = len(deck.items) - state.drawn
        assert left + down + self.open_cards + len(state.discards) + len(state.kept) + self.cards_out.total() == 16
        assert self.cards_out.total() <= 2
        assert len({*state.kept}) == len(state.kept) <= 4
        shown = {BOOK.catalogue.tiles[tile].objective for tile in self.tiles_shown}
        risen = {*state.templates, *state.destroyed, *state.gone}
        assert risen <= shown
        if self.options.cut_off_objective == "gone":
            stack = len(state.chance.decks[state.stack].items)
            assert len(self.tiles_shown) == len({*self.tiles_shown})
            assert (state.tile >= 0) + (stack - state.taken) + len(self.tiles_shown) == 6
            assert len(state.templates) + len(state.destroyed) + len(state.gone) >= len(self.tiles_shown) - 1

    def counters(self, state: HiveState) -> None:
        assert len(state.cysts) == len({*state.cysts})
        assert len(state.cysts) + state.cysts_left == 3
        assert sum(name.startswith("AB") for name in state.models) + len(state.blobs) == 4
        assert (state.shells, state.bombs) <= self.supplies
        assert state.shells >= 0
        assert state.bombs >= 0
        self.supplies = (state.shells, state.bombs)
        borne = [number for model in state.models.values() for number in model.artifacts]
        there = [*borne, *state.artifacts]
        assert len(there) == len({*there})
        assert {*there} <= {1, 2, 3, 4}
        floor = Hull(state.chain).floor
        assert {*state.cysts, *state.artifacts.values()} <= floor.keys()
        assert len(state.orders) <= 4


@pytest.mark.parametrize("number", range(len(GAMES)))
@pytest.mark.parametrize("seed", [0, 1, pytest.param(2, marks=pytest.mark.slow)])
def test_models_cards_tiles_and_counters_are_conserved(number: int, seed: int) -> None:
    """TA-COMP-9, TA-RECYC-1, TA-EXPL-16, TA-EXPL-17; the chain and the entry area fit after every action."""
    options = GAMES[number]
    match = Match(RULESET, Fate(f"kept {seed}"), options, luck=f"luck {seed}")
    ledger = Ledger(options)
    ledger.read([*match.events])
    for _ in range(700):
        decision = match.decision
        if decision is None:
            break
        state = match.state
        if state.pending and not isinstance(state.pending[-1], Deploy):
            ledger.check(state)
        ledger.read([*match.act(choose(RULESET, state, decision, "random", f"luck {seed}"), decision.seat)])
    ledger.check(match.state)
    assert {*match.state.chance.decks} >= {"cards/1", "tiles/1", "sections/1"}


def explorer(seed: str, options: Options, turns: int) -> Match:
    """A game in which the Marines open a section whenever one of them can."""
    match = Match(RULESET, Fate(seed), options, luck=seed)
    ledger = Ledger(options)
    ledger.read([*match.events])
    while match.decision is not None and match.state.turn <= turns:
        state, decision = match.state, match.decision
        action = None
        if isinstance(state.pending[-1], Free) and decision.seat == TYRANID:
            action = decision.actions[0]
        elif type(state.pending[-1]).__name__ == "Acting" and decision.seat == MARINES:
            front = Hull(state.chain).of(state.chain[-1].section)
            at = state.models[state.active].at
            near = min(gap(at, square) for square in front)
            steps = [
                one
                for one in decision.actions
                if type(one).__name__ == "Move" and min(gap(one.to, s) for s in front) < near
            ]
            entering = [one for one in decision.actions if type(one).__name__ == "Move" and one.to in front]
            action = (entering or steps or list(decision.actions[:1]))[0]
        action = action or choose(RULESET, state, decision, "random", seed)
        ledger.read([*match.act(action, decision.seat)])
        if not isinstance(match.state.pending[-1] if match.state.pending else Deploy(), Deploy):
            ledger.check(match.state)
    return match


@pytest.mark.parametrize("options", [GAMES[0], GAMES[2]], ids=["printed", "returns"])
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 9))])
def test_the_chain_holds_together_over_many_explorations(options: Options, seed: int) -> None:
    """TA-EXPL-4, TA-EXPL-6, TA-EXPL-7, TA-EXPL-19."""
    match = explorer(f"explorer {seed}", options, 25)
    assert sum(isinstance(event, CardTurned) for event in match.events) >= 2
