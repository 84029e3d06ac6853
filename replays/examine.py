"""The examination of a log, event by event: is it well formed, do its secrets fit their seals, could its chance be, and
do the rules give what it says?
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ..domain.chance import Salt
from ..domain.errors import BadLog
from ..domain.events import (
    HEADS,
    ActionTaken,
    Awaiting,
    Event,
    GameForked,
    GameOpened,
    KeyRevealed,
    NoteAdded,
    NoteRemoved,
    Redrawn,
    Resalted,
    Rewound,
    UndoAnswered,
    UndoAsked,
    VersionChanged,
)
from ..domain.rules import Ruleset
from ..domain.secrets import Disclosure
from .chain import HEAD_KINDS, Chain
from .codec import POLICIES, SOURCES
from .crossing import Crossing
from .findings import SNAPSHOT, Finding
from .ledger import Ledger
from .logline import bare, said, small
from .proofs import ChanceCheck
from .redrawn import wrong
from .ruling import RuleCheck, veiled
from .seals import SealCheck
from .shelf import Row
from .survey import Survey, Vault
from .upcasting import FORMAT, Era, Older, era, older, parts, unknown

LARGEST_BATCH = 100_000
"""Events in one batch beyond which the rules are not asked: a batch is held in memory."""

VEILED = "values are sealed from "
"""How it is said that the rules cannot be run on what this log does not hold."""

_encode = msgspec.json.Encoder().encode

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
    `listing` keeps every decision that today's rules decide otherwise. But for these, memory is bounded by the largest
    batch and the number of rewinds and notes, whatever the length of the log.
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
        listing: bool = False,
        snapshots: Mapping[int, Callable[[], Any]] | None = None,
    ) -> None:
        self.rules = rules
        self.survey = survey
        self.seat = seat
        self.chain = Chain()
        self.ledger = Ledger(tell, listing=listing)
        self._vault = Vault(rules.state) if rules is not None else None
        self.seals = SealCheck(self.ledger, rules, seat, survey.redrawn)
        self.chance = ChanceCheck(self.ledger, survey.revealed, salts)
        self.crossing = Crossing(self.ledger, survey.tree)
        self.rerun = RuleCheck(self.ledger, rules if with_rules else None, self._vault, public=0 in survey.revealed)
        self.position = 0
        self.state: Any = None
        self.ruleset = ""
        self.version = ""
        self.seats: dict[str, str] = {}
        self.lineage: tuple[tuple[str, int], ...] = ()
        self.policy = ""
        self.content = ""
        self.opened = ""
        self.unknown: tuple[int, str] | None = None
        """From which position on the log is not known here, and what to install; None for a log that is."""
        self._snapshots = snapshots or {}
        self._decode = msgspec.json.Decoder(rules.event_type).decode if rules is not None else None
        self._era = Era(0, FORMAT, "")
        self._older: Older | None = None
        self._batch: Batch = []
        self._recorded_by = ""
        self._ends: set[int] = set()
        self._asked = -1
        self._notes: set[int] = set()
        self._before: Event | None = None

    @property
    def versions(self) -> str:
        """The version of the rules that recorded the last of the log."""
        return self._era.version

    def close(self) -> None:
        """Throw away what was put aside."""
        if self._vault is not None:
            self._vault.close()

    # Event by event

    def feed(self, row: Row) -> None:
        """Take the next event as a store keeps it."""
        position, stored, data = row
        bad = self.ledger.bad
        if not isinstance(position, int):  # SQLite lets another program write anything
            bad("structure", f"an event stands at {str(position)[:40]!r}, which is no position", self.position)
            return
        public, _, beside = data.partition(b"\n")
        if position != self.position:
            missing = (
                f"@{self.position} to @{position - 1} are" if position > self.position + 1 else f"@{self.position} is"
            )
            bad("structure", f"{missing} missing", self.position)
        self.position = position + 1
        self.ledger.count("events")
        try:
            basic = bare(public, position)
        except BadLog as error:
            self._lose(str(error).partition(": ")[2], position)
            self.chain.feed(position, stored, "", public)
            return
        if basic.type != stored:
            bad("structure", f"the store files it under {stored}, but it is {basic.type}", position)
        if wrong := self.chain.feed(position, basic.type, basic.prev, public):
            first, last = (self.chain.prev_first, position) if position else (0, 0)
            bad("chain", wrong, first, last)
        if basic.type in HEAD_KINDS or position == 0:
            self.finish_batch()
            self.ledger.count("batches")
            if position - 1 in self.survey.last_use:
                self._ends.add(position - 1)
        if basic.type in ("GameOpened", "VersionChanged") and (began := era(position, public)) is not None:
            self._era, self._older = began, older(self.rules, began)
        event = self._decoded(basic.type, public, position)
        if event is None:
            return
        given = self.seals.opened(event, public, beside, position, self._older)
        if isinstance(given, str):
            self._lose(given, position, secrets=True)
        elif len(self._batch) <= LARGEST_BATCH:
            if not self._batch:
                self._recorded_by = self._era.version
            self._batch.append((position, given[0], given[1]))

    def _decoded(self, kind: str, public: bytes, position: int) -> Event | None:
        """Return the event with its seals, None when it is none of this ruleset or not in its one form."""
        try:
            plain = msgspec.json.decode(public)
            if not small(plain):
                raise ValueError("a number is too large: integers have 64 bits")
            event: Any
            if self._decode is not None and self._older is None:
                event = self._decode(public)
                again = _encode(event)
            else:  # only the types of today know which fields have their default: no more can be asked of these bytes
                again = _encode(plain)
                event = self._common(kind, plain) if self.rules is None else self._upcast(public)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            self._lose(f"this is no event of the game: {said(error)}", position)
            return None
        if again != public:
            self._lose("the event is not written in its one form: it was edited", position)
            return None
        return event  # type: ignore[no-any-return]

    def _upcast(self, public: bytes) -> Event:
        assert self._older is not None
        return self._older.decode(public, opened=False)

    def _common(self, kind: str, plain: Any) -> Event | None:
        """Return a head that all games share, for a log whose ruleset is not installed; None for other events."""
        if kind == "GameOpened":
            self._note_opening(msgspec.convert(plain, _Opening), 0)
        cls = _HEADS.get(kind)
        if cls is None:
            return None
        return msgspec.convert(plain, cls) if self._older is None else self._older.decode(_encode(plain))

    def _lose(self, reason: str, position: int, *, secrets: bool = False) -> None:
        """Report an event that cannot be applied: what follows on this line cannot be folded."""
        why = None if secrets else unknown(self.rules, self._era)
        if why is None:
            self.ledger.bad("secrets" if secrets else "structure", reason, position)
        elif self.unknown is None:
            self.unknown = position, why
        self._batch = []
        self.state = None
        self.rerun.forget()

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
        self.crossing.head(head)
        if isinstance(head, GameOpened):
            self.state = self.rules.state() if self.rules is not None else None
            self._note_opening(head, position)
        elif isinstance(head, Rewound):
            self._rewind(head, position)
        if len(batch) > LARGEST_BATCH:
            self._lose(f"the batch has more than {LARGEST_BATCH} events", position)
        elif self.state is not None:
            twin = self.rerun.follow(self.state) if isinstance(head, ActionTaken) else None
            if self._fold(batch) and isinstance(head, ActionTaken | GameOpened):
                happened = [(at, part) for at, event, _ in batch for part in parts(event)]
                self.rerun.run(happened, twin, self._recorded_by)
        if last in self.survey.last_use and self.state is not None and self._vault is not None:
            self._vault.put(last, self.state, self.crossing.shown)

    def _check_form(self, batch: Batch) -> None:
        position, head, _ = batch[0]
        bad = self.ledger.bad
        if not isinstance(head, ActionTaken | GameOpened) and len(batch) > 1:
            reason = f"nothing follows from {type(head).__name__}, but there are events after it"
            bad("structure", reason, batch[1][0])
        for at, event, _ in batch[:-1]:
            if isinstance(event, Awaiting):
                bad("structure", "Awaiting stands in the middle of a batch", at)
        match head:
            case GameOpened() if position:
                bad("structure", "the game is opened a second time", position)
            case Resalted(at=at) if at != position:
                bad("structure", f"the new secret is said to hold from @{at}", position)
            case NoteAdded(at=at) if not 0 <= at < position:
                bad("structure", f"the note is on @{at}, which is not before it", position)
            case Redrawn():
                if not (isinstance(self._before, Resalted) and self._before.at == position - 1):
                    bad("structure", "something is drawn anew without a new secret of chance", position)
                if head.seat not in self.seats:
                    bad("structure", f"it is drawn anew for '{head.seat}', which is no seat of the game", position)
            case NoteAdded():
                self._notes.add(position)
            case NoteRemoved(note=note):
                if note not in self._notes:
                    bad("structure", f"there is no note @{note} to take back", position)
                self._notes.discard(note)
            case UndoAsked(to=to) if not 0 <= to < position:
                bad("structure", f"the request goes to @{to}, which is not before it", position)
            case UndoAnswered(asked=asked) if asked != self._asked:
                bad("structure", f"the answer is to @{asked}, where nothing was asked that is open", position)
            case GameForked(lineage=lineage):
                if not lineage or lineage[-1][1] != position - 1:
                    bad("structure", "the fork does not follow on the event it is forked after", position)
                if head.seats.keys() != self.seats.keys():
                    bad("structure", "the seats of the fork are not those of the game", position)
                self.lineage, self.seats, self.policy = lineage, head.seats, head.undo
            case VersionChanged():
                self._check_format(head.format, position)
                self.ledger.remark(f"@{position}: played on by version {head.version} of the rules")
        if isinstance(head, UndoAsked | UndoAnswered | ActionTaken | Rewound):
            self._asked = position if isinstance(head, UndoAsked) else -1
        self._before = head

    def _check_format(self, found: int, position: int) -> None:
        if found < 1:
            self.ledger.bad("structure", f"there is no format {found}", position)
        elif found > FORMAT and self.unknown is None:
            self.unknown = position, unknown(None, self._era) or ""

    def _note_opening(self, head: GameOpened[Any] | _Opening, position: int) -> None:
        bad = self.ledger.bad
        self.ruleset, self.version, self.content = head.ruleset, head.version, head.content
        self.seats, self.policy = head.seats, head.undo
        self.opened = head.time
        self._check_format(head.format, position)
        if self.rules is not None and head.ruleset != self.rules.id:
            bad("structure", f"the game is one of {head.ruleset}, not of {self.rules.id}", position)
        if head.undo not in POLICIES or head.chance not in SOURCES:
            bad("structure", f"there is no undo policy '{head.undo}' or no source of chance '{head.chance}'", position)
        if isinstance(head, GameOpened) and self.rules is not None:
            self._check_seats(self.rules, head, position)
        self.chance.commit(0, head.commitment, head.chance, position)

    def _check_seats(self, rules: Ruleset, head: GameOpened[Any], position: int) -> None:
        try:
            known = {seat.id for seat in rules.seats(head.options)}
        except Exception as error:  # options that a forged log holds may be any
            self.ledger.bad("structure", f"the options of the game have no seats by its rules ({error})", position)
            return
        if known != head.seats.keys():
            self.ledger.bad("structure", "the seats of the log are not those of the game", position)

    def _rewind(self, head: Rewound, position: int) -> None:
        if not 0 <= head.to < position:
            self._lose(f"the game cannot go back to @{head.to} from here", position)
            return
        target = self.survey.tree.resolve(head.to)
        if self._redrawn_at < position and target < self._redrawn_at:
            self._lose(f"the game goes back to @{head.to}, where only what one seat knew is here", position)
            return
        if target not in self._ends:
            self._lose(f"the game goes back to @{head.to}, in the middle of a batch", position)
            return
        was, shown, known = self.survey.tree.resolve(position - 1), self.crossing.shown, self.state is not None
        self.state = None
        self.rerun.forget()
        if self._vault is not None:
            found = self._vault.get(target, last=self.survey.last_use.get(target) == position)
            if found is not None:
                self.state, shown = found
        # Where a part of the line could not be read, nobody knows what it had shown.
        self.crossing.rewound(head, position, target, was, shown, counted=known and self.state is not None)

    def _fold(self, batch: Batch) -> bool:
        """Apply a batch to the state, checking chance before each event; returns whether it could be applied."""
        for position, event, given in batch:
            if isinstance(event, Rewound):
                continue
            if isinstance(event, Resalted):
                self.chance.resalt(self.state, event, position)
                self.rerun.forget()
            elif isinstance(event, KeyRevealed):
                self.chance.reveal(event, position)
            if given is not None and not self.rerun.stopped and veiled(event) and not isinstance(event, NoteAdded):
                self.rerun.stopped = f"{VEILED}@{position} on"
            if given:
                self.chance.check_salts(self.state.chance, given, position)
            try:
                if isinstance(event, Redrawn):
                    self._redraw(event, position)
                    continue
                for part in parts(event):
                    self.chance.check(self.state.chance, part, position)
                    part.apply(self.state)
            except Exception as error:
                self._lose(f"the event cannot have happened here ({type(error).__name__}: {error})", position)
                return False
            if event.reveals or (isinstance(event, KeyRevealed) and self.rules is not None and self.rules.secretive):
                self.crossing.see(position, event)  # with the secret of chance all is out that was hidden
            if position in self._snapshots:
                self._compare(position)
        return True

    @property
    def _redrawn_at(self) -> int:
        return self.survey.redrawn[-1][0] if self.survey.redrawn else -1

    def _redraw(self, event: Redrawn, position: int) -> None:
        """Check what was drawn anew, apply it, and let the rules go on from there: all is known again."""
        before = self.rerun.copy(self.state)
        event.apply(self.state)
        readers = {seat for until, seat in self.survey.redrawn if until > position} | ({self.seat} - {""})
        for check, reason in wrong(before, self.state, event, whole=not readers):
            self.ledger.bad(check, reason, position)
        key = self.chance.fate.salts.get(self.state.chance.epoch)
        if key is not None and readers <= {event.seat}:
            self.rerun.redraw(before, event, position, key.key, self._recorded_by)
        if self.rerun.stopped.startswith(VEILED) and not readers:
            self.rerun.stopped = ""
        self.ledger.remark(
            f"@{position}: a fork as of {event.seat}: before it stands what {event.seat} knew, and all else was drawn anew"
        )

    def _compare(self, position: int) -> None:
        kept = self._snapshots[position]()
        if kept is not None and self._vault is not None and kept != self._vault.copy(self.state):
            self.ledger.bad(
                "shelf",
                "the snapshot kept of this position is not what the log gives, and positions after it are wrong: throw "
                "the snapshots away with --drop-snapshots",
                position,
                cause=SNAPSHOT,
            )


_HEADS: dict[str, type[Event]] = {cls.__name__: cls for cls in HEADS if cls not in (GameOpened, ActionTaken)}
