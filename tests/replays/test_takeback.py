"""Undo policies: whose action it is, what bars taking it back, and how the other seat agrees."""

from __future__ import annotations

import pytest

from warptape.domain.errors import BadAddress, IllegalAction, NotAllowed, OptionError
from warptape.domain.events import Rewound
from warptape.replays.game import Game
from warptape.replays.library import Library


def start(url: str, rules: str = "pig", **given: object) -> Game:
    library = Library[Game](url)
    return library.new(rules, seed="take that back", **given)  # type: ignore[arg-type]


def until(game: Game, *texts: str) -> None:
    """Act with the first of the texts that is legal, until the last one was taken."""
    while True:
        for text in reversed(texts):
            if game.refusal(game.parse(text)[0]) is None:
                game.act(text)
                if text == texts[-1]:
                    return
                break


def test_default_policy_follows_the_number_of_people(store_url: str) -> None:
    library = Library[Game](store_url)
    assert library.new("pig").policy == "until-revealed"
    assert library.new("pig", seats={"p2": "bot:random"}).policy == "free"
    assert library.new("pig", undo="consent").policy == "consent"
    with pytest.raises(OptionError, match="until-revealed"):
        library.new("pig", undo="sometimes")


def test_nothing_to_take_back_at_the_opening(store_url: str) -> None:
    game = start(store_url, undo="free")
    with pytest.raises(NotAllowed, match="nothing to take back"):
        game.undo()
    with pytest.raises(NotAllowed, match="nothing to redo"):
        game.redo()
    assert game.length == 4


def test_free_takes_back_anything(store_url: str) -> None:
    game = start(store_url, undo="free")
    until(game, "roll", "hold")
    length = game.length
    game.act("roll")
    game.undo("p1")
    assert game.tip == length - 1
    assert game.decision is not None
    assert game.decision.seat == "p2"
    with pytest.raises(NotAllowed, match="no seat 'p9'"):
        game.undo("p9")


def test_until_revealed_lets_a_seat_take_back_what_showed_nothing(store_url: str) -> None:
    game = start(store_url)
    until(game, "roll", "hold")
    held, tip = game.state.scores[0], game.tip
    assert held > 0
    with pytest.raises(NotAllowed, match="p2 may not take back an action of p1"):
        game.undo("p2")
    game.undo("p1")
    assert (game.state.scores[0], game.state.turn_total) == (0, held)
    with pytest.raises(NotAllowed, match="only p1 may redo"):
        game.redo("p2")
    redone = game.redo("p1")
    assert game.tip == tip
    (event,) = redone.events
    assert isinstance(event, Rewound)
    assert (event.by, event.seat) == ("redo", "p1")


def test_until_revealed_bars_what_rolled(store_url: str) -> None:
    game = start(store_url)
    game.act("roll")
    with pytest.raises(NotAllowed, match=r"revealed since .* DiceRolled"):
        game.undo()
    with pytest.raises(NotAllowed, match="undo policy is 'until-revealed'"):
        game.rewind("@start")


def test_until_revealed_bars_what_was_done_before_a_new_secret(store_url: str) -> None:
    game = start(store_url)
    until(game, "roll", "hold")
    game.reroll()
    with pytest.raises(NotAllowed, match=r"Chance has had a new secret since \(@\d+\)"):
        game.undo("p1")
    free = start(store_url, undo="free")
    until(free, "roll", "hold")
    free.reroll()
    free.undo("p1")
    assert free.state.turn_total > 0


def test_until_revealed_bars_what_another_seat_has_followed(store_url: str) -> None:
    game = start(store_url, "hidden")
    game.act("guard 2")  # nobody learns anything
    game.act("skip")
    for seat in ("warden", "raider"):
        if seat == "warden":
            with pytest.raises(NotAllowed, match="warden may not take back an action of raider"):
                game.undo(seat)
        else:
            game.undo(seat)
    assert game.decision is not None
    assert game.decision.seat == "raider"
    game.undo("warden")
    assert game.decision.seat == "warden"
    game.act("guard 1")
    game.act("peek 1")
    with pytest.raises(NotAllowed, match=r"revealed since .* CardDrawn"):
        game.undo("raider")


def test_a_line_of_several_actions_is_all_or_none_and_one_undo(store_url: str) -> None:
    game = start(store_url, "hidden", undo="until-revealed", options={"rounds": 2})
    game.act("guard 3")
    length, state = game.length, game.state.copy()
    with pytest.raises(IllegalAction):
        game.act(["skip", "storm 1 nobody 1"])
    assert (game.length, game.state) == (length, state)
    game.act(["skip", "rest"])
    with pytest.raises(NotAllowed, match="revealed"):  # resting ends the round: dice and counters
        game.undo("raider")

    free = start(store_url, undo="free", options={"goal": 1000})
    before = free.length
    played = free.act("roll hold")
    heads = [event for event in played.events if type(event).__name__ == "ActionTaken"]
    assert [head.joined for head in heads] == [False, True]  # type: ignore[attr-defined]
    free.undo()
    assert free.tip == before - 1
    free.redo()
    assert free.tip == before + len(played.events) - 1


def test_only_the_last_action_of_a_line_may_reveal_unless_free(store_url: str) -> None:
    game = start(store_url)
    with pytest.raises(NotAllowed, match="free look"):
        game.act("roll hold")
    assert game.length == 4
    assert game.state.turn_total == 0
    game.act(["roll"])
    assert game.length > 4


def test_bots_answers_go_with_the_persons_action(store_url: str) -> None:
    game = start(store_url, seats={"p2": "bot:sensible"}, options={"goal": 1000})
    until(game, "roll", "hold")
    heads = [event for _, event in game.line() if type(event).__name__ == "ActionTaken"]
    assert heads[-1].person == "bot:sensible"
    total = game.event(game.takebacks.last_action()[0])
    assert total.seat == "p1"  # type: ignore[attr-defined]
    game.undo()
    assert game.decision is not None
    assert (game.decision.seat, game.state.scores) == ("p1", [0, 0])
    assert game.state.turn_total > 0
    game.redo()
    assert game.state.scores[0] > 0


def test_a_bots_opening_moves_are_nobodys_to_take_back(store_url: str) -> None:
    game = start(store_url, seats={"p1": "bot:sensible"})
    assert game.decision is not None
    assert game.decision.seat == "p2"
    with pytest.raises(NotAllowed, match="nothing to take back"):
        game.undo()


def test_a_game_of_bots_alone_takes_back_one_action(store_url: str) -> None:
    game = start(store_url, seats={"p1": "bot:sensible", "p2": "bot:sensible"}, options={"goal": 1000})
    game.run({}, limit=3)
    tip = game.tip
    game.run({}, limit=1)
    game.undo()
    assert game.tip == tip


# Consent


def consenting(url: str) -> Game:
    game = start(url, undo="consent", options={"goal": 1000})
    until(game, "roll", "hold")
    until(game, "roll", "hold")
    return game


def test_consent_asked_and_granted(store_url: str) -> None:
    game = consenting(store_url)
    scores = list(game.state.scores)
    with pytest.raises(NotAllowed, match=r"p1 may not.*agree"):
        game.undo("p1")
    asked = game.ask_undo("p1", person="Ada")
    request = game.takebacks.open_request()
    assert request is not None
    assert request[0] == asked.position
    for seat, why in [("p1", "other seat"), ("", "other seat"), ("p7", "no seat")]:
        with pytest.raises(NotAllowed, match=why):
            game.consent(seat)
    with pytest.raises(NotAllowed, match="open request already"):
        game.ask_undo("p2")
    played = game.consent("p2", person="Eve")
    assert [type(event).__name__ for event in played.events] == ["UndoAnswered", "Rewound"]
    assert [event.person for event in played.events] == ["Eve", "Ada"]  # type: ignore[attr-defined]
    # It is p1's own action that is gone, with all since.
    assert scores[0] > 0
    assert game.state.scores == [0, 0]
    assert game.decision is not None
    assert game.decision.seat == "p1"
    with pytest.raises(NotAllowed, match="Nobody asks"):
        game.consent("p2")


def test_consent_refused_and_overtaken(store_url: str) -> None:
    game = consenting(store_url)
    state = game.state.copy()
    game.ask_undo("p1")
    game.consent("p2", agree=False)
    assert game.state == state
    with pytest.raises(NotAllowed, match="Nobody asks"):
        game.consent("p2")
    game.ask_undo("p1")
    game.note("thinking")
    assert game.takebacks.open_request() is not None
    game.act("roll")
    assert game.takebacks.open_request() is None
    with pytest.raises(NotAllowed, match="Nobody asks"):
        game.consent("p2")


def test_consent_is_not_needed_for_what_showed_nothing_nor_from_bots(store_url: str) -> None:
    game = consenting(store_url)
    game.undo("p2")
    assert game.decision is not None
    assert game.decision.seat == "p2"
    alone = start(store_url, undo="consent", seats={"p2": "bot:sensible"})
    alone.act("roll")
    alone.undo()
    assert alone.state.turn_total == 0


def test_asking_needs_the_policy(store_url: str) -> None:
    game = start(store_url)
    game.act("roll")
    with pytest.raises(NotAllowed, match="nobody has to be asked"):
        game.ask_undo("p1")


@pytest.mark.parametrize("place", ["@99", "@d9", "@r5", "@-4", "@x", "@d0", "@r0", 99, "@123456789012345678"])
def test_addresses_that_name_nothing(store_url: str, place: object) -> None:
    game = start(store_url, undo="free")
    game.act("roll")
    length = game.length
    with pytest.raises(BadAddress):
        game.rewind(place)
    assert game.length == length
