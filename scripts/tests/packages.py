"""Tests that need a package from PyPI are left out where it is missing, and say so; with KETE_TESTS=all they fail instead."""

import importlib
import os
import unittest


def require(name: str) -> None:
    """To be called before the imports that need the package."""
    try:
        importlib.import_module(name)
    except ImportError as error:
        if os.environ.get("KETE_TESTS") == "all":
            raise
        raise unittest.SkipTest(f"needs {name}: pip install -r scripts/requirements.txt") from error
