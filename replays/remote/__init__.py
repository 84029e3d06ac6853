"""A game service as a store: the same library and the same games over HTTP, with the extra `remote` (httpx)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...domain.errors import StoreError


@contextmanager
def needs_httpx() -> Iterator[None]:
    """Turn the import of a missing httpx into StoreError, with what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "httpx":
            raise
        raise StoreError("Games on a server need the httpx package: pip install 'warptape[remote]'.") from error
