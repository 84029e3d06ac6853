"""Whatever is sent that fits the OpenAPI document, or nearly does: the answer fits it too, and is never a fault of the service."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from service_house import House, house

from warptape.service.app import schema

pytest.importorskip("schemathesis", reason="this needs schemathesis: install 'warptape[dev]'")

import schemathesis
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

CHECKS = [
    not_a_server_error, checks.status_code_conformance, checks.content_type_conformance,
    checks.response_headers_conformance, checks.response_schema_conformance, checks.negative_data_rejection,
]  # fmt: skip
ENDLESS = "/v1/games/{game}/events"


@pytest.fixture(scope="module")
def opened() -> Iterator[House]:
    with house() as one:
        yield one


def _ask_anything(opened: House, ruleset: str, examples: int, number: int) -> int:
    """Send so many requests to each endpoint, each with the token of one role or none; see that each answer fits.

    Most ask for a game that is there, whose positions are small numbers. Returns how many were sent.
    """
    tables = [opened.new(ruleset, undo="free") for _ in range(2)]
    for table in tables:
        table.play(4, lambda below: below // 2)
    document = schemathesis.openapi.from_dict(json.loads(schema()))
    sent = 0
    for result in document.get_all_operations():
        operation = result.ok()
        if operation.path == ENDLESS:
            continue
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

            @seed(number)
            @settings(
                max_examples=examples,
                database=None,
                deadline=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(
                operation.as_strategy(generation_mode=mode), st.sampled_from([*tables[0].tokens, None]), st.booleans()
            )
            def anything(case: Any, who: str | None, first: bool) -> None:
                nonlocal sent
                sent += 1
                table = tables[0 if first else 1]
                if "game" in case.path_parameters and sent % 6:
                    case.path_parameters["game"] = table.id
                headers = {} if who is None else {"Authorization": f"Bearer {table.tokens[who]}"}
                case.call_and_validate(base_url=opened.url, headers=headers, checks=CHECKS, timeout=30)

            try:
                anything()
            except Unsatisfiable:  # nothing can be wrong with a request of one word
                assert mode is GenerationMode.NEGATIVE, operation.label
    return sent


def test_every_answer_is_as_the_document_says(opened: House) -> None:
    assert _ask_anything(opened, "hidden", 2, 1) > 150


def test_nothing_is_taken_for_something_else(opened: House) -> None:
    """A number is no yes and a text is no number in a body; a query says each thing once."""
    table = opened.new("hidden", undo="free")
    path = f"{opened.url}/v1/games/{table.id}"
    arbiter, host = ({"Authorization": f"Bearer {table.tokens[who]}"} for who in ("sees", "host"))
    wrong = [("fork", "reroll", 0), ("fork", "reroll", "true"), ("fork", "seats", [])]
    wrong += [("rewind", "expect", "3"), ("rewind", "expect", True)]
    for what, name, value in wrong:
        answer = httpx.post(f"{path}/{what}", headers=arbiter, json={"at": 0, name: value})
        assert answer.status_code == 400
        assert f"{name}: Expected `" in answer.json()["message"]
    answer = httpx.get(f"{opened.url}/v1/games?ruleset=pig&limit=1&ruleset=hidden", headers=host)
    assert (answer.status_code, answer.json()["message"]) == (400, "Give 'ruleset' once.")


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["hidden", "pig", "doom-of-the-eldar"])
def test_every_answer_is_as_the_document_says_for_long(opened: House, ruleset: str) -> None:
    assert _ask_anything(opened, ruleset, 25, 2) > 1700


@pytest.mark.slow
@pytest.mark.parametrize("who", ["host", "sees", "blind", "raider", "public"])
def test_what_one_answer_gives_is_asked_for_in_the_next(opened: House, who: str, tmp_path: Path) -> None:
    """The program schemathesis, with edges of every schema, and sequences that follow from what was answered."""
    table = opened.new("hidden", undo="free")
    names = ",".join(check.__name__ for check in CHECKS)
    done = subprocess.run(
        [
            *(str(Path(sys.executable).with_name("schemathesis")), "run", f"{opened.url}/openapi.json", "--no-color"),
            *("-H", f"Authorization: Bearer {table.tokens[who]}", "--phases", "coverage,stateful", "--checks", names),
            *(
                "--exclude-path",
                ENDLESS,
                "--max-examples",
                "20",
                "--seed",
                "3",
                "--request-timeout",
                "40",
                "--suppress-health-check",
                "all",
            ),
            *("--generation-database", "none", "--warnings", "off"),
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path), "SCHEMATHESIS_HOOKS": ""},
        timeout=900,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-1000:]
