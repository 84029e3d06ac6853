"""What opens above the viewer: a list to choose from, the keys, and the curtain before another seat's knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

KEYS = """\
→ ←          next and previous moment of the story
↓ ↑          next and previous decision
. ,          one event on or back, told or not
Home End     start and end of the line

g            go to @57 (event), @d12 (decision), @r3 (round),
             @l2 (level), @-5 (decisions back), @start, @end
f F          next and previous fight
l L          next and previous loss
v V          next and previous reveal
r R  t T     next and previous round, and turn
e E          next and previous level
k K          next and previous take-back
m M          next and previous note

Space        play and pause
+ -          faster and slower
/ n N        search the story, next, previous

s            whose knowledge is shown
b            the lines of the game: watch another one
a            show or keep back what comes next
z            board and story, board alone, story alone
PgUp PgDn    scroll the board
c            dark or light
? q          these keys, and leave"""

BOX = """
    { align: center middle; }
    #box { width: auto; max-width: 94%; height: auto; max-height: 94%; border: round $accent; background: $surface; padding: 0 1; }
"""


class Help(ModalScreen[None]):
    """The keys."""

    CSS = f"Help {BOX}\n#box {{ width: 66; }}"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,enter,space", "dismiss", "close")]

    def compose(self) -> ComposeResult:
        """Give the list of keys, which scrolls where it is too long."""
        with VerticalScroll(id="box"):
            yield Static(KEYS, markup=False)


class Choice(ModalScreen[str | None]):
    """A list of (id, words); gives the id of what was chosen, None for nothing."""

    CSS = f"Choice {BOX}\n#list {{ width: auto; min-width: 30; height: auto; max-height: 100%; border: none; }}"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss(None)", "close")]

    def __init__(self, title: str, rows: Sequence[tuple[str, str]], chosen: str) -> None:
        super().__init__()
        self.heading, self.rows, self.chosen = title, rows, chosen

    def compose(self) -> ComposeResult:
        """Give the list under its heading."""
        from rich.text import Text

        with Vertical(id="box"):
            yield Static(self.heading, markup=False)
            yield OptionList(*(Option(Text(words), id=f"x{id}") for id, words in self.rows), id="list")

    def on_mount(self) -> None:
        """Stand on what is chosen now."""
        ids = [id for id, _ in self.rows]
        if self.chosen in ids:
            self.query_one(OptionList).highlighted = ids.index(self.chosen)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Give what was chosen."""
        self.dismiss(self.rows[event.option_index][0])


class Curtain(ModalScreen[bool]):
    """Asks before what others may not know comes on the screen of a game that people are still playing."""

    CSS = f"Curtain {BOX}"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "yes"),
        Binding("escape,n,q", "dismiss(False)", "no"),
    ]

    def __init__(self, who: str) -> None:
        super().__init__()
        self.who = who

    def compose(self) -> ComposeResult:
        """Give the question."""
        with Vertical(id="box"):
            yield Static(
                f"This game is still being played, and what {self.who} may know comes on the screen.\n"
                "Is nobody looking who should not? y shows it, n goes back.",
                markup=False,
            )
