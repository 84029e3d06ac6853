"""Random histories of recorded games against a naive model: every event, line, address, undo, redo and fork."""

from __future__ import annotations

import random

import pytest
from replay_model import Model, SeededDesk, opened, play_randomly

from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.shelf import Row

pytestmark = pytest.mark.usefixtures("small_steps")

PIG = {"goal": 25}
GAMES: list[tuple[str, dict[str, int], dict[str, str]]] = [
    ("pig", PIG, {}),
    ("pig", PIG, {"p2": "bot:sensible"}),
    ("pig", PIG, {"p1": "bot:random"}),
    ("pig", PIG, {"p1": "bot:random", "p2": "bot:sensible"}),
    ("hidden", {}, {}),
    ("hidden", {}, {"warden": "bot:random"}),
    ("nested", {}, {}),
    ("space-marine-adventures", {}, {}),
]


def again(library: Library[Game], game: Game) -> Game:
    """The same game, opened anew: nothing of it is in memory."""
    return library.game(game.id)


@pytest.mark.parametrize(
    ("store_url", "seed"),
    [*(("sqlite", seed) for seed in range(len(GAMES))), *(("memory", seed) for seed in (0, 4, 7))]
    + [("postgres", seed) for seed in (3, 5, 7)],
    indirect=["store_url"],
)
def test_fold_equals_live_at_every_event_of_random_histories(store_url: str, seed: int) -> None:
    luck = random.Random(seed)
    with Library[Game](store_url, SeededDesk(seed)) as library:
        rules, options, seats = GAMES[seed]
        game = library.new(rules, seed=f"history {seed}", undo="free", options=options, seats=seats)
        model = opened(game)
        done = set()
        for _ in range(45):
            done.add(play_randomly(game, model, luck))
            model.check(game)
            if luck.random() < 0.2:
                game = again(library, game)
                model.check(game)
        model.check_all(game)
        library.store.drop_snapshots()
        model.check_all(again(library, game))
        assert {"act", "undo"} <= done


@pytest.mark.parametrize(
    ("store_url", "seed"),
    [("sqlite", 0), ("sqlite", 1), ("sqlite", 2), ("memory", 3), ("postgres", 1)],
    indirect=["store_url"],
)
def test_forks_of_forks_equal_their_parents_and_copy_nothing(store_url: str, seed: int) -> None:
    luck = random.Random(seed)
    with Library[Game](store_url, SeededDesk(seed)) as library:
        first = library.new("pig", seed=f"tree {seed}", undo="free", options={"goal": 40})
        family: list[tuple[Game, Model]] = [(first, opened(first))]
        for _ in range(15):
            play_randomly(*family[0], luck)
        for _ in range(5):
            parent, model = luck.choice(family)
            place = luck.randrange(parent.length)  # below the parent's own fork point as well
            end = model.batch_end(place)
            before = sum(shelf.length - shelf.first for shelf in library.games())
            fork = parent.fork(f"@{place}")
            assert sum(shelf.length - shelf.first for shelf in library.games()) == before + 1
            assert [row.kind for row in library.store.rows(fork.id)] == ["GameForked"]
            assert fork.state == model.state(end) == fork.state_at(end)
            child = model.forked(end)
            child.feed([fork.event(end + 1)])
            child.check(fork)
            family.append((fork, child))
            for _ in range(8):
                play_randomly(fork, child, luck)
                child.check(fork)
            play_randomly(parent, model, luck)
        for game, model in family:
            model.check_all(again(library, game))
        assert len({game.name for game, _ in family}) == len(family)


@pytest.mark.parametrize("harm", ["cut", "changed", "nonsense", "other schema"])
def test_damaged_snapshots_lose_nothing(store_url: str, harm: str) -> None:
    luck = random.Random(5)
    with Library[Game](store_url) as library:
        game = library.new("pig", seed="snapshots", undo="free")
        model = opened(game)
        for _ in range(40):
            play_randomly(game, model, luck)
        store, kept = library.store, 0
        for position in range(game.length):
            found = store.snapshot(game.id, position, game.schema)
            if found is None or found[0] != position:
                continue
            kept += 1
            data = found[1]
            if harm == "other schema":
                store.put_snapshot(game.id, position, "another", b"{}")
                assert store.snapshot(game.id, position, "another") == (position, b"{}")
                continue
            bad = {
                "cut": data[:-3],
                "changed": data.replace(b'"turn_total":', b'"turn_total":1'),
                "nonsense": b"\xff\n{}",
            }
            assert bad[harm] != data
            store.put_snapshot(game.id, position, game.schema, bad[harm])
        assert kept > 3
        model.check_all(again(library, game))


def test_snapshots_are_used(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Library[Game](store_url) as library:
        game = library.new("pig", seed="long", undo="free", options={"goal": 1000})
        while game.length < 200:
            game.act("roll")
        read: list[Row] = []
        rows = library.store.rows

        def counted(*args: object) -> object:
            for row in rows(*args):  # type: ignore[arg-type]
                read.append(row)
                yield row

        monkeypatch.setattr(library.store, "rows", counted)
        fresh = again(library, game)
        assert fresh.state == game.state
        assert len(read) <= 14
        for place in range(0, 200, 13):
            read.clear()
            fresh.state_at(place)
            assert len(read) <= 14


def test_a_long_line_of_undos_resolves_without_recursion(store_url: str) -> None:
    if store_url.startswith("postgresql"):
        pytest.skip("thousands of commits to a server: the same code runs on SQLite")
    with Library[Game](store_url) as library:
        game = library.new("pig", seed="patience", undo="free", options={"goal": 1000})
        model = opened(game)
        for number in range(700):
            model.feed(game.act("roll").events)
            if number % 3:
                model.feed(game.undo().events)
        model.check(game)
        fresh = again(library, game)
        model.check(fresh)
        assert [at for at, _ in fresh.line()] == model.path(game.length - 1)
        assert len(fresh.lines()) > 300


def test_undo_then_the_same_action_gives_the_same_events(store_url: str) -> None:
    from replay_model import bare_bytes

    with Library[Game](store_url) as library:
        game = library.new("pig", undo="free", seats={"p2": "bot:sensible"})
        for text in ("roll", "roll", "roll"):
            first = game.act(text)
            once = bare_bytes(game.rows(first.position))
            game.undo()
            second = game.act(text)
            assert bare_bytes(game.rows(second.position)) == once
            assert second.events != ()
            if game.decision is None:
                break


def test_a_reroll_is_another_epoch_and_says_so(store_url: str) -> None:
    with Library[Game](store_url) as library:
        game = library.new("pig", seed="unlucky", undo="free", options={"goal": 1000})
        old = [event.values for event in _rolls(game)]
        game.rewind("@start")
        played = game.reroll("luckier", reason="the cat")
        (salted,) = played.events
        assert (salted.at, salted.reason, salted.typed_seed) == (played.position, "the cat", True)
        assert game.state.chance.epoch == played.position
        assert [event.values for event in _rolls(game)] != old
        game.undo(reroll=True)
        kinds = [row.kind for row in game.rows()]
        assert kinds[-2:] == ["Rewound", "Resalted"]
        assert game.event(game.length - 1).tell(game.state).startswith("Fate has a new salt")
        assert again(library, game).state == game.state


def _rolls(game: Game) -> list[object]:
    rolls: list[object] = []
    for _ in range(12):
        rolls += [event for event in game.act("roll").events if type(event).__name__ == "DiceRolled"]
    return rolls


def test_a_parent_is_not_deleted_without_its_forks(store_url: str) -> None:
    from warptape.domain.errors import NotAllowed, UnknownGame

    with Library[Game](store_url) as library:
        game = library.new("pig", seed="family")
        game.act("roll")
        fork = game.fork(name="child")
        with pytest.raises(NotAllowed, match=fork.id):
            library.store.delete(game.id)
        assert again(library, fork).state == fork.state
        library.store.delete(game.id, with_forks=True)
        with pytest.raises(UnknownGame):
            library.game(fork.id)
