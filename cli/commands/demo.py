"""demo: what a newcomer runs first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..app import say, say_scene
from ..games import decision_text, outcome_text, say_told
from ..group import Command

if TYPE_CHECKING:
    from ...api import Store
    from ...domain.rules import Demo, Ruleset
    from ...replays.game import Game


@click.command(cls=Command)
@click.argument("ruleset", required=False)
def demo(ruleset: str | None) -> None:
    """Play a short game by bots, in memory: the board, a refusal, an undo, a fork, the audit and the story.

    The same every time, on every machine: chance comes from a seed. Your own games are not touched.

    warptape demo
    """
    from ...api import open as open_store

    rules, plan = _chosen(ruleset)
    with open_store(":memory:") as store:
        game = _opened(store, rules, plan)
        bots = {seat: plan.bot if plan.bot in rules.bots else next(iter(rules.bots)) for seat in game.seats}
        _refused(game, plan)
        _board(game, bots, plan.moves)
        _two_ways(game, _taken_back(game, bots), bots)
        _checked(game)
        _story(game)
    _next(rules, next(iter(bots.values())))


def _chosen(name: str | None) -> tuple[Ruleset, Demo]:
    """Return the ruleset to show: the one named, or the first that offers a demo, or that has bots."""
    from ...domain.errors import UnknownRuleset
    from ...domain.rules import Demo, installed
    from ...domain.rules import ruleset as load

    found: list[Ruleset] = []
    for one in [name] if name else installed():
        try:
            found.append(load(one))
        except UnknownRuleset:
            if name:
                raise
    usable = [rules for rules in found if rules.bots]
    usable.sort(key=lambda rules: rules.demo is None)
    if not usable:
        raise UnknownRuleset("No ruleset with bots is installed, so there is nothing to show.")
    return usable[0], usable[0].demo or Demo("demo")


def _title(text: str) -> None:
    say()
    say(f"── {text}", bold=True)


def _opened(store: Store, rules: Ruleset, plan: Demo) -> Game:
    say(f"{rules.title}, played by bots from the seed '{plan.seed}'", bold=True)
    if rules.summary:
        say(rules.summary)
    game = store.new(rules, seed=plan.seed, options=plan.options, undo="free", name="demo")
    for line in plan.lines:
        start = game.length
        say(f"> {line}")
        game.act(line)
        say_told(game, start)
    return game


def _refused(game: Game, plan: Demo) -> None:
    from .acting import explain, rule_texts

    if not plan.refused:
        return
    _title("What is not allowed is refused, with the rule")
    say(f"> {plan.refused}")
    found = explain(game, plan.refused)
    say(found.get("refusal", "It is legal."), fg="red")
    for rule in rule_texts(game, found.get("rule", "")):
        say(f"  {rule['id']}: {rule['text']}")


def _board(game: Game, bots: dict[str, str], moves: int) -> None:
    from ...projections.boards import draw

    _title(f"The board after {moves} more decisions of the bots")
    game.run(bots, moves)
    position: Any = game.at()
    say_scene(draw(game.ruleset, position.state, position.title))
    say(decision_text(game))


def _taken_back(game: Game, bots: dict[str, str]) -> int:
    """Take an action with dice, take it back and take it again; returns the position before it."""
    from ...domain.events import DiceRolled

    _title("Undo does not re-roll: the same action gives the same dice and cards")
    first = before = game.length
    while game.decision is not None:
        before = game.length
        if any(isinstance(event, DiceRolled) for event in game.run(bots, 1)):
            break
    head: Any = game.event(before)
    point = game.tip
    say_told(game, before)
    undone = game.undo()
    say_told(game, undone.position)
    again = game.length
    game.act(head.action, head.seat)
    say_told(game, again)
    one = [event for _, event in game.events(before + 1, point + 1)]
    other = [event for _, event in game.events(again + 1, game.tip + 1)]
    same = one == other
    say("Event for event the same." if same else "They differ!", fg="green" if same else "red")
    return max(first, before) - 1


def _two_ways(game: Game, place: int, bots: dict[str, str]) -> None:
    _title("A fork: the same game from that moment on, with other luck")
    branch = game.fork(place, name="demo with other luck")
    branch.reroll("other luck")
    for one in (game, branch):
        one.run(bots)
        say(f"{one.name}: {one.length} events. {outcome_text(one.outcome)}")


def _checked(game: Game) -> None:
    from ...replays.audit import audit
    from ..audits import say_report

    _title("The audit: the chain, every die and card, every rule")
    say_report(game.name, audit(game))


def _story(game: Game) -> None:
    from ...replays.transcript import transcript

    _title("The end of the story")
    for line in transcript(game, "txt").rstrip().splitlines()[-12:]:
        say(line)


def _next(rules: Ruleset, bot: str) -> None:
    say()
    say("Now you:", bold=True)
    seats = [seat.id for seat in rules.seats(rules.options())]
    against = "".join(f" --seat {seat}=bot:{bot}" for seat in seats[1:])
    for command, what in (
        (f"warptape play {rules.id}{against}", f"play it yourself{', against a bot' * bool(against)}"),
        (f"warptape simulate {rules.id} -n 100", "bots play a hundred"),
        ("warptape rulesets", "the games there are"),
        ("warptape --help", "everything else"),
    ):
        say(f"  {command.ljust(60)} {what}")
