"""What a bug report adds to a log: what was tried after it or is wrong in it, what came of that, and where it ran."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from ..domain.events import CardDrawn, CounterDrawn, DiceRolled

FailureKind = Literal["crash", "refused", "accepted", "event", "position"]

OutcomeEvent = DiceRolled | CardDrawn | CounterDrawn


class Attempt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that was tried after the log: by which seat, as it was typed, and as an action where it was read as one.

    `bot` names the bot of the ruleset that was to choose. `outcomes` is the chance that the attempt drew, in order, so
    that it can be made again without the secret of chance; what the reader may not know is sealed.
    """

    seat: str
    text: str = ""
    action: dict[str, Any] | None = None
    bot: str = ""
    outcomes: tuple[OutcomeEvent, ...] = ()


class Failure(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What went wrong, or is thought to be wrong.

    `crash`: the rules failed; `type`, `message` and `traceback` are those of the exception, a line each frame as
    `MODULE:LINE in FUNCTION: SOURCE`. `refused`: the rules, or the notation, refused it; `type`, `message` and `rule`.
    `accepted`: the rules took it, and `events` followed. `event`: the event of the log that the report is about.
    `position`: the position that the report is about, `digest` what it holds apart from what chance remembers, `board`
    its drawing.
    """

    kind: FailureKind
    type: str = ""
    message: str = ""
    rule: str = ""
    traceback: tuple[str, ...] = ()
    events: tuple[dict[str, Any], ...] = ()
    digest: str = ""
    board: str = ""

    def text(self) -> str:
        """Return it in one sentence, without a full stop."""
        match self.kind:
            case "crash":
                return f"the rules fail: {self.type}{': ' if self.message else ''}{self.message}"
            case "refused":
                return self.message.rstrip(".")
            case "accepted":
                names = [str(event.get("type")) for event in self.events[1:]]
                more = f" and {len(names) - 8} more" if len(names) > 8 else ""
                return f"it is accepted and gives {', '.join(names[:8]) or 'nothing'}{more}"
            case "event":
                return f"the log has {self.message}"
        return "the position is as it was reported"


class BugReport(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The report in the header of a log file.

    `message` is what the reporter says, `command` what was done. `position` is the event that the address names, after
    `decisions` decisions on its line. `attempts` were made after the log, the last of them failed; of an `event` or a
    `position` there are none. `rules` is the version of the ruleset that ran, `warptape`, `python` and `platform` where
    it ran. `left_out` names what was personal in the log and is not here: then its chain was made anew, and is not the
    one of the game it came from. `shrunk_from` counts the decisions of the report that this one was shrunk from.
    """

    message: str
    command: str
    position: int
    decisions: int
    attempts: tuple[Attempt, ...]
    failure: Failure
    rules: str
    warptape: str
    python: str
    platform: str
    left_out: tuple[str, ...] = ()
    shrunk_from: int = 0
