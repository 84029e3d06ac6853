"""Every reader takes every input of the corpus, what Hypothesis makes up, and the corpus in disorder."""

from __future__ import annotations

import random
import runpy
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fuzzing
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

TARGETS = list(fuzzing.TARGETS)
KEPT = [(target, name) for target in TARGETS for name in fuzzing.corpus(target)]
each_target = pytest.mark.parametrize("target", TARGETS)
SETTINGS = settings(deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize(("target", "name"), KEPT, ids=lambda text: str(text))
def test_what_is_kept_harms_nobody(target: str, name: str) -> None:
    fuzzing.TARGETS[target](fuzzing.corpus(target)[name])


def test_the_corpus_begins_with_what_is_sound(tmp_path: Path) -> None:
    """Or mutations would all be refused at the door: each log of the corpus but those found to harm passes its audit."""
    for name in ("pig", "hidden", "hidden-raider", "fork", "nested", "table", "report-refused", "report-position"):
        data = fuzzing.corpus("forged")[name]
        assert fuzzing.mended(data) == data
        path = tmp_path / "x.tape.jsonl"
        path.write_bytes(data)
        assert fuzzing.audit_file(path).ok, name
    assert all(fuzzing.corpus(target) for target in TARGETS if target != "file")


def test_an_audit_finds_what_the_import_has_against_the_seats(tmp_path: Path) -> None:
    sound = fuzzing.corpus("forged")["pig"]
    path = tmp_path / "x.tape.jsonl"
    path.write_bytes(sound)
    forged = fuzzing.mended(sound.replace(b'"seats":{"p1":', b'"seats":{"nobody":'))
    assert forged != sound
    path.write_bytes(forged)
    assert not fuzzing.audit_file(path).ok
    fuzzing.TARGETS["forged"](forged)


@each_target
@settings(SETTINGS, max_examples=40)
@given(data=st.binary(max_size=400))
def test_any_bytes(target: str, data: bytes) -> None:
    fuzzing.TARGETS[target](data)


@each_target
@settings(SETTINGS, max_examples=60)
@given(luck=st.randoms(use_true_random=False), number=st.integers(0, 10**9))
def test_what_is_sound_in_disorder(target: str, luck: random.Random, number: int) -> None:
    begun = fuzzing.seeds(target)
    fuzzing.TARGETS[target](fuzzing.mutated(begun[number % len(begun)], luck, begun, target))


@pytest.mark.slow
@each_target
def test_a_long_hunt(target: str) -> None:
    tried, failed = fuzzing.hunt(target, 120, 20260101, keep=False)
    assert not failed
    assert tried > 100


def test_a_hunt_finds_and_keeps_what_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The hunter itself: a reader that cannot stand a zero is caught, and what it was given is kept."""

    def delicate(data: bytes) -> None:
        assert b"0" not in data

    (tmp_path / "event").mkdir()
    (tmp_path / "event" / "seed").write_bytes(b"12345")
    monkeypatch.setattr(fuzzing, "CORPUS", tmp_path)
    monkeypatch.setitem(fuzzing.TARGETS, "event", delicate)
    tried, failed = fuzzing.hunt("event", 2, 1)
    assert tried > 50
    assert len(failed) == 1
    kept = fuzzing.corpus("event")
    assert len(kept) == 2
    assert any(b"0" in data for data in kept.values())


@each_target
def test_atheris_is_given_the_same_targets(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver for atheris, with a stand-in for it: it hands over the target and the corpus."""
    given_to: dict[str, Any] = {}
    stand_in: Any = types.ModuleType("atheris")

    class Imports:
        def __init__(self, include: list[str]) -> None:
            given_to["include"] = include

        def __enter__(self) -> None: ...

        def __exit__(self, *_: object) -> None: ...

    def setup(words: list[str], run: Callable[[bytes], None]) -> None:
        given_to.update(words=words, run=run)

    stand_in.instrument_imports, stand_in.Setup, stand_in.Fuzz = Imports, setup, lambda: given_to.update(fuzzed=True)
    monkeypatch.setitem(sys.modules, "atheris", stand_in)
    program = Path(__file__).with_name("fuzzing_atheris.py")
    monkeypatch.setattr(sys, "argv", [str(program), target, "-max_total_time=1"])
    monkeypatch.setattr(sys, "path", list(sys.path))
    runpy.run_path(str(program), run_name="__main__")
    assert given_to["fuzzed"]
    assert given_to["run"] is fuzzing.TARGETS[target]
    assert "warptape" in given_to["include"]
    folders = [word for word in given_to["words"][1:] if not word.startswith("-")]
    assert (str(fuzzing.CORPUS / target) in folders) is (fuzzing.CORPUS / target).is_dir()
    assert folders[0] != str(fuzzing.CORPUS / target)  # atheris writes into the first
