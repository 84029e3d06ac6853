"""What all tests share: the stores they run on; the long ones run only when asked for."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

BYTECODE = Path(__file__).parents[1] / ".pytest_cache" / "bytecode"
"""Where the bytecode of all modules is kept: the tests start hundreds of processes, which else compile everything anew."""

POSTGRES = os.environ.get("WARPTAPE_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/test")


def pytest_configure(config: pytest.Config) -> None:
    """Keep bytecode in a folder of its own, beside no source: also where an environment forbids to write any."""
    if not hasattr(config, "workerinput"):
        made = BYTECODE.joinpath(*Path(tempfile.gettempdir()).resolve().parts[1:])
        for folder in made.glob("pytest-of-*"):  # of modules that the tests of earlier runs wrote
            shutil.rmtree(folder, ignore_errors=True)
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(BYTECODE)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(BYTECODE)


def pytest_xdist_auto_num_workers() -> int:
    """Two more processes than cores: many tests wait for others, for a time limit or for a browser."""
    return (os.cpu_count() or 1) + 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skips the tests marked slow, with a word, unless WARPTAPE_SLOW=1; these alone may take as long as they like."""
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(0))
            if os.environ.get("WARPTAPE_SLOW") != "1":
                item.add_marker(pytest.mark.skip(reason="a long run: set WARPTAPE_SLOW=1"))


@pytest.fixture(scope="session")
def postgres_database() -> Iterator[str]:
    """The URL of an empty database of this run, dropped after it; skips where no server answers."""
    psycopg = pytest.importorskip("psycopg", reason="PostgreSQL tests need psycopg: install 'warptape[postgres]'")
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    parameters = {"connect_timeout": 3, **conninfo_to_dict(POSTGRES)}
    refused = ""
    for database in (parameters.get("dbname", "test"), "postgres"):
        try:
            connection = psycopg.connect(make_conninfo(**{**parameters, "dbname": database}), autocommit=True)
            break
        except psycopg.OperationalError as error:
            refused = str(error).splitlines()[0]
    else:
        pytest.skip(f"no PostgreSQL server answers at WARPTAPE_TEST_POSTGRES: {refused}")
    name = f"warptape_test_{uuid.uuid4().hex[:12]}"
    with connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        # The tests kill clients, never this server: what is committed need not be on its disk at once.
        connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
        base, _, query = POSTGRES.partition("?")
        yield f"{base.rpartition('/')[0]}/{name}" + (f"?{query}" if query else "")
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _url(kind: str, request: pytest.FixtureRequest, folder: Path) -> str:
    if kind == "memory":
        return ":memory:"
    if kind == "sqlite":
        return str(folder / "games.db")
    database: str = request.getfixturevalue("postgres_database")
    return f"{database}{'&' if '?' in database else '?'}schema=wt_{uuid.uuid4().hex}"


@pytest.fixture(params=["sqlite", "memory", "postgres"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty store, once for each kind; a store in memory is another one each time it is opened."""
    return _url(request.param, request, tmp_path)


@pytest.fixture(params=["sqlite", "postgres"])
def lasting_store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty store that outlives a process, once for each kind."""
    return _url(request.param, request, tmp_path)
