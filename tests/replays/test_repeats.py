"""A change that is asked for twice is made once: undo, redo, rewind, requests, answers, notes and re-rolls, as actions are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from warptape.domain.errors import Conflict
from warptape.replays.game import Game, Played
from warptape.replays.library import Library

Do = Callable[..., Played]
KINDS = ("note", "private note", "undo", "redo", "undo and re-roll", "rewind", "reroll")


def changes(game: Game) -> dict[str, tuple[Do, dict[str, Any]]]:
    """One change of each kind that a game with the undo policy `free` takes, in an order in which all are possible."""
    return {
        "note": (game.note, {"text": "a note"}),
        "private note": (game.note, {"text": "a secret note", "seat": "warden", "private": True}),
        "undo": (game.undo, {"reason": "again"}),
        "redo": (game.redo, {}),
        "undo and re-roll": (game.undo, {"reroll": True}),
        "rewind": (game.rewind, {"place": 6}),
        "reroll": (game.reroll, {"reason": "for luck"}),
    }


def played(library: Library[Game], **given: Any) -> Game:
    game = library.new("hidden", options={"rounds": "9"}, **given)
    for _ in range(7):
        assert game.decision is not None
        game.act(game.decision.actions[-1])
    return game


@pytest.mark.parametrize("which", KINDS)
def test_the_same_key_again_changes_nothing_and_gives_the_first_answer(store_url: str, which: str) -> None:
    with Library[Game](store_url) as library:
        game = played(library, undo="free")
        other = library.game(game.id)  # which does not know yet what the first one records
        if which == "redo":
            game.undo()
            other.refresh()
        do, given = changes(game)[which]
        first = do(**given, key="once", expect=game.length - 1)
        length = game.length
        again = do(**given, key="once", expect=0)
        elsewhere = changes(other)[which][0](**given, key="once", expect=0)
        assert (first.repeated, again.repeated, elsewhere.repeated) == (False, True, True)
        assert first.position == again.position == elsewhere.position
        assert first.events == again.events == elsewhere.events
        assert game.length == other.length == length
        assert game.audit().ok
        with pytest.raises(Conflict):
            do(**given, expect=0)
        assert game.length == length


@pytest.mark.parametrize("agree", [True, False])
def test_requests_and_answers_are_made_once(store_url: str, agree: bool) -> None:
    with Library[Game](store_url) as library:
        game = played(library, undo="consent")
        head = next(game.newest_on_line({"ActionTaken"}, game.tip))
        seat = game.event(head.position).seat  # type: ignore[attr-defined]
        answering = next(one for one in game.seats if one != seat)
        asked = game.ask_undo(seat, key="asked", expect=game.tip)
        assert game.ask_undo(seat, key="asked").events == asked.events
        answered = game.consent(answering, agree, key="answered")
        again = game.consent(answering, agree, key="answered")
        assert (again.repeated, again.position, again.events) == (True, answered.position, answered.events)
        assert len(answered.events) == (2 if agree else 1)
        length = game.length
        game.note("later")  # what follows does not belong to it
        assert game.consent(answering, agree, key="answered").events == answered.events
        assert game.length == length + 1


def test_a_note_is_taken_back_once(store_url: str) -> None:
    with Library[Game](store_url) as library:
        game = played(library, undo="free")
        at = game.note("a note").position
        first = game.remove_note(at, key="gone")
        again = game.remove_note(at, key="gone")
        assert again.repeated
        assert again.events == first.events
        assert game.notes() == []
