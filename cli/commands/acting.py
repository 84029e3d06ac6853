"""act, legal, why: playing by the line, for people and scripts."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..app import App, pass_app, say, say_hanging, say_json
from ..games import decision_data, decision_text, grouped, listed, naming, say_actions, say_told, told_data, viewer
from ..group import Command
from ..options import by_option, check_seat, json_option, seat_option, seat_values
from ..programs import absent, bot_time_option, take_seats
from .opening import split_outcomes

if TYPE_CHECKING:
    from ...domain.rules import Refusal
    from ...replays.game import Game

QUOTE = "Put each action in quotes, as in warptape act last 'mv d5': a shell takes '#' and '>' for itself."


@click.command(cls=Command)
@click.argument("game")
@click.argument("actions", nargs=-1, metavar="'ACTION'...")
@seat_option("Act for this seat (default: the one that must decide).")
@by_option
@click.option("--key", default="", help="A word of your own: the same action sent again with it is recorded once.")
@click.option("--expect", type=click.IntRange(0), metavar="POSITION", help="Act only if the game stands at this event.")
@click.option(
    "--rolled", metavar="A,B,…", multiple=True, help="What dice and draws gave, where people enter it; once an action."
)
@seat_values("Give a seat to a program of yours from now on: exec:'COMMAND'; human takes it away.")
@bot_time_option
@json_option
@pass_app
def act(
    app: App,
    game: str,
    actions: tuple[str, ...],
    seat: str | None,
    person: str,
    key: str,
    expect: int | None,
    rolled: tuple[str, ...],
    seats: dict[str, str],
    as_json: bool,
) -> None:
    """Take actions, each in quotes, one after another; `-` reads them from standard input, one a line.

    One text that holds several actions is taken whole or not at all, and one undo takes it back. Several texts are
    recorded one after another up to the first that is refused. Bots then answer. What happened is told as the seat
    that acts may know it.

    A line of standard input may name its seat before the action and, where people enter them, the results behind it:
    `eldar: fight n6 = 4, 2`. Empty lines are passed over, and so is what stands behind a `#` with a space after it.
    The first line that fails is named, and what stands before it stays recorded: mend it and send the rest, or send
    all of it again with the same --key, which takes up what is missing. `warptape log --moves` writes such a file.

    warptape act last 'mv d5'
    warptape act last 'mv d5' 'end' --key turn-7
    warptape act last 'end' --rolled 4,5 --by Anna
    warptape act last - --key friday < moves.txt
    """
    table = app.game(game)
    check_seat(table, seat)
    if not actions:
        raise click.UsageError(f"An action is missing. {QUOTE}")
    if rolled and "-" in actions:
        raise click.UsageError("Results of a line that is read stand behind its action: `ACTION = 4, 5`.")
    if rolled and len(rolled) != len(actions):
        raise click.UsageError("Give --rolled once for each action.")
    if key and "\0" in key:
        raise click.UsageError("A key is plain text.")
    take_seats(app, table, seats)
    first, watching = table.length, viewer(table, seat)
    taken: list[Any] = []
    typed = _typed(
        actions, [split_outcomes(text) for text in rolled], [each.id for each in table.ruleset.seats(table.options)]
    )
    where, text, number = "", "", 0
    try:
        for number, (where, acting, text, outcomes) in enumerate(typed):
            if seat is not None and acting not in ("", seat):
                raise click.UsageError(f"{where}The action is one of {acting}, and --as says {seat}.")
            word = key if not key or number == 0 else f"{key}/{number + 1}"
            done = table.act(
                text, acting or seat, person=person, key=word, expect=None if number else expect, outcomes=outcomes
            )
            taken.append(done)
    except Exception as error:
        _tell_failure(table, error, where, text, actions, taken, watching)
        raise
    repeated = bool(taken) and all(played.repeated for played in taken)
    if as_json:
        events = told_data(table, taken[0].position if repeated else first, seat=watching) if taken else []
        say_json({"repeated": repeated, "events": events, **decision_data(table)})
        return
    if not taken:
        say("No actions were given.")
    elif repeated:
        say(f"This was recorded before, at @{taken[0].position}; nothing was done again.")
    else:
        say_told(table, first, seat=watching)
    say(decision_text(table))
    if missing := absent(table):
        say(missing)


def _typed(
    actions: Sequence[str], rolled: Sequence[Sequence[str]], seats: Sequence[str]
) -> Iterator[tuple[str, str, str, Sequence[str]]]:
    """Yield each action: the place to name if it fails, its seat if it names one, notation, results.

    `-` stands for the lines of standard input.
    """
    from ...replays.moves import read_moves

    for number, text in enumerate(actions):
        if text != "-":
            yield "", "", text, rolled[number] if rolled else ()
        elif sys.stdin is not None:
            for move in read_moves(sys.stdin.buffer, seats):
                yield f"Line {move.number}: ", move.seat, move.text, move.results


def _tell_failure(
    game: Game,
    error: Exception,
    where: str,
    text: str,
    actions: Sequence[str],
    taken: Sequence[Any],
    watching: str | None,
) -> None:
    """Say on stderr which of several actions failed, what stands recorded, and what a shell may have done to it."""
    from ...domain.errors import BadNotation, BotFailed, ImpossibleOutcome, NeedsOutcome, WarptapeError
    from ...replays.moves import BadMove

    if not isinstance(error, WarptapeError):
        return
    remarks = []
    if isinstance(error, BotFailed):
        click.echo(f"{where}The game stands at @{game.tip}.", err=True)
        return
    if isinstance(error, BadMove):
        where, text = f"Line {error.line}: ", error.text
    if where or len(actions) > 1:
        done = f"{len(taken)} before it {'is' if len(taken) == 1 else 'are'} recorded" if taken else "nothing was done"
        remarks.append(f"{where}'{_short(text)}' failed; {done}. The game stands at @{game.tip}.")
    if isinstance(error, NeedsOutcome):
        may = getattr(error.request, "seen_by", None)
        if may is not None and (watching is None or watching in may):
            remarks.append(f"One of: {', '.join(dict.fromkeys(error.possible))}.")
        remarks.append(
            f"Write results behind the action, in order: {_short(text)} = 4, 5."
            if where
            else "Enter results with --rolled, in order: --rolled 4,5."
        )
    if isinstance(error, ImpossibleOutcome) and where and not game.typed_chance:
        remarks.append(
            "Leave out what stands behind the '='; `warptape log --moves --no-results` writes moves without."
        )
    if isinstance(error, BadNotation):
        remarks += shell_hints(game, actions, text)
        if text.strip().isdecimal():
            remarks.append(
                "Numbers are for the prompt of `warptape play`: type the action, as `warptape legal` lists it."
            )
        if where and text.startswith("#"):
            remarks.append("A comment begins with '# ', a space after the sign.")
    for remark in remarks:
        click.echo(remark, err=True)


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"


def shell_hints(game: Game, actions: Sequence[str], text: str) -> list[str]:
    """Return hints when a shell may have taken an unquoted action apart."""
    from ...domain.errors import WarptapeError

    joined = " ".join(actions)
    if len(actions) > 1:
        try:
            game.parse(joined)
        except WarptapeError:
            pass
        else:
            return [f"Put the whole action in quotes: '{joined}'."]
    if len(actions) > 1 and all(" " not in action for action in actions):
        return [QUOTE]
    file = _redirected_to()
    if file and "." not in file and len(file) <= 12:
        return [f"The output goes into the file '{file}': was that, with the '>', part of the action? {QUOTE}"]
    return []


def _redirected_to() -> str:
    """Return the name of a file in this folder that the output goes to, empty where it does not or nobody can tell."""
    try:
        target = Path(os.readlink(f"/proc/self/fd/{sys.stdout.fileno()}"))
    except (OSError, ValueError, AttributeError):
        return ""
    return target.name if target.is_file() and target.parent == Path.cwd() else ""


@click.command(cls=Command)
@click.argument("game", default="last")
@click.argument("verb", required=False)
@click.option("--for", "name", metavar="NAME", help="Only actions that name this piece, square or other word.")
@seat_option("What this seat may do: nothing while another must decide.")
@json_option
@pass_app
def legal(app: App, game: str, verb: str | None, name: str | None, seat: str | None, as_json: bool) -> None:
    """List what may be done now, by verb, numbered; with a verb only those actions.

    warptape legal last
    warptape legal last hold
    warptape legal last move --for SC1
    """
    table = app.game(game)
    check_seat(table, seat)
    actions = listed(table, seat)
    groups = grouped(actions) if name is None else naming(actions, name)
    if name is not None and actions and not groups:
        raise click.UsageError(f"No legal action names '{name}' now.")
    if verb is not None and verb not in groups:
        decision = table.decision
        known = ", ".join(groups) or (
            f"none, {decision.seat} must decide" if decision else "none, for the game is over"
        )
        raise click.UsageError(f"No legal action begins with '{verb}' now. Verbs: {known}.")
    if as_json:
        found = [
            {"number": number, "verb": word, "notation": notation, "text": words}
            for word, items in groups.items()
            for number, notation, words in items
            if verb in (None, word)
        ]
        say_json({**decision_data(table), "actions": sorted(found, key=lambda item: int(item["number"]))})
        return
    say(decision_text(table))
    if verb is None and name is None:
        say_actions(actions)
        return
    for word, items in groups.items():
        for number, notation, words in items if verb in (None, word) else ():
            say(f"  {number}  {notation}" + ("" if words == notation else f"  {words}"))


@click.command(cls=Command)
@click.argument("game")
@click.argument("actions", nargs=-1, metavar="'ACTION'", required=True)
@seat_option("Ask for this seat (default: the one that must decide).")
@json_option
@pass_app
def why(app: App, game: str, actions: tuple[str, ...], seat: str | None, as_json: bool) -> int:
    """Say why an action is refused, with the rule; exit code 3 when it is, 0 when it is legal. Nothing is recorded.

    warptape why last 'mv d5'
    """
    table = app.game(game)
    check_seat(table, seat)
    found = explain(table, " ".join(actions), seat)
    if as_json:
        say_json(found)
    elif found["legal"]:
        say(f"Legal: {found['text']}.")
    else:
        say(found["refusal"])
        for rule in found["rules"]:
            say_hanging(f"  {rule['id']}: ", rule["text"])
    return 0 if found["legal"] else 3


def explain(game: Game, text: str, seat: str | None = None) -> dict[str, Any]:
    """Return whether a line of notation begins with a legal action, and if not why, with the rules' own texts.

    Raises BadNotation for text that is no action.
    """
    from ...domain.errors import IllegalAction

    told: dict[str, Any] = {"legal": False, "notation": text, "text": text}
    actions: Sequence[Any] = ()
    refusal: Refusal | None
    try:
        actions = game.parse(text, seat)
    except IllegalAction as error:
        # What no action can say, such as a path that the rules forbid.
        refusal = error.refusal
    else:
        rules, first = game.ruleset, actions[0]
        refusal = game.refusal(first, seat)
        told["legal"] = refusal is None
        who = seat or (game.decision.seat if game.decision else None)
        shown = rules.view(game.state, who) if who is not None and rules.secretive else game.state
        told["text"] = rules.describe(shown, first)
    if refusal is not None:
        told |= {
            "rule": refusal.rule,
            "reason": refusal.reason,
            "refusal": str(refusal),
            "rules": rule_texts(game, refusal.rule),
        }
    elif len(actions) > 1:
        told["text"] += f" (the first of {len(actions)} actions; the others depend on what happens)"
    return told


def rule_texts(game: Game, ids: str) -> list[dict[str, str]]:
    """Return the rules that a refusal cites, as the game's register words them; none for a game without a register."""
    import re

    from ...domain import register
    from ...domain.errors import ContentError

    book = register.of(type(game.ruleset))
    if book is None:
        return []
    found = []
    for name in filter(None, re.split(r"[\s,;/]+", ids)):
        try:
            rule = book.rule(name)
        except ContentError:
            continue
        found.append({"id": rule.id, "text": rule.text, "heading": rule.heading})
    return found
