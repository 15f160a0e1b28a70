"""Users' cases about what a report says, point by point: O1, O2, O8, O9, O12."""
import csv
import io
import json
import re
import time
import unittest

from support.racing import Home
from support.sandbox_process import Sandbox

SEARCH = {"operation-type": "search", "name": "q", "index": "a", "body": {}}


def rows_of(markdown):
    """Value by (metric, task) of the first table: Rally's figures."""
    rows = {}
    for line in markdown.split("\n\n")[0].splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows[cells[0], cells[1]] = cells[2]
    return rows


class Case(unittest.TestCase):
    def race(self, home, sandbox, schedule, *flags, documents=0, code=0):
        track = home.track(schedule, documents=documents)
        run = home.race(f"--track-path={track}", f"--target-hosts=127.0.0.1:{sandbox.port}", "--pipeline=benchmark-only",
                        *flags)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def task(self, home, race=None):
        return home.race_document(race)["results"]["op_metrics"][0]


class SomeDocumentsFail(Case):
    def test_o1_some_documents_fail(self):
        schedule = [{"operation": {"operation-type": "bulk", "name": "idx", "bulk-size": 100}, "clients": 2}]
        with Home() as home, Sandbox("--fault=path=/_bulk,items-failed=10,items-status=400") as sandbox:
            run = self.race(home, sandbox, schedule, documents=4000, code=1)
            self.assertEqual(sandbox.ask("GET", "/_sandbox/requests?path=/_bulk")[1]["total"], 40)  # 1
            task, rows = self.task(home), rows_of(run.stdout)
            self.assertEqual(task["pacenote"]["attempts"], 40)
            self.assertEqual(task["error_rate"], 1.0)  # 2
            self.assertEqual((task["pacenote"]["items-ok"], task["pacenote"]["items-failed"]), (3600, 400))  # 3
            self.assertEqual(float(rows["document error rate", "idx"]), 10)
            self.assertEqual((rows["accepted documents", "idx"], rows["failed documents", "idx"]), ("3600", "400"))
            self.assertAlmostEqual(task["pacenote"]["accepted-throughput"] / task["pacenote"]["overall-throughput"], 0.9,
                                   places=12)  # 4
            self.assertAlmostEqual(float(rows["accepted throughput", "idx"]) / float(rows["attempted throughput", "idx"]), 0.9,
                                   places=3)
            said = [line for line in run.stderr.splitlines() if "400" in line]  # 5
            self.assertLessEqual(len(said), 2, said)  # the first, and the count
            self.assertRegex(said[-1], r"idx: 40 times \(400 documents\) bulk 400: HTTP status: 400, message: illegal_argument_exception: injected")
            aborted = self.race(home, sandbox, schedule, "--on-error=abort", documents=4000, code=64)  # 6
            self.assertRegex(aborted.stderr, r"Cannot race.*idx.*400.*injected")


class EverythingFails(Case):
    SCHEDULE = [{"operation": SEARCH, "iterations": 200}]

    def test_o2_everything_fails(self):
        with Home() as home, Sandbox("--fault=path=*/_search,status=500") as sandbox:
            sandbox.ask("PUT", "/a")
            run = self.race(home, sandbox, self.SCHEDULE, code=1)  # 5
            self.assertEqual(sandbox.ask("GET", "/_sandbox/requests?path=*/_search")[1]["total"], 200)  # 1
            rows = rows_of(run.stdout)
            self.assertEqual(float(rows["error rate", "q"]), 100)  # 3
            for name in ("Min", "Mean", "Median", "Max"):
                self.assertIn(rows.get((f"{name} Throughput", "q"), "0"), ("", "0"))
            last = run.stderr.strip().splitlines()[-1]  # 4
            self.assertIn("1 task had only errors", last)
            self.assertNotIn("SUCCESS", last)
            self.assertIn("its times include those of failed requests", run.stdout)  # 6
            self.assertNotRegex(run.stdout, "successful service_time")
            self.assertLessEqual(len([line for line in run.stderr.splitlines() if "500" in line]), 2)  # 2: the first, the count

    def test_the_first_error_is_there_while_the_race_runs(self):
        with Home() as home, Sandbox("--fault=path=*/_search,status=500,delay=100ms") as sandbox:
            sandbox.ask("PUT", "/a")
            racer = home.start("race", f"--track-path={home.track([{'operation': SEARCH, 'iterations': 100}])}",
                               f"--target-hosts=127.0.0.1:{sandbox.port}", "--pipeline=benchmark-only")
            for line in racer.stderr:
                if "500" in line:
                    break
            sent = sandbox.ask("GET", "/_sandbox/requests?path=*/_search")[1]["total"]
            self.assertLess(sent, 20)  # 100 ms each: within 2 s
            self.assertIsNone(racer.poll())
            out, err = racer.communicate(timeout=60)
            self.assertEqual(racer.returncode, 1, err)

    def test_some_errors_are_no_failure_unless_a_gate_says_so(self):
        with Home() as home, Sandbox("--fault=path=*/_search,status=500,every=2") as sandbox:
            sandbox.ask("PUT", "/a")
            run = self.race(home, sandbox, self.SCHEDULE)
            self.assertRegex(run.stdout, r"p50 successful service_time")
            self.race(home, sandbox, self.SCHEDULE, "--fail-on=error_rate>0", code=1)


class RateNotReached(Case):  # O8, five times as fast
    SCHEDULE = [{"operation": SEARCH, "target-throughput": 50, "iterations": 100}]

    def test_the_rate_is_named_in_console_report_and_store(self):
        with Home() as home, Sandbox("--fault=path=*/_search,delay=40ms") as sandbox:
            sandbox.ask("PUT", "/a")
            run = self.race(home, sandbox, self.SCHEDULE, "--fail-on=rate_reached<95%", code=1)
            rows = rows_of(run.stdout)
            latency = {name: float(rows[f"{name} percentile latency", "q"]) for name in ("50th", "90th", "99th", "100th")}
            service = self.task(home)["service_time"]["mean"]
            self.assertLess(service, 60, "a machine of its own would need 41")
            for name, waited in (("50th", 49.5), ("90th", 89.1), ("99th", 98.01), ("100th", 99)):  # requests before it
                self.assertAlmostEqual(latency[name], waited * (service - 20) + service, delta=0.1 * latency[name])
            words = (r"task q: (\d\d\.\d) of 50 ops/s reached; latency is dominated by waiting; highest rate for 1 client about "
                     r"(\d\d) ops/s")
            self.assertAlmostEqual(float(re.search(words, run.stdout)[1]), 1000 / service, delta=1)
            self.assertAlmostEqual(float(re.search(words, run.stdout)[2]), 1000 / service, delta=1)
            for text in (run.stderr, run.stdout, home.run("report").stdout, json.dumps(home.race_document()["pacenote"])):
                self.assertRegex(text, words)
            self.assertEqual(home.run("report").stdout, run.stdout)

    def test_within_two_percent_nothing_is_said(self):
        with Home() as home, Sandbox("--null") as sandbox:
            run = self.race(home, sandbox, [{"operation": SEARCH, "target-throughput": 100, "iterations": 300}],
                            "--fail-on=rate_reached<95%")
            self.assertGreater(self.task(home)["pacenote"]["rate-reached"], 0.98)
            self.assertNotIn("reached", run.stderr.replace("rate_reached", ""))


class FewSamples(Case):  # O9
    SHOWN = {1: [100], 9: [50, 100], 10: [50, 90, 100], 99: [50, 90, 100], 100: [50, 90, 99, 100], 999: [50, 90, 99, 100],
             1000: [50, 90, 99, 99.9, 100], 10000: [50, 90, 99, 99.9, 99.99, 100]}

    def test_percentiles_by_the_number_of_samples(self):
        schedule = [{"operation": SEARCH, "name": f"n{n}", "iterations": n} for n in self.SHOWN]
        with Home() as home, Sandbox("--null") as sandbox:
            run = self.race(home, sandbox, schedule, "--race-id=one")
            rows = rows_of(run.stdout)
            sheet = list(csv.reader(io.StringIO(home.export("one", "--format=csv"))))
            tasks = {task["task"]: task for task in home.race_document("one")["results"]["op_metrics"]}
            for n, percentiles in self.SHOWN.items():
                for times in ("latency", "service time"):
                    names = [f"{p}th percentile {times}" for p in percentiles]
                    self.assertEqual([m for m, t in rows if t == f"n{n}" and m.endswith("percentile " + times)], names)
                    self.assertEqual([row[0] for row in sheet if row[1] == f"n{n}" and row[0].endswith("percentile " + times)],
                                     names)
                keys = [key for key in tasks[f"n{n}"]["latency"] if key not in ("mean", "unit")]
                self.assertEqual(keys, [f"{float(p)}".replace(".", "_") for p in percentiles])
                self.assertGreater(float(rows["Median Throughput", f"n{n}"]), 0)  # most end within a second
            self.assertNotRegex(run.stdout + json.dumps(tasks), r"(?i)\bnan\b")
            self.assertTrue(all(row[2] != "" for row in sheet))
            self.race(home, sandbox, schedule[:1] + [{"operation": SEARCH, "name": "n10", "iterations": 1000}], "--race-id=two")
            compared = home.run("compare", "--baseline=two", "--contender=one", "--report-format=csv").stdout
            row = next(row for row in csv.reader(io.StringIO(compared)) if row[:2] == ["99.9th percentile latency", "n10"])
            self.assertEqual(row[3:5], ["n/a", "n/a"])

    def test_a_task_that_ends_in_its_warm_up(self):
        schedule = [{"operation": {"operation-type": "bulk", "name": "idx", "bulk-size": 100}, "warmup-time-period": 60}]
        with Home() as home, Sandbox("--fault=path=/_bulk,delay=250ms") as sandbox:
            run = self.race(home, sandbox, schedule, documents=500)
            self.assertRegex(run.stdout, r"task idx: no measurement samples: ended after 1(\.\d+)? s of a 60 s warm-up")
            self.assertNotIn(("Median Throughput", "idx"), rows_of(run.stdout))


class Compared(Case):
    def test_o12_two_races_that_differ(self):
        with Home() as home, Sandbox() as good, Sandbox("--fault=path=*/_search,status=500,every=2") as bad:
            for race, sandbox, own, clients in (("a", good, "only_a", 1), ("b", bad, "only_b", 2)):
                sandbox.ask("PUT", "/a")
                schedule = [{"operation": {"operation-type": "bulk", "name": "idx", "bulk-size": 100}},
                            {"operation": SEARCH, "iterations": 40, "clients": clients},
                            {"operation": {**SEARCH, "index": "_all"}, "name": own, "iterations": 40}]
                self.race(home, sandbox, schedule, f"--race-id={race}", documents=400)
            file = home.path / "out.md"
            run = home.run("compare", "--baseline=a", "--contender=b", f"--report-file={file}")
            self.assertEqual(run.returncode, 0, run.stderr)
            rows = {}
            lines = [line for line in run.stdout.splitlines() if line.startswith("|")]
            self.assertEqual(len({line.count("|") for line in lines}), 1, "as many columns in each row")
            for line in lines[2:]:
                cells = [cell.strip() for cell in line.strip("|").split("|")]
                rows[cells[0], cells[1]] = cells[2:]
            self.assertLessEqual({"idx", "q", "only_a", "only_b"}, {task for _, task in rows})
            self.assertEqual(rows["Mean Throughput", "only_a"][1], "—")
            self.assertEqual(rows["Mean Throughput", "only_b"][0], "—")
            baseline, contender, diff, unit, percent = rows["error rate", "q"]
            self.assertEqual((float(baseline), float(contender), float(diff), percent), (0, 50, 50, "n/a"))
            self.assertRegex(run.stdout, r"task q: worse: error rate up from 0 % to 50(\.0+)? %")
            self.assertNotIn("task idx: worse", run.stdout)
            differ = [line for line in run.stdout.splitlines() if "the races differ in" in line]
            self.assertEqual(len(differ), 1)
            self.assertIn("clients of task q (1, 2)", differ[0])
            self.assertIn(differ[0], run.stderr)  # before any figure, too
            self.assertNotIn("\x1b", file.read_text())
            self.assertEqual(file.read_text(), run.stdout)


if __name__ == "__main__":
    unittest.main()
