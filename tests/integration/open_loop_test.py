"""Cases O5 to O8: whose iterations, whose rate, what a freeze costs, and a rate that cannot be reached. Races that take 20 s
run beside each other: together they ask for a tenth of a processor."""
import csv
import functools
import io
import unittest

from support.racing import Home
from support.sandbox_process import Sandbox

SEARCH = {"name": "q", "operation-type": "search", "index": "a", "body": {}}


class Raced:
    """A race that was started in a home of its own against a sandbox of its own."""

    def __init__(self, task, *flags, operation=SEARCH, faults=(), documents=0):
        self.own = None
        self.home, self.sandbox = Home().__enter__(), Sandbox(*(f"--fault=path=*/_search,{fault}" for fault in faults))
        self.sandbox.ask("PUT", "/a", "{}")
        folder = self.home.track([{"operation": operation, **task}], documents=documents)
        self.process = self.home.start("race", f"--track-path={folder}", "--pipeline=benchmark-only", "--allow-destructive",
                                       f"--target-hosts=127.0.0.1:{self.sandbox.port}", *flags)

    def end(self):
        out, err = self.process.communicate(timeout=120)
        self.text, self.code = out + err, self.process.returncode
        self.seen = self.sandbox.ask("GET", "/_sandbox/requests?path=*/_search")[1]["total"]
        self.task = self.home.race_document()["results"]["op_metrics"][0]
        self.own = self.task["pacenote"]
        self.samples = list(csv.DictReader(io.StringIO(self.home.export("--what=samples", "--report-format=csv"))))
        return self

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
        self.sandbox.end()
        self.home.__exit__()

    def planned_rate(self):
        """Units of work that all clients together begin in a second, by the time from a client's first to its last."""
        rate = 0
        for client in {sample["client"] for sample in self.samples}:
            begins = sorted(begin(sample) for sample in self.samples if sample["client"] == client)
            rate += (len(begins) - 1) / (begins[-1] - begins[0]) * 1000
        return rate * float(self.samples[0]["weight"])

    def service_while_catching_up(self):
        """Mean milliseconds of the requests after case O7's freeze: they make how long the queue lasts."""
        first = min(map(begin, self.samples))
        took = [float(sample["service_time_ms"]) for sample in self.samples if 7100 < begin(sample) - first < 9100]
        return sum(took) / len(took)

    def seconds(self, at):
        """How many units of work fall into each second of the task; `at` gives a sample's milliseconds."""
        first = min(float(sample["relative_ms"]) for sample in self.samples)
        out = {}
        for sample in self.samples:
            second = int((at(sample) - first) / 1000)
            out[second] = out.get(second, 0) + float(sample["weight"])
        return out


def frozen_latencies(service):
    """Case O7's table for a server that takes `service` ms, not exactly 5: one client, a request due every 10 ms, and what
    arrives from 5 s to 7 s is answered at 7 s and `service` ms."""
    out, free = [], 0
    for due in range(0, 20_000, 10):
        arrives = max(due, free)
        free = (7000 if 5000 <= arrives < 7000 else arrives) + service
        out.append(free - due)
    return sorted(out)


def percentile(values, p):
    rank = p / 100 * (len(values) - 1)
    low = int(rank)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (rank - low)


def begin(sample):
    return float(sample["relative_ms"])


def answered(sample):
    return float(sample["relative_ms"]) + float(sample["service_time_ms"])


def patiently(test):
    """Times of a busy machine say nothing: such a test has three tries, and is skipped where in the last the driver itself
    was kept from running."""
    @functools.wraps(test)
    def tried(self):
        for left in (2, 1, 0):
            self.races = []
            try:
                return test(self)
            except self.failureException as error:
                print(f"times did not fit: {str(error).splitlines()[0]}")
                stalled = [race.own["driver"]["stalled-share"] for race in self.races if race.own]
                if left == 0 and max(stalled, default=0) > 0.01:
                    self.skipTest(f"SKIPPED: the machine was busy, the driver did not run for {max(stalled):.1%} of the time")
                if left == 0:
                    raise
    return tried


class OpenLoop(unittest.TestCase):
    def start(self, *arguments, **options):
        race = Raced(*arguments, **options)
        self.addCleanup(race.close)
        self.races.append(race)
        return race

    def near(self, found, wanted, share=0.03, least=5.0):
        self.assertLessEqual(abs(found - wanted), max(share * wanted, least), f"{found} for {wanted}")

    @patiently
    def test_o5_iterations_are_per_client(self):
        race = self.start({"clients": 2, "warmup-iterations": 10, "iterations": 100}, faults=["delay=20ms"]).end()
        self.assertEqual(race.code, 0, race.text)
        self.assertEqual(race.seen, 220)
        kinds = [sample["sample_type"] for sample in race.samples]
        self.assertEqual((kinds.count("normal"), kinds.count("warmup")), (200, 20))
        self.assertEqual((race.own["samples"], race.own["warmup-samples"]), (200, 20))
        self.near(max(map(answered, race.samples)) - min(map(begin, race.samples)), 2200, least=400)
        self.near(race.own["overall-throughput"], 100, share=0.05)
        self.assertEqual([key for key in race.task["service_time"] if key[0].isdigit()], ["50_0", "90_0", "99_0", "100_0"])

    @patiently
    def test_o6_a_target_is_for_all_clients_together(self):
        bulk = {"name": "q", "operation-type": "bulk", "bulk-size": 500}
        searches = {"clients": 4, "time-period": 20}
        races = [self.start({**searches, "target-throughput": 100}, faults=["delay=5ms"]),
                 self.start({**searches, "target-interval": 0.01}, faults=["delay=5ms"]),
                 self.start({"clients": 4, "target-throughput": "5000 docs/s"}, operation=bulk, documents=60_000)]
        *searched, indexed = [race.end() for race in races]
        for race in searched:
            self.assertEqual(race.code, 0, race.text)
            self.near(len(race.samples), 2000, share=0.01, least=0)
            self.near(race.own["overall-throughput"], 100, share=0.01, least=0)
            buckets = race.seconds(begin)
            for second in range(1, max(buckets)):
                self.near(buckets.get(second, 0), 100, share=0.05, least=0)
        self.assertEqual(len(indexed.samples), 120)
        self.near(indexed.planned_rate(), 5000, share=0.01, least=0)

    def test_o6_a_task_has_one_kind_of_target(self):
        with Home() as home:
            folder = home.track([{"operation": SEARCH, "target-throughput": 10, "target-interval": 1}])
            run = home.race(f"--track-path={folder}")
            self.assertEqual(run.returncode, 64)
            self.assertIn("target-interval", run.stderr)

    @patiently
    def test_o7_and_o8_a_freeze_and_a_rate_out_of_reach(self):
        frozen = self.start({"clients": 1, "target-throughput": 100, "iterations": 2000}, faults=["after=5s,for=2s,hold", "delay=5ms"])
        slow = self.start({"clients": 1, "target-throughput": 10, "iterations": 100}, "--fail-on=rate_reached<95%",
                     faults=["delay=200ms"])
        self.o7(frozen.end())
        self.o8(slow.end())

    def o7(self, race):
        self.assertEqual(race.code, 0, race.text)
        latency, service = ([float(sample[f"{what}_ms"]) for sample in race.samples] for what in ("latency", "service_time"))
        self.near(race.task["service_time"]["50_0"], 5, least=1)
        took = race.service_while_catching_up()  # the sandbox waits 5 ms and then has to answer
        table = frozen_latencies(took)
        for key, p in {"50_0": 50, "90_0": 90, "99_0": 99, "99_9": 99.9, "100_0": 100}.items():
            self.near(race.task["latency"][key], percentile(table, p))
        self.near(percentile(sorted(latency), 95), percentile(table, 95))
        self.near(race.task["latency"]["mean"], sum(table) / len(table), least=10)
        for key, wanted in {"50_0": 5, "90_0": 5, "99_0": 5, "99_9": 5, "100_0": 2005, "mean": 6}.items():
            self.near(race.task["service_time"][key], wanted)
        self.near(sum(one >= 10 for one in latency), sum(one >= 10 for one in table), least=12)
        self.assertEqual(sum(one > 1000 for one in service), 1)
        self.near(race.own["overall-throughput"], 100)
        buckets = race.seconds(answered)
        self.assertLessEqual(buckets.get(6, 0), 2, "nothing is answered while the server is frozen")
        self.assertGreater(buckets[7], 150, "then as fast as one client can")
        self.assertLessEqual(max(buckets.values()), 205)

    def o8(self, race):
        self.assertEqual(race.code, 1, race.text)
        for key in ("50_0", "90_0", "99_0", "100_0"):
            self.near(race.task["service_time"][key], 200)
        for key, wanted in {"50_0": 5150, "90_0": 9110, "99_0": 10001, "100_0": 10100}.items():
            self.near(race.task["latency"][key], wanted, share=0.02)
        self.near(race.own["overall-throughput"], 5, share=0.02, least=0)
        self.near(race.own["rate-reached"], 0.5, share=0.02, least=0)
        self.assertIn("gate rate_reached<95% failed", race.text)


if __name__ == "__main__":
    unittest.main()
