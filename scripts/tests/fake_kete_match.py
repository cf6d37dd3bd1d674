#!/usr/bin/env python3
"""Stands in for kete-match: notes its arguments in the file FAKE_NOTE and prints the lines of the file FAKE_LINES.

Lines of one game stand in a file of that name with a dot and the game behind it. Asked for a check (--dry-run), it finds nothing, or what FAKE_CHECK says.
"""

import json
import os
import sys
from pathlib import Path

words = sys.argv[1:]
if "--dry-run" in words:
    complaint = os.environ.get("FAKE_CHECK")
    if complaint is not None:
        print(f"error: {complaint}", file=sys.stderr)
        sys.exit(2)
    print(json.dumps({"event": "end", "ending": "checked", "detail": None, "directory": "none", "results": {"games": 0, "pairings": [], "ratings": [], "sprt": None}}))
    sys.exit(0)
Path(os.environ["FAKE_NOTE"]).write_text("\n".join(words))
lines = Path(os.environ["FAKE_LINES"])
if "--variant" in words:
    own = lines.with_name(f"{lines.name}.{words[words.index('--variant') + 1]}")
    lines = own if own.exists() else lines
print(lines.read_text(), end="")
sys.exit(int(os.environ.get("FAKE_CODE", "0")))
