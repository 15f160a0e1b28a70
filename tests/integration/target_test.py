"""How a race reaches its cluster: certificates, credentials, several hosts, and hosts that say nothing."""
import http.server
import json
import socket
import threading
import time
import unittest

from support.racing import Home
from support.sandbox_process import Sandbox

SEARCH = [{"operation": {"operation-type": "search", "name": "q", "index": "a", "body": {}}, "iterations": 20}]


class Recorder(http.server.BaseHTTPRequestHandler):
    """Answers all as Elasticsearch 7.10.2 would a trivial search, and keeps the credentials that came."""
    protocol_version = "HTTP/1.1"
    came = []

    def do_GET(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.came.append(self.headers.get("authorization"))
        body = json.dumps({"version": {"number": "7.10.2", "build_flavor": "oss", "build_hash": "x"}, "cluster_name": "c",
                           "cluster_uuid": "u", "nodes": {}, "took": 1, "timed_out": False,
                           "hits": {"total": {"value": 0, "relation": "eq"}, "hits": []}}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *ignored):
        pass


class Target(unittest.TestCase):
    def race(self, home, hosts, *flags, **options):
        return home.race(f"--track-path={home.track(SEARCH)}", "--pipeline=benchmark-only", f"--target-hosts={hosts}", *flags,
                         **options)

    def test_a_certificate_is_verified(self):
        with Home() as home:
            own, other = home.path / "ca.pem", home.path / "other.pem"
            with Sandbox("--tls", f"--certificate={own}") as sandbox, Sandbox("--tls", f"--certificate={other}"):
                host = f"https://127.0.0.1:{sandbox.port}"
                trusted = self.race(home, host, f"--client-options=verify_certs:true,ca_certs:'{own}'")
                self.assertEqual(trusted.returncode, 1, trusted.stderr)  # there is no index: only errors, but it raced
                self.assertIn("index_not_found_exception", trusted.stderr)
                foreign = self.race(home, host, f"--client-options=verify_certs:true,ca_certs:'{other}'")
                self.assertEqual(foreign.returncode, 64)
                self.assertIn("ca_certs", foreign.stderr)
                gone = self.race(home, host, "--client-options=verify_certs:true,ca_certs:'nowhere.pem'")
                self.assertEqual(gone.returncode, 64)
                self.assertIn("nowhere.pem", gone.stderr)

    def test_an_api_key_goes_with_every_request_and_nowhere_else(self):
        Recorder.came = []
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            with Home() as home:
                run = self.race(home, f"127.0.0.1:{server.server_port}", "--client-options=api_key:'a2V5OnNlY3JldA=='")
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertGreaterEqual(len(Recorder.came), 20)
                self.assertEqual(set(Recorder.came), {"ApiKey a2V5OnNlY3JldA=="})
                for text in (run.stdout, run.stderr, home.export("--report-format=json")):
                    self.assertNotIn("a2V5OnNlY3JldA", text)
                self.assertNotIn(b"a2V5OnNlY3JldA", home.store.read_bytes())
        finally:
            server.shutdown()
            server.server_close()

    def test_several_hosts_take_turns(self):
        with Home() as home, Sandbox("--null") as one, Sandbox("--null") as two:
            run = self.race(home, f"127.0.0.1:{one.port},127.0.0.1:{two.port}")
            self.assertEqual(run.returncode, 0, run.stderr)
            seen = [sandbox.ask("GET", "/_sandbox/requests?path=*/_search")[1]["total"] for sandbox in (one, two)]
            self.assertEqual(seen, [10, 10])

    def test_a_host_that_says_nothing_ends_within_the_time_out(self):
        with Home() as home, socket.create_server(("127.0.0.1", 0)) as silent:
            host = f"127.0.0.1:{silent.getsockname()[1]}"
            for scheme in ("http", "https"):
                begun = time.monotonic()
                run = self.race(home, f"{scheme}://{host}", "--client-options=timeout:2")
                self.assertEqual(run.returncode, 64)
                self.assertIn("within 2.0 s", run.stderr)
                self.assertLess(time.monotonic() - begun, 8)


if __name__ == "__main__":
    unittest.main()
