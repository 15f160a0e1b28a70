"""Tracks from outside: verbs, downloads from a server on loopback, repositories on this disk."""

import bz2
import hashlib
import http.server
import json
import os
import pathlib
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import zipfile

PACENOTE = os.environ["PACENOTE"]
DOCUMENTS = "".join('{"n": %d, "text": "%s"}\n' % (n, "x" * (n % 300)) for n in range(5000)).encode()


class Server:
    """Serves what `files` holds, with the faults that a test asks for; remembers each request."""

    def __init__(self):
        self.files, self.requests = {}, []
        self.cut_after = []  # of each answer in turn: so many bytes, then the connection goes
        self.statuses = []  # answered first, before anything is served
        self.redirect = {}
        self.ranges = True
        self.slow = 0
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                owner.answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, request):
        self.requests.append((request.path, dict(request.headers)))
        if request.path in self.redirect:
            request.send_response(302)
            request.send_header("Location", self.redirect[request.path])
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        status = self.statuses.pop(0) if self.statuses else 200
        body = self.files.get(request.path.lstrip("/"))
        if body is None:
            status = 404
        if status != 200:
            request.send_response(status)
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        etag = '"%s"' % hashlib.md5(body).hexdigest()
        begin = 0
        asked = request.headers.get("Range")
        if asked and self.ranges and request.headers.get("If-Range") == etag:
            begin = int(asked.removeprefix("bytes=").split("-")[0])
        request.send_response(206 if begin else 200)
        if begin:
            request.send_header("Content-Range", f"bytes {begin}-{len(body) - 1}/{len(body)}")
        request.send_header("ETag", etag)
        request.send_header("Content-Length", str(len(body) - begin))
        request.end_headers()
        time.sleep(self.slow)
        rest = body[begin:]
        if self.cut_after:
            request.wfile.write(rest[: self.cut_after.pop(0)])
            request.wfile.flush()
            request.connection.shutdown(socket.SHUT_RDWR)
        else:
            request.wfile.write(rest)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "no_proxy": "127.0.0.1"}

    def pacenote(self, *arguments):
        return subprocess.run([PACENOTE, *arguments], env=self.environment, cwd=self.home, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120, check=False)

    def track(self, track, name="t"):
        folder = self.home / name
        folder.mkdir(exist_ok=True)
        (folder / "track.json").write_text(track if isinstance(track, str) else json.dumps(track))
        return str(folder)

    def assert_refused(self, run, *words):
        self.assertEqual(run.returncode, 64, run)
        for word in words:
            self.assertIn(word, run.stderr)


class Downloads(Case):
    def setUp(self):
        super().setUp()
        self.server = Server()
        self.addCleanup(self.server.close)
        self.packed = bz2.compress(DOCUMENTS)
        self.server.files["docs.json.bz2"] = self.packed

    def corpus(self, **more):
        documents = {"source-file": "docs.json.bz2", "document-count": 5000, "compressed-bytes": len(self.packed),
                     "uncompressed-bytes": len(DOCUMENTS), **more}
        return self.track({"indices": [{"name": "i"}],
                           "corpora": [{"name": "c", "base-url": self.server.url, "documents": [documents]},
                                       {"name": "unused", "base-url": self.server.url, "documents": [
                                           {"source-file": "no.json", "document-count": 1, "target-index": "i"}]}],
                           "schedule": [{"operation": {"operation-type": "bulk", "bulk-size": 1000, "corpora": "c"}}]})

    def race(self, track, *arguments):
        return self.pacenote("race", f"--track-path={track}", f"--data-dir={self.home / 'data'}", *arguments)

    def assert_raced(self, run):
        self.assertEqual(run.returncode, 0, run)
        self.assertEqual((self.home / "data/c/docs.json").read_bytes(), DOCUMENTS)
        self.assertEqual([f.name for f in (self.home / "data/c").iterdir() if ".tmp" in f.name], [])

    def test_an_archive_is_fetched_once_and_unpacked(self):
        track = self.corpus(meta={"sha256": hashlib.sha256(self.packed).hexdigest()})
        self.assert_raced(self.race(track))
        self.assert_raced(self.race(track))
        self.assertEqual([path for path, _ in self.server.requests], ["/docs.json.bz2"])  # and nothing of `unused`

    def test_a_cut_is_continued(self):
        self.server.cut_after = [1000, 2000]
        self.assert_raced(self.race(self.corpus()))
        self.assertEqual([headers.get("Range") for _, headers in self.server.requests],
                         [None, "bytes=1000-", "bytes=3000-"])

    def test_another_process_continues_what_one_left(self):
        self.server.cut_after = [1000]
        self.server.statuses = [200, 403]
        self.assert_refused(self.race(self.corpus()), "HTTP status 403", "/docs.json.bz2")
        self.assert_raced(self.race(self.corpus()))
        self.assertEqual(self.server.requests[-1][1].get("Range"), "bytes=1000-")

    def test_a_file_that_changed_meanwhile_is_fetched_from_its_start(self):
        self.server.cut_after = [1000]
        self.server.statuses = [200, 403]
        self.race(self.corpus())
        old = self.packed
        self.packed = bz2.compress(DOCUMENTS, 1)
        self.assertNotEqual(old, self.packed)
        self.server.files["docs.json.bz2"] = self.packed
        self.assert_raced(self.race(self.corpus()))

    def test_a_server_that_cannot_continue_sends_all_again(self):
        self.server.cut_after, self.server.ranges = [1000], False
        self.assert_raced(self.race(self.corpus()))

    def test_a_busy_server_is_asked_again(self):
        self.server.statuses = [503, 429]
        self.assert_raced(self.race(self.corpus()))
        self.assertEqual(len(self.server.requests), 3)

    def test_what_does_not_fit_is_refused(self):
        short = {"compressed-bytes": len(self.packed) - 1}
        self.assert_refused(self.race(self.corpus(**short)), "more than the", "bytes that the track declares")
        long = {"compressed-bytes": len(self.packed) + 1}
        self.assert_refused(self.race(self.corpus(**long)), "size differs")
        other = {"meta": {"sha256": "0" * 64}}
        self.assert_refused(self.race(self.corpus(**other)), "its SHA-256 is")
        bomb = {"uncompressed-bytes": len(DOCUMENTS) - 1}
        self.assert_refused(self.race(self.corpus(**bomb)), "holds more than the")
        huge = {"uncompressed-bytes": 1 << 60}
        self.assert_refused(self.race(self.corpus(**huge)), "needs 11529215")
        self.assertFalse((self.home / "data/c/docs.json").exists())

    def test_what_is_not_there_is_said(self):
        del self.server.files["docs.json.bz2"]
        self.assert_refused(self.race(self.corpus()), "HTTP status 404")
        self.assert_refused(self.race(self.corpus(), "--test-mode"), "no documents for --test-mode")
        self.assertEqual(self.server.requests[-1][0], "/docs-1k.json.bz2")
        asked = len(self.server.requests)
        self.assert_refused(self.race(self.corpus(), "--offline"), "--offline", self.server.url)
        self.assertEqual(len(self.server.requests), asked)

    def test_credentials_stay_with_their_host(self):
        other = Server()
        self.addCleanup(other.close)
        other.files["moved.bz2"] = self.packed
        self.server.redirect["/docs.json.bz2"] = other.url.replace("127.0.0.1", "localhost") + "/moved.bz2"
        self.environment["no_proxy"] = "127.0.0.1,localhost"
        track = pathlib.Path(self.corpus()) / "track.json"
        track.write_text(track.read_text().replace("http://", "http://me:secret@"))
        run = self.race(track.parent)
        self.assert_raced(run)
        self.assertIn("Authorization", self.server.requests[0][1])
        self.assertNotIn("Authorization", other.requests[0][1])
        self.assertNotIn("secret", run.stderr)

    def test_a_redirect_to_a_file_of_this_machine_is_not_followed(self):
        self.server.redirect["/docs.json.bz2"] = f"file://{self.home}/t/track.json"
        self.assert_refused(self.race(self.corpus()), "cannot be fetched")

    def test_a_proxy_is_used(self):
        self.environment["no_proxy"] = ""
        self.environment["http_proxy"] = self.server.url
        self.server.files["http://nowhere.invalid/docs.json.bz2"] = self.packed
        track = pathlib.Path(self.corpus()) / "track.json"
        track.write_text(track.read_text().replace(self.server.url, "http://nowhere.invalid"))
        self.assert_raced(self.race(track.parent))

    def test_one_process_fetches_and_another_waits(self):
        self.server.slow = 1
        track, runs = self.corpus(), []
        threads = [threading.Thread(target=lambda n=n: runs.append(self.race(track, f"--store={self.home / n}")))
                   for n in ("one.db", "two.db")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for run in runs:
            self.assert_raced(run)
        self.assertEqual(len(self.server.requests), 1)

    def test_zip_and_plain_files(self):
        with zipfile.ZipFile(self.home / "z.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("docs.json", DOCUMENTS)
        self.server.files["docs.json.zip"] = (self.home / "z.zip").read_bytes()
        self.server.files["plain.json"] = DOCUMENTS
        size = {"compressed-bytes": len(self.server.files["docs.json.zip"])}
        self.assert_raced(self.race(self.corpus(**{"source-file": "docs.json.zip", **size})))
        run = self.race(self.corpus(**{"source-file": "plain.json"}))
        self.assertEqual(run.returncode, 0, run)

    def test_other_schemes_and_folders_are_refused(self):
        track = pathlib.Path(self.corpus()) / "track.json"
        text = track.read_text()
        track.write_text(text.replace(self.server.url, f"file://{self.home}"))
        self.assert_refused(self.race(track.parent), "only http and https")
        track.write_text(text.replace('"c"', '"../../etc"'))
        self.assert_refused(self.race(track.parent), "lies outside")


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
