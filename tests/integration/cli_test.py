"""The command line from outside: help, mistakes, exit codes. No cluster is touched."""

import os
import re
import subprocess
import tempfile
import unittest

PACENOTE = os.environ["PACENOTE"]
OK, USAGE, FAILED = 0, 2, 64

REFUSED = {
    "--distribution-version": "8.15.0", "--distribution-repository": "release", "--revision": "current",
    "--car": "4gheap", "--car-params": "a:1", "--runtime-jdk": "17", "--elasticsearch-plugins": "x",
    "--plugin-params": "a:1", "--team-path": "t", "--team-repository": "t", "--team-revision": "t",
    "--cluster-name": "c", "--preserve-install": None, "--source-build-method": "docker",
}
NOT_YET = {
    "--load-driver-hosts": "h1,h2", "--multi-cluster": None,
    "--enable-driver-profiling": None, "--effective-start-date": "2026-01-01 00:00:00",
    "--configuration-name": "x",
}


def pacenote(*arguments, **environment):
    with tempfile.TemporaryDirectory() as home:
        clean = {"PATH": os.environ["PATH"], "HOME": home, **environment}
        return subprocess.run([PACENOTE, *arguments], env=clean, cwd=home, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60, check=False)


def verbs():
    listing = pacenote("--help").stdout.split("Verbs:")[1]
    return re.findall(r"^  ([a-z][a-z-]*)", listing, re.MULTILINE)


class Cli(unittest.TestCase):
    def refused(self, code, words, *arguments):
        """Ends with `code` and at most three lines on standard error that hold all `words`."""
        run = pacenote(*arguments)
        self.assertEqual(run.returncode, code, run)
        self.assertEqual(run.stdout, "")
        self.assertLessEqual(len(run.stderr.splitlines()), 3, run.stderr)
        self.assertTrue(run.stderr.startswith("[ERROR] "), run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)

    def test_help_of_every_verb(self):
        self.assertIn("race", verbs())
        for verb in verbs():
            with self.subTest(verb=verb):
                run = pacenote(verb, "--help")
                self.assertEqual(run.returncode, OK, run)
                self.assertEqual(run.stderr, "")
                self.assertIn("Usage: pacenote " + verb, run.stdout)
                self.assertLessEqual(max(map(len, run.stdout.splitlines())), 100)

    def test_help_of_race_names_every_flag(self):
        text = pacenote("race", "--help").stdout
        for flag in [*REFUSED, *NOT_YET, "--track", "--target-hosts", "--client-options", "--store"]:
            self.assertRegex(text, re.escape(flag) + r"\b")

    def test_version(self):
        run = pacenote("--version")
        self.assertEqual(run.returncode, OK)
        self.assertRegex(run.stdout, r"^pacenote \d+\.\d+\.\d+\n$")

    def test_unknown_verb(self):
        self.refused(USAGE, ["rcae", "did you mean race?"], "rcae")
        self.refused(USAGE, ["a verb is missing"])

    def test_unknown_flag(self):
        self.refused(USAGE, ["--chalenge", "did you mean --challenge?"], "race", "--track=http_logs", "--chalenge=x")
        self.refused(USAGE, ["--frobnicate"], "race", "--frobnicate")

    def test_missing_track(self):
        self.refused(USAGE, ["--track is missing"], "race")
        self.refused(USAGE, ["--track needs a value"], "race", "--track", "--challenge=x")
        self.refused(USAGE, ["--track"], "race", "--track")

    def test_flags_that_do_not_work(self):
        for flag, value in {**REFUSED, **NOT_YET}.items():
            with self.subTest(flag=flag):
                given = flag if value is None else f"{flag}={value}"
                self.refused(FAILED, [flag], "race", "--track=http_logs", given)
        for flag in REFUSED:
            with self.subTest(flag=flag):
                given = flag if REFUSED[flag] is None else f"{flag}={REFUSED[flag]}"
                self.refused(FAILED, ["drives clusters and does not install them"], "race", "--track=http_logs", given)

    def test_values_that_are_wrong(self):
        race = ("race", "--track=http_logs")
        self.refused(USAGE, ["--on-error", "did you mean abort?"], *race, "--on-error=abrot")
        self.refused(USAGE, ["--track-params", "character"], *race, '--track-params={"a": 1')
        self.refused(USAGE, ["--track-params", "item 1"], *race, "--track-params=a")
        self.refused(USAGE, ["exclude each other"], *race, "--track-path=x")
        self.refused(USAGE, ["exclude each other"], *race, "--include-tasks=a", "--exclude-tasks=b")
        self.refused(FAILED, ["--pipeline=docker"], *race, "--pipeline=docker")
        self.refused(FAILED, ["missing.json"], *race, "--track-params=missing.json")

    def test_hosts_and_client_options_that_are_wrong(self):
        race = ("race", "--track=http_logs")
        self.refused(USAGE, ["[somewhere]", "port"], *race, "--target-hosts=somewhere")
        self.refused(USAGE, ["verify_cert", "did you mean verify_certs?"], *race, "--client-options=verify_cert:false")
        self.refused(FAILED, ["create_api_key_per_client"], *race, "--client-options=create_api_key_per_client:true")
        self.refused(FAILED, ["named clusters"], *race, '--target-hosts={"a": ["h:1"], "b": ["h:2"]}')

    def test_secrets_stay_out_of_messages(self):
        for option in ("basic_auth_password:'x,hunter2", "api_key:true,hunter2", '{"api_key": "hunter2'):
            with self.subTest(option=option):
                run = pacenote("race", "--track=http_logs", "--client-options=" + option)
                self.assertEqual(run.returncode, USAGE, run)
                self.assertNotIn("hunter2", run.stderr)


if __name__ == "__main__":
    unittest.main()
