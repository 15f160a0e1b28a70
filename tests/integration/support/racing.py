"""Runs `pacenote race` (and its other verbs) in a home of its own."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time

PROGRAM = os.environ["PACENOTE"]
ROOT = pathlib.Path(__file__).resolve().parents[3]
SHARED = ROOT.parent / "shared"
IN_CI = os.environ.get("CI") == "true"
E1_TASKS = ["delete-index", "create-index", "check-cluster-health", "index-append", "refresh-after-index",
            "force-merge", "refresh-after-force-merge", "wait-until-merges-finish"]


class Home:
    """A fresh home folder: store, data, tracks. Use as a context."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.store = self.path / "races.db"
        return self

    def __exit__(self, *ignored):
        self.folder.cleanup()

    def environment(self, extra=()):
        # Corpora of the bundled track are made once and shared: they are the same bytes everywhere.
        data = pathlib.Path(tempfile.gettempdir()) / f"pacenote-test-data-{os.getuid()}"
        data.mkdir(exist_ok=True)
        return {"PATH": os.environ["PATH"], "HOME": str(self.path), "PACENOTE_DATA": str(data),
                "PACENOTE_STORE": str(self.store), **dict(extra)}

    def start(self, *arguments, environment=(), **options):
        return subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.path, env=self.environment(environment),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                **options)

    def run(self, *arguments, timeout=300, environment=()):
        process = self.start(*arguments, environment=environment)
        out, err = process.communicate(timeout=timeout)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def race(self, *arguments, **options):
        return self.run("race", *arguments, **options)

    def export(self, *arguments):
        run = self.run("export", *arguments)
        assert run.returncode == 0, run.stderr
        return run.stdout

    def race_document(self, race=None):
        return json.loads(self.export(*([race] if race else []), "--report-format=json"))

    def track(self, schedule, documents=0, name="small", **more):
        """Writes a plain JSON track with a one-line-documents corpus; returns its folder."""
        folder = self.path / name
        folder.mkdir(exist_ok=True)
        track = {"version": 2, "description": "a test's own", "schedule": schedule, **more}
        if documents:
            lines = "".join('{"n":%d}\n' % i for i in range(documents))
            (folder / "docs.json").write_text(lines)
            track["indices"] = [{"name": "small"}]
            track["corpora"] = [{"name": "small", "documents": [
                {"source-file": "docs.json", "document-count": documents, "uncompressed-bytes": len(lines)}]}]
        (folder / "track.json").write_text(json.dumps(track))
        return folder


def wait_for(what, seconds=10.0):
    """Polls until `what()` is true; fails after `seconds`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return
        time.sleep(0.02)
    raise AssertionError("waited in vain")


def end(process, by=signal.SIGINT):
    process.send_signal(by)
    return process.communicate(timeout=30)
