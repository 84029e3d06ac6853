"""The connections of the service: no part of an answer waits for the part before it to be acknowledged."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from service_house import house

from warptape.service.connections import Connection


def test_an_answer_is_sent_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it comes 40 ms later, for all that is sent in two parts: heading and body."""
    found: list[int] = []
    receive = Connection.data_received

    def look(connection: Any, data: bytes) -> None:
        line = connection.transport.get_extra_info("socket")
        found.append(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        receive(connection, data)

    monkeypatch.setattr(Connection, "data_received", look)
    with house() as opened:
        opened.get("/health/live")
    assert found
    assert all(found)
