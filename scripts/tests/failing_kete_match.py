#!/usr/bin/env python3
"""Stands in for kete-match: is the program that REAL_KETE_MATCH names, but for the match that the file FAKE_FAIL counts down to, as in `2 exit`."""

import json
import os
import signal
import sys
import time
from pathlib import Path

plan = Path(os.environ["FAKE_FAIL"])
how = ""
if plan.exists() and "--dry-run" not in sys.argv:
    left, _, how = plan.read_text().partition(" ")
    if int(left) > 1:
        plan.write_text(f"{int(left) - 1} {how}")
        how = ""
    else:
        plan.unlink()


def end(ending: str, pairings: list[dict], detail: str | None = None) -> None:
    results = {"games": 0, "pairings": pairings, "ratings": [], "sprt": None}
    print(json.dumps({"event": "end", "ending": ending, "detail": detail, "directory": "d", "results": results}), flush=True)


if how == "exit":
    print("error: no luck today", file=sys.stderr)
    sys.exit(2)
elif how == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
elif how == "garbage":
    print("thread main panicked", flush=True)
    time.sleep(100)
elif how == "not an event":
    print("[1]", flush=True)
elif how == "no text":
    sys.stdout.buffer.write(b"\xff\xfe\n")
elif how == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("?", flush=True)
    time.sleep(100)
elif how == "failed":
    end("failed", [], "game 3: plus (South): illegal move")
    sys.exit(3)
elif how == "few pairs":
    end("finished", [{"variant": "kigogo", "penta": [0, 0, 1, 0, 0]}])
elif how == "no pairs":
    end("finished", [])
elif how == "interrupted":
    end("interrupted", [])
    sys.exit(130)
else:
    os.execv(os.environ["REAL_KETE_MATCH"], [os.environ["REAL_KETE_MATCH"], *sys.argv[1:]])
