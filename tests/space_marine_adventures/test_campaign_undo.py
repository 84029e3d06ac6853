"""Recorded campaigns: undo, rewind and fork over the levels, what chance gives then, audit, export and views."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import campaigns
import games
import laws
import pytest
from helpers import names, of

import warptape
from warptape.domain.chance import Fate, Luck
from warptape.domain.errors import IllegalAction, NotAllowed
from warptape.domain.events import ActionTaken, CardDrawn, DeckShuffled, DiceRolled, Event, Redrawn, Resalted
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures.events import (
    LevelCleared,
    LevelEnded,
    LevelStarted,
    RoundStarted,
)
from warptape.domain.space_marine_adventures.state import LevelState, Options

NAME = "space-marine-adventures"
MODE = {"mode": "campaign"}


def far(level: int = 3, options: Options = campaigns.CAMPAIGN, most: int = 400) -> Match:
    """The first of some games by fate's own dice that comes to a level."""
    for number in range(most):
        match = games.whole(f"far {number}", options)
        if match.state.level >= level:
            return match
    raise AssertionError("no campaign comes that far")


@pytest.fixture(scope="module")
def match() -> Match:
    """A campaign that comes to Level 3."""
    return far()


def recorded(match: Match, undo: str = "free", store: Any = None, **options: str) -> Any:
    """The same game, recorded: the same actions with the same seed."""
    store = store or warptape.open(":memory:")
    game = store.new(NAME, seed=seed_of(match), options={**MODE, **options}, undo=undo)
    for event in match.events:
        if type(event) is ActionTaken:
            game.act(event.action)
    return game


def seed_of(match: Match) -> str:
    """The seed a match was played with."""
    chance = match.referee.chance
    assert isinstance(chance, Fate)
    return chance.salts[0].seed


@pytest.fixture
def game(match: Match) -> Iterator[Any]:
    """That campaign in a store of its own."""
    with warptape.open(":memory:") as store:
        yield recorded(match, store=store)


def places(game: Any, kind: type[Event]) -> list[int]:
    """The positions of the events of a kind."""
    return [position for position, event in game.events() if type(event) is kind]


def cleared(game: Any) -> list[int]:
    """Where each level that was completed is cleared away."""
    return places(game, LevelCleared)


def bare(event: Event) -> Event:
    """An event without what differs between a recorded game and one in memory: head's person, time and digest."""
    return ActionTaken(action=event.action, seat=event.seat) if isinstance(event, ActionTaken) else event


def play_on(game: Any, label: str, most: int = 60) -> None:
    """Play on for some decisions."""
    luck = Luck(label, "on")
    for _ in range(most):
        if game.decision is None:
            return
        game.act(games.eager(game.state, game.decision, luck))


# The log


def test_the_log_of_a_campaign_tells_its_levels_in_order(match: Match, game: Any) -> None:
    """SMA-CAMP-1, SMA-CAMP-3, SMA-CAMP-11: ended, cleared, begun, in the batch of the action that ended the level."""
    events = [event for _, event in game.events()]
    assert [event.level for event in of(events, LevelStarted)] == [1, 2, 3]
    assert [event.level for event in of(events, LevelCleared)] == [1, 2]
    assert [event.result for event in of(events, LevelEnded)][:2] == ["completed", "completed"]
    for position in cleared(game):
        batch = [game.event(p) for p in range(game.batch_start(position), game.batch_end(position) + 1)]
        kinds = [name for name in names(batch) if name != "MarineLeftBehind"]
        end = kinds.index("LevelEnded")
        assert kinds[0] == "ActionTaken"
        assert kinds[end:] == ["LevelEnded", "LevelCleared", "LevelStarted", "Awaiting"]
        # A level that was completed is no end of the game, not even at the event that says so.
        ended = max(place for place in places(game, LevelEnded) if place < position)
        assert game.at(ended).state.ended is not None
        assert RULESET.outcome(game.at(ended).state) is None
    rounds = [event.round for event in of(events, RoundStarted)]
    assert rounds.count(1) == 3
    assert game.state == match.state


def test_replay_equals_live_at_every_event_of_a_campaign(match: Match, game: Any) -> None:
    """Each position read from the store is the fold of the log up to there, over both ends of a level."""
    folded = LevelState()
    ends = {*cleared(game)}
    for position, event in game.events():
        event.apply(folded)
        if position % 97 == 0 or any(abs(position - end) < 4 for end in ends):
            assert game.at(position).state == folded, position
    assert folded == game.state
    for seed in ("far 0", "far 1", "far 3"):
        laws.replay_equals_live(
            RULESET,
            seed,
            campaigns.campaign(challenges="all"),
            choose=lambda match, luck: games.eager(match.state, match.decision, luck),  # type: ignore[arg-type]
        )


def test_a_recorded_campaign_is_proven_by_its_key(match: Match, game: Any, tmp_path: Path) -> None:
    """Every die and card of all levels follows from the key; so it does in the file that is exported and imported."""
    report = game.audit()
    assert report.ok, report.text()
    count = len(
        [event for event in match.events if type(event).__name__ in ("DiceRolled", "CardDrawn", "CounterDrawn")]
    )
    assert f"{count} outcomes; {count} follow from the key" in report.text()
    path = game.export(tmp_path / "campaign.tape.jsonl")
    with warptape.open(":memory:") as other:
        again = other.load(path)
        assert again.audit().ok
        assert again.state == game.state
        assert again.transcript() == game.transcript()
        assert [again.at(position).state.level for position in cleared(again)] == [1, 2]
    laws.audited(RULESET, match.events)


def test_an_export_for_the_team_is_whole(game: Any, tmp_path: Path) -> None:
    """Nothing is hidden from the team: its view at every level is the position itself."""
    for position in (*cleared(game), game.tip):
        assert game.at(position).view("team") == game.at(position).state
    with warptape.open(":memory:") as other:
        seen = other.load(game.export(tmp_path / "team.tape.jsonl", "team"))
        assert seen.audit().ok
        assert seen.state == game.state


# Undo


def test_the_last_step_of_a_level_can_be_taken_back() -> None:
    """Undo from Level 2's first question gives back Level 1 as it was before the step, and redo the new level."""
    with warptape.open(":memory:") as store:
        game, before = stopped_at(store, 2, "free")
        after = game.state.copy()
        assert type(after.pending[-1]).__name__ == "ChooseBoard"
        game.undo()
        assert game.state == before
        assert (game.state.level, game.state.ended) == (1, None)
        assert game.state.chance.bags
        game.redo()
        assert game.state == after
        assert game.audit().ok


def stopped_at(store: Any, level: int, undo: str) -> tuple[Any, LevelState]:
    """A game that has just come to a level by a Marine's step, and the position before that step."""
    for number in range(300):
        match = games.whole(f"far {number}", campaigns.CAMPAIGN)
        batch = next((b for b in campaigns.batches(match.events) if level in begun(b)), None)
        if batch is None or {"CardDrawn", "DiceRolled", "CounterDrawn"} & {*names(batch)}:
            continue
        game = store.new(NAME, seed=f"far {number}", options=MODE, undo=undo)
        for event in match.events:
            if event is batch[0]:
                before = game.state.copy()
            if type(event) is ActionTaken:
                game.act(event.action)
            if event is batch[0]:
                return game, before
    raise AssertionError("no level ended by a step")


def begun(events: list[Event]) -> list[int]:
    """The levels that begin in some events."""
    return [event.level for event in of(events, LevelStarted)]


def test_until_revealed_allows_what_showed_nothing() -> None:
    """A step that ends a level is taken back, and the choice of a board; what drew cards or dice is not."""
    with warptape.open(":memory:") as store:
        game, before = stopped_at(store, 2, "until-revealed")
        game.act(game.decision.actions[0])
        game.undo()
        game.undo()
        assert game.state == before
        game.redo()
        game.redo()
        assert game.state.face
        game.act("enter A")
        if type(game.state.pending[-1]).__name__ == "CallMarine":
            game.act("nocall")
        # The set-up rolled for the Lictor and drew special cards.
        with pytest.raises(NotAllowed):
            game.undo()
        assert game.audit().ok


def test_undo_after_undo_walks_back_over_both_ends_of_levels(game: Any) -> None:
    """From the end of a campaign to its opening, each position is that before the action that is taken back."""
    line = [p for p, event in game.events() if type(event) is ActionTaken]
    expected = {place: game.at(place - 1).state for place in line[:: 1 + len(line) // 60]}
    for place in reversed(line):
        game.undo()
        if place in expected:
            assert game.state == expected[place], place
    assert game.state.level == 1
    assert type(game.state.pending[-1]).__name__ == "ChooseBoard"
    with pytest.raises(NotAllowed):
        game.undo()


# Rewind, and play on


def test_a_rewind_to_before_the_end_of_level_1_plays_level_1_on(game: Any) -> None:
    """SMA-CAMP-11: bag, decks and board of Level 1 are there again; the same actions give the same campaign."""
    first, second = cleared(game)
    whole = [bare(event) for _, event in game.events()]
    start = game.batch_start(first)
    line = [event.action for event in whole[start:] if type(event) is ActionTaken]
    before = game.at(start - 1).state
    length = game.length
    game.rewind(start - 1)
    assert game.state == before
    assert game.state.level == 1
    assert game.state.chance.bags["creatures"].initial
    for action in line:
        game.act(action)
    again = [bare(event) for position, event in game.events() if position > length]
    assert again == whole[start : start + len(again)]
    assert len(again) == len([event for event in whole[start:] if type(event).__name__ != "KeyRevealed"])
    assert game.audit().ok
    game.rewind(second)
    assert game.state.level == 3
    game.rewind(first - 30)
    play_on(game, "another way", 80)
    assert game.audit().ok


@pytest.mark.parametrize("back", [1, 2])
def test_another_way_from_level_2_after_level_3_was_seen(game: Any, back: int) -> None:
    """A line that goes another way has decks and bags of its own, and is proven all the same."""
    place = cleared(game)[back - 1] + 40
    game.rewind(place)
    assert game.state.level == back + 1
    play_on(game, "elsewhere", 400)
    report = game.audit()
    assert report.ok, report.text()


def test_a_rewind_with_reroll_deals_the_rest_of_the_campaign_afresh(game: Any) -> None:
    """What was seen at Level 1 stays; what comes at Level 2 is another secret's, and proven by it."""
    first = cleared(game)[0]
    old = [event.item for p, event in game.events() if type(event) is CardDrawn and p > first][:20]
    start = game.length
    game.rewind(first, reroll=True)
    assert places(game, Resalted)
    for deck in game.state.chance.decks.values():
        assert {*deck.fixed} == {*deck.seen}
    play_on(game, "afresh", 200)
    new = [event.item for p, event in game.events() if type(event) is CardDrawn and p >= start][:20]
    assert new != old
    assert len(new) == 20
    for name, deck in game.state.chance.decks.items():
        assert sorted([*deck.seen.values(), *deck.left()]) == sorted(deck.items), name
    report = game.audit()
    assert report.ok, report.text()


def test_a_new_secret_in_the_middle_of_level_2(game: Any) -> None:
    """Counters that lie in the new bag and cards of the new decks come as before the levels changed."""
    game.rewind(cleared(game)[0] + 60)
    game.reroll("another secret")
    play_on(game, "middle", 250)
    report = game.audit()
    assert report.ok, report.text()
    game.rewind(cleared(game)[0] - 60)
    play_on(game, "before", 60)
    assert game.audit().ok


# Forks


def test_a_fork_from_level_1_while_at_level_3(game: Any, tmp_path: Path) -> None:
    """The fork plays Level 1 on and goes its own way; the parent is where it was."""
    at = cleared(game)[0] - 25
    here = game.state.copy()
    fork = game.fork(at)
    assert fork.state == game.at(game.batch_end(at)).state
    assert (fork.state.level, game.state) == (1, here)
    play_on(fork, "fork", 250)
    assert fork.audit().ok
    assert game.state == here
    with warptape.open(":memory:") as other:
        again = other.load(fork.export(tmp_path / "fork.tape.jsonl"))
        assert again.state == fork.state
        assert again.audit().ok


@pytest.mark.parametrize("after", [0, 45])
def test_a_fork_as_the_team_knows_it_draws_the_rest_anew(game: Any, tmp_path: Path, after: int) -> None:
    """A fork with a log of its own, at the first question of Level 2 and in the midst of it."""
    at = cleared(game)[0] + after
    fork = game.fork(at, as_of="team")
    assert [event for _, event in fork.events() if type(event) is Redrawn]
    assert (fork.state.level, fork.state.cleared) == (2, game.at(at).state.cleared)
    play_on(fork, "drawn anew", 250)
    report = fork.audit()
    assert report.ok, report.text()
    with warptape.open(":memory:") as other:
        again = other.load(fork.export(tmp_path / "own.tape.jsonl"))
        assert again.state == fork.state


# A line of several actions, and reports


def test_one_line_over_the_end_of_a_level_is_all_or_nothing() -> None:
    """The last step, the next board and its entry in one: one undo takes all of it back, one wrong word all of it too."""
    with warptape.open(":memory:") as store:
        game, before = stopped_at(store, 2, "free")
        (board, *_) = [RULESET.notation(game.state, action) for action in game.decision.actions]
        step = game.event(game.batch_start(cleared(game)[0])).action
        game.undo()
        length = game.length
        with pytest.raises(IllegalAction, match="SMA-SETUP-16"):
            game.act([step, board, "next"])
        assert (game.length, game.state) == (length, before)
        game.act([step, board, "enter D"])
        assert (game.state.level, game.state.entry) == (2, "D")
        game.undo()
        assert game.state == before
        assert game.audit().ok


@pytest.mark.parametrize("after", [-1, 0, 60])
def test_a_report_from_later_levels_is_reproduced(game: Any, tmp_path: Path, after: int) -> None:
    """Of the event that ended Level 1, of its clearing, and of a refusal at Level 2."""
    first = cleared(game)[0]
    at = first + after if after < 1 else game.batch_end(first + after)
    action = "board 1-up" if after > 0 else ""
    path = game.report(tmp_path / "bug.tape.jsonl", at=at, action=action, message="is that right?")
    found = warptape.reproduce(path)
    assert found.verdict == "reproduced", found.text


# Chance entered by people


def test_a_campaign_at_a_table_is_won_and_the_same_as_by_its_own_chance() -> None:
    """SMA-CAMP-21: a whole campaign, Level 1 to the Prime, with every die and card entered: an epic victory."""
    match = next(m for n in range(60) if (m := campaigns.kind(f"kind {n}")).state.over == "epic_victory")
    with warptape.open(":memory:") as store:
        game = store.new(NAME, options=MODE, chance="table")
        for batch in campaigns.batches(match.events):
            head = batch[0]
            assert isinstance(head, ActionTaken)
            game.act(head.action, outcomes=campaigns.outcomes(batch))
        assert game.state == match.state
        assert game.outcome.result == "epic_victory"
        assert game.outcome.winners == ("team",)
        assert game.audit().ok
        assert "epic victory" in game.transcript()


# What holds at every event


def test_counters_and_cards_are_neither_lost_nor_doubled_in_a_campaign() -> None:
    """SMA-CAMP-11, SMA-CAMP-12, SMA-CAMP-17 to -20: creatures, special cards, decks and squad of every level."""
    levels = set()
    played = [far(3), *(games.whole(f"keep {n}", campaigns.campaign(challenges="all")) for n in range(25))]
    played += [campaigns.kind(f"kind {n}") for n in range(6)]
    for match in played:
        for event, state in campaigns.states(match.events):
            levels.add(state.level)
            if state.chance.bags:
                board = [creature.counter for creature in state.tyranids.values() if creature.kind != "prime"]
                bag = state.chance.bags["creatures"]
                assert len({*board, *bag.inside()}) == len(board) + bag.size()
                if type(event) is ActionTaken:
                    assert sorted([*board, *bag.inside()]) == sorted(bag.initial)
                assert len(bag.initial) == (17 if state.level == 1 else 22)
            held = [card for marine in state.marines.values() for card in marine.cards]
            assert len({*held}) == len(held)
            assert not {*held} & {*state.used}
            standing = [marine.square for marine in state.marines.values() if marine.square]
            assert len({*standing}) == len(standing)
            assert not {*state.squad} & {*state.gone}
            assert {*state.marines} == {*state.squad}
            if type(event) is RoundStarted and event.round == 1:
                assert len(standing) == len(state.squad)
                assert len([card for card in state.deck if "tyranid" in card]) == 4
                assert len(state.deck) == 2 * len(state.squad) + 4
                assert {*state.equipped} == {*state.squad}
        shuffles = [event for event in of(match.events, DeckShuffled) if event.deck == "infestation"]
        assert [len(event.items) for event in shuffles] == [24, 29, 30][: len(shuffles)]
        assert len(of(match.events, LevelStarted)) == match.state.level == len(shuffles)
        assert match.state.pending == []
    assert levels == {0, 1, 2, 3}


def test_dice_streams_run_on_from_level_to_level(match: Match) -> None:
    """Each Marine's own die, SMA-GEN-4: no number of a stream is used twice in a campaign."""
    rolls = of(match.events, DiceRolled)
    count: dict[str, int] = {}
    for event in rolls:
        count[event.stream] = count.get(event.stream, 0) + event.count
    assert {stream: match.state.chance.counters[stream] for stream in count} == count
