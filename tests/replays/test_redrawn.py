"""Forks as of one seat: what it knew stays, all else is drawn anew, and nothing of the parent's secrets is in them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import forging
import pytest

from warptape.domain.chance import Salt
from warptape.domain.errors import BadLog, NotAllowed
from warptape.domain.events import GameForked, Redrawn, Resalted
from warptape.domain.redraw import sealed
from warptape.domain.rules import installed
from warptape.domain.secrets import bare, digest
from warptape.replays.audit import audit
from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.redrawing import drawn
from warptape.replays.report import report
from warptape.replays.reproduce import reproduce
from warptape.replays.shrink import shrink
from warptape.replays.writing import Desk

SECRETS = ["hidden", "doom-of-the-eldar", "tyranid-attack"]
RULESETS = [*SECRETS, "pig", "nested", "space-marine-adventures"]
OPTIONS = {
    "doom-of-the-eldar": {"setup": "quickstart"},
    "pig": {"goal": "1000"},
    "hidden": {"rounds": "30", "goal": "50"},
}


class Fixed(Desk):
    """A desk without chance: the same clock, the ids and secrets in the order given."""

    def __init__(self, *ids: str, start: int = 0) -> None:
        self.ids = iter(ids)
        self.salts = start

    def now(self) -> str:
        return "2024-01-01T00:00:00.000Z"

    def salt(self) -> Salt:
        self.salts += 1
        return Salt(nonce=f"{self.salts:032x}")

    def new_id(self) -> str:
        return next(self.ids)


@pytest.fixture
def library() -> Iterator[Library[Game]]:
    with Library[Game](":memory:") as found:
        yield found


def played(library: Library[Game], name: str, decisions: int, seed: str = "as of") -> Game:
    """A game of people, some decisions in, the last of which a bot took for them."""
    game = library.new(name, seed=seed, options=OPTIONS.get(name), undo="until-revealed")
    game.run(dict.fromkeys(game.seats, "random"), limit=decisions)
    return game


def seen(game: Game, position: int, seat: str) -> Any:
    """What a seat knows of a position, apart from which secret of chance is in force."""
    state = game.at(position).view(seat).copy()
    state.chance.epoch = 0
    for deck in state.chance.decks.values():
        deck.fixed = ()
    return state


def test_the_rulesets_tested_here_are_all_there_are() -> None:
    assert {*installed()} - {"lanterns"} <= {*RULESETS}


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("decisions", [3, 11, 25])
def test_a_fork_looks_to_its_seat_as_the_parent_did_and_is_played_on(
    library: Library[Game], tmp_path: Path, name: str, decisions: int
) -> None:
    game = played(library, name, decisions)
    assert game.decision is not None
    for seat in game.seats:
        fork = game.fork(as_of=seat)
        assert seen(fork, fork.tip, seat) == seen(game, game.tip, seat)
        assert not list(sealed(fork.state))
        assert fork.decision is not None
        assert fork.decision.seat == game.decision.seat
        fork.run(dict.fromkeys(game.seats, "random"), limit=30)
        found = fork.audit()
        assert found.ok, found.text()
        whole = library.load(fork.export(tmp_path / "fork.tape.jsonl"))
        assert whole.audit().ok
        assert whole.state == fork.state
        if whole.decision is not None:
            whole.run(dict.fromkeys(game.seats, "random"), limit=3)
            assert whole.audit().ok
        for other in game.seats:
            view = library.load(fork.export(tmp_path / f"{other}.tape.jsonl", other))
            assert view.audit().ok
            assert view.state == fork.at().view(other)


@pytest.mark.parametrize("name", SECRETS)
def test_a_seats_own_log_gives_the_same_fork_byte_for_byte(tmp_path: Path, name: str) -> None:
    """So nothing of others' secrets can be computed from a fork: whatever made it is in what the seat has anyway."""
    ids = ("parent", "fork1", "fork2", "fork3", "fork4")
    with Library[Game](":memory:", Fixed(*ids)) as one:
        game = played(one, name, 30)
        forks = {seat: game.fork(as_of=seat) for seat in game.seats}
        for number, (seat, fork) in enumerate(forks.items()):
            path = game.export(tmp_path / f"{seat}.tape.jsonl", seat)
            with Library[Game](":memory:", Fixed(*("parent", "fork"), start=number)) as other:
                own = other.load(path)
                assert own.seen_as == seat
                assert [row.data for row in own.fork(as_of=seat).rows()] == [row.data for row in fork.rows()]
                for strange in {*game.seats} - {seat}:
                    with pytest.raises(NotAllowed, match="not enough"):
                        own.fork(as_of=strange)


@pytest.mark.parametrize("name", SECRETS)
def test_a_fork_holds_no_secret_of_the_parent_that_its_seat_may_not_have(library: Library[Game], name: str) -> None:
    game = played(library, name, 30)
    for seat in game.seats:
        fork = game.fork(as_of=seat)
        before = [row.data.partition(b"\n") for row in game.rows()]
        after = [row.data.partition(b"\n") for row in fork.rows(0, game.length)]
        assert [public for public, _, _ in after] == [public for public, _, _ in before]  # the chain is the parent's
        held = [item for _, _, beside in after if beside for item in json.loads(beside)]
        assert all(seat in item["seen_by"] for item in held)
        assert fork.shelf.secrets.keys() == {str(game.length + 1)}
        assert fork.shelf.lineage == []
    library.store.delete(game.id)
    assert fork.audit().ok  # it needs nothing of its parent


def test_the_log_says_what_was_drawn_anew_and_for_whom(library: Library[Game]) -> None:
    game = played(library, "hidden", 20)
    fork = game.fork(as_of="raider")
    kinds = [type(fork.event(position)) for position in range(game.length, fork.length)]
    assert kinds == [GameForked, Resalted, Redrawn]
    forked, _, redrawn = (fork.event(position) for position in range(game.length, fork.length))
    assert isinstance(forked, GameForked)
    assert forked.lineage == ((game.id, game.length - 1),)
    assert isinstance(redrawn, Redrawn)
    assert redrawn.seat == "raider"
    assert redrawn.values
    assert all(one.seen_by == ("warden",) for one in redrawn.values)
    said = [told.text for told in fork.log()][-1]
    assert said == "What the raider did not know is drawn anew."
    assert "as of raider" in " ".join(fork.audit().remarks)
    with pytest.raises(NotAllowed, match="no seat 'nobody'"):
        game.fork(as_of="nobody")


def orders(library: Library[Game]) -> tuple[Any, Any]:
    """A raid after the warden's first order, which the raider does not know, and the raider's view of it."""
    game = library.new("hidden", seed="worlds", undo="until-revealed")
    game.act("guard 2")
    return game, game.at().view("raider")


def test_repeated_forks_differ_and_every_world_that_fits_comes_up_about_as_often(library: Library[Game]) -> None:
    """Nine worlds fit what the raider knows: three gates that may be guarded, three ways to watch."""
    game, view = orders(library)
    found = Counter(
        tuple(one.value for one in drawn(game.ruleset, view, "raider", f"key {number}")) for number in range(1800)
    )
    assert len(found) == 9
    assert sum((count - 200) ** 2 / 200 for count in found.values()) < 26.1  # chi square, 8 degrees: 1 in 1000
    forks = {
        (bare(fork.state.orders[-1]), bare(fork.state.watch)) for fork in (game.fork(as_of="raider") for _ in range(30))
    }
    assert len(forks) > 3


def test_counters_behind_tokens_are_those_that_the_seat_has_not_seen(library: Library[Game]) -> None:
    """The warden knows three tokens and no counter: every counter is as likely behind each, none behind two."""
    game, _ = orders(library)
    view = game.at().view("warden")
    first: Counter[Any] = Counter()
    for number in range(1500):
        values = {one.path: one.value for one in drawn(game.ruleset, view, "warden", f"key {number}")}
        crew = [values["chance", "bags", "crew", "out", token] for token in ("c1", "c2", "c3")]
        assert len({*crew}) == 3
        first[crew[0]] += 1
    assert len(first) == 10
    assert sum((count - 150) ** 2 / 150 for count in first.values()) < 27.9  # 9 degrees: 1 in 1000


def test_dice_and_cards_to_come_are_others_than_the_parents(library: Library[Game]) -> None:
    game = played(library, "pig", 5)
    rolls = []
    for table in (game, game.fork(as_of="p1"), game.fork(as_of="p1")):
        table.run({"p1": "random", "p2": "random"}, limit=40)
        rolls.append([event.values for _, event in table.line() if type(event).__name__ == "DiceRolled"])
    assert len({tuple(one[-12:]) for one in rolls}) == 3


def test_a_fork_cannot_go_back_to_where_only_one_seats_knowledge_is(library: Library[Game]) -> None:
    game = library.new("hidden", seed="back", undo="free")
    game.run(dict.fromkeys(game.seats, "random"), limit=12)
    game.undo()
    fork = game.fork(as_of="warden")
    for back in (lambda: fork.undo(), lambda: fork.rewind("@d2"), lambda: fork.redo(), lambda: fork.fork("@d2")):
        with pytest.raises(NotAllowed):
            back()
    length = fork.length
    assert list(sealed(fork.at("@d9").state))  # it can be looked at
    fork.run(dict.fromkeys(game.seats, "random"), limit=1)
    fork.undo()
    assert fork.tip == length - 1
    again = fork.fork("@d2", as_of="warden")
    assert again.audit().ok
    assert [one.tip for one in fork.lines()]


def test_forks_of_forks(library: Library[Game], tmp_path: Path) -> None:
    game = played(library, "hidden", 12)
    first = game.fork(as_of="raider")
    first.run(dict.fromkeys(game.seats, "random"), limit=5)
    second = first.fork(as_of="warden")
    assert second.audit().ok
    assert first.fork().audit().ok
    with pytest.raises(NotAllowed, match="not enough"):
        first.fork(3, as_of="warden")
    loaded = library.load(second.export(tmp_path / "second.tape.jsonl"))
    assert loaded.audit().ok
    loaded.run(dict.fromkeys(game.seats, "random"))
    assert loaded.audit().ok


def test_a_game_that_is_over_there_has_nothing_left_to_be_drawn(library: Library[Game]) -> None:
    game = played(library, "hidden", 10_000)
    assert game.outcome is not None
    with pytest.raises(NotAllowed, match="over there"):
        game.fork(as_of="raider")
    fork = game.fork("@d9", as_of="raider")
    assert fork.outcome is None
    assert fork.audit().ok


def test_what_people_entered_goes_on_being_entered(library: Library[Game]) -> None:
    game = library.new("pig", chance="table", undo="until-revealed")
    game.act("roll", outcomes=["3"])
    fork = game.fork(as_of="p1")
    assert fork.typed_chance
    fork.act("roll", outcomes=["4"])
    assert fork.audit().ok


def edited(path: Path, name: str, change: Any) -> Path:
    """The file with its redraw changed, and sums, chain and footer made to fit."""

    def edit(lines: list[dict[str, Any]]) -> None:
        for line in lines:
            if line.get("event", {}).get("type") == "Redrawn":
                change(line)

    return forging.write(path.with_name(f"{name}.tape.jsonl"), forging.forged(path.read_bytes(), edit))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("another value", "secrets beside the event do not fit"),
        ("a value that was known", "was known"),
        ("a value left out", "stays hidden"),
        ("a place that is not there", "cannot have happened"),
        ("another seat", "is missing"),
        ("open to all", "seal|secret|open"),
    ],
)
def test_a_redraw_that_was_tampered_with_is_found(
    library: Library[Game], tmp_path: Path, name: str, reason: str
) -> None:
    game = played(library, "hidden", 12)
    path = game.fork(as_of="raider").export(tmp_path / "good.tape.jsonl")

    def change(line: dict[str, Any]) -> None:
        values, beside = line["event"]["values"], line["beside"]
        match name:
            case "another value":
                beside[0]["value"] = {1: 2, 2: 3, 3: 1}[beside[0]["value"]]
            case "a value that was known":
                values[0]["path"] = ["gold"]
            case "a value left out":
                del values[-1]
                line["beside"] = [item for item in beside if item["field"] != f"values.{len(values)}.value"]
            case "a place that is not there":
                values[0]["path"] = ["nowhere", 3]
            case "another seat":
                line["event"]["seat"] = "warden"
            case _:
                values[0]["value"] = 3
                line["beside"] = beside[1:]

    bad = edited(path, "bad", change)
    with pytest.raises(BadLog, match=reason):
        library.load(bad)
    assert not audit(bad).ok


def test_the_rules_and_the_secret_of_chance_give_what_was_drawn(library: Library[Game], tmp_path: Path) -> None:
    """Whoever has the secret can draw once more; a fork that was given values to its maker's liking is found."""
    game = played(library, "hidden", 12)
    fork = game.fork(as_of="raider")
    path = fork.export(tmp_path / "good.tape.jsonl", with_secret=True)

    def change(line: dict[str, Any]) -> None:
        first = line["beside"][0]
        assert first["field"] == "values.0.value"
        first["value"] = {1: 2, 2: 3, 3: 1}[first["value"]]
        line["event"]["values"][0]["value"]["sealed"] = digest(first["salt"], first["value"])

    assert audit(path).ok
    found = audit(edited(path, "liked", change))
    assert not found.ok
    assert "by the rules and the secret of chance" in found.text()


def test_a_bug_report_of_a_fork_is_reproduced_from_the_redraw_on(library: Library[Game], tmp_path: Path) -> None:
    fork = played(library, "hidden", 12).fork(as_of="raider")
    fork.run(dict.fromkeys(fork.seats, "random"), limit=3)
    path = tmp_path / "bug.report.tape.jsonl"
    for seat in (None, "raider", "warden"):
        report(fork, path, message="odd", action="nonsense", seat=seat)
        assert audit(path).ok
        assert reproduce(path).verdict == "reproduced"
    with pytest.raises(NotAllowed, match="cannot be taken again"):
        shrink(report(fork, path, message="odd", action="nonsense"), tmp_path / "small.report.tape.jsonl")
    with pytest.raises(NotAllowed, match="only what raider knew"):
        report(fork, path, "@d3", message="odd")
    report(fork, path, "@d3", message="odd", seat="raider")
    assert audit(path).ok
    assert reproduce(path).verdict == "reproduced"
