"""Rate and time left, by a clock that the test sets."""

import io
import unittest

from kete_tune.progress import Progress, duration


class Stream(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


class Telling(unittest.TestCase):
    def setUp(self) -> None:
        self.now = 100.0

    def progress(self, terminal: bool, done: int = 0) -> tuple[Progress, Stream]:
        stream = Stream(terminal)
        return Progress("pairs", done, 1000, stream, 10.0, lambda: self.now), stream

    def test_rate_and_time_left_are_of_this_session(self) -> None:
        progress, _ = self.progress(False, 400)
        self.assertEqual(progress.line(400), "400 of 1000 pairs")
        self.now += 30
        self.assertEqual(progress.line(400, "more"), "400 of 1000 pairs; more")
        self.assertEqual(progress.line(460), "460 of 1000 pairs, 120.0 a minute, 4 min 30 s left")
        self.assertEqual(progress.line(1000, "x"), "1000 of 1000 pairs, 1200.0 a minute, 0 min 00 s left; x")

    def test_a_line_now_and_then(self) -> None:
        progress, stream = self.progress(False)
        progress.tell(1)
        self.now += 9.9
        progress.tell(2)
        self.assertEqual(stream.getvalue(), "")
        self.now += 0.1
        progress.tell(10, "a")
        progress.tell(11)
        self.assertEqual(stream.getvalue(), "10 of 1000 pairs, 60.0 a minute, 16 min 30 s left; a\n")
        progress.tell(12, always=True)
        self.assertEqual(stream.getvalue().count("\n"), 2)
        progress.end()
        self.assertEqual(stream.getvalue().count("\n"), 2)

    def test_over_itself_on_a_terminal(self) -> None:
        progress, stream = self.progress(True)
        for done in range(5):
            self.now += 0.11
            progress.tell(done)
        progress.end()
        progress.end()
        self.assertEqual(stream.getvalue().count("\r\x1b[K"), 2)
        self.assertEqual(stream.getvalue().count("\n"), 1)
        self.assertTrue(stream.getvalue().endswith("\n"))

    def test_durations(self) -> None:
        for seconds, text in ((0, "0 min 00 s"), (0.4, "0 min 00 s"), (59.5, "1 min 00 s"), (3599.4, "59 min 59 s"), (3599.5, "1 h 00 min"), (100_000, "27 h 46 min")):
            self.assertEqual(duration(seconds), text)


if __name__ == "__main__":
    unittest.main()
