"""The programs that cargo has built, for tests that play matches."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def program(name: str) -> str:
    """The path of `kete` or `kete-match`: what the variable KETE or KETE_MATCH names, or the newest build of either profile."""
    named = os.environ.get(name.upper().replace("-", "_"))
    if named:
        return named
    found = [path for profile in ("release", "debug") if (path := ROOT / "target" / profile / name).exists()]
    if not found:
        raise AssertionError(f"{name} is not built: expected target/release/{name} or target/debug/{name}; `cargo test` makes the second")
    return str(max(found, key=lambda path: path.stat().st_mtime))
