"""Races that come and go: Rally's files, other stores, single files, tags and notes."""
import csv
import io
import json
import unittest

from support.racing import Home, SHARED

SEARCH = [{"operation": {"operation-type": "search", "body": {"query": {"match_all": {}}}, "index": "_all",
                         "name": "=1+1"}, "name": "=1+1", "iterations": 20}]


class Exchange(unittest.TestCase):
    def race(self, home, name):
        run = home.race(f"--track-path={home.track(SEARCH)}", f"--race-id={name}")
        self.assertEqual(run.returncode, 0, run.stderr)
        return run

    def test_rallys_races_are_compared_with_new_ones(self):
        folder = SHARED / "rally/golden-real/rally-races"
        if not folder.exists():
            self.skipTest(f"no {folder}")
        with Home() as home:
            run = home.run("import", folder)
            self.assertIn("2 races imported, 0 already there", run.stderr)
            self.assertIn("0 races imported, 2 already there", home.run("import", folder).stderr)
            compared = home.run("compare", "--baseline=gold-rally-a", "--contender=gold-rally-b")
            self.assertEqual(compared.returncode, 0, compared.stderr)
            golden = (folder.parent / "rally-compare-file.md").read_text()
            rows = [line for line in golden.splitlines() if "percentile" in line or "Throughput" in line]
            self.assertGreater(len(rows), 20)
            cells = [[cell.strip() for cell in line.split("|")] for line in compared.stdout.splitlines()]
            for row in rows:
                self.assertIn([cell.strip() for cell in row.split("|")], cells)
            exported = json.loads(home.export("gold-rally-a", "--format=rally"))
            self.assertEqual(exported, json.loads((folder / "gold-rally-a/race.json").read_text()))
            self.race(home, "new")
            self.assertEqual(home.run("compare", "--baseline=gold-rally-a", "--contender=new").returncode, 0)

    def test_one_race_is_one_file_and_stores_are_merged(self):
        with Home() as home, Home() as other:
            first = self.race(home, "one")
            file = home.path / "one.pacenote"
            self.assertEqual(home.run("export", "one", "--format=store", f"--output={file}").returncode, 0)
            self.assertEqual([path.name for path in home.path.glob("one.pacenote*")], ["one.pacenote"])
            self.assertLess(file.stat().st_size, 400_000)
            self.assertNotEqual(home.run("export", "one", "--format=store", f"--output={file}").returncode, 0)
            self.race(other, "two")
            run = other.run("import", file)
            self.assertIn("1 race imported", run.stderr)
            self.assertEqual(other.run("report", "one").stdout, first.stdout)
            self.assertEqual(other.export("one", "--what=samples", "--format=csv"),
                             home.export("one", "--what=samples", "--format=csv"))
            races = json.loads(other.run("list", "races", "--format=json").stdout)["races"]
            self.assertEqual({race["race-id"] for race in races}, {"one", "two"})
            broken = home.path / "broken.json"
            broken.write_text("{")
            self.assertIn("broken.json", other.run("import", broken).stderr)

    def test_tags_and_notes_stay_with_the_race(self):
        with Home() as home:
            self.race(home, "one")
            self.assertEqual(home.run("tag", "one", "version:8.1,kind:base").returncode, 0)
            self.assertEqual(home.run("tag", "one", "--remove=kind").returncode, 0)
            self.assertEqual(home.run("annotate", "one", "disk <b>full</b>").returncode, 0)
            race = json.loads(home.run("list", "races", "--user-tags=version:8.1", "--format=json").stdout)["races"][0]
            self.assertEqual(race["user-tags"], {"version": 8.1})
            self.assertIn("disk <b>full</b>", race["pacenote"]["annotations"][0])
            self.assertIn("has no tag [kind]", home.run("tag", "one", "--remove=kind").stderr)

    def test_a_race_is_deleted_by_its_whole_id_only(self):
        with Home() as home:
            self.race(home, "one")
            self.race(home, "two")
            self.assertIn("did you mean one?", home.run("delete", "race", "--id=on").stderr)
            self.assertEqual(home.run("delete", "race", "--id=one", "--dry-run").returncode, 0)
            self.assertEqual(home.run("report", "one").returncode, 0)
            self.assertEqual(home.run("delete", "race", "--id=one").returncode, 0)
            self.assertNotEqual(home.run("report", "one").returncode, 0)
            self.assertEqual(home.run("report", "two").returncode, 0)

    def test_a_spreadsheet_runs_nothing(self):
        with Home() as home:
            self.race(home, "one")
            for what in ("race", "samples", "figures"):
                safe = home.export("one", f"--what={what}", "--format=csv")
                cells = [cell for row in csv.reader(io.StringIO(safe)) for cell in row]
                self.assertIn("'=1+1", cells, what)
                self.assertNotIn("=1+1", cells, what)
                raw = home.export("one", f"--what={what}", "--format=csv", "--raw")
                self.assertIn("=1+1", [cell for row in csv.reader(io.StringIO(raw)) for cell in row], what)

    def test_metric_documents_have_every_sample(self):
        with Home() as home:
            self.race(home, "one")
            documents = [json.loads(line) for line in home.export("one", "--what=metrics", "--format=rally").splitlines()]
            service_times = [d for d in documents if d["name"] == "service_time"]
            self.assertEqual(len(service_times), 20)
            self.assertEqual(service_times[0]["meta"]["success"], True)
            self.assertGreater(len({d["name"] for d in documents}), 10)  # telemetry, too


if __name__ == "__main__":
    unittest.main()
