"""What an examination of a log must know beforehand: where it was rewound to, which secrets of chance come out, and up to
where it is only what one seat knew.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from typing import Any

import msgspec

from ..domain.chance import Salt
from .codec import public
from .shelf import Row
from .timeline import Tree


class _Rewound(msgspec.Struct):
    to: int


class _KeyRevealed(msgspec.Struct):
    since: int
    nonce: str
    seed: str


class _Redrawn(msgspec.Struct):
    seat: str = ""


class Survey:
    """The rewinds, the revealed secrets and the redraws of one log; what is damaged is passed over, and found later."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.tree = Tree()
        self.revealed: dict[int, Salt] = {}
        self.last_use: dict[int, int] = {}
        """By the position a rewind goes to: the last rewind that goes there."""
        self.redrawn: list[tuple[int, str]] = []
        """Where what a seat did not know was drawn anew, and that seat: before it stands what it knew, and no more."""
        for row in rows:
            try:
                if row.kind == "Redrawn":
                    self.redrawn.append((row.position, msgspec.json.decode(public(row.data), type=_Redrawn).seat))
                elif row.kind == "Rewound":
                    to = msgspec.json.decode(public(row.data), type=_Rewound).to
                    if 0 <= to < row.position:
                        self.tree.rewound(row.position, to)
                        self.last_use[self.tree.resolve(to)] = row.position
                elif row.kind == "KeyRevealed":
                    out = msgspec.json.decode(public(row.data), type=_KeyRevealed)
                    self.revealed.setdefault(out.since, Salt(nonce=out.nonce, seed=out.seed))
            except (msgspec.MsgspecError, ValueError, RecursionError):
                continue


KINDS = ("Rewound", "KeyRevealed", "Redrawn")
"""The kinds of rows that a survey reads."""


class Vault:
    """States put aside for later rewinds: in memory while they are few, else in a temporary file."""

    def __init__(self, state: type[Any]) -> None:
        self._decode = msgspec.json.Decoder(state).decode
        self._file = tempfile.SpooledTemporaryFile(max_size=8 * 2**20)  # noqa: SIM115
        self._where: dict[int, tuple[int, int, int]] = {}

    def put(self, position: int, state: Any, reveals: int) -> None:
        """Keep the state of a position, and how many outcomes its line had revealed."""
        data = msgspec.json.encode(state)
        at = self._file.seek(0, 2)
        self._file.write(data)
        self._where[position] = (at, len(data), reveals)

    def get(self, position: int, *, last: bool) -> tuple[Any, int] | None:
        """Return the state of a position and its count of revealed outcomes, None if it was not kept."""
        found = self._where.pop(position, None) if last else self._where.get(position)
        if found is None:
            return None
        at, size, reveals = found
        self._file.seek(at)
        state = self._decode(self._file.read(size))
        if not self._where:
            self._file.seek(0)
            self._file.truncate()
        return state, reveals

    def copy(self, state: Any) -> Any:
        """Return another object of the same state."""
        return self._decode(msgspec.json.encode(state))

    def close(self) -> None:
        """Throw everything away."""
        self._file.close()
