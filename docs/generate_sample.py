"""Plays the 200 games of the sample that ships with warptape, and packs them into `projections/archive/sample.jsonl.xz`.

python docs/generate_sample.py [--jobs N]

Seeds, ids and the clock are fixed, so the same version of warptape gives the same bytes; other bots, rules or cards give
other games. The clock is made up: a game a day, a second for what a bot does, a few for what a person does. The "people"
do what the bot of their seat would do, but now and then they take it back; what they roll at a table comes from a
generator of random numbers, and the die of one table is loaded: its six comes up too often.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from warptape.domain.chance import Salt
from warptape.domain.errors import NeedsOutcome, NotAllowed
from warptape.domain.referee import choose
from warptape.projections.archive import sample
from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.writing import Desk

TARGET = Path(__file__).resolve().parent.parent / "projections" / "archive" / sample.FILE
SMA, DOOM, ATTACK = "space-marine-adventures", "doom-of-the-eldar", "tyranid-attack"
SEATS = {SMA: ("team",), DOOM: ("eldar", "tyranid"), ATTACK: ("marines", "tyranid")}
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


class Plan(NamedTuple):
    """A game: who plays it, `bots`, `people` or `table`; at most `most` decisions are taken; with `load` a die is loaded."""

    ruleset: str
    options: dict[str, str] = {}
    bots: tuple[str, ...] = ()
    how: str = "bots"
    people: tuple[str, ...] = ()
    undo: str = ""
    most: int = 100_000
    load: float = 0.0
    fork: bool = False


def _times(count: int, *arguments: Any, **named: Any) -> list[Plan]:
    return [Plan(*arguments, **named)] * count


PLANS = [
    # 80 of Space Marine Adventures
    *_times(18, SMA),
    *_times(14, SMA, {"level": "2"}),
    *_times(12, SMA, {"level": "3"}),
    *_times(6, SMA, {"mode": "campaign"}),
    *_times(8, SMA, {}, ("random",)),
    *_times(4, SMA, {"skull_cards": "all"}),
    *_times(4, SMA, {"level": "2", "challenges": "random"}),
    *_times(3, SMA, {"sight": "any_angle"}),
    *_times(4, SMA, how="people", people=("Anna",)),
    *_times(2, SMA, {"level": "2", "players": "MAX=Anna,RAP=Ben"}, how="people", people=("",)),
    *_times(2, SMA, how="table", people=("Carla",)),
    *_times(2, SMA, {"level": "2"}, how="table", people=("David",), load=0.14),
    *_times(1, SMA, {"level": "3"}, most=60),
    # 70 of Doom of the Eldar
    *_times(26, DOOM),
    *_times(8, DOOM, {"setup": "quickstart"}),
    *_times(10, DOOM, {}, ("sensible", "random")),
    *_times(10, DOOM, {}, ("random", "sensible")),
    *_times(6, DOOM, {"track_advance": "drawn"}),
    *_times(3, DOOM, {"odds_below_table": "annihilate"}),
    *_times(3, DOOM, how="people", people=("Eva", "Finn"), undo="free"),
    *_times(1, DOOM, how="people", people=("Eva", "Gita"), undo="consent"),
    *_times(2, DOOM, how="table", people=("Eva", "Finn")),
    *_times(1, DOOM, fork=True),
    # 50 of Tyranid Attack
    *_times(24, ATTACK),
    *_times(6, ATTACK, {}, ("random", "sensible")),
    *_times(6, ATTACK, {}, ("sensible", "random")),
    *_times(5, ATTACK, {"party": "points"}),
    *_times(3, ATTACK, {"rotation": "fixed"}),
    *_times(3, ATTACK, how="people", people=("Hugo", "Ines"), undo="free"),
    *_times(2, ATTACK, how="table", people=("Hugo", "Ines")),
    *_times(1, ATTACK, fork=True),
]
REASONS = ("wrong square", "I meant the other one", "typed too fast", "to see what else there was", "forgot the rule")
NOTES = (
    ("This decides it, I think.", ("turning-point",)),
    ("A lucky roll.", ("luck",)),
    ("An unlucky roll.", ("luck",)),
    ("Was there anything better?", ("question",)),
    ("Looked this up in the rules.", ("rules",)),
)


class SampleDesk(Desk):
    """Fixed ids, secrets and times for the game of a number."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.clock = datetime(2026, 1, 1, 18, tzinfo=UTC) + timedelta(days=number)
        self.made = 0

    def now(self) -> str:
        self.clock += timedelta(seconds=1)
        return self.clock.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _digest(self) -> bytes:
        self.made += 1
        return hashlib.sha256(f"warptape sample {self.number} {self.made}".encode()).digest()

    def salt(self) -> Salt:
        return Salt(nonce=self._digest().hex()[:32])

    def new_id(self) -> str:
        return "".join(LETTERS[byte % len(LETTERS)] for byte in self._digest()[:10])


def played(number: int) -> bytes:
    """Play the game of a number and return its log file."""
    plan = PLANS[number]
    desk, luck = SampleDesk(number), random.Random(f"sample {number}")
    seats = SEATS[plan.ruleset]
    bots = plan.bots or ("sensible",) * len(seats)
    with tempfile.TemporaryDirectory() as folder, Library(str(Path(folder, "store.db")), desk) as library:
        name, seed = f"Sample {number + 1}", f"sample/{number + 1}"
        if plan.how == "bots":
            # The seats are the bots' from the start; they begin when they are told to.
            held = {seat: f"bot:{bot}" for seat, bot in zip(seats, bots, strict=True)}
            library.game_type = _Waiting
            game = library.new(plan.ruleset, seed=seed, options=plan.options, seats=held, name=name)
            if plan.fork:
                game.run({}, 120)
                game = game.fork("@d90", name=f"{name}, another way", reroll=True)
            game.run({}, plan.most)
        else:
            table = plan.how == "table"
            how = {"chance": "table"} if table else {"seed": seed}
            game = _entered(
                lambda given: library.new(
                    plan.ruleset, options=plan.options, name=name, undo=plan.undo, outcomes=given, **how
                ),
                luck,
                plan.load,
            )
            _people(game, desk, luck, dict(zip(seats, plan.people, strict=True)), plan)
        path = game.export(Path(folder, "game.tape.jsonl"))
        return path.read_bytes()


class _Waiting(Game):
    """A game whose bots wait for `run`."""

    def play_bots(self, limit: int = 10_000) -> Any:
        return ()


def _people(game: Any, desk: SampleDesk, luck: random.Random, people: dict[str, str], plan: Plan) -> None:
    taken_back = 0
    while game.outcome is None and game.state.decisions < plan.most:
        seat = game.decision.seat
        action = choose(game.ruleset, game.state, game.decision, "sensible", game.opening.commitment)
        desk.clock += timedelta(seconds=luck.randint(1, 40))
        _entered(partial(_act, game, action, people[seat]), luck, plan.load)
        if taken_back < 12 and luck.random() < 0.04 and game.outcome is None:
            _take_back(game, seat, people, luck)
            taken_back += 1
        elif luck.random() < 0.01:
            text, tags = luck.choice(NOTES)
            game.note(text, tags=tags, person=people[seat])


def _act(game: Any, action: Any, person: str, given: list[str]) -> None:
    game.act(action, person=person, outcomes=given)


def _take_back(game: Any, seat: str, people: dict[str, str], luck: random.Random) -> None:
    reason = luck.choice(REASONS)
    try:
        if game.policy == "consent":
            game.ask_undo(seat, person=people[seat])
            other = next(one for one in people if one != seat)
            game.consent(other, luck.random() < 0.7, person=people[other])
        elif luck.random() < 0.25:
            back = luck.randint(3, 8)
            game.rewind(f"@d{max(1, game.state.decisions - back)}", person=people[seat], reason=reason)
        else:
            game.undo(person=people[seat], reason=reason)
    except NotAllowed:
        return


def _entered(do: Callable[[list[str]], Any], luck: random.Random, load: float) -> Any:
    """Do something, entering what real dice and cards give where they are asked for; returns what it returns."""
    given: list[str] = []
    while True:
        try:
            return do(given)
        except NeedsOutcome as asked:
            die = asked.possible == ("1", "2", "3", "4", "5", "6")
            given.append("6" if die and luck.random() < load else luck.choice(asked.possible))


def all_games(jobs: int) -> Iterator[bytes]:
    """Yield the log files of the sample in order."""
    with multiprocessing.Pool(jobs) as pool:
        for number, log in enumerate(pool.imap(played, range(len(PLANS))), 1):
            print(f"\r{number} of {len(PLANS)} games", end="", file=sys.stderr, flush=True)
            yield log
    print(file=sys.stderr)


def main(arguments: list[str]) -> int:
    """Writes the sample."""
    jobs = int(arguments[arguments.index("--jobs") + 1]) if "--jobs" in arguments else 1
    packed = sample.pack(all_games(jobs))
    TARGET.write_bytes(packed)
    print(f"{TARGET.name}: {len(PLANS)} games, {len(packed):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
