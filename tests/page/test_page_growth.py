"""A page that grows: a game as it was opened, with all that was new since, is the same as the game told at once."""

from __future__ import annotations

import random
import sys
from typing import Any

import msgspec
import pytest
from page_files import node, run
from replay_model import opened, play_randomly

from warptape.domain.errors import BadAddress
from warptape.projections.page.news import news
from warptape.projections.page.views import content
from warptape.replays.game import Game
from warptape.replays.library import Library

needs_node = pytest.mark.skipif(node() is None, reason="the script is run with Node.js, which is not here")

COMPARE = """
const shape = (tape) => ({ upto: tape.upto, over: tape.over, ending: tape.ending, log: tape.log, lines: tape.lines,
  views: tape.views.map((view) => tape.lines.map((line, number) => {
    const course = new Course(view, line);
    const drawn = (parts) => parts.map((part) => tape.parts.all[part]);
    return { seat: view.seat, name: view.name, last: view.lasts[number], decided: course.decided,
      targets: ["decision", "level", "round", "turn", "fight", "loss", "reveal", "take-back", "note"].map((what) => course.targets(what)),
      moments: course.moments.map(({ beat, end }) => {
        const { due, heading, words, board, tracks, legend, panels } = view.board(end);
        return { beat, end, due, heading, words, box: board.box, board: drawn(board.parts), tracksBox: tracks.box,
          tracks: drawn(tracks.parts), legend: drawn(legend.parts), panels: drawn(panels) };
      }) };
  })) });
const differ = (one, other, path) => {
  if (one === other) return null;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return [path, one, other];
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = differ(one[key], other[key], `${path}.${key}`);
    if (found) return found;
  }
  return null;
};
const tape = new Tape(given.first);
const taken = given.news.map((one) => tape.append(one));
const gap = given.news.length > 1 && new Tape(given.first).append(given.news[1]);
const whole = shape(new Tape(given.whole));
console.log(JSON.stringify({ taken, gap, differ: differ(shape(tape), whole, ""),
  moments: whole.views.flat().reduce((sum, { moments }) => sum + moments.length, 0) }));
"""


def told(game: Game, seat: str | None) -> Any:
    """What a page of a game holds."""
    return msgspec.to_builtins(content(game, None, seat, "")[0])


def grown(first: Any, added: list[Any], whole: Any) -> dict[str, Any]:
    """How a tape that takes in what was new differs from the one that is told at once."""
    found: dict[str, Any] = run("tape.js", COMPARE, {"first": first, "news": added, "whole": whole})
    return found


@needs_node
@pytest.mark.parametrize(
    ("name", "seed", "moves"),
    [("pig", 1, 50), ("pig", 2, 50), ("nested", 3, 30), ("hidden", 4, 16), ("hidden", 5, 16),
     ("doom-of-the-eldar", 6, 6), ("space-marine-adventures", 7, 16)],
)  # fmt: skip
def test_what_was_opened_and_what_was_new_since_are_the_game_told_at_once(
    library: Library[Game], name: str, seed: int, moves: int
) -> None:
    """Random play takes back, plays again, rewinds, rolls anew and writes notes on any position."""
    luck = random.Random(seed)
    game = library.new(name, seed=f"grown {seed}", undo="free", **({"options": {"goal": 25}} if name == "pig" else {}))
    model = opened(game)
    seats: list[str | None] = [None, *(game.seats if game.ruleset.secretive else ())]
    for _ in range(luck.randrange(8)):
        play_randomly(game, model, luck)
    first = {seat: told(game, seat) for seat in seats}
    added: dict[str | None, list[Any]] = {seat: [] for seat in seats}
    for _ in range(moves):
        since = game.length - 1
        for _ in range(luck.choice((1, 1, 1, 3))):
            play_randomly(game, model, luck)
        for seat in seats:
            added[seat].append(msgspec.to_builtins(news(game, since, seat)))
    if moves > 12:
        assert {one["anew"] for one in added[None]} == {True, False}
    for seat in seats:
        found = grown(first[seat], added[seat], told(game, seat))
        assert found["differ"] is None
        assert all(found["taken"])
        assert not found["gap"] or added[seat][0]["upto"] == first[seat]["upto"]
        assert found["moments"] > 9


@needs_node
def test_what_a_seat_is_sent_is_made_of_what_that_seat_may_know(library: Library[Game], tmp_path: Any) -> None:
    """Of the log of a seat, which lacks all that others know, the same is made: so nothing of that is in it."""
    game = library.new("hidden", seed="sent", undo="free")
    bots = dict.fromkeys(game.seats, "random")
    mine, theirs = game.seats
    game.run(bots, limit=6)
    since = game.length - 1
    game.note("Zwetschgenkuchen", 2, seat=mine, private=True)
    game.run(bots, limit=8)
    game.undo()
    whole = {seat: news(game, since, seat) for seat in game.seats}
    assert "Zwetschgenkuchen" in str(whole[mine])
    assert "Zwetschgenkuchen" not in str(whole[theirs])
    assert 2 not in [row[0] for row in whole[theirs].views[0].beats]
    for seat in game.seats:
        with Library[Game](":memory:", library.desk) as other:
            copy = other.load(game.export(tmp_path / f"{seat}.tape.jsonl", seat))
            assert news(copy, since, seat) == whole[seat]
        assert whole[seat].log is None


def test_what_is_new_is_told_from_the_end_of_an_action_that_was_recorded(library: Library[Game]) -> None:
    game = library.new("doom-of-the-eldar", seed="edges")
    game.run(dict.fromkeys(game.seats, "random"), limit=3)
    last = game.length - 1
    nothing = news(game, last, "eldar")
    assert (nothing.since, nothing.upto, nothing.views[0].beats) == (last, last, [])
    middle = next(at for at in range(last) if game.batch_end(at) != at)
    for wrong in (middle, last + 1, -5):
        with pytest.raises(BadAddress):
            news(game, wrong, "eldar")


def calls(game: Game, seat: str | None) -> int:
    """How many functions are called to tell what one more decision brought."""
    since = game.length - 1
    game.act(game.ruleset.notation(game.state, game.decision.actions[0]), bots=False)  # type: ignore[union-attr]
    count = 0

    def counted(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(counted)
    try:
        news(game, since, seat)
    finally:
        sys.setprofile(None)
    return count


def test_what_is_new_costs_as_much_in_a_long_game_as_in_a_short_one(library: Library[Game]) -> None:
    game = library.new("pig", seed="long", undo="free", options={"goal": 1000})
    bots = dict.fromkeys(game.seats, "random")
    game.run(bots, limit=60)
    short = [calls(game, None) for _ in range(6)]
    assert game.length < 300
    game.run(bots, limit=700)
    long = [calls(game, None) for _ in range(6)]
    assert game.length > 1500
    assert sum(long) < 1.3 * sum(short)
