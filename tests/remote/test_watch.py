"""The viewer of `replay` on a game on a server: it goes on when others play."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from warptape.replays.remote.passes import Wallet
from warptape.replays.viewer import Viewer
from warptape.served import open_served

pytest.importorskip("textual", reason="the viewer needs Textual: install 'warptape[tui]'")

from textual.widgets import Static

from warptape.cli.watching import Watch


def test_what_others_record_comes_on_the_screen(live: Any, tmp_path: Path) -> None:
    with (
        open_served(live.url, wallet=Wallet(tmp_path / "host.json")) as host,
        open_served(live.url, wallet=Wallet(tmp_path / "looker.json")) as looker,
    ):
        game = host.new("pig", seed="watched", name="watched", undo="free", options={"goal": 1000})
        game.act("roll")
        looker.join(host.invite(game.id).secret)
        viewer = Viewer(looker.game("watched"), "@end")

        async def watched() -> None:
            app = Watch(viewer)
            async with app.run_test(size=(100, 40)) as pilot:
                await pilot.pause()
                assert viewer.position == 6
                for _ in range(2):
                    length = game.length
                    await asyncio.to_thread(game.act, "roll")
                    deadline = time.monotonic() + 20
                    while viewer.position < game.tip:
                        assert time.monotonic() < deadline
                        await pilot.pause(0.05)
                    assert f"{game.length - length} new events" in str(app.query_one("#where", Static).render())
                await pilot.press("home")
                await asyncio.to_thread(game.note, "well")
                deadline = time.monotonic() + 20
                while viewer.tape.length < game.length:
                    assert time.monotonic() < deadline
                    await pilot.pause(0.05)
                assert viewer.position < 6  # who looks at something else is left there
                await pilot.press("q")

        asyncio.run(watched())
