"""What stands under the table at a terminal, and nowhere else."""
import os
import pty
import select
import subprocess
import termios
import struct
import fcntl
import unittest

from support.racing import PROGRAM, Home
from support.sandbox_process import Sandbox

SCHEDULE = [{"operation": {"operation-type": "search", "name": "q", "index": "_all", "body": {}}, "name": "q", "clients": 2,
             "target-throughput": 200, "iterations": 100},
            {"operation": {"operation-type": "refresh"}, "name": "short"}]
UTF8 = {"TERM": "xterm", "LANG": "C.UTF-8"}
HEADLINE = "Throughput over time, and latency by percentile:"


def at_terminal(home, arguments, environment, stdout=None, columns=100):
    """Exit code and what the terminal showed; standard output is the terminal, too, unless it is given."""
    terminal, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=home.path, env=home.environment(environment),
                               stdin=subprocess.DEVNULL, stdout=inside if stdout is None else stdout, stderr=inside)
    os.close(inside)
    shown = b""
    while select.select([terminal], [], [], 120)[0]:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(terminal)
    return process.wait(60), shown.decode().replace("\r\n", "\n")


class Terminal(unittest.TestCase):
    def test_plots_stand_under_the_table_of_a_race_and_of_its_report(self):
        with Home() as home, Sandbox() as sandbox:
            file = home.path / "report.md"
            race = ["race", f"--track-path={home.track(SCHEDULE)}", "--race-id=r", f"--report-file={file}",
                    f"--target-hosts=127.0.0.1:{sandbox.port}", "--pipeline=benchmark-only"]
            code, shown = at_terminal(home, race, UTF8)
            self.assertEqual(code, 0, shown)
            table, plots = shown.split(HEADLINE)
            self.assertIn(file.read_text(), table)
            self.assertIn("\nq\n", plots)
            self.assertNotIn("\nshort\n", plots)  # one request makes no curve
            self.assertRegex(plots, "[▁-█]{5}.*up to .* ops/s")
            self.assertRegex(plots, "[\u2801-\u28ff]{5}")
            self.assertRegex(plots, r"\n  0 +50 +90 .*percent\n")
            for line in plots.splitlines():
                self.assertLessEqual(len(line), 100)
            plain = home.run("report").stdout
            self.assertNotIn(HEADLINE, plain)
            self.assertEqual(plain, file.read_text())  # byte for byte
            code, again = at_terminal(home, ["report"], UTF8)
            self.assertEqual(code, 0, again)
            self.assertTrue(again.startswith(plain))
            self.assertEqual(again[len(plain):].strip(), (HEADLINE + plots.split("[INFO]")[0]).strip())
            # the table in a file, the plots where the user looks
            with open(home.path / "table.md", "wb") as out:
                code, shown = at_terminal(home, ["report"], UTF8, stdout=out)
            self.assertIn(HEADLINE, shown)
            self.assertEqual((home.path / "table.md").read_text(), plain)

    def test_only_where_the_terminal_allows_it(self):
        with Home() as home, Sandbox() as sandbox:
            run = home.race(f"--track-path={home.track(SCHEDULE)}", f"--target-hosts=127.0.0.1:{sandbox.port}",
                            "--pipeline=benchmark-only", environment=UTF8.items())
            self.assertNotIn(HEADLINE, run.stdout + run.stderr)
            for environment, columns, more in (({"TERM": "dumb", "LANG": "C.UTF-8"}, 100, []),
                                               ({"TERM": "xterm", "LANG": "C"}, 100, []), ({"TERM": "xterm"}, 100, []),
                                               ({**UTF8, "LC_ALL": "POSIX"}, 100, []), (UTF8, 40, []),
                                               (UTF8, 100, ["--report-format=csv"])):
                with self.subTest(environment=environment, columns=columns, more=more):
                    code, shown = at_terminal(home, ["report", *more], environment, columns=columns)
                    self.assertEqual(code, 0, shown)
                    self.assertNotIn(HEADLINE, shown)
            code, shown = at_terminal(home, ["report"], {**UTF8, "NO_COLOR": "1"})  # about colour only
            self.assertIn(HEADLINE, shown)
            self.assertNotIn("\x1b[3", shown)

    def test_a_comparison_has_colours_there_and_not_in_its_file(self):  # case O12
        with Home() as home, Sandbox() as sandbox:
            for race in ("a", "b"):
                home.race(f"--track-path={home.track(SCHEDULE)}", f"--target-hosts=127.0.0.1:{sandbox.port}",
                          f"--race-id={race}", "--pipeline=benchmark-only")
            file = home.path / "out.md"
            code, shown = at_terminal(home, ["compare", "--baseline=a", "--contender=b", f"--report-file={file}"], UTF8)
            self.assertEqual(code, 0, shown)
            self.assertIn("\x1b[", shown)
            self.assertNotIn("\x1b", file.read_text())


if __name__ == "__main__":
    unittest.main()
