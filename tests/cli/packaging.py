"""Makes a wheel of the rulesets beside the tests, as `pip wheel` would; needs neither a network nor a build tool."""

from __future__ import annotations

import base64
import hashlib
import tomllib
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "rulesets"


def build_wheel(folder: Path, source: Path = SOURCE) -> Path:
    """Write the wheel of a project of plain modules into a folder and return its path."""
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))
    about = project["project"]
    name, version = about["name"].replace("-", "_"), about["version"]
    info = f"{name}-{version}.dist-info"
    groups = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in points.items())
        for group, points in about["entry-points"].items()
    ]
    files = {
        f"{module}.py": (source / f"{module}.py").read_text(encoding="utf-8")
        for module in project["tool"]["setuptools"]["py-modules"]
    } | {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "\n".join(groups),
    }
    record = f"{info}/RECORD"
    lines = [f"{path},sha256={_digest(text)},{len(text.encode())}\n" for path, text in files.items()]
    wheel = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in {**files, record: "".join([*lines, f"{record},,\n"])}.items():
            archive.writestr(path, text)
    return wheel


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
