"""What went wrong with undo, forks and lines in other programs for recorded games, each told in our own words and tried here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from warptape.domain.errors import IllegalAction
from warptape.domain.events import ActionTaken, CardDrawn, DeckShuffled, Head, Rewound
from warptape.domain.secrets import bare
from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.logfile import LogFile

RULESETS = ["pig", "hidden", "nested", "space-marine-adventures", "doom-of-the-eldar", "tyranid-attack"]
OPTIONS = {"pig": {"goal": "1000"}, "doom-of-the-eldar": {"setup": "quickstart"}}


@pytest.fixture
def library() -> Iterator[Library[Game]]:
    with Library[Game](":memory:") as found:
        yield found


def played(library: Library[Game], name: str, decisions: int, seed: str = "tracker") -> Game:
    game = library.new(name, seed=seed, undo="free", options=OPTIONS.get(name))
    game.run(dict.fromkeys(game.seats, "random"), limit=decisions)
    return game


def taken(game: Game, start: int, stop: int | None = None) -> list[Any]:
    """The actions on a line of the log, with who took them."""
    return [(one.seat, one.action) for _, one in game.events(start, stop) if isinstance(one, ActionTaken)]


def facts(game: Game, start: int, stop: int | None = None) -> list[Any]:
    """What followed from actions: events without their heads, which have times and digests."""
    return [event for _, event in game.events(start, stop) if not isinstance(event, Head)]


@pytest.mark.parametrize("name", RULESETS)
def test_the_same_moves_after_a_rewind_give_the_same_dice_also_where_they_end_a_turn(
    library: Library[Game], name: str
) -> None:
    """One program kept its generator per turn: a rewound move that ended the turn met another one's numbers."""
    game = played(library, name, 30)
    back, end = game.locate("@d2"), game.length
    again = taken(game, back + 1)
    before = facts(game, back + 1)
    game.rewind(back)
    for seat, action in again:
        game.act(action, seat, bots=False)
    assert facts(game, end + 1) == before
    assert any(event.reveals for event in before)
    turns = {seat for seat, _ in again}
    assert len(turns) == len(game.seats)  # the turn did pass on


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("as_of", [False, True])
def test_a_fork_has_each_action_of_its_parent_once(
    library: Library[Game], tmp_path: Path, name: str, as_of: bool
) -> None:
    """One program copied the parent's moves into the fork and replayed the parent's as well: twice the moves."""
    game = played(library, name, 12)
    seat = next(iter(game.seats))
    fork = game.fork(as_of=seat if as_of else None)
    happened = fork.run(dict.fromkeys(game.seats, "random"), limit=3)
    count = 12 + sum(isinstance(event, ActionTaken) for event in happened)
    assert count > 12
    assert sum(isinstance(event, ActionTaken) for _, event in fork.line()) == count
    assert [public(row) for row in fork.rows(0, game.length)] == [public(row) for row in game.rows()]
    rows = [row for row, _ in LogFile(fork.export(tmp_path / "fork.tape.jsonl")).rows()]
    assert [row.position for row in rows] == list(range(fork.length))
    assert sum(row.kind == "ActionTaken" for row in rows) == count
    assert library.load(tmp_path / "fork.tape.jsonl").state == fork.state


def public(row: Any) -> bytes:
    return bytes(row.data.partition(b"\n")[0])


@pytest.mark.parametrize("name", RULESETS)
def test_an_undo_leaves_a_trace_wherever_the_game_is_told(library: Library[Game], name: str) -> None:
    """One program dropped what was taken back: nobody could see that a die had been looked at first."""
    game = played(library, name, 8)
    left = game.tip
    game.undo(person="Ann", reason="a second thought")
    told = {one.position: one for one in game.log()}
    assert not told[left].on_line
    assert told[game.length - 1].text == f"Taken back to @{game.tip} (a second thought)."
    (line,) = [one for one in game.lines() if not one.current]
    assert (line.tip, line.left, line.person, line.reason) == (left, "undo", "Ann", "a second thought")
    assert "Taken back by Ann (a second thought)." in game.transcript("txt").replace("\n    ", " ")
    assert any(row.check == "takebacks" and row.count == 1 for row in game.audit().rows)


@pytest.mark.parametrize("name", RULESETS)
def test_nothing_is_out_of_reach_after_taking_back_too_far(library: Library[Game], name: str) -> None:
    """One program went back to the wrong point and cut the log there: the moves after it were lost."""
    game = played(library, name, 12)
    tip, state, length = game.tip, game.state.copy(), game.length
    while True:
        at = game.tip
        try:
            game.undo()
        except Exception:
            break
        assert game.tip < at
    assert game.tip == game.batch_end(0)
    for position in range(length):
        assert game.event(position) is not None
    assert game.state_at(tip) == state
    while game.tip != tip:
        game.redo()
    assert game.state == state
    game.rewind(0)
    game.run(dict.fromkeys(game.seats, "random"), limit=1)
    assert tip in [line.tip for line in game.lines()]
    game.rewind(tip)
    assert game.state == state


def shuffled(library: Library[Game]) -> tuple[Game, int]:
    """A raid in which a deck was shuffled a second time, and the position of the action that did it."""
    for number in range(40):
        game = library.new("hidden", seed=f"shuffle {number}", undo="free", options={"rounds": 40, "goal": 50})
        game.run(dict.fromkeys(game.seats, "random"), limit=300)
        again = [at for at, event in game.line() if isinstance(event, DeckShuffled) and event.ordinal > 1]
        if again and game.length - again[0] > 40:
            return game, game.batch_start(again[0])
    raise AssertionError("no deck was shuffled again")


def test_a_shuffle_that_is_rolled_back_takes_its_generator_back_with_it(library: Library[Game]) -> None:
    """One program restored the deck and not the generator: the same move shuffled the deck into another order."""
    game, head = shuffled(library)
    stop = game.batch_end(head + 40)
    again, before = taken(game, head, stop + 1), facts(game, head, stop + 1)
    chance = game.state_at(game.tree.before(head, game.tip)).chance
    end = game.length
    game.rewind(game.tree.before(head, game.tip))
    assert game.state.chance == chance
    for seat, action in again:
        game.act(action, seat, bots=False)
    assert facts(game, end + 1) == before
    ordinals = [event.ordinal for event in before if isinstance(event, DeckShuffled)]
    assert ordinals[0] > 1
    assert any(isinstance(event, CardDrawn) for event in before)


def cards(game: Game) -> dict[str, list[str]]:
    """What every shuffle holds, seen and unseen, sorted: it must never be more or less than was shuffled."""
    return {
        name: sorted([*map(bare, deck.seen.values()), *deck.left()]) for name, deck in game.state.chance.decks.items()
    }


def test_a_card_turned_by_what_was_cancelled_is_back_in_its_place_and_nowhere_else(library: Library[Game]) -> None:
    """One program gave a milled card back to the hand when the effect was cancelled: the card was there twice."""
    game = library.new("hidden", seed="mill", undo="free")
    game.act("guard 1")
    deck = game.state.gates[2].deck
    before, whole = game.state.copy(), cards(game)
    length = game.length
    with pytest.raises(IllegalAction):
        game.act(["peek 2", "storm 1 nobody 1"], "raider")  # the card is turned before the second action is refused
    assert (game.length, game.state) == (length, before)
    assert cards(game) == whole
    played = game.act("peek 2", "raider")
    (turned,) = [event for event in played.events if isinstance(event, CardDrawn)]
    assert cards(game) == whole
    assert bare(game.state.chance.decks[deck].seen[turned.place]) == turned.item
    game.undo()
    assert (game.state, cards(game)) == (before, whole)
    again = game.act("peek 2", "raider")
    assert [event for event in again.events if isinstance(event, CardDrawn)] == [turned]
    assert sum(isinstance(event, Rewound) for _, event in game.events()) == 1
