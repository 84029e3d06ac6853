"""Measures every budget of warptape in one run, prints a table, and exits with 1 when one is not met.

Ratios, and medians of repeats in turns, because machines differ and are shared; `--json FILE` keeps the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from pathlib import Path

from measure import Row, install_rulesets, table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures to a file as well")
    parser.add_argument(
        "--quick", action="store_true", help="less work a row: rougher figures in a fraction of the time"
    )
    parser.add_argument(
        "--only",
        choices=["recording", "archiving", "playing", "starting", "memory", "serving"],
        help="one part only; serving, which takes a quarter of an hour, is measured when it is named",
    )
    parser.add_argument(
        "--folder", type=Path, help="where the stores are made (default: the folder of temporary files)"
    )
    parser.add_argument("--spiel", metavar="PYTHON", default=sys.executable, help="a Python that has open_spiel")
    parser.add_argument("--profile", metavar="RULESET", help="print where the time of random play goes, and stop")
    given = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [install_rulesets(), os.environ.get("PYTHONPATH")]))

    import archiving
    import memory
    import playing
    import recording
    import serving
    import starting

    if given.profile:
        playing.profile(given.profile)
        return 0
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="warptape-bench-", dir=given.folder) as name:
        folder = Path(name)
        parts = {
            "recording": lambda: recording.rows(folder, given.quick),
            "archiving": lambda: archiving.rows(folder, given.quick),
            "playing": lambda: playing.pig(given.quick, given.spiel) + playing.games(given.quick),
            "starting": lambda: starting.rows(given.quick),
            "memory": lambda: memory.rows(folder, given.quick),
            "serving": lambda: serving.rows(folder, given.quick),
        }
        for part, measure in parts.items():
            if given.only == part or (given.only is None and part != "serving"):
                print(f"{part} ...", file=sys.stderr, flush=True)
                rows += measure()
    print(table(rows))
    if given.json:
        about = {"python": platform.python_version(), "machine": platform.machine(), "system": platform.system()}
        given.json.write_text(
            json.dumps({**about, "rows": [row.told() for row in rows]}, indent=1) + "\n", encoding="utf-8"
        )
    return 1 if any(row.met is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
