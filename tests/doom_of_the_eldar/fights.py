"""What both sides bring to a Craftworld battle, for tests of values."""

from __future__ import annotations

from doom import of, play

from warptape.domain.doom_of_the_eldar.events_battle import TotalsSet
from warptape.domain.doom_of_the_eldar.state import Options


def totals(phase: str, eldar: str, tyranid: str, *, fortified: bool, options: Options | None = None) -> tuple[int, int]:
    """Return attack and defence of a battle in the Fortress of Tears."""
    game = play(
        phase,
        eldar={"tears": eldar},
        tyranid={"tears": tyranid},
        devastated=() if fortified else ("tears",),
        options=options,
    )
    happened = game.do("fight tears")
    if game.asked == "Mine":
        happened = game.do("hold")
    found = of(happened, TotalsSet)[0]
    return found.total, found.defence
