"""Matches and tuning spread over workers: what is lost is played again, and what comes out is what one machine finds."""

from tests.packages import require

require("distributed")

import contextlib
import io
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

import cluster
import tune
from kete_tune import dask_cluster
from kete_tune.dask_cluster import Fleet
from kete_tune.errors import ScriptError
from kete_tune.matches import MatchError
from kete_tune.shards import LOST, PLAYED, Shard, play_shard
from tests.built import program
from tests.processes import Marked, heed_interrupts, until

SCRIPTS = Path(__file__).resolve().parents[1]
# Nodes a move, with which no game ends while a test waits.
ENDLESS = 1_000_000


class Clusters(unittest.TestCase):
    """Runs scripts in processes of their own, and sees that nothing of them is left."""

    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        self.marked = Marked()
        self.environment = self.marked.environment | {"TMPDIR": str(self.directory), "PYTHONDONTWRITEBYTECODE": "1"}
        self.addCleanup(self.marked.end)

    def tearDown(self) -> None:
        until(lambda: not self.marked.all(), "the end of all processes", 15)

    def start(self, words: list[str], **environment: str) -> subprocess.Popen:
        """Starts a script in a process group of its own, as a shell does."""
        # Its output goes to files: workers hold on to a pipe after their client was killed.
        output, messages = (open(self.directory / name, "w+", encoding="utf-8") for name in ("output", "messages"))
        self.addCleanup(output.close)
        self.addCleanup(messages.close)
        return subprocess.Popen([sys.executable, *words], env=self.environment | environment, cwd=self.directory, stdout=output, stderr=messages, start_new_session=True,
                                preexec_fn=heed_interrupts)  # fmt: skip

    def output(self, name: str = "output") -> str:
        return (self.directory / name).read_text(encoding="utf-8")

    def ended(self, process: subprocess.Popen, code: int = 0) -> None:
        try:
            self.assertEqual(process.wait(timeout=60), code, self.output("messages"))
        finally:
            process.kill()
            process.wait()
        self.assertNotIn("Traceback", self.output("messages"))
        self.assertNotIn("distributed", self.output("messages"))

    def shards(self, directory: str = "out/shards") -> dict[str, int]:
        """The shards that have arrived, with what makes each the very directory that it is."""
        return {path.name: path.stat().st_ino for path in (self.directory / directory).glob("[0-9]*")}

    def busy_worker(self) -> tuple[int, int]:
        """A worker that plays, and its kete-match."""
        found = until(self.marked.matches, "a match on a worker")
        match, worker = next(iter(found.items()))
        return worker, match


def match_words(*more: str, nodes: int = 1000, engines: int = 2, rounds: int = 8) -> list[str]:
    words = ["--variant", "kigogo"]
    for name, strength in list(zip("abc", (nodes, 2 * nodes, nodes // 2)))[:engines]:
        words += ["--engine", f"cmd={program('kete')}", f"name={name}", f"nodes={strength}"]
    return [*words, "--rounds", str(rounds), "--seed", "7", *more]


def cluster_words(*more: str, **how: int) -> list[str]:
    return [str(SCRIPTS / "cluster.py"), "match", *match_words(**how), "--shard", "1", "--out", "out", "--kete-match", program("kete-match"), *more]


def games(directory: Path) -> list[tuple]:
    """What makes each game what it is, in an order of its own."""
    lines = (directory / "games.jsonl").read_text(encoding="utf-8").splitlines()
    return sorted((game["opening"], game["south"], game["north"], game["moves"], game["result"]) for game in map(json.loads, lines))


def table(*directories: Path) -> dict:
    """The totals and the pairs of a match, as kete-match counts them."""
    return json.loads(subprocess.run([program("kete-match"), "merge", "--json", *map(str, directories)], check=True, capture_output=True, text=True).stdout)


class Matches(Clusters):
    def compare(self, **how: int) -> None:
        """The pooled games are those of one run on one machine, each once."""
        one = self.directory / "one"
        words = [program("kete-match"), *match_words("--each", "nodes=20000", "--openings", "random", "plies=6", **how), "--quiet", "--out", str(one)]
        subprocess.run(words, check=True, capture_output=True)
        pooled = self.directory / "out" / "pooled"
        self.assertEqual(games(pooled), games(one))
        self.assertEqual(len({game[:3] for game in games(pooled)}), len(games(one)))
        found, expected = table(pooled), table(one)
        self.assertEqual(found["pairings"], expected["pairings"])
        self.assertEqual(found["games"], expected["games"])
        # The table is printed.
        p = expected["pairings"][0]
        self.assertRegex(self.output(), rf"kigogo +{p['games']} +{p['wins']} +{p['draws']} +{p['losses']} " if how.get("engines", 2) == 2 else "kigogo")

    def test_a_killed_worker_makes_no_difference(self) -> None:
        process = self.start(cluster_words("--workers", "2"))
        until(lambda: len(self.shards()) >= 2, "two shards")
        worker, _ = self.busy_worker()
        os.kill(worker, signal.SIGKILL)
        self.assertLess(len(self.shards()), 8)
        self.ended(process)
        self.assertEqual(len(self.shards()), 8)
        self.compare()

    def test_a_match_ends_with_its_worker(self) -> None:
        # Beside another cluster, which has Dask's usual port.
        other = socket.socket()
        self.addCleanup(other.close)
        with contextlib.suppress(OSError):
            other.bind(("", 8787))
            other.listen()
        process = self.start(cluster_words("--workers", "1", nodes=ENDLESS))
        worker, match = self.busy_worker()
        os.kill(worker, signal.SIGKILL)
        until(lambda: match not in self.marked.all(), "the end of the lost worker's kete-match", 5)
        process.terminate()
        self.ended(process, 130)

    def test_a_shard_outlives_more_workers_than_dask_allows(self) -> None:
        # One worker, killed once, and Dask takes the shard for the culprit at once.
        process = self.start(cluster_words("--workers", "1", rounds=4), DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0")
        worker, _ = self.busy_worker()
        os.kill(worker, signal.SIGKILL)
        self.ended(process)
        self.assertRegex(self.output("messages"), r"warning: worker tcp://127.0.0.1:\d+ is lost; what it was playing is played again")
        self.compare(rounds=4)

    def test_a_killed_client_goes_on(self) -> None:
        words = cluster_words("--workers", "2", engines=3, nodes=500)
        process = self.start(words)
        until(lambda: len(self.shards()) >= 2, "two shards")
        process.kill()
        process.wait()
        until(lambda: not self.marked.all(), "the end of the killed client's workers", 15)
        before = self.shards()
        self.assertLess(len(before), 8)
        # As if it had been killed while a shard was written.
        half = self.directory / "out" / "shards" / ".00007"
        half.mkdir(exist_ok=True)
        (half / "games.jsonl").write_text("{")
        # How it is cut is no part of the configuration.
        self.ended(self.start([*words, "--shard", "2"]))
        after = self.shards()
        self.assertEqual({name: after.get(name) for name in before}, before)
        self.assertFalse(half.exists())
        self.compare(engines=3, nodes=500)
        # Once more: nothing is played, the same table.
        first = self.output()
        self.ended(self.start([*words, "--workers", "1"]))
        self.assertEqual((self.output(), self.shards()), (first, after))

    def test_ctrl_c_ends_all(self) -> None:
        for number, whom in ((signal.SIGINT, os.killpg), (signal.SIGTERM, os.kill)):
            with self.subTest(number):
                process = self.start(cluster_words("--workers", "2", nodes=ENDLESS))
                self.busy_worker()
                whom(process.pid, number)
                self.ended(process, 130)
                self.assertEqual(self.marked.matches(), {})
                self.assertEqual(self.output("messages").splitlines()[-1], "interrupted; the same command goes on")
                self.assertEqual([name for name in os.listdir(self.directory) if name.startswith("kete-shard-")], [])

    def test_a_match_that_fails_is_told_once(self) -> None:
        crash = self.directory / "crash"
        crash.write_text(f"#!/bin/sh\nsed -u '/^go/q' | {program('kete')}\n")
        crash.chmod(0o755)
        self.ended(self.start([*cluster_words("--workers", "2"), "--engine", f"cmd={crash}", "name=crash", "nodes=100"]), 3)
        messages = self.output("messages")
        self.assertEqual(messages.count("error:"), 1, messages)
        found = messages.rpartition("; records in ")[2].split("\n")[0]
        self.assertRegex(messages, r"error: worker tcp://\S+: game \d+: crash \((South|North)\): ended (before it was asked|while it was to move)")
        self.assertTrue(list((self.directory / found / "failures").glob("*/bundle.json")), messages)
        self.assertEqual(self.shards(), {})


class Tuning(Clusters):
    WORDS = ["--variant", "kigogo", "--param", "KigogoExploration", "--param", "KigogoLeafMargin,c=15", "--pairs", "18", "--pairs-per-iteration", "6"]
    WORDS += ["--no-probe", "--each", "nodes=400"]
    WORDS += ["--r-end", "0.5", "--engine", program("kete"), "--kete-match", program("kete-match"), "--seed", "3"]

    def tune(self, *more: str) -> list[str]:
        return [str(SCRIPTS / "tune.py"), *self.WORDS, *more]

    def cluster(self, *more: str) -> list[str]:
        return [str(SCRIPTS / "cluster.py"), "tune", *self.WORDS, "--workers", "2", "--shard", "1", *more]

    def files(self, out: str) -> dict[str, str]:
        """All that a finished run has left."""
        return {path.name: path.read_text(encoding="utf-8") for path in (self.directory / out).iterdir() if path.name != "lock"}

    def test_the_same_history_whoever_is_killed(self) -> None:
        self.ended(self.start(self.tune("--out", "one")))
        reference = self.files("one")
        self.assertEqual(len(reference["history.csv"].splitlines()), 4)
        with self.subTest("a killed worker"):
            process = self.start(self.cluster("--out", "worker"))
            until(lambda: self.shards("worker/games-000002"), "a shard of the second iteration")
            worker, _ = self.busy_worker()
            os.kill(worker, signal.SIGKILL)
            self.ended(process)
            self.assertEqual(self.files("worker"), reference)
        with self.subTest("a killed client, then tune.py"):
            process = self.start(self.cluster("--out", "client"))
            until(lambda: self.shards("client/games-000002"), "a shard of the second iteration")
            process.kill()
            process.wait()
            until(lambda: not self.marked.all(), "the end of the killed client's workers", 15)
            self.ended(self.start(self.tune("--out", "client")))
            self.assertEqual(self.files("client"), reference)
        with self.subTest("tune.py killed, then a cluster"):
            process = self.start(self.tune("--out", "other"))
            until(lambda: (self.directory / "other" / "games-000002" / "games.jsonl").exists(), "games of the second iteration")
            process.kill()
            process.wait()
            self.ended(self.start(self.cluster("--out", "other")))
            self.assertEqual(self.files("other"), reference)

    def test_shards_of_the_iteration_in_play_are_kept(self) -> None:
        """Without a cluster: which shards are asked for, and that a result is the sum of all."""
        plays = []

        class Here(Fleet):
            def check(self, files) -> None:
                pass

            def threads(self) -> int:
                return 2

            def play(self, jobs, files, arrived, tell) -> None:
                for i, (shard, words) in enumerate(jobs.items()):
                    if len(plays) == 1:
                        plays.append(None)
                        raise KeyboardInterrupt
                    plays.append(shard)
                    outcome, message, records = play_shard(words, files, None, lambda: True)
                    assert outcome == PLAYED, message
                    arrived(shard, records)

        fleet = Here(None, None)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            for size in (2, None):
                args = tune.parser().parse_args([*self.WORDS, "--out", str(self.directory / "run"), "--pairs", "6"])
                try:
                    tune.tune(args, lambda plan, found, out: cluster.ShardedMatches(plan, found, out, fleet, size))
                except KeyboardInterrupt:
                    self.assertEqual(list(self.shards("run/games-000001")), ["00000"])
        # Two pairs had arrived; the other four are played over two workers.
        self.assertEqual(plays, [Shard(0, 2), None, Shard(2, 3), Shard(5, 1)])
        args = tune.parser().parse_args([*self.WORDS, "--out", str(self.directory / "one"), "--pairs", "6"])
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            tune.tune(args)
        self.assertEqual(self.files("run"), self.files("one"))


class Remote(Clusters):
    """A scheduler and a worker of Dask's own commands, which know nothing of the scripts."""

    def dask(self, what: str, *words: str) -> subprocess.Popen:
        code = f"from distributed.cli.dask_{what} import main; main()"
        process = subprocess.Popen([sys.executable, "-c", code, *words], env=self.environment, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_a_scheduler_that_is_running(self) -> None:
        file = self.directory / "scheduler.json"
        scheduler = self.dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        until(file.exists, "the scheduler")
        address = json.loads(until(file.read_text, "its address"))["address"]
        worker = self.dask("worker", address, "--nthreads", "2", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        words = cluster_words("--scheduler", address, nodes=ENDLESS)
        with self.subTest("other programs"):
            fleet = Fleet(address, None)
            self.addCleanup(fleet.close)
            fleet.connect()
            self.assertEqual(fleet.threads(), 2)
            for files, problem in (({program("kete"): "0" * 64}, "is another file than the client's"), ({"/nowhere/kete": "0" * 64}, "cannot be read: No such file")):
                with self.assertRaisesRegex(ScriptError, rf"worker tcp://127.0.0.1:\d+: \S+kete {problem}.*; every worker needs the programs"):
                    fleet.check(files)
            with self.assertRaisesRegex(MatchError, r"worker tcp://127.0.0.1:\d+: /nowhere/kete cannot be read"):
                fleet.play({Shard(0, 1): ["x"]}, {"/nowhere/kete": "0" * 64}, lambda shard, records: None, lambda: None)
            fleet.close()
        with self.subTest("a killed client"):
            client = self.start(words)
            until(lambda: len(self.marked.matches()) == 2, "two matches on the worker")
            client.kill()
            client.wait()
            until(lambda: not self.marked.matches(), "the end of its matches", 10)
        with self.subTest("a scheduler that ends"):
            impatient = f"import sys; sys.path.insert(0, {str(SCRIPTS)!r}); import cluster; from kete_tune import dask_cluster; "
            impatient += "dask_cluster.CONNECT_SECONDS = 2; sys.exit(cluster.main())"
            client = self.start(["-c", impatient, *words[1:]])
            until(lambda: len(self.marked.matches()) == 2, "two matches on the worker")
            scheduler.kill()
            self.ended(client, 3)
            self.assertRegex(self.output("messages"), f"error: the scheduler at {address} is gone\nthe same command goes on")
            until(lambda: not self.marked.matches(), "the end of its matches", 10)
        worker.terminate()


class Mistakes(unittest.TestCase):
    """All are told before the first game, and before a worker is started."""

    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def run_script(self, words: list[str]) -> tuple[int, str]:
        messages = io.StringIO()
        with contextlib.redirect_stderr(messages), contextlib.redirect_stdout(io.StringIO()):
            try:
                code = cluster.main(words)
            except SystemExit as end:
                code = end.code
        return code, messages.getvalue()

    def refused(self, message: str, words: list[str]) -> None:
        began = time.monotonic()
        with mock.patch("distributed.LocalCluster", side_effect=AssertionError("a worker is started")), mock.patch.object(dask_cluster, "CONNECT_SECONDS", 0.5):
            code, messages = self.run_script(words)
        self.assertEqual(code, 2, messages)
        self.assertRegex(messages, message)
        self.assertLess(time.monotonic() - began, 10)
        self.assertFalse((self.directory / "out" / "shards").exists())

    def words(self, *more: str) -> list[str]:
        return ["match", *match_words(), "--out", str(self.directory / "out"), "--kete-match", program("kete-match"), *more]

    def test_misspelled(self) -> None:
        self.refused("unrecognized arguments: --sharts 5", self.words("--sharts", "5"))
        self.refused('^error: engine c: there is no option "Threds", expected one', self.words("--engine", f"cmd={program('kete')}", "name=c", "option.Threds=1"))
        self.refused('^error: --engine: "nods', self.words("--engine", f"cmd={program('kete')}", "name=c", "nods=1"))
        self.refused("^error: --engine is given once", ["match", "--variant", "kigogo", "--engine", "cmd=builtin", "--out", str(self.directory / "out")])
        self.refused("the engine has no parameter 'KigogoExploratio'; did you mean", ["tune", *Tuning.WORDS, "--param", "KigogoExploratio", "--out", str(self.directory / "tune")])
        self.assertFalse((self.directory / "out" / "config.json").exists())

    def test_missing(self) -> None:
        self.refused("^error: --engine: cmd=/nowhere/kete: No such file", self.words("--engine", "cmd=/nowhere/kete", "name=c"))
        self.refused("^error: no program '/nowhere/kete-match'", self.words("--kete-match", "/nowhere/kete-match"))

    def test_too_many_openings(self) -> None:
        self.refused("^error: .*opening", self.words("--plies", "0"))

    def test_no_scheduler(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            # What a web server says to Dask's greeting.
            def answer() -> None:
                with contextlib.suppress(OSError):
                    while True:
                        with server.accept()[0] as peer:
                            peer.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

            thread = threading.Thread(target=answer)
            thread.start()
            stranger = f"tcp://127.0.0.1:{server.getsockname()[1]}"
            for command in (self.words(), ["tune", *Tuning.WORDS, "--out", str(self.directory / "out")]):
                for address in ("tcp://127.0.0.1:1", "127.0.0.1:1", "nonsense://x", stranger):
                    self.refused(f"^error: no Dask scheduler answers at {address} .*; expected an address that `dask scheduler` prints", [*command, "--scheduler", address])
                    self.assertFalse((self.directory / "out").exists())
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
        self.refused("^error: --workers are processes on this machine", self.words("--scheduler", "tcp://127.0.0.1:1", "--workers", "2"))

    def test_unfit_and_changed(self) -> None:
        class Nobody:
            scheduler = None

            def __init__(self, *_) -> None:
                pass

            def __enter__(self):
                return self

            def __exit__(self, *_) -> None:
                pass

            def check(self, files) -> None:
                pass

            def play(self, *_) -> None:
                raise KeyboardInterrupt

        class Unfit(Nobody):
            def check(self, files) -> None:
                raise ScriptError(f"a worker has not {sorted(map(os.path.basename, files))}")

        with mock.patch.object(dask_cluster, "Fleet", Unfit):
            self.assertEqual(self.run_script(self.words()), (2, "error: a worker has not ['kete', 'kete-match']\n"))
            self.assertEqual(os.listdir(self.directory / "out"), ["lock"])
        with mock.patch.object(dask_cluster, "Fleet", Nobody):
            self.assertEqual(self.run_script(self.words()), (130, "interrupted; the same command goes on\n"))
            (self.directory / "out" / "shards").rmdir()
            changes = [("--seed", "8", "seed was 7, now 8"), ("--rounds", "9", "rounds was 8, now 9"), ("--plies", "8", "openings.random.plies was 6, now 8")]
            changes.append(("--each", "nodes=8", "each"))
            for option, value, key in changes:
                self.refused(f"begun with another configuration: {key}", self.words(option, value))
            for option, value in (("--shard", "3"), ("--concurrency", "2"), ("--workers", "5")):
                self.assertEqual(self.run_script(self.words(option, value))[0], 130)
                (self.directory / "out" / "shards").rmdir()


class Lost(unittest.TestCase):
    def test_a_shard_that_ends_worker_after_worker_is_given_up(self) -> None:
        """In one process: a shard that never comes back is not played for ever."""
        tries = []

        class Client:
            status = "running"

            def submit(self, function, words, files, key, pure):
                tries.append(key)
                future = mock.Mock()
                future.result.return_value = (LOST, "worker x: kete-match ended with exit code -9", b"")
                future.add_done_callback.side_effect = lambda call: threading.Thread(target=call, args=(future,)).start()
                return future

            def nthreads(self):
                return {"x": 1}

            def cancel(self, futures, force):
                tries.append("cancelled")

        fleet = Fleet(None, None)
        fleet.client = Client()
        with self.assertRaisesRegex(MatchError, "shard 00003 was lost 20 times; worker x: kete-match ended with exit code -9"):
            fleet.play({Shard(3, 2): ["x"]}, {}, lambda shard, records: None, lambda: None)
        self.assertEqual((len(set(tries)), tries[-1]), (21, "cancelled"))


if __name__ == "__main__":
    unittest.main()
