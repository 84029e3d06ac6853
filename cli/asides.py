"""What can be typed at the prompt besides actions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from ..domain.errors import BadNotation
from .app import say, say_hanging
from .commands.acting import explain, rule_texts
from .commands.travel import take_back
from .games import decision_text, grouped, listed, naming, say_actions, say_told

if TYPE_CHECKING:
    from .session import Session

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


def show(session: Session, rest: str) -> None:
    """The board, now or at another moment."""
    session.board(rest if rest.startswith("@") else f"@{rest or 'end'}")


def legal(session: Session, rest: str) -> None:
    """What may be done now; of one verb, or with a piece or square."""
    actions = listed(session.game, session.acting)
    if not actions:
        say(decision_text(session.game))
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


def why(session: Session, rest: str) -> None:
    """Why an action is refused, with the rule."""
    if not rest:
        raise BadNotation("Type the action after `why`.")
    if not session.waits() and (numbered := session.numbered(rest)) is not None:
        rest = session.game.ruleset.notation(session.game.state, numbered)
    found = explain(session.game, rest, session.acting)
    if found["legal"]:
        click.echo(f"Legal: {found['text']}.")
        return
    say(found["refusal"], fg="red")
    cite(session, found["rule"])


def log(session: Session, rest: str) -> None:
    """The last events."""
    from ..replays.told import tell_log

    number = int(rest) if rest.isascii() and rest.isdigit() and len(rest) < 9 else 20
    told = (one for one in tell_log(session.game, seat=session.viewer) if one.text)
    newest = deque(told, maxlen=max(1, number))
    say_told(session.game, newest[0].position, seat=session.viewer)


def undo(session: Session, rest: str) -> None:
    """Take back the last action, or ask to."""
    if rest not in ("", "--reroll", "reroll"):
        raise BadNotation("Type `undo`, or `undo --reroll` for other dice and cards afterwards.")
    start = session.game.length
    _, asked = take_back(session.game, session.acting, bool(rest), person=session.person)
    if asked:
        say_told(session.game, start, seat=session.viewer)
        click.echo("The other seat answers with `consent yes` or `consent no`.")
    else:
        session.arrive(start)


def redo(session: Session, rest: str) -> None:
    """Play again what was taken back."""
    start = session.game.length
    session.game.redo(session.acting, person=session.person)
    session.arrive(start)


def consent(session: Session, rest: str) -> None:
    """Answer a request to take back."""
    if rest not in ("yes", "no"):
        raise BadNotation("Type `consent yes` or `consent no`.")
    request = session.game.takebacks.open_request()
    asking = request[1].seat if request else ""
    others = [seat for seat in session.game.seats if seat != asking]
    answering = session.seat or others[0]
    if request and session.shared and session.curtain and session.at_seat != answering:
        # It is not for the one who asked, and who sits here, to answer.
        session.hand_over(answering)
        rest = session.read(f"{request[1].tell(None)} Do you agree, {answering}? yes or no> ").strip().lower()
        if rest not in ("yes", "no"):
            raise BadNotation("That is neither yes nor no: the request stays open.")
    start = session.game.length
    session.game.consent(answering, rest == "yes", person=session.person)
    session.arrive(start)


def note(session: Session, rest: str) -> None:
    """Write a note on this moment."""
    played = session.game.note(rest, seat=session.acting or "", person=session.person)
    note: Any = played.events[0]
    click.echo(f"Noted on @{note.at}.")


def lines(session: Session, rest: str) -> None:
    """The ways the game was played."""
    from ..replays.lines import ways
    from .branches import say_tree

    say_tree(ways(session.game, session.viewer))


def leave(session: Session, rest: str) -> None:
    """Leave."""
    raise Leave


def cite(session: Session, rule: str) -> None:
    """Say a rule in its own words."""
    for found in rule_texts(session.game, rule):
        say_hanging(f"  {found['id']}: ", found["text"])


def tell_help(session: Session, rest: str) -> None:
    """What can be typed."""
    click.echo(HELP)


COMMANDS: dict[str, Callable[[Session, str], None]] = {
    "show": show,
    "legal": legal,
    "why": why,
    "log": log,
    "undo": undo,
    "redo": redo,
    "note": note,
    "lines": lines,
    "consent": consent,
    "help": tell_help,
    "?": tell_help,
    "quit": leave,
    "q": leave,
    "exit": leave,
}
