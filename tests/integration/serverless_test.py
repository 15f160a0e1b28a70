"""What a track is on a serverless cluster: its flavour is asked for before the templates' word counts."""
import json
import unittest

from support.racing import Home
from support.sandbox_process import Sandbox

TRACK = """{"schedule": [
  {"operation": {"operation-type": "put-settings", "body": {"transient": {"search.max_buckets": 1000}}}},
  {% if build_flavor == "serverless" %}
  {"name": "only-{{ "operator" if serverless_operator else "user" }}", "operation": {"operation-type": "sleep", "duration": 0}},
  {% endif %}
  {"operation": {"operation-type": "node-stats", "name": "asked-for", "run-on-serverless": true}},
  {"operation": {"operation-type": "create-index-template", "template": "t", "body": {"index_patterns": ["t-*"]}}},
  {"operation": "refresh"}
]}"""


def faults(flavor, operator):
    root = {"name": "n", "cluster_name": "c", "cluster_uuid": "u", "tagline": "You Know, for Search",
            "version": {"number": "8.15.0", "build_flavor": flavor, "build_hash": "h"}}
    return ["--fault=path=/,method=GET,body=" + json.dumps(root),
            "--fault=path=/_security/_authenticate,body=" + json.dumps({"operator": operator})]


class Flavours(unittest.TestCase):
    def tasks(self, flavor, operator=False):
        with Home() as home, Sandbox(*faults(flavor, operator)) as sandbox:
            folder = home.path / "t"
            folder.mkdir()
            (folder / "track.json").write_text(TRACK)
            run = home.race(f"--track-path={folder}", f"--target-hosts=127.0.0.1:{sandbox.port}", "--on-error=abort")
            self.assertEqual(run.returncode, 0, run.stderr)
            return run.stderr

    def test_a_user_of_a_serverless_cluster(self):
        console = self.tasks("serverless")
        self.assertIn("Detected Elasticsearch Serverless mode with operator=[false]", console)
        self.assertIn("Excluding [put-settings], [create-index-template]", console)
        for task in ("only-user", "asked-for", "refresh"):
            self.assertIn(f"Running {task} ", console)
        for task in ("put-settings", "create-index-template", "only-operator"):
            self.assertNotIn(f"Running {task} ", console)

    def test_the_operator_of_a_serverless_cluster(self):
        console = self.tasks("serverless", operator=True)
        self.assertIn("operator=[true]", console)
        self.assertIn("Excluding [create-index-template]", console)
        for task in ("put-settings", "only-operator", "asked-for"):
            self.assertIn(f"Running {task} ", console)

    def test_any_other_cluster(self):
        console = self.tasks("default")
        self.assertNotIn("Excluding", console)
        self.assertNotIn("only-", console)
        self.assertIn("Running put-settings ", console)


if __name__ == "__main__":
    unittest.main()
