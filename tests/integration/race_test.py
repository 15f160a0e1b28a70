"""A race from end to end on the sandbox (issue 3), driven from outside."""
import csv
import io
import json
import re
import signal
import subprocess
import time
import unittest

from support.racing import E1_TASKS, Home, end, wait_for
from support.sandbox_process import Sandbox

SMALL = '{"documents":20000,"bulk_size":1000,"bulk_indexing_clients":4}'
E1_ROWS = [
    *[f"{prefix} {name} time {suffix}" for name in ("indexing",) for prefix, suffix in
      (("Cumulative", "of primary shards"), ("Min cumulative", "across primary shards"),
       ("Median cumulative", "across primary shards"), ("Max cumulative", "across primary shards"))],
    "Max cumulative indexing throttle time across primary shards", "Cumulative merge count of primary shards",
    "Max cumulative merge throttle time across primary shards", "Cumulative refresh count of primary shards",
    "Cumulative flush count of primary shards",
    "Total Young Gen GC time", "Total Young Gen GC count", "Total Old Gen GC time", "Total Old Gen GC count",
    "Store size", "Translog size", "Heap used for segments", "Heap used for doc values", "Heap used for terms",
    "Heap used for norms", "Heap used for points", "Heap used for stored fields", "Segment count",
    "Total Ingest Pipeline count", "Total Ingest Pipeline time", "Total Ingest Pipeline failed",
    "Min Throughput", "Mean Throughput", "Median Throughput", "Max Throughput",
    "50th percentile latency", "90th percentile latency", "100th percentile latency",
    "50th percentile service time", "90th percentile service time", "100th percentile service time", "error rate"]


class Race(unittest.TestCase):
    def race_e1(self, home, *more, **options):
        run = home.race("--track=http_logs", "--challenge=append-no-conflicts-index-only",
                        f"--track-params={SMALL}", *more, **options)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run

    def test_the_bundled_track_ends_in_the_table(self):
        with Home() as home:
            run = self.race_e1(home, "--user-tags=intention:first")
            rows = re.findall(r"^\| +(.+?) \|", run.stdout, re.MULTILINE)
            places = [rows.index(row) for row in E1_ROWS]
            self.assertEqual(places, sorted(places))
            tasks = re.findall(r"^Running ([a-z-]+) +\[100% done\]", run.stderr, re.MULTILINE)
            self.assertEqual(tasks, E1_TASKS)
            self.assertIn("sandbox", run.stdout)  # its times say nothing about Elasticsearch
            self.assertNotIn("\x1b", run.stdout + run.stderr)

    def test_a_report_made_again_is_the_same_bytes(self):
        with Home() as home:
            run = self.race_e1(home, "--report-file=out/report.md")
            again = home.run("report")
            self.assertEqual(again.stdout, run.stdout)
            self.assertEqual((home.path / "out/report.md").read_text(), run.stdout)
            for form in ("markdown", "csv", "json"):
                self.assertEqual(home.run("report", f"--report-format={form}").returncode, 0)
            rows = list(csv.reader(io.StringIO(home.run("report", "--report-format=csv").stdout)))
            self.assertEqual(rows[0], ["Metric", "Task", "Value", "Unit"])
            self.assertEqual({len(row) for row in rows}, {4})

    def test_counts_agree_with_the_cluster(self):
        with Home() as home, Sandbox() as sandbox:
            self.race_e1(home, f"--target-hosts={sandbox.port and '127.0.0.1:%d' % sandbox.port}",
                         "--pipeline=benchmark-only")
            self.assertEqual(sandbox.ask("GET", "/pacenote-http-logs/_count")[1]["count"], 20000)
            task = next(t for t in home.race_document()["results"]["op_metrics"] if t["task"] == "index-append")
            self.assertEqual(task["error_rate"], 0)
            self.assertEqual(task["pacenote"]["items-ok"], 20000)
            requests = sandbox.ask("GET", "/_sandbox/requests?path=/_bulk")[1]["total"]
            self.assertEqual(requests, task["pacenote"]["samples"])

    def test_assertions_are_checked_where_they_are_asked_for(self):
        track = {"version": 2, "description": "d", "schedule": [{"operation": {
            "name": "q", "operation-type": "search", "index": "_all", "detailed-results": True, "body": {},
            "assertions": [{"property": "hits", "condition": ">", "value": 5}]}, "iterations": 3}]}
        with Home() as home:
            (home.path / "track.json").write_text(json.dumps(track))
            quiet = home.race(f"--track-path={home.path}/track.json")
            self.assertEqual(quiet.returncode, 0, quiet.stderr)
            run = home.race(f"--track-path={home.path}/track.json", "--enable-assertions")
            self.assertEqual(run.returncode, 64, run.stderr)
            self.assertIn("task [q]: request failed: assertion: [hits] is 0, the track asserts > 5", run.stderr)
            self.assertIn("error rate", run.stdout)

    def test_two_races_are_listed_and_compared(self):
        with Home() as home:
            self.race_e1(home, "--race-id=base")
            self.race_e1(home, "--race-id=next")
            listed = json.loads(home.run("list", "races", "--format=json").stdout)["races"]
            self.assertEqual([race["race-id"] for race in listed], ["next", "base"])
            compared = home.run("compare", "--baseline=base", "--contender=next")
            self.assertEqual(compared.returncode, 0, compared.stderr)
            self.assertIn("| Baseline | Contender |", re.sub(" +", " ", compared.stdout))
            sheet, rows, _ = (home.export("--baseline=base", "--contender=next", f"--report-format={form}")
                              for form in ("csv", "json", "markdown"))
            for line, row in zip(csv.DictReader(io.StringIO(sheet)), json.loads(rows)["rows"], strict=True):
                for name in ("Baseline", "Contender", "Diff", "Diff %"):  # all digits, no rounded "+1.23%"
                    if row[name] is not None:
                        self.assertEqual(float(line[name]), row[name], row)

    def test_two_races_on_one_store_at_once(self):
        with Home() as home:
            racers = [home.start("race", "--track=http_logs", "--challenge=append-no-conflicts-index-only",
                                 f"--track-params={SMALL}", f"--race-id=r{i}") for i in range(2)]
            for racer in racers:
                out, err = racer.communicate(timeout=120)
                self.assertEqual(racer.returncode, 0, err)
            self.assertEqual(len(json.loads(home.run("list", "races", "--format=json").stdout)["races"]), 2)

    def test_the_literal_command_of_e1(self):
        with Home() as home, Sandbox("--as=elasticsearch-8", "--tls", "--user=rally:*") as sandbox:
            run = home.race(
                '--user-tags={"benchmark_id": "1.1-http_logs-w20p1r1"}', "--track=http_logs", "--kill-running-processes",
                f"--target-hosts=https://127.0.0.1:{sandbox.port}", "--pipeline=benchmark-only",
                "--client-options=verify_certs:false,basic_auth_user:'rally',basic_auth_password:'*'",
                '--track-params={"bulk_indexing_clients":20,"number_of_shards":1,"number_of_replicas":1}',
                "--challenge=append-no-conflicts-index-only", "--allow-destructive", timeout=600)
            self.assertEqual(run.returncode, 0, run.stderr)
            context_free = sandbox.ask("GET", "/pacenote-http-logs/_count",
                                       headers={"authorization": "Basic cmFsbHk6Kg=="})
            self.assertEqual(context_free[1]["count"], 1000000)
            self.assertNotIn(b"basic_auth_password", home.store.read_bytes())

    def test_tasks_can_be_chosen_and_test_mode_is_short(self):
        with Home() as home:
            run = self.race_e1(home, "--exclude-tasks=type:force-merge,refresh-after-index", "--test-mode")
            tasks = re.findall(r"^Running ([a-z-]+) ", run.stderr, re.MULTILINE)
            self.assertNotIn("force-merge", tasks)
            self.assertNotIn("refresh-after-index", tasks)
            self.assertIn("index-append", tasks)


class Trouble(unittest.TestCase):
    def test_ctrl_c_keeps_what_was_measured(self):
        schedule = [{"operation": {"operation-type": "search", "name": "one", "index": "a", "body": {}}, "iterations": 5},
                    {"operation": {"operation-type": "search", "name": "two", "index": "a", "body": {}},
                     "clients": 4, "iterations": 1000000},
                    {"operation": {"operation-type": "search", "name": "three", "index": "a", "body": {}}}]
        for by, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with Home() as home, Sandbox("--fault=path=*/_search,nth=200,hang") as sandbox:
                sandbox.ask("PUT", "/a")
                racer = home.start("race", f"--track-path={home.track(schedule)}", "--race-id=cut",
                                   f"--target-hosts=127.0.0.1:{sandbox.port}", "--pipeline=benchmark-only")
                wait_for(lambda: sandbox.ask("GET", "/_sandbox/requests?path=*/_search")[1]["total"] > 300)
                begun = time.monotonic()
                out, err = end(racer, by)
                self.assertLess(time.monotonic() - begun, 5)
                self.assertEqual(racer.returncode, code, err)
                self.assertRegex(out, r"two.*incomplete")
                self.assertRegex(out, r"three.*not run")
                listed = json.loads(home.run("list", "races", "--format=json").stdout)["races"][0]
                self.assertEqual(listed["pacenote"]["state"], "interrupted")
                self.assertEqual(home.run("report", "cut").stdout, out)

    def test_killed_outright_the_store_still_has_what_was_measured(self):
        schedule = [{"operation": {"operation-type": "search", "name": "one", "index": "a", "body": {}}, "iterations": 50,
                     "target-throughput": 100},
                    {"operation": {"operation-type": "search", "name": "two", "index": "a", "body": {}}, "clients": 2,
                     "target-throughput": 100, "warmup-time-period": 1, "time-period": 60}]
        with Home() as home, Sandbox() as sandbox:
            sandbox.ask("PUT", "/a")
            racer = home.start("race", f"--track-path={home.track(schedule)}", "--race-id=killed",
                               f"--target-hosts=127.0.0.1:{sandbox.port}", "--pipeline=benchmark-only")
            wait_for(lambda: sandbox.ask("GET", "/_sandbox/requests?path=*/_search")[1]["total"] > 350)
            end(racer, signal.SIGKILL)
            document = home.race_document("killed")
            one, two = (next(t for t in document["results"]["op_metrics"] if t["task"] == name) for name in ("one", "two"))
            self.assertEqual(one["pacenote"]["samples"], 50)
            self.assertGreater(two["pacenote"]["samples"], 100)  # but for the last half second's
            self.assertGreater(two["pacenote"]["warmup-samples"], 90)
            self.assertAlmostEqual(two["throughput"]["median"], 100, delta=10)
            self.assertIn("50_0", two["latency"])
            report = home.run("report", "killed").stdout
            self.assertIn("task two: incomplete", report)
            self.assertNotIn("no counted work", report)

    def test_killed_in_its_first_task_a_race_has_tasks(self):
        schedule = [{"operation": {"operation-type": "search", "name": "q", "index": "a", "body": {}},
                     "target-throughput": 100, "time-period": 60}]
        with Home() as home, Sandbox() as sandbox:
            sandbox.ask("PUT", "/a")
            racer = home.start("race", f"--track-path={home.track(schedule)}", "--race-id=killed",
                               f"--target-hosts=127.0.0.1:{sandbox.port}", "--pipeline=benchmark-only")
            wait_for(lambda: sandbox.ask("GET", "/_sandbox/requests?path=*/_search")[1]["total"] > 150)
            end(racer, signal.SIGKILL)
            self.assertIn("task q: incomplete", home.run("report", "killed").stdout)

    def test_telemetry_that_fails_does_not_disturb_the_race(self):  # case O11
        schedule = [{"operation": {"operation-type": "search", "name": "q", "index": "a", "body": {}},
                     "target-throughput": 50, "time-period": 4}]
        for fault in ("path=/_nodes/stats*,status=503", "path=/_nodes/stats*,status=403", "path=/_nodes/stats*,delay=8s"):
            with Home() as home, Sandbox(f"--fault={fault}") as sandbox:
                sandbox.ask("PUT", "/a")
                run = home.race(f"--track-path={home.track(schedule)}", "--telemetry=node-stats",
                                f"--target-hosts=127.0.0.1:{sandbox.port}", "--pipeline=benchmark-only")
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertIn("node-stats", run.stderr)
                task = home.race_document()["results"]["op_metrics"][0]
                self.assertAlmostEqual(task["pacenote"]["samples"], 200, delta=4)

    def test_a_health_wait_says_what_it_waits_for(self):  # case O14
        schedule = [{"operation": {"operation-type": "create-index", "index": "a",
                                   "body": {"settings": {"number_of_replicas": 3}}}},
                    {"operation": {"operation-type": "cluster-health", "name": "check-cluster-health", "index": "a",
                                   "request-params": {"wait_for_status": "green", "timeout": "1s"}, "request-timeout": 7,
                                   "retry-until-success": True, "retry-timeout": 7}}]
        with Home() as home, Sandbox() as sandbox:
            run = home.race(f"--track-path={home.track(schedule)}", f"--target-hosts=127.0.0.1:{sandbox.port}",
                            "--pipeline=benchmark-only")
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertRegex(run.stderr, r"green.*is yellow")


class Guard(unittest.TestCase):
    def race(self, home, sandbox, *more, environment=()):
        return home.race("--track=http_logs", "--challenge=append-no-conflicts-index-only", f"--track-params={SMALL}",
                         f"--target-hosts=127.0.0.1:{sandbox.port}", "--pipeline=benchmark-only", *more,
                         environment=environment)

    def test_an_index_of_others_is_not_deleted_unasked(self):
        with Home() as home, Sandbox() as sandbox:
            sandbox.ask("POST", "/_bulk?refresh=true", '{"index":{"_index":"pacenote-http-logs"}}\n{"a":1}\n',
                        {"content-type": "application/x-ndjson"})
            run = self.race(home, sandbox)
            self.assertEqual(run.returncode, 64)
            self.assertRegex(run.stderr, r"pacenote-http-logs.*1 document")
            self.assertIn("--allow-destructive", run.stderr)
            self.assertEqual(sandbox.ask("GET", "/pacenote-http-logs/_count")[1]["count"], 1)
            allowed = self.race(home, sandbox, environment={"PACENOTE_ALLOW_DESTRUCTIVE": "1"})
            self.assertEqual(allowed.returncode, 0, allowed.stderr)
            self.assertEqual(self.race(home, sandbox).returncode, 0)  # the index is ours now

    def test_a_wildcard_always_asks(self):
        schedule = [{"operation": {"operation-type": "delete-index", "index": "logs-*", "only-if-exists": False}}]
        with Home() as home, Sandbox() as sandbox:
            run = home.race(f"--track-path={home.track(schedule)}", f"--target-hosts=127.0.0.1:{sandbox.port}",
                            "--pipeline=benchmark-only")
            self.assertEqual(run.returncode, 64)
            self.assertIn("logs-*", run.stderr)


class Mistakes(unittest.TestCase):
    def refused(self, home, words, *arguments, code=64, within=35):
        begun = time.monotonic()
        run = home.race(*arguments)
        self.assertLess(time.monotonic() - begun, within)
        self.assertEqual(run.returncode, code, run.stderr)
        lines = [line for line in run.stderr.splitlines() if not line.startswith("[INFO]")]
        self.assertLessEqual(len(lines), 3, run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        self.assertEqual(run.stdout, "")

    def test_tracks_and_parameters(self):
        with Home() as home:
            self.refused(home, ["http_lgs", "http_logs"], "--track=http_lgs")
            self.refused(home, ["append-no-conflict", "append-no-conflicts"], "--track=http_logs",
                         "--challenge=append-no-conflict")
            self.refused(home, ["bulk_sze", "bulk_size"], "--track=http_logs", "--track-params=bulk_sze:500")
            self.refused(home, ["index-apend"], "--track=http_logs", "--include-tasks=index-apend")
            self.refused(home, ["nowhere"], f"--track-path={home.path}/nowhere")
            broken = home.track([])
            (broken / "track.json").write_text('{"version": 2 "schedule": []}')
            run = home.race(f"--track-path={broken}")
            self.assertEqual(run.returncode, 64)
            self.assertIn("track.json", run.stderr)
            self.refused(home, ["nope"], "--track=http_logs", "--telemetry=nope")
            self.refused(home, ["tsv"], "--track=http_logs", "--report-format=tsv")

    def test_targets(self):
        schedule = [{"operation": {"operation-type": "search", "name": "q", "index": "a", "body": {}}}]
        with Home() as home, Sandbox() as plain, Sandbox("--tls") as tls, Sandbox("--user=a:b") as locked:
            track = f"--track-path={home.track(schedule)}"
            at = "--target-hosts={}".format
            self.refused(home, ["127.0.0.1:1"], track, at("127.0.0.1:1"))
            self.refused(home, ["no-such-host.invalid"], track, at("no-such-host.invalid:9200"))
            self.refused(home, ["use_ssl"], track, at(f"127.0.0.1:{tls.port}"))
            self.refused(home, ["TLS"], track, at(f"https://127.0.0.1:{plain.port}"))
            self.refused(home, ["verify_certs"], track, at(f"https://127.0.0.1:{tls.port}"))
            self.refused(home, ["basic_auth_user"], track, at(f"127.0.0.1:{locked.port}"))
            server = subprocess.Popen(["python3", "-c", NOT_HTTP], stdout=subprocess.PIPE, text=True)
            try:
                self.refused(home, ["HTTP"], track, at(f"127.0.0.1:{server.stdout.readline().strip()}"))
            finally:
                server.kill()
                server.communicate()


NOT_HTTP = """
import socket
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    peer, _ = listener.accept()
    peer.recv(1000)
    peer.sendall(b"SSH-2.0-OpenSSH_9.2\\r\\n")
    peer.close()
"""
