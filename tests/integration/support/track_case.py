"""A server on loopback with faults, and a home of its own for each test of tracks."""

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

PACENOTE = os.environ["PACENOTE"]


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
