"""Corpora fetched from a server on loopback."""

import bz2
import hashlib
import pathlib
import threading
import unittest
import zipfile

from support.track_case import Case, Server

DOCUMENTS = "".join('{"n": %d, "text": "%s"}\n' % (n, "x" * (n % 300)) for n in range(5000)).encode()


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


if __name__ == "__main__":
    unittest.main()
