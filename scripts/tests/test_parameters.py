"""What the user asks for, against what an engine lists; and parameters that do nothing."""

import os
import sys
import unittest
from pathlib import Path
from unittest import mock

from kete_tune import parameters, programs
from kete_tune.errors import ScriptError
from kete_tune.spsa import Parameter
from tests.built import program
from tests.tuning import Tuning, script

FAKE = [sys.executable, str(Path(__file__).with_name("fake_tunable_engine.py"))]
SPEED = Parameter("KigogoSpeed", "int", 30, 0, 100, 5, 0.002)


class Listed(unittest.TestCase):
    def test_of_a_fake(self) -> None:
        known = parameters.listed(FAKE)
        self.assertEqual(known["KigogoSpeed"], SPEED)
        self.assertEqual(known["KigogoTaste"], Parameter("KigogoTaste", "float", 0.25, -1, 1, 0.1, 0.002))
        self.assertEqual(len(known), 5)

    def test_of_the_engine(self) -> None:
        known = parameters.listed([program("kete")])
        for variant in ("Kiswahili", "Kigogo", "Kimasai"):
            p = known[f"{variant}Exploration"]
            self.assertEqual((p.kind, p.min, p.max), ("int", 0, 1000))
            self.assertEqual((p.c_end, p.r_end), (50, 0.002))
        for p in known.values():
            parameters.checked(p, p)

    def test_engines_that_list_nothing(self) -> None:
        for mode, message in (("dead", "does not list its parameters"), ("no list", "does not list its parameters"), ("bad list", "KigogoSpeed cannot be read")):
            with mock.patch.dict(os.environ, FAKE_MODE=mode), self.assertRaisesRegex(ScriptError, message):
                parameters.listed(FAKE)


class Chosen(unittest.TestCase):
    KNOWN = {"KigogoSpeed": SPEED, "KigogoTaste": Parameter("KigogoTaste", "float", 0.25, -1, 1, 0.1, 0.002), "A+B": Parameter("A+B", "int", 1, 0, 2, 1, 0.002)}

    def chosen(self, text: str, r_end: float | None = None) -> Parameter:
        return parameters.chosen(text, self.KNOWN, r_end)

    def test_what_is_said_counts_more_than_what_is_listed(self) -> None:
        self.assertEqual(self.chosen("KigogoSpeed"), SPEED)
        self.assertEqual(self.chosen("KigogoSpeed=40.5,min=10,max=90,c=7,r=0.01"), Parameter("KigogoSpeed", "int", 40.5, 10, 90, 7, 0.01))
        self.assertEqual(self.chosen("KigogoSpeed,r=0.01", 0.5).r_end, 0.01)
        self.assertEqual(self.chosen("KigogoSpeed", 0.5).r_end, 0.5)
        self.assertEqual(self.chosen("KigogoTaste=-0.5").start, -0.5)

    def test_refusals(self) -> None:
        for text, message in (
            ("KigogoSped", "no parameter 'KigogoSped'; did you mean KigogoSpeed?"),
            ("Zzz", "no parameter 'Zzz'; expected one of KigogoSpeed, KigogoTaste"),
            ("", "no parameter ''"),
            ("KigogoSpeed=101", "start is 101, expected 0 to 100"),
            ("KigogoSpeed=-1", "start is -1, expected 0 to 100"),
            ("KigogoSpeed=5,min=10", "starts at 5, expected 10 to 100"),
            ("KigogoSpeed,max=200", "max is 200, expected 0 to 100"),
            ("KigogoSpeed,min=-2", "min is -2, expected 0 to 100"),
            ("KigogoSpeed,min=1.5", "min is 1.5, expected a whole number"),
            ("KigogoSpeed=30,min=30,max=30", "leave nothing to tune"),
            ("KigogoSpeed,c=0", "c is 0, expected more than 0"),
            ("KigogoSpeed,c=101", "c is 101, expected more than 0 and no more than the range, 100"),
            ("KigogoSpeed,r=0", "r is 0, expected more than 0"),
            ("KigogoSpeed,r=1.1", "r is 1.1"),
            ("KigogoSpeed=fast", "start is 'fast', expected a number"),
            ("KigogoSpeed=", "start is '', expected a number"),
            ("KigogoSpeed=nan", "start is 'nan', expected a number"),
            ("KigogoSpeed,c=inf", "c_end is 'inf', expected a number"),
            ("KigogoSpeed,d=3", "'d=3' is not understood"),
            ("KigogoSpeed,c", "'c' is not understood"),
            ("KigogoSpeed,", "'' is not understood"),
            ("KigogoSpeed,c=1,c=2", "'c=2' is not understood, expected min=, max=, c= or r= with a number, each once"),
            ("KigogoSpeed=3,start=4", "'start=4' is not understood"),
            ("A+B", "cannot be a parameter's name"),
        ):
            with self.subTest(text=text), self.assertRaises(ScriptError) as caught:
                self.chosen(text)
            self.assertIn(message, str(caught.exception))


class Inert(unittest.TestCase):
    def chosen(self, *names: str) -> list[Parameter]:
        known = parameters.listed(FAKE)
        return [known[name] for name in names]

    def test_found(self) -> None:
        found = self.chosen("KigogoSpeed", "KigogoIdle", "KigogoSwitch", "KigogoTaste")
        self.assertEqual(parameters.inert(FAKE, {}, found), ["KigogoIdle"])
        self.assertEqual(parameters.inert(FAKE, {"KigogoSpeed": "3"}, self.chosen("KigogoIdle")), ["KigogoIdle"])

    def test_an_option_that_the_engine_refuses(self) -> None:
        with self.assertRaises(ScriptError) as caught:
            parameters.inert(FAKE, {"Bad": "1"}, self.chosen("KigogoSpeed"))
        self.assertTrue(str(caught.exception).endswith(': there is no option "Bad" (column 16)'), caught.exception)
        self.assertNotIn(": :", str(caught.exception))

    def test_no_bench(self) -> None:
        found = self.chosen("KigogoSpeed")
        with mock.patch.dict(os.environ, FAKE_MODE="no bench"), self.assertRaisesRegex(ScriptError, "prints no signature at `bench`.*--no-probe"):
            parameters.inert(FAKE, {}, found)


class Programs(Tuning):
    def test_paths_and_commands(self) -> None:
        odd = script(self.directory / "an engine's", "import sys\nprint(sys.argv[1:])\n")
        self.assertEqual(programs.find("kete", str(odd)), [str(odd)])
        self.assertEqual(programs.ask(programs.find("kete", str(odd)), []), ["[]"])
        quoted = "'" + str(odd).replace("'", "'\\''") + "'"
        self.assertEqual(programs.ask(programs.find("kete", f"{quoted} 'a b' c"), []), ["['a b', 'c']"])
        # A program that looks at its name, as the Python of a virtual environment does, keeps it.
        link = self.directory / "link"
        link.symlink_to(odd)
        self.assertEqual(programs.find("kete", str(link)), [str(link)])
        self.assertEqual(programs.sha256([str(link)]), programs.sha256([str(odd)]))

    def test_none(self) -> None:
        plain = self.directory / "plain"
        plain.write_text("")
        for given in ("/no/such", str(plain), str(self.directory), "", "'"):
            with self.subTest(given=given), self.assertRaises(ScriptError):
                programs.find("kete", given)

    def test_an_engine_that_does_not_end(self) -> None:
        slow = script(self.directory / "slow", "import time\ntime.sleep(100)\n")
        with self.assertRaisesRegex(ScriptError, "did not end within 0 s after 'bench'"):
            programs.ask([str(slow)], ["bench"], 0.3)

    def test_bytes_that_are_no_text(self) -> None:
        odd = script(self.directory / "odd", "import sys\nsys.stdout.buffer.write(b'a\\xffb\\n')\n")
        self.assertEqual(programs.ask([str(odd)], []), ["a\ufffdb"])


if __name__ == "__main__":
    unittest.main()
