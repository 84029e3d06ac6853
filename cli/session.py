"""One sitting at a game: reads lines, takes actions, answers commands; where lines come from is not its business."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..domain.errors import BadNotation, BotFailed, Conflict, IllegalAction, NeedsOutcome, UnknownGame, WarptapeError
from ..domain.words import listed as listed_words
from ..replays.problems import NoAccess
from .app import blank, brief, say, say_scene
from .asides import COMMANDS, Leave, cite, leave
from .games import decision_text, grouped, listed, outcome_text, say_actions, say_told, viewer
from .programs import absent, go_on

if TYPE_CHECKING:
    from ..replays.game import Game

Read = Callable[[str], str]
"""Returns the next line after showing a prompt; raises EOFError at the end, KeyboardInterrupt for Ctrl-C."""

SHOWN = 12
"""Actions of one verb that are listed before the rest is left to `legal VERB`."""


class Woken(Exception):
    """Somebody else has changed the game while a line was being typed; the reader offers what there is of it again."""


class Session:
    """A game at the prompt; `seat` is whom this prompt is for, None for whoever must decide, `person` who types."""

    def __init__(
        self, game: Game, read: Read, seat: str | None = None, person: str = "", *, curtain: bool = False
    ) -> None:
        self.game = game
        self.read = read
        self.seat = seat
        self.person = person
        self.curtain = curtain
        self.last = ""
        self.possible: list[str] = []
        people = [name for name, holder in game.seats.items() if holder == "human"]
        self.shared = seat is None and game.ruleset.secretive and len(people) > 1
        """Whether several people sit at this prompt in turn who may not know the same."""
        self.at_seat: str | None = None
        """Who sits here now, where the prompt is shared."""
        self.began = game.length
        self.told: dict[str, int] = {}
        """By seat, up to where each of them has been told what happened, where the prompt is shared."""
        self.handing_over = False
        self.alone = seat is not None and seat == game.own_seat
        """Whether the game is open here for this seat alone, as on a server."""
        self._woken = False
        """Whether somebody else has changed the game since it was looked at."""
        self._due: tuple[int | None, ...] = ()
        """What is to be shown before the next line is read: from a position on (None: only the board), or nothing."""

    # What a player may know

    @property
    def acting(self) -> str | None:
        """The seat of whoever sits here; None for whoever must decide, where nobody has anything to hide."""
        return self.at_seat if self.shared else self.seat

    @property
    def viewer(self) -> str | None:
        """Whose knowledge is shown: everything in an open game, or when it is over, else that of the seat here."""
        if self.shared:
            return self.at_seat if self.game.decision is not None else None
        return viewer(self.game, self.seat)

    def completions(self) -> list[str]:
        """Return what may be typed now: results that are asked for, or notations and commands."""
        if self.handing_over:
            return []
        if self.possible:
            return self.possible
        return [notation for notation, _ in listed(self.game, self.acting)] + list(COMMANDS)

    def history(self) -> str | None:
        """Return whose lines may be called up again: a name where they are nobody else's business, None while nobody
        sits here.
        """
        if self.handing_over:
            return None
        if self.shared:
            return self.at_seat
        return self.seat or "" if self.game.ruleset.secretive else ""

    # The loop

    def run(self) -> None:
        """Play until the player leaves; whatever was acknowledged is recorded."""
        start = self.game.length
        try:
            go_on(self.game)
        except BotFailed as error:
            say(brief(str(error)), fg="red")
        self._due = (start if self.game.length > start else None,)
        while True:
            try:
                if self._woken:
                    self._woken = False
                    if self._news():
                        start = self.game.length
                        self.game.play_bots()
                        self._due = (start if self.game.length > start else None,)
                if self._due or self._another_must_decide():
                    since, self._due = self._due[0] if self._due else None, ()
                    self.arrive(since)
                line = self.read(self._prompt())
                doubtful = self.game.unsure
                if self._news() and doubtful:
                    say("That line is not taken: look at what was recorded first.", fg="yellow")
                    self._due = (None,)
                    continue
                if self._another_must_decide():
                    say("That line is not taken: meanwhile it is for another seat to decide.", fg="yellow")
                    continue
                self._line(line.strip())
            except Woken:
                self._woken = True
            except KeyboardInterrupt:
                self._interrupted()
            except (EOFError, Leave):
                if self.shared and self.curtain and self.game.decision is not None:
                    blank()
                seat = f" --as {self.seat}" if self.seat and not self.alone else ""
                say(f"\nRecorded up to @{self.game.tip}. `warptape play '{self.game.name}'{seat}` goes on from there.")
                return
            except Conflict as error:
                say(str(error), fg="yellow")
                self._due = (None,)
            except WarptapeError as error:
                say(brief(str(error)), fg="red")
                if isinstance(error, BadNotation) and error.text and not error.suggestion:
                    say("`legal` lists what may be done, `help` says what else can be typed.")
                if isinstance(error, IllegalAction):
                    cite(self, error.refusal.rule)

    def _interrupted(self) -> None:
        """Say what Ctrl-C has left undone; a game that is out of reach is not asked, or nobody could leave."""
        if not self.game.unsure:
            if self.game.reachable:
                self.game.refresh()
            say("\nNothing of this line was done. `quit` or Ctrl-D leaves; the game stays recorded.")
        else:
            say(
                "\nNo longer waiting. Whether the line was done shows when the server answers again; it is not done twice. "
                "`quit` or Ctrl-D leaves."
            )

    def _prompt(self) -> str:
        decision = self.game.decision
        if decision is None:
            return "over> "
        who = listed_words(self.game.ruleset.asked(self.game.state), "or") or decision.seat
        return f"{self.seat}, waiting for {who}> " if self.waits() else f"{who}> "

    def waits(self) -> bool:
        """Whether this prompt is for one seat, and another must decide."""
        decision = self.game.decision
        return decision is not None and self.seat is not None and decision.seat != self.seat

    def _line(self, line: str) -> None:
        if line in ("", "."):
            if self.waits():
                return  # whatever the others have done has been told
            if not self.last:
                click.echo("There is no action to repeat yet; `help` says what can be typed.")
                return
            line = self.last
            say(line, dim=True)
        word, _, rest = line.partition(" ")
        verbs = grouped(listed(self.game, self.acting))
        if word.startswith("/") and word[1:] in COMMANDS:
            COMMANDS[word[1:]](self, rest.strip())
        elif word.lower() in COMMANDS and word not in verbs:
            COMMANDS[word.lower()](self, rest.strip())
        else:
            self._act(line)

    def _act(self, line: str) -> None:
        game = self.game
        decision = game.decision
        if decision is None:
            click.echo("The game is over: `undo` takes the last action back, `quit` leaves.")
            return
        what: Any = line
        if (numbered := self.numbered(line)) is not None:
            what, line = numbered, game.ruleset.notation(game.state, numbered)
        start, acting = game.length, self.acting
        outcomes: list[str] = []
        while True:
            try:
                expect = start - 1 if outcomes else None
                game.act(what, acting, person=self.person, outcomes=outcomes, expect=expect)
                break
            except NeedsOutcome as error:
                self._let_draw(error)
                found = self._ask_outcome(error)
                if not found:
                    click.echo("Left undone.")
                    return
                outcomes += found
            except BotFailed as error:
                say(brief(str(error)), fg="red")
                break
        self.last = line
        self.arrive(start)

    def numbered(self, text: str) -> Any:
        """Return the action whose number a text is; None where it is no number. Raises BadNotation for one that is not there."""
        decision = self.game.decision
        if decision is None or not (text.isascii() and text.isdigit() and len(text) < 7):
            return None
        if not 1 <= int(text) <= len(decision.actions):
            raise BadNotation(f"There is no action number {text}: they are numbered 1 to {len(decision.actions)}.")
        return decision.actions[int(text) - 1]

    def _let_draw(self, error: NeedsOutcome) -> None:
        """Have somebody sit down who may see what is drawn, where not everybody may."""
        may = getattr(error.request, "seen_by", None)
        if self.shared and may and self.at_seat not in may:
            self.hand_over(may[0])

    def _ask_outcome(self, error: NeedsOutcome) -> list[str]:
        """Ask what came out of real dice or cards; an empty answer gives the action up."""
        possible = {item.lower(): item for item in error.possible}
        may = getattr(error.request, "seen_by", None)
        if may is not None and self.viewer not in (None, *may):
            click.echo(f"{error} Have it entered by who may see it: `warptape play '{self.game.name}'` without --as.")
            return []
        known = f" One of: {', '.join(possible.values())}." if may is not None else ""
        click.echo(f"{error}{known} (An empty line leaves the action undone.)")
        self.possible = list(dict.fromkeys(error.possible))
        try:
            while answer := self.read("result> ").strip():
                whole = [answer] if answer.lower() in possible else [part.strip() for part in answer.split(",")]
                if whole[0].lower() in possible:
                    return [part for part in whole if part]
                click.echo(f"'{whole[0]}' cannot be: one of {', '.join(self.possible[:30])}.")
            return []
        finally:
            self.possible = []

    # What is seen

    def arrive(self, start: int | None) -> None:
        """Show what happened since a position, and what must be decided now."""
        game = self.game
        decision = game.decision
        if self.shared:
            if decision is not None and decision.seat != self.at_seat:
                self.hand_over(decision.seat)
                start = self.told.get(decision.seat, self.began if self.told else start)
            if self.at_seat is not None:
                self.told[self.at_seat] = game.length
        if start is not None:
            say_told(game, start, seat=self.viewer)
        self.board()
        if decision is None:
            self._over()
        else:
            say(decision_text(game), bold=True)
            missing = absent(game)
            if missing:
                say(missing, fg="yellow")
            if not missing or self.seat == decision.seat or not game.ruleset.secretive:
                say_actions(listed(game, self.acting), SHOWN)

    def _another_must_decide(self) -> bool:
        """Whether the one who sits here must make room for another seat."""
        decision = self.game.decision
        return self.shared and decision is not None and self.at_seat != decision.seat

    def hand_over(self, seat: str) -> None:
        """Let somebody else sit down; on a terminal behind an empty screen, with nothing that the one before typed."""
        first, self.at_seat, self.last = self.at_seat is None, None, ""
        if self.curtain:
            self.handing_over = True
            try:
                while True:
                    blank()
                    try:
                        typed = self.read(f"Hand over to {seat}, who presses Enter. ").strip().lower()
                        if COMMANDS.get(typed.removeprefix("/")) is leave:
                            raise Leave  # nobody has sat down, so nothing is shown
                        break
                    except KeyboardInterrupt:
                        continue  # nothing was typed that could be given up, and nobody has sat down
            finally:
                self.handing_over = False
            blank()
        elif not first:
            click.echo(f"--- {seat} ---")
        self.at_seat = seat

    def board(self, place: str = "@end") -> None:
        """Show the board at a moment, as whoever sits here may see it."""
        from ..projections.boards import draw

        position = self.game.at(place)
        say_scene(draw(position.ruleset, position.shown(self.viewer), position.title))

    def _over(self) -> None:
        name = self.game.name
        say(outcome_text(self.game.outcome), bold=True)
        click.echo(
            f"`warptape transcript '{name}'` tells it, `warptape audit '{name}'` checks it; `undo` and `quit` here."
        )

    def _news(self) -> bool:
        """Take up what others have recorded since the last line, and say whether there was anything."""
        game = self.game
        before = game.length
        try:
            if game.store.shelf(game.id).length == before and not game.unsure:
                return False
            game.refresh()
        except (UnknownGame, NoAccess) as error:
            gone = isinstance(error, UnknownGame)
            say("This game was deleted meanwhile." if gone else f"This game is open to you no more: {error}")
            raise Leave from None
        if game.length == before:
            return False
        say("Meanwhile:")
        say_told(game, before, seat=self.viewer)
        if self.at_seat is not None:
            self.told[self.at_seat] = game.length
        return True


def matching(typed: str, known: Sequence[str]) -> list[str]:
    """Return what begins with the typed text, whatever the case of its letters."""
    start = typed.lower()
    return [text for text in known if text.lower().startswith(start)]
