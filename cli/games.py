"""A game in words for the commands: its decision, its actions in groups, what has just happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ..domain.words import listed as listed_words
from .app import say, say_hanging

if TYPE_CHECKING:
    from ..replays.game import Game
    from ..replays.tape import Position
    from ..replays.told import Told


def let_bots_play(game: Game) -> None:
    """Let the bots that hold seats act until a person must decide; without any person, to the end."""
    if all(map(game.automatic, game.seats)) and not game.typed_chance:
        game.run({})
    else:
        game.play_bots()


def viewer(game: Game, seat: str | None) -> str | None:
    """Return whose knowledge is shown to whoever acts: None, for everything, in an open game.

    In a game with secrets it is the seat named, else the only one that a person holds, else the one that must decide;
    where only what one seat knows is here, that seat.
    """
    if seat is not None or not game.ruleset.secretive:
        return seat
    if game.own_seat is not None or game.seen_as is not None:
        return game.own_seat or game.seen_as
    people = [name for name, holder in game.seats.items() if holder == "human"]
    if len(people) == 1:
        return people[0]
    return game.decision.seat if game.decision else None


def decision_text(game: Game, position: Position | None = None) -> str:
    """Return who must decide what, or how the game ended, in one or two sentences: now, or as it stood at a position."""
    if position is not None and not position.settled:
        return f"@{position.position}  An action is being carried out: nothing is asked."
    decision = game.decision if position is None else position.decision
    if decision is None:
        return outcome_text(game.outcome if position is None else position.outcome)
    names = {seat.id: seat.name for seat in game.ruleset.seats(game.options)}
    asked = game.ruleset.asked(game.state if position is None else position.state)
    who = listed_words(asked, "or") or names.get(decision.seat, decision.seat)
    who = who if who == decision.seat else f"{who} ({decision.seat})"
    at = game.tip if position is None else position.position
    text = f"@{at}  {who} to decide: {decision.prompt or 'what now?'}"
    request = game.takebacks.open_request() if position is None and game.policy == "consent" else None
    if request is None:
        return text
    asking = request[1]
    return f"{text}\n{names.get(asking.seat, asking.seat)} would like to go back to @{asking.to}: `consent` answers, yes or no."


def outcome_text(outcome: Any) -> str:
    """Return how a game ended."""
    if outcome is None:
        return "Nothing is left to decide."
    text = f"The game is over: {outcome.words or outcome.result}"
    if outcome.winners:
        text += f" ({', '.join(outcome.winners)})"
    if outcome.reason:
        text += f", {outcome.reason}"
    figures = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in outcome.figures.items())
    return f"{text}." + (f" Figures: {figures}." if figures else "")


def decision_data(game: Game) -> dict[str, Any]:
    """Return where a game stands, for scripts."""
    decision, outcome = game.decision, game.outcome
    return {
        "position": game.tip,
        "length": game.length,
        "seat": decision.seat if decision else None,
        "prompt": decision.prompt if decision else None,
        "people": list(game.ruleset.asked(game.state)) if decision else [],
        "outcome": outcome,
    }


def listed(game: Game, seat: str | None = None) -> list[tuple[str, str]]:
    """Return the legal actions as (notation, words), in the order of the decision.

    The words tell the seat that must decide nothing it may not know. With a seat, what that seat may do: none while
    another must decide. Where people share the seat, they name whose part an action is, unless just that one is asked.
    """
    decision = game.decision
    seat = seat or game.own_seat
    if decision is None or seat not in (None, decision.seat):
        return []
    from ..replays.choosing import listed as legal

    asked = tuple(game.ruleset.asked(game.state)) if decision.seat in game.people else ()
    return [
        (one.notation, f"{one.person}: {one.words}" if one.person and asked != (one.person,) else one.words)
        for one in legal(game.ruleset, game.state, decision, game.people)
    ]


def grouped(actions: Sequence[tuple[str, str]]) -> dict[str, list[tuple[int, str, str]]]:
    """Return actions by the first word of their notation, each with its number from 1."""
    groups: dict[str, list[tuple[int, str, str]]] = {}
    for number, (notation, words) in enumerate(actions, 1):
        groups.setdefault(notation.split(" ", 1)[0], []).append((number, notation, words))
    return groups


def naming(actions: Sequence[tuple[str, str]], word: str) -> dict[str, list[tuple[int, str, str]]]:
    """Return the grouped actions whose notation names a model, a square or another word; verbs without any are left out."""
    from ..replays.choosing import mentioned

    found = {
        verb: [item for item in items if word.lower() in mentioned(item[1].lower())]
        for verb, items in grouped(actions).items()
    }
    return {verb: items for verb, items in found.items() if items}


def say_actions(actions: Sequence[tuple[str, str]], most: int | None = None) -> None:
    """Print numbered actions by verb; at most `most` of each verb."""
    size = len(str(len(actions)))
    groups = grouped(actions)
    wide = min(30, max((len(notation) for notation, _ in actions), default=0))
    for verb, items in groups.items():
        if len(items) > 1:
            say(f"{verb} ({len(items)})", bold=True)
        for number, notation, words in items[:most]:
            if words == notation:
                click.echo(f"  {number:>{size}}  {notation}")
            else:
                say_hanging(f"  {number:>{size}}  {notation.ljust(wide)}  ", words)
        if most is not None and len(items) > most:
            click.echo(f"  {' ' * size}  … and {len(items) - most} more: `legal {verb}` lists them")


def told_data(game: Game, start: int, stop: int | None = None, seat: str | None = None) -> list[dict[str, Any]]:
    """Return events of a log for scripts: position, kind, sentence, and the event as it is encoded."""
    from ..replays.told import tell_log

    return [
        {
            "position": told.position,
            "kind": told.kind,
            "text": told.text,
            "on_line": told.on_line,
            "entered": told.entered,
            "event": told.event,
        }
        for told in tell_log(game, start, stop, seat)
    ]


def say_told(game: Game, start: int, stop: int | None = None, seat: str | None = None) -> None:
    """Print what the events from a position on say."""
    from ..replays.told import tell_log

    for told in tell_log(game, start, stop, seat):
        if told.text:
            say_hanging(f"{told.position:>5}  ", marked(told))


def marked(told: Told) -> str:
    """Return what an event says, with a mark on a result that somebody entered."""
    return f"{told.text} (entered)".strip() if told.entered else told.text
