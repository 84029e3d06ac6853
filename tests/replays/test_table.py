"""A game at a real table: people enter what dice and cards gave, for every seat, and no bot plays."""

from __future__ import annotations

from pathlib import Path

import pytest
from replay_model import SeededDesk

from warptape.domain.errors import ImpossibleOutcome, NeedsOutcome, NotAllowed, OptionError
from warptape.replays.game import Game
from warptape.replays.library import Library


@pytest.fixture
def library() -> Library[Game]:
    return Library[Game](":memory:", SeededDesk(3))


def table(library: Library[Game]) -> Game:
    return library.new("pig", chance="table", undo="free", options={"goal": 1000})


def test_no_bot_holds_a_seat_at_a_table(library: Library[Game]) -> None:
    for seats in ({"p2": "bot:sensible"}, {"p1": "bot:random", "p2": "bot:random"}):
        with pytest.raises(OptionError, match="no bot can hold one"):
            library.new("pig", chance="table", seats=seats)
    assert library.games() == []
    game = table(library)
    game.act("roll", outcomes=["4"])
    with pytest.raises(OptionError, match="no bot can hold one"):
        game.fork(seats={"p1": "human", "p2": "bot:sensible"})
    assert len(library.games()) == 1
    with pytest.raises(NotAllowed, match="no bot can play"):
        game.run({"p1": "random", "p2": "random"})
    assert game.state.turn_total == 4
    game.reroll(chance="fate")
    assert game.fork(seats={"p1": "human", "p2": "bot:sensible"}).seats["p2"] == "bot:sensible"


def test_a_game_with_bots_does_not_move_to_a_table(library: Library[Game]) -> None:
    game = library.new("pig", seats={"p2": "bot:sensible"}, options={"goal": 1000})
    length = game.length
    with pytest.raises(NotAllowed, match="fork the game"):
        game.reroll(chance="table")
    with pytest.raises(OptionError, match="'cards' is no source"):
        game.reroll(chance="cards")
    assert game.length == length
    assert not game.typed_chance


def test_a_fork_with_bots_that_goes_back_to_the_table_is_played_by_people(library: Library[Game]) -> None:
    game = table(library)
    game.act("roll", outcomes=["4"])
    game.reroll(chance="fate")
    branch = game.fork(seats={"p1": "human", "p2": "bot:sensible"})
    branch.rewind("@d1")
    assert branch.typed_chance
    branch.act("roll", outcomes=["4"])
    assert branch.decision is not None
    branch.act("hold")
    assert branch.decision.seat == "p2"  # whom the bot does not play here
    branch.act("roll", outcomes=["6"])
    branch.act("hold")
    assert branch.state.scores == [4, 6]
    assert branch.audit().ok


def test_entries_are_taken_back_with_undo_and_entered_anew(library: Library[Game], tmp_path: Path) -> None:
    game = table(library)
    game.act("roll", outcomes=["4"])
    game.act("roll", outcomes=["5"])
    game.undo()
    assert game.state.turn_total == 4
    with pytest.raises(NeedsOutcome):
        game.act("roll")
    with pytest.raises(ImpossibleOutcome, match="Nothing here needs the result '2'"):
        game.act("hold", outcomes=["2"])
    game.act("roll", outcomes=["3"])
    assert game.state.turn_total == 7
    report = game.audit()
    assert report.ok
    assert [entry.what for entry in report.entered] == [f"die/p1 {value}" for value in (4, 5, 3)]
    copy = library.load(game.export(tmp_path / "table.tape.jsonl"))
    assert copy.typed_chance
    copy.act("roll", outcomes=["2"])
    assert copy.state.turn_total == 9


def test_nothing_is_entered_where_fate_draws(library: Library[Game]) -> None:
    with pytest.raises(OptionError, match="only in a game whose chance is a table"):
        library.new("pig", outcomes=["4"])
    game = library.new("pig", undo="free")
    length = game.length
    with pytest.raises(ImpossibleOutcome, match="no results are entered"):
        game.act("roll", outcomes=["6"])
    assert game.length == length
