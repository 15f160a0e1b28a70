"""Tracks from outside: the verbs that read them, and repositories on this disk."""

import json
import pathlib
import subprocess
import time
import unittest

from support.track_case import Case


class Repositories(Case):
    def setUp(self):
        super().setUp()
        self.origin = self.home / "origin"
        self.git("init", "-q", "-b", "master", str(self.origin), cwd=self.home)
        for branch in ("master", "8", "7.10", "7.9"):
            if branch != "master":
                self.git("checkout", "-q", "-b", branch)
            self.commit(branch)
        self.git("checkout", "-q", "master")

    def git(self, *arguments, cwd=None):
        environment = {**self.environment, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
                       "GIT_COMMITTER_EMAIL": "a@b"}
        return subprocess.run(["git", *arguments], cwd=cwd or self.origin, env=environment, check=True,
                              capture_output=True, text=True).stdout.strip()

    def commit(self, description):
        folder = self.origin / "group" / "t"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "track.json").write_text(json.dumps(
            {"description": description, "schedule": [{"operation": {"operation-type": "refresh"}}]}))
        self.git("add", ".")
        self.git("commit", "-q", "-m", description)
        return self.git("rev-parse", "HEAD")

    def info(self, *arguments):
        return self.pacenote("info", f"--track-repository={self.origin}", "--track=group/t", *arguments)

    def test_the_branch_follows_the_servers_version(self):
        for version, branch in (("", "master"), ("8.15.2", "8"), ("7.17.28", "7.10"), ("7.9.3", "7.9"), ("9.0.0", "master")):
            run = self.info(*([f"--server-version={version}"] if version else []))
            self.assertEqual(run.returncode, 0, run)
            self.assertIn(f"Track [group/t]: {branch}\n", run.stdout)
        self.assert_refused(self.info("--server-version=6.8.0"), "no branch", "[6.8.0]")

    def test_updates_revisions_and_offline(self):
        self.assert_refused(self.info("--offline"), "--offline")
        self.assertEqual(self.info().returncode, 0)
        newer = self.commit("newer")
        self.assertIn("Track [group/t]: master\n", self.info("--offline").stdout)
        self.assertIn("Track [group/t]: newer\n", self.info().stdout)
        self.assertIn("Track [group/t]: newer\n", self.info(f"--track-revision={newer[:9]}").stdout)
        self.assertIn("Track [group/t]: 7.9\n", self.info("--track-revision=7.9").stdout)
        self.assert_refused(self.info("--track-revision=7.99"), "no revision [7.99]")
        self.assert_refused(self.info("--track-revision=--help"), "cannot be [--help]")

    def test_the_commit_stays_with_the_race_and_differs_where_it_does(self):
        for race, description in (("old", None), ("new", "changed")):
            if description:
                self.commit(description)
            run = self.pacenote("race", f"--track-repository={self.origin}", "--track=group/t", "--track-revision=master",
                                f"--race-id={race}")
            self.assertEqual(run.returncode, 0, run)
        commits = [json.loads(self.pacenote("export", race, "--format=rally").stdout)["track-revision"]
                   for race in ("old", "new")]
        self.assertEqual(commits, [self.git("rev-parse", "--short", f"HEAD{back}") for back in ("~1", "")])
        run = self.pacenote("compare", "--baseline=old", "--contender=new")
        self.assertIn(f"the races differ in track revision ({commits[0]}, {commits[1]})", run.stdout)

    def test_a_repository_that_is_gone_is_a_warning_once_it_is_cloned(self):
        self.assertEqual(self.info().returncode, 0)
        self.origin.rename(self.home / "moved")
        self.origin.mkdir()
        run = self.info()
        self.assertEqual(run.returncode, 0, run)
        self.assertIn("[WARNING] the track repository could not be updated", run.stderr)

    def test_unknown_tracks_are_named(self):
        run = self.pacenote("info", f"--track-repository={self.origin}", "--track=group/x")
        self.assert_refused(run, "has no track [group/x]", "group/t")

    def test_what_git_would_run_is_refused(self):
        marker = self.home / "marker"
        for source in (f"ext::touch {marker}", f"--upload-pack=touch {marker}", f"fd::{marker}"):
            run = self.pacenote("info", "--track=t", f"--track-repository={source}")
            self.assert_refused(run, "--track-repository cannot be")
        self.assertFalse(marker.exists())

    def test_a_race_takes_the_branch_of_its_target(self):
        run = self.pacenote("race", f"--track-repository={self.origin}", "--track=group/t", f"--data-dir={self.home / 'd'}")
        self.assertEqual(run.returncode, 0, run)
        self.assertIn("Racing on track [group/t]", run.stderr)


class Verbs(Case):
    PLAIN = {"description": "d", "indices": [{"name": "i"}], "schedule": [
        {"operation": "delete-index"}, {"operation": "create-index"},
        {"parallel": {"completed-by": "s", "tasks": [
            {"name": "s", "operation": {"operation-type": "search", "body": {}}, "clients": 2, "iterations": 50,
             "warmup-iterations": 10, "target-throughput": 20},
            {"operation": "refresh", "time-period": 30}]}}]}

    def test_info_shows_the_schedule_and_what_it_does(self):
        run = self.pacenote("info", f"--track-path={self.track(self.PLAIN)}")
        self.assertEqual(run.returncode, 0, run)
        for part in ("   1. delete-index: 1 client\n", "   3. at the same time, 3 clients\n",
                     "      - s (search): 2 clients, 10 iterations to warm up, 50 iterations, 20 ops/s, ends the element\n",
                     "      - refresh: 1 client, 30 s\n", "Deletes: index i\n", "Creates: i\n",
                     "Estimate: 0 documents, 122 requests and what 1 timed task of 30 s send"):
            self.assertIn(part, run.stdout)

    def test_render_track_prints_the_text(self):
        track = self.track('{"schedule": [{# gone #}{"operation": "{{ op | default("refresh") }}"}]}')
        run = self.pacenote("render-track", f"--track-path={track}", "--track-params=op:search")
        self.assertEqual(run.stdout, '{"schedule": [{"operation": "search"}]}\n', run)

    def test_validate_track_looks_at_all_challenges(self):
        steps = [{"operation": "refresh"}, {"operation": {"operation-type": "own", "param-source": "mine"}}]
        track = self.track({"challenges": [{"name": "a", "default": True, "schedule": steps[:1]},
                                           {"name": "b", "schedule": steps}]})
        (pathlib.Path(track) / "track.py").write_text("raise SystemExit\n")
        run = self.pacenote("validate-track", f"--track-path={track}")
        self.assert_refused(run, "1 of 2 challenges cannot be raced")
        self.assertIn("Challenge [a] runs: 0 documents, 1 request, 0 bytes on disk\n", run.stdout)
        self.assertIn("needs operation type [own], parameter source [mine] of the track's track.py", run.stdout)
        self.assertEqual(self.pacenote("validate-track", f"--track-path={track}", "--challenge=a").returncode, 0)
        race = self.pacenote("race", f"--track-path={track}", "--challenge=b")
        self.assert_refused(race, "[own]", "[mine]")
        self.assertEqual(self.pacenote("race", f"--track-path={track}", "--challenge=a").returncode, 0)

    def test_list_tracks_all_says_how_far_each_gets(self):
        self.track(self.PLAIN, "tracks")
        self.track("{{ 1 / 0 }}", "tracks/broken")
        self.track({"schedule": []}, "tracks/empty")
        run = self.pacenote("list", "tracks", "--all", f"--track-path={self.home / 'tracks'}", "--format=json")
        self.assertEqual(run.returncode, 0, run)
        rows = {row["name"]: row for row in json.loads(run.stdout)["tracks"]}
        self.assertEqual(rows["."]["runs"], "1 of 1 challenges")
        self.assertEqual((rows["broken"]["renders"], rows["empty"]["renders"], rows["empty"]["loads"]),
                         ("no", "yes", "no"))
        self.assertIn("http_logs", rows)


SHARED = pathlib.Path(__file__).resolve().parents[3] / "shared" / "tracks" / "rally-tracks"


@unittest.skipUnless(SHARED.exists(), "../shared/tracks is not there")
class PublicTracks(Case):
    def test_the_largest_track_is_validated_in_a_second(self):
        begin = time.monotonic()
        run = self.pacenote("validate-track", f"--track-path={SHARED / 'elastic' / 'logs'}")
        took = time.monotonic() - begin
        print(f"elastic/logs validated in {took:.2f} s")
        self.assertIn("Track [logs] loads.", run.stdout)
        self.assertLess(took, 5)  # on a machine that does other things as well; alone it is below one

    def test_all_public_tracks_are_listed(self):
        run = self.pacenote("list", "tracks", "--all", f"--track-path={SHARED}", "--format=json")
        rows = json.loads(run.stdout)["tracks"]
        loads = [row for row in rows if row["loads"] == "yes"]
        runs = [row for row in rows if not row["runs"].startswith(("0", "no"))]
        print(f"public tracks: {len(loads)} of {len(rows)} load, {len(runs)} have challenges that run")
        self.assertEqual(len(loads), len(rows), [row for row in rows if row["loads"] != "yes"])


if __name__ == "__main__":
    unittest.main()
