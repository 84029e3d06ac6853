"""Tokens at home: URLs that may carry one, invitations, and the file that only its owner reads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from warptape import OptionError, StoreError
from warptape import open as open_store
from warptape.replays.remote.passes import Pass, Wallet, invitation_of, link, server_of


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("https://games.example", "https://games.example"),
        ("HTTPS://Games.Example:443/", "https://games.example"),
        ("https://games.example:8443/table/", "https://games.example:8443/table"),
        ("http://localhost:8642", "http://localhost:8642"),
        ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("http://[::1]:8642/", "http://[::1]:8642"),
        ("https://games.example/?x=1#y", "https://games.example"),
    ],
)
def test_a_server_has_one_name(url: str, server: str) -> None:
    assert server_of(url) == server
    assert server_of(server) == server


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://games.example", "use https://"),
        ("http://localhost.games.example", "use https://"),
        ("http://127.0.0.1.games.example", "use https://"),
        ("https://", "not the URL of a server"),
        ("https://anna:secret@games.example", "no password"),
        ("https://games.example:port", "not the URL of a server"),
        ("ftp://games.example", "not the URL of a server"),
    ],
)
def test_no_token_goes_where_it_could_be_read(url: str, words: str) -> None:
    with pytest.raises(StoreError, match=words) as refused:
        server_of(url)
    assert "secret" not in str(refused.value)
    if url.startswith("http://"):
        assert server_of(url, insecure=True) == url


def test_invitations_are_links_or_codes() -> None:
    code = "wi_" + "x" * 43
    assert invitation_of(link("https://games.example/table", code)) == ("https://games.example/table", code)
    assert invitation_of(f" {code}\n") == ("", code)
    for wrong in ("https://games.example/join", "two words", "", "short"):
        with pytest.raises(OptionError):
            invitation_of(wrong)


def test_a_wallet_keeps_one_pass_a_part_and_nobody_else_reads_it(tmp_path: Path) -> None:
    wallet = Wallet(tmp_path / "folder" / "profiles.json")
    assert wallet.of("https://a") == []
    seat = Pass(token="one", role="seat", game="g", seat="p1", name="first")
    wallet.add("https://a", seat, Pass(token="two", role="arbiter", game="g", name="first"))
    wallet.add("https://a", Pass(token="three", role="seat", game="g", seat="p1"))
    wallet.add("https://b", Pass(token="host", role="host"))
    again = Wallet(wallet.path)
    assert sorted(one.token for one in again.of("https://a")) == ["three", "two"]
    assert wallet.path is not None
    assert wallet.path.stat().st_mode & 0o777 == 0o600
    assert "one" not in repr(seat)
    assert len(again.remove("https://a", "first")) == 1
    assert len(again.remove("https://a")) == 1
    assert list(again.servers()) == ["https://b"]
    wallet.path.write_text('{"format": 99}')
    with pytest.raises(StoreError, match="newer version"):
        wallet.of("https://b")
    wallet.path.write_text("not json")
    with pytest.raises(StoreError, match="join again"):
        wallet.of("https://b")


def test_many_processes_may_keep_passes_at_once(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from warptape.replays.remote.passes import Pass, Wallet\n"
        "for n in range(10): Wallet(Path(sys.argv[1])).add('https://a', Pass(token=sys.argv[2]+str(n), game=sys.argv[2]+str(n)))"
    )
    file = str(tmp_path / "profiles.json")
    running = [subprocess.Popen([sys.executable, "-c", program, file, name]) for name in "abc"]
    assert [one.wait(60) for one in running] == [0, 0, 0]
    assert len(Wallet(Path(file)).of("https://a")) == 30


def test_a_token_is_for_servers_alone(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="https:// URL"):
        open_store(tmp_path / "games.db", token="wt_x")


def test_httpx_is_loaded_for_servers_alone() -> None:
    program = (
        "import sys\n"
        "from warptape.cli import main\n"
        "import warptape\n"
        "warptape.open(':memory:').close()\n"
        "assert 'httpx' not in sys.modules\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "assert 'httpx' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, timeout=120)


def test_without_httpx_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    program = (
        "import sys\n"
        "sys.modules['httpx'] = None\n"
        "import warptape\n"
        "try: warptape.open('https://games.example')\n"
        "except warptape.StoreError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=120)
    assert "install 'warptape[remote]'" in done.stdout
