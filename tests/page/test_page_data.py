"""The replay page as a file: what it shows is what the viewer shows, and it holds no more than its reader may know."""

from __future__ import annotations

import json
import random
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from page_files import changed, curve_of, unpacked
from replay_model import SeededDesk, opened, play_randomly

from warptape.domain.errors import BadAddress, BadLog, NotAllowed
from warptape.domain.secrets import Disclosure
from warptape.projections.boards import draw
from warptape.projections.page import page
from warptape.projections.page.pool import Pool, change, whole
from warptape.projections.palette import TONES
from warptape.projections.render_html import panel_table
from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.viewer import Viewer

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'`&lt;!--"


def branched(library: Library[Game], name: str, seed: int, moves: int = 30) -> Game:
    """A game with take-backs, notes and lines that were left, by random play."""
    luck = random.Random(seed)
    game = library.new(name, seed=f"page {seed}", undo="free", **({"options": {"goal": 25}} if name == "pig" else {}))
    model = opened(game)
    for _ in range(moves):
        play_randomly(game, model, luck)
    return game


# What is shown


@pytest.mark.parametrize("name", ["pig", "nested", "hidden", "doom-of-the-eldar", "space-marine-adventures"])
def test_every_moment_of_every_line_is_there_as_the_viewer_shows_it(library: Library[Game], name: str) -> None:
    game = branched(library, name, 3)
    data = unpacked(page(game))
    ways = Viewer(game).ways()
    assert [line["tip"] for line in data["lines"]] == [way.line.tip for way in ways]
    assert [view["seat"] for view in data["views"]] == ["", *(game.seats if game.ruleset.secretive else ())]
    for shown in data["views"]:
        viewer = Viewer(game, None, shown["seat"] or None)
        boards: dict[int, dict[str, Any]] = {}
        lists: list[list[int]] = [[], [], [], []]
        for row in shown["boards"]:
            at, due, box, heading, _, *rest = row
            lists = [changed(old, new) for old, new in zip(lists, (rest[0], rest[2], rest[4], rest[5]), strict=True)]
            parts = [[data["parts"][number] for number in numbers] for numbers in lists]
            boards[at] = {
                "due": data["texts"][due],
                "box": data["texts"][box],
                "heading": data["texts"][heading],
                "parts": parts,
            }
        beats = {beat[0]: beat for beat in shown["beats"]}
        for way in ways:
            viewer.switch(way.line.tip)
            viewer.first()
            told = list(viewer.beats.after(-1))
            for number, beat in enumerate(told):
                end = (
                    viewer.course.floor(told[number + 1].position) - 1
                    if number + 1 < len(told)
                    else len(viewer.course) - 1
                )
                viewer.step(end - viewer.index)
                assert beats[beat.position] == [
                    beat.position, beat.text, beat.heading, int(beat.acts), list(beat.notes), list(beat.returns)
                ]  # fmt: skip
                scene = draw(game.ruleset, viewer.shown)
                alone, found = Pool(), boards[viewer.position]
                drawn = alone.draw(scene)
                wanted = [[alone.parts[part] for part in list_] for list_ in (drawn.board, drawn.tracks, drawn.legend)]
                assert found["parts"][:3] == wanted
                assert found["parts"][3] == [panel_table(panel) for panel in scene.panels]
                assert (found["box"], found["heading"]) == (alone.texts[drawn.box], scene.subtitle)
                where = viewer.where()
                assert bool(found["due"]) == (where.decision is not None or where.outcome is not None)


def test_differences_lead_from_list_to_list() -> None:
    luck = random.Random(5)
    before: list[int] = []
    for _ in range(400):
        after = [luck.randrange(12) for _ in range(luck.randrange(9))] if luck.random() < 0.3 else list(before)
        for _ in range(luck.randrange(3)):
            after.insert(luck.randint(0, len(after)), luck.randrange(12))
        assert changed(before, change(before, after)) == after
        before = after


def test_elements_are_taken_with_what_is_in_them() -> None:
    parts = ["<rect/>", "<g>", "<title>a</title>", '<g class="wt-piece">', "<circle/>", "</g>", "</g>", "<path/>"]
    assert list(whole(parts)) == ["<rect/>", "".join(parts[1:7]), "<path/>"]


def test_positions_that_can_be_jumped_to_are_those_of_the_viewer(eldar: Game, eldar_page: Path) -> None:
    data = unpacked(eldar_page.read_text(encoding="utf-8"))
    for shown in data["views"]:
        viewer = Viewer(eldar, None, shown["seat"] or None)
        for what, found in shown["targets"].items():
            wanted: set[int] = set()
            for line in data["lines"]:
                viewer.switch(line["tip"])
                wanted.update(viewer.targets(what))
            assert found == sorted(wanted), what
        assert {"round", "turn", "reveal", "fight", "loss"} == {*shown["targets"]}


def test_without_lines_only_the_current_one_is_there(eldar: Game) -> None:
    assert "too bold" not in held(page(eldar, lines=False))  # nor a recording that has it
    data = unpacked(page(eldar, seat="eldar", lines=False))
    assert [line["tip"] for line in data["lines"]] == [eldar.tip]
    spans = data["lines"][0]["spans"]
    assert all(any(first <= at <= last for first, last in spans) for view in data["views"] for at, *_ in view["beats"])


def test_the_same_log_gives_the_same_file_which_opens_where_one_says(library: Library[Game]) -> None:
    game = branched(library, "nested", 9)
    assert page(game) == page(game)
    assert unpacked(page(game))["start"] == 0
    assert unpacked(page(game, at="@d2"))["start"] == game.locate("@d2")
    with pytest.raises(BadAddress):
        page(game, at="@9999")
    with pytest.raises(NotAllowed, match="no seat"):
        page(game, seat="nobody")


def test_a_game_of_a_thousand_events_takes_less_than_two_megabytes(library: Library[Game]) -> None:
    game = library.new("doom-of-the-eldar", seed="s4", undo="free")
    game.run(dict.fromkeys(game.seats, "sensible"))
    text = page(game)
    assert game.length > 1000
    assert game.outcome is not None
    assert len(unpacked(text)["views"]) == 3
    assert len(text.encode()) < 2_000_000


# What is in it


def held(text: str) -> str:
    """All that is in a page, unpacked: what a search would look through."""
    return text + json.dumps(unpacked(text), ensure_ascii=False)


def secrets(game: Game) -> list[Disclosure]:
    """Everything that lies beside the events of a game."""
    decode = msgspec.json.Decoder(list[Disclosure]).decode
    return [item for row in game.rows() if b"\n" in row.data for item in decode(row.data.partition(b"\n")[2])]


@pytest.mark.parametrize("name", ["hidden", "doom-of-the-eldar", "tyranid-attack"])
def test_a_file_for_a_seat_is_the_one_made_of_what_that_seat_has(
    library: Library[Game], name: str, tmp_path: Path
) -> None:
    """All that another seat knows is missing from the log of a seat: a page that is the same byte by byte has none of it."""
    game = branched(library, name, 11, 40 if name == "hidden" else 20)
    for seat in game.seats:
        text = page(game, seat=seat)
        with Library[Game](":memory:", SeededDesk(1)) as other:
            copy = other.load(game.export(tmp_path / f"{name}-{seat}.tape.jsonl", seat))
            assert page(copy, seat=seat, title=game.name) == page(game, seat=seat, title=game.name)
            own = unpacked(page(copy, title=game.name))
        assert unpacked(text)["log"] is None
        assert [view["seat"] for view in unpacked(text)["views"]] == [seat]
        assert own["log"] is None
        assert own["views"][0]["beats"] == unpacked(text)["views"][0]["beats"]


def test_so_is_that_of_a_finished_game_whose_secret_is_out(eldar: Game, tmp_path: Path) -> None:
    seat = next(iter(eldar.seats))
    with Library[Game](":memory:", SeededDesk(1)) as other:
        copy = other.load(eldar.export(tmp_path / f"{seat}.tape.jsonl", seat))
        assert page(copy, seat=seat, title="The war") == page(eldar, seat=seat, title="The war")


@pytest.mark.parametrize("name", ["hidden", pytest.param("doom-of-the-eldar", marks=pytest.mark.slow)])
def test_no_salt_secret_or_private_word_is_in_a_file_for_another_seat(library: Library[Game], name: str) -> None:
    game = library.new(name, seed="s7", undo="free")
    seats = list(game.seats)
    game.run(dict.fromkeys(seats, "random"), limit=12)
    game.note("Zwetschgenkuchen unter uns", seat=seats[0], private=True, tags=["Geheimzeichen"])
    game.run(dict.fromkeys(seats, "random"))
    assert game.outcome is not None
    salt = game.shelf.secrets["0"]
    mine, theirs, all_ = (held(page(game, seat=seat)) for seat in (seats[0], seats[1], None))
    assert "Zwetschgenkuchen unter uns" in mine
    assert "Zwetschgenkuchen unter uns" in all_
    assert "Zwetschgenkuchen" not in theirs
    assert "Geheimzeichen" not in theirs
    given = secrets(game)
    assert len(given) > 5
    key = game.fate.key(0)
    for text in (mine, theirs):
        assert not [item for item in given if item.salt in text]
        assert key not in text
        assert '"sealed": ' not in text
        assert json.dumps(salt[1]) not in text
    assert "KeyRevealed" in all_


def test_the_file_of_a_game_in_play_tells_no_secret_of_chance(library: Library[Game]) -> None:
    game = library.new("doom-of-the-eldar", undo="free")
    game.run(dict.fromkeys(game.seats, "sensible"), limit=20)
    nonce = game.shelf.secrets["0"][0]
    text = held(page(game))
    assert len(nonce) == 32
    assert nonce not in text
    assert game.fate.key(0) not in text
    data = unpacked(page(game))
    assert not data["over"]
    assert len(data["log"]["events"]) == game.length


def test_a_curve_is_not_for_a_seat_and_must_be_of_this_game(eldar: Game, eldar_page: Path) -> None:
    data = curve_of(eldar)
    curve = unpacked(eldar_page.read_text(encoding="utf-8"))["curve"]
    assert [at for at, _ in curve["points"]] == [point["position"] for point in data["points"]]
    assert curve["points"][1][1][0] == [370, 296, 444]
    with pytest.raises(NotAllowed, match="one seat"):
        page(eldar, seat="eldar", analysis=data)
    with pytest.raises(BadLog, match="another game"):
        page(eldar, analysis={**data, "seats": {"team": "The squad"}})
    with pytest.raises(BadLog, match="another game"):
        page(eldar, analysis={**data, "points": [{**data["points"][0], "position": 10**6}]})
    for wrong in ({}, {"seats": 1}, {**data, "points": [1]}, {**data, "points": [{"position": "x"}]}):
        with pytest.raises(BadLog, match="no analysis"):
            page(eldar, analysis=wrong)


# What a browser makes of it


class Tags(HTMLParser):
    """Collects the elements of a page, with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_names_and_notes_are_nothing_but_text(library: Library[Game]) -> None:
    game = library.new("pig", seed="h", name=HOSTILE, undo="free", options={"goal": 10})
    game.act("roll", person=HOSTILE[:70])
    game.note(HOSTILE, person=HOSTILE)
    game.undo(reason=HOSTILE)
    text, usual = page(game, title=HOSTILE), page(library.new("pig", seed="h", name="usual"))
    assert [tag for tag, _ in Tags(text).found] == [tag for tag, _ in Tags(usual).found]
    assert (
        "alert("
        not in text.partition('id="tape"')[0].replace("&lt;", "").partition("<style>")[0].partition("<title>")[0]
    )
    assert "<img" not in text
    assert HOSTILE in held(text).replace('\\"', '"')


def test_only_the_script_of_the_page_may_run_and_nothing_may_be_fetched(eldar_page: Path) -> None:
    import base64
    import hashlib

    text = eldar_page.read_text(encoding="utf-8")
    tags = Tags(text).found
    policy = next(attrs["content"] for tag, attrs in tags if attrs.get("http-equiv") == "Content-Security-Policy")
    script = text.rpartition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy is not None
    assert {"default-src 'none'", f"script-src 'sha256-{digest}'"} <= {*policy.split("; ")}
    assert [attrs.get("type") for tag, attrs in tags if tag == "script"] == ["application/octet-stream", None]
    assert not [tag for tag, attrs in tags if "src" in attrs or any(name.startswith("on") for name in attrs)]
    links = [attrs["href"] for tag, attrs in tags if "href" in attrs]
    assert all(link is not None and link.startswith("data:") for link in links)
    assert not [url for url in re.findall(r"https?://[^\s'\"<)]+", text) if not url.startswith("http://www.w3.org/")]


# Colours


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG computes it."""
    lights = []
    for colour in (one, other):
        channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def rules() -> list[tuple[str, str]]:
    """The rules of the page's style sheet: selectors and declarations."""
    from warptape.projections.page import build

    return re.findall(r"([^{}]+)\{([^{}]*)\}", build._file("page.css"))


def colour(variable: str, dark: bool) -> str:
    """The colour of a variable such as `muted-i`."""
    name, _, which = variable.rpartition("-")
    tone = TONES[name] if name in TONES else next(TONES[role] for role in TONES if role.replace(".", "-") == name)
    return {"f": (tone.fill, tone.dark_fill), "i": (tone.ink, tone.dark_ink)}[which][dark]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_all_colours_of_text_have_a_contrast_of_4_5(dark: bool) -> None:
    """A rule that names a ground is read on that; any other text may stand on the page or on a card."""
    checked = 0
    for selector, body in rules():
        inks = re.findall(r"(?<![-\w])color:var\(--wt-([\w-]+)\)", body)
        grounds = re.findall(r"background:var\(--wt-([\w-]+)\)", body) or ["page-f", "card-f"]
        for ink in inks:
            for ground in grounds:
                assert contrast(colour(ink, dark), colour(ground, dark)) >= 4.5, (selector, ink, ground)
                checked += 1
    assert checked > 20
    assert not [body for _, body in rules() if re.search(r"(?<![-\w])color:(?!var\(--wt-|inherit)", body)]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_all_edges_and_signs_have_a_contrast_of_3(dark: bool) -> None:
    """What one must see to use the page: borders of controls, focus, slider, marks."""
    for name in ("muted-i", "accent-i", "mark-f", "badge-f", "mark.last-f"):
        for ground in ("page-f", "card-f"):
            assert contrast(colour(name, dark), colour(ground, dark)) >= 3, (name, ground)
    assert contrast(colour("unit.blue-f", dark), colour("card-f", dark)) >= 3
    assert contrast(colour("unit.orange-f", dark), colour("card-f", dark)) >= 3
