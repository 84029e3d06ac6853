"""Games of several levels: addresses by level, chapters in the story, jumps in the viewer; shown on Pig in legs."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec
import pytest
from pig import RULESET, Pig, PigState, Turn, TurnStarted

import warptape
from warptape.cli.commands.replay import _recording
from warptape.domain import rules as registry
from warptape.domain.errors import BadAddress
from warptape.domain.events import Event, Step
from warptape.domain.rules import Outcome, Script, do
from warptape.projections.archive import Archive, StoreSource
from warptape.projections.archive.questions import answer
from warptape.projections.frames import status
from warptape.replays.address import Address, parse_address
from warptape.replays.viewer import Viewer


class LegOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    goal: int = 6
    players: int = 2
    legs: int = 3


class LegState(PigState):  # type: ignore[misc]
    options: LegOptions = LegOptions()
    leg: int = 0


class LegStarted(Event, frozen=True):
    heading: ClassVar[str] = "level"
    leg: int

    def apply(self, state: LegState) -> None:
        state.leg = self.leg
        state.scores = [0] * state.options.players

    def tell(self, state: LegState) -> str:
        return f"Leg {self.leg}: to {state.options.goal}."


class Legs(Pig):  # type: ignore[misc]
    """Pig over several legs: who reaches the goal wins the leg, and who wins the last one the game."""

    id = "legs"
    title = "Pig in legs"
    state = LegState
    options = LegOptions
    events = (*Pig.events, LegStarted)

    def levels(self, options: LegOptions) -> int:
        return options.legs

    def setup(self, state: LegState) -> Script:
        yield LegStarted(1)
        yield TurnStarted(0)
        yield do(Turn(player=0))

    def resolve(self, state: LegState, step: Any, action: Any) -> Script:
        yield from super().resolve(state, step, action)
        if max(state.scores) >= state.options.goal and state.leg < state.options.legs:
            yield LegStarted(state.leg + 1)
            yield TurnStarted(step.player)
            yield do(step)

    def run(self, state: LegState, step: Step) -> Script:
        raise AssertionError
        yield

    def outcome(self, state: LegState) -> Outcome | None:
        return super().outcome(state) if state.leg == state.options.legs else None  # type: ignore[no-any-return]


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[warptape.Store]:
    monkeypatch.setitem(registry._loaded, "legs", Legs())
    monkeypatch.setitem(registry._loaded, "pig", RULESET)
    with warptape.open(":memory:") as store:
        yield store


def played(store: warptape.Store, seed: str, legs: int = 3, moves: int = 1000) -> warptape.Game:
    game = store.new("legs", seed=seed, options={"legs": legs}, undo="free")
    luck = random.Random(seed)
    for _ in range(moves):
        if game.decision is None:
            break
        game.act(luck.choice(game.decision.actions))
    return game


def expected(game: warptape.Game) -> list[tuple[int, list[int]]]:
    """Where each level of the current line begins, with its rounds."""
    found: list[tuple[int, list[int]]] = []
    for position, event in game.line():
        if isinstance(event, LegStarted):
            found.append((position, []))
        elif event.heading == "round":
            found[-1][1].append(position)
    return found


def check(game: warptape.Game) -> None:
    levels = expected(game)
    for number, (at, rounds) in enumerate(levels, 1):
        assert game.locate(f"@l{number}") == at
        assert [game.locate(f"@l{number}r{n}") for n in range(1, len(rounds) + 1)] == rounds
        with pytest.raises(BadAddress, match=f"Level {number} has no round {len(rounds) + 1}: .* it has {len(rounds)}"):
            game.locate(f"@l{number}r{len(rounds) + 1}")
        with pytest.raises(BadAddress, match="has no round 0"):
            game.locate(f"@l{number}r0")
    along = [at for _, rounds in levels for at in rounds]
    assert [game.locate(f"@r{number}") for number in range(1, len(along) + 1)] == along
    with pytest.raises(
        BadAddress, match=f"There is no level {len(levels) + 1}: this line of the game has {len(levels)}"
    ):
        game.locate(f"@l{len(levels) + 1}")
    with pytest.raises(BadAddress, match="There is no level 0"):
        game.locate("@l0")


@pytest.mark.parametrize("seed", range(6))
def test_levels_and_their_rounds_are_found_on_every_line(store: warptape.Store, seed: int) -> None:
    game = played(store, f"legs {seed}")
    check(game)
    assert len(expected(game)) == 3
    for place in ("@l3r1", "@l2r1", "@l2", "@l1"):
        at = game.locate(place)
        game.rewind(place)
        assert game.tip == game.batch_end(at)
        check(game)
        before = expected(game)
        for _ in range(6):
            if game.decision is not None:
                game.act(game.decision.actions[-1])
        check(game)
        assert [at for at, _ in expected(game)][: len(before)] == [at for at, _ in before]


def test_an_address_is_read_as_it_is_written() -> None:
    for text, address in (
        ("hulk@l2", Address("hulk", "level", 2)),
        ("hulk@L2R13", Address("hulk", "level", 2, 13)),
        ("@l10r1", Address("", "level", 10, 1)),
        ("hulk@r3", Address("hulk", "round", 3)),
        ("hulk@d12", Address("hulk", "decision", 12)),
        ("hulk@57", Address("hulk", "event", 57)),
        ("hulk@-5", Address("hulk", "back", 5)),
        ("hulk@start", Address("hulk", "start")),
        ("hulk", Address("hulk")),
    ):
        assert parse_address(text) == address
        assert parse_address(str(address)) == address
    for text in ("@l", "@lr2", "@r2l1", "@l2r", "@l2d3", "@l-1", "@l2 r3", "@l2r3r4"):
        with pytest.raises(BadAddress, match="@l2 \\(level\\)"):
            parse_address(text)
    for text in ("@l1234567890123", "@l1r1234567890123"):
        with pytest.raises(BadAddress, match="too large"):
            parse_address(text)


def test_a_game_without_levels_says_so(store: warptape.Store) -> None:
    game = store.new("pig", seed="a")
    with pytest.raises(BadAddress, match="This game has no levels: count its rounds along the line, as in @r3"):
        game.locate("@l1")


def test_chapters_stand_above_rounds_in_every_format(store: warptape.Store) -> None:
    game = played(store, "legs 0")
    levels = expected(game)
    heads = [line for line in game.transcript("md").splitlines() if line.startswith("##")]
    assert [line for line in heads if line.startswith("## ")] == [f"## Leg {number}: to 6" for number in (1, 2, 3)]
    assert len([line for line in heads if line.startswith("### ")]) == sum(len(rounds) for _, rounds in levels)
    assert heads[0] == "## Leg 1: to 6"
    assert heads[1] == "### Player 1 takes a turn"
    text = game.transcript("txt")
    assert "\nLeg 2: to 6\n===========\n" in text
    assert "\nPlayer 1 takes a turn\n---------------------\n" in text
    page = game.transcript("html")
    assert "<h2>Leg 2: to 6</h2>" in page
    assert "<h3>Player 1 takes a turn</h3>" in page


def test_one_level_makes_no_chapter(store: warptape.Store) -> None:
    game = played(store, "legs 0", legs=1)
    assert game.locate("@l1") == expected(game)[0][0]
    story = game.transcript("md")
    assert "# Leg 1" not in story
    assert "- Pig in legs is opened. Leg 1: to 6." in story
    assert "\n## Player 1 takes a turn" in story
    viewer = Viewer(game, "@r1")
    assert viewer.where().level_text == ""


def test_the_archive_tells_the_rounds_of_levels_apart(store: warptape.Store) -> None:
    """Of every event it says the level and its round as addresses count them, on the current line and on those left."""
    left, game = played(store, "legs 2"), played(store, "legs 3")
    left.rewind("@l2r1")
    left.act(left.decision.actions[-1])  # type: ignore[union-attr]
    single = played(store, "legs 4", legs=1)
    with Archive(":memory:") as archive:
        assert archive.follow(StoreSource(store.store)).failed == []
        ask = archive.connection.execute
        for one in (left, game):
            levels = expected(one)
            sql = "SELECT position, level, level_round FROM events WHERE game = ? AND current ORDER BY position"
            for position, level, within in ask(sql, (one.id,)):
                begun = [rounds for at, rounds in levels if at <= position]
                assert level == len(begun)
                assert within == (sum(at <= position for at in begun[-1]) if begun else 0)
            assert ask("SELECT levels FROM games WHERE id = ?", (one.id,)).fetchone() == (len(levels),)
            figures = (
                "SELECT DISTINCT position, level, level_round FROM figures WHERE game = ? AND current AND position < ?"
            )
            starts = {(at, n, m) for n, (_, rounds) in enumerate(levels, 1) for m, at in enumerate(rounds, 1)}
            assert {*ask(figures, (one.id, one.tip))} == {start for start in starts if start[0] < one.tip}
        gone = ask("SELECT max(level), max(level_round) FROM events WHERE game = ? AND NOT current", (left.id,))
        assert gone.fetchone()[0] == 3, "what was taken back keeps its own"
        sql = "SELECT DISTINCT level, round = level_round FROM events WHERE game = ?"
        assert ask(sql, (single.id,)).fetchall() == [(0, 1)]
        assert ask("SELECT levels FROM games WHERE id = ?", (single.id,)).fetchone() == (0,)
        got = Counter(
            (n, m)
            for one in (left, game, single)
            if one.outcome is not None
            for n, (_, rounds) in enumerate(expected(one), int(one is not single))
            for m in range(1, len(rounds) + 1)
        )
        found = answer(archive, "losses_by_round", {"rounds": "999"}).rows
        assert {(level, number): games for _, seat, level, number, games, *_ in found if seat == "p1"} == got


def test_the_viewer_jumps_by_level_and_says_which(store: warptape.Store) -> None:
    game = played(store, "legs 1")
    levels = [at for at, _ in expected(game)]
    viewer = Viewer(game)
    viewer.first()
    found = []
    while viewer.jump("level"):
        found.append(viewer.position)
        here = viewer.where()
        assert (here.level, here.level_text, here.round_text) == (len(found), f"Leg {len(found)}: to 6", "")
        assert f" · Leg {len(found)}: to 6" in status(viewer, 500)
        assert viewer.story(1, 0)[-1].heading == "level"
    assert found == levels == viewer.targets("level")
    while viewer.jump("level", forward=False):
        found.pop()
    assert len(found) == 1
    viewer.go("@l2r1")
    here = viewer.where()
    assert (here.level, here.level_text) == (2, "Leg 2: to 6")
    assert here.round_text.endswith("takes a turn")


def test_a_recording_has_a_mark_at_every_level_and_round(store: warptape.Store) -> None:
    game = played(store, "legs 2")
    lines = [json.loads(line) for line in _recording(Viewer(game), (80, 24), 1.0)]
    marks = [line[2] for line in lines[1:] if line[1] == "m"]
    assert [mark for mark in marks if mark.startswith("Leg ")] == [f"Leg {number}: to 6" for number in (1, 2, 3)]
    turns = sum(len(rounds) for _, rounds in expected(game))
    assert len(marks) == 3 + turns
