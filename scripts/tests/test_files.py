"""Both file formats: what is written is read again, and what is damaged is refused by a message that says what and where."""

import contextlib
import hashlib
import io
import struct
import tempfile
import unittest
from pathlib import Path

from tests.packages import require

require("numpy")

import numpy as np

from kete_eval import data_file, net_file
from kete_eval.data_file import FileError
from kete_eval.inputs import SETS
from tests import synthetic


def small_net(game: str, stages: int = 4, hidden: int = 8) -> net_file.Net:
    rng = np.random.default_rng(5)
    return net_file.Net(
        game,
        rng.integers(-100, 100, hidden).astype("<i2"),
        rng.integers(-50, 50, (SETS[game].rows, hidden)).astype("<i2"),
        rng.integers(-300, 300, (stages, hidden)).astype("<i2"),
        rng.integers(-9999, 9999, stages).astype("<i4"),
        {"seed": 5},
    )


class InTemporaryDirectory(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.directory = Path(holder.name)

    def damaged(self, path: Path, at: int, new: bytes) -> Path:
        content = bytearray(path.read_bytes())
        content[at : at + len(new)] = new
        copy = self.directory / "damaged"
        copy.write_bytes(content)
        return copy


class DataFiles(InTemporaryDirectory):
    def test_records_have_the_sizes_of_the_format(self) -> None:
        self.assertEqual({game: dtype.itemsize for game, dtype in data_file.RECORDS.items()}, {"kigogo": 55, "kimasai": 13, "kiswahili": 43})

    def test_written_records_are_read_again(self) -> None:
        for game in SETS:
            path = synthetic.write(self.directory / game, game, 300)
            read = data_file.read(path)
            self.assertEqual((read.game, read.sha256), (game, hashlib.sha256(path.read_bytes()).hexdigest()))
            np.testing.assert_array_equal(read.records, synthetic.records(game, 300))

    def test_bytes_of_a_file_put_together_by_hand(self) -> None:
        header = b'{"game":"kimasai","record_bytes":13,"nodes":800}'
        record = bytes([1, 0, 0x80, 0, 2, 0]) + struct.pack("<hBI", -31998, 2, 7)
        checksum = hashlib.sha256(record).digest()[:4]
        chunk = b"CHNK" + struct.pack("<QII", 7, 1, 1) + checksum + record
        path = self.directory / "hand"
        path.write_bytes(b"KETEDATA" + struct.pack("<II", 1, len(header)) + header + chunk)
        (record,) = data_file.read(path).records
        self.assertEqual((list(record["own"]), record["score"], record["result"], record["game"]), ([1, 0, 0x80], -31998, 2, 7))

    def test_a_chunk_that_was_cut_off_is_left_out(self) -> None:
        path = synthetic.write(self.directory / "a", "kimasai", 300)
        whole = data_file.read(path).records
        path.write_bytes(path.read_bytes()[:-1])
        with contextlib.redirect_stderr(io.StringIO()) as remarks:
            rest = data_file.read(path).records
        self.assertEqual(len(rest), (whole["game"] < 8).sum())
        self.assertIn("cut off", remarks.getvalue())

    def test_damage_is_named(self) -> None:
        path = synthetic.write(self.directory / "a", "kigogo", 100)
        begin = 16 + struct.unpack_from("<I", path.read_bytes(), 12)[0]
        for at, new, message in (
            (0, b"X", "not a data file"),
            (8, b"\x02", "version 2, expected 1"),
            (16, b"!", "no JSON"),
            (begin, b"X", f"byte {begin}: a chunk begins with 0x4b4e4843"),
            (begin + data_file.CHUNK_HEAD.size, b"\xff", "the file is damaged"),
        ):
            with self.assertRaisesRegex(FileError, f"damaged: .*{message}"):
                data_file.read(self.damaged(path, at, new))
        with self.assertRaisesRegex(FileError, "cannot be read"):
            data_file.read(self.directory / "missing")

    def test_headers_that_do_not_fit_are_refused(self) -> None:
        path = self.directory / "a"
        for header, message in ((b'{"game":"chess"}', "game 'chess', expected one of"), (b'{"game":"kigogo","record_bytes":13}', "record_bytes 13, expected 55")):
            path.write_bytes(b"KETEDATA" + struct.pack("<II", 1, len(header)) + header)
            with self.assertRaisesRegex(FileError, message):
                data_file.read(path)

    def test_values_that_no_position_has_are_refused(self) -> None:
        for field, value, message in (("result", 3, "result 3, expected 0 to 2"), ("game", 5, "game 5, expected 0 to 4"), ("takasia", 9, "takasia 9")):
            records = synthetic.records("kiswahili", 100)
            records[field][40] = value
            data_file.write(self.directory / "a", "kiswahili", [(0, 5, records)])
            with self.assertRaisesRegex(FileError, f"record 40: {message}"):
                data_file.read(self.directory / "a")


class NetFiles(InTemporaryDirectory):
    def test_a_written_net_is_read_again(self) -> None:
        for game in SETS:
            for stages in (1, 4):
                net = small_net(game, stages)
                path = self.directory / "net"
                digest = net_file.write(path, net)
                self.assertEqual(digest, hashlib.sha256(path.read_bytes()).hexdigest())
                read = net_file.read(path)
                self.assertEqual((read.game, read.training), (game, {"seed": 5}))
                for name in ("bias", "rows", "out", "out_bias"):
                    np.testing.assert_array_equal(getattr(read, name), getattr(net, name), name)

    def test_layout(self) -> None:
        net = small_net("kigogo", 4, 2)
        net_file.write(self.directory / "net", net)
        content = (self.directory / "net").read_bytes()
        length = struct.unpack_from("<I", content, 12)[0]
        self.assertEqual(len(content), 16 + length + 2 * 2 * (1 + 768 + 4) + 4 * 4 + 32)
        self.assertEqual(struct.unpack_from("<2h", content, 16 + length), tuple(net.bias))
        self.assertEqual(struct.unpack_from("<4i", content, len(content) - 48), tuple(net.out_bias))

    def test_damage_is_named(self) -> None:
        path = self.directory / "net"
        net_file.write(path, small_net("kigogo"))
        for at, new, message in ((0, b"X", "not a net"), (500, b"\xff\xff", "checksum"), (path.stat().st_size - 1, b"\0\0", "checksum")):
            with self.assertRaisesRegex(FileError, f"damaged: .*{message}"):
                net_file.read(self.damaged(path, at, new))

    def test_wrong_headers_and_lengths_are_named(self) -> None:
        net_file.write(self.directory / "net", small_net("kigogo"))
        content = (self.directory / "net").read_bytes()[:-32]
        for old, new, message in (
            (b'"scale": 128', b'"scale": 127', "scale 127, expected 128"),
            (b"kigogo-pits-1", b"kigogo-pits-2", "inputs 'kigogo-pits-2'"),
            (b'"hidden": 8', b'"hidden": 9', "expected"),
            (b'"stages": 4', b'"stages": 3', "stages 3"),
        ):
            changed = content.replace(old, new)
            (self.directory / "changed").write_bytes(changed + hashlib.sha256(changed).digest())
            with self.assertRaisesRegex(FileError, message):
                net_file.read(self.directory / "changed")

    def test_nets_that_could_overflow_are_refused(self) -> None:
        net = small_net("kigogo")
        # 48 pits of 682 and a bias of 31 just fit.
        net.rows[:] = 0
        net.rows[::16, 3] = -682
        net.bias[3] = 31
        self.assertIsNone(net_file.check_bounds(net))
        net.bias[3] = 32
        with self.assertRaisesRegex(FileError, "hidden value 3 can reach 32768"):
            net_file.write(self.directory / "net", net)
        net = small_net("kigogo")
        net.rows[:] = 682
        net.bias[:] = 0
        net.out[2] = 32767
        with self.assertRaisesRegex(FileError, "output of stage 2"):
            net_file.write(self.directory / "net", net)


if __name__ == "__main__":
    unittest.main()
