"""Parts of a match, with the standard library alone."""

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

from kete_tune.errors import ScriptError
from kete_tune.shards import FAILED, LOST, PLAYED, REFUSED, Shard, ShardStore, files_in, hashes, missing, pack, penta_of, play_shard, unlike, unpack
from tests.built import program
from tests.processes import Marked, until

SCRIPTS = Path(__file__).resolve().parents[1]


class Splitting(unittest.TestCase):
    def test_all_is_played_once(self) -> None:
        self.assertEqual(missing(7, [], 3), [Shard(0, 3), Shard(3, 3), Shard(6, 1)])
        self.assertEqual(missing(7, [Shard(0, 7)], 3), [])
        for size in range(1, 12):
            openings = [shard.first + i for shard in missing(10, [], size) for i in range(shard.rounds)]
            self.assertEqual(openings, list(range(10)))

    def test_what_is_there_is_left_out_whatever_its_size(self) -> None:
        there = [Shard(5, 3), Shard(0, 2)]
        self.assertEqual(missing(12, there, 2), [Shard(2, 2), Shard(4, 1), Shard(8, 2), Shard(10, 2)])

    def test_overlaps_and_strangers_are_refused(self) -> None:
        for there in ([Shard(0, 3), Shard(2, 2)], [Shard(9, 2)], [Shard(4, 1), Shard(4, 1)]):
            with self.assertRaisesRegex(ScriptError, "another shard or no part of 10 rounds"):
                missing(10, there, 5)


class Directory(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)


class Archives(Directory):
    def match(self) -> Path:
        match = self.directory / "match"
        (match / "failures" / "3").mkdir(parents=True)
        (match / "stderr").mkdir()
        (match / "config.json").write_text("{}")
        (match / "games.jsonl").write_text("{}\n")
        (match / "failures" / "3" / "bundle.json").write_text("[]")
        (match / "stderr" / "a.txt").write_text("long")
        return match

    def test_records_come_out_as_they_went_in(self) -> None:
        unpack(pack(self.match()), self.directory / "out")
        found = {str(path.relative_to(self.directory / "out")): path.read_text() for path in (self.directory / "out").rglob("*") if path.is_file()}
        self.assertEqual(found, {"config.json": "{}", "games.jsonl": "{}\n", "failures/3/bundle.json": "[]"})

    def test_nothing_is_written_elsewhere(self) -> None:
        def archive(name: str, kind: bytes = tarfile.REGTYPE, twice: bool = False) -> bytes:
            buffer = io.BytesIO()
            with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
                member = tarfile.TarInfo(name)
                member.type, member.linkname, member.size = kind, "../../escaped", 1 if kind == tarfile.REGTYPE else 0
                for _ in range(1 + twice):
                    tar.addfile(member, io.BytesIO(b"x"))
            return buffer.getvalue()

        bad = [archive(name) for name in ("../escaped", "/escaped", "failures/../../escaped", "failures//x", "other", "config.json/../../escaped")]
        bad += [archive("failures/x", kind) for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE)]
        bad += [archive("config.json", twice=True), b"no archive", pack(self.match())[:-20]]
        for i, data in enumerate(bad):
            with self.subTest(i), self.assertRaises(ScriptError):
                unpack(data, self.directory / f"out{i}")
        names = {path.name for path in self.directory.rglob("*") if path.is_symlink() or not path.is_dir()}
        self.assertEqual(names - {"config.json", "games.jsonl", "bundle.json", "a.txt"}, set())


class Store(Directory):
    def records(self, first: int, rounds: int, games: int | None = None, seed: int = 5) -> bytes:
        match = self.directory / "source"
        match.mkdir(exist_ok=True)
        (match / "config.json").write_text(json.dumps({"match": {"rounds": rounds, "seed": seed, "openings": {"random": {"plies": 6, "start": first}}}}))
        (match / "games.jsonl").write_text('{"game":1}\n' * (2 * rounds if games is None else games))
        return pack(match)

    def store(self, passed_over: int = 0) -> ShardStore:
        store = ShardStore(self.directory / "shards", 10, 5, passed_over)
        store.there()
        return store

    def test_a_shard_is_there_once_it_has_arrived(self) -> None:
        self.store().add(Shard(4, 2), self.records(4, 2))
        self.assertEqual(self.store().there(), [Shard(4, 2)])
        with self.assertRaises(OSError):
            self.store().add(Shard(4, 2), self.records(4, 2))

    def test_what_was_half_written_is_not_there(self) -> None:
        self.store()
        (self.directory / "shards" / ".00004").mkdir()
        (self.directory / "shards" / ".00004" / "games.jsonl").write_text("{}\n")
        self.assertEqual(self.store().there(), [])
        self.assertEqual(os.listdir(self.directory / "shards"), [])

    def test_too_few_games_are_no_shard(self) -> None:
        store = self.store()
        with self.assertRaisesRegex(ScriptError, "sent 3 games of shard 00004, expected 4"):
            store.add(Shard(4, 2), self.records(4, 2, games=3))
        self.assertEqual(self.store().there(), [])

    def test_shards_of_something_else_are_refused(self) -> None:
        self.store().add(Shard(4, 2), self.records(4, 2))
        with self.assertRaisesRegex(ScriptError, "00004 has 4 games of another seed, other openings or another number"):
            self.store(passed_over=1)
        (self.directory / "shards" / "00004" / "config.json").write_text("{}")
        with self.assertRaisesRegex(ScriptError, "00004 is no shard that can be read .* if it is removed, it is played again"):
            self.store()


class Results(unittest.TestCase):
    def test_pairs_are_seen_from_the_first_engine(self) -> None:
        def game(pair: int, south: str, result: str) -> dict:
            return {"pair": pair, "south": south, "result": result}

        games = [game(1, "a", "1-0"), game(1, "b", "0-1"), game(2, "a", "0-1"), game(3, "a", "1/2-1/2"), game(2, "b", "1-0"), game(3, "b", "0-1")]
        self.assertEqual(penta_of(games, "a"), (1, 0, 0, 1, 1))
        self.assertEqual(penta_of(games, "b"), (1, 1, 0, 0, 1))
        with self.assertRaisesRegex(ScriptError, "pair 1 has 1 games"):
            penta_of(games[:1], "a")


class Playing(Directory):
    def words(self, *more: str, nodes: int = 200, rounds: int = 1, engine: str | None = None) -> list[str]:
        kete = engine or program("kete")
        engines = ["--engine", f"cmd={kete}", "name=a", *more, "--engine", f"cmd={program('kete')}", "name=b"]
        return [program("kete-match"), "--variant", "kigogo", *engines, "--each", f"nodes={nodes}", "--rounds", str(rounds), "--openings", "random", "plies=6", "--seed", "5"]

    def test_a_shard_brings_its_records(self) -> None:
        words = self.words()
        outcome, message, records = play_shard(words, hashes([words[0], program("kete")]), str(self.directory), lambda: True)
        self.assertEqual((outcome, message), (PLAYED, ""))
        unpack(records, self.directory / "out")
        self.assertEqual(len((self.directory / "out" / "games.jsonl").read_text().splitlines()), 2)
        self.assertEqual(os.listdir(self.directory), ["out"])

    def test_what_cannot_be_played_is_told_in_the_words_of_kete_match(self) -> None:
        outcome, message, _ = play_shard(self.words("option.Threds=1"), {}, str(self.directory), lambda: True)
        self.assertEqual(outcome, REFUSED)
        self.assertRegex(message, '^engine a: there is no option "Threds"')
        outcome, message, _ = play_shard(["./kete-match-nowhere"], {}, str(self.directory), lambda: True)
        self.assertEqual((outcome, message), (REFUSED, "./kete-match-nowhere cannot be started: No such file or directory"))

    def test_an_engine_that_fails_brings_its_failure(self) -> None:
        crash = self.directory / "crash"
        crash.write_text(f"#!/bin/sh\nsed -u '/^go/q' | {program('kete')}\n")
        crash.chmod(0o755)
        outcome, message, records = play_shard(self.words(engine=str(crash)), {}, str(self.directory), lambda: True)
        self.assertEqual(outcome, FAILED)
        self.assertRegex(message, r"a \(South\): ended before it was asked")
        unpack(records, self.directory / "out")
        self.assertTrue((self.directory / "out" / "failures" / "1" / "bundle.json").exists())

    def test_other_programs_are_not_played_with(self) -> None:
        other = self.directory / "kete"
        expected = hashes([program("kete")])[program("kete")]
        self.assertRegex(str(unlike({str(other): expected})), "kete cannot be read: No such file")
        other.write_text("other")
        outcome, message, _ = play_shard(self.words(), {str(other): expected}, str(self.directory), lambda: True)
        self.assertEqual(outcome, REFUSED)
        self.assertRegex(message, "kete is another file than the client's")
        self.assertEqual(files_in(["on", "", "64", str(self.directory), str(other)]), [str(other)])

    def test_a_shard_that_is_not_wanted_ends(self) -> None:
        marked = Marked()
        os.environ["KETE_TEST_MARK"] = marked.mark
        self.addCleanup(os.environ.pop, "KETE_TEST_MARK")
        outcome, _, records = play_shard(self.words(nodes=5000, rounds=20), {}, str(self.directory), lambda: not marked.matches())
        self.assertEqual((outcome, records), (LOST, b""))
        until(lambda: not marked.matches(), "the end of kete-match")
        self.assertEqual(os.listdir(self.directory), [])


class WithoutDask(Directory):
    def test_what_is_missing_is_told_before_anything_is_done(self) -> None:
        (self.directory / "distributed.py").write_text("raise ModuleNotFoundError('No module named distributed', name='distributed')\n")
        (self.directory / "cloudpickle.py").write_text("")
        (self.directory / "dask.py").write_text("")
        engines = [word for name in "ab" for word in ("--engine", "cmd=builtin", f"name={name}")]
        words = [sys.executable, str(SCRIPTS / "cluster.py"), "match", "--variant", "kigogo", *engines, "--out", str(self.directory / "out"), "--kete-match", program("kete-match")]
        done = subprocess.run(words, env=os.environ | {"PYTHONPATH": str(self.directory)}, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (2, "error: Dask is missing (No module named distributed): pip install -r scripts/requirements.txt\n"))
        self.assertFalse((self.directory / "out").exists())


if __name__ == "__main__":
    unittest.main()
