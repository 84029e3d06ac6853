"""Games of this ruleset that bots play into a store, all of them audited."""

from __future__ import annotations

from pathlib import Path

import msgspec
from hive_options import OPTIONS
from recorded_games import MANY, Table, recorded_and_sound

from warptape.domain.tyranid_attack import RULESET
from warptape.domain.tyranid_attack.state import Options


def typed(options: Options) -> dict[str, str]:
    """The options that are not as by default, as they are typed."""
    plain = msgspec.structs.asdict(Options())
    return {name: str(value) for name, value in msgspec.structs.asdict(options).items() if value != plain[name]}


BOTH = {"marines": "random", "tyranid": "random"}
TABLES = [
    Table(),
    Table({"marines": "random"}, typed(OPTIONS["returns"])),
    Table({"tyranid": "random"}, typed(OPTIONS["points"])),
    Table(BOTH, typed(OPTIONS["beasts"])),
    Table(BOTH, typed(OPTIONS["plasma"])),
    Table({}, typed(OPTIONS["swords"])),
]
"""Every value of every option is in one of them."""


@MANY
def test_games_of_bots_are_kept_and_pass_the_audit(many: int, tmp_path: Path) -> None:
    results = recorded_and_sound(RULESET, TABLES, many, tmp_path)
    assert sum(results.values()) == many
    if many > 100:
        assert {*results} >= {"marines", "tyranid"}, results
