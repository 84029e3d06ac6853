"""The transcript: one line of a game as a story, with what was taken back, and nothing that a seat may not know."""

from __future__ import annotations

import html.parser
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import warptape
from warptape.domain.errors import BadAddress, NotAllowed
from warptape.domain.secrets import Secret
from warptape.replays.transcript import transcript, transcript_lines


@pytest.fixture
def store() -> Iterator[warptape.Store]:
    with warptape.open(":memory:") as store:
        yield store


def story(store: warptape.Store) -> warptape.Game:
    """A game whose seed makes every roll known: 3 4 4 6 …"""
    game = store.new("pig", seed="a", name="Sunday", options={"goal": 20}, seats={"p2": "bot:sensible"}, undo="free")
    game.act("roll", person="Ann")
    game.undo(person="Ann", reason="too early")
    game.act("roll")
    game.note("a *fine* <roll>", person="Ben")
    game.act("hold")
    return game


MARKDOWN = """\
# Pig: Sunday

- Player 1: human
- Player 2: bot:sensible

**Player 2: won (the goal is reached); Player 1 2, Player 2 23.**

- Pig is opened.[^1]

## Player 1 takes a turn

- **Player 1** `roll`: Rolled 2 for pig. The turn is worth 2.
- > *a \\*fine\\* &lt;roll&gt;* (Ben)
- **Player 1** `hold`: Player 1 holds with 2 points.

## Player 2 takes a turn

- **Player 2** `roll`: Rolled 6 for pig. The turn is worth 6.
- **Player 2** `roll`: Rolled 3 for pig. The turn is worth 9.
- **Player 2** `roll`: Rolled 2 for pig. The turn is worth 11.
- **Player 2** `roll`: Rolled 4 for pig. The turn is worth 15.
- **Player 2** `roll`: Rolled 3 for pig. The turn is worth 18.
- **Player 2** `roll`: Rolled 5 for pig. The turn is worth 23.
- **Player 2** `hold`: Player 2 holds with 23 points.
- The secret of chance is revealed.

[^1]: Taken back by Ann (too early). It went: Player 1: roll. Rolled 2 for pig. The turn is worth 2.
"""


def test_markdown(store: warptape.Store) -> None:
    game = story(store)
    assert game.transcript() == MARKDOWN
    assert game.transcript("md") == "".join(transcript_lines(game)) == MARKDOWN


def test_text(store: warptape.Store) -> None:
    text = story(store).transcript("txt")
    assert text.startswith("Pig: Sunday\n===========\n\nPlayer 1: human\n")
    assert "\nPlayer 2 takes a turn\n---------------------\n" in text
    assert "- Player 1: roll. Rolled 2 for pig. The turn is worth 2.\n  | a *fine* <roll> (Ben)\n" in text
    assert text.endswith(
        "\n[1] Taken back by Ann (too early). It went: Player 1: roll. Rolled 2 for pig.\n    The turn is worth 2.\n"
    )
    assert all(len(line) <= 80 for line in text.splitlines())


class Reader(html.parser.HTMLParser):
    """Checks that tags are balanced, and gathers texts and tags."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        if tag not in ("meta", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def test_html(store: warptape.Store) -> None:
    page = story(store).transcript("html", variations=True)
    reader = read(page)
    assert "a *fine* <roll> (Ben)" in reader.texts
    assert reader.tags.count("h2") == 2
    assert '<sup><a href="#note-1">1</a></sup>' in page
    assert '<li id="note-1">' in page
    assert '<div class="aside">' in page


def test_variations_tell_the_abandoned_lines_in_full(store: warptape.Store) -> None:
    game = story(store)
    game.rewind("@d2", reason="what if")
    game.act("roll")
    brief, full = game.transcript("txt"), game.transcript("txt", variations=True)
    assert "And 4 more decisions." in brief
    assert "holds with 23" not in brief
    assert "    ( Left by a rewind (what if).\n    - Player 1: hold. Player 1 holds with 2 points.\n" in full
    assert "    - Player 2: hold. Player 2 holds with 23 points.\n" in full
    assert "It went" not in full
    marked = game.transcript("md", variations=True)
    assert (
        "    - *Left by a rewind (what if).*\n        - **Player 1** `hold`: Player 1 holds with 2 points.\n" in marked
    )


def test_what_was_taken_up_again_is_no_footnote(store: warptape.Store) -> None:
    game = store.new("pig", seed="a", undo="free")
    game.act("roll")
    game.undo()
    game.redo()
    assert "[^1]" not in game.transcript()


def test_the_story_of_an_earlier_moment(store: warptape.Store) -> None:
    """Only what had happened by then: no later take-backs, notes or ends, and of an abandoned line its own story."""
    game = story(store)
    start = game.transcript(at="@start")
    assert "[^1]" not in start
    assert "roll" not in start
    assert "The game is open: Player 1 must decide." in start
    first = game.transcript(at=6)
    assert "The turn is worth 2" in first
    assert "[^1]" not in first
    assert "[^1]" in game.transcript(at=10)
    assert "fine" not in game.transcript(at=10)
    with pytest.raises(BadAddress):
        game.transcript(at="@d99")


def test_nothing_hidden_is_told_to_a_seat(store: warptape.Store) -> None:
    """Of two worlds that a seat cannot tell apart it is told the same; the owner's story has what it lacks."""
    game = store.new("hidden", seed="s", undo="free")
    for _ in range(14):
        game.act(list(game.decision.actions)[-1])
    game.undo()
    for seat, other in (("raider", "warden"), ("warden", "raider")):
        for form in ("md", "txt", "html"):
            told = game.transcript(form, seat=seat, variations=True)
            assert told != game.transcript(form, variations=True)
            hidden = {
                str(item.value)
                for item in game.state.chance.bags["crew"].out.values()
                if isinstance(item, Secret) and seat not in item.seen_by
            }
            assert not any(name in told for name in hidden)
            assert f"The {other}" in told
    assert "acts in secret" in game.transcript(seat="raider")
    assert re.search(r"Known to: The raider", game.transcript("txt", seat="raider"))
    with pytest.raises(NotAllowed, match="no seat"):
        game.transcript(seat="nobody")


def test_a_seat_is_told_the_same_from_its_own_log(store: warptape.Store, tmp_path: Any) -> None:
    game = store.new("hidden", seed="s", name="here")
    game.run({"raider": "bold", "warden": "random"}, 20)
    for seat in ("raider", "warden"):
        with warptape.open(":memory:") as other:
            copy = other.load(game.export(tmp_path / "x", seat), "here")
            mine = game.transcript("txt", seat=seat).split("\n\n")[1:]
            assert copy.transcript("txt").split("\n\n")[1:] == mine


def test_a_fork_tells_its_past(store: warptape.Store) -> None:
    game = story(store)
    fork = game.fork(at="@d2", name="other")
    fork.act("roll")
    told = fork.transcript("txt")
    assert told.startswith("Pig: other\n")
    assert "A fork of game" in told
    assert "[1] Taken back by Ann" in told


def test_no_such_format(store: warptape.Store) -> None:
    with pytest.raises(NotAllowed, match="use md, txt, html"):
        store.new("pig").transcript("pdf")


NASTY = st.text(st.sampled_from("ab <>&\"'`*_[]()#|~\\!-+=1.:/\n\r\t\x00\x1b\u202e\u2028é😀"), min_size=1, max_size=30)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(NASTY, NASTY)
def test_what_people_type_stays_text(note: str, person: str) -> None:
    """Names, notes and reasons cannot make markup, headings, new lines or terminal codes."""
    with warptape.open(":memory:") as store:
        game = store.new("pig", seed="a", undo="free", name="x")
        game.act("roll", person="Ann")
        plain = game.transcript("html")
        try:
            game.note(note.replace("\x00", ""), person=person.replace("\x00", ""))
        except NotAllowed:  # nothing but white space
            return
        page = game.transcript("html")
        assert len(read(page).tags) == len(read(plain).tags) + 1
        for form in ("md", "txt"):
            text = transcript(game, form)
            assert not re.search("[\x00-\x09\x0b-\x1f\u202e\u2028]", text)
        marked = game.transcript("md").splitlines()
        (line,) = [line for line in marked if line.startswith("- > *")]
        assert "<" not in line
        assert not re.search(r"(?<!\\)(?:\\\\)*[`\[|~]", line)
