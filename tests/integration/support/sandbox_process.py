"""Starts `pacenote sandbox` on a free port and ends it again."""
import http.client
import json
import os
import re
import signal
import ssl
import subprocess

PROGRAM = os.environ["PACENOTE"]


class Sandbox:
    """Use as a context; `url` is known once the sandbox says that it listens."""

    def __init__(self, *flags):
        self.process = subprocess.Popen([PROGRAM, "sandbox", "--port=0", *flags], stderr=subprocess.PIPE, text=True)
        self.line = self.process.stderr.readline()
        found = re.search(r"(https?)://127\.0\.0\.1:(\d+)", self.line)
        if not found:
            self.process.wait(10)
            raise AssertionError("no sandbox: " + self.line + self.process.stderr.read())
        self.tls, self.port = found[1] == "https", int(found[2])

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.end()

    def end(self, by=signal.SIGINT):
        """Exit code of the process."""
        if self.process.poll() is None:
            self.process.send_signal(by)
        code = self.process.wait(20)
        self.process.stderr.close()
        return code

    def connection(self, context=None, timeout=20):
        if not self.tls:
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        if context is None:
            context = ssl._create_unverified_context()
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=timeout, context=context)

    def ask(self, method, target, body=None, headers=None, connection=None):
        """Status, parsed JSON (or bytes) and headers of one answer."""
        one = connection or self.connection()
        sent = {"content-type": "application/json"} if body else {}
        sent.update(headers or {})
        one.request(method, target, body, sent)
        answer = one.getresponse()
        data = answer.read()
        if connection is None:
            one.close()
        try:
            return answer.status, json.loads(data), answer.headers
        except ValueError:
            return answer.status, data, answer.headers
