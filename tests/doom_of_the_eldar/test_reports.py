"""Bugs that other tools of this kind have been reported for, each as a test of this game."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from doom import Play, of, play
from option_sets import OPTIONS
from twin_games import Same

import warptape
from warptape.api import Store
from warptape.domain.chance import Luck
from warptape.domain.doom_of_the_eldar.events import PhaseBegan, SwarmArrived
from warptape.domain.doom_of_the_eldar.state import ELDAR, TYRANID
from warptape.domain.errors import NotAllowed
from warptape.domain.events import ActionTaken, CounterDrawn, CounterRevealed
from warptape.domain.secrets import redact, view


def start(store: Any, seed: str, **given: Any) -> Any:
    return store.new("doom-of-the-eldar", seed=seed, options={"setup": "quickstart"}, name="g", **given)


def decide(game: Any, luck: Luck, times: int) -> None:
    for _ in range(times):
        if game.decision is not None:
            game.act(luck.choice(game.decision.actions))


# "The log of a game replayed twice must agree with itself"


def test_a_log_replayed_twice_agrees_with_itself(tmp_path: Path) -> None:
    """Told, folded, exported and drawn twice, from the store and from a file, it is the same each time."""
    with warptape.open(tmp_path / "a.db") as store:
        game = start(store, "twice")
        decide(game, Luck("twice"), 160)
        files = [game.export(tmp_path / f"{n}.tape.jsonl") for n in (1, 2)]
        assert files[0].read_bytes() == files[1].read_bytes()
        with warptape.open(tmp_path / "b.db") as other:
            again = other.load(files[0])
            for seat in (None, ELDAR, TYRANID):
                told = [[(one.position, one.text) for one in each.log(seat)] for each in (game, game, again)]
                assert told[0] == told[1] == told[2]
                assert game.transcript("txt", seat=seat) == game.transcript("txt", seat=seat)
            for at in range(0, game.length, 11):
                assert game.at(at).state == again.at(at).state
                assert game.at(at).board().to_json() == again.at(at).board().to_json()
            assert again.export(tmp_path / "3.tape.jsonl").read_bytes().count(b"\n") == game.length + 3


def test_the_same_seed_and_the_same_actions_give_the_same_log() -> None:
    digests = set()
    for _ in range(2):
        with Store(":memory:", Same()) as store:
            game = start(store, "again")
            decide(game, Luck("again"), 200)
            rows = b"\n".join(row.data for row in game.store.rows(game.id))
            digests.add(hashlib.sha256(rows).hexdigest())
    assert len(digests) == 1


# "Whose turn it is survives a save"


@pytest.mark.parametrize("options", ["quick", "other"])
def test_whose_turn_it_is_survives_a_save(tmp_path: Path, options: str) -> None:
    """At every decision of a game: closed and opened again, the same seat is asked the same, within battles too."""
    given = {name: str(getattr(OPTIONS[options], name)) for name in OPTIONS[options].__struct_fields__}
    luck, seats, asked = Luck("save", options), Counter[str](), Counter[str]()
    path = tmp_path / "save.db"
    with warptape.open(path) as store:
        store.new("doom-of-the-eldar", seed="save", name="g", options=given)
    for _ in range(120):
        with warptape.open(path) as store:
            game = store.game("g")
            decision = game.decision
            if decision is None:
                break
            seats[decision.seat] += 1
            asked[type(game.state.pending[-1]).__name__] += 1
            game.act(luck.choice(decision.actions))
            after = game.decision
            before = (after.seat, after.prompt, list(after.actions)) if after else None
        with warptape.open(path) as store:
            again = store.game("g").decision
            assert ((again.seat, again.prompt, list(again.actions)) if again else None) == before
    assert min(seats[ELDAR], seats[TYRANID]) > 10
    assert asked["Lose"] + asked["Retreat"] > 0


def test_whose_turn_it_is_survives_an_export_and_is_the_same_for_each_seat(tmp_path: Path) -> None:
    with warptape.open(":memory:") as store:
        game, luck = start(store, "export"), Luck("export")
        for number in range(12):
            decide(game, luck, 9)
            for seat in (None, ELDAR, TYRANID):
                file = game.export(tmp_path / f"{number}-{seat}.tape.jsonl", seat)
                with warptape.open(":memory:") as other:
                    loaded = other.load(file)
                    assert loaded.decision.seat == game.decision.seat
                    assert loaded.decision.prompt == game.decision.prompt


# "A counter drawn again after destruction cannot be recognised"


def drawn_again(counter: str) -> tuple[Play, list[Any]]:
    """TH1, which the Eldar have seen in a vision, is destroyed; then the lid gives one counter."""
    game = play(
        "eldar_special",
        tyranid={"n4": "TH1", "s1": "GH1"},
        eldar={"s4": "WSH1"},
        scried=["TH1"],
        lid=["SM", "HM", "HS1", "RW1", "GH2", "HT"],
        marker=10,
    )
    events = game.do("use spear", 6) + game.do("hit #01")
    events += game.do("end")
    # Two ones would end the assault in this row: 2 and 1 are three Swarms.
    events += game.do("end", 2, 1, counter, 3, "SM", 4, "HM", 5)
    return game, events


def test_a_counter_drawn_again_after_destruction_cannot_be_recognised() -> None:
    """DOE-REINF-5, DOE-LOSS-3: it comes under a fresh token, and the Eldar do not know it, though they knew it before."""
    games = {counter: drawn_again(counter) for counter in ("TH1", "HS1")}
    seen = {}
    for counter, (game, events) in games.items():
        token = of(events, SwarmArrived)[0].token
        assert token == "#03"
        assert game.state.counter(token) == counter
        assert view(game.state, ELDAR).counter(token) is None
        assert view(game.state, TYRANID).counter(token) == counter
        assert "#01" not in game.state.swarms
        seen[counter] = [redact(event, ELDAR) for event in events]
    assert seen["TH1"] == seen["HS1"]
    assert msgspec.json.encode(seen["TH1"]).count(b"TH1") == 0


def test_a_token_is_never_given_again_even_after_an_undo(tmp_path: Path) -> None:
    """On a line the tokens only go up; after an undo the same draw has the same token, for it is the same draw."""
    with warptape.open(":memory:") as store:
        game, luck = start(store, "tokens", undo="free"), Luck("tokens")
        for _ in range(30):
            decide(game, luck, 8)
            if game.decision is None:
                break
            tokens = [
                event.token
                for _, event in game.line()
                if isinstance(event, CounterDrawn) and not isinstance(event, CounterRevealed)
            ]
            assert tokens == [f"#{number:02}" for number in range(1, len(tokens) + 1)]
            game.undo()


# "Undo in the other seat's turn is refused or needs consent by policy"


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        ("until-revealed", r"tyranid may not take back an action of eldar\.$"),
        ("consent", "Ask the other seat to agree"),
    ],
)
def test_undo_in_the_other_seats_turn_is_refused_or_needs_consent(policy: str, reason: str) -> None:
    with warptape.open(":memory:") as store:
        game = start(store, "undo", undo=policy)
        game.act("mine 3")
        game.act("end")
        while game.decision.seat == TYRANID:
            game.act(game.decision.actions[0])
        game.act("end")
        with pytest.raises(NotAllowed, match=reason):
            game.undo(TYRANID)


# "A move that ends the phase is replayed exactly once"


def test_a_move_that_ends_the_phase_is_replayed_exactly_once(tmp_path: Path) -> None:
    """Sent again, undone and redone, saved, loaded and audited, the phase ends once."""
    with warptape.open(tmp_path / "once.db") as store:
        game = start(store, "once", undo="free")
        game.act("mine 3")
        batch = game.act("end", key="the end of the phase")
        phases = [event.phase for event in batch.events if isinstance(event, PhaseBegan)]
        assert phases == ["tyranid_combat", "eldar_special"]
        length, decisions = game.length, game.state.decisions
        for _ in range(2):
            repeated = game.act("end", key="the end of the phase")
            assert repeated.repeated
            assert repeated.events == batch.events
            assert (game.length, game.state.decisions) == (length, decisions)
        game.undo()
        game.redo()
    with warptape.open(tmp_path / "once.db") as store:
        game = store.game("g")
        assert game.act("end", key="the end of the phase").repeated
        line = [event.phase for _, event in game.line() if isinstance(event, PhaseBegan)]
        assert line == ["tyranid_reinforcement", "tyranid_movement", *phases]
        ends = [
            event
            for _, event in game.line()
            if isinstance(event, ActionTaken) and event.action == batch.events[0].action
        ]
        assert len(ends) == 1
        assert game.state.decisions == decisions
        assert game.state.phase == "eldar_special"
        assert game.audit().ok
        with warptape.open(":memory:") as other:
            loaded = other.load(game.export(tmp_path / "once.tape.jsonl"))
            assert loaded.state == game.state


def test_every_phase_of_every_turn_begins_once_on_the_line() -> None:
    """DOE-SEQ-1: over random games with take-backs; the first phase is left out once the assault is over (DOE-REINF-6)."""
    with warptape.open(":memory:") as store:
        for number in range(3):
            game = store.new("doom-of-the-eldar", seed=f"phases {number}", undo="free", options={"setup": "quickstart"})
            luck = Luck(f"phases {number}")
            for _ in range(40):
                decide(game, luck, 7)
                game.undo()
                if luck.below(2):
                    game.redo()
            phases: dict[int, list[str]] = {}
            turn = 0
            for _, event in game.line():
                turn = getattr(event, "turn", turn) if type(event).__name__ == "TurnBegan" else turn
                if isinstance(event, PhaseBegan):
                    phases.setdefault(turn, []).append(event.phase)
            whole = [
                "tyranid_reinforcement", "tyranid_movement", "tyranid_combat", "eldar_special", "eldar_movement",
                "eldar_combat",
            ]  # fmt: skip
            for number_of, found in phases.items():
                begun = whole[1:] if found[0] == whole[1] else whole
                assert found == begun[: len(found)]
                assert number_of == max(phases) or len(found) == len(begun)
