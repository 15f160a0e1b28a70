"""What a broken server, proxy or line does to single requests: each fault ends as one failed sample or none, never in a
hang, a lost or a doubled request."""
import unittest

from support.racing import Home
from support.sandbox_process import Sandbox

CLIENTS, EACH = 2, 20
# fault: failed requests of those below, and what the report says of them. The 10th search is met.
SPOILED = {
    "truncate": "",
    "not-http": "",
    "huge-head": "header",
    "huge-body": "larger than 256 MB",
    "gzip-bomb": "more than 256 MB",
    "hang": "no answer within the time-out",
}
# A search that a connection loses before any byte of its answer came is sent again: it is idempotent.
HARMLESS = ["reset", "half-close", "interim", "chunked", "trickle", "slow-read", "delay=50ms"]


class Faults(unittest.TestCase):
    def raced(self, home, sandbox, operation, **task):
        """The task's own figures and all that was printed."""
        folder = home.track([{"operation": {"name": "q", **operation}, "clients": CLIENTS, **task}],
                            documents=0 if operation["operation-type"] == "search" else 4000)
        run = home.race(f"--track-path={folder}", "--pipeline=benchmark-only", "--on-error=continue-on-network",
                        f"--target-hosts=127.0.0.1:{sandbox.port}", "--allow-destructive", timeout=60)
        self.assertEqual(run.returncode, 0, run.stderr)
        return home.race_document()["results"]["op_metrics"][0]["pacenote"], run.stdout + run.stderr

    def searched(self, home, sandbox, patience=30):
        sandbox.ask("PUT", "/a", "{}")
        search = {"operation-type": "search", "index": "a", "body": {}, "request-timeout": patience}
        return self.raced(home, sandbox, search, iterations=EACH, **{"target-throughput": 200})

    def test_a_spoiled_answer_is_one_failed_request(self):
        for fault, words in SPOILED.items():
            with self.subTest(fault), Home() as home, Sandbox("--null", f"--fault=path=*_search,nth=10,{fault}") as sandbox:
                own, text = self.searched(home, sandbox, patience=2 if fault == "hang" else 30)
                self.assertEqual((own["samples"], own["failed"]), (CLIENTS * EACH, 1), text)
                self.assertIn("error rate", text)
                self.assertIn(words, text)

    def test_an_unusual_answer_is_understood(self):
        for fault in HARMLESS:
            with self.subTest(fault), Home() as home, Sandbox("--null", f"--fault=path=*_search,every=5,{fault}") as sandbox:
                own, text = self.searched(home, sandbox)
                self.assertEqual((own["samples"], own["failed"]), (CLIENTS * EACH, 0), text)

    def test_bulks_arrive_once(self):
        """Documents that the sandbox counted = documents that the race says were accepted."""
        for fault in ["slow-read", "trickle", "chunked", "interim", "half-close"]:
            with self.subTest(fault), Home() as home, Sandbox(f"--fault=path=*_bulk,every=7,{fault}") as sandbox:
                own, text = self.raced(home, sandbox, {"operation-type": "bulk", "bulk-size": 100},
                                       **{"target-throughput": "20000 docs/s"})
                sandbox.ask("POST", "/small/_refresh")
                self.assertEqual(own["samples"], 40, text)
                self.assertEqual(own["failed"], 0, text)
                self.assertEqual(sandbox.ask("GET", "/small/_count")[1]["count"], 4000)

    def test_a_bulk_whose_answer_is_lost_is_not_sent_again(self):
        for fault in ["reset", "truncate", "huge-head"]:
            with self.subTest(fault), Home() as home, Sandbox(f"--fault=path=*_bulk,nth=7,{fault}") as sandbox:
                own, text = self.raced(home, sandbox, {"operation-type": "bulk", "bulk-size": 100})
                self.assertEqual((own["samples"], own["failed"]), (40, 1), text)
                counts = sandbox.ask("GET", "/_sandbox/requests?path=*_bulk")[1]
                self.assertEqual(counts["total"], 40, "requests that the server saw")


if __name__ == "__main__":
    unittest.main()
