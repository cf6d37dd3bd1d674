#!/usr/bin/env python3
"""Stands in for kete-match: notes its arguments in the file FAKE_NOTE and prints the lines of the file FAKE_LINES."""

import os
import sys
from pathlib import Path

Path(os.environ["FAKE_NOTE"]).write_text("\n".join(sys.argv[1:]))
print(Path(os.environ["FAKE_LINES"]).read_text(), end="")
sys.exit(int(os.environ.get("FAKE_CODE", "0")))
