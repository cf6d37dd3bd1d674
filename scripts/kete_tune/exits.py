"""How the scripts that play matches end: exit codes, and a sentence on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable

from kete_tune.errors import ScriptError
from kete_tune.matches import MatchError
from kete_tune.options import interruptible

# Between 0 and 2 stands what a script found out, if it is a question of yes or no.
FINISHED, REFUSED, FAILED, INTERRUPTED = 0, 2, 3, 130


def code_of(script: Callable[[], int], left: str = "the same command goes on") -> int:
    """Runs a script and says why it ended early, if it did, and what is left of it then."""
    try:
        with interruptible():
            return script()
    except KeyboardInterrupt:
        print(f"interrupted; {left}", file=sys.stderr)
        return INTERRUPTED
    except MatchError as error:
        print(f"error: {error}\n{left}", file=sys.stderr)
        return FAILED
    except (ScriptError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return REFUSED
