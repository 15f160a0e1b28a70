"""Corpora that hold their action lines go from the page cache to the socket unread; the cluster gets the same."""
import json
import os
import time
import unittest

from support.racing import Home, wait_for
from support.sandbox_process import Sandbox

DOCUMENTS = 30_000


def ready_track(home, last_newline=True, **operation):
    text = "".join('{"index":{"_index":"ready","_id":"%d"}}\n{"n":"%s"}\n' % (n, "x" * (n * 7 % 90)) for n in range(DOCUMENTS))
    folder = home.track([{"operation": {"operation-type": "bulk", "name": "bulk", "bulk-size": 700, **operation}, "clients": 3}],
                        corpora=[{"name": "ready", "documents": [{
                            "source-file": "docs.json", "document-count": DOCUMENTS, "includes-action-and-meta-data": True}]}])
    (folder / "docs.json").write_text(text if last_newline else text[:-1])
    return folder


class ReadyCorpus(unittest.TestCase):
    def check(self, flags=(), client_options="", **track):
        with Home() as home, Sandbox(*flags) as sandbox:
            folder = ready_track(home, **track)
            for count in (DOCUMENTS, 2 * DOCUMENTS):  # the second race need not count the lines
                run = home.race(f"--track-path={folder}", "--pipeline=benchmark-only", f"--target-hosts=127.0.0.1:{sandbox.port}",
                                "--quiet", *([f"--client-options={client_options}"] if client_options else []),
                                environment={"PACENOTE_DATA": str(home.path / "data")}.items())
                self.assertEqual(run.returncode, 0, run.stderr)
                sandbox.ask("POST", "/ready/_refresh")
                status, found, _ = sandbox.ask("GET", "/ready/_stats")
                self.assertEqual(status, 200)
                self.assertEqual(found["_all"]["primaries"]["indexing"]["index_total"], count)
                self.assertEqual(found["_all"]["primaries"]["docs"]["count"], DOCUMENTS)
                task = home.race_document()["results"]["op_metrics"][0]
                self.assertEqual(task["error_rate"], 0)
                lines = [json.loads(line) for line in home.export("--what=samples", "--report-format=json").splitlines()]
                self.assertEqual(sum(line["weight"] for line in lines), DOCUMENTS)
            return lines

    def test_plain(self):
        lines = self.check()
        self.assertGreater(min(line["bytes_out"] for line in lines), 700 * 40)

    def test_a_last_line_without_newline(self):
        self.check(last_newline=False)

    def test_tls(self):
        self.check(["--tls"], "use_ssl:true,verify_certs:false")

    def test_compressed(self):
        self.check(client_options="http_compress:true")

    def test_detailed_results(self):
        self.check(**{"detailed-results": True})

    def test_a_corpus_that_is_cut_while_it_is_sent_ends_the_race(self):
        with Home() as home, Sandbox("--fault=path=/_bulk,delay=200ms") as sandbox:
            folder = ready_track(home)
            process = home.start("race", f"--track-path={folder}", "--pipeline=benchmark-only",
                                 f"--target-hosts=127.0.0.1:{sandbox.port}", "--quiet",
                                 environment={"PACENOTE_DATA": str(home.path / "data")}.items())
            wait_for(lambda: sandbox.ask("GET", "/_cat/indices/ready")[0] == 200)
            os.truncate(folder / "docs.json", 1000)
            begin = time.monotonic()
            out, err = process.communicate(timeout=60)
            self.assertLess(time.monotonic() - begin, 20)
            self.assertEqual(process.returncode, 64, out + err)
            self.assertRegex(err, r"docs.json\] (has changed|has \d+ documents, but the track declares)")


if __name__ == "__main__":
    unittest.main()
