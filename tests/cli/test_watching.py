"""The viewer on the terminal: its keys do what the cursor does, its panels show what that position held."""

from __future__ import annotations

import asyncio
import builtins
import json
import os
import re
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.viewer import Viewer

pytest.importorskip("textual", reason="the viewer needs Textual: install 'warptape[tui]'")

from textual.widgets import Input, OptionList, Static

from warptape.cli.watching import JUMPS, Watch
from warptape.cli.watching_screens import KEYS, Choice, Curtain, Help


@pytest.fixture
def library() -> Iterator[Library[Game]]:
    with Library[Game](":memory:") as library:
        yield library


def a_game(library: Library[Game], name: str = "pig", decisions: int = 60, **more: Any) -> Game:
    game = library.new(name, seed="watch", name="watched", undo="free", **more)
    game.run(dict.fromkeys(game.seats, "random"), limit=decisions)
    return game


def tried(viewer: Viewer, steps: Callable[[Any, Watch], Awaitable[None]], size: tuple[int, int] = (100, 40)) -> None:
    """Run the viewer without a terminal and press keys."""

    async def run() -> None:
        app = Watch(viewer)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(pilot, app)

    asyncio.run(run())


def text(app: Watch, name: str) -> str:
    """What a panel shows."""
    return str(app.screen_stack[0].query_one(f"#{name}", Static).render())


def everything(app: Watch) -> str:
    return "\n".join(text(app, name) for name in ("drawing", "where", "story"))


async def press(pilot: Any, *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await pilot.pause()


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("pig", (100, 40)),
        ("nested", (80, 24)),
        ("hidden", (40, 16)),
        ("space-marine-adventures", (100, 40)),
        ("space-marine-adventures", (40, 16)),
        ("doom-of-the-eldar", (80, 24)),
        ("doom-of-the-eldar", (40, 16)),
    ],
)
def test_every_game_is_shown_and_stepped_through(library: Library[Game], name: str, size: tuple[int, int]) -> None:
    game = a_game(library, name)

    async def steps(pilot: Any, app: Watch) -> None:
        assert f"watched @{app.viewer.position}" in text(app, "drawing")
        start = app.viewer.position
        seen = [everything(app)]
        for _ in range(7):
            await press(pilot, "right")
            seen.append(everything(app))
            assert f"@{app.viewer.position}/{game.tip}" in text(app, "where")
            assert f"watched @{app.viewer.position}" in text(app, "drawing")
            current = [line for line in text(app, "story").splitlines() if line.startswith("▶")]
            assert len(current) == 1
        assert app.viewer.position > start
        for before in reversed(seen[:-1]):
            await press(pilot, "left")
            assert everything(app) == before.replace("this is the end · ", "")
        assert app.viewer.position == start

    tried(Viewer(game), steps, size)


def test_each_letter_jumps_where_the_cursor_jumps(library: Library[Game]) -> None:
    game = a_game(library, "hidden", 80)
    game.undo(reason="a mistake")
    game.note("look at that", 40)

    async def steps(pilot: Any, app: Watch) -> None:
        other = Viewer(game)
        for key, what in JUMPS.items():
            for forward, pressed in ((True, key), (True, key), (False, key.upper())):
                moved = other.jump(what, forward)
                await press(pilot, pressed)
                assert app.viewer.position == other.position, what
                assert (f"no {what}" in text(app, "where")) is not moved
        for pressed, way in (("down", True), ("down", True), ("up", False)):
            other.jump("decision", way)
            await press(pilot, pressed)
            assert app.viewer.position == other.position
        for pressed, by in (("full_stop", 1), ("comma", -1)):
            other.step(by)
            await press(pilot, pressed)
            assert app.viewer.position == other.position
        await press(pilot, "end")
        assert app.viewer.position == app.viewer.tip
        await press(pilot, "right")
        assert "this is the end" in text(app, "where")
        await press(pilot, "home")
        assert app.viewer.position == 0

    tried(Viewer(game), steps)


def test_an_address_is_typed(library: Library[Game]) -> None:
    game = a_game(library)

    async def steps(pilot: Any, app: Watch) -> None:
        for typed, position in (("@d4", game.locate("@d4")), ("17", 17), ("@-2", game.locate("@-2"))):
            await press(pilot, "g")
            assert app.screen.query_one(Input).has_focus
            await press(pilot, *({"@": "at", "-": "minus"}.get(letter, letter) for letter in typed), "enter")
            assert app.viewer.position == position
        await press(pilot, "g", "at", "d", "9", "9", "9", "9", "enter")
        assert "There is no decision 9999" in text(app, "where")
        assert app.viewer.position == game.locate("@-2")
        await press(pilot, "g", "5", "escape")
        assert not app.has_class("asking")
        await press(pilot, "right")
        assert app.viewer.position > game.locate("@-2")

    tried(Viewer(game), steps)


def test_the_story_is_searched(library: Library[Game]) -> None:
    game = a_game(library)
    other = Viewer(game)

    async def steps(pilot: Any, app: Watch) -> None:
        await press(pilot, "n")
        assert "/ searches the story" in text(app, "where")
        await press(pilot, "slash", *"HOLDS", "enter")
        await app.workers.wait_for_complete()
        assert other.search("holds")
        assert app.viewer.position == other.position
        for key, forward in (("n", True), ("n", True), ("N", False)):
            await press(pilot, key)
            await app.workers.wait_for_complete()
            other.search("holds", forward)
            assert app.viewer.position == other.position
        await press(pilot, "slash", *"zzz", "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "'zzz' is said nowhere else" in text(app, "where")
        assert app.viewer.position == other.position

    tried(Viewer(game), steps)


def test_it_plays_pauses_and_changes_its_speed(library: Library[Game]) -> None:
    game = a_game(library)

    async def steps(pilot: Any, app: Watch) -> None:
        start = app.viewer.position
        await press(pilot, *["plus"] * 9)
        assert app.speed == 32
        await press(pilot, "minus", "plus")
        assert app.speed == 32
        await press(pilot, "space")
        assert "▶ 32/s" in text(app, "where")
        for _ in range(200):
            await pilot.pause(0.02)
            if app.viewer.position > start + 3:
                break
        assert app.viewer.position > start + 3
        await press(pilot, "space")
        there = app.viewer.position
        assert "32/s" not in text(app, "where")
        await pilot.pause(0.2)
        assert app.viewer.position == there
        await press(pilot, "end", "space")
        for _ in range(100):
            await pilot.pause(0.02)
            if app.playing is None:
                break
        assert app.playing is None

    tried(Viewer(game), steps)


def test_a_seat_is_chosen_and_sees_no_more_than_it_knew(library: Library[Game]) -> None:
    """The raider's counters never stand on the warden's screen, before, after and between looks as others."""
    game = a_game(library, "hidden", 400)
    assert game.outcome is not None

    drawn = [(event.item, event.token) for _, event in game.events() if type(event).__name__ == "CounterDrawn"]

    async def steps(pilot: Any, app: Watch) -> None:
        def seen(names: set[str]) -> set[str]:
            """Which of the raider's counters are told of."""
            told = "\n".join(line for beat in app.viewer.story(400, 0) for line in beat.lines())
            return {name for name, _ in drawn if name in names and re.search(rf"\b{name}\b", told + text(app, "story"))}

        hand = Viewer(game, "@-8", "raider").state.chance.bags["crew"].out.values()
        known = {one.value for one in hand if getattr(one, "seen_by", None) == ("raider",)}
        assert known
        await press(pilot, "g", "at", "minus", "8", "enter")
        await press(pilot, "s")
        assert isinstance(app.screen, Choice)
        assert "What the raider" in repr([str(app.screen.query_one(OptionList).get_option_at_index(1).prompt)])
        await press(pilot, "down", "enter")
        assert app.viewer.seat == "raider"
        assert "as raider knows it" in text(app, "where")
        assert seen(known) == known
        await press(pilot, "s", "down", "enter")
        assert app.viewer.seat == "warden"
        assert not seen(known)
        await press(pilot, "end", "home", "g", "at", "minus", "8", "enter")
        assert not seen(known)

    tried(Viewer(game), steps)


def test_a_curtain_falls_while_two_people_play_with_secrets(library: Library[Game]) -> None:
    game = a_game(library, "hidden", 8)

    async def steps(pilot: Any, app: Watch) -> None:
        before = everything(app)
        await press(pilot, "s", "down", "enter")
        assert isinstance(app.screen, Curtain)
        assert app.viewer.seat == "warden"
        await press(pilot, "n")
        assert app.viewer.seat == "warden"
        assert everything(app) == before
        await press(pilot, "s", "up", "enter")
        assert isinstance(app.screen, Curtain)
        await press(pilot, "y")
        assert app.viewer.seat == "raider"

    tried(Viewer(game, None, "warden"), steps)


def test_another_line_is_chosen_from_the_tree(library: Library[Game]) -> None:
    game = library.new("pig", seed="a", name="tree", undo="free", options={"goal": 20})
    game.act("roll")
    left = game.act("hold")
    game.undo()
    game.act("roll")

    async def steps(pilot: Any, app: Watch) -> None:
        await press(pilot, "b")
        rows = app.screen.query_one(OptionList)
        assert str(rows.get_option_at_index(0).prompt).startswith(f"* @{game.tip}")
        await press(pilot, "down", "enter")
        assert app.viewer.tip != game.tip
        assert app.viewer.tip >= left.position
        assert "on the line of" in text(app, "where")
        await press(pilot, "end")
        assert "hold" in text(app, "story")
        await press(pilot, "b", "escape")
        assert app.viewer.tip != game.tip

    tried(Viewer(game), steps)


def test_keys_panels_and_colours(library: Library[Game]) -> None:
    game = a_game(library, "space-marine-adventures", 40)

    async def steps(pilot: Any, app: Watch) -> None:
        await press(pilot, "question_mark")
        assert isinstance(app.screen, Help)
        assert KEYS in str(app.screen.query_one(Static).render())
        await press(pilot, "escape")
        assert not isinstance(app.screen, Help)
        await press(pilot, "g", "at", "d", "9", "enter")
        dark = app.query_one("#board").styles.background
        ahead = text(app, "story")
        await press(pilot, "c")
        assert app.theme == "textual-light"
        assert app.query_one("#board").styles.background != dark
        await press(pilot, "a")
        assert len(text(app, "story").splitlines()) <= len(ahead.splitlines())
        last = [line for line in text(app, "story").splitlines() if line.strip()][-1]
        assert last.startswith(("▶", " " * 8))
        await press(pilot, "z")
        assert not app.query_one("#story").display
        await press(pilot, "z")
        assert not app.query_one("#board").display
        await press(pilot, "z")
        assert app.query_one("#board").display
        assert app.query_one("#story").display

    tried(Viewer(game), steps)


def test_a_high_board_is_scrolled_by_keys(library: Library[Game]) -> None:
    game = a_game(library, "doom-of-the-eldar", 60)

    async def steps(pilot: Any, app: Watch) -> None:
        await press(pilot, "pagedown")
        down = app.query_one("#board").scroll_y
        assert down > 0
        await press(pilot, "right")
        assert app.query_one("#board").scroll_y == down
        await press(pilot, "pageup")
        assert app.query_one("#board").scroll_y == 0

    tried(Viewer(game), steps, (80, 24))


def test_a_log_that_cannot_be_folded_says_so_and_the_keys_still_work(
    library: Library[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    from warptape.domain.errors import BadLog

    game = a_game(library)
    state_at = Game.state_at

    def damaged(self: Game, position: int) -> Any:
        if position >= 32:
            raise BadLog("the event does not fit", position=position)
        return state_at(self, position)

    async def steps(pilot: Any, app: Watch) -> None:
        monkeypatch.setattr(Game, "state_at", damaged)
        await press(pilot, "g", "4", "0", "enter")
        assert "the event does not fit" in text(app, "drawing")
        await press(pilot, "home")
        assert "watched @0" in text(app, "drawing")

    tried(Viewer(game), steps)


@pytest.mark.parametrize("name", ["space-marine-adventures", "doom-of-the-eldar"])
@pytest.mark.parametrize(("inks", "size"), [("dark", (100, 40)), ("light", (80, 24))])
def test_what_is_on_the_screen_is_wide_enough(
    library: Library[Game], name: str, inks: Any, size: tuple[int, int]
) -> None:
    """As a picture: nothing of the status or the story is cut, and the board has its colours."""
    from warptape.projections.palette import TONES

    game = a_game(library, name, 90)

    async def run() -> None:
        app = Watch(Viewer(game, "@-3"), inks=inks)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            picture = app.export_screenshot()
            card = TONES["card"].fill if inks == "light" else TONES["card"].dark_fill
            assert card in picture
            assert all(len(line) <= size[0] - 2 for line in text(app, "story").splitlines())
            assert len(text(app, "story").splitlines()) <= app.query_one("#story").size.height

    asyncio.run(run())


# On a terminal


def test_the_viewer_on_a_real_terminal(run: Any, pig: Any, terminals: Any) -> None:
    run("act", "first", "roll", "roll")
    terminal = terminals("replay", "first")
    terminal.until("Player 1 takes a turn")
    terminal.type("\x1b[C")
    terminal.until("roll")
    terminal.type("?")
    terminal.until("next and previous fight")
    terminal.type("\x1b")
    terminal.until("leave")
    terminal.type("\x1b[F")
    terminal.until("p1 to decide")
    terminal.type("q")
    assert terminal.ended() == 0
    assert "\x1b[?1049l" in terminal.seen
    assert "Traceback" not in terminal.seen


def test_without_textual_the_error_names_the_extra(run: Any, pig: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from warptape.cli.commands import replay

    real = builtins.__import__

    def missing(name: str, *more: Any, **kinds: Any) -> Any:
        if name.partition(".")[0] == "textual":
            raise ModuleNotFoundError("No module named 'textual'", name="textual")
        return real(name, *more, **kinds)

    for module in [name for name in sys.modules if name.startswith("warptape.cli.watching")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(builtins, "__import__", missing)
    monkeypatch.setattr(replay, "is_terminal", lambda: True)
    monkeypatch.setattr(replay, "has_keys", lambda: True)
    monkeypatch.setattr(replay, "is_plain_ascii", lambda: False)
    from warptape.cli.trouble import Failed

    with pytest.raises(Failed, match=re.escape("warptape[tui]")) as caught:
        replay.replay.main(["first"], standalone_mode=False, obj=_app())
    assert "--plain" in str(caught.value)


def _app() -> Any:
    from warptape.cli.app import App

    return App(os.environ["WARPTAPE_STORE"])


def test_watching_loads_textual_and_nothing_else_does() -> None:
    import subprocess

    code = (
        "import sys, warptape, warptape.cli.commands.replay, warptape.replays.viewer\n"
        "print([name for name in ('textual', 'rich') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# Recordings


def test_a_recording_is_one_screen_a_moment(run: Any, pig: Any, tmp_path: Path) -> None:
    run("act", "first", "roll", "roll", "hold")
    run("replay", "first", "--cast", "game.cast", "--speed", "4", "--size", "80x24")
    lines = (tmp_path / "game.cast").read_text(encoding="utf-8").splitlines()
    head, events = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
    assert (head["version"], head["width"], head["height"]) == (2, 80, 24)
    screens = [event for event in events if event[1] == "o"]
    assert [event[0] for event in screens] == [number / 4 for number in range(len(screens))]
    marks = [event[2] for event in events if event[1] == "m"]
    assert marks == ["Player 1 takes a turn", "Player 2 takes a turn"]
    shown = played_back(screens, 80, 24)
    assert "turn total" in "\n".join(shown[-2])
    assert any("p2 to decide" in line for line in shown[-2])
    assert all(len(line) <= 80 for screen in shown for line in screen)
    first = (tmp_path / "game.cast").read_bytes()
    run("replay", "first", "--cast", "again.cast", "--speed", "4", "--size", "80x24")
    assert (tmp_path / "again.cast").read_bytes() == first
    assert os.uname().nodename not in first.decode()
    assert str(tmp_path) not in first.decode()


def test_a_recording_goes_up_to_an_address_as_a_seat_knew_it(run: Any, data: Any) -> None:
    run("new", "hidden", "--name", "raid", "--seed", "s", "--seat", "raider=bot:random", "--seat", "warden=bot:random")
    hidden = [event["event"]["gate"] for event in data("log", "raid") if event["kind"] == "OrderWritten"]
    assert hidden
    out = run("replay", "raid@d9", "--as", "raider", "--cast", "-").output
    assert "The warden writes an order" in out
    assert "on the line of" not in out
    assert "is guarded" not in out
    assert "is guarded" in run("replay", "raid@d9", "--as", "warden", "--cast", "-").output
    assert len(out) < len(run("replay", "raid", "--as", "raider", "--cast", "-").output)


@pytest.mark.parametrize("given", ["80", "0x0", "39x24", "80x15", "x", "9999x24"])
def test_a_size_that_is_none_is_refused(run: Any, pig: Any, given: str) -> None:
    assert "no size of a screen" in run("replay", "first", "--cast", "x.cast", "--size", given, code=2).output
    assert not Path("x.cast").exists()
    assert "goes with --cast" in run("replay", "first", "--size", "80x24", code=2).output


def test_a_recording_has_its_colours_and_only_writes_what_changes(run: Any, pig: Any) -> None:
    run("act", "first", "roll", "roll", "roll")
    out = run("replay", "first", "--cast", "-").output
    screens = [json.loads(line)[2] for line in out.splitlines()[1:] if json.loads(line)[1] == "o"]
    assert "\x1b[1m" in screens[0]
    assert all(len(screen) < len(screens[0]) for screen in screens[1:])


def played_back(screens: list[Any], columns: int, rows: int) -> list[list[str]]:
    """What a terminal shows after each event of a recording."""
    lines = [""] * (rows + 1)
    found = []
    for _, _, data in screens:
        for part in re.split(r"(?=\x1b\[\d+;1H)", data):
            place = re.match(r"\x1b\[(\d+);1H", part)
            if place:
                plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", part[place.end() :]).replace("\r\n", "")
                if plain or "\x1b[K" in part:
                    lines[int(place[1]) - 1] = plain
        found.append(lines[:rows])
    return found
