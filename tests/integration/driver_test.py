"""The load driver watches itself: it says when it, not the cluster, set the rate."""
import os
import re
import signal
import threading
import time
import unittest

from support.racing import Home
from support.sandbox_process import Sandbox

SEARCH = {"name": "q", "operation-type": "search", "index": "a", "body": {}}


def throttled(process, share=0.1, period=0.1):
    """Lets the process run for a tenth of the time, until it has ended."""
    def work():
        while process.poll() is None:
            os.kill(process.pid, signal.SIGSTOP)
            time.sleep(period * (1 - share))
            os.kill(process.pid, signal.SIGCONT)
            time.sleep(period * share)
    thread = threading.Thread(target=work)
    thread.start()
    return thread


class Driver(unittest.TestCase):
    def race(self, home, sandbox, task, slow=False):
        folder = home.track([{"operation": SEARCH, **task}])
        process = home.start("race", f"--track-path={folder}", "--pipeline=benchmark-only",
                             f"--target-hosts=127.0.0.1:{sandbox.port}", "--quiet")
        thread = throttled(process) if slow else None
        out, err = process.communicate(timeout=120)
        if thread:
            thread.join()
        self.assertEqual(process.returncode, 0, err)
        return out + err, home.race_document()["results"]["op_metrics"][0]["pacenote"]

    def test_a_planned_rate_is_kept_and_nothing_is_said(self):
        with Home() as home, Sandbox("--null") as sandbox:
            text, own = self.race(home, sandbox, {"clients": 8, "target-throughput": 200, "time-period": 3})
            self.assertNotIn("no processor", text)
            self.assertNotIn("ops/s reached", text)
            self.assertGreater(own["rate-reached"], 0.98)
            self.assertLess(own["driver"]["late-p50-ms"], 5)
            self.assertLess(own["driver"]["cpu-share"], 0.5)

    def test_a_driver_that_runs_a_tenth_of_the_time_says_so(self):
        with Home() as home, Sandbox("--null") as sandbox:
            text, own = self.race(home, sandbox, {"clients": 8, "target-throughput": 200, "time-period": 3}, slow=True)
            self.assertRegex(text, r"q: pacenote got no processor for \d\d+ % of the time")
            self.assertGreater(own["driver"]["stalled-share"], 0.5)
            again = home.run("report")
            self.assertIn("got no processor", again.stdout + again.stderr)

    def test_a_slow_cluster_is_named_and_not_the_driver(self):
        with Home() as home, Sandbox("--fault=path=/a/_search,delay=100ms") as sandbox:
            sandbox.ask("PUT", "/a", "{}")
            text, own = self.race(home, sandbox, {"clients": 1, "target-throughput": 50, "iterations": 30})
            self.assertRegex(text, r"task q: \d+\.\d of 50 ops/s reached; latency is dominated by waiting")
            self.assertLess(own["rate-reached"], 0.3)

    def test_a_driver_at_its_limit_says_so(self):
        with Home() as home, Sandbox("--null") as sandbox:
            text, own = self.race(home, sandbox, {"clients": 64, "time-period": 2})
            if own["driver"]["cpu-share"] >= 0.85:  # on a shared machine the null server may be slower
                self.assertRegex(text, r"q: a driver thread was busy \d+ % of the time")

    def test_calibrate_says_what_the_machine_can_drive_and_a_race_how_near_it_came(self):
        with Home() as home, Sandbox("--null") as sandbox:
            run = home.run("calibrate", "--seconds=0.3")
            self.assertEqual(run.returncode, 0, run.stderr)
            for figure in (r"bulk indexing +[\d,]{7,} docs/s", r"small searches +[\d,]{4,} requests/s",
                           r"open loop +\d+\.\d\d % of 10,000 requests/s"):
                self.assertRegex(run.stdout, figure)
            folder = home.track([{"operation": SEARCH, "clients": 1, "time-period": 1}])
            race = home.race(f"--track-path={folder}", "--pipeline=benchmark-only",
                             f"--target-hosts=127.0.0.1:{sandbox.port}")
            self.assertTrue(re.search(r"q came to [\d.e+]+ % of the requests/s that this machine can drive", race.stderr),
                            race.stderr)


if __name__ == "__main__":
    unittest.main()
