"""What goes wrong while a race runs: the cluster dies, the store is locked, the disk is full, the user wants to end."""
import json
import os
import pty
import signal
import sqlite3
import subprocess
import time
import unittest

from support.racing import PROGRAM, Home
from support.sandbox_process import Sandbox

SEARCH = {"name": "q", "operation-type": "search", "index": "a", "body": {}}


def ended(process, seconds):
    """Exit code, output and how long it took to end."""
    begun = time.monotonic()
    out, err = process.communicate(timeout=seconds)
    return process.returncode, out + err, time.monotonic() - begun


class Trouble(unittest.TestCase):
    def start(self, home, sandbox, task, *flags):
        folder = home.track([{"operation": SEARCH, **task}])
        return home.start("race", f"--track-path={folder}", "--pipeline=benchmark-only",
                          f"--target-hosts=127.0.0.1:{sandbox.port}", *flags)

    def counted(self, home):
        """Requests that the race stored: answered and failed."""
        own = home.race_document()["results"]["op_metrics"][0]["pacenote"]
        return own["samples"], own["failed"]

    def test_a_cluster_that_dies_and_comes_back(self):
        with Home() as home, Sandbox("--null") as first:
            port = first.port
            process = self.start(home, first, {"clients": 4, "target-throughput": 200, "time-period": 4},
                                 "--on-error=continue-on-network")
            time.sleep(1.2)
            first.end(by=signal.SIGKILL)
            time.sleep(0.5)
            second = subprocess.Popen([PROGRAM, "sandbox", f"--port={port}", "--null"], stderr=subprocess.PIPE, text=True)
            try:
                code, text, _ = ended(process, 60)
            finally:
                second.terminate()
                second.communicate(timeout=20)
            self.assertEqual(code, 0, text)
            samples, failed = self.counted(home)
            self.assertGreater(failed, 0)
            self.assertGreater(samples - failed, 200, "requests after it came back")
            self.assertIn("error rate", text)

    def test_a_cluster_that_dies_ends_the_race_with_what_was_measured(self):
        with Home() as home, Sandbox("--null") as sandbox:
            process = self.start(home, sandbox, {"clients": 4, "target-throughput": 100, "time-period": 20})
            time.sleep(1.5)
            sandbox.end(by=signal.SIGKILL)
            code, text, took = ended(process, 40)
            self.assertEqual(code, 64, text)
            self.assertIn("Cannot race.", text)
            self.assertLess(took, 15)
            self.assertGreater(self.counted(home)[0], 50)

    def test_a_stalled_store_loses_nothing(self):
        with Home() as home, Sandbox("--null") as sandbox:
            process = self.start(home, sandbox, {"clients": 4, "target-throughput": 400, "time-period": 4})
            time.sleep(1)
            lock = sqlite3.connect(home.store)
            lock.execute("BEGIN EXCLUSIVE")
            time.sleep(5.5)
            lock.rollback()
            lock.close()
            code, text, _ = ended(process, 60)
            self.assertEqual(code, 0, text)
            samples, failed = self.counted(home)
            self.assertEqual(failed, 0)
            self.assertGreater(samples, 1550, "4 s at 400/s, through the stall")

    def test_ctrl_c_while_the_store_is_locked(self):
        with Home() as home, Sandbox("--null") as sandbox:
            process = self.start(home, sandbox, {"clients": 4, "target-throughput": 100, "time-period": 30})
            time.sleep(1.5)
            lock = sqlite3.connect(home.store)
            lock.execute("BEGIN EXCLUSIVE")
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            code, text, took = ended(process, 40)
            lock.rollback()
            lock.close()
            self.assertEqual(code, 130, text)
            self.assertLess(took, 5)
            self.assertIn("Mean Throughput", text, "the table comes from memory")

    def test_ctrl_c_while_the_cluster_hangs(self):
        with Home() as home, Sandbox("--fault=path=*,nth=60,hang", "--fault=path=*stats*,nth=20,hang") as sandbox:
            sandbox.ask("PUT", "/a", "{}")
            process = self.start(home, sandbox, {"clients": 2, "target-throughput": 100, "time-period": 30})
            time.sleep(1.5)
            os.kill(sandbox.process.pid, signal.SIGSTOP)
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            try:
                code, text, took = ended(process, 60)
            finally:
                os.kill(sandbox.process.pid, signal.SIGCONT)
            self.assertEqual(code, 130, text)
            self.assertLess(took, 5)

    def test_a_full_disk_while_racing(self):
        if os.getuid() != 0:
            self.skipTest("SKIPPED: only root can mount a small disk")
        with Home() as home, Sandbox("--null") as sandbox:
            disk = home.path / "small"
            disk.mkdir()
            if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", str(disk)], capture_output=True).returncode:
                self.skipTest("SKIPPED: mounting is not allowed here")
            try:
                process = self.start(home, sandbox, {"clients": 4, "target-throughput": 8000, "time-period": 4},
                                     f"--store={disk}/races.db")
                time.sleep(5)
                process.send_signal(signal.SIGINT)
                code, text, took = ended(process, 60)
            finally:
                subprocess.run(["umount", "-l", str(disk)], check=True)
            self.assertEqual(code, 130, text)
            self.assertIn("disk is full", text)
            self.assertIn("Mean Throughput", text)
            self.assertLess(took, 5)

    def test_ctrl_c_at_the_guards_question(self):
        with Home() as home, Sandbox() as sandbox:
            sandbox.ask("PUT", "/a/_doc/1?refresh=true", '{"b":1}')
            folder = home.track([{"operation": {"operation-type": "delete-index", "index": "a"}}])
            terminal, inside = pty.openpty()
            process = subprocess.Popen([PROGRAM, "race", f"--track-path={folder}", "--pipeline=benchmark-only",
                                        f"--target-hosts=127.0.0.1:{sandbox.port}"], env=home.environment(),
                                       stdin=inside, stdout=subprocess.PIPE, stderr=inside, text=True)
            os.close(inside)
            seen = b""
            while b"go on" not in seen:
                seen += os.read(terminal, 4096)
            process.send_signal(signal.SIGTERM)
            begun = time.monotonic()
            self.assertEqual(process.wait(10), 143)
            self.assertLess(time.monotonic() - begun, 2)
            process.stdout.close()
            os.close(terminal)
            self.assertEqual(sandbox.ask("GET", "/a/_count")[1]["count"], 1)

    def test_ctrl_c_in_a_template_that_never_ends(self):
        with Home() as home:
            folder = home.path / "endless"
            folder.mkdir()
            (folder / "track.json").write_text(
                '{"version": 2, "description": "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"}')
            process = home.start("race", f"--track-path={folder}")
            time.sleep(2)
            process.send_signal(signal.SIGINT)
            code, text, took = ended(process, 40)
            self.assertEqual(code, 130, text)
            self.assertLess(took, 5)

    def test_hundreds_of_short_tasks(self):
        with Home() as home:
            folder = home.track([{"name": f"s{i}", "operation": {"operation-type": "sleep", "duration": 0}} for i in range(600)])
            begun = time.monotonic()
            run = home.race(f"--track-path={folder}", "--quiet")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(len(json.loads(home.export("--what=results", "--report-format=json"))["op_metrics"]), 600)
            self.assertLess(time.monotonic() - begun, 30)

    def test_switches_take_no_value_and_empty_arguments_are_mistakes(self):
        with Home() as home:
            for flags in (["race", "--track=http_logs", "--allow-destructive=no"], ["race", "--track=http_logs", "--target-hosts="],
                          ["race", "--track=http_logs", "--challenge="], ["report", ""], ["compare", "--baseline=", "--contender="]):
                run = home.run(*flags, timeout=20)
                self.assertEqual(run.returncode, 2, (flags, run.stderr))
                self.assertLessEqual(len(run.stderr.splitlines()), 3)

    def test_o13_a_bare_machine_without_a_network(self):
        """Only the loopback, no git, no Python, a home that cannot be written."""
        with Home() as home:
            folder = home.track([{"operation": {"operation-type": "bulk", "name": "b", "bulk-size": 100}}], documents=500)
            environment = {"HOME": "/proc/nowhere", "PATH": "/nowhere", "PACENOTE_STORE": str(home.store),
                           "PACENOTE_DATA": str(home.path / "data")}
            alone = ["unshare", "-rn", "sh", "-c", 'ip link set lo up; exec "$@"', "sh", "env", "-i",
                     *(f"{key}={value}" for key, value in environment.items()), PROGRAM]

            def run(*arguments):
                return subprocess.run([*alone, *arguments], capture_output=True, text=True, timeout=30)
            if subprocess.run(["unshare", "-rn", "true"], capture_output=True).returncode:
                self.skipTest("SKIPPED: no network namespaces here")
            for again in range(2):
                race = run("race", f"--track-path={folder}")
                self.assertEqual(race.returncode, 0, race.stderr)
            for verb in (["list", "races"], ["export", "--report-format=json"], ["report"],
                         ["compare", "--baseline=last:1", "--contender=last:2-2"]):
                self.assertEqual(run(*verb).returncode, 0, verb)
            del environment["PACENOTE_STORE"]
            nowhere = subprocess.run([PROGRAM, "race", f"--track-path={folder}"], env=environment, capture_output=True, text=True,
                                     timeout=30)
            self.assertEqual(nowhere.returncode, 64)
            self.assertIn("/proc/nowhere", nowhere.stderr)
            self.assertIn("--store", nowhere.stderr)

    def test_limits_of_the_machine_are_named(self):
        with Home() as home:
            folder = home.track([{"operation": SEARCH, "clients": 64, "iterations": 1}])
            run = subprocess.run(["bash", "-c", f"ulimit -n 30; exec {PROGRAM} race --track-path={folder}"],
                                 env=home.environment(), capture_output=True, text=True, timeout=60)
            self.assertEqual(run.returncode, 64, run.stderr)
            self.assertIn("open files", run.stderr)
            self.assertNotIn("terminate", run.stderr)


if __name__ == "__main__":
    unittest.main()
