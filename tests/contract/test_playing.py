"""What playing a recorded game promises, whatever store it is in: a file, PostgreSQL, or a server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from warptape import (
    BadAddress,
    BadNotation,
    Conflict,
    IllegalAction,
    ImpossibleOutcome,
    NameTaken,
    NeedsOutcome,
    NotAllowed,
    OptionError,
    UnknownGame,
    UnknownRuleset,
)
from warptape.api import Game
from warptape.replays.library import Library

Opened = Callable[[], Library[Game]]


def pig(library: Library[Game], **how: Any) -> Game:
    """Start a game of Pig from a fixed seed."""
    return library.new("pig", **{"seed": "lucky", "options": {"goal": 30}, "name": "first", **how})


def kinds(game: Game) -> list[str]:
    """The names of all events."""
    return [type(event).__name__ for _, event in game.events()]


def told(game: Game) -> list[str]:
    """The log in words."""
    return [one.text for one in game.log() if one.text]


def test_a_new_game_waits_for_its_first_decision(library: Library[Game]) -> None:
    game = pig(library)
    assert (game.name, game.length, game.tip, game.policy) == ("first", 4, 3, "until-revealed")
    assert game.seats == {"p1": "human", "p2": "human"}
    assert game.decision is not None
    assert (game.decision.seat, game.decision.prompt) == ("p1", "Roll or hold?")
    assert game.outcome is None
    assert not game.typed_chance
    assert game.audit().ok


def test_a_game_cannot_be_started_wrongly(library: Library[Game]) -> None:
    with pytest.raises(UnknownRuleset, match="no-such"):
        library.new("no-such")
    with pytest.raises(OptionError, match="'goal' cannot be 'many'"):
        library.new("pig", options={"goal": "many"})
    with pytest.raises(OptionError, match="no seat 'p9'"):
        library.new("pig", seats={"p9": "human"})
    with pytest.raises(OptionError, match="no bot 'clever'"):
        library.new("pig", seats={"p2": "bot:clever"})
    with pytest.raises(OptionError, match="'often' is no undo policy"):
        library.new("pig", undo="often")
    pig(library)
    with pytest.raises(NameTaken):
        pig(library)
    assert [shelf.name for shelf in library.games()] == ["first"]


def test_the_same_seed_gives_the_same_game(library: Library[Game]) -> None:
    one, other = pig(library), pig(library, name="second")
    for game in (one, other):
        for text in ("roll", "roll", "hold", "roll"):
            game.act(text)
    assert told(one) == told(other)
    assert one.state == other.state


def test_what_an_action_brings_is_returned_and_recorded(library: Library[Game], opened: Opened) -> None:
    game = pig(library)
    played = game.act("roll", person="Anna")
    assert played.position == 4
    assert [type(event).__name__ for event in played.events] == ["ActionTaken", "DiceRolled", "PointsGathered"]
    assert not played.repeated
    assert played.events[0].person == "Anna"  # type: ignore[attr-defined]
    assert game.length == 7
    again = opened().game("first")
    assert list(again.events()) == list(game.events())
    assert again.state == game.state


def test_legal_actions_are_taken_as_they_are_offered(library: Library[Game]) -> None:
    game = pig(library)
    assert game.decision is not None
    for number in (0, 0):
        game.act(game.decision.actions[number])
    assert game.decision is not None
    for action in game.decision.actions:
        assert game.refusal(action) is None
    assert [row.kind for row in game.rows(4)].count("ActionTaken") == 2


def test_a_refusal_cites_the_rule_and_leaves_nothing_behind(library: Library[Game]) -> None:
    game = pig(library)
    (hold,) = game.parse("hold")
    refusal = game.refusal(hold)
    assert refusal is not None
    assert refusal.rule == "PIG-2"
    with pytest.raises(IllegalAction) as refused:
        game.act("hold")
    assert refused.value.refusal == refusal
    assert str(refused.value) == str(refusal)
    with pytest.raises(IllegalAction, match="it is for p1 to decide now, not for p2"):
        game.act("roll", "p2")
    with pytest.raises(BadNotation, match="type roll or hold") as wrong:
        game.act("fly")
    assert (wrong.value.text, wrong.value.column) == ("fly", 1)
    assert game.length == 4


def test_several_actions_are_all_taken_or_none(library: Library[Game]) -> None:
    game = pig(library, undo="free")
    game.act(["roll", "roll"])
    assert kinds(game).count("ActionTaken") == 2
    length = game.length
    with pytest.raises((IllegalAction, BadNotation)):
        game.act(["roll", "fly"])
    assert game.length == length
    game.undo()
    assert game.tip == 3


def test_of_two_writers_one_gets_conflict_and_stands_where_the_other_left_it(
    library: Library[Game], opened: Opened
) -> None:
    mine = pig(library)
    yours = opened().game("first")
    yours.act("roll")
    with pytest.raises(Conflict, match=r"The game stands at @6, not at @3. Meanwhile: @4 p1 took an action") as lost:
        mine.act("roll")
    assert (lost.value.expected, lost.value.actual) == (4, 7)
    assert mine.length == 7
    mine.act("roll")
    assert kinds(mine).count("ActionTaken") == 2


def test_expect_says_how_the_caller_knows_the_game(library: Library[Game]) -> None:
    game = pig(library)
    game.act("roll", expect=3)
    with pytest.raises(Conflict, match="Look at it and try again"):
        game.act("roll", expect=3)
    with pytest.raises(Conflict):
        game.act("roll", expect=99)
    assert kinds(game).count("ActionTaken") == 1
    game.act("roll", expect=game.tip)


def test_the_same_key_again_does_nothing_and_returns_what_was_recorded(library: Library[Game], opened: Opened) -> None:
    game = pig(library)
    first = game.act("roll", key="mine")
    second = game.act("roll", key="mine")
    assert second.repeated
    assert (second.position, second.events) == (first.position, first.events)
    assert kinds(game).count("ActionTaken") == 1
    game.act("roll", key="other")
    third = opened().game("first").act("roll", key="mine", expect=3)
    assert third.repeated
    assert third.events == first.events
    assert kinds(game).count("ActionTaken") == 2


def test_steps_in_time_may_carry_keys_and_expectations(library: Library[Game], opened: Opened) -> None:
    game = pig(library, undo="free")
    game.act("roll")
    assert not game.undo(key="back").repeated
    other = opened().game("first")
    assert other.undo(key="back").repeated
    assert other.tip == game.tip == 3
    with pytest.raises(Conflict):
        game.redo(expect=2)
    game.redo(key="forth", expect=3)
    assert game.redo(key="forth").repeated
    assert kinds(game).count("Rewound") == 2
    note = game.note("well", key="word")
    assert game.note("well", key="word").position == note.position
    assert len(game.notes()) == 1


def test_bots_answer(library: Library[Game]) -> None:
    game = pig(library, seats={"p2": "bot:sensible"}, undo="free")
    while game.decision is not None and "p2: roll" not in told(game):
        played = game.act("hold" if any("hold" in str(a).lower() for a in game.decision.actions) and
                          len(game.decision.actions) > 1 else "roll")  # fmt: skip
        assert played.events
    assert game.decision is None or game.decision.seat == "p1"
    assert game.audit().ok
    length = game.length
    game.undo()
    assert game.length == length + 1


def test_results_are_entered_at_a_table(library: Library[Game]) -> None:
    game = pig(library, seed=None, chance="table")
    assert game.typed_chance
    with pytest.raises(NeedsOutcome, match="What came out of a die") as asked:
        game.act("roll")
    assert asked.value.possible == ("1", "2", "3", "4", "5", "6")
    with pytest.raises(ImpossibleOutcome, match="'7' cannot come out"):
        game.act("roll", outcomes=["7"])
    with pytest.raises(ImpossibleOutcome, match="Nothing here needs"):
        game.act("roll", outcomes=["4", "5"])
    game.act("roll", outcomes=["4"])
    assert kinds(game).count("DiceRolled") == 1
    with pytest.raises(ImpossibleOutcome, match="come from fate"):
        pig(library, name="fate").act("roll", outcomes=["4"])


def test_undo_and_redo_follow_the_policy(library: Library[Game]) -> None:
    free = pig(library, undo="free")
    before = free.state.copy()
    free.act("roll")
    rolled = free.state.copy()
    free.undo(reason="a slip", person="Anna")
    assert free.state == before
    assert free.tip == 3
    free.redo()
    assert free.state == rolled
    free.undo()
    free.act("roll")
    assert free.state == rolled  # undo does not re-roll
    with pytest.raises(NotAllowed, match="nothing to redo"):
        free.redo()
    strict = pig(library, name="strict")
    with pytest.raises(NotAllowed, match="nobody has taken an action"):
        strict.undo()
    strict.act("roll")
    with pytest.raises(NotAllowed, match=r"Something was revealed since \(@5 DiceRolled\)"):
        strict.undo()
    with pytest.raises(NotAllowed, match="undo policy is 'until-revealed'"):
        strict.rewind("@start")


def test_rewind_goes_anywhere_and_lines_stay(library: Library[Game]) -> None:
    game = pig(library, undo="free")
    for text in ("roll", "roll", "hold"):
        game.act(text)
    end = game.tip
    game.rewind("@d1")
    game.act("roll")
    game.act("hold" if game.state.turn_total else "roll")
    assert len(game.lines()) == 2
    assert {line.tip for line in game.lines()} == {end, game.tip}
    game.rewind(end)
    assert game.tip == end
    with pytest.raises(BadAddress, match="no event @999"):
        game.rewind(999)
    with pytest.raises(BadAddress):
        game.rewind("@d99")


def test_consent_is_asked_for_and_given(library: Library[Game]) -> None:
    game = pig(library, undo="consent")
    with pytest.raises(NotAllowed, match="Nobody asks"):
        game.consent("p2")
    game.act("roll")
    with pytest.raises(NotAllowed, match="Ask the other seat to agree"):
        game.undo()
    game.ask_undo("p1")
    with pytest.raises(NotAllowed, match="open request already"):
        game.ask_undo("p1")
    with pytest.raises(NotAllowed, match="The other seat must answer"):
        game.consent("p1")
    game.consent("p2", False)
    assert game.tip > 3
    game.ask_undo("p1")
    game.consent("p2", person="Ben")
    assert game.tip == 3
    assert game.audit().ok


def test_chance_may_get_a_new_secret(library: Library[Game]) -> None:
    game = pig(library, undo="free")
    game.reroll("another", reason="why not")
    game.act("roll")
    assert kinds(game).count("Resalted") == 1
    with pytest.raises(OptionError, match="no source of chance"):
        game.reroll(chance="moon")
    assert game.audit().ok


def test_notes_stand_where_they_were_written(library: Library[Game], opened: Opened) -> None:
    game = pig(library)
    game.act("roll")
    game.note("a brave roll", "@d1", tags=["blunder"], person="Anna")
    written = game.note("and now")
    assert [(note.text, note.tags) for note in opened().game("first").notes()] == [
        ("a brave roll", ("blunder",)),
        ("and now", ()),
    ]
    game.remove_note(written.position)
    assert [note.text for note in game.notes()] == ["a brave roll"]
    with pytest.raises(NotAllowed, match="taken back already"):
        game.remove_note(written.position)
    with pytest.raises(BadAddress, match="No note was written"):
        game.remove_note(1)
    with pytest.raises(NotAllowed, match="some words, or a tag"):
        game.note("  ")


def test_a_fork_goes_its_own_way(library: Library[Game]) -> None:
    game = pig(library, undo="free")
    for text in ("roll", "roll", "roll"):
        game.act(text)
    branch = game.fork("@d1", name="what if")
    assert branch.name == "what if"
    assert branch.state.turn_total == game.at("@d1").state.turn_total
    branch.act("roll")
    assert game.length == 13
    assert branch.audit().ok
    assert {shelf.name: shelf.parent for shelf in library.games()} == {"first": None, "what if": game.id}
    with pytest.raises(NotAllowed, match="has forks that need its events"):
        library.delete("first")
    with pytest.raises(NameTaken):
        game.fork(name="what if")
    assert len(library.delete("first", with_forks=True)) == 2
    assert library.games() == []


def test_games_are_found_by_name_id_and_prefix(library: Library[Game], opened: Opened) -> None:
    with pytest.raises(UnknownGame):
        library.game()
    first, second = pig(library), pig(library, name="second")
    assert library.game("second").id == second.id
    assert library.game(first.id).name == "first"
    assert library.game(first.id[:8]).id == first.id
    assert library.game().id == second.id
    first.act("roll")
    assert opened().game().id == first.id
    with pytest.raises(UnknownGame, match="Did you mean 'second'"):
        library.game("secnod")
    assert [shelf.name for shelf in library.games()] == ["first", "second"]
    assert library.games("no-such") == []
    assert library.rename("second", "Friday night").name == "second"
    assert library.game("Friday night").id == second.id
    with pytest.raises(NameTaken):
        library.rename("Friday night", "first")
    assert library.delete("Friday night") == [second.id]
    with pytest.raises(UnknownGame):
        library.game("Friday night")


def test_positions_and_stories_are_the_same_everywhere(library: Library[Game]) -> None:
    game = pig(library, undo="free")
    for text in ("roll", "roll", "hold", "roll"):
        game.act(text)
    assert game.at("@d2").state.decisions == 1
    assert game.at("@start").position <= 3
    assert game.at("@end").position == game.tip
    with pytest.raises(BadAddress):
        game.at(10_000)
    assert "Player 2 takes a turn" in game.transcript("txt")
    assert game.diff("@d2", game, "@d2").same
    assert not game.diff("@d1", game, "@d2").same


def test_a_log_goes_out_and_comes_back(library: Library[Game], tmp_path: Any) -> None:
    game = pig(library, undo="free")
    for text in ("roll", "roll"):
        game.act(text)
    game.note("well")
    file = game.export(tmp_path / "game.tape.jsonl")
    packed = game.export(tmp_path / "game.tape.jsonl.gz")
    for path in (file, packed):
        loaded = library.load(path)
        assert list(loaded.rows()) == list(game.rows())
        assert loaded.audit().ok
    assert library.load(file, "by another name").name == "by another name"
    library.game("by another name").act("roll")
    from warptape import BadLog

    lines = file.read_bytes().splitlines(keepends=True)
    (tmp_path / "bad.tape.jsonl").write_bytes(b"".join([*lines[:4], *lines[5:]]))
    with pytest.raises(BadLog, match="Line"):
        library.load(tmp_path / "bad.tape.jsonl")
    assert len(library.games()) == 4


def test_a_game_is_played_to_its_end_and_its_key_is_out(library: Library[Game]) -> None:
    game = pig(library, options={"goal": 6}, undo="free")
    for _ in range(60):
        if game.decision is None:
            break
        try:
            game.act("hold")
        except IllegalAction:
            game.act("roll")
    assert game.outcome is not None
    assert kinds(game).count("KeyRevealed") == 1
    report = game.audit()
    assert report.ok
    assert "follow from the key" in str([row.detail for row in report.rows if row.check == "chance"])
    with pytest.raises(IllegalAction, match="the game is over"):
        game.act("roll")
    assert [shelf.outcome for shelf in library.games()] == [game.outcome.result]
    game.undo()
    assert game.decision is not None
    game.act(game.decision.actions[-1])


def test_a_deleted_game_is_gone_for_who_has_it_open(library: Library[Game], opened: Opened) -> None:
    game = pig(library)
    yours = opened().game("first")
    library.delete("first")
    from warptape import WarptapeError

    with pytest.raises(WarptapeError):
        yours.act("roll")
    with pytest.raises(WarptapeError):
        yours.refresh()
    assert game.name == "first"
