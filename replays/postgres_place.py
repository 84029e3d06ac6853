"""Where a PostgreSQL store is: what its URL says, with the password kept out of every text."""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict

from ..domain.errors import StoreError

PATIENCE = 10  # seconds to wait for a lock or a connection
SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,62}")


class Place(NamedTuple):
    """A schema of a database: `name` is the URL with its password masked, `info` what a connection is made with."""

    name: str
    password: str
    schema: str
    info: dict[str, Any]

    @property
    def parameters(self) -> dict[str, Any]:
        """What a connection is made with, and how long that may take."""
        return {"connect_timeout": PATIENCE, **self.info}

    def said(self, error: Exception) -> str:
        """Return the first line of an error's text, without the password."""
        return self.clean((str(error).strip() or type(error).__name__).splitlines()[0].rstrip("."))

    def clean(self, text: str) -> str:
        """Return a text without the password."""
        for written in {self.password, unquote(self.password)} - {""}:
            text = text.replace(written, "***")
        return text


def place_of(url: str) -> Place:
    """Return where a URL leads; raises StoreError for one that is none."""
    name, password = mask(url)
    place = Place(name, password, "public", {})
    if wrong := [letter for letter in "@/?#" if letter in password]:
        raise StoreError(f"The password in {name} holds '{wrong[0]}': in a URL that is written %{ord(wrong[0]):02X}.")
    try:
        parts = urlsplit(url)
        query = parse_qsl(parts.query, keep_blank_values=True)
        schema = dict(query).get("schema") or "public"
        rest = urlencode([(key, value) for key, value in query if key != "schema"], quote_via=quote)
        info = conninfo_to_dict(urlunsplit(parts._replace(query=rest)))
    except (ValueError, psycopg.Error) as error:
        raise StoreError(f"{name} is not the URL of a PostgreSQL database: {place.said(error)}.") from error
    if not SCHEMA.fullmatch(schema):  # the library writes it unquoted in places
        raise StoreError(f"{schema!r} cannot be the schema of a store: use small letters, digits and '_'.")
    return Place(name, password, schema, info)


def mask(url: str) -> tuple[str, str]:
    """The URL with its password masked, and the password as written (empty when there is none).

    A password that holds what it may not, such as `/`, is found as well.
    """
    found = (
        re.match(r"[^:/]+://[^/?#]*?:(?P<password>[^/?#]*)@", url)
        or re.match(r"[^:/]+://[^/?#@]*?:(?P<password>(?!\d+/)[^?]*)@", url)
        or re.search(r"[?&]password=(?P<password>[^&]*)", url)
        or re.match(r"[^:/]+://[^/?#@]*?:(?P<password>(?!\d+/).*)@", url)
    )
    if found is None or not found["password"]:
        return url, ""
    start, end = found.span("password")
    return f"{url[:start]}***{url[end:]}", found["password"]
