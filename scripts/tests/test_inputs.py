"""Active rows and stages of positions that were worked out by hand."""

import unittest

from tests.packages import require

require("numpy")

import numpy as np

from kete_eval.data_file import RECORDS
from kete_eval.inputs import BUCKET, SETS, material
from tests import synthetic


class Inputs(unittest.TestCase):
    def test_buckets(self) -> None:
        firsts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 21, 28]
        self.assertEqual(BUCKET[firsts].tolist(), list(range(16)))
        self.assertEqual([BUCKET[first - 1] for first in firsts[1:]], list(range(15)))
        self.assertEqual((len(BUCKET), BUCKET[255]), (256, 15))

    def test_kigogo(self) -> None:
        one = np.zeros(1, RECORDS["kigogo"])
        one["own"][0, 5] = 13
        one["theirs"][0, 23] = 30
        rows = SETS["kigogo"].active(one)[0]
        expected = [16 * g for g in range(48)]
        expected[5] = 16 * 5 + 11
        expected[47] = 16 * 47 + 15
        self.assertEqual(rows.tolist(), expected)
        self.assertEqual(material("kigogo", one)[0], -17)

    def test_kimasai(self) -> None:
        one = np.zeros(1, RECORDS["kimasai"])
        # Own back pit 2 (bit 2) and own front pit 20 (bit 4 of the third byte), which stand in columns 2 and 3;
        # their front pit 15, which faces own 20, and their back pit 0, which is in column 11.
        one["own"][0] = [0b100, 0, 0b10000]
        one["theirs"][0] = [0b1, 0b10000000, 0]
        rows = SETS["kimasai"].active(one)[0]
        # Pair 1 has columns 2 and 3: own back of column 2 (bit 0), own front of column 3 (bit 5), their front of column 3 (bit 6).
        # Pair 5 has columns 10 and 11: their back of column 11 (bit 7).
        patterns = [0b100, 0, 0b10000, 0b1, 0b10000000, 0, 0, 0b01100001, 0, 0, 0, 0b10000000]
        self.assertEqual(rows.tolist(), [256 * g + p for g, p in enumerate(patterns)])
        self.assertEqual(material("kimasai", one)[0], 0)

    def test_kiswahili_namua(self) -> None:
        one = np.zeros(1, RECORDS["kiswahili"])
        one["own"][0, 4], one["theirs"][0, 4] = 6, 10
        one["own_reserve"], one["their_reserve"] = 20, 19
        one["flags"], one["takasia"] = 1, 3
        rows = SETS["kiswahili"].active(one)[0].tolist()
        pits = [16 * g for g in range(32)]
        pits[4] += 6
        pits[20] += 10
        # The own house has six seeds; the other is not owned; then both reserves and takasia.
        self.assertEqual(rows, [*pits, 512 + 6, 1198, 544 + 20, 567 + 19, 590 + 3])
        self.assertEqual(material("kiswahili", one)[0], 26 - 29)

    def test_kiswahili_mtaji(self) -> None:
        one = np.zeros(1, RECORDS["kiswahili"])
        one["theirs"][0, 4] = 12
        one["flags"] = 2
        rows = SETS["kiswahili"].active(one)[0].tolist()
        pits = [599 + 16 * g for g in range(32)]
        pits[20] += 11
        self.assertEqual(rows, [*pits, 1198, 599 + 528 + 11, 599 + 544, 599 + 567, 599 + 590])

    def test_kiswahili_halves_go_by_the_movers_reserve(self) -> None:
        two = np.zeros(2, RECORDS["kiswahili"])
        two["own_reserve"], two["their_reserve"] = [1, 0], [0, 1]
        first = SETS["kiswahili"].active(two)[:, 0]
        self.assertEqual(first.tolist(), [0, 599])

    def test_stages(self) -> None:
        for game, totals in (("kigogo", [(0, 0), (23, 0), (24, 1), (46, 1), (47, 2), (69, 2), (70, 3), (92, 3)]),
                             ("kimasai", [(0, 0), (11, 0), (12, 1), (23, 1), (24, 2), (35, 2), (36, 3), (46, 3)]),
                             ("kiswahili", [(0, 0), (1, 1), (14, 1), (15, 2), (28, 2), (29, 3), (44, 3)])):  # fmt: skip
            for total, stage in totals:
                one = np.zeros(1, RECORDS[game])
                if game == "kigogo":
                    one["own"][0, 0], one["theirs"][0, 3] = total // 2, total - total // 2
                elif game == "kimasai":
                    for side, seeds in (("own", total // 2), ("theirs", total - total // 2)):
                        one[side][0] = np.packbits(np.arange(24) < seeds, bitorder="little")
                else:
                    one["own_reserve"], one["their_reserve"] = total // 2, total - total // 2
                self.assertEqual(SETS[game].stage(one)[0], stage, (game, total))

    def test_at_most_one_row_of_a_group(self) -> None:
        for game, inputs in SETS.items():
            starts = np.array([first for first, _ in inputs.groups])
            # The groups cover the rows without a gap.
            self.assertEqual([first + size for first, size in inputs.groups], [*starts[1:], inputs.rows])
            for rows in inputs.active(synthetic.records(game, 500)):
                groups = np.searchsorted(starts, rows[rows < inputs.rows], side="right")
                self.assertEqual(len(set(groups)), len(groups))


if __name__ == "__main__":
    unittest.main()
