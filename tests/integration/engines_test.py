"""Races on real engines: Elasticsearch 7.10.2, OpenSearch 2.19.6 on one node and on two (issue 3)."""
import bz2
import contextlib
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request

from support.racing import E1_TASKS, IN_CI, SHARED, Home

ENGINE = SHARED / "engine" / "engine"
CORPUS = SHARED / "corpora" / "cities" / "documents.json.bz2"
PORT = 9270


def missing():
    parts = [str(part) for part in (ENGINE, CORPUS) if not part.exists()]
    return parts + [tool for tool in ("java", "javac", "mvn", "curl") if shutil.which(tool) is None]


@contextlib.contextmanager
def engine(name, nodes=1):
    """A fresh cluster on loopback; gives the hosts as --target-hosts wants them."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ENGINE, "start", "--dir", folder, "--engine", name, "--nodes", str(nodes), "--port", str(PORT)],
                       check=True, timeout=600, stdout=subprocess.DEVNULL)
        try:
            yield ",".join(f"127.0.0.1:{PORT + i}" for i in range(nodes))
        finally:
            subprocess.run([ENGINE, "stop", "--dir", folder], check=True, timeout=120)


def ask(target, body=None):
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}{target}", data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


def cities_track(folder):
    """A small track of the test's own over the real corpus, with ids that are the documents' own."""
    folder.mkdir()
    lines = [line for line in bz2.decompress(CORPUS.read_bytes()).splitlines(keepends=True) if line.strip()]
    with open(folder / "cities.json", "wb") as out:
        for line in lines:
            action = {"index": {"_index": "cities", "_id": str(json.loads(line)["geonameid"])}}
            out.write(json.dumps(action).encode() + b"\n" + line)
    (folder / "index.json").write_text(json.dumps({
        "settings": {"number_of_shards": 2, "number_of_replicas": 0},
        "mappings": {"dynamic": False, "properties": {
            "name": {"type": "text"}, "country_code": {"type": "keyword"}, "population": {"type": "long"},
            "location": {"type": "geo_point"}}}}))
    searches = {
        "term": {"query": {"term": {"country_code": "DE"}}},
        "match": {"query": {"match": {"name": "San Francisco"}}},
        "range": {"query": {"range": {"population": {"gte": 1000000}}}, "sort": [{"population": "desc"}]},
        "distance": {"query": {"geo_distance": {"distance": "50km", "location": [13.4, 52.5]}}}}
    schedule = ["delete-index", "create-index",
                {"operation": {"operation-type": "bulk", "name": "index", "bulk-size": 5000}, "clients": 2},
                {"operation": {"operation-type": "force-merge", "max-num-segments": 1}}, "refresh"]
    schedule = [{"operation": task} if isinstance(task, str) else task for task in schedule]
    schedule += [{"operation": {"operation-type": "search", "name": name, "index": "cities", "body": body},
                  "warmup-iterations": 10, "iterations": 50, "clients": 2, "target-throughput": 50}
                 for name, body in searches.items()]
    (folder / "track.json").write_text(json.dumps({
        "version": 2, "description": "towns of the world", "indices": [{"name": "cities", "body": "index.json"}],
        "corpora": [{"name": "cities", "documents": [
            {"source-file": "cities.json", "document-count": len(lines), "includes-action-and-meta-data": True}]}],
        "schedule": schedule}))
    return lines


@unittest.skipIf(missing() and not (IN_CI and SHARED.exists()), "SKIPPED, missing: " + ", ".join(missing()))
class Engines(unittest.TestCase):
    def e1(self, home, hosts, parameters):
        documents = 50000
        run = home.race("--track=http_logs", "--challenge=append-no-conflicts-index-only", f"--target-hosts={hosts}",
                        "--pipeline=benchmark-only", "--telemetry=node-stats",
                        "--track-params=" + json.dumps({"documents": documents, **parameters}), timeout=600)
        self.assertEqual(run.returncode, 0, run.stderr)
        for task in E1_TASKS:
            self.assertRegex(run.stderr, rf"Running {task} +\[100% done\]")
        self.assertEqual(ask("/pacenote-http-logs/_count")["count"], documents)
        results = home.race_document()["results"]
        append = next(task for task in results["op_metrics"] if task["task"] == "index-append")
        self.assertEqual((append["pacenote"]["items-ok"], append["error_rate"]), (documents, 0))
        stats = ask("/_stats")["_all"]["primaries"]
        self.assertEqual(results["segment_count"], stats["segments"]["count"])
        self.assertEqual(results["merge_count"], stats["merges"]["total"])
        return run

    def cities(self, home, hosts):
        lines = cities_track(home.path / "cities")
        run = home.race(f"--track-path={home.path}/cities", f"--target-hosts={hosts}", "--pipeline=benchmark-only",
                        timeout=600)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(ask("/cities/_count")["count"], len(lines))
        for first in range(0, len(lines), 5000):
            wanted = {str(json.loads(line)["geonameid"]): line.strip() for line in lines[first:first + 5000]}
            found = ask("/cities/_mget?_source=true", {"ids": list(wanted)})["docs"]
            for document in found:
                # The engine prints _source as it was sent, so equal values in equal order are equal bytes.
                self.assertEqual(list(document["_source"].items()), list(json.loads(wanted[document["_id"]]).items()))
        for task in home.race_document()["results"]["op_metrics"]:
            self.assertEqual(task["error_rate"], 0, task["task"])

    def created_track(self, home, hosts):
        """The cities as a track made of the index, raced back: the same documents, byte for byte."""
        ask("/cities/_refresh", {})
        texts = []
        for name in ("first", "second"):
            run = home.run("create-track", f"--track={name}", f"--target-hosts={hosts}", "--indices=cities",
                           f"--output-path={home.path}/made", timeout=600)
            self.assertEqual(run.returncode, 0, run.stderr)
            texts.append(sorted((home.path / "made" / name / "cities-documents.json").read_bytes().splitlines()))
            run = home.race(f"--track-path={home.path}/made/{name}", f"--target-hosts={hosts}", "--allow-destructive",
                            timeout=600)
            self.assertEqual(run.returncode, 0, run.stderr)
            ask("/cities/_refresh", {})
            self.assertEqual(ask("/cities/_count")["count"], len(texts[0]))
        lines = bz2.decompress(CORPUS.read_bytes()).splitlines()
        self.assertEqual(texts[0], sorted(line for line in lines if line.strip()))
        self.assertEqual(texts[1], texts[0])

    def test_elasticsearch_7_on_one_node(self):
        with Home() as home, engine("elasticsearch") as hosts:
            self.e1(home, hosts, {"number_of_replicas": 0, "bulk_indexing_clients": 4})
            self.cities(home, hosts)
            self.created_track(home, hosts)

    def test_opensearch_2_on_one_node(self):
        with Home() as home, engine("opensearch") as hosts:
            self.e1(home, hosts, {"number_of_replicas": 0, "bulk_indexing_clients": 4})
            self.cities(home, hosts)
            self.created_track(home, hosts)

    def test_opensearch_2_on_two_nodes_runs_e1_unchanged(self):
        with Home() as home, engine("opensearch", nodes=2) as hosts:
            self.e1(home, hosts, {"bulk_indexing_clients": 20, "number_of_shards": 1, "number_of_replicas": 1})


class Parts(unittest.TestCase):
    @unittest.skipUnless(IN_CI and SHARED.exists(), "SKIPPED: only CI must have every part")
    def test_nothing_is_missing_in_ci(self):
        self.assertEqual(missing(), [])
