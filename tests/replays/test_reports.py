"""Bug reports: what they hold, what running them says, and what is left when decisions are taken out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from replay_model import SeededDesk

from warptape.domain.chance import Luck
from warptape.domain.errors import BadLog, BadNotation, ImpossibleOutcome, NotAllowed, RulesetCrash
from warptape.domain.rules import Refusal, ruleset
from warptape.replays.crashes import UserDesk
from warptape.replays.game import Game
from warptape.replays.kept import Joined, Kept
from warptape.replays.library import Library
from warptape.replays.logfile import LogFile, write_log
from warptape.replays.report import read_report, report
from warptape.replays.reproduce import reproduce
from warptape.replays.scrub import alike, scrubbed
from warptape.replays.shrink import shrink


class Reporting(SeededDesk):
    """A desk whose reports go into a folder of the test."""

    def __init__(self, folder: Path) -> None:
        super().__init__(3)
        self.folder = folder

    @property
    def reports(self) -> Path | None:
        return self.folder


def library(tmp_path: Path) -> Library[Game]:
    return Library[Game](":memory:", Reporting(tmp_path / "reports"))


def drawing(rules: Any, state: Any) -> str:
    return "\n".join(f"{name} {text}" for name, text in rules.summarize(state))


def planted(monkeypatch: pytest.MonkeyPatch, name: str, when: Any, error: Exception) -> pytest.MonkeyPatch:
    """Makes a ruleset fail after an event of which `when`, given the state and the event, says so."""
    rules = type(ruleset(name))
    resolve = rules.resolve

    def failing(self: Any, state: Any, step: Any, action: Any) -> Any:
        script, answer = resolve(self, state, step, action), None
        while True:
            try:
                item = script.send(answer)
            except StopIteration:
                return
            answer = yield item
            if when(state, item):
                raise error

    monkeypatch.setattr(rules, "resolve", failing)
    return monkeypatch


def test_a_crash_half_way_through_a_line_is_reported_with_what_came_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = library(tmp_path)
    game = shelf.new("pig", seed="line", undo="free", options={"goal": 1000})
    first = game.act("roll")
    game.undo()
    length, state, head = game.length, game.state.copy(), game.shelf.head
    with monkeypatch.context() as patch:
        planted(patch, "pig", lambda s, item: getattr(item, "points", 0) and s.turn_total > 6, ZeroDivisionError("oh"))
        with pytest.raises(
            RulesetCrash, match=r"nothing was recorded\. A report is in .*: `warptape reproduce`"
        ) as failed:
            game.act(["roll"] * 8)
        file = Path(failed.value.report)
        assert (game.length, game.state, game.shelf.head) == (length, state, head)
        made = read_report(file)
        assert len(made.attempts) >= 2
        assert made.attempts[0].outcomes == tuple(e for e in first.events if type(e).__name__ == "DiceRolled")
        assert all(len(attempt.outcomes) == 1 for attempt in made.attempts)
        assert made.failure.type == "ZeroDivisionError"
        assert LogFile(file).header.secrets == {}
        assert reproduce(file).verdict == "reproduced"
        with pytest.raises(RulesetCrash) as again:
            game.act(["roll"] * 8)
        assert again.value.report == str(file), "the same failure is not reported twice"
    assert reproduce(file).verdict == "gone"
    assert game.act("roll").events[1:] == first.events[1:], "the player has lost nothing"


def test_a_bot_that_fails_and_one_that_cheats_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = library(tmp_path)
    bots: Any = type(ruleset("pig")).bots
    sensible = bots["sensible"]

    def tired(rules: Any, state: Any, decision: Any, luck: Luck) -> Any:
        if state.decisions > 30:
            raise TimeoutError("tired")
        return sensible(rules, state, decision, luck)

    def cheat(rules: Any, state: Any, decision: Any, luck: Luck) -> Any:
        return decision.actions[0] if state.decisions < 9 or state.turn_total else rules.parse(state, "p1", "hold")[0]

    for bot, kind in ((tired, "TimeoutError"), (cheat, "IllegalAction")):
        game = shelf.new("pig", seed="bots", options={"goal": 1000})
        with monkeypatch.context() as patch:
            patch.setitem(bots, "sensible", bot)
            with pytest.raises(RulesetCrash, match="A report is in") as failed:
                game.run({"p1": "sensible", "p2": "sensible"})
            file = failed.value.report
            made = read_report(file)
            assert (made.failure.kind, made.failure.type, made.attempts[-1].bot) == ("crash", kind, "sensible")
            assert reproduce(file).verdict == "reproduced"
        assert reproduce(file).verdict == "gone"


def test_a_crash_in_reading_notation_and_at_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = library(tmp_path)
    rules = type(ruleset("pig"))
    game = shelf.new("pig", chance="table", undo="free", options={"goal": 1000})
    with monkeypatch.context() as patch:
        patch.setattr(rules, "parse", lambda *_: [][0])
        with pytest.raises(RulesetCrash, match=r"failed to read 'roll' \(IndexError") as failed:
            game.act("roll")
        assert reproduce(failed.value.report).verdict == "reproduced"
    assert reproduce(failed.value.report).verdict == "gone"
    with monkeypatch.context() as patch:
        planted(patch, "pig", lambda state, item: state.turn_total > 6, ZeroDivisionError("oh"))
        with pytest.raises(RulesetCrash) as failed:
            game.act("roll roll", outcomes=["3", "5"])
        made = read_report(failed.value.report)
        assert [[*attempt.outcomes[0].values] for attempt in made.attempts] == [[3], [5]]  # type: ignore[union-attr]
        assert reproduce(failed.value.report).verdict == "reproduced"


def test_reports_go_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    desk = UserDesk()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("WARPTAPE_REPORTS", raising=False)
    assert str(desk.reports).endswith("reports")
    assert "warptape" in str(desk.reports)
    monkeypatch.setenv("WARPTAPE_REPORTS", str(tmp_path / "here"))
    assert desk.reports == tmp_path / "here"
    monkeypatch.setenv("WARPTAPE_REPORTS", "off")
    assert desk.reports is None
    shelf = Library[Game](":memory:", desk)
    game = shelf.new("pig")
    with monkeypatch.context() as patch:
        planted(patch, "pig", lambda state, item: True, ZeroDivisionError("oh"))
        with pytest.raises(RulesetCrash, match=r"nothing was recorded\.$") as failed:
            game.act("roll")
    assert failed.value.report == ""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WARPTAPE_REPORTS", str(tmp_path / "file"))
    with monkeypatch.context() as patch:
        planted(patch, "pig", lambda state, item: True, ZeroDivisionError("oh"))
        with pytest.raises(RulesetCrash, match=r"oh.*No report of it could be written"):
            game.act("roll")


# The three verdicts


def test_a_position_is_known_by_what_it_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another event, another `apply`, another drawing: each is told as what it is."""
    shelf = library(tmp_path)
    game = shelf.new("pig", seed="position", seats={"p2": "bot:sensible"}, options={"goal": 30})
    while not any(game.state.scores):
        game.run({"p1": "sensible"}, 1)
    file = report(game, tmp_path / "r.report.tape.jsonl", message="odd", draw=drawing)
    assert reproduce(file, drawing).verdict == "reproduced"
    assert reproduce(file).verdict == "reproduced"
    banked = next(cls for cls in ruleset("pig").events if cls.__name__ == "Banked")
    with monkeypatch.context() as patch:
        patch.setattr(banked, "apply", lambda self, state: None)
        found = reproduce(file, drawing)
        assert found.verdict == "gone"
        assert any(line.startswith("- ") for line in found.details)
    with monkeypatch.context() as patch:
        patch.setattr("warptape.replays.failing.digest", lambda state: "another shape")
        assert reproduce(file, drawing).verdict == "differs"
    assert reproduce(file, lambda rules, state: "a new drawing").verdict == "gone"


def test_an_earlier_part_that_differs_says_at_which_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = library(tmp_path)
    game = shelf.new("pig", seed="position", options={"goal": 1000})
    game.run({"p1": "sensible", "p2": "sensible"}, 30)
    file = report(game, tmp_path / "r.report.tape.jsonl", action="sing")
    assert reproduce(file).verdict == "reproduced"
    rules = type(ruleset("pig"))
    gathered = next(cls for cls in ruleset("pig").events if cls.__name__ == "PointsGathered")
    resolve = rules.resolve

    def double(self: Any, state: Any, step: Any, action: Any) -> Any:
        script, answer = resolve(self, state, step, action), None
        while True:
            try:
                item = script.send(answer)
            except StopIteration:
                return
            if type(item) is gathered:
                item = msgspec.structs.replace(item, points=item.points * 2)
            answer = yield item

    with monkeypatch.context() as patch:
        patch.setattr(rules, "resolve", double)
        found = reproduce(file)
        first = next(position for position, event in game.events() if type(event) is gathered)
        assert (found.verdict, found.position) == ("differs", first)
        assert f"at @{first}" in found.text
        assert len(found.details) == 2
    with monkeypatch.context() as patch:
        patch.setattr(rules, "explain", lambda *_: Refusal("PIG-9", "no"))
        patch.setattr(rules, "ask", lambda self, state, step: None)
        assert reproduce(file).verdict == "differs"


def test_a_refusal_gone_changed_and_still_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = library(tmp_path).new("pig", seed="refused")
    file = report(game, tmp_path / "r.report.tape.jsonl", action="hold")
    taken = report(game, tmp_path / "a.report.tape.jsonl", action="roll")
    assert reproduce(file).verdict == reproduce(taken).verdict == "reproduced"
    rules = type(ruleset("pig"))
    ask = rules.ask
    with monkeypatch.context() as patch:
        patch.setattr(rules, "explain", lambda *_: Refusal("PIG-9", "no"))
        assert reproduce(file).verdict == "differs"
    with monkeypatch.context() as patch:
        hold, roll = rules.parse(ruleset("pig"), None, "p1", "hold roll")  # type: ignore[arg-type]
        patch.setattr(
            rules, "ask", lambda self, state, step: msgspec.structs.replace(ask(self, state, step), actions=(hold,))
        )
        patch.setattr(rules, "explain", lambda *_: Refusal("PIG-9", "no more rolls"))
        found = reproduce(file)
        assert found.verdict == "gone"
        assert any("holds with" in line for line in found.details), "it says what it gives"
        assert reproduce(taken).verdict == "gone"
        assert "PIG-9" in reproduce(taken).text
    assert roll in game.decision.actions  # type: ignore[union-attr]


GAMES = ("pig", "hidden", "nested", "space-marine-adventures", "doom-of-the-eldar")


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_reported_on_and_run(tmp_path: Path, name: str) -> None:
    """An event, a position, a refusal and an action that was taken, at moments spread over a game with a take-back."""
    game = library(tmp_path).new(name, seed="every", undo="free")
    bots = {seat.id: "random" for seat in game.ruleset.seats(game.options)}
    game.run(bots, 25)
    game.rewind("@d12", reason="once more")
    game.run(bots, 20)
    file = tmp_path / "r.report.tape.jsonl"
    for at in ("@end", "@d4", "@d20", game.length - 2, 5):
        report(game, file, at)
        found = reproduce(file)
        assert found.verdict == "reproduced", found
        report(game, file, at, action="sing a song")
        assert reproduce(file).verdict == "reproduced"
        assert game.audit().ok
    for at in ("@d3", "@d14"):
        place = game.locate(at)
        head: Any = (
            game.event(place + 1) if at == "@d3" else next(event for position, event in game.line() if position > place)
        )
        action = game.ruleset.notation(game.state_at(place), head.action)
        report(game, file, at, action=action)
        assert read_report(file).failure.kind == "accepted", read_report(file).failure
        assert reproduce(file).verdict == "reproduced"
    small = shrink(file, tmp_path / "s.report.tape.jsonl")
    assert small.after <= small.before
    assert reproduce(small.path).verdict == "reproduced"


def test_a_fork_is_reported_with_its_past(tmp_path: Path) -> None:
    game = library(tmp_path).new("pig", seed="fork", undo="free", options={"goal": 1000})
    game.run({"p1": "sensible", "p2": "sensible"}, 20)
    branch = game.fork("@d10", seats={"p1": "bot:random", "p2": "human"})
    branch.run({"p2": "sensible"}, 6)
    for at in ("@d5", "@end", "@d12"):
        file = report(branch, tmp_path / "fork.report.tape.jsonl", at)
        assert reproduce(file).verdict == "reproduced"
        assert bool(LogFile(file).header.lineage) is (at != "@d5")


# Secrets


def raid(tmp_path: Path) -> Game:
    game = library(tmp_path).new("hidden", seed="secret", undo="until-revealed")
    game.act("guard 2")
    game.act("peek 1")
    return game


def test_a_seats_report_holds_what_the_seat_knows(tmp_path: Path) -> None:
    game = raid(tmp_path)
    whole = report(game, tmp_path / "whole.report.tape.jsonl", action="storm 3 c9 1")
    mine = report(game, tmp_path / "mine.report.tape.jsonl", action="storm 3 c9 1", seat="raider")
    others = report(game, tmp_path / "others.report.tape.jsonl", seat="warden")
    assert [LogFile(file).header.seat for file in (whole, mine, others)] == ["", "raider", "warden"]
    for file in (whole, mine, others):
        assert reproduce(file).verdict == "reproduced", file
        assert LogFile(file).header.secrets == {}
    assert '"seen_by":["warden"],"salt"' not in mine.read_text()
    assert any("raider knew" in remark for remark in reproduce(mine).remarks)
    with pytest.raises(NotAllowed, match="cannot be taken again"):
        shrink(mine, tmp_path / "small.report.tape.jsonl")
    drawn = {d.value for row in game.rows() for d in _beside(row.data) if d.seen_by == ("raider",)}
    items = [value for value in drawn if isinstance(value, str) and value[-1].isdigit()]
    events = others.read_text().splitlines()[2:-1]
    assert items
    assert not [item for item in items for line in events if f'"value":"{item}"' in line or f'"item":"{item}"' in line]


def _beside(data: bytes) -> list[Any]:
    from warptape.domain.secrets import Disclosure

    beside = data.partition(b"\n")[2]
    return msgspec.json.decode(beside, type=list[Disclosure]) if beside else []


def test_what_a_seat_may_not_know_is_sealed_in_an_attempt(tmp_path: Path) -> None:
    """The warden's watch is rolled in secret at the start of a round; the raider's report of that must not tell it."""
    game = library(tmp_path).new("hidden", seed="watch", undo="free", options={"rounds": 3})
    game.act("guard 2")
    game.act("skip")
    own = report(game, tmp_path / "own.report.tape.jsonl", action="rest")
    seat = report(game, tmp_path / "seat.report.tape.jsonl", action="rest", seat="raider")
    rolled = [read_report(file).attempts[-1].outcomes[0] for file in (own, seat)]
    assert "SEALED" not in repr(rolled[0])
    assert isinstance(rolled[0].values, tuple)  # type: ignore[union-attr]
    assert not isinstance(rolled[1].values, tuple)  # type: ignore[union-attr]
    assert reproduce(own).verdict == "reproduced"


def test_a_private_note_is_left_out_whoever_may_read_it(tmp_path: Path) -> None:
    game = raid(tmp_path)
    game.note("the raider bluffs", seat="warden", private=True)
    game.act("storm 3 c1 1")
    for seat in (None, "warden", "raider"):
        file = report(game, tmp_path / "r.report.tape.jsonl", seat=seat)
        assert "bluffs" not in file.read_text()
        assert read_report(file).left_out == ("tags", "text")
        assert reproduce(file).verdict == "reproduced"
        assert library(tmp_path).load(file).audit().ok


def test_a_game_of_which_one_seats_knowledge_is_here(tmp_path: Path) -> None:
    game = raid(tmp_path)
    shelf = library(tmp_path)
    seen = shelf.load(game.export(tmp_path / "raider.tape.jsonl", "raider"))
    file = report(seen, tmp_path / "r.report.tape.jsonl", message="odd")
    assert reproduce(file).verdict == "reproduced"
    for seat, action in (("warden", ""), (None, "storm 1 c1 1")):
        with pytest.raises(NotAllowed, match="raider knew"):
            report(seen, tmp_path / "no.report.tape.jsonl", seat=seat, action=action)


# Shrinking


def test_what_is_left_is_the_least_of_its_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what is left nothing can be left out, and every outcome in it is one that was recorded."""
    shelf = library(tmp_path)
    game = shelf.new("hidden", seed="shrink", options={"goal": 50})
    planted(
        monkeypatch,
        "hidden",
        lambda state, item: type(item).__name__ == "CounterLost" and state.round > 2,
        KeyError("x"),
    )
    with pytest.raises(RulesetCrash) as failed:
        game.run({"raider": "bold", "warden": "random"}, flush=5)
    file, small = Path(failed.value.report), tmp_path / "small.report.tape.jsonl"
    heard: list[tuple[int, int]] = []
    found = shrink(file, small, progress=lambda left, tries: heard.append((left, tries)))
    assert found.after < found.before
    assert heard[-1] == (found.after, found.tries)
    assert (
        str(found) == f"From {found.before} to {found.after} decisions, after {found.tries} shorter games were tried."
    )
    assert reproduce(small).verdict == "reproduced"
    assert read_report(small).shrunk_from == found.before
    twice = shrink(small, tmp_path / "smaller.report.tape.jsonl")
    assert (twice.before, twice.after) == (found.after, found.after)
    imported = shelf.load(small)
    assert imported.audit().ok
    assert outcomes(imported) <= outcomes(shelf.load(file)) | attempted(file)
    assert imported.audit().rows


def outcomes(game: Game) -> set[tuple[str, str]]:
    return {
        (type(event).__name__, str(getattr(event, "item", "") or getattr(event, "values", "")))
        for _, event in game.events()
        if type(event).__name__ in ("DiceRolled", "CardDrawn", "CounterDrawn")
    }


def attempted(file: Path) -> set[tuple[str, str]]:
    return {
        (type(event).__name__, str(getattr(event, "item", "") or getattr(event, "values", "")))
        for attempt in read_report(file).attempts
        for event in attempt.outcomes
    }


def test_what_does_not_fail_is_not_shrunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = library(tmp_path)
    game = shelf.new("pig", seed="line", undo="free", options={"goal": 1000})
    with monkeypatch.context() as patch:
        planted(patch, "pig", lambda state, item: True, ZeroDivisionError("oh"))
        with pytest.raises(RulesetCrash) as failed:
            game.act("roll")
    with pytest.raises(NotAllowed, match="does not fail here"):
        shrink(failed.value.report, tmp_path / "small.report.tape.jsonl")
    assert not (tmp_path / "small.report.tape.jsonl").exists()


def test_ctrl_c_keeps_what_was_reached(tmp_path: Path) -> None:
    game = library(tmp_path).new("pig", seed="long", options={"goal": 1000})
    game.run({"p1": "sensible", "p2": "sensible"}, 60)
    last = next(position for position, event in game.events(game.length - 4) if "Points" in type(event).__name__)
    file = report(game, tmp_path / "r.report.tape.jsonl", last)

    def impatient(left: int, tries: int) -> None:
        if left < 40:
            raise KeyboardInterrupt

    found = shrink(file, tmp_path / "small.report.tape.jsonl", progress=impatient)
    assert 1 < found.after < 40
    assert reproduce(found.path).verdict == "reproduced"


def test_the_end_of_its_time_keeps_what_was_reached(tmp_path: Path) -> None:
    game = library(tmp_path).new("pig", seed="long", options={"goal": 1000})
    game.run({"p1": "sensible", "p2": "sensible"}, 60)
    file = report(game, tmp_path / "r.report.tape.jsonl")
    found = shrink(file, tmp_path / "small.report.tape.jsonl", seconds=0)
    assert (found.stopped, found.before, found.tries) == (True, 60, 0)
    assert "with more it may become smaller" in str(found)
    assert reproduce(found.path).verdict == "reproduced"
    again = shrink(file, tmp_path / "again.report.tape.jsonl", seconds=600)
    assert (again.stopped, again.after < 60) == (False, True)
    assert "may become smaller" not in str(again)


@pytest.mark.parametrize("action", ["roll", "hold", "nonsense"])
def test_an_action_in_the_midst_of_a_batch_is_tried_after_it(tmp_path: Path, action: str) -> None:
    """What is reported is what is run: at the end of the batch, where there is something to decide."""
    game = library(tmp_path).new("pig", seed="midst", options={"goal": 1000})
    game.run({"p1": "sensible", "p2": "sensible"}, 20)
    middles = [at for at in range(game.length) if game.batch_start(at) < at < game.batch_end(at)]
    assert len(middles) > 5
    for at in (0, *middles):
        file = report(game, tmp_path / f"{action}{at}.report.tape.jsonl", at, action=action)
        made = read_report(file)
        assert made.position == game.batch_end(at)
        found = reproduce(file)
        assert found.verdict == "reproduced", (at, str(found))


# Parts


def test_chance_is_kept_by_what_is_asked_for(tmp_path: Path) -> None:
    from warptape.domain.chance import Draw, Pick, Roll
    from warptape.domain.events import CardDrawn, CounterDrawn, DiceRolled
    from warptape.domain.states import Bag, ChanceState, Shuffled

    state = ChanceState(decks={"d/2": Shuffled(("a", "b", "c"), {0: "a"})}, bags={"bag": Bag(("x", "y"), {"x": "x"})})
    events = [
        DiceRolled("die/1", 6, (3,)), DiceRolled("die/2", 6, (5, 6), 2), CardDrawn("d/1", 0, "a"),
        CardDrawn("d/1", 1, "b"), CardDrawn("d/2", 2, "c"), CounterDrawn("bag", "x", "x"), CounterDrawn("bag", "y", "y"),
    ]  # fmt: skip
    kept = Kept(events)
    assert kept.roll(state, Roll("die/2", count=1)) == (5,)
    with pytest.raises(ImpossibleOutcome):
        kept.roll(state, Roll("die/2", count=2))
    assert kept.roll(state, Roll("die/2")) == (6,), "what was not enough is not spent"
    assert kept.card(state, Draw("d/2", 2)) == "c", "that very place"
    assert kept.card(state, Draw("d/2", 1)) == "b", "the next that the deck still holds"
    assert kept.counter(state, Pick("bag")) == "y"
    with pytest.raises(ImpossibleOutcome):
        kept.counter(state, Pick("bag"))
    with pytest.raises(ImpossibleOutcome):
        kept.roll(state, Roll("die/1", sides=4))
    assert Joined(kept, Kept(events)).roll(state, Roll("die/2")) == (5,)
    assert Kept((), Luck("any")).card(state, Draw("d/2", 1)) in ("b", "c")


def test_texts_are_scrubbed_and_known_again() -> None:
    assert scrubbed("die/p1, gate/1 and 1/2 stay") == "die/p1, gate/1 and 1/2 stay"
    assert scrubbed("No such file: '/a b/c d/e.db'") == "No such file: '(path)'"
    assert scrubbed("see postgresql://me:pw@host/db.") == "see (url)."
    assert alike("no (path) at 0x7f", "no /x/y at 0x8a")
    assert alike("12 points", "9 points")
    assert not alike("no (path) here", "no (path) there")


def test_what_is_no_report_is_refused(tmp_path: Path) -> None:
    game = raid(tmp_path)
    plain = game.export(tmp_path / "g.tape.jsonl")
    for run in (read_report, reproduce, lambda path: shrink(path, tmp_path / "s.jsonl")):
        with pytest.raises(BadLog, match="not a report"):
            run(plain)
    with pytest.raises(NotAllowed, match="no seat 'p7'"):
        report(game, tmp_path / "r.jsonl", seat="p7")
    file = report(game, tmp_path / "r.report.tape.jsonl", action="sing")
    assert read_report(file).failure.type == BadNotation.__name__
    data = file.read_bytes()
    for change in ({"position": 999}, {"position": -1}, {"attempts": ()}):
        made = msgspec.structs.replace(read_report(file), **change)
        header = msgspec.structs.replace(LogFile(file).header, sum="", report=made)
        forged = tmp_path / "forged.report.tape.jsonl"
        write_log(forged, header, LogFile(file).content, (row for row, _ in LogFile(file).rows()))
        for run in (reproduce, lambda path: shrink(path, tmp_path / "s.jsonl")):
            with pytest.raises(BadLog, match=r"Line 1: .*report"):
                run(forged)
    cut = tmp_path / "cut.report.tape.jsonl"
    cut.write_bytes(data[: len(data) // 2])
    with pytest.raises(BadLog):
        reproduce(cut)
