"""The chain of a log: each head carries the digest of the batch before it."""

from __future__ import annotations

import hashlib

from ..domain.errors import BadLog
from .codec import head_kinds

HEAD_KINDS = head_kinds()


class BrokenChain(BadLog):
    """A batch of a log is not the one that the next head, or the digest beside the log, was made from."""


class Chain:
    """Follows a log event by event and says where it does not hang together.

    `first` is the position of the head of the batch at hand, `prev_first` of the batch before it.
    """

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self.first = 0
        self.prev_first = 0

    @property
    def head(self) -> str:
        """The digest of the batch at hand, as far as it was fed."""
        return self._hash.hexdigest()

    def feed(self, position: int, kind: str, prev: str, public: bytes) -> str | None:
        """Take the next event, its kind and `prev` and its public bytes; returns what is wrong, None when nothing is."""
        wrong = None
        if kind in HEAD_KINDS or position == 0:
            before = "" if position == 0 else self.head
            if position == 0 and kind != "GameOpened":
                wrong = f"a log begins with GameOpened, not with {kind}"
            elif prev != before:
                wrong = self.broken(position) if position else "the opening follows on nothing"
            self._hash = hashlib.sha256()
            self.prev_first, self.first = self.first, position
        self._hash.update(public + b"\n")
        return wrong

    def broken(self, stop: int | None = None) -> str:
        """Return the sentence for a batch at hand, which ends before `stop`, that is not what the chain says."""
        if stop is None:
            return f"the chain is broken: the last batch, from @{self.first} on, was changed, or the digest beside the log was"
        batch = f"@{self.first}" if stop - 1 == self.first else f"@{self.first} to @{stop - 1}"
        return (
            f"the chain is broken: the batch {batch} is not the one that @{stop} was recorded after; an event of it, "
            "or that head, was changed, dropped or put in"
        )
