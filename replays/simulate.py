"""Many games played by bots, on all cores: the same seed gives the same games, whatever the number of processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from typing import Any

import msgspec

from ..domain.chance import Fate, Salt
from ..domain.errors import OptionError, WarptapeError
from ..domain.referee import Match
from ..domain.rules import Ruleset, ruleset
from .library import Library
from .outside.desk import ProgramDesk
from .outside.players import Pace
from .outside.process import Command
from .processes import serve_the_parent
from .takeback import BOT, EXEC

LONGEST = 100_000
"""Decisions after which a game is held to have no end."""


class Plan(msgspec.Struct, frozen=True):
    """What to play: game number `i` has the seed `BASE/i`; `record` is the store to keep the games in, if any.

    `bots` by seat are those of the ruleset, and `exec:NAME` for the seats that `programs` play, as `pace` allows.
    """

    ruleset: str
    base: str
    bots: dict[str, str]
    options: dict[str, str] = {}
    record: str = ""
    longest: int = LONGEST
    programs: dict[str, Command] = {}
    pace: Pace = Pace()

    def seed(self, number: int) -> str:
        """Return the seed of a game, counted from 1."""
        return f"{self.base}/{number}"

    def name(self, number: int) -> str:
        """Return the name of a recorded game."""
        return f"{ruleset(self.ruleset).title} {self.seed(number)}"[-80:]


class Failure(msgspec.Struct, frozen=True):
    """A game that did not come to an end, or crashed: its number, its seed and why."""

    number: int
    seed: str
    reason: str


class Totals(msgspec.Struct):
    """What came of games: counts of results and of wins by seat, sums of lengths and of the outcomes' figures.

    `having` counts the games that have a figure: not every end has all of them.
    """

    games: int = 0
    results: Counter[str] = msgspec.field(default_factory=Counter)
    wins: Counter[str] = msgspec.field(default_factory=Counter)
    figures: Counter[str] = msgspec.field(default_factory=Counter)
    having: Counter[str] = msgspec.field(default_factory=Counter)
    decisions: int = 0
    events: int = 0
    rounds: int = 0
    failures: list[Failure] = []

    def add(self, other: Totals) -> None:
        """Count other games in."""
        self.games += other.games
        for mine, theirs in (
            (self.results, other.results),
            (self.wins, other.wins),
            (self.figures, other.figures),
            (self.having, other.having),
        ):
            for name, count in theirs.items():
                mine[name] += count
        self.decisions += other.decisions
        self.events += other.events
        self.rounds += other.rounds
        self.failures = sorted([*self.failures, *other.failures], key=lambda failure: failure.number)


def plan(
    name: str,
    base: str,
    bots: Mapping[str, str],
    options: Mapping[str, str] | None = None,
    record: str = "",
    programs: Mapping[str, Command] | None = None,
    pace: Pace | None = None,
) -> Plan:
    """Return a checked plan; a seat without a bot or a program gets `sensible`, or the first there is.

    Raises UnknownRuleset, OptionError.
    """
    rules = ruleset(name)
    parsed = rules.parse_options(options or {})
    seats = [seat.id for seat in rules.seats(parsed)]
    if not rules.bots and not {*seats} <= {*(programs or {})}:
        raise OptionError(f"{name} has no bots, so nobody can play it here.")
    usual = "sensible" if "sensible" in rules.bots else next(iter(rules.bots), "")
    held = dict.fromkeys(seats, usual)
    for seat, bot in {**bots, **{seat: EXEC + one.name for seat, one in (programs or {}).items()}}.items():
        wanted = bot.removeprefix("bot:")
        if seat not in held:
            raise OptionError(f"{name} has no seat '{seat}'. Its seats: {', '.join(held)}.")
        if wanted not in rules.bots and seat not in (programs or {}):
            raise OptionError(f"{name} has no bot '{wanted}'. Its bots: {', '.join(rules.bots)}.")
        held[seat] = wanted
    return Plan(name, base, held, dict(options or {}), record, programs=dict(programs or {}), pace=pace or Pace())


def run(
    what: Plan, games: int, jobs: int, done: Callable[[int], None] = lambda count: None
) -> Generator[Totals, None, None]:
    """Play games 1 to `games` and yield the totals of each part as it is finished; `done` hears how many games it had.

    `jobs` processes share the work. Closing the iterator stops early: what was yielded stands.
    """
    parts = list(_parts(games, jobs))
    if jobs <= 1 or len(parts) <= 1:
        for first, last in parts:
            for number in range(first, last + 1):
                totals = play(what, number, number)
                done(1)
                yield totals
        return
    todo = iter(parts)
    with ProcessPoolExecutor(min(jobs, len(parts)), initializer=serve_the_parent) as pool:
        running: set[Future[Totals]] = set()
        try:
            while True:
                # Few at a time, so that stopping early has little to wait for.
                for part in islice(todo, 2 * jobs - len(running)):
                    running.add(pool.submit(play, what, *part))
                if not running:
                    return
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    totals = future.result()
                    done(totals.games + len(totals.failures))
                    yield totals
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _parts(games: int, jobs: int) -> Iterator[tuple[int, int]]:
    size = max(1, min(25, games // (max(1, jobs) * 8)))
    for first in range(1, games + 1, size):
        yield first, min(games, first + size - 1)


def play(what: Plan, first: int, last: int) -> Totals:
    """Play the games of these numbers; one that fails is named and the others go on."""
    rules = ruleset(what.ruleset)
    totals = Totals()
    library: Library[Any] | None = None
    if what.record or what.programs:  # programs are told from the log what happened
        desk = ProgramDesk(what.programs)
        desk.pace = what.pace
        library = Library(what.record or ":memory:", desk)
    try:
        for number in range(first, last + 1):
            try:
                _count(totals, rules, what, number, library)
            except WarptapeError as error:
                totals.failures.append(Failure(number, what.seed(number), str(error)))
            except Exception as error:  # a ruleset's own bug must not end the others' games
                reason = f"{type(error).__name__}: {error}"
                totals.failures.append(Failure(number, what.seed(number), reason))
    finally:
        if library is not None:
            library.close()
    return totals


def _count(totals: Totals, rules: Ruleset, what: Plan, number: int, library: Library[Any] | None) -> None:
    seed = what.seed(number)
    if library is None:
        # The luck of recorded games, so that recording does not change who wins.
        match = Match(rules, Fate(seed), rules.parse_options(what.options), luck=Salt(seed=seed).commitment)
        outcome = match.play(what.bots, what.longest)
        decisions, events = match.state.decisions, len(match.events)
        rounds = sum(event.heading == "round" for event in match.events)
    else:
        seats = {seat: bot if seat in what.programs else BOT + bot for seat, bot in what.bots.items()}
        game = library.new(what.ruleset, seed=seed, options=what.options, seats=seats, name=what.name(number))
        game.run({}, what.longest)
        outcome = game.outcome
        decisions, events = game.state.decisions, game.length - len(game.kinds({"KeyRevealed"}))
        rounds = len(game.on_line(game.heading_kinds("round")))
    if outcome is None:
        raise WarptapeError(f"no end after {decisions} decisions")
    totals.games += 1
    totals.results[outcome.result] += 1
    totals.wins.update(outcome.winners)
    totals.figures.update(outcome.figures)
    totals.having.update(outcome.figures.keys())
    totals.decisions += decisions
    totals.events += events
    totals.rounds += rounds
