"""The rule register of a game: every rule under its ID, every gap of the rulebook with its ruling, every option.

A game keeps its register as `rules.toml` beside its content, so that rewording a rule changes no content digest.
Refusals, consequences, tests and docs all cite its IDs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from .errors import ContentError

FILE = "rules.toml"
FORMAT = 1

Status = Literal["printed", "ruling", "house", "withdrawn"]
Kind = Literal["rule", "component"]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of a game with rules of its own, such as a level."""

    id: str
    title: str


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One row of the register.

    `status` says where the rule comes from: it is `printed` in the rulebook, a `ruling` closes a gap (by the
    numbers in `rulings`), it is `house` content, or it is `withdrawn` and only its ID is kept. `heading` is the rulebook's, empty where that is silent.
    `kind` is `rule` (shown by a test) or `component` (it only describes something, `why` says so).
    """

    id: str
    topic: str
    text: str
    heading: str
    status: tuple[Status, ...]
    parts: tuple[str, ...]
    kind: Kind
    rulings: tuple[int, ...] = ()
    note: str = ""
    why: str = ""


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A gap of the rulebook and how it is closed; `options` names the game options that close it otherwise.

    `place` is the rulebook's heading, empty where it is silent; with `content` the answer lies in data files.
    """

    number: int
    place: str
    question: str
    ruling: str
    options: tuple[str, ...] = ()
    content: bool = False


class OptionValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One value an option may take, as text (`true`, `false`, digits or a word), and what it means."""

    value: str
    text: str


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A way to play by another ruling than ours; `default` is the value that follows the ruling numbered `ruling`.

    An option that belongs to no ruling (0) says what is played, such as a level; then `default` is what is played unasked.
    `values` are all values that it may take, or with `form` those that have a meaning of their own; `form` says in words
    how any other value reads, such as a whole number in bounds.
    """

    name: str
    text: str
    default: str
    parts: tuple[str, ...]
    values: tuple[OptionValue, ...]
    ruling: int = 0
    form: str = ""

    @property
    def takes(self) -> str:
        """All that may be given, in words: the values, and how any other one reads."""
        values = ", ".join(value.value for value in self.values if value.value)
        return ", or ".join(filter(None, (values, self.form.replace("`", ""))))


class Register(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The whole register of one game, checked: IDs and numbers are unique and everything referred to exists."""

    game: str
    format: int
    title: str
    prefix: str
    parts: tuple[Part, ...]
    rules: tuple[Rule, ...]
    rulings: tuple[Ruling, ...] = ()
    options: tuple[Option, ...] = ()

    def rule(self, id: str) -> Rule:
        """The rule of that ID, in any case of letters.

        Raises ContentError if the register has no such rule.
        """
        wanted = id.upper()
        for rule in self.rules:
            if rule.id == wanted:
                return rule
        raise ContentError(f"The register of {self.title} has no rule {id}.")

    def ruling(self, number: int) -> Ruling:
        """The ruling of that number.

        Raises ContentError if the register has no such ruling.
        """
        for ruling in self.rulings:
            if ruling.number == number:
                return ruling
        raise ContentError(f"The register of {self.title} has no ruling {number}.")

    def part(self, id: str) -> Part:
        """The part of that id.

        Raises ContentError if the register has no such part.
        """
        for part in self.parts:
            if part.id == id:
                return part
        raise ContentError(f"The register of {self.title} has no part {id!r}.")

    def topics(self) -> Iterator[tuple[str, list[Rule]]]:
        """The rules by topic, topics and rules in the order of the file."""
        grouped: dict[str, list[Rule]] = {}
        for rule in self.rules:
            grouped.setdefault(rule.topic, []).append(rule)
        yield from grouped.items()


def parse(text: str, name: str = FILE) -> Register:
    """The register written in a TOML text; `name` is the file's name in messages.

    Raises ContentError, naming the file, the entry and the reason, if the text is no TOML or no sound register.
    """
    try:
        register = msgspec.convert(tomllib.loads(text), Register)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ContentError(f"{name}: {error}") from error
    for problem in _problems(register):
        raise ContentError(f"{name}: {problem}")
    return register


@cache
def load(package: str) -> Register:
    """The register of the game whose Python package has that full name, such as `RULESET.__module__`'s package.

    Raises ContentError if the package has no register or the register is not sound.
    """
    try:
        text = (resources.files(package) / FILE).read_text(encoding="utf-8")
    except (OSError, ModuleNotFoundError) as error:
        raise ContentError(f"The game in {package} has no rule register ({error}).") from error
    return parse(text, f"{package}/{FILE}")


def of(ruleset: type) -> Register | None:
    """The register beside the module in which a ruleset's class is defined; None for a ruleset without one."""
    package = ruleset.__module__.rpartition(".")[0]
    if not package or not (resources.files(package) / FILE).is_file():
        return None
    return load(package)


def _problems(register: Register) -> Iterator[str]:
    if register.format != FORMAT:
        yield f"format is {register.format}, this version reads {FORMAT}"
    parts = {part.id for part in register.parts}
    numbers = {ruling.number for ruling in register.rulings}
    names = {option.name for option in register.options}
    keys = [f"part {part.id}" for part in register.parts]
    keys += [f"rule {rule.id}" for rule in register.rules]
    keys += [f"ruling {ruling.number}" for ruling in register.rulings]
    keys += [f"option {option.name}" for option in register.options]
    yield from (f"{key} stands there twice" for key in keys if keys.count(key) > 1)
    for rule in register.rules:
        yield from (f"rule {rule.id}: {problem}" for problem in _rule_problems(register, rule, parts, numbers))
    for ruling in register.rulings:
        yield from (
            f"ruling {ruling.number}: there is no option {name}" for name in ruling.options if name not in names
        )
    for option in register.options:
        yield from (f"option {option.name}: {problem}" for problem in _option_problems(register, option, parts))


def _rule_problems(register: Register, rule: Rule, parts: set[str], numbers: set[int]) -> Iterator[str]:
    prefix, _, rest = rule.id.partition("-")
    if prefix != register.prefix or rest.count("-") != 1 or rule.id != rule.id.upper():
        yield f"an ID reads {register.prefix}-TOPIC-1"
    if not rule.text or not rule.topic or not rule.status:
        yield "text, topic and status are needed"
    if not rule.parts or not parts.issuperset(rule.parts):
        yield "it belongs to one or more of the parts listed"
    if not numbers.issuperset(rule.rulings):
        yield "a ruling it refers to is not listed"
    if "ruling" in rule.status and not rule.rulings:
        yield "a ruling has a number"
    if (rule.kind == "component") != bool(rule.why):
        yield "`why` says why it needs no test, just when its kind is `component`"
    if "withdrawn" in rule.status and (rule.status != ("withdrawn",) or rule.kind == "rule"):
        yield "a withdrawn rule has no other status, and no test"


def _option_problems(register: Register, option: Option, parts: set[str]) -> Iterator[str]:
    values = [value.value for value in option.values]
    if option.default not in values or len(set(values)) != len(values) or len(values) + bool(option.form) < 2:
        yield "it has two or more values or a `form`, all values differ, and its default is one of them"
    if not option.parts or not parts.issuperset(option.parts):
        yield "it belongs to one or more of the parts listed"
    naming = [ruling.number for ruling in register.rulings if option.name in ruling.options]
    if option.ruling and option.ruling not in naming:
        yield f"ruling {option.ruling} does not name it"
    if naming and not option.ruling:
        yield f"ruling {naming[0]} names it, and it names none"
