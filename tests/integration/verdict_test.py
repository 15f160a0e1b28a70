"""Gates and comparisons of groups, on races against the sandbox."""
import csv
import io
import json
import unittest
import xml.etree.ElementTree as ElementTree

from support.racing import Home
from support.sandbox_process import Sandbox

SEARCH = [{"operation": {"operation-type": "search", "body": {"query": {"match_all": {}}}, "index": "_all",
                          "name": "q"},
           "name": "q", "iterations": 40, "warmup-iterations": 2}]


class Verdicts(unittest.TestCase):
    def races(self, home, ids, tag, *more):
        track = home.track(SEARCH)
        for race in ids:
            run = home.race(f"--track-path={track}", f"--race-id={race}", f"--user-tags=side:{tag},version:8.1", *more)
            self.assertEqual(run.returncode, 0, run.stderr)

    def test_gates_decide_the_exit_code_of_a_race(self):
        with Home() as home, Sandbox("--fault=path=*/_search,status=500,every=4") as sandbox:
            track = home.track(SEARCH)
            run = home.race(f"--track-path={track}", f"--target-hosts=127.0.0.1:{sandbox.port}",
                            "--pipeline=benchmark-only", "--fail-on=error_rate>0", "--fail-on=q: p50 service_time>60s",
                            "--fail-on=young gc time>60s", "--junit-file=out/junit.xml")
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn("gate error_rate>0 failed: task q: ", run.stderr)
            self.assertIn("gate q: p50 service_time>60s passed", run.stderr)
            self.assertIn("gate young gc time>60s passed", run.stderr)
            self.assertIn("error rate", run.stdout)
            suite = ElementTree.parse(home.path / "out/junit.xml").getroot()[0]
            self.assertEqual((suite.get("tests"), suite.get("failures")), ("4", "1"))

    def test_a_wrong_gate_is_found_before_the_race(self):
        with Home() as home:
            track = home.track(SEARCH)
            for gate, words in (("eror_rate>0", "nearest: error_rate, "), ("young gc tme>5s", "nearest: young gc time, "),
                                ("q: store size>1GB", "whole cluster"), ("x: error_rate>0", "no task of the challenge"),
                                ("throughput drop>5%", "compare")):
                run = home.race(f"--track-path={track}", f"--fail-on={gate}")
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertIn(words, run.stderr)
            self.assertIn("No race", home.run("list", "races").stdout)

    def exported_as_compared(self, home):
        groups = ("--baseline=tag:side=slow", "--contender=tag:side=fast")
        for form in ("markdown", "json", "csv"):
            shown, exported = (home.run(verb, *groups, f"--report-format={form}") for verb in ("compare", "export"))
            self.assertEqual((exported.stdout, exported.returncode), (shown.stdout, 0), exported.stderr)
        sheet = home.run("export", *groups, "--format=csv")
        lines = sheet.stderr.splitlines()
        self.assertTrue(lines[0].startswith("Comparing tag:side=slow: 4 races"), sheet.stderr)
        self.assertEqual(len(lines), len(set(lines)), sheet.stderr)
        warned = [line for line in lines if line.startswith("[WARNING] ")]
        self.assertIn("target-hosts", warned[0])
        self.assertFalse(any("[WARNING] [" in line for line in lines), sheet.stderr)
        two = home.run("compare", "--baseline=slow0", "--contender=fast0", "--report-format=csv").stderr
        self.assertEqual(two.count("[WARNING] the races differ in"), 1, two)
        for wrong in (("--what=samples",), ("--format=store", "--output=x"), ("--format=rally",), ("slow0",)):
            run = home.run("export", *groups, *wrong)
            self.assertEqual((run.returncode, run.stdout), (2, ""), wrong)
        self.assertEqual(home.run("export", "slow0", "--step").returncode, 2)

    def assert_same_numbers(self, sheet, rows):
        """A csv for programs has each number of the JSON with all its digits."""
        lines = list(csv.DictReader(io.StringIO(sheet)))
        self.assertEqual(len(lines), len(rows))
        numbers = [(line[name], value) for line, row in zip(lines, rows) for name, value in row.items()
                   if isinstance(value, float)]
        self.assertEqual([float(text) for text, _ in numbers], [value for _, value in numbers])
        self.assertTrue(any(len(text) > 12 for text, _ in numbers), sheet)

    def test_groups_by_tag_by_last_and_by_id_have_verdicts(self):
        with Home() as home, Sandbox("--fault=path=*/_search,delay=20ms") as slow, Sandbox() as fast:
            for tag, sandbox in (("slow", slow), ("fast", fast)):
                self.races(home, [f"{tag}{i}" for i in range(4)], tag, "--pipeline=benchmark-only",
                           f"--target-hosts=127.0.0.1:{sandbox.port}")
            for baseline, contender in (("tag:side=slow", "tag:side=fast"), ("last:5-8", "last:4"),
                                        ("slow0,slow1,slow2,slow3", "fast0,fast1,fast2,fast3")):
                run = home.run("compare", f"--baseline={baseline}", f"--contender={contender}",
                               "--report-format=json", "--fail-on=error_rate>0")
                self.assertEqual(run.returncode, 0, run.stderr)
                rows = {row["Metric"]: row for row in json.loads(run.stdout)["rows"]}
                self.assertEqual(rows["throughput"]["Verdict"], "better")
                self.assertEqual(rows["p50 latency"]["Verdict"], "better")
                self.assertEqual(rows["p50 service_time"]["Verdict"], "(exploratory)")
                self.assertIn("target-hosts", " ".join(json.loads(run.stdout)["warnings"]))
                sheet = home.run("compare", f"--baseline={baseline}", f"--contender={contender}", "--report-format=csv")
                self.assert_same_numbers(sheet.stdout, json.loads(run.stdout)["rows"])
            run = home.run("compare", "--baseline=tag:side=fast", "--contender=tag:side=slow",
                           "--fail-on=throughput drop>5% significant", "--junit-file=j.xml")
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn("worse", run.stdout)
            several = home.run("compare", "--baseline=slow0,slow1", "--contender=slow2,slow3", "--contender=last:4",
                               "--step", "--report-format=json")
            names = {row["Groups"] for row in json.loads(several.stdout)["rows"]}
            self.assertEqual(names, {"slow0,slow1 : slow2,slow3", "slow0,slow1 : last:4", "slow2,slow3 : last:4"})
            newest = home.run("compare", "--baseline=slow0", "--contender=tag:version=8.1", "--last=4")
            self.assertIn("tag:version=8.1: 4 races", newest.stdout)
            two = home.run("compare", "--baseline=slow0", "--contender=fast0")
            self.assertIn("no verdict: one race against one", two.stdout)
            for flag in ("--step", "--last=2", "--primary=throughput"):
                run = home.run("compare", "--baseline=slow0", "--contender=fast0", flag)
                self.assertEqual((run.returncode, run.stdout), (2, ""), flag)
                self.assertIn("add --groups", run.stderr)
            run = home.run("compare", "--baseline=slow0", "--contender=fast0", "--fail-on=serch: throughput<1")
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn("no task of the races fits [serch]", run.stderr)
            self.exported_as_compared(home)
            for wrong in ("tag:side=none", "last:99", "tag:side", "last:x"):
                run = home.run("compare", f"--baseline={wrong}", "--contender=slow0")
                self.assertNotEqual(run.returncode, 0)
                self.assertEqual(run.stdout, "")


if __name__ == "__main__":
    unittest.main()
