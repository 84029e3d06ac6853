"""The rule registers: sound, cited truly, every rule in force shown by a test, and the pages of docs/rules up to date."""

from __future__ import annotations

import importlib
import re
import runpy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from warptape.domain import register as registers
from warptape.domain.errors import ContentError
from warptape.domain.register import Register

ROOT = Path(__file__).resolve().parent.parent
DOCS = runpy.run_path(str(ROOT / "docs" / "generate.py"))


@dataclass(frozen=True)
class Game:
    """A game's folder, its register, and its package's full name."""

    folder: Path
    register: Register

    @property
    def package(self) -> str:
        return f"warptape.domain.{self.folder.name}"


GAMES = [Game(folder, register) for folder, register in DOCS["registers"]()]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.folder.name)


def sources(*folders: Path) -> list[Path]:
    """The texts under the folders in which a rule may be cited."""
    files = [file for folder in folders for file in sorted(folder.rglob("*")) if file.suffix in {".py", ".toml", ".md"}]
    return [file for file in files if file != Path(__file__)]


def test_every_game_folder_has_a_register() -> None:
    folders = {file.parent.parent for file in (ROOT / "domain").glob("*/content/*.toml")}
    assert {game.folder for game in GAMES} == folders
    assert folders


@each_game
def test_register_is_found_by_package(game: Game) -> None:
    assert registers.load(game.package) == game.register
    assert game.register.game == game.folder.name


@each_game
def test_every_rule_in_force_is_shown_by_a_test(game: Game) -> None:
    tests = DOCS["citing_tests"](game.register)
    bare = [rule.id for rule in game.register.rules if rule.kind == "rule" and rule.id not in tests]
    assert not bare, f"{len(bare)} rules have no test: {', '.join(bare)}"


@each_game
def test_tests_cite_rules_that_exist(game: Game) -> None:
    known = {rule.id for rule in game.register.rules}
    tests = DOCS["citing_tests"](game.register)
    assert not {id: found for id, found in tests.items() if id not in known}


@each_game
def test_code_content_and_docs_cite_rules_that_exist(game: Game) -> None:
    known = {rule.id for rule in game.register.rules}
    rooms = [ROOT / room for room in ("domain", "replays", "projections", "cli", "tests", "docs", "benchmarks")]
    unknown = {
        f"{file.relative_to(ROOT)}: {id}"
        for file in sources(*rooms)
        for id in DOCS["cited"](file.read_text(encoding="utf-8"), game.register.prefix)
        if id not in known
    }
    assert not unknown


@each_game
def test_code_cites_only_rules_in_force(game: Game) -> None:
    """What only describes or has been withdrawn is no reason for a refusal or a consequence."""
    idle = {rule.id for rule in game.register.rules if rule.kind != "rule"}
    quoted = re.compile(rf"[\"']({game.register.prefix}-[A-Z0-9]+-[A-Z0-9]+)[\"']")
    found = {
        f"{file.relative_to(ROOT)}: {id}"
        for file in game.folder.rglob("*.py")
        for id in quoted.findall(file.read_text(encoding="utf-8"))
        if id in idle
    }
    assert not found


@each_game
def test_options_of_the_register_are_the_options_of_the_game(game: Game) -> None:
    ruleset: Any = importlib.import_module(game.package).RULESET
    fields = {field.name: field.default for field in msgspec.structs.fields(ruleset.options)}
    assert {option.name for option in game.register.options} == fields.keys()
    for option in game.register.options:
        default = fields[option.name]
        assert (str(default).lower() if isinstance(default, bool) else str(default)) == option.default, option.name


@each_game
def test_every_value_of_the_register_is_one_that_the_game_takes(game: Game) -> None:
    ruleset: Any = importlib.import_module(game.package).RULESET
    for option in game.register.options:
        for value in option.values:
            taken = getattr(ruleset.parse_options({option.name: value.value}), option.name)
            assert (str(taken).lower() if isinstance(taken, bool) else str(taken)) == value.value, option.name
        said = ruleset.takes(option.name)
        assert said not in ("", "text"), f"nobody is told what {option.name} takes"
        if isinstance(taken, str):
            assert all(value.value in said for value in option.values), option.name


@each_game
def test_register_is_found_by_the_ruleset(game: Game) -> None:
    ruleset: Any = importlib.import_module(game.package).RULESET
    assert registers.of(ruleset if isinstance(ruleset, type) else type(ruleset)) == game.register
    assert registers.of(Game) is None
    assert registers.of(ContentError) is None


def test_pages_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert DOCS["main"](["--check"]) == 0, capsys.readouterr().err


def test_a_rule_is_looked_up_in_any_case() -> None:
    register = sample()
    assert register.rule("abc-go-1").text == "Go."
    assert register.ruling(1).options == ("pace",)
    with pytest.raises(ContentError, match="has no rule ABC-GO-9"):
        register.rule("ABC-GO-9")
    with pytest.raises(ContentError, match="has no ruling 7"):
        register.ruling(7)


def test_reasons_for_having_no_test() -> None:
    register = sample()
    assert [rule.why for rule in register.rules] == ["", "It lies in the box.", ""]


SAMPLE = """
game = "sample"
format = 1
title = "Sample"
prefix = "ABC"
parts = [{ id = "all", title = "All" }, { id = "more", title = "More: a lot" }]
rules = [
  { id = "ABC-GO-1", topic = "Go", text = "Go.", heading = "", status = ["ruling"], rulings = [1], parts = ["all"], kind = "rule" },
  { id = "ABC-BOX-1", topic = "Box", text = "A pawn.", heading = "", status = ["printed"], parts = ["all"], kind = "component", why = "It lies in the box." },
  { id = "ABC-GO-2", topic = "Go", text = "Stop.", heading = "", status = ["house"], parts = ["more"], kind = "rule" },
]
rulings = [{ number = 1, place = "", question = "How fast?", ruling = "Slow.", options = ["pace"] }]
options = [{ name = "pace", ruling = 1, text = "Pace.", default = "slow", parts = ["all"], values = [{ value = "slow", text = "" }, { value = "fast", text = "" }] }]
"""


def sample() -> Register:
    """A small register with a rule of each kind."""
    return registers.parse(SAMPLE)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("format = 1", "format = 2", "format is 2"),
        ('title = "Sample"', "", "missing required field `title`"),
        ('game = "sample"', "game = ", "Invalid value"),
        ('"Go."', '"Go.", colour = "red"', "unknown field `colour`"),
        ('["house"]', '["hearsay"]', "hearsay"),
        ("ABC-GO-2", "ABC-GO-1", "rule ABC-GO-1 stands there twice"),
        ("ABC-GO-2", "XYZ-GO-2", "an ID reads ABC-TOPIC-1"),
        ("ABC-GO-2", "ABC-go-2", "an ID reads ABC-TOPIC-1"),
        ('"Go."', '""', "text, topic and status are needed"),
        ('parts = ["more"]', 'parts = ["less"]', "belongs to one or more of the parts"),
        ('"component", why = "It lies in the box."', '"component"', "says why it needs no test"),
        ("rulings = [1]", "rulings = [2]", "a ruling it refers to is not listed"),
        ("rulings = [1]", "rulings = []", "a ruling has a number"),
        ('options = ["pace"]', 'options = ["speed"]', "there is no option speed"),
        ('default = "slow"', 'default = "idle"', "its default is one of them"),
        (', { value = "fast", text = "" }]', "]", "two or more values or a `form`"),
        ('["house"]', '["house", "withdrawn"]', "a withdrawn rule has no other status, and no test"),
        (
            '["printed"], parts = ["all"], kind = "component", why = "It lies in the box."',
            '["withdrawn"], parts = ["all"], kind = "rule"',
            "a withdrawn rule",
        ),
        (', options = ["pace"]', "", "ruling 1 does not name it"),
        ('name = "pace", ruling = 1', 'name = "pace"', "ruling 1 names it, and it names none"),
    ],
)
def test_a_register_that_is_not_sound_is_refused(old: str, new: str, reason: str) -> None:
    assert old in SAMPLE
    with pytest.raises(ContentError, match=re.escape(reason)) as caught:
        registers.parse(SAMPLE.replace(old, new), "sample/rules.toml")
    assert str(caught.value).startswith("sample/rules.toml: ")


def test_a_game_without_a_register_is_named() -> None:
    with pytest.raises(ContentError, match=r"warptape\.replays has no rule register"):
        registers.load("warptape.replays")


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("ABC-GO-1.", ["ABC-GO-1"]),
        ("(ABC-GO-1..3, ABC-BOX-1)", ["ABC-GO-1", "ABC-GO-2", "ABC-GO-3", "ABC-BOX-1"]),
        ("ABC-GO-1, -8 and ABC-KEY-MAX", ["ABC-GO-1", "ABC-GO-8", "ABC-KEY-MAX"]),
        ("ABC-GO-1, -3 to -5 and -7.", [f"ABC-GO-{n}" for n in (1, 3, 4, 5, 7)]),
        ("ABC-GO-* or ABC-GO-", []),
        ("XABC-GO-1", []),
    ],
)
def test_citations_in_text(text: str, ids: list[str]) -> None:
    assert list(DOCS["cited"](text, "ABC")) == ids


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("test_abc_go_1_slowly", ["ABC-GO-1"]),
        ("test_abc_go_1", ["ABC-GO-1"]),
        ("test_abc_go_1_to_2_and_abc_box_1", ["ABC-GO-1", "ABC-GO-2", "ABC-BOX-1"]),
        ("test_abc_go_12_is_unknown", ["ABC-GO-12"]),
        ("test_go_1", []),
    ],
)
def test_citations_in_names(name: str, ids: list[str]) -> None:
    assert list(DOCS["cited_by_name"](name, sample())) == ids


def test_citing_tests_are_found_with_their_files(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_go.py").write_text(
        "def test_abc_go_1(): pass\n"
        "class TestBox:\n"
        "    def test_pawn(self):\n"
        "        '''It is there (ABC-BOX-1).'''\n"
        "@pytest.mark.parametrize('rule', ['ABC-GO-2'])\n"
        "def test_each(rule): 'ABC-GO-1, in words.'\n"
        "def helper(): 'ABC-GO-7'\n"
    )
    assert DOCS["citing_tests"](sample(), tmp_path / "tests") == {
        "ABC-GO-1": [("tests/test_go.py", "test_abc_go_1"), ("tests/test_go.py", "test_each")],
        "ABC-GO-2": [("tests/test_go.py", "test_each")],
        "ABC-BOX-1": [("tests/test_go.py", "test_pawn")],
    }


CONTENT = """
[board]
drawing = '''
+-+
'''
[[sheet]]
grid = ".#"
of = 2
house_fields = ["of"]
[[sheet]]
grid = "#."
of = 3
house_fields = ["all"]
[odds]
names = ["low", "high"]
low = [0, 5]
high = [4, 9999]
row = [
  { die = 1, hits = [0, 1], kinds = ["a_b", "c"], box = [1, 9], source = "printed" },
  { die = 2, hits = [2, 3], kinds = [], lucky = true, box = [10, 19], source = "house", printed_cells = ["high"] },
]
"""


@pytest.mark.parametrize(
    ("mark", "body"),
    [
        ("text play.toml board.drawing", "```text\n+-+\n```"),
        ("text play.toml sheet.1.grid", "```text\n#.\n```"),
        ("table play.toml odds.row | Die: `{die}`", "| Die |\n| --- |\n| `1` |\n| `2` |"),
        (
            "table play.toml odds.row | A: {kinds} | B: {lucky}",
            "| A | B |\n| --- | --- |\n| a_b, c | – |\n| none | yes |",
        ),
        ("table play.toml odds.row | A: {kinds:words}", "| A |\n| --- |\n| a b, c |\n| none |"),
        ("table play.toml odds.row | Box: {box[0]}-{box[1]}", "| Box |\n| --- |\n| 1-9 |\n| 10-19 |"),
        (
            "table play.toml sheet | Of: {of} | Grid: {grid}",
            "| Of | Grid |\n| --- | --- |\n| *2* | .# |\n| *3* | *#.* |",
        ),
        ("table play.toml odds.row | names => hits", "| low | high |\n| --- | --- |\n| 0 | 1 |\n| *2* | 3 |"),
        ("table play.toml odds.row | low-high => hits", "| 0-4 | 5+ |\n| --- | --- |\n| 0 | 1 |\n| *2* | *3* |"),
    ],
)
def test_a_games_page_is_filled_from_its_content(tmp_path: Path, mark: str, body: str) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "play.toml").write_text(CONTENT)
    page = f"Before.\n\n<!-- {mark} -->\nold\n<!-- end -->\n\nAfter."
    made = DOCS["filled"](page, tmp_path, sample())
    assert made == f"Before.\n\n<!-- {mark} -->\n\n{body}\n\n<!-- end -->\n\nAfter."
    assert DOCS["filled"](made, tmp_path, sample()) == made


def test_a_field_that_no_record_has_is_no_column(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "play.toml").write_text(CONTENT)
    with pytest.raises(KeyError, match="dice"):
        DOCS["filled"]("<!-- table play.toml odds.row | Die: {dice} -->\n<!-- end -->", tmp_path, sample())


def test_options_on_a_games_page_lead_to_the_rulings(tmp_path: Path) -> None:
    made = DOCS["filled"]("<!-- options -->\n<!-- end -->", tmp_path / "the_sample", sample())
    assert "| `pace` | [1](../rules/the-sample.md#ruling-1) | Pace. | `slow`: ; `fast`:  | all |" in made
    text = SAMPLE.replace('name = "pace", ruling = 1', 'name = "pace"').replace(', options = ["pace"]', "")
    made = DOCS["filled"]("<!-- options -->\n<!-- end -->", tmp_path / "the_sample", registers.parse(text))
    assert "| `pace` | – | Pace. |" in made


def test_an_option_may_take_values_that_are_described_in_words(tmp_path: Path) -> None:
    text = SAMPLE.replace(
        '{ value = "slow", text = "" }, { value = "fast", text = "" }]',
        '{ value = "", text = "none" }], form = "a number"',
    )
    made = registers.parse(text.replace('default = "slow"', 'default = ""'))
    assert made.options[0].form == made.options[0].takes == "a number"
    assert sample().options[0].takes == "slow, fast"
    assert "| Pace. | (empty): none; or a number | all |" in "\n".join(DOCS["_options"](made))


def test_a_withdrawn_rule_keeps_its_id(tmp_path: Path) -> None:
    made = registers.parse(SAMPLE.replace('["printed"]', '["withdrawn"]'))
    page = DOCS["page"](tmp_path, made)
    assert (
        "**ABC-BOX-1** A pawn. <small>Withdrawn; the rulebook is silent. **Component:** It lies in the box.</small>"
        in page
    )
    assert "Of a *withdrawn* rule only the ID is kept." in page
    assert "withdrawn" not in DOCS["page"](tmp_path, sample())


def test_a_ruling_may_name_several_options() -> None:
    second = """, { name = "rest", ruling = 1, text = "", default = "a", parts = ["all"], values = [
      { value = "a", text = "" }, { value = "b", text = "" }] }]"""
    text = SAMPLE.replace('options = ["pace"]', 'options = ["pace", "rest"]').rstrip().removesuffix("]") + second
    made = registers.parse(text)
    assert made.ruling(1).options == ("pace", "rest")
    assert "| options `pace`, `rest` |" in "\n".join(DOCS["_rulings"](made))
