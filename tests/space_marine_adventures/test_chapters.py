"""A campaign as one recorded game: levels in addresses, chapters in the story, boards at every moment, undo over a level's end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import warptape
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures.events_setup import LevelStarted
from warptape.domain.space_marine_adventures.events_turn import RoundStarted
from warptape.projections.boards import draw
from warptape.replays.simulate import plan, play
from warptape.replays.viewer import Viewer

NAME = "space-marine-adventures"
CHAPTERS = ["Level 1: Enter the Space Hulk", "Level 2: The Elite Hunters", "Level 3: Lair of the Tyranid Prime"]


@pytest.fixture(scope="module")
def store() -> Iterator[warptape.Store]:
    with warptape.open(":memory:") as store:
        yield store


@pytest.fixture(scope="module")
def campaign(store: warptape.Store) -> warptape.Game:
    """The first campaign of a bot that comes to Level 3."""
    for number in range(200):
        options = {"mode": "campaign", "campaign_pass": "1", "challenges": "all", "skull_cards": "all"}
        game = store.new(NAME, seed=f"chapters {number}", options=options, seats={"team": "bot:sensible"})
        game.run({})
        if game.state.level == 3:
            return game
    raise AssertionError("no bot comes to Level 3")


def test_levels_and_their_rounds_have_addresses(campaign: warptape.Game) -> None:
    """Each level counts its own rounds; along the line they count on."""
    level = number = along = 0
    for position, event in campaign.line():
        if isinstance(event, LevelStarted):
            level, number = event.level, 0
            assert campaign.locate(f"@l{level}") == position
            assert campaign.at(f"@l{level}").state.level == level
        elif isinstance(event, RoundStarted):
            number, along = number + 1, along + 1
            assert event.round == number
            assert campaign.locate(f"@l{level}r{number}") == campaign.locate(f"@r{along}") == position
    assert level == 3
    with pytest.raises(warptape.WarptapeError, match="There is no level 4: this line of the game has 3"):
        campaign.locate("@l4")


def test_the_story_has_chapters(campaign: warptape.Game) -> None:
    story = campaign.transcript("md")
    assert [line[3:] for line in story.splitlines() if line.startswith("## ")] == CHAPTERS
    second = story[story.index(CHAPTERS[1]) : story.index(CHAPTERS[2])]
    assert "\n### Round 1\n" in second
    assert "Level 1 is behind them" not in second
    assert "Level 2 is behind them" in second
    assert "\n#### " in second
    text = campaign.transcript("txt")
    assert f"\n{CHAPTERS[2]}\n{'=' * len(CHAPTERS[2])}\n" in text
    assert f"<h2>{CHAPTERS[0]}</h2>" in campaign.transcript("html")


@pytest.mark.parametrize("level", ["1", "2", "3"])
def test_a_level_by_itself_has_no_chapter_and_an_address(store: warptape.Store, level: str) -> None:
    game = store.new(NAME, seed="single", options={"level": level}, seats={"team": "bot:random"})
    assert game.event(game.locate("@l1")).level == int(level)  # type: ignore[attr-defined]
    assert f"{CHAPTERS[int(level) - 1]} begins." in game.transcript("md")
    assert "## Level" not in game.transcript("md")


def test_the_viewer_says_which_level_it_is(campaign: warptape.Game) -> None:
    viewer = Viewer(campaign, "@l2r2")
    here = viewer.where()
    assert (here.level_text, here.round_text) == (CHAPTERS[1], "Round 2")
    viewer.jump("level")
    here = viewer.where()
    assert (here.level_text, here.round_text, here.turn_text) == (CHAPTERS[2], "", "")


def test_every_moment_of_a_campaign_is_drawn(campaign: warptape.Game) -> None:
    """Each piece has a square of its own that is drawn, on the hulk or on the tile that waits; no text is too wide."""
    viewer = Viewer(campaign)
    ends = [campaign.locate(f"@l{level}") for level in (2, 3)]
    waiting = 0
    while True:
        state = viewer.shown
        scene = draw(RULESET, state, "x")
        places = [piece.at for piece in scene.pieces]
        assert len({*places}) == len(places)
        assert {*places} <= {(cell.x, cell.y) for cell in scene.cells}
        standing = sum(bool(marine.square) for marine in state.marines.values())
        assert len(places) == standing + len(state.tyranids)
        assert all(len(line) <= 100 for line in scene.text().splitlines())
        waiting += bool(state.faces) and not state.entry
        near = min(abs(viewer.position - end) for end in ends)
        if not viewer.step(1 if near < 40 else 23):
            break
    assert waiting > 8


def test_an_undo_and_a_rewind_go_over_the_end_of_a_level(campaign: warptape.Game) -> None:
    """The last action of Level 1 is taken back and done again: the same dice, the same level after it."""
    started = campaign.batch_end(campaign.locate("@l2"))
    game = campaign.fork(started, seats={"team": "human"}, undo="free")
    assert (game.state.level, game.state.faces != ()) == (2, True)
    before = game.state.copy()
    game.undo()
    assert game.state.level == 1
    assert game.state.marines
    game.redo()
    assert game.state == before
    game.rewind("@l1r1")
    assert (game.state.level, game.state.round, game.state.faces) == (1, 1, ())
    with pytest.raises(warptape.WarptapeError, match="There is no level 2: this line of the game has 1"):
        game.locate("@l2")
    game.rewind(started)
    assert game.state == before
    assert game.audit().ok


def test_statistics_count_the_rounds_of_all_levels(store: warptape.Store) -> None:
    options = {"mode": "campaign", "campaign_pass": "1"}
    what = plan(NAME, "rounds", {"team": "sensible"}, options)
    totals = play(what, 1, 6)
    counted = 0
    for number in range(1, 7):
        game = store.new(NAME, seed=what.seed(number), options=options, seats={"team": "bot:sensible"})
        game.run({})
        counted += sum(isinstance(event, RoundStarted) for _, event in game.line())
    assert (totals.games, totals.rounds, totals.failures) == (6, counted, [])
    assert totals.figures["rounds"] == counted
    # Nobody is on an exit tile at Level 3: an average is over the campaigns that ended where there is one.
    assert (totals.having["rounds"], totals.having["damage"] + totals.having["on_exit"]) == (6, 6)
