"""The desk a game is written at: clock, entropy and ids come from here, so that tests can bring their own."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from ..domain.chance import Salt
from .store import Store


class Desk:
    """What recording needs from the world."""

    def now(self) -> str:
        """Return the time, ISO 8601 in UTC with milliseconds."""
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def salt(self) -> Salt:
        """Return a secret that nobody knows: 32 random hex digits."""
        return Salt(nonce=secrets.token_hex(16))

    def new_id(self) -> str:
        """Return an id for a game: ten letters and digits, none of them easily confused."""
        return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(10))

    def fork_name(self, store: Store, name: str) -> str:
        """Return a free name for a fork of a game: `name fork 2`."""
        return self.free_name(store, f"{name.partition(' fork')[0][:60]} fork")

    def free_name(self, store: Store, base: str) -> str:
        """Return `base`, or `base 2`, `base 3` … when others have that name."""
        taken = {shelf.name for shelf in store.shelves()}
        number = 1
        name = base
        while name in taken:
            number += 1
            name = f"{base} {number}"
        return name
