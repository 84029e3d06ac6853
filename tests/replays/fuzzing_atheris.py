"""The targets of `fuzzing`, driven by atheris: `python tests/replays/fuzzing_atheris.py TARGET [LIBFUZZER OPTIONS]`.

Needs the extra `fuzz`. What it finds interesting goes into a folder of its own beside the corpus, or where `-artifact_prefix`
and a folder among the options say; put what fails into tests/corpus/TARGET.
"""

from __future__ import annotations

import sys
import tempfile

import atheris

with atheris.instrument_imports(include=["warptape", "fuzzing"]):
    import fuzzing

if __name__ == "__main__":
    fuzzing.install()
    target, *options = sys.argv[1:]
    grown = [] if any(not option.startswith("-") for option in options) else [tempfile.mkdtemp(prefix="warptape-fuzz-")]
    kept = [str(fuzzing.CORPUS / target)] if (fuzzing.CORPUS / target).is_dir() else []
    atheris.Setup([sys.argv[0], *options, *grown, *kept], fuzzing.TARGETS[target])
    atheris.Fuzz()
