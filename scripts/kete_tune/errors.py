"""Why a script ends without having done what it was asked for."""


class ScriptError(Exception):
    """What is wrong and what was expected, in a sentence for the user."""
