"""Paths as people type them."""

from __future__ import annotations

import os
from pathlib import Path

from ..domain.errors import StoreError


def typed(path: str | os.PathLike[str]) -> Path:
    """Return a path with `~` and `~user` replaced by a home folder; raises StoreError where there is none."""
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise StoreError(f"{os.fspath(path)} cannot be used: there is no such home folder.") from error
