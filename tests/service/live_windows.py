"""A person at a browser: the page of a game, opened through a line of its own, which keeps all that came over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from cutting import Cutter
from service_house import Table

POINT = """
(name) => {
  const one = document.querySelector(`#board [data-ref~="${CSS.escape(name)}"]`);
  if (!one) return null;
  const { left, top, width, height } = one.getBoundingClientRect();
  let found = null;
  for (let y = 1; y < 16; y++) for (let x = 1; x < 16; x++) {
    const at = [left + (width * x) / 16, top + (height * y) / 16];
    const hit = document.elementFromPoint(...at)?.closest("#board [data-ref]");
    const far = Math.hypot(x - 8, y - 8);
    if (hit && (hit === one || one.contains(hit)) && (!found || far < found[2])) found = [...at, far];
  }
  return found;
}
"""
"""A point on the screen where a click is on a thing of the board."""


class Window:
    """The page of one game for one token."""

    def __init__(self, page: Any, line: Cutter, table: Table) -> None:
        self.page = page
        self.line = line
        self.table = table
        self.troubles: list[str] = []
        self.asked: list[str] = []
        page.set_default_timeout(20_000)
        page.on("console", lambda said: self.troubles.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))

    def go(self, who: str) -> Window:
        """Open the page with somebody's token in the fragment."""
        self.page.goto(f"{self.line.url}/play/{self.table.id}#{self.table.tokens[who]}")
        return self.ready()

    def ready(self) -> Window:
        """Wait until the game is shown."""
        self.page.wait_for_selector("body:not(.waiting):not(.empty)")
        return self

    def until(self, condition: Callable[[], Any], what: str = "") -> None:
        """Wait until something holds."""
        for _ in range(400):
            if condition():
                return
            self.page.wait_for_timeout(25)
        raise AssertionError(f"it never came to that: {what}; {self.text('#turn')}, {self.text('#said')}")

    def text(self, selector: str) -> str:
        """Return what stands in an element."""
        found: str = self.page.locator(selector).inner_text()
        return found

    def upto(self) -> int:
        """Return the position that is counted at the last moment."""
        return int(self.text("#count").partition("@")[2].partition(" ")[0] or -1)

    def mine(self) -> bool:
        """Say whether it is this one's turn."""
        return (
            bool(self.page.locator("#acting.mine").count()) and not self.page.locator("#acting[aria-busy=true]").count()
        )

    def refs(self) -> list[str]:
        """Return what is marked on the board as something that can be chosen."""
        found: list[str] = self.page.evaluate(
            "[...document.querySelectorAll('#board .may')].flatMap((one) => one.dataset.ref.split(' '))"
        )
        return found

    def click(self, name: str) -> None:
        """Click on a thing of the board."""
        at = self.page.evaluate(POINT, name)
        assert at is not None, f"{name} is not on the board"
        self.page.mouse.click(at[0], at[1])

    def type(self, notation: str) -> None:
        """Type an action and say yes to it, by keys alone."""
        self.page.keyboard.press("/")
        self.until(lambda: self.page.evaluate("document.activeElement.id") == "words", "the field for actions")
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.type(notation)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("#proposal:not([hidden])")
        self.page.keyboard.press("Enter")

    def confirm(self) -> None:
        """Say yes to what is proposed, by a click."""
        self.page.locator("#confirm").click()

    def drop(self) -> None:
        """Break the line."""
        self.line.drop()

    def back(self) -> None:
        """Have the line again."""
        self.line.restore()


@contextmanager
def window(chromium: Any, table: Table, *, expected: tuple[str, ...] = (), **context: Any) -> Iterator[Window]:
    """A new browser at a line of its own; afterwards nothing but what was `expected` may have gone wrong in it."""
    line = Cutter(urlsplit(table.house.url).port or 0, keep=True)
    context = {"viewport": {"width": 1280, "height": 860}, **context}
    opened = chromium.new_context(extra_http_headers={"Accept-Encoding": "identity"}, **context)
    try:
        found = Window(opened.new_page(), line, table)
        yield found
        assert not [one for one in found.troubles if not any(word in one for word in expected)]
        assert not [url for url in found.asked if not url.startswith((line.url, "data:"))]
        assert not [url for url in found.asked if "wt_" in url or "wi_" in url]
        # What came over the line can be read: nothing was compressed.
        assert b"content-encoding" not in line.kept.lower()
    finally:
        opened.close()
        line.close()
