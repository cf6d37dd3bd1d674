#!/usr/bin/env python3
"""The engine that REAL_KETE names, which ends with status 7 instead of the move that the file FAKE_CRASH counts down to."""

import os
import subprocess
import sys
from pathlib import Path

plan = Path(os.environ["FAKE_CRASH"])
engine = subprocess.Popen([os.environ["REAL_KETE"]], stdin=subprocess.PIPE, text=True, bufsize=1)
for line in sys.stdin:
    if line.startswith("go") and plan.exists():
        left = int(plan.read_text()) - 1
        plan.write_text(str(left))
        if left <= 0:
            plan.unlink()
            engine.kill()
            engine.wait()
            os._exit(7)
    engine.stdin.write(line)
    engine.stdin.flush()
    if line.strip() == "quit":
        break
engine.stdin.close()
engine.wait()
