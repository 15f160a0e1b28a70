"""What users get wrong in tracks: cases O3 (templates and parameters) and O4 (corpora) of the user cases."""
import bz2
import json
import pathlib
import re
import resource
import time
import unittest

from support.track_case import Case, Server

SEARCH = {"operation-type": "search", "index": "i", "body": {}}


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Mistakes(Case):
    """Each race is against a server that must never hear of it."""

    def setUp(self):
        super().setUp()
        self.server = Server()
        self.addCleanup(self.server.close)

    def refused(self, folder, *words, flags=()):
        """The console of a race that ends in less than a second, with no request sent."""
        begin, used = time.monotonic(), processor_time()
        run = self.pacenote("race", f"--track-path={folder}", f"--target-hosts={self.server.url}", *flags)
        self.assert_refused(run, *words)
        self.assertLess(processor_time() - used, 1)  # on a machine that does nothing else, all there is
        self.assertLess(time.monotonic() - begin, 5)
        self.assertEqual(self.server.requests, [])
        lines = run.stderr.splitlines()
        self.assertLessEqual(len([line for line in lines if "Race id" not in line]), 10, run.stderr)
        return run.stderr

    def files(self, **texts):
        folder = self.home / "t"
        for name, text in texts.items():
            file = folder / name.replace("__", "/")
            file = file.with_name(file.name + ".json")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return folder


class Templates(Mistakes):
    PARTS = '{"schedule": [{{ rally.collect(parts="%s/*.json") }}]}'

    def test_a_an_undefined_name_in_a_calculation(self):
        for given in ("--track-params=runtime_fields:1", "--track-params=runtime_fields:1,fields:2"):
            folder = self.files(track=self.PARTS % "parts", parts__one="{" + "\n" * 13 +
                                '"operation": "{{ runtime-fields }}"\n}')
            if "fields:2" in given:  # a name that is there does not make nothing of the one that is not
                folder = self.files(parts__two=',{"name": "{{ fields }}", "operation": "refresh"}')
            self.refused(folder, f"{folder}/parts/one.json:14: `runtime` is undefined",
                         "did you mean runtime_fields?", flags=[given])

    def test_b_a_block_that_is_never_closed(self):
        folder = self.files(track='{"challenges": [{{ rally.collect(parts="challenges/*.json") }}]}',
                            challenges__default='{\n  "name": "x",\n  {% if x %}\n  "schedule": []\n}')
        text = self.refused(folder, "template error", f"{folder}/challenges/default.json:")
        self.assertRegex(text, r"default\.json:[345]: ")

    def test_c_a_parameter_that_was_not_given(self):
        folder = self.files(track='{"schedule": [{"operation": {"operation-type": "search",\n'
                                  '"index": {{ index_name | tojson }}, "body": {}}}]}')
        self.refused(folder, f"{folder}/track.json:2: parameter `index_name` is required and was not given")

    def test_d_a_parameter_that_the_track_does_not_know(self):
        folder = self.files(track='{"schedule": [{"operation": {"operation-type": "sleep", "duration": 0},'
                                  ' "clients": {{ bulk_size | default(1) }}}]}')
        self.refused(folder, "`bulk_sze`", "did you mean bulk_size", "it knows bulk_size",
                     flags=["--track-params=bulk_sze:500"])
        run = self.pacenote("race", f"--track-path={folder}", "--track-params=bulk_sze:500",
                            "--ignore-unused-track-params")
        self.assertEqual(run.returncode, 0, run)
        self.assertIn("[WARNING] the track does not use the parameter `bulk_sze`", run.stderr)

    def test_e_a_comma_that_is_missing(self):
        folder = self.files(track='{# c #}{"schedule": [\n  {"operation": "refresh"}\n  {"operation": "refresh"}\n]}')
        text = self.refused(folder, f"{folder}/track.json (rendered):3:3 is not JSON",
                            '     2 |   {"operation": "refresh"}\n     3 |   {"operation": "refresh"}\n'
                            '       |   ^\n     4 | ]}')
        kept = pathlib.Path(re.search(r"the rendered text is in (\S+)", text)[1])
        self.assertIn('"operation": "refresh"', kept.read_text())
        kept.unlink()

    def test_a_name_that_prints_as_nothing_is_told_with_what_it_breaks(self):
        folder = self.files(track='{"schedule": [\n{"operation": "refresh", "clients": {{ clients }} }]}')
        text = self.refused(folder, "is not JSON", f"`clients` is undefined at {folder}/track.json:2")
        pathlib.Path(re.search(r"the rendered text is in ([^;\s]+)", text)[1]).unlink()
        # Within a text it is what public tracks have and Rally renders: said, and gone on with.
        folder = self.files(track='{"description": "{{ x }}", "schedule": [{"operation": "refresh"}]}')
        run = self.pacenote("race", f"--track-path={folder}")
        self.assertEqual(run.returncode, 0, run)
        self.assertIn("`x` is undefined at", run.stderr)

    def test_all_mistakes_of_a_track_are_told_at_once(self):
        folder = self.files(track=json.dumps({
            "indices": [{"name": "i", "body": "gone.json"}, {"body": "no-name.json"}],
            "operations": [{"name": "q", "operation-type": "search"}, {"name": 5, "operation-type": "search"},
                           {"name": "q", "operation-type": "refresh"}],
            "schedule": [{"operation": "q", "clients": 0},
                         {"operation": "q", "target-throughput": 5, "target-interval": 1},
                         {"parallel": {"tasks": [{"operation": "q", "iterations": "x"},
                                                 {"operation": "q", "warmup-iterations": 1, "time-period": 2}]}}]}))
        self.refused(folder, "indices[1]: `name` is missing", "gone.json", "operations[1].name: must be string",
                     "operations[2]: two operations are named [q]", "schedule[0].clients: must be integer",
                     "schedule[1]: `target-throughput` and `target-interval` exclude each other",
                     "schedule[2].parallel.tasks[0].iterations: must be integer",
                     "schedule[2].parallel.tasks[1]: `warmup-iterations` and `time-period` exclude each other")


class Corpora(Mistakes):
    """Declared: 1,000 documents of ten bytes each."""
    LINE, DOCUMENTS = b'{"a":1234}\n', 1000
    GOOD = LINE * DOCUMENTS

    def setUp(self):
        super().setUp()
        self.environment["PACENOTE_DATA"] = str(self.home / "data")

    def folder(self, source="docs.json", corpora=True, **documents):
        track = {"indices": [{"name": "i"}], "schedule": [{"operation": {"operation-type": "bulk", "bulk-size": 100}}]}
        if corpora:
            track["corpora"] = [{"name": "c", "documents": [
                {"source-file": source, "document-count": self.DOCUMENTS, "uncompressed-bytes": len(self.GOOD),
                 **documents}]}]
        return pathlib.Path(self.track(track))

    def refused(self, folder, *words, flags=()):
        """Fails before the first bulk; the questions before it are allowed here, as the case says."""
        run = self.pacenote("race", f"--track-path={folder}", *flags)
        self.assert_refused(run, *words)
        self.assertNotIn("Racing on", run.stderr)
        return run.stderr

    def assert_races(self, folder):
        run = self.pacenote("race", f"--track-path={folder}")
        self.assertEqual(run.returncode, 0, run)
        self.assertRegex(run.stderr, r"Running bulk +\[100% done\]")

    def test_a_a_file_that_was_cut(self):
        folder = self.folder()
        (folder / "docs.json").write_bytes(self.GOOD[:5000])
        self.refused(folder, f"{folder}/docs.json", "declares 11000 uncompressed bytes, the file has 5000")
        (folder / "docs.json").write_bytes(self.GOOD)
        self.assert_races(folder)

    def test_b_a_blank_line_instead_of_a_document(self):
        folder = self.folder()
        longer = self.LINE.replace(b"1234", b"12345678901234")  # so that the size is as declared
        (folder / "docs.json").write_bytes(self.LINE * (self.DOCUMENTS - 2) + longer + b"\n")
        self.refused(folder, f"{folder}/docs.json", "declares 1000 documents, the file has 999 lines and 1 blank")
        (folder / "docs.json").write_bytes(self.GOOD)
        self.assert_races(folder)

    def test_c_an_archive_that_is_damaged_after_half(self):
        packed = bz2.compress(b"".join(b'{"a":%d}\n' % (1000 + i * 7919 % 9000) for i in range(self.DOCUMENTS)))
        folder = self.folder("docs.json.bz2")
        half = len(packed) // 2
        (folder / "docs.json.bz2").write_bytes(packed[:half] + b"\xff" * (len(packed) - half))
        self.refused(folder, f"{folder}/docs.json.bz2", "damaged")
        left = [file.name for file in self.home.rglob("docs.json*") if file.name != "docs.json.bz2"]
        self.assertNotIn("docs.json", left)
        (folder / "docs.json.bz2").write_bytes(packed)
        self.assert_races(folder)

    def test_d_missing_and_e_another_size_are_told_apart(self):
        folder = self.folder()
        missing = self.refused(folder, "docs.json", "missing")
        (folder / "docs.json").write_bytes(self.GOOD + self.LINE)
        differs = self.refused(folder, f"{folder}/docs.json", "size differs: the track declares 11000 uncompressed bytes, the file has 11011")
        self.assertNotIn("missing", differs)
        self.assertNotEqual(missing, differs)
        (folder / "docs.json").write_bytes(self.GOOD)
        self.assert_races(folder)

    def test_f_a_bulk_task_without_corpora(self):
        self.refused(self.folder(corpora=False), "no corpora", "bulk")


if __name__ == "__main__":
    unittest.main()
