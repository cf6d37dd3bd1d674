"""The arithmetic of a net here and in the engine: the same scores for the same positions, to the last unit."""

import subprocess
import tempfile
import unittest
from pathlib import Path

from tests.packages import require

require("numpy")

import numpy as np

from kete_eval import data_file, net_file
from kete_eval.inputs import SETS
from tests.built import program

# The engine needs far less; it is to hang no test.
SECONDS = 120


def random_net(game: str, hidden: int, stages: int, seed: int) -> net_file.Net:
    """Weights of the size that the bounds allow, with scores of ordinary size."""
    rng = np.random.default_rng(seed)
    inputs = SETS[game]
    cap = net_file._I16 // (len(inputs.groups) + 1)
    net = net_file.Net(
        game,
        rng.integers(-cap, cap + 1, hidden).astype("<i2"),
        rng.integers(-cap, cap + 1, (inputs.rows, hidden)).astype("<i2"),
        rng.integers(-25, 26, (stages, hidden)).astype("<i2"),
        rng.integers(-50_000, 50_001, stages).astype("<i4"),
        {"made by": "a test"},
    )
    assert net_file.check_bounds(net) is None
    return net


def position_text(game: str, record: np.void) -> str:
    """The position of a record as the engine reads it, the mover as South."""
    # A ring begins at the mover's left: in kiswahili in front and comes back behind, in the others the other way round.
    sides = [record[side] for side in ("own", "theirs")]
    if game == "kimasai":
        sides = [np.unpackbits(side, bitorder="little") for side in sides]
    half = len(sides[0]) // 2
    rows = []
    for ring in sides:
        first, second = [int(n) for n in ring[:half]], [int(n) for n in ring[half:]][::-1]
        rows.append((first, second) if game == "kiswahili" else (second, first))
    (front, back), (their_front, their_back) = rows
    # North sits opposite, so that his left is on the right.
    board = "/".join(",".join(map(str, row)) for row in (their_back[::-1], their_front[::-1], front, back))
    if game != "kiswahili":
        return f"{game} {board} S"
    houses = ("S" if record["flags"] & 1 else "") + ("N" if record["flags"] & 2 else "")
    takasia = f"A{record['takasia']}" if record["takasia"] else "-"
    return f"{game} {board} S {record['own_reserve']},{record['their_reserve']} {houses or '-'} {takasia}"


def scores_of_engine(game: str, net: Path, positions: list[str]) -> list[int]:
    lines = [f"setoption name UCI_Variant value {game}", f"setoption name EvalFile value {net}"]
    for position in positions:
        lines += [f"position fen {position}", "eval"]
    ran = subprocess.run([program("kete")], input="\n".join([*lines, "quit", ""]), capture_output=True, text=True, timeout=SECONDS, check=True)
    wrong = [line for line in ran.stdout.splitlines() if "error" in line]
    if wrong:
        raise AssertionError(wrong[0])
    return [int(line.split()[1]) for line in ran.stdout.splitlines() if line.startswith("Net: ")]


class Engine(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.directory = Path(holder.name)

    def positions(self, game: str) -> np.ndarray:
        """Records of real games, of all their stages."""
        path = self.directory / f"{game}.kdata"
        words = ["datagen", "--variant", game, "--games", "30", "--nodes", "20", "--evaluation", "material", "--seed", "1", "--quiet"]
        subprocess.run([program("kete"), *words, "--out", path], check=True, capture_output=True, timeout=SECONDS)
        records = data_file.read(path).records
        # As many as are quickly asked about, from all over the file.
        return records[:: max(1, len(records) // 400)]

    def test_scores_are_those_of_the_engine(self) -> None:
        for game, inputs in SETS.items():
            records = self.positions(game)
            active, stage = inputs.active(records), inputs.stage(records)
            self.assertGreater(len(records), 300)
            self.assertGreaterEqual(len(set(stage.tolist())), 3, game)
            texts = [position_text(game, record) for record in records]
            for hidden, stages in ((16, 1), (16, 4), (32, 4), (64, 1)):
                with self.subTest(game=game, hidden=hidden, stages=stages):
                    net = random_net(game, hidden, stages, seed=hidden + stages)
                    path = self.directory / f"{game} {hidden} {stages}.knet"
                    net_file.write(path, net)
                    expected = net.scores(active, stage).tolist()
                    self.assertGreater(len(set(expected)), 100)
                    self.assertEqual(scores_of_engine(game, path, texts), expected)

    def test_a_takasia_is_read_as_it_was_written(self) -> None:
        # Rare in games, so that it is looked for: the first of many records that has one.
        path = self.directory / "kiswahili.kdata"
        words = ["datagen", "--variant", "kiswahili", "--games", "400", "--nodes", "1", "--evaluation", "material", "--seed", "2", "--quiet"]
        subprocess.run([program("kete"), *words, "--out", path], check=True, capture_output=True, timeout=SECONDS)
        records = data_file.read(path).records
        records = records[records["takasia"] > 0][:50]
        self.assertGreater(len(records), 0)
        net = random_net("kiswahili", 32, 4, seed=9)
        net_file.write(self.directory / "net.knet", net)
        inputs = SETS["kiswahili"]
        expected = net.scores(inputs.active(records), inputs.stage(records)).tolist()
        texts = [position_text("kiswahili", record) for record in records]
        self.assertEqual(scores_of_engine("kiswahili", self.directory / "net.knet", texts), expected)


if __name__ == "__main__":
    unittest.main()
