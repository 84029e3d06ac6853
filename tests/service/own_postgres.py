"""A PostgreSQL of a test's own, which may be stopped in the middle, run by another user where the tests are run by root."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def programs() -> Path:
    """Return the folder of initdb and pg_ctl; skips where there is none, or nobody who may run them."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    named = shutil.which("initdb")
    if not found and named is None:
        pytest.skip("initdb is not installed: this needs a PostgreSQL of its own")
    if os.geteuid() == 0 and (shutil.which("setpriv") is None or _postgres() is None):
        pytest.skip("root cannot run PostgreSQL, and there is no user postgres who could")
    return found[-1].parent if found else Path(str(named)).resolve().parent


def _postgres() -> int | None:
    import pwd

    try:
        return pwd.getpwnam("postgres").pw_uid
    except KeyError:
        return None


class Cluster:
    """One server in a folder, on a port of this machine that it keeps."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.folder = programs(), folder
        with socket.create_server(("127.0.0.1", 0)) as line:
            self.port = line.getsockname()[1]
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"
        self.give(folder)
        data = ("-D", str(folder / "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        self._run("initdb", *data, "--no-sync")
        self.running = False

    def give(self, folder: Path) -> None:
        """Make a folder that of the user who runs the server."""
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
            folder.chmod(0o700)

    def start(self) -> None:
        """Start, and wait until it answers."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        small = "-c max_connections=60 -c shared_buffers=16MB"
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-l", str(self.folder / "log"), "-w", "-o",
                  f"{options} {small}", "start")  # fmt: skip
        self.running = True

    def stop(self) -> None:
        """End as after a crash: no farewell to anybody, and the log is played back at the next start."""
        if self.running:
            self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "-w", "stop")
            self.running = False

    def _run(self, name: str, *words: str) -> None:
        who = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []
        done = subprocess.run(
            [*who, str(self.bin / name), *words],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # the server keeps it, so it is no pipe
            stderr=subprocess.STDOUT,
            timeout=60,
        )
        assert done.returncode == 0, f"{name} failed"


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A server that runs, and is gone after the context."""
    with tempfile.TemporaryDirectory(prefix="warptape-postgres-") as name:
        one = Cluster(Path(name))
        one.start()
        try:
            yield one
        finally:
            one.stop()


@contextmanager
def mounted(folder: Path, megabytes: int) -> Iterator[Path]:
    """A disk of so many MB in memory; skips where we may not mount one."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("there is no mount here: this needs a small disk")
    if done.returncode:
        pytest.skip(f"only root may mount a small disk: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
