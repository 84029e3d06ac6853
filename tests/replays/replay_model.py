"""A naive model of a recorded game, kept beside the real one: the definition of a rewind, and an editor's two stacks."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from typing import Any

from warptape.domain.chance import Salt
from warptape.domain.errors import NotAllowed
from warptape.domain.events import ActionTaken, Event, GameOpened, Head, Rewound
from warptape.domain.rules import Ruleset
from warptape.replays.game import Game, Played
from warptape.replays.shelf import Row
from warptape.replays.writing import Desk


def batches(events: Iterable[Event]) -> list[list[Event]]:
    """Events by the heads that open their batches."""
    found: list[list[Event]] = []
    for event in events:
        if isinstance(event, Head):
            found.append([])
        found[-1].append(event)
    return found


def bare_bytes(rows: Iterable[Row]) -> bytes:
    """The events of rows as a log file holds them, one a line, but for the times and the digests of their heads."""
    lines = []
    for row in rows:
        data, _, beside = row.data.partition(b"\n")
        fields = json.loads(data)
        for name in ("time", "prev", "software"):
            fields.pop(name, None)
        lines.append(json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode())
        if beside:
            lines.append(b"  " + beside)
    return b"\n".join(lines) + b"\n"


class SeededDesk(Desk):
    """A desk whose secrets and ids follow from a number: a test that fails once fails again."""

    def __init__(self, seed: int) -> None:
        self.luck = random.Random(seed)

    def salt(self) -> Salt:
        return Salt(nonce=f"{self.luck.getrandbits(128):032x}")

    def new_id(self) -> str:
        return f"game{self.luck.getrandbits(40):x}"


class Node:
    """What an editor keeps of one version: its state, and the version that undo goes back to."""

    def __init__(self, state: Any, parent: Node | None) -> None:
        self.state = state
        self.parent = parent


class Model:
    """A log as a plain list. `current` and `redo` are the editor's; `nodes` and `redos` what they were at each position."""

    def __init__(self, rules: Ruleset, bots: Sequence[str] = ()) -> None:
        self.rules = rules
        self.bots = set(bots)
        self.log: list[Event] = []
        self.current: Node | None = None
        self.redo: list[Node] = []
        self.nodes: dict[int, Node | None] = {}
        self.redos: dict[int, list[Node]] = {}

    # The definition

    def path(self, position: int) -> list[int]:
        """The positions that the state at a position rests on, in order."""
        found = []
        while position >= 0:
            event = self.log[position]
            if isinstance(event, Rewound):
                assert event.to < position
                position = event.to
            else:
                found.append(position)
                position -= 1
        return found[::-1]

    def state(self, position: int) -> Any:
        state = self.rules.state()
        for at in self.path(position):
            self.log[at].apply(state)
        return state

    def tip(self) -> int:
        return self.path(len(self.log) - 1)[-1]

    def decisions(self) -> list[int]:
        return [at for at in self.path(len(self.log) - 1) if isinstance(self.log[at], ActionTaken)]

    def headings(self) -> list[int]:
        return [at for at in self.path(len(self.log) - 1) if type(self.log[at]).heading == "round"]

    def before(self, position: int) -> int:
        """The position before one on its own line."""
        path = self.path(position)
        return path[path.index(position) - 1]

    def batch_end(self, position: int) -> int:
        end = position
        while end + 1 < len(self.log) and not isinstance(self.log[end + 1], Head):
            end += 1
        return end

    # The editor

    def feed(self, events: Iterable[Event]) -> None:
        """Take note of what was recorded."""
        for batch in batches(events):
            head = batch[0]
            self.log += batch
            last = len(self.log) - 1
            old = self.current
            if isinstance(head, Rewound):
                if head.by == "undo":
                    assert old is not None
                    self.redo.append(old)
                    self.current = old.parent
                elif head.by == "redo":
                    self.current = self.redo.pop()
                else:
                    assert old is not None
                    self.redo.append(old)
                    self.current = self.nodes[head.to]
                assert self.current is not None
                assert self.state(last) == self.current.state, f"{head.by} to @{head.to}"
            elif isinstance(head, ActionTaken):
                self.redo = []
                answer = head.joined or head.seat in self.bots
                self.current = Node(self.state(last), (old.parent if old else None) if answer else old)
            else:
                self.current = Node(self.state(last), old.parent if old else None)
            self.nodes[last] = self.current
            self.redos[last] = list(self.redo)

    def forked(self, place: int) -> Model:
        """The model of a fork after a position."""
        other = Model(self.rules, tuple(self.bots))
        other.log = self.log[: place + 1]
        other.current = self.nodes[place]
        other.redo = list(self.redos[place])
        other.nodes = {at: node for at, node in self.nodes.items() if at <= place}
        other.redos = {at: redo for at, redo in self.redos.items() if at <= place}
        return other

    # Comparing

    def check(self, game: Game) -> None:
        """The game stands where the model does."""
        assert game.length == len(self.log)
        assert game.tip == self.tip()
        assert self.current is not None
        assert game.state == self.current.state
        assert game.decision == self.rules.decision(self.current.state)

    def check_all(self, game: Game) -> None:
        """Every position, line and address agrees, and so do the stored events."""
        self.check(game)
        assert [event for _, event in game.events()] == self.log
        for position in range(len(self.log)):
            assert game.state_at(position) == self.state(position), position
            assert [at for at, _ in game.line(position)] == self.path(position)
        decisions, tip = self.decisions(), self.tip()
        for number, at in enumerate(decisions, 1):
            assert game.locate(f"@d{number}") == self.before(at)
            assert game.locate(f"@-{len(decisions) - number + 1}") == self.before(at)
        assert game.locate(f"@d{len(decisions) + 1}") == game.locate("@-0") == game.locate("@end") == tip
        for number, at in enumerate(self.headings(), 1):
            assert game.locate(f"@r{number}") == at
        assert game.locate("@start") == self.batch_end(0)
        for position in range(len(self.log)):
            assert game.locate(f"@{position}") == position
            assert game.batch_end(position) == self.batch_end(position)
        self.check_lines(game)

    def check_lines(self, game: Game) -> None:
        """The ends of all lines are the versions that no other line runs through, and where the game stands."""
        tip = self.tip()
        ends = {
            self.path(at)[-1]
            for at in range(len(self.log))
            if at == len(self.log) - 1 or isinstance(self.log[at + 1], Rewound)
        }
        inner = {at for end in ends for at in self.path(end)[:-1]}
        expected = sorted(ends - inner | {tip})
        assert game.tree.tips() == expected
        now = self.path(tip)
        lines = {line.tip: line for line in game.lines()}
        for end in expected:
            path = self.path(end)
            shared = [at for at in path if at in set(now)]
            decided = [at for at in path if isinstance(self.log[at], ActionTaken)]
            own = [at for at in decided if at > shared[-1]]
            assert (end in lines) == bool(own or end == tip)
            if end in lines:
                line = lines[end]
                assert (line.parts, line.decisions, line.own, line.current) == (
                    shared[-1],
                    len(decided),
                    len(own),
                    end == tip,
                )


def play_randomly(game: Game, model: Model, luck: random.Random) -> str:
    """Do one random thing to a game and tell the model; returns what it was."""
    what = luck.choice(["act"] * 6 + ["line", "undo", "undo", "undo", "redo", "redo", "rewind", "note", "reroll"])
    played: Played | None = None
    try:
        if what in ("act", "line"):
            model.feed(game.play_bots())
            decision = game.decision
            if decision is None:
                what = "undo"
            else:
                first = game.ruleset.notation(game.state, luck.choice(decision.actions))
                played = game.act(first if what == "act" else [first, "roll"])
        if what == "undo":
            played = game.undo(reroll=luck.random() < 0.2)
        elif what == "redo":
            played = game.redo()
        elif what == "rewind":
            played = game.rewind(luck.randrange(game.length), reroll=luck.random() < 0.1)
        elif what == "note":
            played = game.note("look at that", luck.choice([None, luck.randrange(game.length)]))
        elif what == "reroll":
            played = game.reroll(luck.choice([None, "typed"]))
    except NotAllowed:
        # There is nothing to take back or to redo, or the game is over: the model must say so too.
        assert model.current is not None
        over = game.decision is None
        assert (
            over
            or (what == "undo" and model.current.parent is None)
            or (what == "redo" and not model.redo)
            or what == "rewind"
        )
        return what + " refused"
    except Exception as error:
        if what != "line" or type(error).__name__ not in ("IllegalAction", "BadNotation"):
            raise
        return "line refused"
    assert played is not None
    assert played.position == len(model.log)
    assert tuple(event for _, event in game.events(len(model.log))) == played.events
    model.feed(played.events)
    return what


def opened(game: Game) -> Model:
    """The model of a game that has just been opened."""
    bots = [seat for seat, holder in game.seats.items() if holder.startswith("bot:")]
    model = Model(game.ruleset, bots if len(bots) < len(game.seats) else ())
    events = [event for _, event in game.events()]
    assert isinstance(events[0], GameOpened)
    model.feed(events)
    return model
