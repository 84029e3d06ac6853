"""The cursor of whoever watches a game: every way to a position shows what that position held, and no more."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from replay_model import SeededDesk, opened, play_randomly

from warptape.domain.errors import BadAddress, NotAllowed
from warptape.domain.events import ActionTaken, NoteAdded
from warptape.domain.rules import installed, ruleset
from warptape.domain.secrets import Secret
from warptape.replays.beats import CHUNK
from warptape.replays.course import Course
from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.timeline import Span
from warptape.replays.told import tell_line
from warptape.replays.transcript import transcript
from warptape.replays.viewer import TARGETS, Viewer

RULESETS = ("pig", "nested", "hidden", "space-marine-adventures", "doom-of-the-eldar", "tyranid-attack")
GAMES: dict[str, dict[str, Any]] = {"pig": {"options": {"goal": 25}}}


@pytest.fixture
def library() -> Iterator[Library[Game]]:
    with Library[Game](":memory:", SeededDesk(7)) as library:
        yield library


def branched(library: Library[Game], name: str, seed: int = 1, moves: int = 40) -> Game:
    """A game with take-backs, notes and lines that were left, by random play."""
    luck = random.Random(seed)
    game = library.new(name, seed=f"watch {seed}", undo="free", **GAMES.get(name, {}))
    model = opened(game)
    for _ in range(moves):
        play_randomly(game, model, luck)
    return game


def whole(library: Library[Game], name: str) -> Game:
    """A game that bots play, of some hundred events."""
    game = library.new(name, seed="whole", undo="free")
    game.run(dict.fromkeys(game.seats, "random"), limit=120)
    return game


def view(game: Game, position: int, seat: str | None) -> Any:
    state = game.state_at(position)
    return state if seat is None else game.ruleset.view(state, seat)


def wander(viewer: Viewer, luck: random.Random) -> None:
    """Move in some way."""
    tips = [way.line.tip for way in viewer.ways()]
    words = ("a", "the", "roll", "Note", "nowhere")
    moves = [
        lambda: viewer.step(luck.choice([1, -1, 7, -7, 1000, -1000])),
        viewer.forward,
        viewer.back,
        lambda: viewer.jump(luck.choice(TARGETS), luck.random() < 0.5),
        lambda: viewer.go(f"@{luck.randrange(viewer.tape.length)}"),
        lambda: viewer.search(luck.choice(words), luck.random() < 0.5),
        lambda: viewer.switch(luck.choice(tips)),
        lambda: viewer.see(luck.choice([None, *viewer.seats])),
    ]
    luck.choice(moves)()


# A line as a row


def test_a_course_counts_the_positions_of_a_line() -> None:
    course = Course([Span(0, 3), Span(7, 7), Span(10, 12)])
    assert [course[index] for index in range(len(course))] == [0, 1, 2, 3, 7, 10, 11, 12]
    assert [course[course.floor(position)] for position in (0, 3, 4, 6, 7, 9, 12, 99)] == [0, 3, 3, 3, 7, 7, 12, 12]
    assert [position for position in range(-1, 15) if position in course] == [0, 1, 2, 3, 7, 10, 11, 12]
    for index in (-1, 8):
        with pytest.raises(IndexError):
            course[index]


# What is shown is what the position held


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("seed", range(3))
def test_however_one_comes_there_a_position_shows_what_it_held(library: Library[Game], name: str, seed: int) -> None:
    """Jump, step, search, other lines and seats: the state is `state_at`, as the seat may know it."""
    game = branched(library, name, seed)
    viewer, luck = Viewer(game), random.Random(seed)
    for _ in range(60):
        wander(viewer, luck)
        assert viewer.state == view(game, viewer.position, viewer.seat)
        assert viewer.course[viewer.index] == viewer.position
        assert game.tree.on_line(viewer.position, viewer.tip)
        fresh = Viewer(game, viewer.position, viewer.seat)
        fresh.switch(viewer.tip)
        assert (fresh.position, fresh.state) == (viewer.position, viewer.state)
        assert fresh.story(5, 5) == viewer.story(5, 5)
        assert fresh.where() == viewer.where()


@pytest.mark.parametrize("name", RULESETS)
def test_a_step_forward_and_back_is_where_one_was(library: Library[Game], name: str) -> None:
    game = whole(library, name)
    for seat in (None, *Viewer(game).seats):
        viewer = Viewer(game, "@0", seat)
        there = []
        while True:
            there.append((viewer.position, viewer.state))
            if not viewer.step():
                break
            assert viewer.step(-1)
            assert viewer.position == there[-1][0]
            assert viewer.step()
        assert [position for position, _ in there] == [position for position, _ in game.line()]
        for position, state in reversed(there):
            assert (viewer.position, viewer.state) == (position, state)
            viewer.step(-1)
        assert viewer.position == 0


@pytest.mark.parametrize("name", RULESETS)
def test_the_story_steps_the_same_moments_in_both_directions(library: Library[Game], name: str) -> None:
    game = branched(library, name)
    viewer = Viewer(game, "@0")
    ahead = [viewer.position]
    while viewer.forward():
        ahead.append(viewer.position)
    behind = [viewer.position]
    while viewer.back():
        behind.append(viewer.position)
    assert behind[::-1] == ahead
    assert ahead[-1] == game.tip


def test_a_look_does_not_change_what_is_kept(library: Library[Game]) -> None:
    """States are folded from copies: those that stand nearby are left as they were."""
    game = whole(library, "nested")
    viewer = Viewer(game, "@0")
    viewer.last()
    for index in range(viewer.index, -1, -1):
        assert viewer.windows.state(index) == game.state_at(viewer.course[index])


# Secrets


@pytest.mark.parametrize("name", [name for name in RULESETS if name in ("hidden", "doom-of-the-eldar")])
def test_going_back_closes_what_was_revealed_later(library: Library[Game], name: str) -> None:
    """Skipping to the end and back, a seat sees what lay covered then still covered, on board and in story."""
    game = whole(library, name)
    for seat in Viewer(game).seats:
        early = Viewer(game, "@d5", seat)
        before, told = early.state, early.story(20, 0)
        early.last()
        while early.jump("reveal", forward=False):
            pass
        early.go("@d5")
        assert early.state == before == view(game, early.position, seat)
        assert early.story(20, 0) == told
        assert _covered(early.state) == _covered(view(game, early.position, seat))


@pytest.mark.parametrize("name", ["hidden", "doom-of-the-eldar"])
def test_a_seat_never_sees_what_is_anothers(library: Library[Game], name: str) -> None:
    """The other seat's hand stays covered however one moves, after looking as the owner or as the other seat too."""
    game = whole(library, name)
    seats = list(Viewer(game).seats)
    luck = random.Random(3)
    viewer = Viewer(game)
    hid = 0
    for _ in range(80):
        wander(viewer, luck)
        viewer.see(luck.choice(seats))
        assert not [one for one in _secrets(viewer.state) if viewer.seat not in one.seen_by and _open(one)]
        hid += len([one for one in _secrets(viewer.state) if viewer.seat not in one.seen_by])
        told = {one.position: one.text for one in tell_line(game, viewer.tip, 0, viewer.seat)}
        for beat in viewer.story(4, 4):
            assert not beat.text or beat.text == told[beat.position]
    assert hid


def _secrets(value: Any) -> list[Secret]:
    if isinstance(value, Secret):
        return [value]
    if isinstance(value, dict):
        return [one for item in value.values() for one in _secrets(item)]
    if isinstance(value, list | tuple):
        return [one for item in value for one in _secrets(item)]
    if hasattr(value, "__struct_fields__"):
        return [one for field in value.__struct_fields__ for one in _secrets(getattr(value, field))]
    return []


def _open(secret: Secret) -> bool:
    return isinstance(secret.value, str | int | tuple)


def _covered(state: Any) -> int:
    return len([one for one in _secrets(state) if not _open(one)])


def test_what_a_seat_does_not_know_is_not_found(library: Library[Game]) -> None:
    """A search looks through the story as the seat knows it."""
    game = library.new("hidden", seed="s", undo="free")
    game.run(dict.fromkeys(game.seats, "random"), limit=12)
    orders = [told for told in game.log() if "is guarded" in told.text]
    assert orders
    viewer = Viewer(game, "@0", "raider")
    assert viewer.search(orders[0].text) is False
    viewer.see("warden")
    assert viewer.search(orders[0].text.upper())
    assert viewer.position == orders[0].position


def test_a_seats_log_shows_no_other_seat(library: Library[Game], tmp_path: Any) -> None:
    game = whole(library, "hidden")
    seen = library.load(game.export(tmp_path / "raider.tape.jsonl", "raider"))
    viewer = Viewer(seen)
    assert list(viewer.seats) == ["raider"]
    with pytest.raises(NotAllowed, match="no seat 'warden'"):
        viewer.see("warden")
    viewer.last()
    assert not [one for one in _secrets(viewer.state) if "raider" not in one.seen_by and _open(one)]


def test_looking_is_delicate_while_two_people_play_a_game_with_secrets(library: Library[Game]) -> None:
    raid = library.new("hidden", seed="s", undo="free")
    assert Viewer(raid).delicate
    raid.run(dict.fromkeys(raid.seats, "random"))
    assert not Viewer(raid).delicate
    raid.undo()
    assert Viewer(raid).delicate
    assert not Viewer(library.new("hidden", seed="s", seats={"warden": "bot:random"})).delicate
    assert not Viewer(library.new("pig", seed="s")).delicate


# The story


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("chunk", [3, CHUNK])
def test_the_story_in_pieces_is_the_story(
    library: Library[Game], name: str, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warptape.replays.beats.CHUNK", chunk)
    game = branched(library, name)
    for seat in (None, *Viewer(game).seats):
        viewer = Viewer(game, "@0", seat)
        told = [(one.position, one.text) for one in tell_line(game, game.tip, 0, seat)]
        notes = {at for at, event in game.line() if isinstance(event, NoteAdded)}
        expected = [(position, text) for position, text in told if text and position not in notes]
        beats = list(viewer.beats.after(-1))
        assert [(beat.position, beat.text) for beat in beats if beat.text] == expected
        assert list(viewer.beats.before(len(viewer.course)))[::-1] == beats
        text = " ".join(transcript(game, "txt", seat=seat).replace("\n", " ").split())
        for beat in beats:
            said = beat.text.rstrip(".") if beat.heading else beat.text.partition(": ")[2] if beat.acts else beat.text
            assert said in text


def test_the_current_moment_is_the_last_of_those_told_so_far(library: Library[Game]) -> None:
    game = whole(library, "pig")
    viewer = Viewer(game, "@0")
    for index in range(len(viewer.course)):
        viewer.first()
        viewer.step(index)
        story = viewer.story(3, 2)
        past = [beat for beat in story if beat.position <= viewer.position]
        every = list(viewer.beats.after(-1))
        assert past == [beat for beat in every if beat.position <= viewer.position][-3:]
        assert story[len(past) :] == [beat for beat in every if beat.position > viewer.position][:2]


def test_a_long_game_is_told_only_where_it_is_looked_at(library: Library[Game], monkeypatch: Any) -> None:
    game = library.new("pig", seed="long", undo="free", options={"goal": 1000})
    game.run(dict.fromkeys(game.seats, "sensible"), limit=700)
    assert game.length > 10 * CHUNK
    read: list[int] = []
    events = Game.line

    def counted(*given: Any, **more: Any) -> Any:
        for one in events(*given, **more):
            read.append(one[0])
            yield one

    monkeypatch.setattr(Game, "line", counted)
    viewer = Viewer(game)
    assert viewer.story(10, 10)
    assert viewer.where().decisions == 0
    assert len(read) < 5 * CHUNK
    viewer.last()
    assert viewer.story(10, 10)
    assert len(read) < 10 * CHUNK


# Jumps


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("what", TARGETS)
def test_jumps_go_through_all_of_a_kind_in_order_and_back(library: Library[Game], name: str, what: str) -> None:
    game = branched(library, name, 2)
    viewer = Viewer(game, "@0")
    viewer.first()
    ahead = []
    while viewer.jump(what):
        ahead.append(viewer.position)
    assert ahead == [position for position in viewer.targets(what) if position > 0]
    viewer.last()
    behind = [viewer.position] if viewer.position in ahead else []
    while viewer.jump(what, forward=False):
        behind.append(viewer.position)
    assert [position for position in behind[::-1] if position] == ahead
    assert viewer.jump(what, forward=False) is False


@pytest.mark.parametrize("name", RULESETS)
def test_what_can_be_jumped_to_is_what_the_ruleset_marks(library: Library[Game], name: str) -> None:
    game = library.new(name, seed="marks", undo="free")
    bot = "sensible" if "sensible" in game.ruleset.bots else "random"
    game.run(dict.fromkeys(game.seats, bot), limit=400)
    viewer = Viewer(game)
    line = list(game.line())
    for what in ("fight", "loss"):
        assert viewer.targets(what) == [position for position, event in line if event.mark == what]
    assert viewer.targets("round") == [position for position, event in line if event.heading == "round"]
    assert len(viewer.targets("decision")) == 1 + sum(isinstance(event, ActionTaken) for _, event in line)
    assert viewer.targets("fight") or name in ("pig", "nested")
    assert viewer.targets("loss")


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_marks_are_of_a_known_kind(name: str) -> None:
    assert {event.mark for event in ruleset(name).events} <= {"", "fight", "loss"}
    assert name in installed()


def test_a_reveal_is_no_die(library: Library[Game]) -> None:
    game = whole(library, "hidden")
    kinds = {type(game.event(position)).__name__ for position in Viewer(game).targets("reveal")}
    assert "DiceRolled" not in kinds
    assert "CounterDrawn" in kinds


def test_addresses_are_those_of_every_command(library: Library[Game]) -> None:
    game = branched(library, "pig", 5)
    viewer = Viewer(game)
    for place in ("@start", "@end", "@d1", "@d3", "@r1", "@r2", "@-1", "@-4"):
        viewer.go(place)
        assert viewer.position == game.tree.resolve(game.locate(place)), place
    viewer.go("7")
    assert viewer.position == game.tree.resolve(7)
    viewer.go(f"{game.name}@d2")
    assert viewer.position == game.locate("@d2")
    for wrong, says in (
        ("@99999", "no event @99999"),
        ("@d999", "no decision 999"),
        ("x", "no place"),
        ("", "no place"),
    ):
        with pytest.raises(BadAddress, match=says):
            viewer.go(wrong)
        assert viewer.position == game.locate("@d2")
    with pytest.raises(BadAddress, match="Another game"):
        viewer.go("other@3")


def test_addresses_count_along_the_line_that_is_watched(library: Library[Game]) -> None:
    game = library.new("pig", seed="a", undo="free", options={"goal": 20})
    game.act("roll")
    left = game.act("hold").position
    game.undo()
    game.act("roll")
    viewer = Viewer(game)
    viewer.go("@d3")
    assert viewer.position == game.tip
    viewer.go(left)
    assert viewer.tip < game.tip
    viewer.go("@d3")
    assert viewer.position == viewer.tip == game.tree.tips()[0]
    viewer.go("@-1")
    assert viewer.position == game.tree.before(left, viewer.tip)


# Search


@pytest.mark.parametrize("chunk", [3, CHUNK])
def test_search_goes_round_and_finds_every_place_once(
    library: Library[Game], chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("beats", "viewer"):
        monkeypatch.setattr(f"warptape.replays.{module}.CHUNK", chunk)
    game = branched(library, "pig", 6, 30)
    viewer = Viewer(game, "@0")
    viewer.step(9)
    every = [beat.position for beat in viewer.beats.after(-1) if any("rolled" in line.lower() for line in beat.lines())]
    assert len(every) > 3
    for forward in (True, False):
        found = []
        for _ in every:
            assert viewer.search("ROLLED", forward)
            found.append(viewer.position)
        assert sorted(found) == every
        assert viewer.search("ROLLED", forward)
        assert viewer.position == found[0]
    here = viewer.position
    assert viewer.search("nothing says this") is False
    assert viewer.search("  ") is False
    assert viewer.position == here


def test_search_says_when_it_has_looked_through_a_piece(library: Library[Game]) -> None:
    game = library.new("pig", seed="long", undo="free", options={"goal": 1000})
    game.run(dict.fromkeys(game.seats, "sensible"), limit=200)
    viewer = Viewer(game)
    assert list(viewer.finding("nothing says this")) == [False] * (viewer.beats.pieces + 1)


def test_notes_and_take_backs_are_found_where_they_stand(library: Library[Game]) -> None:
    game = library.new("pig", seed="a", undo="free", options={"goal": 20})
    game.act("roll")
    place = game.tip
    game.act("hold")
    game.undo(reason="too early")
    game.note("a brave roll", place, person="Ben")
    game.act("roll")
    viewer = Viewer(game)
    assert viewer.search("brave")
    assert viewer.position == place
    (beat,) = viewer.story(1, 0)
    assert beat.notes == ("Note by Ben: a brave roll",)
    assert beat.returns[0].startswith("Taken back to here from @")
    assert beat.returns[0].endswith("(too early).")
    assert viewer.targets("note") == viewer.targets("take-back") == [place]


# Lines


def test_lines_are_a_tree_and_a_switch_keeps_what_is_shared(library: Library[Game]) -> None:
    for seed in range(4):
        game = branched(library, "pig", seed, 60)
        viewer = Viewer(game)
        ways = viewer.ways()
        assert sorted(way.line.tip for way in ways) == sorted(line.tip for line in game.lines())
        assert ways[0].line.current
        assert ways[0].depth == 0
        assert len(ways) > 2
        for number, way in enumerate(ways[1:], 1):
            parent = next(one for one in reversed(ways[:number]) if one.depth == way.depth - 1)
            assert game.tree.meet(game.tree.line(parent.line.tip), way.line.tip) == way.parts
            rest = [one for one in ways if one is not way and one.line.current]
            assert all(game.tree.meet(game.tree.line(one.line.tip), way.line.tip) <= way.parts for one in rest)
        for way in ways:
            viewer.go("@end")
            before = viewer.position
            viewer.switch(way.line.tip)
            assert viewer.tip == way.line.tip
            assert viewer.position == game.tree.meet(game.tree.line(before), way.line.tip)


def test_a_game_of_one_event_can_be_watched(library: Library[Game]) -> None:
    game = library.new("pig", seed="a", undo="free")
    viewer = Viewer(game)
    viewer.first()
    assert viewer.position == 0
    assert not viewer.step(-1)
    assert viewer.where().outcome is None
    assert viewer.where().between is False
    assert viewer.story(3, 3)[0].text == "Pig is opened."


def test_where_tells_round_decisions_and_what_is_due(library: Library[Game]) -> None:
    game = library.new("pig", seed="a", undo="free", options={"goal": 20})
    game.act("roll")
    game.act("hold")
    viewer = Viewer(game, "@end")
    where = viewer.where()
    assert (where.decisions, where.round, where.round_text) == (2, 2, "Player 2 takes a turn")
    assert where.decision is not None
    assert where.decision.seat == "p2"
    viewer.step(-1)
    assert viewer.where().between is False
    assert viewer.where().decision is None
    game.run(dict.fromkeys(game.seats, "sensible"))
    ended = Viewer(game, "@end").where()
    assert ended.outcome is not None
    assert ended.decision is None


@pytest.mark.parametrize("name", RULESETS)
def test_on_the_way_to_the_next_decision_nobody_is_asked(library: Library[Game], name: str) -> None:
    """Between an action and what it leads to, an old question is still on the stack; every board can be drawn there."""
    from warptape.projections.boards import draw

    game = library.new(name, seed="boards", undo="free")
    bot = "sensible" if "sensible" in game.ruleset.bots else "random"
    game.run(dict.fromkeys(game.seats, bot), limit=100)
    viewer = Viewer(game, "@0")
    for position in range(0, game.length, 4):
        viewer.go(position)
        place = game.at(position)
        settled = game.batch_end(position) == position
        assert viewer.where().between is place.settled is settled
        assert (place.decision is not None) is (settled and bool(place.state.pending))
        for seat in (None, *viewer.seats):
            viewer.see(seat)
            assert viewer.shown == place.shown(seat)
            assert bool(viewer.shown.pending) is (settled and bool(viewer.state.pending))
            assert draw(game.ruleset, viewer.shown).text()
    for position in range(0, game.length, 30):  # a line that is watched up to there, as a recording is
        cut, place = Viewer(game, "@0"), game.at(position)
        cut.switch(position)
        cut.last()
        assert (cut.position, cut.where().between, cut.shown) == (position, place.settled, place.shown())


def test_a_private_note_is_shown_to_its_seat_alone(library: Library[Game]) -> None:
    """And one that was taken back to nobody; tags are told and found."""
    game = library.new("hidden", seed="s", undo="free")
    game.run(dict.fromkeys(game.seats, "random"), limit=4)
    game.note("my plan", 5, seat="raider", tags=["idea"])
    gone = game.note("a slip", 5, seat="raider")
    game.remove_note(gone.position)
    for seat, told in ((None, True), ("raider", True), ("warden", False)):
        viewer = Viewer(game, "@end", seat)
        viewer.first()
        assert viewer.search("[idea]") is told
        assert viewer.search("my plan") is told
        assert bool(viewer.targets("note")) is told
        assert viewer.search("a slip") is False
