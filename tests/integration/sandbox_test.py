"""The sandbox as a process: sockets, TLS, credentials, faults."""
import base64
import gzip
import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import unittest

from support.sandbox_process import PROGRAM, Sandbox


def bulk(count, index="logs"):
    return "".join('{"index":{"_index":"%s"}}\n{"n":%d}\n' % (index, i) for i in range(count))


NDJSON = {"content-type": "application/x-ndjson"}


class Requests(unittest.TestCase):
    def test_documents_are_counted(self):
        with Sandbox() as sandbox:
            self.assertIn("sandbox elasticsearch-8 at http://127.0.0.1:", sandbox.line)
            connection = sandbox.connection()
            for _ in range(3):
                status, said, headers = sandbox.ask("POST", "/_bulk?refresh=true", bulk(100), NDJSON, connection)
                self.assertEqual((status, said["errors"], len(said["items"])), (200, False, 100))
            self.assertEqual(headers["X-Pacenote-Sandbox"], "1")
            self.assertEqual(headers["X-elastic-product"], "Elasticsearch")
            self.assertEqual(sandbox.ask("GET", "/logs/_count", connection=connection)[1]["count"], 300)
            connection.close()
            self.assertEqual(sandbox.ask("GET", "/_sandbox/requests?path=/_bulk")[1]["total"], 3)
            self.assertEqual(sandbox.ask("POST", "/_sandbox/reset")[0], 200)
            self.assertEqual(sandbox.ask("GET", "/_sandbox/requests")[1]["total"], 0)

    def test_head_gzip_chunks_and_continue(self):
        with Sandbox() as sandbox:
            connection = sandbox.connection()
            self.assertEqual(sandbox.ask("HEAD", "/", connection=connection)[0], 200)
            packed = dict(NDJSON, **{"content-encoding": "gzip"})
            self.assertEqual(
                sandbox.ask("POST", "/_bulk", gzip.compress(bulk(50).encode()), packed, connection)[0], 200)
            connection.request("POST", "/_bulk?refresh", iter([b'{"index":{"_index":"logs"}}\n{"n"', b":1}\n"]),
                               NDJSON, encode_chunked=True)
            self.assertEqual(connection.getresponse().read()[:8], b'{"took":')
            status, data, headers = sandbox.ask("GET", "/logs/_count", None, {"accept-encoding": "gzip"}, connection)
            self.assertEqual(headers["content-encoding"], "gzip")
            self.assertEqual(json.loads(gzip.decompress(data))["count"], 51)
            connection.close()
            with socket.create_connection(("127.0.0.1", sandbox.port), 20) as raw:
                raw.sendall(b"PUT /x HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 2\r\n"
                            b"expect: 100-continue\r\nconnection: close\r\n\r\n")
                self.assertTrue(raw.recv(100).startswith(b"HTTP/1.1 100 "))
                raw.sendall(b"{}")
                self.assertIn(b"acknowledged", b"".join(iter(lambda: raw.recv(1000), b"")))

    def test_too_long_a_body_and_no_http(self):
        with Sandbox() as sandbox:
            with socket.create_connection(("127.0.0.1", sandbox.port), 20) as raw:
                raw.sendall(b"POST /_bulk HTTP/1.1\r\ncontent-length: 209715200\r\n\r\n")
                self.assertTrue(raw.recv(100).startswith(b"HTTP/1.1 413 "))
            with socket.create_connection(("127.0.0.1", sandbox.port), 20) as raw:
                raw.sendall(b"\x16\x03\x01\x02\x00")
                self.assertEqual(raw.recv(100), b"")

    def test_health_times_out(self):
        with Sandbox("--nodes=1") as sandbox:
            sandbox.ask("PUT", "/logs")
            begin = time.monotonic()
            status, said, _ = sandbox.ask("GET", "/_cluster/health?wait_for_status=green&timeout=300ms")
            self.assertEqual((status, said["timed_out"], said["status"]), (408, True, "yellow"))
            self.assertGreaterEqual(time.monotonic() - begin, 0.3)

    def test_null_answers_at_once(self):
        with Sandbox("--null", "--items=full", "--bulk-items=7", "--threads=2") as sandbox:
            connection = sandbox.connection()
            for _ in range(5):
                status, said, _ = sandbox.ask("POST", "/_bulk", bulk(100_000), NDJSON, connection)
                self.assertEqual((status, len(said["items"])), (200, 7))
            self.assertEqual(sandbox.ask("GET", "/x/_search", connection=connection)[1]["hits"]["hits"], [])
            self.assertEqual(sandbox.ask("GET", "/_cluster/health", connection=connection)[1]["status"], "green")
            connection.close()
            self.assertEqual(sandbox.ask("GET", "/_sandbox/requests?path=*/_bulk")[1]["total"], 5)


class Doors(unittest.TestCase):
    def test_tls_with_the_certificate_it_wrote(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "ca.pem")
            with Sandbox("--tls", "--certificate=" + file) as sandbox:
                context = ssl.create_default_context(cafile=file)
                self.assertEqual(sandbox.ask("GET", "/", connection=sandbox.connection(context))[0], 200)
                with self.assertRaises(ssl.SSLError):
                    sandbox.ask("GET", "/", connection=sandbox.connection(ssl.create_default_context()))
                with self.assertRaises((http.client.HTTPException, OSError)):
                    plain = http.client.HTTPConnection("127.0.0.1", sandbox.port, timeout=20)
                    plain.request("GET", "/")
                    plain.getresponse()

    def test_basic_authentication(self):
        with Sandbox("--user=rally:se:cret", "--as=elasticsearch-8") as sandbox:
            status, said, headers = sandbox.ask("GET", "/")
            self.assertEqual((status, said["error"]["type"]), (401, "security_exception"))
            self.assertTrue(headers["WWW-Authenticate"].startswith("Basic"))
            right = {"authorization": "Basic " + base64.b64encode(b"rally:se:cret").decode()}
            self.assertEqual(sandbox.ask("GET", "/", None, right)[0], 200)

    def test_ends_by_signal_with_zero(self):
        for name in (signal.SIGINT, signal.SIGTERM):
            sandbox = Sandbox()
            connection = sandbox.connection()
            sandbox.ask("GET", "/", connection=connection)
            self.assertEqual(sandbox.end(name), 0)
            connection.close()

    def test_mistakes_are_told(self):
        with Sandbox() as sandbox:
            for flags, word in (([f"--port={sandbox.port}"], str(sandbox.port)), (["--port=0", "--fault=staus=1"], "status"),
                                (["--port=0", "--user=me"], "NAME:PASSWORD")):
                done = subprocess.run([PROGRAM, "sandbox", *flags], capture_output=True, text=True, timeout=20)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(word, done.stderr)


class Faults(unittest.TestCase):
    def test_statuses_items_and_delays(self):
        with Sandbox("--fault=path=/_bulk,every=2,status=429", "--fault=path=/_bulk,nth=3,items-failed=4",
                     "--fault=path=*/_search,delay=150ms") as sandbox:
            said = [sandbox.ask("POST", "/_bulk?refresh", bulk(10), NDJSON) for _ in range(3)]
            self.assertEqual([one[0] for one in said], [200, 429, 200])
            self.assertEqual(said[1][1]["error"]["type"], "es_rejected_execution_exception")
            self.assertEqual([item["index"]["status"] for item in said[2][1]["items"]], [400] * 4 + [201] * 6)
            self.assertEqual(sandbox.ask("GET", "/logs/_count")[1]["count"], 16)
            begin = time.monotonic()
            self.assertEqual(sandbox.ask("GET", "/logs/_search")[0], 200)
            self.assertGreaterEqual(time.monotonic() - begin, 0.15)

    def test_broken_connections(self):
        with Sandbox("--fault=nth=1,reset", "--fault=nth=2,not-http", "--fault=nth=3,truncate",
                     "--fault=nth=4,hang") as sandbox:
            with self.assertRaises(ConnectionResetError):
                sandbox.ask("GET", "/")
            with self.assertRaises(http.client.BadStatusLine):
                sandbox.ask("GET", "/")
            with self.assertRaises(http.client.IncompleteRead):
                sandbox.ask("GET", "/")
            with self.assertRaises(TimeoutError):
                sandbox.ask("GET", "/", connection=sandbox.connection(timeout=0.3))
            self.assertEqual(sandbox.ask("GET", "/")[0], 200)

    def test_held_until_the_window_ends(self):
        with Sandbox("--fault=after=0s,for=400ms,hold") as sandbox:
            begin = time.monotonic()
            self.assertEqual(sandbox.ask("GET", "/")[0], 200)
            self.assertGreaterEqual(time.monotonic() - begin, 0.39)
            begin = time.monotonic()
            self.assertEqual(sandbox.ask("GET", "/")[0], 200)
            self.assertLess(time.monotonic() - begin, 0.3)

    def test_faults_can_be_changed_while_it_runs(self):
        with Sandbox() as sandbox:
            self.assertEqual(sandbox.ask("PUT", "/_sandbox/faults", '["path=/,status=503"]')[0], 200)
            self.assertEqual(sandbox.ask("GET", "/")[0], 503)
            self.assertEqual(sandbox.ask("PUT", "/_sandbox/faults", '["colour=red"]')[0], 400)
            self.assertEqual(sandbox.ask("PUT", "/_sandbox/faults", "[]")[0], 200)
            self.assertEqual(sandbox.ask("GET", "/")[0], 200)


if __name__ == "__main__":
    unittest.main()
