"""verify.py: what it plays, what it refuses, and what it makes of the result."""

import json
import re
import unittest
from pathlib import Path
from unittest import mock

import tune
import verify
from kete_tune.candidates import source_rows
from kete_tune.errors import ScriptError
from kete_tune.options import longer
from kete_tune.parameters import listed
from tests.built import program
from tests.fakes import FAKE_KETE, ScriptCase, end, event, pairing, run_script

EVEN = (1, 2, 10, 3, 4)


class Limits(unittest.TestCase):
    def test_longer(self) -> None:
        for limit, expected in (("nodes=20000", "nodes=80000"), ("depth=8", "depth=10"), ("st=0.05", "st=0.2"), ("st=2", "st=8"), ("tc=8+0.08", "tc=32+0.32"),
                                ("tc=40/1:30+0.5", "tc=40/360+2"), ("tc=10", "tc=40")):  # fmt: skip
            self.assertEqual(longer(limit), expected)

    def test_what_is_no_limit_cannot_be_made_longer(self) -> None:
        for limit in ("nodes=20k", "depth=", "st=-1", "tc=8+", "tc=1:2:3"):
            with self.assertRaisesRegex(ScriptError, re.escape(limit)):
                longer(limit)


class SourceRows(unittest.TestCase):
    def setUp(self) -> None:
        self.known = listed([str(FAKE_KETE)])

    def test_the_other_games_keep_their_defaults(self) -> None:
        values = {"KigogoExploration": "131", "KimasaiLeafDepth": "7"}
        self.assertEqual(source_rows(list(values), values, self.known), ["Exploration: defaults: [75, 131, 70],", "LeafDepth: defaults: [4, 5, 7],"])

    def test_a_name_that_is_not_of_all_games_has_no_row(self) -> None:
        for name in ("KigogoOdd", "KigogoShare"):
            self.assertIsNone(source_rows([name], {name: "1"}, self.known))


class VerifyCase(ScriptCase):
    def run_of(self, variant: str = "kigogo", theta: tuple[float, ...] = (130.6, 5.2), more: tuple[str, ...] = ()) -> Path:
        """The directory of a tuning run, made by tune.py itself, with these values of Exploration and LeafDepth in the end."""
        directory = self.directory / f"run-{variant}"
        name = variant.capitalize()
        self.lines.write_text(end("finished", [pairing("plus", "minus", (0, 0, 2, 1, 1))]))
        words = ["--out", directory, "--variant", variant, "--engine", self.kete, "--param", f"{name}Exploration", "--param", f"{name}LeafDepth", "--pairs", 4,
                 "--pairs-per-iteration", 4, "--each", "nodes=300", "--plies", 5, "--seed", 8, *more]  # fmt: skip
        code, _, err = self.call(tune, *words)
        self.assertEqual(code, 0, err)
        self.state(directory, theta=theta)
        self.note.write_text("")
        self.result("H1")
        return directory

    def state(self, run: Path, **changes: object) -> None:
        path = run / "state.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    def result(self, ending: str, variant: str | None = None) -> None:
        """How matches will end, or those of one game."""
        path = self.lines if variant is None else self.lines.with_name(f"lines.{variant}")
        detail = "engine gone" if ending == "failed" else None
        path.write_text(event("start", directory="d", done=0, total=40) + end(ending, [pairing("tuned", "default", EVEN)], llr=2.96, detail=detail))


class Verdicts(VerifyCase):
    def test_accepted(self) -> None:
        run = self.run_of(more=("--option", "Threads=1"))
        code, out, err = self.call(verify, run)
        self.assertEqual(code, 0, err)
        self.assertIn("1 of 2 values differ from the defaults: KigogoExploration 150 -> 131\n", out)
        self.assertIn("games 40, W 21 D 5 L 14, pairs 1-2-10-3-4, Elo +43.7 ± 40.0, nElo +60.0, LLR 2.96 of -2.94 to 2.94; accepted\n", out)
        self.assertIn("  Exploration: defaults: [75, 131, 70],\n", out)
        self.assertNotIn("LeafDepth", out)
        self.assertIn("  setoption name KigogoExploration value 131\n", out)
        self.assertEqual(self.played(), ["--variant", "kigogo",
            "--engine", f"cmd={self.kete.resolve()}", "name=tuned", "option.Threads=1", "option.KigogoExploration=131",
            "--engine", f"cmd={self.kete.resolve()}", "name=default", "option.Threads=1",
            "--each", "nodes=1200", "--rounds", "2000", "--openings", "random", "plies=5", "start=0", "--seed", "9", "--concurrency", "1",
            "--sprt", "elo0=0", "elo1=20", "alpha=0.05", "beta=0.05", "model=normalized", "--out", str(run / "verify-nodes=1200-9" / "match"), "--json"])  # fmt: skip
        result = json.loads((run / "verify-nodes=1200-9" / "result.json").read_text())
        self.assertEqual(result["verdict"], "accepted")

    def test_what_is_not_accepted_is_not_to_be_pasted(self) -> None:
        run = self.run_of()
        for ending, code, word in (("H0", 1, "; refuted"), ("finished", 3, "; undecided after all 2000 pairs"), ("failed", 3, ""), ("interrupted", 130, "")):
            self.result(ending)
            status, out, err = self.call(verify, run)
            self.assertEqual(status, code, err)
            self.assertIn(word, out)
            self.assertNotIn("setoption", out)
            if not word:
                self.assertIn("the same command goes on", err)
        self.result("failed")
        self.assertIn("engine gone", self.call(verify, run)[2])

    def test_flags_say_it_otherwise(self) -> None:
        run = self.run_of()
        words = ("--each", "tc=40/8+0.08", "--seed", 5, "--plies", 3, "--rounds", 7, "--elo1", 10, "--alpha", 0.1, "--concurrency", 2, "--option", "Hash=1")
        code, _, err = self.call(verify, run, *words)
        self.assertEqual(code, 0, err)
        text = " ".join(self.played())
        self.assertIn("--each tc=40/8+0.08 --rounds 7 --openings random plies=3 start=0 --seed 5 --concurrency 2 --sprt elo0=0 elo1=10 alpha=0.1 beta=0.05", text)
        self.assertEqual(text.count("option.Hash=1"), 2)
        self.assertTrue((run / "verify-tc=40_8+0.08-5").is_dir())

    def test_several_runs(self) -> None:
        runs = [self.run_of("kigogo"), self.run_of("kimasai", (61, 6))]
        code, out, err = self.call(verify, *runs)
        self.assertEqual(code, 0, err)
        # The second row has what was accepted of both.
        self.assertEqual(re.findall(r"defaults: (\[.*\])", out), ["[75, 131, 70]", "[75, 131, 61]"])
        self.result("H0", "kigogo")
        self.assertEqual(self.call(verify, *runs)[0], 1)
        # A match that fails does not keep the next from being played.
        self.result("failed", "kigogo")
        code, out, _ = self.call(verify, *runs)
        self.assertEqual(code, 3)
        self.assertIn("Exploration: defaults: [75, 150, 61],", out)

    def test_nothing_differs(self) -> None:
        run, other = self.run_of(theta=(150.4, 4.6)), self.run_of("kimasai", (61, 6))
        code, out, _ = self.call(verify, run)
        self.assertEqual((code, self.played()), (2, []))
        self.assertIn("nothing to verify: all 2 values are the engine's defaults", out)
        code, out, _ = self.call(verify, run, other)
        self.assertEqual(code, 2)
        self.assertIn("KimasaiExploration 70 -> 61", out)
        self.assertIn("; accepted", out)

    def test_warnings(self) -> None:
        run = self.run_of()
        self.assertNotIn("warning", self.call(verify, run)[2])
        self.state(run, pairs=3)
        self.assertIn(f"warning: {run} is not finished: 3 of 4 pairs", self.call(verify, run)[2])
        self.assertIn("the openings are among those of the tuning", self.call(verify, run, "--seed", 8)[2])

    def test_games_that_were_lost_by_a_failure_are_told(self) -> None:
        run = self.run_of()
        for game in ("12", "7"):
            (run / "verify-nodes=1200-9" / "match" / "failures" / game).mkdir(parents=True)
        (run / "verify-nodes=1200-9" / "match" / "config.json").write_text('{"match": {}}')
        (run / "verify-nodes=1200-9" / "config.json").write_text(json.dumps(self.config_of(run)))
        _, _, err = self.call(verify, run)
        self.assertIn("in game 7, 12 an engine failed, which counts as its loss", err)
        self.assertEqual(self.played()[:2], ["--resume", str(run / "verify-nodes=1200-9" / "match")])

    def config_of(self, run: Path) -> dict:
        self.call(verify, run, "--out", self.directory / "other")
        return json.loads((self.directory / "other" / "config.json").read_text())

    def test_values_of_a_file(self) -> None:
        file = self.directory / "hand.txt"
        file.write_text("# by hand\n\nsetoption name KigogoExploration value 120\nsetoption name KigogoShare value 0.50\nsetoption name KigogoOdd value 4\n")
        self.result("H1")
        code, out, err = self.call(verify, "--values", file, "--variant", "kigogo", "--engine", self.kete)
        self.assertEqual(code, 0, err)
        self.assertIn("2 of 3 values differ from the defaults: KigogoExploration 150 -> 120, KigogoOdd 3 -> 4\n", out)
        self.assertIn("--each nodes=80000 --rounds 2000 --openings random plies=6 start=0 --seed 2", " ".join(self.played()))
        # Not all of them have a row in the table.
        self.assertNotIn("defaults: [", out)
        self.assertIn("setoption name KigogoOdd value 4\n", out)
        config = json.loads((self.directory / "hand-verify-nodes=80000-2" / "config.json").read_text())
        self.assertEqual((config["kind"], config["values"][0]), ("verification", {"name": "KigogoExploration", "default": "150", "value": "120"}))


class Refusals(VerifyCase):
    def refused(self, message: str, *words: object) -> None:
        code, _, err = self.call(verify, *words)
        self.assertEqual((code, self.played()), (2, []), err)
        self.assertIn(message, err)

    def test_what_was_typed(self) -> None:
        run = self.run_of()
        file = self.directory / "v.txt"
        file.write_text("setoption name KigogoExploration value 120\n")
        for message, words in (
            ("nothing to verify: expected the directory of a tuning run", ()),
            ("expected one of them", (run, "--values", file)),
            ("--variant is missing", ("--values", file)),
            ("a run says its game itself", (run, "--variant", "kigogo")),
            ("--out is for one run, and 2 are given", (run, self.directory, "--out", "x")),
            ("is given twice", (run, f"{run}/../{run.name}")),
            ("--elo0 is 20 and --elo1 20, expected the first below the second", (run, "--elo0", 20)),
            ("--beta is 0.5, expected a probability above 0 and below 0.5", (run, "--beta", 0.5)),
            ("--alpha is nan", (run, "--alpha", "nan")),
            ("has no config.json", (self.directory,)),
            ("KigogoExploration is to be verified, and is an option of both sides", (run, "--option", "KigogoExploration=3")),
            ("'nodes' given, expected nodes=", (run, "--each", "nodes")),
            ("'0' given, expected a whole number from 1", (run, "--rounds", 0)),
        ):
            self.refused(message, *words)

    def test_what_a_file_of_values_holds(self) -> None:
        file = self.directory / "v.txt"
        for text, message in (
            ("", "holds no `setoption"),
            ("setoption KigogoOdd 3\n", "line 1: 'setoption KigogoOdd 3', expected `setoption name NAME value VALUE`"),
            ("setoption name KigogoOdd value 1\nsetoption name KigogoOdd value 2\n", "line 2: KigogoOdd is there twice"),
            ("setoption name KigogoOd value 1\n", "no parameter 'KigogoOd'; did you mean KigogoOdd?"),
            ("setoption name KigogoOdd value 10\n", "KigogoOdd is 10, expected 0 to 9"),
            ("setoption name KigogoOdd value 1.5\n", "KigogoOdd is 1.5, expected a whole number"),
            ("setoption name KigogoOdd value many\n", "KigogoOdd is 'many', expected a number"),
            ("setoption name KimasaiExploration value 1\n", "KimasaiExploration belongs to kimasai, but the games are of kigogo"),
        ):
            file.write_text(text)
            self.refused(message, "--values", file, "--variant", "kigogo", "--engine", self.kete)

    def test_what_stands_in_the_directory(self) -> None:
        run = self.run_of()
        self.state(run, theta=[1.0])
        self.refused("are not as tune.py writes them", run)
        config = json.loads((run / "config.json").read_text())
        for changes, message in (({"kind": "sweep"}, "no tuning run but a sweep"), ({"objective": "quadratic"}, "synthetic function quadratic")):
            (run / "config.json").write_text(json.dumps(config | changes))
            self.refused(message, run)

    def test_another_engine_than_the_run_had(self) -> None:
        run = self.run_of()
        self.kete.write_text(self.kete.read_text() + "# changed\n")
        self.refused("is another program now", run)
        self.assertEqual(self.call(verify, run, "--engine", self.kete)[0], 0)
        self.note.write_text("")
        self.kete.unlink()
        self.refused("cannot be read: No such file or directory; name one with --engine", run)

    def test_another_configuration_is_not_gone_on_with(self) -> None:
        run = self.run_of()
        self.assertEqual(self.call(verify, run, "--out", run / "v")[0], 0)
        # How many games are played at the same time is no part of it.
        self.assertEqual(self.call(verify, run, "--out", run / "v", "--concurrency", 2)[0], 0)
        self.note.write_text("")
        for message, *words in (("rounds was 2000, now 7", "--rounds", 7), ("elo1 was 20.0, now 30.0", "--elo1", 30), ("limit was", "--each", "st=1"), ("seed was 9", "--seed", 1)):
            self.refused(message, run, "--out", run / "v", *words)
        self.state(run, theta=(140, 5))
        self.refused('values.KigogoExploration.value was "131", now "140"', run, "--out", run / "v")

    def test_what_kete_match_refuses(self) -> None:
        run = self.run_of()
        with mock.patch.dict("os.environ", FAKE_CHECK="there is no option"):
            self.refused("refuses the match: ", run)
        self.assertFalse((run / "verify-nodes=1200-9").exists())


class Played(ScriptCase):
    """With the real programs."""

    def test_the_names_of_the_engine_are_those_of_the_source(self) -> None:
        known = listed([program("kete")])
        rows = source_rows(["KigogoLeafDepth"], {"KigogoLeafDepth": "9"}, known)
        others = [known[f"{game}LeafDepth"].start for game in ("Kiswahili", "Kimasai")]
        self.assertEqual(rows, [f"LeafDepth: defaults: [{others[0]:g}, 9, {others[1]:g}],"])

    def test_an_interrupted_verification_ends_as_one_that_was_not(self) -> None:
        values = self.directory / "deep.txt"
        value = 1 if listed([program("kete")])["KigogoLeafDepth"].start != 1 else 2
        values.write_text(f"setoption name KigogoLeafDepth value {value}\n")
        words = ["verify.py", "--values", values, "--variant", "kigogo", "--engine", program("kete"), "--kete-match", program("kete-match"), "--each", "nodes=300",
                 "--option", "KigogoLeafMargin=60", "--elo1", 100, "--rounds", 5, "--out"]  # fmt: skip
        whole, parts = self.directory / "whole", self.directory / "parts"
        code, out, err = run_script(*words, whole)
        self.assertIn(code, (0, 1, 3), err)
        self.assertRegex(out, r"games \d+, W \d+ D \d+ L \d+, pairs .*, LLR \S+ of -2.94 to 2.94; (accepted|refuted|undecided)")
        status, err = self.interrupted([*words, parts], parts / "match" / "games.jsonl", 2)
        self.assertEqual(status, 130, err)
        self.assertIn("the same command goes on", err)
        self.assertFalse((parts / "result.json").exists())
        begun = (parts / "match" / "games.jsonl").read_bytes()
        self.assertEqual(run_script(*words, parts)[:2], (code, out))
        self.assertTrue((parts / "match" / "games.jsonl").read_bytes().startswith(begun))
        journal = (parts / "match" / "games.jsonl").read_bytes()
        self.assertEqual(run_script(*words, parts)[:2], (code, out))
        self.assertEqual((parts / "match" / "games.jsonl").read_bytes(), journal)


if __name__ == "__main__":
    unittest.main()
