"""create-track: a track of a live cluster's indices, which races back to the same documents."""
import bz2
import json
import signal
import unittest

from support.racing import Home, end, wait_for
from support.sandbox_process import Sandbox

NDJSON = {"content-type": "application/x-ndjson"}
ODD = r'{"n" : %d, "price": 1.50, "text":"\u00e9 \"{{x}}\" {%% y %%}", "big":123456789012345678901234567890}'


def fill(sandbox, index, documents, action="index", shards=3):
    """Documents whose bytes no serializer would write again the same way."""
    sandbox.ask("PUT", f"/{index}", json.dumps({
        "settings": {"number_of_shards": shards, "number_of_replicas": 0},
        "mappings": {"_meta": {"made": "{{by hand}}"}, "properties": {"n": {"type": "long"}}}}))
    lines = [ODD % i for i in range(documents)]
    body = "".join('{"%s":{"_index":"%s"}}\n%s\n' % (action, index, line) for line in lines)
    status, said, _ = sandbox.ask("POST", "/_bulk?refresh=true", body, NDJSON)
    assert status == 200 and not said["errors"], said
    return sorted(lines)


class Tracks(unittest.TestCase):
    def create(self, home, sandbox, *flags, track="made", target="--indices=towns,rivers"):
        run = home.run("create-track", f"--track={track}", f"--target-hosts=127.0.0.1:{sandbox.port}", target,
                       f"--output-path={home.path}/tracks", *flags)
        self.assertEqual(run.returncode, 0, run.stderr)
        folder = home.path / "tracks" / track
        self.assertEqual(run.stdout, f"pacenote race --track-path={folder} --pipeline=benchmark-only "
                                     f"--target-hosts=http://127.0.0.1:{sandbox.port}\n")
        return folder

    def race(self, home, sandbox, folder, *flags):
        run = home.race(f"--track-path={folder}", f"--target-hosts=127.0.0.1:{sandbox.port}", "--allow-destructive",
                        "--on-error=abort", *flags)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run

    def lines(self, folder, index):
        plain = (folder / f"{index}-documents.json").read_bytes()
        self.assertEqual(bz2.decompress((folder / f"{index}-documents.json.bz2").read_bytes()), plain)
        return sorted(plain.decode().splitlines())

    def test_documents_settings_and_mappings_come_back(self):
        for product in ("elasticsearch-8", "elasticsearch-7", "opensearch-2"):
            with self.subTest(product), Home() as home, Sandbox(f"--as={product}") as sandbox:
                towns, rivers = fill(sandbox, "towns", 2500), fill(sandbox, "rivers", 7)
                folder = self.create(home, sandbox, "--batch-size=400")
                self.assertEqual((self.lines(folder, "towns"), self.lines(folder, "rivers")), (towns, rivers))
                self.assertEqual(len((folder / "towns-documents-1k.json").read_text().splitlines()), 1000)
                self.race(home, sandbox, folder, "--track-params=number_of_shards:2,bulk_size:100")
                sandbox.ask("POST", "/_refresh")
                self.assertEqual(sandbox.ask("GET", "/towns,rivers/_count")[1]["count"], 2507)
                again = sandbox.ask("GET", "/towns")[1]["towns"]
                self.assertEqual(again["settings"]["index"]["number_of_shards"], "2")
                self.assertEqual(again["mappings"]["_meta"], {"made": "{{by hand}}"})
                self.assertEqual(self.lines(self.create(home, sandbox, track="again"), "towns"), towns)

    def test_test_mode_finds_its_thousand_documents(self):
        with Home() as home, Sandbox() as sandbox:
            fill(sandbox, "towns", 2500)
            folder = self.create(home, sandbox, target="--indices=tow*")
            self.race(home, sandbox, folder, "--test-mode")
            sandbox.ask("POST", "/_refresh")
            self.assertEqual(sandbox.ask("GET", "/towns/_count")[1]["count"], 1000)

    def test_a_data_stream_comes_back_as_one(self):
        with Home() as home, Sandbox() as sandbox:
            sandbox.ask("PUT", "/_index_template/t", json.dumps({
                "index_patterns": ["logs-*"], "data_stream": {}, "template": {"settings": {"number_of_shards": 2}}}))
            sandbox.ask("PUT", "/_data_stream/logs-a")
            body = "".join('{"create":{"_index":"logs-a"}}\n{"@timestamp":%d}\n' % i for i in range(30))
            self.assertEqual(sandbox.ask("POST", "/_bulk?refresh=true", body, NDJSON)[0], 200)
            folder = self.create(home, sandbox, target="--data-streams=logs-a")
            self.race(home, sandbox, folder)
            sandbox.ask("POST", "/_refresh")
            self.assertEqual(sandbox.ask("GET", "/logs-a/_count")[1]["count"], 30)
            self.assertEqual(sandbox.ask("GET", "/_data_stream/logs-a")[1]["data_streams"][0]["template"],
                             "logs-a-template")

    def test_password_and_tls(self):
        with Home() as home, Sandbox("--tls", "--user=rally:*secret*") as sandbox:
            secret = {"authorization": "Basic cmFsbHk6KnNlY3JldCo="}
            sandbox.ask("PUT", "/towns/_doc/1?refresh=true", '{"a":1}', secret)
            run = home.run("create-track", "--track=t", f"--target-hosts=https://127.0.0.1:{sandbox.port}",
                           "--client-options=verify_certs:false,basic_auth_user:'rally',basic_auth_password:'*secret*'",
                           "--indices=towns", f"--output-path={home.path}")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual((home.path / "t" / "towns-documents.json").read_text(), '{"a":1}\n')
            for file in (home.path / "t").rglob("*"):
                self.assertFalse(file.is_file() and b"secret" in file.read_bytes(), file)

    def test_after_a_cut_the_next_start_goes_on(self):
        for by, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)):
            with self.subTest(by), Home() as home, Sandbox("--fault=path=/_search,from=4,delay=300ms") as sandbox:
                towns = fill(sandbox, "towns", 2000)
                arguments = ["create-track", "--track=t", f"--target-hosts=127.0.0.1:{sandbox.port}",
                             "--indices=towns", f"--output-path={home.path}", "--batch-size=100"]
                process = home.start(*arguments)
                half = home.path / "t" / "towns-documents.json.tmp"
                # The second page's bytes come after the first page was noted as whole; a page has 10 kB.
                wait_for(lambda: half.exists() and half.stat().st_size > 15_000)
                _, err = end(process, by)
                self.assertEqual(process.returncode, code, err)
                self.assertFalse((home.path / "t" / "towns-documents.json").exists())
                self.assertFalse((home.path / "t" / "track.json").exists())
                sandbox.ask("POST", "/_sandbox/reset")
                run = home.run(*arguments)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertIn("going on after", run.stderr)
                self.assertEqual(self.lines(home.path / "t", "towns"), towns)
                self.assertFalse(half.exists())
                pages = sandbox.ask("GET", "/_sandbox/requests?path=/_search")[1]["total"]
                self.assertLess(pages, 2000 / 100 + 1)  # what was there was not read again

    def test_mistakes(self):
        with Home() as home, Sandbox() as sandbox:
            fill(sandbox, "towns", 1)
            target = f"--target-hosts=127.0.0.1:{sandbox.port}"
            for arguments, words, code in (
                    ((target, "--track=t", "--indices=nothing"), "there is no index [nothing]", 64),
                    ((target, "--track=t", "--data-streams=nothing"), "there is no data stream [nothing]", 64),
                    ((target, "--track=../t", "--indices=towns"), "no name for a track", 64),
                    ((target, "--track=t"), "--indices is missing", 2),
                    ((target, "--indices=towns"), "--track", 2),
                    ((target, "--track=t", "--indices=a", "--data-streams=b"), "--data-streams", 2)):
                run = home.run("create-track", *arguments)
                self.assertEqual(run.returncode, code, run)
                self.assertIn(words, run.stderr)
            self.create(home, sandbox, target="--indices=towns")
            run = home.run("create-track", target, "--track=made", "--indices=towns", f"--output-path={home.path}/tracks")
            self.assertEqual(run.returncode, 64)
            self.assertIn("holds a track already", run.stderr)


if __name__ == "__main__":
    unittest.main()
