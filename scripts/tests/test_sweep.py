"""sweep.py: what it plays, what it refuses, and what it makes of the result."""

import csv
import json
import unittest
from pathlib import Path
from unittest import mock

import sweep
from kete_tune.bars import bars
from kete_tune.errors import ScriptError
from tests.built import program
from tests.fakes import ScriptCase, end, event, pairing, run_script


class Grid(unittest.TestCase):
    def test_both_ends_are_in_it(self) -> None:
        self.assertEqual(sweep.grid("50:200:50", "--grid"), [50, 100, 150, 200])
        self.assertEqual(sweep.grid("50:199:50", "--grid"), [50, 100, 150])
        self.assertEqual(sweep.grid("5:5:1", "--grid"), [5])
        self.assertEqual([f"{v:.10g}" for v in sweep.grid("0.1:0.3:0.1", "--grid")], ["0.1", "0.2", "0.3"])

    def test_what_is_no_grid(self) -> None:
        for text in ("50:200", "200:50:10", "1:2:0", "1:2:-1", "a:2:1", "1:inf:1"):
            with self.assertRaisesRegex(ScriptError, "--grid"):
                sweep.grid(text, "--grid")


class Bars(unittest.TestCase):
    def test_drawn(self) -> None:
        drawn = bars([("50", -10.0, 10.0), ("100", 0.0, None), ("150", 10.0, 10.0), ("200", None, None)], width=21)
        self.assertEqual(drawn, [
            " 50  -----o----|",
            "100            o",
            "150            |----o-----",
            "200  n/a",
            "     -20       0       +20",
        ])  # fmt: skip

    def test_nothing_but_zero(self) -> None:
        self.assertEqual(bars([("1", 0.0, 0.0)], width=11), ["1  o", "   +0       +0"])


class SweepCase(ScriptCase):
    def setUp(self) -> None:
        super().setUp()
        self.out = self.directory / "out"

    def sweep(self, *words: object, variant: str = "kigogo") -> tuple[int, str, str]:
        return self.call(sweep, "--out", self.out, "--variant", variant, "--engine", self.kete, *words)

    def results(self, ending: str = "finished", **penta: tuple[int, int, int, int, int]) -> None:
        """How the match will end: pairs of the base against each value, which stands behind an underscore."""
        pairings = [pairing("base", value.strip("_"), counts, elo=None if counts[4] == 0 == counts[2] else 20.5) for value, counts in penta.items()]
        self.lines.write_text(event("start", directory="d", done=0, total=40) + end(ending, pairings, detail="engine gone" if ending == "failed" else None))


class Results(SweepCase):
    def test_told_from_the_view_of_the_values(self) -> None:
        # Against 100 the base has lost all; it is better than 50.
        self.results(_50=(0, 1, 3, 2, 4), _100=(10, 0, 0, 0, 0))
        code, out, err = self.sweep("--param", "KigogoExploration=100,50", "--rounds", 10)
        self.assertEqual(code, 0, err)
        directory = self.out / "KigogoExploration"
        self.assertEqual((directory / "results.csv").read_text(),
            "parameter,value,base,games,wins,draws,losses,ll,ld,even,wd,ww,score,score_error,elo,elo_error,nelo,nelo_error\n"
            "KigogoExploration,100,150,20,20,0,0,0,0,0,0,10,1,0.0625,,40,-60,\n"
            "KigogoExploration,50,150,20,4,3,13,4,2,3,1,0,0.275,0.0625,-20.5,40,-60,\n")  # fmt: skip
        lines = out.split("\n")
        self.assertEqual(lines[1].split(), ["50", "20", "4", "3", "13", "4-2-3-1-0", "27.5", "±", "6.2", "%", "-20.5", "±", "40.0", "-60.0"])
        self.assertEqual(lines[2].split()[:6], ["100", "20", "20", "0", "0", "0-0-0-0-10"])
        self.assertIn("n/a", lines[2])
        self.assertEqual(lines[4], "Elo against the base, KigogoExploration=150")
        self.assertEqual([line.split()[0] for line in lines[5:8]], ["50", "100", "base"])
        self.assertEqual((directory / "best.txt").read_text(), "setoption name KigogoExploration value 100\n")
        self.assertIn(f"best: KigogoExploration=100; next: python3 scripts/verify.py --variant kigogo --values {directory}/best.txt", out)

    def test_nothing_is_best_that_is_not_better(self) -> None:
        self.results(_50=(0, 1, 8, 1, 0))
        code, out, _ = self.sweep("--param", "KigogoExploration=50", "--rounds", 10)
        self.assertEqual(code, 0)
        self.assertNotIn("best", out)
        self.assertFalse((self.out / "KigogoExploration" / "best.txt").exists())

    def test_the_command(self) -> None:
        self.results(_50=(0, 0, 10, 0, 0), _100=(0, 0, 10, 0, 0))
        code, _, err = self.sweep("--param", "KigogoExploration", "--grid", "50:150:50", "--rounds", 10, "--option", "Threads=1", "--plies", 4, "--seed", 3, "--each", "depth=3")
        self.assertEqual(code, 0, err)
        self.assertIn("note: KigogoExploration=150 is left out: it is the base itself", err)
        kete = f"cmd={self.kete.resolve()}"
        self.assertEqual(self.played(), ["--variant", "kigogo", "--engine", kete, "name=base", "option.Threads=1",
            "--engine", kete, "name=50", "option.Threads=1", "option.KigogoExploration=50", "--engine", kete, "name=100", "option.Threads=1", "option.KigogoExploration=100",
            "--each", "depth=3", "--rounds", "10", "--openings", "random", "plies=4", "start=0", "--seed", "3", "--concurrency", "1",
            "--tournament", "gauntlet", "--ratinginterval", "4", "--out", str(self.out / "KigogoExploration" / "match"), "--json"])  # fmt: skip

    def test_another_base(self) -> None:
        self.results(_150=(0, 0, 10, 0, 0))
        code, out, err = self.sweep("--param", "KigogoExploration=100,150", "--base", "KigogoExploration=100", "--rounds", 10)
        self.assertEqual(code, 0, err)
        self.assertIn("KigogoExploration=100 is left out", err)
        self.assertIn("name=base option.KigogoExploration=100 --engine", " ".join(self.played()))
        self.assertIn("base 100", out)

    def test_several_parameters(self) -> None:
        self.results(_2=(0, 0, 10, 0, 0))
        code, out, err = self.sweep("--param", "KigogoOdd", "--param", "KigogoLeafDepth=2", "--grid", "2:2:1", "--rounds", 10)
        self.assertEqual(code, 0, err)
        self.assertEqual(sorted(path.name for path in self.out.iterdir()), ["KigogoLeafDepth", "KigogoOdd"])
        self.assertIn("base 3", out)
        self.assertIn("base 5", out)

    def test_endings(self) -> None:
        self.results("failed", _50=(0, 0, 9, 0, 0))
        code, out, err = self.sweep("--param", "KigogoExploration=50", "--rounds", 10)
        self.assertEqual((code, out), (3, ""))
        self.assertIn("ended as failed: engine gone", err)
        # What is known so far is on record nevertheless.
        self.assertIn("KigogoExploration,50,150,18,", (self.out / "KigogoExploration" / "results.csv").read_text())
        self.results("interrupted", _50=(0, 0, 9, 0, 0))
        code, _, err = self.sweep("--param", "KigogoExploration=50", "--rounds", 10)
        self.assertEqual(code, 130)
        self.assertIn("the same command goes on", err)
        self.results("finished", _50=(0, 0, 9, 0, 0))
        code, _, err = self.sweep("--param", "KigogoExploration=50", "--rounds", 10)
        self.assertEqual(code, 3)
        self.assertIn("9 pairs in", err)


class Refusals(SweepCase):
    def refused(self, message: str, *words: object, variant: str = "kigogo") -> None:
        code, _, err = self.sweep(*words, variant=variant)
        self.assertEqual((code, self.played()), (2, []), err)
        self.assertIn(message, err)
        self.assertFalse(self.out.exists() and any(self.out.rglob("config.json")))

    def test_before_the_first_game(self) -> None:
        name = "KigogoExploration"
        for message, words in (
            ("--param is missing", ()),
            ("no parameter 'KigogoExplorations'; did you mean KigogoExploration?", ("--param", f"{name}s=1,2")),
            ("a value is 1001, expected 0 to 1000", ("--param", f"{name}=1,1001")),
            ("a value is 1.5, expected a whole number", ("--param", f"{name}=1.5")),
            ("a value is '', expected a number", ("--param", f"{name}=1,")),
            ("a value is 7 twice", ("--param", f"{name}=7,8,7.0")),
            ("no value is left but the base, 150", ("--param", f"{name}=150")),
            ("has no values, expected KigogoExploration=V,V,... or --grid", ("--param", name)),
            ("expected LOW:HIGH:STEP", ("--param", f"{name}=1:5")),
            ("--grid, for KigogoExploration, is 1001", ("--param", name, "--grid", "1:1001:500")),
            ("--grid 1:2:1 is for no parameter", ("--param", f"{name}=1,2", "--grid", "1:2:1")),
            ("more than 100 values", ("--param", f"{name}=0:1000:1")),
            ("is given twice", ("--param", f"{name}=1", "--param", f"{name}=2")),
            ("is given to --option and to --param", ("--param", f"{name}=1", "--option", f"{name}=2")),
            ("belongs to kimasai, but the games are of kigogo", ("--param", "KimasaiExploration=1")),
            ("KigogoOdd is not swept, expected one of KigogoExploration", ("--param", f"{name}=1", "--base", "KigogoOdd=2")),
            ("--base KigogoExploration is 2000, expected 0 to 1000", ("--param", f"{name}=1", "--base", f"{name}=2000")),
            ("expected NAME=VALUE, each name once", ("--param", f"{name}=1", "--base", f"{name}=2", "--base", f"{name}=3")),
            ("'0' given, expected a whole number from 1", ("--param", f"{name}=1", "--rounds", 0)),
            # The second of two parameters keeps the first from being played.
            ("did you mean KigogoOdd?", ("--param", f"{name}=1", "--param", "KigogoOd=1")),
        ):
            self.refused(message, *words)

    def test_inert(self) -> None:
        self.refused("inert: KigogoStill: neither", "--param", "KigogoStill=1,2", "--param", "KigogoOdd=1")
        # It is the values of the sweep that count, not those that the parameter could have.
        self.refused("inert: KigogoCap: neither", "--param", "KigogoCap=40,55")
        self.results(_40=(0, 0, 10, 0, 0), _70=(0, 0, 10, 0, 0))
        self.assertEqual(self.sweep("--param", "KigogoCap=40,70", "--rounds", 10)[0], 0)
        self.results(_1=(0, 0, 10, 0, 0))
        self.assertEqual(self.sweep("--param", "KigogoStill=1", "--rounds", 10, "--no-probe")[0], 0)

    def test_what_kete_match_refuses(self) -> None:
        with mock.patch.dict("os.environ", FAKE_CHECK="no such option"):
            self.refused("refuses the match: ", "--param", "KigogoOdd=1")

    def test_another_configuration_is_not_gone_on_with(self) -> None:
        self.results(_50=(0, 0, 10, 0, 0))
        words = ("--param", "KigogoExploration=50", "--rounds", 10)
        self.assertEqual(self.sweep(*words)[0], 0)
        self.assertEqual(self.sweep(*words, "--concurrency", 2)[0], 0)
        config = (self.out / "KigogoExploration" / "config.json").read_bytes()
        for message, *more in (("rounds was 10, now 11", "--rounds", 11), ("seed was 1, now 2", "--seed", 2), ('base was "150", now "3"', "--base", "KigogoExploration=3")):
            code, _, err = self.sweep(*words, *more)
            self.assertEqual(code, 2)
            self.assertIn(message, err)
        self.assertEqual((self.out / "KigogoExploration" / "config.json").read_bytes(), config)


class Played(ScriptCase):
    """With the real programs."""

    def test_an_interrupted_sweep_ends_as_one_that_was_not(self) -> None:
        words = ["sweep.py", "--variant", "kigogo", "--param", "KigogoExploration=20,400", "--base", "KigogoExploration=90", "--rounds", 3, "--each", "nodes=300", "--plies", 4,
                 "--engine", program("kete"), "--kete-match", program("kete-match"), "--no-probe", "--out"]  # fmt: skip
        whole, parts = self.directory / "whole", self.directory / "parts"
        code, out, err = run_script(*words, whole)
        self.assertEqual(code, 0, err)
        self.counted(whole / "KigogoExploration")
        journal = parts / "KigogoExploration" / "match" / "games.jsonl"
        code, err = self.interrupted([*words, parts], journal, 3)
        self.assertEqual(code, 130, err)
        begun = journal.read_bytes()
        code, again, err = run_script(*words, parts)
        self.assertEqual((code, again.replace(str(parts), str(whole))), (0, out), err)
        self.assertTrue(journal.read_bytes().startswith(begun))
        results = [(place / "KigogoExploration" / "results.csv").read_bytes() for place in (whole, parts)]
        self.assertEqual(results[0], results[1])

    def counted(self, directory: Path) -> None:
        """Counts the games one by one: each value has those that it won."""
        counts = {"20": [0, 0, 0], "400": [0, 0, 0]}
        openings: dict[str, set[str]] = {"20": set(), "400": set()}
        for line in (directory / "match" / "games.jsonl").read_text().splitlines():
            game = json.loads(line)
            value = game["south"] if game["south"] in counts else game["north"]
            self.assertEqual({game["south"], game["north"]}, {value, "base"})
            south = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}[game["result"]]
            counts[value][south if game["south"] == value else 2 - south] += 1
            openings[value].add(game["opening"])
        with open(directory / "results.csv", encoding="utf-8") as file:
            rows = {row["value"]: [int(row[key]) for key in ("wins", "draws", "losses")] for row in csv.DictReader(file)}
        self.assertEqual(rows, counts)
        self.assertEqual(openings["20"], openings["400"])
        self.assertEqual(len(openings["20"]), 3)


if __name__ == "__main__":
    unittest.main()
