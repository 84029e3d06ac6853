"""What a service may be told: its limits, who may do what, and how it logs."""

from __future__ import annotations

from typing import Literal

import msgspec


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `warptape serve`; sizes are in bytes, times in seconds, rates in requests a second (0: no limit).

    `body` is the most a request may have, `content` where a game brings its own content, `log_file` where one is
    imported. `head` is how long the head of a request may take to come, `patience` how long a request may wait for a
    game that another one holds, `slow` how long a client may leave what was sent to it unread before its stream is ended.
    """

    body: int = 64 * 2**10
    content: int = 5 * 2**20
    log_file: int = 64 * 2**20
    token_rate: float = 50.0
    address_rate: float = 200.0
    create_rate: float = 1.0
    streams: int = 2000
    streams_each: int = 16
    seconds: float = 30.0
    long_seconds: float = 600.0
    head: float = 10.0
    patience: float = 20.0
    heartbeat: float = 15.0
    slow: float = 20.0
    grace: float = 20.0
    games: int = 256
    threads: int = 24
    poll: float = 0.2
    look: float = 2.0
    open: bool = False
    open_metrics: bool = False
    log: Literal["json", "text"] = "text"
