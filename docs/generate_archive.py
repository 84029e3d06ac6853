"""Writes the data dictionary in `docs/archive.md` from the archive's tables; what stands above the mark is kept.

python docs/generate_archive.py           writes the page
python docs/generate_archive.py --check   writes nothing; exits 1 if the page is out of date
"""

from __future__ import annotations

import sys
from pathlib import Path

from warptape.projections.archive.dictionary import markdown

PAGE = Path(__file__).resolve().parent / "archive.md"
MARK = "<!-- Below: written by docs/generate_archive.py from the archive's tables; edits are lost. -->\n"


def page() -> str:
    """The page with the dictionary of today."""
    above, found, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    assert found, "the mark is gone from docs/archive.md"
    return f"{above}{MARK}\n{markdown()}"


def main(arguments: list[str]) -> int:
    """Writes the page, or with `--check` says whether it differs."""
    text = page()
    if PAGE.read_text(encoding="utf-8") == text:
        return 0
    if "--check" in arguments:
        print("docs/archive.md is out of date: run `make docs`.", file=sys.stderr)
        return 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
