"""One sitting at a game: reads lines, takes actions, answers commands; where lines come from is not its business."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from ..domain.errors import BadNotation, BotFailed, Conflict, IllegalAction, NeedsOutcome, UnknownGame, WarptapeError
from ..domain.words import listed as listed_words
from ..replays.problems import NoAccess
from .app import blank, brief, say, say_hanging, say_scene
from .commands.acting import explain, rule_texts
from .commands.travel import take_back
from .games import decision_text, grouped, listed, naming, outcome_text, say_actions, say_told, viewer
from .programs import absent, go_on

if TYPE_CHECKING:
    from ..replays.game import Game

Read = Callable[[str], str]
"""Returns the next line after showing a prompt; raises EOFError at the end, KeyboardInterrupt for Ctrl-C."""

SHOWN = 12
"""Actions of one verb that are listed before the rest is left to `legal VERB`."""

HELP = """\
Type the number of an action, or the action itself; Tab completes.
An empty line or . does the last action again.
  legal [VERB|NAME]    what may be done now, or with a piece or square
  why ACTION           why it is refused, with the rule
  show [@POSITION]     the board, now or at another moment (@d12, @r3, @l2, @-5)
  undo [--reroll]      take back the last action; --reroll: with other dice and cards
  redo                 play it again after all
  consent yes|no       answer a request to take something back
  log [N]              the last N events
  lines                the ways the game was played
  note TEXT            write a note on this moment
  help, quit
A command may begin with a slash: /show. Nothing is lost when you leave:
every action is recorded at once."""


class Leave(Exception):
    """The player wants to go."""


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
        self.commands: dict[str, Callable[[str], None]] = {
            "show": self._show,
            "legal": self._legal,
            "why": self._why,
            "log": self._log,
            "undo": self._undo,
            "redo": self._redo,
            "note": self._note,
            "lines": self._lines,
            "consent": self._consent,
            "help": lambda rest: click.echo(HELP),
            "?": lambda rest: click.echo(HELP),
            "quit": self._quit,
            "q": self._quit,
            "exit": self._quit,
        }

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
        return [notation for notation, _ in listed(self.game, self.acting)] + list(self.commands)

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
                    self._arrive(since)
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
                    self._cite(error.refusal.rule)

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
        return f"{self.seat}, waiting for {who}> " if self._waits() else f"{who}> "

    def _waits(self) -> bool:
        """Whether this prompt is for one seat, and another must decide."""
        decision = self.game.decision
        return decision is not None and self.seat is not None and decision.seat != self.seat

    def _line(self, line: str) -> None:
        if line in ("", "."):
            if self._waits():
                return  # whatever the others have done has been told
            if not self.last:
                click.echo("There is no action to repeat yet; `help` says what can be typed.")
                return
            line = self.last
            say(line, dim=True)
        word, _, rest = line.partition(" ")
        verbs = grouped(listed(self.game, self.acting))
        if word.startswith("/") and word[1:] in self.commands:
            self.commands[word[1:]](rest.strip())
        elif word.lower() in self.commands and word not in verbs:
            self.commands[word.lower()](rest.strip())
        else:
            self._act(line)

    def _act(self, line: str) -> None:
        game = self.game
        decision = game.decision
        if decision is None:
            click.echo("The game is over: `undo` takes the last action back, `quit` leaves.")
            return
        what: Any = line
        if (numbered := self._numbered(line)) is not None:
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
        self._arrive(start)

    def _numbered(self, text: str) -> Any:
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
            self._hand_over(may[0])

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

    def _arrive(self, start: int | None) -> None:
        """Show what happened since a position, and what must be decided now."""
        game = self.game
        decision = game.decision
        if self.shared:
            if decision is not None and decision.seat != self.at_seat:
                self._hand_over(decision.seat)
                start = self.told.get(decision.seat, self.began if self.told else start)
            if self.at_seat is not None:
                self.told[self.at_seat] = game.length
        if start is not None:
            say_told(game, start, seat=self.viewer)
        self._board()
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

    def _hand_over(self, seat: str) -> None:
        """Let somebody else sit down; on a terminal behind an empty screen, with nothing that the one before typed."""
        first, self.at_seat, self.last = self.at_seat is None, None, ""
        if self.curtain:
            self.handing_over = True
            try:
                while True:
                    blank()
                    try:
                        typed = self.read(f"Hand over to {seat}, who presses Enter. ").strip().lower()
                        if self.commands.get(typed.removeprefix("/")) == self._quit:
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

    def _board(self, place: str = "@end") -> None:
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

    def _cite(self, rule: str) -> None:
        for found in rule_texts(self.game, rule):
            say_hanging(f"  {found['id']}: ", found["text"])

    # Commands

    def _show(self, rest: str) -> None:
        self._board(rest if rest.startswith("@") or not rest else f"@{rest}") if rest else self._board()

    def _legal(self, rest: str) -> None:
        actions = listed(self.game, self.acting)
        if not actions:
            say(decision_text(self.game))
            return
        if not rest:
            say_actions(actions)
            return
        groups = grouped(actions)
        found = {rest: groups[rest]} if rest in groups else naming(actions, rest)
        if not found:
            raise BadNotation(f"No legal action begins with '{rest}' or names it now.")
        for number, notation, words in chain.from_iterable(found.values()):
            say_hanging(f"  {number}  {notation}", "" if words == notation else f"  {words}")

    def _why(self, rest: str) -> None:
        if not rest:
            raise BadNotation("Type the action after `why`.")
        if not self._waits() and (numbered := self._numbered(rest)) is not None:
            rest = self.game.ruleset.notation(self.game.state, numbered)
        found = explain(self.game, rest, self.acting)
        if found["legal"]:
            click.echo(f"Legal: {found['text']}.")
            return
        say(found["refusal"], fg="red")
        self._cite(found["rule"])

    def _log(self, rest: str) -> None:
        from ..replays.told import tell_log

        number = int(rest) if rest.isascii() and rest.isdigit() and len(rest) < 9 else 20
        told = (one for one in tell_log(self.game, seat=self.viewer) if one.text)
        newest = deque(told, maxlen=max(1, number))
        say_told(self.game, newest[0].position, seat=self.viewer)

    def _undo(self, rest: str) -> None:
        if rest not in ("", "--reroll", "reroll"):
            raise BadNotation("Type `undo`, or `undo --reroll` for other dice and cards afterwards.")
        start = self.game.length
        _, asked = take_back(self.game, self.acting, bool(rest), person=self.person)
        if asked:
            say_told(self.game, start, seat=self.viewer)
            click.echo("The other seat answers with `consent yes` or `consent no`.")
        else:
            self._arrive(start)

    def _redo(self, rest: str) -> None:
        start = self.game.length
        self.game.redo(self.acting, person=self.person)
        self._arrive(start)

    def _consent(self, rest: str) -> None:
        if rest not in ("yes", "no"):
            raise BadNotation("Type `consent yes` or `consent no`.")
        request = self.game.takebacks.open_request()
        asking = request[1].seat if request else ""
        others = [seat for seat in self.game.seats if seat != asking]
        answering = self.seat or others[0]
        if request and self.shared and self.curtain and self.at_seat != answering:
            # It is not for the one who asked, and who sits here, to answer.
            self._hand_over(answering)
            rest = self.read(f"{request[1].tell(None)} Do you agree, {answering}? yes or no> ").strip().lower()
            if rest not in ("yes", "no"):
                raise BadNotation("That is neither yes nor no: the request stays open.")
        start = self.game.length
        self.game.consent(answering, rest == "yes", person=self.person)
        self._arrive(start)

    def _note(self, rest: str) -> None:
        played = self.game.note(rest, seat=self.acting or "", person=self.person)
        note: Any = played.events[0]
        click.echo(f"Noted on @{note.at}.")

    def _lines(self, rest: str) -> None:
        from ..replays.lines import ways
        from .branches import say_tree

        say_tree(ways(self.game, self.viewer))

    def _quit(self, rest: str) -> None:
        raise Leave


def matching(typed: str, known: Sequence[str]) -> list[str]:
    """Return what begins with the typed text, whatever the case of its letters."""
    start = typed.lower()
    return [text for text in known if text.lower().startswith(start)]
