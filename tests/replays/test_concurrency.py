"""Several processes at one game, and processes that are killed: one wins, the other is told, and nothing is lost."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import pytest
from replay_model import SeededDesk, batches, opened

from warptape.domain.errors import Conflict
from warptape.domain.events import ActionTaken
from warptape.replays.codec import batch_digest
from warptape.replays.game import Game
from warptape.replays.library import Library

PROGRAM = Path(__file__).with_name("acting.py")
Rulesets = dict[str, str]


class Player:
    """A process that acts on a game; what it says goes to a file, so that nothing of it is lost with the process."""

    def __init__(self, folder: Path, url: str, environment: Rulesets, game: Game, what: str, argument: int) -> None:
        self.heard = folder / f"heard {uuid.uuid4().hex}"
        self.trouble = self.heard.with_suffix(".trouble")
        with self.heard.open("w") as out, self.trouble.open("w") as trouble:
            self.process = subprocess.Popen(
                [sys.executable, str(PROGRAM), url, game.id, what, str(argument)],
                env=environment,
                text=True,
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=trouble,
            )

    def said(self, least: int = 0) -> list[dict[str, Any]]:
        """What it has said, once that is so many lines; a line that was cut short is not there."""
        deadline = time.monotonic() + 60
        while True:
            lines = [line for line in self.heard.read_text().splitlines(keepends=True) if line.endswith("\n")]
            if len(lines) >= least:
                return [json.loads(line) for line in lines]
            assert self.process.poll() is None, self.trouble.read_text()
            assert time.monotonic() < deadline
            time.sleep(0.002)

    def ended(self) -> int:
        """Its exit code, when it is done."""
        self.process.communicate(timeout=60)
        return self.process.returncode


def race(*players: Player) -> list[list[dict[str, Any]]]:
    """Lets two processes go at the same time; returns what each said."""
    for player in players:
        assert player.said(1) == [{"ready": True}]
    for player in players:
        assert player.process.stdin is not None
        player.process.stdin.write("go\n")
        player.process.stdin.flush()
    for player in players:
        assert player.ended() == 0, player.trouble.read_text()
    return [player.said()[1:] for player in players]


def intact(game: Game) -> None:
    """The chain holds, nothing is missing, and the fold is the state that the game stands at."""
    events = [event for _, event in game.events()]
    rows = list(game.rows())
    assert [row.position for row in rows] == list(range(game.length))
    first, before = 0, ""
    for batch in batches(events):
        assert batch[0].prev == before  # type: ignore[attr-defined]
        before = batch_digest(row.data for row in rows[first : first + len(batch)])
        first += len(batch)
    assert before == game.shelf.head  # the last batch is whole
    opened(game).check(game)
    assert game.decision is not None


def heads(game: Game) -> list[ActionTaken[Any]]:
    return [event for _, event in game.events() if isinstance(event, ActionTaken)]


def test_of_two_processes_one_wins_each_time_and_the_other_is_told(
    lasting_store_url: str, rulesets: Rulesets, tmp_path: Path
) -> None:
    with Library[Game](lasting_store_url) as library:
        game = library.new("pig", seed="race", options={"goal": 1000})
        results = race(*(Player(tmp_path, lasting_store_url, rulesets, game, "race", 40) for _ in range(2)))
        won = [line["won"] for result in results for line in result if "won" in line]
        lost = [line for result in results for line in result if "lost" in line]
        game = library.game(game.id)
        assert len(won) == len({*won}) == len(heads(game)) == 80
        assert lost, "the two never met"
        for line in lost:
            assert line["actual"] > line["expected"]
            assert "Meanwhile: @" in line["lost"]
            assert "took an action" in line["lost"]
        intact(game)


def test_two_processes_with_the_same_keys_act_once(lasting_store_url: str, rulesets: Rulesets, tmp_path: Path) -> None:
    with Library[Game](lasting_store_url) as library:
        game = library.new("pig", seed="keys", options={"goal": 1000})
        first, second = race(*(Player(tmp_path, lasting_store_url, rulesets, game, "keys", 30) for _ in range(2)))
        assert [line["position"] for line in first] == [line["position"] for line in second]
        for one, other in zip(first, second, strict=True):
            assert one["repeated"] != other["repeated"]
        game = library.game(game.id)
        assert [head.key for head in heads(game)] == [f"action {number}" for number in range(30)]
        intact(game)


def test_a_killed_process_loses_nothing_that_was_acknowledged(
    lasting_store_url: str, rulesets: Rulesets, tmp_path: Path
) -> None:
    luck = random.Random(7)
    with Library[Game](lasting_store_url) as library:
        game = library.new("pig", seed="killed", options={"goal": 1000})
        acknowledged: dict[int, int] = {}
        trying = 0
        for _ in range(8):
            player = Player(tmp_path, lasting_store_url, rulesets, game, "loop", trying)
            player.said(2)  # one is under way, and acknowledged
            time.sleep(luck.uniform(0, 0.08))
            player.process.send_signal(signal.SIGKILL)
            player.ended()
            for line in player.said():
                if "position" in line:
                    acknowledged[line["number"]] = line["position"]
                else:
                    trying = line["trying"]
            game = library.game(game.id)
            intact(game)
            keys = [head.key for head in heads(game)]
            assert keys == [f"action {number}" for number in range(len(keys))]
            for number, position in acknowledged.items():
                assert game.event(position).key == f"action {number}"  # type: ignore[attr-defined]
            # The one that was under way is there or not; a retry takes it exactly once.
            assert len(keys) in (trying, trying + 1)
            retry = game.act("roll", key=f"action {trying}")
            # A server may still finish what a killed client had sent: then it was not there a moment ago.
            assert retry.repeated or len(keys) == trying
            assert [head.key for head in heads(game)].count(f"action {trying}") == 1
            acknowledged.setdefault(trying, game.store.find_key(game.id, f"action {trying}") or 0)
            trying += 1
        assert len(acknowledged) > 8


def test_killed_between_commit_and_answer(lasting_store_url: str, rulesets: Rulesets, tmp_path: Path) -> None:
    with Library[Game](lasting_store_url) as library:
        game = library.new("pig", seed="answer", options={"goal": 1000})
        player = Player(tmp_path, lasting_store_url, rulesets, game, "die", 1)
        assert player.ended() == -signal.SIGKILL
        game.refresh()
        length = game.length
        assert len(heads(game)) == 1
        retry = game.act("roll", key="the one")
        assert (retry.repeated, game.length) == (True, length)
        assert retry.events == tuple(event for _, event in game.events(retry.position))
        intact(game)


@pytest.mark.parametrize("after", ["the same key", "another action"])
def test_killed_between_an_action_and_the_bots_answer(
    lasting_store_url: str, rulesets: Rulesets, tmp_path: Path, after: str
) -> None:
    with Library[Game](lasting_store_url, SeededDesk(1)) as library:
        game = library.new("pig", seed="cut off", seats={"p2": "bot:sensible"}, undo="free", options={"goal": 1000})
        player = Player(tmp_path, lasting_store_url, rulesets, game, "die", 1)
        assert player.ended() == -signal.SIGKILL
        game.refresh()
        assert game.decision is not None
        assert game.decision.seat == "p2"  # the bot is due
        due = game.length
        if after == "the same key":
            retry = game.act("roll hold", key="the one")
            assert retry.repeated
            assert retry.events == tuple(event for _, event in game.events(retry.position))
        else:
            played = game.act("roll")
            assert played.position > due
        answers = [event for _, event in game.events(due) if isinstance(event, ActionTaken)]
        assert answers[0].person == "bot:sensible"
        # The same as without the kill.
        twin = library.new("pig", seed="cut off", seats={"p2": "bot:sensible"}, undo="free", options={"goal": 1000})
        twin.act("roll hold")
        if after == "another action":
            twin.act("roll")
        assert twin.state == game.state
        intact(game)


def test_expect_says_at_which_board_the_caller_looks(lasting_store_url: str) -> None:
    with Library[Game](lasting_store_url, SeededDesk(1)) as one, Library[Game](lasting_store_url) as other:
        game = one.new("pig", seed="expect", undo="free", options={"goal": 1000})
        mine = other.game(game.id)
        looked = mine.tip
        game.act("roll")
        with pytest.raises(Conflict, match="Meanwhile"):
            mine.act("roll", expect=looked)
        assert mine.length == game.length
        with pytest.raises(Conflict):
            mine.act("roll", expect=looked)
        with pytest.raises(Conflict):
            mine.act("roll", expect=999)
        mine.act("roll", expect=mine.tip)
        undone = mine.undo()
        # After a take-back the board of its target is there again, under either position.
        assert mine.act("roll", expect=undone.position).events
        with pytest.raises(Conflict):
            mine.act("roll", expect=undone.position)
        with pytest.raises(Conflict, match="undo to"):
            game.act("roll")
        assert game.act("roll").events


def test_the_other_writer_may_delete_the_game(lasting_store_url: str) -> None:
    from warptape.domain.errors import UnknownGame

    with Library[Game](lasting_store_url) as one, Library[Game](lasting_store_url) as other:
        game = one.new("pig")
        other.store.delete(game.id)
        with pytest.raises(UnknownGame):
            game.act("roll")
