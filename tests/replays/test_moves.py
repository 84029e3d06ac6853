"""A game written as moves and typed again at a table is the same game, for every ruleset; and how a line is read."""

from __future__ import annotations

import io
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from warptape.domain.errors import BadNotation, ImpossibleOutcome, NeedsOutcome, NotAllowed, WarptapeError
from warptape.domain.events import ActionTaken
from warptape.domain.rules import installed, ruleset
from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.moves import LONGEST, BadMove, Move, moves, read_move, read_moves, read_results, write_results

SHIPPED = [name for name, point in installed().items() if point.value.startswith("warptape.")]
SMALL = ["pig", "hidden", "nested"]
OPTIONS: dict[str, dict[str, Any]] = {"pig": {"goal": 40}}


@pytest.fixture
def library() -> Iterator[Library[Game]]:
    with Library[Game](":memory:") as shelf:
        yield shelf


def played(library: Library[Game], rules: str, seed: str, decisions: int = 10_000) -> Game:
    """A game of fate, played by bots for some decisions."""
    game = library.new(rules, seed=seed, options=OPTIONS.get(rules), undo="free")
    names = list(ruleset(rules).bots)
    game.run({seat: names[number % len(names)] for number, seat in enumerate(game.seats)}, decisions)
    return game


def opened(library: Library[Game], comment: str) -> Game:
    """A game opened as the comment in a file of moves says."""
    words = shlex.split(comment.removeprefix("# "))
    assert words[:2] == ["warptape", "new"]
    given: dict[str, Any] = {"options": {}, "outcomes": []}
    for option, value in zip(words[3::2], words[4::2], strict=True):
        match option:
            case "--option":
                name, _, text = value.partition("=")
                given["options"][name] = text
            case "--rolled":
                given["outcomes"] = read_results(value)
            case "--chance" | "--undo":
                given[option[2:]] = value
            case _:
                raise AssertionError(option)
    return library.new(words[2], **given)


def typed(library: Library[Game], lines: list[str]) -> Game:
    """A table game into which a file of moves was typed."""
    game = opened(library, lines[1])
    for move in read_moves(io.BytesIO("".join(lines).encode()), list(game.seats)):
        game.act(move.text, move.seat, outcomes=move.results)
    return game


def without_epoch(state: Any) -> Any:
    """A state as it is wherever in its log the last secret of chance came into force."""
    copy = state.copy()
    copy.chance.epoch = 0
    return copy


@pytest.mark.parametrize("rules", SMALL)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6), decisions=st.integers(1, 60))
def test_what_is_written_and_typed_is_the_same_game(
    library: Library[Game], rules: str, seed: int, decisions: int
) -> None:
    game = played(library, rules, f"moves {seed}", decisions)
    lines = list(moves(game))
    table = typed(library, lines)
    assert table.typed_chance
    assert table.state == game.state
    assert list(moves(table))[2:] == lines[2:]
    assert table.audit().ok


@pytest.mark.parametrize("rules", SHIPPED)
def test_a_whole_game_of_it_is_typed_from_a_file(library: Library[Game], rules: str) -> None:
    game = played(library, rules, "typed whole")
    assert game.outcome is not None
    table = typed(library, list(moves(game)))
    assert table.state == game.state
    assert table.outcome == game.outcome
    report = table.audit()
    assert report.ok
    entered = report.row("entered")
    assert entered is not None
    assert entered.count > 50
    # without results the file is that of a game of fate, and the same seed gives the same game
    again = library.new(rules, seed="typed whole", undo="free")
    bare = list(moves(game, results=False))
    assert "table" not in bare[1]
    for move in read_moves(io.BytesIO("".join(bare).encode()), list(again.seats)):
        again.act(move.text, move.seat)
    assert again.state == game.state


@pytest.mark.parametrize("rules", [*SMALL, *SHIPPED])
def test_only_what_can_come_out_is_taken(library: Library[Game], rules: str) -> None:
    """A die of 1 to 6, a card still in the deck, a counter still in the bag; as many results as the rules ask for."""
    game = played(library, rules, "checked", 60)
    lines = list(moves(game))
    table = opened(library, lines[1])
    seats, tried = list(table.seats), 0
    for line in lines:
        move = read_move(line, seats)
        if move is None:
            continue
        if move.results and tried < 12:
            tried += 1
            length, state = table.length, table.state.copy()
            for wrong in (
                (*move.results[:-1], "0"), (*move.results[:-1], "no such card"), (*move.results[:-1], "7"),
                (*move.results, move.results[-1]), (),
            ):  # fmt: skip
                expected = NeedsOutcome if wrong == () else ImpossibleOutcome
                with pytest.raises(expected):
                    table.act(move.text, move.seat, outcomes=wrong)
                assert (table.length, table.state) == (length, state)
        table.act(move.text, move.seat, outcomes=move.results)
    assert tried
    assert table.state == game.state


def test_lines_that_were_left_and_other_secrets_of_chance_are_no_matter(library: Library[Game]) -> None:
    """Only the line up to the address is written; after a re-roll it holds what came then."""
    game = library.new("pig", seed="left", options={"goal": 1000}, undo="free")
    game.act("roll")
    game.act("roll")
    game.undo(reroll=True)
    game.act("roll")
    game.undo()
    game.note("not a move")
    game.act("hold")
    table = typed(library, list(moves(game)))
    assert without_epoch(table.state) == without_epoch(game.state)
    fork = game.fork(at=game.tip)
    fork.act("roll")
    assert without_epoch(typed(library, list(moves(fork))).state) == without_epoch(fork.state)
    first = next(position for position, event in game.events() if isinstance(event, ActionTaken))
    shorter = typed(library, list(moves(game, game.batch_end(first))))
    assert shorter.state == game.state_at(game.batch_end(first))


def test_a_wrong_entry_is_taken_back_and_typed_anew(library: Library[Game]) -> None:
    game = library.new("pig", chance="table", options={"goal": 1000})
    assert game.policy == "free"  # at a table a mistake of the pen is no look into the future
    game.act("roll", outcomes=["5"])
    game.undo()
    game.act("roll", outcomes=["6"])
    assert game.state.turn_total == 6
    assert [line.strip() for line in moves(game)][2:] == ["p1: roll = 6"]


def test_nobody_writes_what_he_does_not_know(library: Library[Game], tmp_path: Any) -> None:
    game = played(library, "hidden", "secret", 40)
    raider = next(seat for seat in game.seats)
    with pytest.raises(NotAllowed, match="not known here"):
        next(moves(game, seat=raider))  # nothing is written before it is refused
    copy = library.load(game.export(tmp_path / "seat.tape.jsonl", raider))
    with pytest.raises(NotAllowed, match="not known here"):
        next(moves(copy))
    open_game = played(library, "pig", "open", 9)
    assert list(moves(open_game, seat="p1")) == list(moves(open_game))


# ---------------------------------------------------------------------- how a line is read


LINES = {
    "": None,
    "   \t ": None,
    "# a comment": None,
    "#": None,
    "roll": Move(1, "", "roll"),
    "p1 roll": Move(1, "p1", "roll"),
    "p1: roll = 4": Move(1, "p1", "roll", ("4",)),
    "p3 roll": Move(1, "", "p3 roll"),
    "mv #07 n6": Move(1, "", "mv #07 n6"),
    "#07 n6": Move(1, "", "#07 n6"),
    "mv #07 n6 # away = 5": Move(1, "", "mv #07 n6"),
    "fight = 4,2 , 6": Move(1, "", "fight", ("4", "2", "6")),
    "deploy LUK=V1 = SP-27, SP-13": Move(1, "", "deploy LUK=V1", ("SP-27", "SP-13")),
    'draw = "a, b", "c \\" d", e': Move(1, "", "draw", ("a, b", 'c " d', "e")),
    "a = b =": Move(1, "", "a = b"),
    "draw = ,,": Move(1, "", "draw"),
    "p1:": Move(1, "p1", ""),
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_read(line: str) -> None:
    assert read_move(line, ["p1", "p2"]) == LINES[line]
    assert read_move(f"{line}\r\n", ["p1", "p2"]) == LINES[line]


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1), max_size=5))
def test_results_of_any_name_are_read_as_they_were_written(results: list[str]) -> None:
    line = f"draw = {write_results(results)}"
    found = read_move(line, ["p1"])
    assert found is not None
    assert list(found.results) == results


@given(st.binary(max_size=300))
def test_whatever_stands_in_a_file_is_read_or_refused_by_line(data: bytes) -> None:
    lines = data.count(b"\n") + 1
    try:
        count, line = len(list(read_moves(io.BytesIO(data), ["p1"]))), 1
    except BadMove as error:
        count, line = 0, error.line
    assert count <= lines
    assert 1 <= line <= lines


def test_hostile_files_of_moves() -> None:
    def fails(data: bytes) -> BadMove:
        with pytest.raises(BadMove) as caught:
            list(read_moves(io.BytesIO(data), ["p1"]))
        assert len(str(caught.value)) < 300
        return caught.value

    assert fails(b"roll\n" + b"x" * (LONGEST + 1)).line == 2
    assert fails(b"roll\nhold\nr\xffll\n").line == 3
    assert "do not end" in str(fails(b'roll = "4\n'))
    assert "no string" in str(fails(b'roll = "\\x"\n'))
    assert fails("roll\n".encode("utf-16")).line == 1
    assert [move.text for move in read_moves(io.BytesIO(b"\xef\xbb\xbfroll\r\n\r\nhold"), ["p1"])] == ["roll", "hold"]
    assert [move.text for move in read_moves(io.BytesIO(b"ro\0ll\n"), ["p1"])] == ["ro\0ll"]


class Endless(io.RawIOBase):
    """A file without a line break and without an end, which counts what is read of it."""

    taken = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        buffer[:] = b"x" * len(buffer)
        self.taken += len(buffer)
        return len(buffer)


def test_a_line_without_end_is_not_read_to_its_end() -> None:
    endless = Endless()
    with pytest.raises(BadMove, match="at most"):
        list(read_moves(io.BufferedReader(endless), ["p1"]))
    assert endless.taken < 4 * LONGEST


def test_a_bad_move_is_bad_notation() -> None:
    assert issubclass(BadMove, BadNotation)
    assert issubclass(BadMove, WarptapeError)
