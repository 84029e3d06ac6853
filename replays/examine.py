"""The examination of a log, event by event: is it well formed, do its secrets fit their seals, could its chance be, and
do the rules give what it says?
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ..domain.chance import OUTCOMES, Fate, Recorded, Salt
from ..domain.errors import BadLog, ImpossibleOutcome, WarptapeError
from ..domain.events import (
    ActionTaken,
    Awaiting,
    Event,
    GameForked,
    GameOpened,
    KeyRevealed,
    NoteAdded,
    Resalted,
    Rewound,
    UndoAnswered,
    UndoAsked,
)
from ..domain.referee import Referee
from ..domain.rules import Ruleset
from ..domain.secrets import SEALED, Disclosure, Sealed, salt, sealable, unseal
from .chain import HEAD_KINDS, Chain
from .codec import FORMAT, POLICIES, SOURCES
from .findings import MOST, Check, Finding
from .logline import bare, said, small
from .odds import Wrong, examine
from .shelf import Row
from .survey import Survey, Vault

LARGEST_BATCH = 100_000
"""Events in one batch beyond which the rules are not asked: a batch is held in memory."""

_encode = msgspec.json.Encoder().encode
_disclosures = msgspec.json.Decoder(list[Disclosure])

Batch = list[tuple[int, Event, list[Disclosure] | None]]
"""Each event with its position and the secrets that lie beside it, None where it has no sealed fields."""


class _Opening(msgspec.Struct):
    """The opening of a game whose ruleset is not installed: without its options."""

    format: int
    ruleset: str
    version: str
    content: str
    seats: dict[str, str] = {}
    commitment: str = ""
    chance: str = "fate"
    undo: str = "free"
    time: str = ""


class Examiner:
    """Examines the events of one log in order; `tell` is given each finding.

    `rules` is None when the ruleset is not installed: then the chain, the form and the heads are checked. `salts` are
    the secrets of chance that the owner holds, `seat` the one whose knowledge the log is (empty: a whole log).
    `snapshots` give by position the states that a store keeps beside the log, None for those it would not use.
    Memory is bounded by the largest batch and the number of rewinds, whatever the length of the log.
    """

    def __init__(
        self,
        rules: Ruleset | None,
        survey: Survey,
        tell: Callable[[Finding], None],
        *,
        salts: dict[int, Salt],
        seat: str = "",
        with_rules: bool = True,
        snapshots: Mapping[int, Callable[[], Any]] | None = None,
    ) -> None:
        self.rules = rules
        self.survey = survey
        self.seat = seat
        self.with_rules = with_rules and rules is not None
        self.fate = Fate({**survey.revealed, **salts})
        self.chain = Chain()
        self.counts: dict[str, int] = {}
        self.remarks: list[str] = []
        self.by_hand: list[int] = []
        self.position = 0
        self.state: Any = None
        self.ruleset = ""
        self.version = ""
        self.seats: dict[str, str] = {}
        self.lineage: tuple[tuple[str, int], ...] = ()
        self.policy = ""
        self.content = ""
        self.opened = ""
        self.rules_stopped = ""
        self._tell = tell
        self._snapshots = snapshots or {}
        self._decode = msgspec.json.Decoder(rules.event_type).decode if rules is not None else None
        self._vault = Vault(rules.state) if rules is not None else None
        self._batch: Batch = []
        self._referee: Referee | None = None
        self._reveals = 0
        self._modes: dict[int, str] = {}
        self._commitments: dict[int, str] = {}
        self._owned = salts
        self._ends: set[int] = set()
        self._asked = -1
        self._lost = False

    @property
    def epochs(self) -> set[int]:
        """The positions from which a secret of chance was in force."""
        return set(self._modes)

    @property
    def lost(self) -> bool:
        """Whether the log could not be folded to its end."""
        return self._lost

    def close(self) -> None:
        """Throw away what was put aside."""
        if self._vault is not None:
            self._vault.close()

    def count(self, what: str, more: int = 1) -> None:
        """Add to one of the counts."""
        self.counts[what] = self.counts.get(what, 0) + more

    def remark(self, text: str) -> None:
        """Note something that is no fault; beyond a number of them they are only counted."""
        self.count("remarks")
        if len(self.remarks) < MOST:
            self.remarks.append(text)

    def bad(self, check: Check, reason: str, position: int | None, until: int | None = None) -> None:
        """Report something wrong."""
        self._tell(Finding(check, reason, position, None, until))

    # Event by event

    def feed(self, row: Row) -> None:
        """Take the next event as a store keeps it."""
        position, stored, data = row
        if not isinstance(position, int):  # SQLite lets another program write anything
            self.bad("structure", f"an event stands at {str(position)[:40]!r}, which is no position", self.position)
            return
        public, _, beside = data.partition(b"\n")
        if position != self.position:
            missing = (
                f"@{self.position} to @{position - 1} are" if position > self.position + 1 else f"@{self.position} is"
            )
            self.bad("structure", f"{missing} missing", self.position)
        self.position = position + 1
        self.count("events")
        try:
            basic = bare(public, position)
        except BadLog as error:
            self._lose("structure", str(error).partition(": ")[2], position)
            self.chain.feed(position, stored, "", public)
            return
        if basic.type != stored:
            self.bad("structure", f"the store files it under {stored}, but it is {basic.type}", position)
        if wrong := self.chain.feed(position, basic.type, basic.prev, public):
            first, last = (self.chain.prev_first, position) if position else (0, 0)
            self.bad("chain", wrong, first, last)
        if basic.type in HEAD_KINDS or position == 0:
            self.finish_batch()
            self.count("batches")
            if position - 1 in self.survey.last_use:
                self._ends.add(position - 1)
        event = self._decoded(basic.type, public, position)
        if event is None:
            return
        given = self._opened(event, public, beside, position)
        if given is not None and len(self._batch) <= LARGEST_BATCH:
            self._batch.append((position, given[0], given[1]))

    def _decoded(self, kind: str, public: bytes, position: int) -> Event | None:
        """Return the event with its seals, None when it is none of this ruleset or not in its one form."""
        try:
            plain = msgspec.json.decode(public)
            if not small(plain):
                raise ValueError("a number is too large: integers have 64 bits")
            event: Any = self._decode(public) if self._decode is not None else self._common(kind, plain)
            again = _encode(plain if event is None else event)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            self._lose("structure", f"this is no event of the game: {said(error)}", position)
            return None
        if again != public:
            self._lose("structure", "the event is not written in its one form: it was edited", position)
            return None
        return event  # type: ignore[no-any-return]

    def _common(self, kind: str, plain: Any) -> Event | None:
        """Return a head that all games share, for a log whose ruleset is not installed; None for other events."""
        if kind == "GameOpened":
            self._note_opening(msgspec.convert(plain, _Opening), 0)
        cls = _HEADS.get(kind)
        return None if cls is None else msgspec.convert(plain, cls)

    def _lose(self, check: Check, reason: str, position: int) -> None:
        """Report an event that cannot be applied: what follows on this line cannot be folded."""
        self.bad(check, reason, position)
        self._batch = []
        self.state, self._referee, self._lost = None, None, True

    # Secrets

    def _opened(
        self, event: Event, public: bytes, beside: bytes, position: int
    ) -> tuple[Event, list[Disclosure] | None] | None:
        """Return the event with the secrets put back that this log holds, and those secrets."""
        if not beside and b'{"sealed":' not in public:
            if event.seen_by is not None or (self.rules is not None and self.rules.secretive):
                self._check_seals(event, [], position)
            return event, None
        try:
            given = _disclosures.decode(beside) if beside else []
            if beside and _encode(given) != beside:
                raise ValueError("they are not written in their one form: they were edited")
            opened = unseal(event, given) if self.rules is not None else event
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            self._lose("secrets", f"the secrets beside the event do not fit it: {said(error)}", position)
            return None
        if self.rules is not None:
            self._check_seals(event, given, position)
        return opened, given

    def _check_seals(self, event: Event, given: list[Disclosure], position: int) -> None:
        known = {item.field for item in given}
        for item in given:
            if self.seat and self.seat not in item.seen_by:
                self.bad("secrets", f"a secret of field '{item.field}' is here that {self.seat} may not know", position)
        for path, value, seen_by in sealable(event):
            sealed = isinstance(value, Sealed)
            if sealed:
                self.count("seals")
                if path not in known:
                    self.count("withheld")
            if sealed and seen_by is None:
                self.bad("secrets", f"the field '{path}' is sealed, but no seat is named that may know it", position)
            elif not sealed and seen_by is not None:
                self.bad("secrets", f"the field '{path}' is secret, but stands open in the log", position)
            elif sealed and path not in known and (not self.seat or self.seat in (seen_by or ())):
                self.bad("secrets", f"the secret of the field '{path}' is missing", position)

    # Batch by batch

    def finish_batch(self) -> None:
        """Fold and check the batch at hand; called at the next head, and to be called at the end of the log."""
        batch, self._batch = self._batch, []
        if not batch:
            return
        position, head, _ = batch[0]
        last = batch[-1][0]
        if position != self.chain.first and position != self.chain.prev_first:
            return  # its head is lost
        self._check_form(batch)
        if isinstance(head, GameOpened):
            self.state = self.rules.state() if self.rules is not None else None
            self._note_opening(head, position)
        elif isinstance(head, Rewound):
            self._rewind(head, position)
        if len(batch) > LARGEST_BATCH:
            self._lose("structure", f"the batch has more than {LARGEST_BATCH} events", position)
        elif self.state is not None:
            twin = self._twin() if isinstance(head, ActionTaken) else None
            if self._fold(batch) and isinstance(head, ActionTaken | GameOpened):
                self._rerun(batch, twin)
        if last in self.survey.last_use and self.state is not None and self._vault is not None:
            self._vault.put(last, self.state, self._reveals)

    def _check_form(self, batch: Batch) -> None:
        position, head, _ = batch[0]
        if not isinstance(head, ActionTaken | GameOpened) and len(batch) > 1:
            self.bad(
                "structure", f"nothing follows from {type(head).__name__}, but there are events after it", batch[1][0]
            )
        for at, event, _ in batch[:-1]:
            if isinstance(event, Awaiting):
                self.bad("structure", "Awaiting stands in the middle of a batch", at)
        match head:
            case GameOpened() if position:
                self.bad("structure", "the game is opened a second time", position)
            case Resalted(at=at) if at != position:
                self.bad("structure", f"the new secret is said to hold from @{at}", position)
            case NoteAdded(at=at) if not 0 <= at < position:
                self.bad("structure", f"the note is on @{at}, which is not before it", position)
            case UndoAsked(to=to) if not 0 <= to < position:
                self.bad("structure", f"the request goes to @{to}, which is not before it", position)
            case UndoAnswered(asked=asked) if asked != self._asked:
                self.bad("structure", f"the answer is to @{asked}, where nothing was asked that is open", position)
            case GameForked(lineage=lineage):
                if not lineage or lineage[-1][1] != position - 1:
                    self.bad("structure", "the fork does not follow on the event it is forked after", position)
                self.lineage, self.seats, self.policy = lineage, head.seats, head.undo
        if isinstance(head, UndoAsked | UndoAnswered | ActionTaken | Rewound):
            self._asked = position if isinstance(head, UndoAsked) else -1

    def _note_opening(self, head: GameOpened[Any] | _Opening, position: int) -> None:
        self.ruleset, self.version, self.content = head.ruleset, head.version, head.content
        self.seats, self.policy = head.seats, head.undo
        self.opened = head.time
        if not 1 <= head.format <= FORMAT:
            self.bad("structure", f"there is no format {head.format}", position)
        if self.rules is not None and head.ruleset != self.rules.id:
            self.bad("structure", f"the game is one of {head.ruleset}, not of {self.rules.id}", position)
        if head.undo not in POLICIES or head.chance not in SOURCES:
            self.bad(
                "structure", f"there is no undo policy '{head.undo}' or no source of chance '{head.chance}'", position
            )
        self._commit(0, head.commitment, head.chance, position)

    def _commit(self, epoch: int, commitment: str, mode: str, position: int) -> None:
        self._modes[epoch] = mode
        self._commitments[epoch] = commitment
        known = self.fate.salts.get(epoch)
        if known is not None and known.commitment != commitment:
            del self.fate.salts[epoch]
            if epoch in self._owned:  # a revealed one is named where it is revealed
                self.bad("chance", "the secret of chance does not fit the commitment made here", position)

    def _rewind(self, head: Rewound, position: int) -> None:
        if not 0 <= head.to < position:
            self._lose("structure", f"the game cannot go back to @{head.to} from here", position)
            return
        target = self.survey.tree.resolve(head.to)
        if target not in self._ends:
            self._lose("structure", f"the game goes back to @{head.to}, in the middle of a batch", position)
            return
        was, left = self.survey.tree.resolve(position - 1), self._reveals
        self._referee, self.state = None, None
        if self._vault is not None:
            found = self._vault.get(target, last=self.survey.last_use.get(target) == position)
            if found is not None:
                self.state, self._reveals = found
                self._lost = False
        if self.state is not None and left > self._reveals and self.survey.tree.on_line(target, was):
            shown = left - self._reveals
            who = f" by {head.seat}" if head.seat else ""
            self.count("crossed")
            self.remark(
                f"@{position}: {head.by}{who} to @{head.to} took back {shown} outcome{'s' * (shown != 1)} already seen"
            )

    def _twin(self) -> Referee | None:
        """Return the referee that stands where the log stands, for the rules to be run again."""
        if not self.with_rules or self.rules_stopped or self._vault is None or self.rules is None:
            return None
        if self._referee is None:
            try:
                self._referee = Referee(self.rules, self._vault.copy(self.state), Recorded(()))
            except Exception as error:
                self.rules_stopped = f"the rules fail on a position of this log ({said(error)})"
        return self._referee

    def _fold(self, batch: Batch) -> bool:
        """Apply a batch to the state, checking chance before each event; returns whether it could be applied."""
        for position, event, given in batch:
            if isinstance(event, Rewound):
                continue
            chance = self.state.chance
            if isinstance(event, Resalted):
                self._resalt(event, position)
            elif isinstance(event, KeyRevealed):
                self._key(event, position)
            if given is not None and not self.rules_stopped and _veiled(event):
                self.rules_stopped = f"values are sealed from @{position} on"
            key = self.fate.salts.get(chance.epoch) if given else None
            for item in given or ():
                if key is not None and item.salt != salt(key.key, position, item.field):
                    self.bad("secrets", f"the salt of the field '{item.field}' is not the one of the key", position)
            try:
                self._check_chance(event, position)
                event.apply(self.state)
            except Exception as error:
                self._lose(
                    "structure", f"the event cannot have happened here ({type(error).__name__}: {error})", position
                )
                return False
            if event.reveals:
                self._reveals += 1
            if position in self._snapshots:
                self._compare(position)
        return True

    def _compare(self, position: int) -> None:
        kept = self._snapshots[position]()
        if kept is not None and self._vault is not None and kept != self._vault.copy(self.state):
            self.bad(
                "shelf",
                "the snapshot kept of this position is not what the log gives, and positions after it are wrong: throw "
                "the snapshots away with --drop-snapshots",
                position,
            )

    def _check_chance(self, event: Event, position: int) -> None:
        chance = self.state.chance
        by_hand = self._modes.get(chance.epoch) == "table"
        fate = self.fate if chance.epoch in self.fate.salts and not by_hand else None
        try:
            proof = examine(chance, event, fate)
        except Wrong as error:
            self.count("outcomes")
            self.bad("chance", str(error), position)
            return
        if proof is None or proof == "told":
            return
        self.count("outcomes")
        if by_hand:
            self.count("by hand")
            if len(self.by_hand) < 8:
                self.by_hand.append(position)
        else:
            self.count(proof)

    def _resalt(self, event: Resalted, position: int) -> None:
        fixed = {name: tuple(sorted(deck.seen)) for name, deck in self.state.chance.decks.items() if deck.seen}
        if event.fixed != fixed:
            self.bad("chance", "the new secret does not leave alone exactly the places that were seen", position)
        self._commit(position, event.commitment, event.chance, position)
        why = f" ({event.reason})" if event.reason else ""
        self.remark(f"@{position}: chance has a new secret from here on{why}")
        self._referee = None

    def _key(self, event: KeyRevealed, position: int) -> None:
        commitment = self._commitments.get(event.since)
        if commitment is None:
            self.bad("chance", f"a secret is revealed that no event committed to at @{event.since}", position)
        elif Salt(nonce=event.nonce, seed=event.seed).commitment != commitment:
            self.bad("chance", "the revealed secret of chance does not fit what was committed to", position)

    # Rules

    def _rerun(self, batch: Batch, referee: Referee | None) -> None:
        """Run the rules again on a recorded action or the opening, and compare what follows, event by event."""
        position, head, _ = batch[0]
        self.count("actions", isinstance(head, ActionTaken))
        if not self.with_rules or self.rules_stopped or self.rules is None:
            return
        events = [event for _, event, _ in batch]
        source = Recorded(events)
        self._referee = None
        try:
            if isinstance(head, GameOpened):
                referee = Referee(self.rules, self.rules.state(), source)
                due = referee.open(head)
            elif isinstance(head, ActionTaken) and referee is not None:
                referee.chance = source
                due = referee.take(head.seat, head.action)
            else:
                return
        except ImpossibleOutcome as error:
            drawn = [at for at, event, _ in batch if type(event) in OUTCOMES]
            asked = len(drawn) - len(source.left)  # the last of these did not fit, or was the last there was
            self.bad("rules", str(error), drawn[asked - 1] if asked > 0 else position)
            return
        except WarptapeError as error:
            self.bad("rules", f"by the rules this cannot have happened: {error}", position)
            return
        except Exception as error:
            self.bad("rules", f"the rules fail on this ({type(error).__name__}: {error})", position)
            return
        self.count("rerun", isinstance(head, ActionTaken))
        for number, (at, event, _) in enumerate(batch[1:], 1):
            if number >= len(due):
                self.bad("rules", f"by the rules nothing more happens here, but the log has {_short(event)}", at)
                return
            if due[number] != event and _encode(due[number]) != _encode(event):
                self.bad("rules", f"the rules give {_short(due[number])}, and the log has {_short(event)}", at)
                return
        if len(due) > len(batch):
            self.bad("rules", f"by the rules {_short(due[len(batch)])} follows, and the log lacks it", batch[-1][0])
            return
        self._referee = referee


def _short(event: Event) -> str:
    text = _encode(event).decode()
    return text if len(text) <= 160 else f"{text[:157]}..."


def _veiled(event: Event) -> bool:
    return any(value == SEALED for _, value, _ in sealable(event))


_HEADS: dict[str, type[Event]] = {
    cls.__name__: cls for cls in (Rewound, GameForked, NoteAdded, UndoAsked, UndoAnswered, Resalted, KeyRevealed)
}
