"""The viewer on the terminal: board, story and status of a game that is stepped through by keys; Textual draws it."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.css.query import NoMatches
from textual.widgets import Footer, Input, Static

from ..domain.errors import WarptapeError
from ..projections.frames import board, status, story
from ..projections.palette import TONES, Inks
from ..replays.game import Game
from ..replays.told import amid
from .watching_screens import Choice, Curtain, Help

if TYPE_CHECKING:
    from textual.timer import Timer

    from ..replays.viewer import Viewer

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
EVERYTHING = "all"
LAYOUTS = ("both", "board", "story")

PROMPTS = {
    "go": "Go to: @57 (event), @d12 (decision), @r3 (round), @l2 (level), @-5, @start, @end",
    "search": "Search the story",
}
JUMPS = {
    "d": "decision",
    "e": "level",
    "r": "round",
    "t": "turn",
    "f": "fight",
    "l": "loss",
    "v": "reveal",
    "k": "take-back",
    "m": "note",
}
"""A letter goes to the next one, its capital to the one before."""


def _jumps() -> list[BindingType]:
    found: list[BindingType] = []
    for key, what in JUMPS.items():
        found.append(Binding(key, f"jump('{what}', True)", f"next {what}", show=False))
        found.append(Binding(key.upper(), f"jump('{what}', False)", f"previous {what}", show=False))
    return found


class Watch(App[None]):
    """The viewer as an app; `viewer` holds what is looked at, and the app only shows it and reads keys."""

    CSS = """
    #board { height: 1fr; background: $card; color: $ink; scrollbar-size-vertical: 1; }
    #drawing { width: auto; height: auto; padding: 0 1; background: $card; }
    #where { height: 1; background: $bar; color: $bar-ink; padding: 0 1; }
    #story { height: 9; background: $card; color: $ink; padding: 0 1; }
    #prompt { display: none; height: 3; }
    .asking #prompt { display: block; }
    .low #story { height: 6; }
    .only-board #story { display: none; }
    .only-story #board { display: none; }
    .only-story #story { height: 1fr; }
    """
    TITLE = "warptape"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "move('forward')", "next"),
        Binding("left", "move('back')", "back"),
        Binding("down", "jump('decision', True)", "next decision", show=False),
        Binding("up", "jump('decision', False)", "decision back", show=False),
        Binding("full_stop", "step(1)", "one event on", show=False),
        Binding("comma", "step(-1)", "one event back", show=False),
        Binding("home", "move('first')", "start", show=False),
        Binding("end", "move('last')", "end", show=False),
        Binding("space", "play", "play"),
        Binding("plus,equals_sign", "speed(1)", "faster", show=False),
        Binding("minus", "speed(-1)", "slower", show=False),
        Binding("g", "ask('go')", "go to"),
        Binding("slash", "ask('search')", "search"),
        Binding("n", "again(True)", "next found", show=False),
        Binding("N", "again(False)", "found before", show=False),
        Binding("s", "seats", "seat"),
        Binding("b", "lines", "lines"),
        Binding("a", "ahead", "what comes", show=False),
        Binding("z", "layout", "panels", show=False),
        Binding("c", "colours", "colours", show=False),
        Binding("pagedown", "scroll_board(1)", "scroll the board", show=False),
        Binding("pageup", "scroll_board(-1)", "scroll the board", show=False),
        Binding("question_mark", "keys", "keys"),
        Binding("q,ctrl+c", "quit", "leave"),
        Binding("escape", "stop", "stop", show=False),
        *_jumps(),
    ]

    def __init__(self, viewer: Viewer, speed: float = 1.0, *, inks: Inks = "dark") -> None:
        self.inks: Inks = inks
        super().__init__()
        self.viewer = viewer
        self.speed = speed
        self.theme = f"textual-{inks}"
        self.sought = ""
        self.asked = ""
        self.ahead = True
        self.remark = ""
        self.playing: Timer | None = None
        self._unfollow: Callable[[], None] | None = None

    def get_css_variables(self) -> dict[str, str]:
        """Return Textual's colours with those of the boards."""
        card, mark = TONES["card"], TONES["axis"]
        dark = self.inks == "dark"
        return {
            **super().get_css_variables(),
            "card": card.dark_fill if dark else card.fill,
            "ink": card.dark_ink if dark else card.ink,
            "bar": TONES["cell.wall"].dark_fill if dark else TONES["line"].fill,
            "bar-ink": mark.dark_ink if dark else TONES["line"].ink,
        }

    def compose(self) -> ComposeResult:
        """Give the panels from top to bottom."""
        with VerticalScroll(id="board", can_focus=False):
            yield Static(id="drawing")
        yield Static(id="where")
        yield Static(id="story")
        yield Input(id="prompt", disabled=True)
        yield Footer()

    # Showing

    def on_mount(self) -> None:
        """Show where the viewer is, and hear of what is recorded meanwhile where the store tells of it."""
        self.call_after_refresh(self.show)
        if isinstance(self.viewer.tape, Game):
            self._unfollow = self.viewer.tape.follow(self._woken)

    def on_unmount(self) -> None:
        """Stop listening."""
        if self._unfollow is not None:
            self._unfollow()

    def _woken(self) -> None:
        with suppress(RuntimeError):  # it has just been left
            self.call_from_thread(self.news)

    def news(self) -> None:
        """Take up what others have recorded."""
        game = self.viewer.tape
        if not isinstance(game, Game):
            return
        try:
            more = self.viewer.grow(game.refresh)
        except WarptapeError as error:
            self._moved(False, str(error))
            return
        if more:
            self._moved(False, f"{more} new event{'' if more == 1 else 's'}")

    def on_resize(self) -> None:
        """Draw for the room there is now."""
        self.set_class(self.size.height < 32, "low")
        self.call_after_refresh(self.show)

    def show(self) -> None:
        """Draw the panels; what a log or a ruleset is to blame for stands where the board would."""
        try:
            drawing, line, told = (self.query_one(f"#{name}", Static) for name in ("drawing", "where", "story"))
        except NoMatches:  # a screen lies above
            return
        columns = max(self.size.width - 3, 40)
        try:
            lines = board(self.viewer, columns, inks=self.inks)
        except WarptapeError as error:
            lines = [Text(str(error), "bold")]
        drawing.update(Text("\n").join(lines))
        try:
            told.update(
                Text("\n").join(story(self.viewer, columns, max(told.size.height, 3), ahead=self.ahead, inks=self.inks))
            )
            where = status(self.viewer, 500)
        except WarptapeError as error:
            where = str(error)
        play = f"▶ {self.speed:g}/s · " if self.playing is not None else ""
        remark = f"{self.remark} · " if self.remark else ""
        line.update(Text(f"{play}{remark}{where}", no_wrap=True, overflow="ellipsis"))

    def _moved(self, moved: bool, otherwise: str = "") -> None:
        self.remark = "" if moved else otherwise
        self.show()

    # Moving

    def action_move(self, how: str) -> None:
        """Go on or back by what the story tells, or to an end of the line."""
        moved = bool(getattr(self.viewer, how)())
        self._moved(moved, "this is the end" if how in ("forward", "last") else "this is the start")

    def action_step(self, by: int) -> None:
        """Go some events on or back, told or not."""
        self._moved(self.viewer.step(by), "this is the end" if by > 0 else "this is the start")

    def action_jump(self, what: str, forward: bool) -> None:
        """Go to the next of a kind, or to the one before."""
        self._moved(self.viewer.jump(what, forward), f"no {what} {'after' if forward else 'before'} this")

    def action_scroll_board(self, by: int) -> None:
        """Show another part of a board that is higher than the screen."""
        scroll = self.query_one("#board", VerticalScroll)
        (scroll.scroll_page_down if by > 0 else scroll.scroll_page_up)(animate=False)

    # Playing

    def action_play(self) -> None:
        """Let it play, or stop it."""
        if self.playing is None:
            self.playing = self.set_interval(1 / self.speed, self._tick)
        else:
            self._stop()
        self._moved(True)

    def _stop(self) -> None:
        if self.playing is not None:
            self.playing.stop()
            self.playing = None

    def _tick(self) -> None:
        if not self.viewer.forward():
            self._stop()
        self.show()

    def action_speed(self, by: int) -> None:
        """Play faster or slower."""
        others = [speed for speed in SPEEDS if speed > self.speed][:1] if by > 0 else []
        others += [speed for speed in SPEEDS if speed < self.speed][-1:] if by < 0 else []
        self.speed = others[0] if others else self.speed
        if self.playing is not None:
            self._stop()
            self.playing = self.set_interval(1 / self.speed, self._tick)
        self._moved(False, f"{self.speed:g} steps a second")

    # Asking

    def action_ask(self, what: str) -> None:
        """Open the line where an address, or words to look for, are typed."""
        self.asked = what
        prompt = self.query_one("#prompt", Input)
        prompt.placeholder, prompt.value, prompt.disabled = PROMPTS[what], "", False
        self.add_class("asking")
        prompt.focus()

    def _close_prompt(self) -> None:
        prompt = self.query_one("#prompt", Input)
        prompt.disabled = True
        self.remove_class("asking")
        self.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go to the address, or look for the words."""
        self._close_prompt()
        text = event.value.strip()
        if not text:
            self._moved(True)
        elif self.asked == "go":
            try:
                self.viewer.go(text)
                self._moved(True)
            except WarptapeError as error:
                self._moved(False, str(error))
        else:
            self.sought = text
            self.look(True)

    def action_again(self, forward: bool) -> None:
        """Look for the same words again."""
        if self.sought:
            self.look(forward)
        else:
            self._moved(False, "/ searches the story")

    @work(exclusive=True)
    async def look(self, forward: bool) -> None:
        """Look for words piece by piece; Escape ends a long search, and keys work meanwhile."""
        from asyncio import sleep

        self._moved(False, f"looking for '{self.sought}' …")
        try:
            for found in self.viewer.finding(self.sought, forward):
                if found:
                    self._moved(True)
                    return
                await sleep(0)
            self._moved(False, f"'{self.sought}' is said nowhere else")
        except WarptapeError as error:
            self._moved(False, str(error))

    def action_stop(self) -> None:
        """Close what is open, end a search, stop playing."""
        self.workers.cancel_all()
        if self.has_class("asking"):
            self._close_prompt()
        self._stop()
        self._moved(True)

    # Choosing

    def action_seats(self) -> None:
        """Choose whose knowledge is shown."""
        self._stop()
        seen_as = self.viewer.tape.seen_as
        whole = "Everything in this log" if seen_as is None else "All that this seat's log holds"
        seats = [(EVERYTHING, whole), *((id, f"What {amid(name)} knows") for id, name in self.viewer.seats.items())]
        self.push_screen(Choice("Whose knowledge?", seats, self.viewer.seat or EVERYTHING), self._see)

    def _see(self, chosen: str | None) -> None:
        seat = None if chosen == EVERYTHING else chosen
        if chosen is None or seat == self.viewer.seat:
            return
        if not self.viewer.delicate:
            self._seen(seat)
            return
        who = "both seats" if seat is None else self.viewer.seats[seat]
        self.push_screen(Curtain(who), lambda agreed: self._seen(seat) if agreed else None)

    def _seen(self, seat: str | None) -> None:
        self.viewer.see(seat)
        self._moved(True)

    def action_lines(self) -> None:
        """Choose another line of the tree."""
        self._stop()
        try:
            ways = self.viewer.ways()
        except WarptapeError as error:
            self._moved(False, str(error))
            return
        rows = []
        for way in ways:
            line = way.line
            sign = "*" if line.current else "└"
            leaves = "" if not way.depth else f", parts at @{way.parts}"
            last = f": {line.last}" if line.last else ""
            end = f" ({line.outcome})" if line.outcome else ""
            rows.append(
                (str(line.tip), f"{'  ' * way.depth}{sign} @{line.tip}  {line.decisions} decisions{leaves}{last}{end}")
            )
        self.push_screen(Choice("Which line?", rows, str(self.viewer.tip)), self._switch)

    def _switch(self, chosen: str | None) -> None:
        if chosen is not None:
            self.viewer.switch(int(chosen))
            self._moved(True)

    def action_keys(self) -> None:
        """Show the keys."""
        self._stop()
        self.push_screen(Help())

    # How it looks

    def action_ahead(self) -> None:
        """Show what comes next in the story, or keep it back."""
        self.ahead = not self.ahead
        self._moved(True)

    def action_layout(self) -> None:
        """Show board and story, the board alone, or the story alone."""
        now = next((name for name in LAYOUTS if self.has_class(f"only-{name}")), "both")
        following = LAYOUTS[(LAYOUTS.index(now) + 1) % len(LAYOUTS)]
        for name in LAYOUTS:
            self.set_class(name == following != "both", f"only-{name}")
        self.call_after_refresh(self.show)

    def action_colours(self) -> None:
        """Change between dark and light."""
        self.inks = "light" if self.inks == "dark" else "dark"
        self.theme = f"textual-{self.inks}"
        self.refresh_css()
        self.show()


def watch(viewer: Viewer, speed: float = 1.0) -> None:
    """Run the viewer on the terminal until somebody leaves."""
    # Terminals that say what their background is say it there: 7 and 15 are white.
    light = os.environ.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")
    Watch(viewer, speed, inks="light" if light else "dark").run(mouse=False)
