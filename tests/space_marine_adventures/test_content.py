"""The content of Space Marine Adventures: what it holds, what it refuses, and the ground made of it."""

from __future__ import annotations

import itertools
import re
from collections import Counter

import pytest

from warptape.domain.content import Content
from warptape.domain.errors import ContentError
from warptape.domain.geometry import EAST, NORTH, SOUTH, WEST, Corner
from warptape.domain.space_marine_adventures import effects
from warptape.domain.space_marine_adventures.catalogue import Catalogue, load
from warptape.domain.space_marine_adventures.hulk import Hulk

CATALOGUE = load()
TEXTS = dict(CATALOGUE.content.files)
FACES = tuple(CATALOGUE.faces)


def refused(file: str, old: str, new: str, count: int = 1) -> str:
    """The sentence that refuses the packaged content after that replacement in one file."""
    assert old in TEXTS[file]
    with pytest.raises(ContentError) as caught:
        load({**TEXTS, file: TEXTS[file].replace(old, new, count)})
    return str(caught.value)


def marks(fixture: str) -> dict[str, str]:
    """Square by symbol."""
    return {symbol: text.split()[1] for symbol, text in CATALOGUE.fixtures[fixture].marks.items()}


def tyranids(hulk: Hulk, fixture: str) -> dict[int, str]:
    standing = CATALOGUE.fixtures[fixture].marks.items()
    return {
        hulk.grid.square(text.split()[1]): symbol
        for symbol, text in standing
        if text.split()[0] in {"termagant", "genestealer", "lictor", "prime"}
    }


# What there is


def test_the_packaged_catalogue_is_read_once_and_has_every_component() -> None:
    """SMA-COMP-1, -6 to -13."""
    assert load() is CATALOGUE
    assert len(CATALOGUE.boards) == 3
    assert list(CATALOGUE.marines) == ["MAX", "ADR", "RAP", "LUK", "VOR"]
    assert Counter(counter.kind for counter in CATALOGUE.counters.values()) == {
        "termagant": 12, "genestealer": 5, "lictor": 5,
    }  # fmt: skip
    assert Counter(card.shows for card in CATALOGUE.activation.values())["tyranid"] == 6
    assert {level: len(deck) for level, deck in CATALOGUE.decks.items()} == {1: 24, 2: 29, 3: 30}
    assert len(CATALOGUE.infestation) == 89
    assert len(CATALOGUE.specials) == 28
    assert len({special.design for special in CATALOGUE.specials.values()}) == 19
    assert len(CATALOGUE.challenges) == len(CATALOGUE.missions) == 6


def test_the_printed_figures() -> None:
    """SMA-COMP-14, SMA-CON-2, SMA-ADV-11."""
    assert [CATALOGUE.side(code, False).actions for code in ("MAX", "RAP", "VOR")] == [4, 4, 3]
    assert CATALOGUE.tyranids["termagant"].resilience == 3
    assert CATALOGUE.missions[1, "single"].console.need == 6
    assert CATALOGUE.challenges["CHA-3-1"].effects == (effects.PrimeDestroyedAt(count=4),)
    for code in CATALOGUE.marines:
        assert CATALOGUE.side(code, True).actions == CATALOGUE.side(code, False).actions - 1


def test_effects_are_decoded_into_their_own_types() -> None:
    twin = CATALOGUE.infestation["INF-1-07"]
    assert twin.effects == (effects.PlaceEntries(entries=(1, 3), kind="bag"),)
    (branch,) = CATALOGUE.infestation["INF-1-16"].effects
    assert isinstance(branch, effects.Branch)
    assert branch.if_bag_empty is True
    assert branch.otherwise == (effects.Ambush(who="isolated", count=2, kind="bag"),)
    assert [type(effect) for effect in branch.then] == [effects.Charge, effects.Claws]
    assert CATALOGUE.side("ADR", True).effects == (effects.RerollFailedAttack(uses=1, min_distance=3),)
    assert CATALOGUE.specials["SP-22"].effects == (effects.TurnBonus(console_plus=2),)


def test_every_number_in_a_simple_cards_text_is_in_its_effects() -> None:
    """A card that names xenos entries places at exactly these, in that order."""
    checked = 0
    for card in CATALOGUE.infestation.values():
        named = re.search(r"Place a creature at xenos entr(?:y|ies) ([\d, and]+)", card.text)
        placed = [
            effect
            for part in card.effects
            for effect in (part.otherwise if isinstance(part, effects.Branch) else (part,))
            if isinstance(effect, effects.PlaceEntries)
        ]
        if named and placed:
            assert placed[0].entries == tuple(int(number) for number in re.findall(r"\d", named[1]))
            checked += 1
    assert checked >= 20


# Faces


@pytest.mark.parametrize("face", FACES)
def test_a_face_has_no_dead_end_and_four_xenos_entries_at_junctions(face: str) -> None:
    hulk = CATALOGUE.hulk(face, "A", "C")
    grid = hulk.grid
    for square in grid.squares:
        if square not in {*hulk.exits.values(), *hulk.entry_tile, *hulk.exit_tile}:
            assert len(grid.neighbours[square]) >= 2, grid.name(square)
    assert sum(len(grid.neighbours[square]) >= 3 for square in hulk.xenos) >= 4


@pytest.mark.parametrize(
    ("face", "floor", "to_objective", "between", "to_entry", "xenos_objective", "apart"),
    [
        ("1-up", 84, (9, 13, 9, 9), (10, 18), 4, (4, 10), 5),
        ("1-down", 88, (13, 11, 9, 9), (10, 22), 5, (3, 12), 5),
        ("2-up", 83, (13, 9, 13, 9), (10, 22), 4, (4, 11), 6),
        ("2-down", 84, (9, 11, 13, 9), (12, 22), 4, (4, 8), 4),
        ("3-up", 86, (9, 9, 9, 13), (10, 22), 5, (4, 12), 4),
        ("3-down", 85, (9, 11, 11, 9), (10, 20), 5, (3, 8), 4),
    ],
)
def test_walking_distances_of_a_face(
    face: str,
    floor: int,
    to_objective: tuple[int, ...],
    between: tuple[int, int],
    to_entry: int,
    xenos_objective: tuple[int, int],
    apart: int,
) -> None:
    hulk = CATALOGUE.hulk(face, "A")
    walk = hulk.grid.walk
    assert len(hulk.grid.open) == floor + 4
    doors = tuple(hulk.exits.values())
    assert tuple(walk(door, hulk.objective) for door in doors) == to_objective
    ways = [walk(*pair) for pair in itertools.combinations(doors, 2)]
    assert (min(ways), max(ways)) == between
    assert min(walk(square, door) for square in hulk.xenos for door in doors) == to_entry
    ways = [walk(square, hulk.objective) for square in hulk.xenos]
    assert (min(ways), max(ways)) == xenos_objective
    assert min(walk(*pair) for pair in itertools.combinations(hulk.xenos, 2)) == apart


# Tiles


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("entry", "ABCD")
def test_tiles_run_straight_out_and_join_only_at_their_first_square(face: str, entry: str) -> None:
    """SMA-COMP-4, SMA-COMP-5, SMA-MOVE-8, for every exit that may open."""
    bare = CATALOGUE.hulk(face, entry)
    assert bare.exit_tile == ()
    for exit_label in set("ABCD") - {entry}:
        hulk = CATALOGUE.hulk(face, entry, exit_label)
        assert hulk.exits == bare.exits
        assert hulk.entry_tile == bare.entry_tile
        for label, tile in ((entry, hulk.entry_tile), (exit_label, hulk.exit_tile)):
            outwards = {"A": NORTH, "B": EAST, "C": SOUTH, "D": WEST}[label]
            door = hulk.exits[label]
            assert hulk.grid.ray(door, outwards) == tile
            chain = (door, *tile)
            for number, square in enumerate(tile, 1):
                assert set(hulk.grid.around[square]) == {chain[number - 1], *chain[number + 1 : number + 2]}


def test_squares_keep_their_numbers_and_hulks_are_one_object_each() -> None:
    one, other = CATALOGUE.hulk("2-down", "B"), CATALOGUE.hulk("2-down", "A", "D")
    assert CATALOGUE.hulk("2-down", "B") is one
    assert one.grid.square("h6") == other.grid.square("h6")
    assert one.grid.name(one.objective) == other.grid.name(other.objective) == "g7"
    assert [one.grid.name(square) for square in one.xenos] == ["f2", "d3", "h4", "d8", "f10", "j12"]
    assert [one.grid.name(square) for square in one.entry_tile] == ["V1", "V2", "V3", "V4"]


def test_a_sealed_exit_is_solid_and_an_open_one_is_seen_through() -> None:
    """SMA-SEE-4, SMA-SEE-6, SMA-MOVE-2."""
    hulk = CATALOGUE.hulk("1-up", "A", "B")
    shut, ajar = hulk.sealed("BCD"), hulk.sealed("CD")
    assert hulk.sealed({"C", "D"}) is ajar
    inside, far = hulk.grid.square("l10"), hulk.grid.square("X4")
    assert not shut.sight().sees(inside, far)
    assert ajar.sight().sees(inside, far)
    assert shut.walk(inside, far) == -1
    assert ajar.walk(inside, far) == 5
    assert hulk.labels[hulk.exits["B"]] == "B"


def test_a_label_or_face_that_does_not_exist() -> None:
    with pytest.raises(KeyError):
        CATALOGUE.hulk("4-up", "A")
    with pytest.raises(KeyError):
        CATALOGUE.hulk("1-up", "E")
    with pytest.raises(ValueError, match="same place"):
        CATALOGUE.hulk("1-up", "A", "A")


# Sight in the worked examples


def test_targets_of_the_attack_example() -> None:
    """W2: SMA-SEE-3, SMA-SEE-4, SMA-RNG-2."""
    hulk, place = CATALOGUE.hulk("fx-sight", ""), marks("fx-sight")
    standing = tyranids(hulk, "fx-sight")
    found = hulk.grid.sight().targets(hulk.grid.square(place["M"]), standing, 4)
    assert {standing[square]: distance for square, distance in found} == {"A": 3, "B": 3, "C": 2}
    assert not hulk.grid.sight().sees(hulk.grid.square("e5"), hulk.grid.square(place["D"]))


def test_targets_of_the_raphael_example() -> None:
    """W3: SMA-SEE-1, SMA-RNG-1."""
    hulk = CATALOGUE.hulk("fx-raphael", "")
    standing, sight, square = tyranids(hulk, "fx-raphael"), hulk.grid.sight(), hulk.grid.square
    assert sight.targets(square("c3"), standing, 1) == [(square("d3"), 1)]
    assert sight.between(square("c3"), square("f2")) is None
    assert sight.sees(square("c3"), square("c5"), standing)
    assert hulk.grid.span(square("c3"), square("c5")) == 2


def test_corners_in_the_edge_cases() -> None:
    """E1, E2, E3: SMA-SEE-5, and ruling 14 either way."""
    hulk = CATALOGUE.hulk("fx-corner", "")
    square, standing = hulk.grid.square, tyranids(hulk, "fx-corner")
    for any_angle in (False, True):
        sight = hulk.grid.sight(any_angle=any_angle)
        strict = hulk.grid.sight(Corner.EITHER_FLANK, any_angle)
        assert sight.targets(square("b2"), standing, 1) == [(square("c3"), 1)]
        assert sight.targets(square("e2"), standing, 6) == []
        assert strict.targets(square("b2"), standing, 6) == []
        assert sight.sees(square("b2"), square("c3"), {square("c2")})


def test_a_knights_jump_is_no_straight_line() -> None:
    """E5: SMA-SEE-2 and ruling 13."""
    hulk = CATALOGUE.hulk("fx-sight", "")
    grid = hulk.grid
    one, other = grid.square("e4"), grid.square("c3")
    assert not grid.sight().sees(one, other)
    assert grid.sight(any_angle=True).sees(one, other)


def test_a_diagonal_past_a_sealed_bulkhead_and_a_wall_is_shut() -> None:
    """E32: SMA-SEE-5, a sealed bulkhead is solid."""
    hulk = CATALOGUE.hulk("fx-corner", "")
    grid = hulk.grid
    one, other, gate = grid.square("b2"), grid.square("c3"), grid.square("c2")
    assert grid.sight().sees(one, other)
    assert not grid.closed([gate]).sight().sees(one, other)
    assert not grid.closed([gate]).sight(any_angle=True).sees(one, other)


def test_squares_around_the_entry_of_the_reinforcement_example() -> None:
    """W4: N, E, S, W of xenos entry 3; wall on the south."""
    hulk = CATALOGUE.hulk("fx-reinforce", "")
    assert hulk.grid.name(hulk.xenos[0]) == "b2"
    entry = hulk.xenos[2]
    lines = [hulk.grid.ray(entry, direction)[:1] for direction in (NORTH, EAST, SOUTH, WEST)]
    assert [hulk.grid.name(line[0]) if line else None for line in lines] == ["e3", "f4", None, "d4"]
    assert hulk.xenos[1] == hulk.objective == -1


# Own content, and what is refused


def test_content_given_as_texts_is_used_in_place_of_the_installed_one() -> None:
    texts = {**TEXTS, "marines.toml": TEXTS["marines.toml"].replace("range = 8", "range = 9")}
    own = load(texts)
    assert own.side("VOR", False).range == 9
    assert CATALOGUE.side("VOR", False).range == 8
    assert own.content.digest != CATALOGUE.content.digest
    assert Catalogue(Content.decode(own.content.encode())).side("VOR", True).range == 9


def test_the_worked_examples_may_be_left_out_and_a_stranger_may_not_come_in() -> None:
    texts = {name: text for name, text in TEXTS.items() if name != "fixtures.toml"}
    assert load(texts).fixtures == {}
    with pytest.raises(ContentError, match=r"specal\.toml is no file of this game"):
        load({**TEXTS, "specal.toml": ""})
    with pytest.raises(ContentError, match=r"lacks the file specials\.toml"):
        load({name: text for name, text in texts.items() if name != "specials.toml"})


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("infestation.toml", 'op = "lull"', 'op = "lul"', "'INF-1-24': Invalid value 'lul' at effects[0].op"),
        ("infestation.toml", "entries = [1, 3]", "entries = [1, 7]", "'INF-1-07': Expected `int` <= 6"),
        ("infestation.toml", "entries = [1, 3], ", "entries = [1, 3], squares = 2, ", "unknown field `squares`"),
        ("infestation.toml", "if_bag_empty = true, ", "", "exactly one of if_kind_on_board"),
        ("infestation.toml", 'id = "INF-1-24"', 'id = "INF-1-23"', "'INF-1-23' is there twice"),
        ("infestation.toml", "level = 1", "level = 2", "cards of level 1: there must be 24, not 23"),
        ("infestation.toml", "skull = false", "skull = true", "'INF-1-01': skull must be false"),
        ("advanced.toml", 'id = "ADV-1-1"', 'id = "INF-1-01"', "'INF-1-01': a card with that id exists"),
        ("advanced.toml", '"ConsoleActivated"', '"ConsoleTried"', "'CHA-1-1': Invalid enum value 'ConsoleTried'"),
        ("marines.toml", 'marine = "adrix"', 'marine = "adrics"', "there is no Marine 'adrics'"),
        ("marines.toml", 'side = "wounded"', 'side = "healthy"', "'maximus healthy' is there twice"),
        ("activation.toml", 'shows = "vorne"', 'shows = "vorn"', "there is no Marine 'vorn'"),
        ("activation.toml", "extra = true", "extra = false", "extra Tyranid activation cards: there must be 2, not 1"),
        ("specials.toml", "copies = 2", "copies = 3", "'SP-01': the copies of 'frag-grenade' must be numbered 1 to 3"),
        ("specials.toml", '["between"]', '["beyond"]', "'SP-14': Invalid enum value 'beyond'"),
        ("tyranids.toml", 'kind = "lictor"\nsource', 'kind = "termagant"\nsource', "counters of kind 'termagant'"),
        ("tyranids.toml", '"sealed", "open"', '"sealed", "sealed"', "bulkheads that open: there must be 1, not 0"),
        ("missions.toml", 'test = "always"', 'test = "on_exit"', "its last row of results must have the test 'always'"),
        ("missions.toml", "destroyed_at = 3, ", "", "'mission-3': destroyed_at must say"),
        (
            "missions.toml",
            '"epic_victory", test',
            '"completed", test',
            "'campaign-3': a result of this level is one of",
        ),
        ("missions.toml", '"completed", test', '"minor", test', "'campaign-1': a result of this level is one of"),
        ("missions.toml", '"major", test', '"completed", test', "'mission-1': a result of this level is one of"),
        ("missions.toml", 'game = "space_marine_adventures"', 'game = "doom"', "Invalid enum value 'doom'"),
        ("fixtures.toml", '"termagant d2"', '"termagant a1"', "'fx-move': 'a1' is no floor square"),
    ],
)
def test_a_fault_is_named_with_its_record(file: str, old: str, new: str, words: str) -> None:
    message = refused(file, old, new)
    assert message.startswith(file)
    assert words in message


FIRST_GRID = "#######A#####\n#...........#\n#.###1#.###.#\n"


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ("#######A####\n#...........#\n#.###1#.###.#\n", "13 rows of 13 squares"),
        ("#######A#####\n#...........#\n#.###1#.###x#\n", "'x' is no symbol"),
        ("#######A#####\n#...........#\n#.###.#.###.#\n", "'1' must be there exactly once, not 0 times"),
        ("#######A#####\n#..........1#\n#.###1#.###.#\n", "'1' must be there exactly once, not 2 times"),
        ("#############\n#......A....#\n#.###1#.###.#\n", "'A' must lie on the north edge"),
        ("############A\n#...........#\n#.###1#.###.#\n", "'A' must lie on the north edge, off its corners"),
        ("#######A##.##\n#...........#\n#.###1#.###.#\n", "only A to D may be open on the edge"),
        ("#######A#####\n#####.#######\n#.###1#.###.#\n", "reachable"),
    ],
)
def test_a_face_that_cannot_be_played_on_is_refused(new: str, words: str) -> None:
    """SMA-COMP-1 to -3."""
    message = refused("boards.toml", FIRST_GRID, new)
    assert message.startswith("boards.toml, line 32: faces '1-up': ")
    assert words in message


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ("square = 2, ahead = -1", "would lie on the board"),
        ("square = 1, ahead = 2", "a tile has the squares 1 to 4, each once"),
        ("square = 2, ahead = 1, right = 1 }, { square = 2, ahead = 2", "each once"),
    ],
)
def test_a_tile_that_touches_more_than_its_exit_is_refused(new: str, words: str) -> None:
    """SMA-COMP-5, SMA-MOVE-8."""
    old = "square = 2, ahead = 2"
    assert words in refused("boards.toml", old, new)


def bent(text: str, tile: str, right: int) -> str:
    """That tile turned aside after its second square, to the right (1) or the left (-1)."""
    before, after = text.split(f'id = "{tile}"')
    after = after.replace("square = 3, ahead = 3, right = 0", f"square = 3, ahead = 2, right = {right}", 1)
    after = after.replace("square = 4, ahead = 4, right = 0", f"square = 4, ahead = 2, right = {2 * right}", 1)
    return f'{before}id = "{tile}"{after}'


def test_a_bent_tile_is_laid_as_its_offsets_say() -> None:
    own = load({**TEXTS, "boards.toml": bent(TEXTS["boards.toml"], "vessel-entry", 1)})
    for label, ahead, right in (
        ("A", (0, -1), (1, 0)),
        ("B", (1, 0), (0, 1)),
        ("C", (0, 1), (-1, 0)),
        ("D", (-1, 0), (0, -1)),
    ):
        hulk = own.hulk("3-up", label)
        grid = hulk.grid
        x, y = grid.point(hulk.exits[label])
        assert [grid.point(square) for square in hulk.entry_tile] == [
            (x + ahead[0] * far + right[0] * aside, y + ahead[1] * far + right[1] * aside)
            for far, aside in ((1, 0), (2, 0), (2, 1), (2, 2))
        ]


def test_tiles_that_would_touch_each_other_or_the_board_are_refused() -> None:
    beside = TEXTS["boards.toml"].replace("square = 4, ahead = 4, right = 0", "square = 4, ahead = 1, right = 1", 1)
    with pytest.raises(ContentError, match="tile V at A would touch more than its exit square"):
        load({**TEXTS, "boards.toml": beside})
    corner = TEXTS["boards.toml"].replace("#######A#####\n#...........#", "###########A#\n#...........B", 1)
    corner = corner.replace("#.5....6..#.B", "#.5....6..#.#", 1)
    load({**TEXTS, "boards.toml": corner})
    with pytest.raises(ContentError, match=r"'1-up': tile . at . would touch more than its exit square"):
        load({**TEXTS, "boards.toml": bent(bent(corner, "vessel-entry", 1), "vessel-exit", -1)})
