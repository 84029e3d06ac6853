"""The replay page in a browser: keys, playing, jumps, lines, seats, the check, narrow and dark windows, screen readers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from page_files import finished, modules, rechained, repacked, unpacked

from warptape.projections.page import page
from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.viewer import Viewer

Open = Callable[..., Any]


def until(window: Any, condition: str) -> None:
    """Wait until a condition holds; the page's own policy lets nobody evaluate texts in it while waiting."""
    for _ in range(400):
        if window.evaluate(condition):
            return
        window.wait_for_timeout(50)
    raise AssertionError(f"it never came to {condition}")


def now(window: Any) -> str:
    """The sentence of the story that is marked."""
    text: str = window.locator("#story li.now a span:last-child").inner_text()
    return text


def place(window: Any) -> int:
    """The number of the moment that is shown, from 0."""
    return int(window.locator("#slider").input_value())


def beats(game: Game, seat: str | None = None) -> list[Any]:
    """The moments of the game's own line."""
    return list(Viewer(game, None, seat).beats.after(-1))


# Going through a game


def test_keys_alone_lead_through_the_game_with_story_and_board_in_step(
    opened: Open, eldar: Game, eldar_page: Path
) -> None:
    window = opened(eldar_page)
    told = beats(eldar)
    assert place(window) == 0
    assert now(window) == told[0].text
    window.keyboard.press("ArrowRight")
    window.keyboard.press("ArrowRight")
    assert (place(window), now(window)) == (2, told[2].text)
    assert window.locator("#now").inner_text() == " ".join(told[2].lines())
    window.keyboard.press("ArrowLeft")
    assert (place(window), now(window)) == (1, told[1].text)
    window.keyboard.press("End")
    assert (place(window), now(window)) == (len(told) - 1, told[-1].text or "Here:")
    assert "The game is over" in window.locator("#where").inner_text()
    window.keyboard.press("ArrowRight")
    assert place(window) == len(told) - 1
    window.keyboard.press("Home")
    assert place(window) == 0
    for wanted in ("Turn 1", "Turn 2"):
        window.keyboard.press("r")
        assert wanted in window.locator("#where").inner_text()
    window.keyboard.press("Shift+R")
    assert "Turn 1" in window.locator("#where").inner_text()


@pytest.mark.parametrize("steps", [150, pytest.param(1500, marks=pytest.mark.slow)])
def test_the_board_of_every_moment_is_the_one_that_was_drawn(opened: Open, eldar_page: Path, steps: int) -> None:
    """Boards change by what is new and what is gone: they must come out whole whatever way one goes."""
    data = unpacked(eldar_page.read_text(encoding="utf-8"))
    window = opened(eldar_page)
    wrong = window.evaluate(
        """async (steps) => {
          const tape = new Tape(await unpack(document.getElementById("tape").textContent));
          const course = new Course(tape.views[0], tape.lines[0]);
          const slider = document.getElementById("slider"), board = document.getElementById("board");
          const holder = document.createElementNS("http://www.w3.org/2000/svg", "g");
          const wrong = [];
          let at = 0;
          for (let i = 0; i < steps; i++) {
            at = i % 3 ? Math.min(at + 1, course.moments.length - 1) : (i * 7919) % course.moments.length;
            slider.value = at;
            slider.dispatchEvent(new Event("input"));
            holder.innerHTML = tape.views[0].board(course.moments[at].end).board.parts.map((part) => tape.parts.all[part]).join("");
            if (holder.innerHTML !== board.innerHTML) wrong.push(at);
          }
          return wrong;
        }""",
        steps,
    )
    assert wrong == []
    assert len(data["views"][0]["boards"]) > 200


def test_it_plays_faster_and_slower_pauses_and_stops_at_the_end(opened: Open, eldar: Game, eldar_page: Path) -> None:
    window = opened(eldar_page, reduced_motion="reduce")
    window.clock.install()
    window.locator("#speed").select_option("2")
    window.locator("#stage").focus()
    window.keyboard.press(" ")
    assert window.locator("#play").get_attribute("aria-label") == "Pause"
    window.clock.run_for(2050)
    assert place(window) == 4
    window.keyboard.press("+")
    assert window.locator("#speed").input_value() == "4"
    window.clock.run_for(2050)
    faster = place(window) - 4
    assert 6 <= faster <= 9
    window.keyboard.press("-")
    window.keyboard.press("-")
    assert window.locator("#speed").input_value() == "1"
    window.keyboard.press(" ")
    assert window.locator("#play").get_attribute("aria-label") == "Play"
    stopped = place(window)
    window.clock.run_for(5000)
    assert place(window) == stopped
    window.keyboard.press("End")
    window.keyboard.press("ArrowLeft")
    window.keyboard.press("ArrowLeft")
    window.locator("#play").click()
    window.clock.run_for(6000)
    assert place(window) == len(beats(eldar)) - 1
    assert window.locator("#play").get_attribute("aria-label") == "Play"
    window.locator("#play").click()
    assert place(window) == 0
    window.keyboard.press("Escape")
    assert window.locator("#play").get_attribute("aria-label") == "Play"


@pytest.mark.parametrize("what", ["round", "reveal", "note", "take-back", "fight", "loss", "decision"])
def test_jumps_go_to_each_place_of_a_kind_and_no_other(opened: Open, eldar: Game, eldar_page: Path, what: str) -> None:
    window = opened(eldar_page)
    viewer = Viewer(eldar)
    told = [beat.position for beat in beats(eldar)]
    if what == "decision":
        wanted = [number for number, beat in enumerate(beats(eldar)) if beat.acts]
    else:
        wanted = sorted({max(n for n, at in enumerate(told) if at <= target) for target in viewer.targets(what)})
    assert wanted
    window.locator("#jump").select_option(what)
    for number in [one for one in wanted if one > 0][:6]:
        window.locator("#jump-on").click()
        assert place(window) == number
    window.keyboard.press("End")
    last = [one for one in wanted if one < len(told) - 1][-1]
    window.locator("#jump-back").click()
    assert place(window) == last
    assert window.locator(f"#marks i.{what}").count() == (len(wanted) if what in ("reveal", "note", "take-back") else 0)


def test_notes_and_take_backs_stand_in_the_story(opened: Open, eldar_page: Path) -> None:
    window = opened(eldar_page)
    window.keyboard.press("m")
    note = window.locator("#story li.now .note")
    assert note.inner_text() == "Note by Anna: A bold move, and <b>well</b> thought out [key]"
    assert note.locator("b").count() == 0
    assert "A bold move" in window.locator("#now").inner_text()
    window.keyboard.press("Home")
    window.keyboard.press("k")
    assert "(too bold)" in window.locator("#story li.now .return").last.inner_text()


def test_slider_story_and_address_lead_to_a_moment(opened: Open, eldar: Game, eldar_page: Path) -> None:
    told = beats(eldar)
    window = opened(eldar_page, f"#@{told[40].position}")
    assert place(window) == 40
    window.locator("#story li").nth(45).locator("a").click()
    assert (place(window), now(window)) == (45, told[45].text)
    assert window.evaluate("location.hash") == f"#@{told[45].position}"
    window.evaluate(f"location.hash = '#@{told[50].position}'")
    until(window, "document.getElementById('slider').value === '50'")
    window.locator("#slider").focus()
    window.keyboard.press("ArrowRight")
    assert place(window) == 51
    assert window.locator("#slider").get_attribute("aria-valuetext").endswith(" ".join(told[51].lines()))
    row = window.locator("#story li.now").bounding_box()
    story = window.locator("#story").bounding_box()
    assert story["y"] <= row["y"] <= story["y"] + story["height"]


def test_what_comes_can_be_hidden(opened: Open, eldar_page: Path) -> None:
    window = opened(eldar_page, "#@40")
    following = window.locator("#story li.now + li")
    assert following.is_visible()
    window.keyboard.press("a")
    assert not following.is_visible()
    assert window.locator("#cover").get_attribute("aria-pressed") == "true"
    assert not window.locator("#about .ending").is_visible()
    assert window.locator("#curve .veil").is_visible()
    marks = window.locator("#marks i")
    shown = "[...document.querySelectorAll('#marks i')].filter((one) => one.checkVisibility({ visibilityProperty: true })).length"
    assert 0 < window.evaluate(shown) < marks.count()
    window.keyboard.press("End")
    assert window.evaluate(shown) == marks.count()


def test_letters_can_be_taken_from_the_keys(opened: Open, eldar_page: Path) -> None:
    window = opened(eldar_page)
    window.keyboard.press("?")
    window.locator("#letters").uncheck()
    window.locator("#keys button").click()
    window.keyboard.press("r")
    assert place(window) == 0
    window.keyboard.press("ArrowRight")
    assert place(window) == 1


# Lines and seats


def test_a_line_that_was_left_can_be_watched(opened: Open, eldar: Game, eldar_page: Path) -> None:
    window = opened(eldar_page)
    left = next(way for way in Viewer(eldar).ways() if not way.line.current)
    window.keyboard.press("b")
    choices = window.locator("#lines-list button")
    assert choices.count() == len(Viewer(eldar).ways())
    choice = choices.filter(has_text=f"Leaves at @{left.parts}:").first
    assert "too bold" in choice.inner_text()
    window.keyboard.press("Tab")
    choice.focus()
    window.keyboard.press("Enter")
    assert not window.locator("#lines").is_visible()
    assert "This line was left" in window.locator("#aside").inner_text()
    window.keyboard.press("End")
    viewer = Viewer(eldar)
    viewer.switch(left.line.tip)
    told = list(viewer.beats.after(-1))
    assert window.locator("#story li").count() == len(told)
    assert now(window) == told[-1].text
    assert window.locator("#curve-box").is_visible()
    window.locator("#back-to-game").click()
    assert window.locator("#story li").count() == len(beats(eldar))
    assert not window.locator("#aside").is_visible()
    window.keyboard.press("k")
    window.locator("#story li.now .return button").last.click()
    assert "This line was left" in window.locator("#aside").inner_text()


def test_a_seat_is_shown_what_it_knew_then(opened: Open, eldar: Game, eldar_page: Path) -> None:
    window = opened(eldar_page)
    for key in ("r", "r", "ArrowRight", "ArrowRight"):
        window.keyboard.press(key)
    everything = window.locator("#board").inner_html()
    position = beats(eldar)[place(window)].position
    window.locator("#seat").select_option(label="What the Eldar of Iyanden knew")
    told = beats(eldar, "eldar")
    number = max(n for n, beat in enumerate(told) if beat.position <= position)
    assert (place(window), now(window)) == (number, told[number].text)
    assert window.locator("#board").inner_html() != everything
    assert not window.locator("#curve-box").is_visible()
    window.locator("#seat").select_option("0")
    assert window.locator("#board").inner_html() == everything
    assert window.locator("#curve-box").is_visible()


def test_the_file_of_a_seat_has_no_other_seat_and_no_check(opened: Open, eldar: Game, tmp_path: Path) -> None:
    file = tmp_path / "seat.html"
    file.write_text(page(eldar, seat="tyranid"), encoding="utf-8")
    window = opened(file)
    assert not window.locator("#seat-box").is_visible()
    assert not window.locator("#check-open").is_visible()
    assert "Only what the hive fleet knew is in this file" in window.locator("#about").inner_text()
    window.keyboard.press("End")
    assert now(window) == beats(eldar, "tyranid")[-1].text


# The curve


def test_the_chances_are_drawn_and_said(opened: Open, eldar: Game, eldar_page: Path) -> None:
    window = opened(eldar_page)
    points = unpacked(eldar_page.read_text(encoding="utf-8"))["curve"]["points"]
    told = [beat.position for beat in beats(eldar)]
    for at, shares in points[:6]:
        window.evaluate(f"location.hash = '#@{at}'")
        number = max(n for n, one in enumerate(told) if one <= at)
        until(window, f"document.getElementById('slider').value === '{number}'")
        assert f"The Eldar of Iyanden {round(shares[0][0] / 10)} %" in window.locator("#curve-words").inner_text()
    box = window.locator("#curve").bounding_box()
    window.mouse.click(box["x"] + box["width"] / 2, box["y"] + 10)
    assert abs(place(window) - (len(told) - 1) / 2) <= 2


# The check


def found(window: Any) -> str:
    """What the check says."""
    window.locator("#check-open").click()
    window.wait_for_selector("#check-found li", timeout=60_000)
    text: str = window.locator("#check-found").inner_text()
    return text


def test_the_browser_checks_chain_and_dice(opened: Open, eldar: Game, eldar_page: Path) -> None:
    text = found(opened(eldar_page))
    assert f"The chain is whole: {eldar.length} events" in text
    assert eldar.shelf.head[:16] in text
    assert "The secret that the log reveals is the one that was committed to." in text
    assert "follow from it" in text
    assert "✗" not in text


def test_the_browser_finds_what_was_tampered_with(opened: Open, eldar_page: Path, tmp_path: Path) -> None:
    html = eldar_page.read_text(encoding="utf-8")
    data = unpacked(html)
    events = data["log"]["events"]
    at = next(n for n, text in enumerate(events) if json.loads(text)["type"] == "DiceRolled")
    fact = json.loads(events[at])
    fact["values"][0] = fact["values"][0] % fact["sides"] + 1
    events[at] = json.dumps(fact, separators=(",", ":"), ensure_ascii=False)
    file = tmp_path / "tampered.html"
    file.write_text(repacked(html, data), encoding="utf-8")
    window = opened(file)
    text = found(window)
    assert "The chain is broken" in text
    assert f"Chance is not as it must be: @{at} records" in text
    window.locator("#check-found button").last.click()
    assert window.locator("#check").is_hidden()
    told = [beat[0] for beat in data["views"][0]["beats"]]
    assert int(window.locator("#story li.now .at").inner_text()) == max(one for one in told if one <= at)
    data["log"]["events"], data["log"]["head"] = rechained(events)
    file.write_text(repacked(html, data), encoding="utf-8")
    text = found(opened(file))
    assert "The chain is whole" in text
    assert f"Chance is not as it must be: @{at} records" in text


def test_of_a_game_in_play_only_the_chain_can_be_checked(opened: Open, library: Library[Game], tmp_path: Path) -> None:
    game = library.new("doom-of-the-eldar", seed="open", undo="free")
    game.run(dict.fromkeys(game.seats, "sensible"), limit=30)
    file = tmp_path / "open.html"
    file.write_text(page(game), encoding="utf-8")
    window = opened(file)
    assert window.locator("#check-open").inner_text() == "Check the chain"
    text = found(window)
    assert "The chain is whole" in text
    assert "can be checked when the game is over" in text


# How it looks


@pytest.mark.parametrize(("width", "height"), [(360, 740), (390, 844), (820, 1180), (1280, 800), (1920, 1080)])
def test_there_is_room_at_any_width_without_scrolling_sideways(
    opened: Open, eldar_page: Path, width: int, height: int
) -> None:
    window = opened(eldar_page, "#@300", width, height)
    assert window.evaluate("document.documentElement.scrollWidth") <= width
    window.locator("#large").click()
    assert window.evaluate("document.documentElement.scrollWidth") <= width
    window.locator("#large").click()
    board = window.locator("#board").bounding_box()
    deck = window.locator("#deck").bounding_box()
    assert board["x"] >= 0
    assert board["x"] + board["width"] <= width
    assert deck["y"] + deck["height"] <= height + 1
    assert deck["height"] < height * 0.42
    for box in window.locator("#deck button").all():
        size = box.bounding_box()
        assert min(size["width"], size["height"]) >= 24


@pytest.mark.parametrize(("width", "height"), [(360, 740), (844, 390), (820, 1180), (1280, 800)])
def test_the_board_is_whole_in_sight_and_large(opened: Open, eldar_page: Path, width: int, height: int) -> None:
    window = opened(eldar_page, "#@300", width, height)
    board, deck = (window.locator(f"#{one}").bounding_box() for one in ("board", "deck"))
    assert board["y"] + board["height"] <= deck["y"]
    assert max(board["width"] / width, board["height"] / height) > 0.4
    assert window.evaluate("document.documentElement.scrollWidth") <= width


STEPS = """(measure) => {
  const found = [];
  for (let i = 0; i < 120; i++) {
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
    found.push(measure());
  }
  return found;
}"""


def stepped(window: Any, measure: str) -> list[Any]:
    """What a function measures after each of many steps forward."""
    found: list[Any] = window.evaluate(f"() => ({STEPS})({measure})")
    return found


def test_nothing_jumps_from_moment_to_moment(opened: Open, eldar_page: Path) -> None:
    """However long what is said above the board is, the board, the timeline, the buttons and the story stay put."""
    for width, height in ((1280, 800), (390, 844)):
        window = opened(eldar_page, "#@120", width, height, reduced_motion="reduce")
        places = stepped(
            window,
            """() => ["board", "slider", "play", "story"].flatMap((id) => {
              const { x, y } = document.getElementById(id).getBoundingClientRect();
              return [Math.round(x), Math.round(y)];
            }).join()""",
        )
        assert len({*places}) == 1


def test_the_enlarged_board_scrolls_to_what_happens_and_by_arrows(opened: Open, eldar_page: Path) -> None:
    window = opened(eldar_page, "#@60", 390, 844, reduced_motion="reduce")
    window.keyboard.press("z")
    box = window.locator("#board-box").bounding_box()
    new = stepped(
        window,
        """(() => { let old = new Set(document.querySelectorAll("#board > *")); return () => {
          const now = [...document.querySelectorAll("#board > *")];
          const fresh = now.filter((one) => !old.has(one) && one.matches(".wt-piece,:has(.wt-piece)"));
          old = new Set(now);
          return fresh.map((one) => { const { left, width } = one.getBoundingClientRect(); return left + width / 2; });
        }; })()""",
    )
    brought = [middles[0] for middles in new if len(middles) == 1]
    assert len(brought) > 3
    assert all(box["x"] <= middle <= box["x"] + box["width"] for middle in brought)
    at = place(window)
    window.locator("#board-box").focus()
    window.evaluate("() => { document.getElementById('board-box').scrollLeft = 0; }")
    window.keyboard.press("ArrowRight")
    until(window, "document.getElementById('board-box').scrollLeft > 0")
    assert place(window) == at


def test_dark_and_light_follow_the_system_and_the_switch(opened: Open, eldar_page: Path) -> None:
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light, dark = (opened(eldar_page, color_scheme=scheme) for scheme in ("light", "dark"))
    assert light.evaluate(ground) == "rgb(244, 241, 233)"
    assert dark.evaluate(ground) == "rgb(18, 21, 26)"
    assert dark.locator("#theme").get_attribute("aria-pressed") == "true"
    light.keyboard.press("c")
    assert light.evaluate(ground) == "rgb(18, 21, 26)"
    light.locator("#theme").click()
    assert light.evaluate(ground) == "rgb(244, 241, 233)"
    dark.emulate_media(color_scheme="light")
    until(dark, f"{ground} === 'rgb(244, 241, 233)'")


CONTRAST = """() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (rgb) => { const [r, g, b] = rgb.map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const low = [];
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest("svg,script,style,noscript,[hidden],.unseen") || !element.checkVisibility()) continue;
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())) continue;
    let ground = element;
    while (ground && (parse(getComputedStyle(ground).backgroundColor)[3] ?? 1) < 1) ground = ground.parentElement;
    const ink = light(parse(getComputedStyle(element).color).slice(0, 3));
    const under = light(parse(getComputedStyle(ground ?? document.documentElement).backgroundColor).slice(0, 3));
    const contrast = (Math.max(ink, under) + 0.05) / (Math.min(ink, under) + 0.05);
    if (contrast < 4.5) low.push([element.id || element.className || element.tagName, element.textContent.slice(0, 30), contrast]);
  }
  return low;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_that_is_shown_has_enough_contrast(opened: Open, eldar_page: Path, scheme: str) -> None:
    window = opened(eldar_page, "#@60", color_scheme=scheme, reduced_motion="reduce")
    assert window.evaluate(CONTRAST) == []
    for dialog in ("lines", "check", "keys"):
        window.locator(f"#{dialog}-open").click()
        if dialog == "check":
            window.wait_for_selector("#check-found li", timeout=60_000)
        assert window.evaluate(CONTRAST) == []
        window.keyboard.press("Escape")


# Screen readers and keyboards


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened: Open, eldar_page: Path, scheme: str) -> None:
    folder = modules()
    if folder is None or not (folder / "axe-core" / "axe.min.js").is_file():
        pytest.skip("accessibility is checked with axe-core: npm install --prefix tests/page")
    axe = (folder / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    asked = "{}" if scheme == "light" else "{runOnly: ['color-contrast']}"  # nothing else is another in the dark
    for width in (1280, 390):
        window = opened(eldar_page, "#@60", width, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
        window.evaluate(axe)
        for dialog in ("", "lines", "keys"):
            if dialog:
                window.locator(f"#{dialog}-open").click()
            result = window.evaluate(f"axe.run(document, {asked})")
            assert [
                (one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in result["violations"]
            ] == []
            if dialog:
                window.keyboard.press("Escape")


def test_all_controls_are_reached_by_tab_and_have_names(opened: Open, eldar_page: Path) -> None:
    window = opened(eldar_page)
    reached: list[str] = []
    for _ in range(40):
        window.keyboard.press("Tab")
        one = window.evaluate(
            "(() => { const e = document.activeElement; return [e.id || e.tagName, "
            "e.getAttribute('aria-label') || e.labels?.[0]?.textContent || e.textContent || '']; })()"
        )
        if one[0] in reached:
            break
        assert one[1].strip(), one
        reached.append(one[0])
    wanted = {
        "seat",
        "lines-open",
        "check-open",
        "theme",
        "keys-open",
        "stage",
        "large",
        "cover",
        "slider",
        "play",
        "speed",
        "jump",
    }
    assert wanted <= {*reached}
    assert reached.count("A") == 1  # of the story only the moment that is shown: arrows lead to the others


def test_arrows_walk_through_the_story_and_focus_goes_along(opened: Open, eldar_page: Path) -> None:
    window = opened(eldar_page)
    window.locator("#story li.now a").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp"):
        window.keyboard.press(key)
    assert place(window) == 2
    assert window.evaluate("document.activeElement === document.querySelector('#story li.now a')")
    assert window.locator("#story [aria-current]").count() == 1
    assert window.locator("#board").get_attribute("aria-describedby") == "board-words"
    window.keyboard.press("End")
    assert "Pieces:" in window.locator("#board-words").text_content()


# Games without a board, without secrets, and files that are damaged


@pytest.mark.parametrize("name", ["pig", "space-marine-adventures"])
def test_other_games_are_shown_as_well(opened: Open, library: Library[Game], name: str, tmp_path: Path) -> None:
    options = {"options": {"goal": 30}} if name == "pig" else {}
    game = finished(library, name, "s10 browser", **options)
    file = tmp_path / "game.html"
    file.write_text(page(game, title="Friday </title><script>x</script>"), encoding="utf-8")
    window = opened(file)
    assert window.locator("h1").inner_text() == "Friday </title><script>x</script>"
    window.keyboard.press("End")
    assert window.locator("#board").is_visible() == (name != "pig")
    assert window.locator("#panels section").count() > 0
    assert "✗" not in found(window)


def test_a_damaged_file_says_so(chromium: Any, eldar_page: Path, tmp_path: Path) -> None:
    html = eldar_page.read_text(encoding="utf-8")
    file = tmp_path / "cut.html"
    start = html.index("octet-stream") + 60
    file.write_text(html[:start] + html[start + 400 :], encoding="utf-8")
    window = chromium.new_page()
    window.goto(file.as_uri())
    window.wait_for_selector("#trouble:not([hidden])")
    assert "damaged" in window.locator("#trouble").inner_text()
    window.close()
