"""What happened, in words that all games share: moves, fights, losses and cards used, for questions asked of many games."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["move", "fight", "loss", "use"]


class Happening(msgspec.Struct, frozen=True):
    """One thing an event tells, for counting: who did it or whom it happened to, where, and by what.

    - `move`: a unit goes from `origin` to `to` (either may be empty: from a box, off the board).
    - `fight`: `who` attacks a `target` that is at `to`, with `by`; `success` if it came off, None where that stays open.
    - `loss`: `who` is hurt or lost at `to`, through `by`; `amount` is how much (wounds, steps), `final` that it leaves the
      board by this, to come back by a move from off the board if at all.
    - `use`: `who` plays a card, an order or an ability `by`, on `to` if it has a target.

    `unit` is what sort of thing `who` is (`termagant`, `MAX`), `target` what sort is attacked, `side` the seat that `who`
    belongs to, empty for none. All are ids or names as they stand in the log, `to` and `origin` names of squares or areas as
    the board's scene has them.
    """

    kind: Kind
    who: str
    unit: str = ""
    side: str = ""
    origin: str = ""
    to: str = ""
    by: str = ""
    amount: int = 1
    success: bool | None = None
    final: bool = False
    target: str = ""
