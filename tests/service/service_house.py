"""A service over a store of its own, with a token of every kind, and everything that it ever said."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.store import Store, open_store
from warptape.replays.writing import Desk
from warptape.service.access import ALL, ARBITER, SEAT, SPECTATOR
from warptape.service.logs import LOGGER, Lines
from warptape.service.running import running
from warptape.service.settings import Settings

FREELY = Settings(token_rate=0, address_rate=0)


class Quiet(Desk):
    """A desk that writes no reports."""


class House:
    """A live service with its client; `said` is all that it answered, `logged` all that it wrote into its log."""

    def __init__(self, store: Store, settings: Settings = FREELY) -> None:
        self.store = store
        self.settings = settings
        self.said: list[str] = []
        self.logged: list[str] = []

    @contextmanager
    def open(self) -> Iterator[House]:
        """Serve, and end with the context."""
        handler = _Kept(self.logged)
        handler.setFormatter(Lines(as_json=True))
        level = LOGGER.level
        LOGGER.addHandler(handler)
        LOGGER.setLevel(logging.INFO)
        try:
            with running(self.store, self.settings, Quiet()) as (self.url, self.service):
                self.host = self.service.access.new_host()
                with httpx.Client(base_url=self.url, timeout=30) as self.client:
                    yield self
        finally:
            LOGGER.removeHandler(handler)
            LOGGER.setLevel(level)

    def ask(self, method: str, path: str, token: str | None = None, **given: Any) -> httpx.Response:
        """Send a request and keep what was answered, headers and all."""
        headers = {**given.pop("headers", {}), **({} if token is None else {"Authorization": f"Bearer {token}"})}
        answer = self.client.request(method, path, headers=headers, **given)
        self.said.append(f"{answer.headers}\n{answer.text}")
        return answer

    def get(self, path: str, token: str | None = None, **params: Any) -> Any:
        """Return what a GET answers as JSON, which must be allowed."""
        answer = self.ask("GET", path, token, params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, token: str | None = None, **body: Any) -> Any:
        """Return what a POST answers as JSON, which must be allowed."""
        answer = self.ask("POST", path, token, json=body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def new(self, ruleset: str, **given: Any) -> Table:
        """Start a game in the store and give out every kind of token."""
        return Table(self, Library[Game](self.store, Quiet()).new(ruleset, **given))


class Table:
    """A game of the house, with a token of each kind by name."""

    def __init__(self, house: House, game: Game) -> None:
        self.house = house
        self.game = game
        self.id = game.id
        self.path = f"/v1/games/{self.id}"
        self.seats = list(game.seats)
        access = house.service.access
        self.tokens = {seat: access.issue(self.id, SEAT, seat, f"{seat}'s player")[0] for seat in self.seats}
        self.tokens["host"] = house.host
        self.tokens["blind"] = access.issue(self.id, ARBITER)[0]
        self.tokens["sees"] = access.issue(self.id, ARBITER, ALL)[0]
        self.tokens["public"] = access.issue(self.id, SPECTATOR)[0]
        self.tokens["late"] = access.issue(self.id, SPECTATOR, delay=10)[0]
        self.tokens["end"] = access.issue(self.id, SPECTATOR, delay=-1)[0]

    def revoked(self) -> str:
        """Return a token that was revoked."""
        secret, token = self.house.service.access.issue(self.id, SEAT, self.seats[0] + "-none")
        self.house.service.access.revoke(self.id, token.info.fingerprint)
        return secret

    def ask(self, method: str, path: str, who: str, **given: Any) -> httpx.Response:
        """Send a request below the game's path with somebody's token."""
        return self.house.ask(method, self.path + path, self.tokens[who], **given)

    def get(self, path: str, who: str, **params: Any) -> Any:
        """Return what a GET below the game's path answers as JSON."""
        return self.house.get(self.path + path, self.tokens[who], **params)

    def post(self, path: str, who: str, **body: Any) -> Any:
        """Return what a POST below the game's path answers as JSON."""
        return self.house.post(self.path + path, self.tokens[who], **body)

    def legal(self, number: int = 0) -> str:
        """Return the notation of a legal action."""
        decision = self.game.decision
        assert decision is not None
        return self.game.ruleset.notation(self.game.state, decision.actions[number % len(decision.actions)])

    def play(self, decisions: int, choose: Callable[[int], int]) -> None:
        """Take actions, each over HTTP with the token of its seat: `choose` gives a number below another."""
        for _ in range(decisions):
            decision = self.game.decision
            if decision is None:
                return
            self.post("/act", decision.seat, actions=[self.legal(choose(len(decision.actions)))])
            self.game.refresh()


class _Kept(logging.Handler):
    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@contextmanager
def house(settings: Settings = FREELY) -> Iterator[House]:
    """A house over a store in memory, which is quick."""
    with open_store(":memory:") as store, House(store, settings).open() as opened:
        yield opened
