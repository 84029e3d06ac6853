"""What bars taking back, over random recorded games of two seats: what was shown, and what the other seat did after it."""

from __future__ import annotations

from typing import Any

import pytest

from warptape.domain.chance import Luck
from warptape.domain.errors import NotAllowed


def refused(game: Any, seat: str) -> str:
    """Why a seat may not take back now; nothing changes by asking."""
    length, tip = game.length, game.tip
    with pytest.raises(NotAllowed) as caught:
        game.undo(seat)
    assert (game.length, game.tip) == (length, tip)
    return str(caught.value)


def barriers_hold(game: Any, luck: Luck, decisions: int, choose: Any = None) -> tuple[int, int]:
    """Whatever may be taken back showed nothing and was not followed by the other seat; the audit lists nothing.

    Returns how many actions could be taken back, and how many could not for what they showed. `choose` is given the game
    and the luck.
    """
    seats = [seat.id for seat in game.ruleset.seats(game.state.options)]
    allowed = barred = 0
    for _ in range(decisions):
        if game.decision is None:
            break
        mover = game.decision.seat
        action = choose(game, luck) if choose else luck.choice(game.decision.actions)
        events = game.act(action).events
        for other in seats:
            if other != mover:
                assert f"{other} may not take back an action of {mover}" in refused(game, other)
        if any(event.reveals for event in events):
            assert "revealed since" in refused(game, mover)
            barred += 1
        else:
            before = game.state_at(game.tip)
            game.undo(mover)
            game.redo(mover)
            assert game.state_at(game.tip) == before
            allowed += 1
    report = game.audit()
    assert report.ok
    assert report.takebacks == []
    return allowed, barred
