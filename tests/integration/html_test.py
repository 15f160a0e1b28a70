"""The HTML report in a real browser: Debian's Chromium, headless."""
import re
import shutil
import subprocess
import unittest

from support.racing import IN_CI, Home
from support.sandbox_process import Sandbox

CHROMIUM = shutil.which("chromium")
EVIL = "</script><img src=x onerror=alert(1)>"
SCHEDULE = [{"operation": {"operation-type": "search", "body": {"query": {"match_all": {}}}, "index": "_all", "name": name},
             "name": name, "iterations": 400, **more}
            for name, more in ((EVIL, {}), ("q|'\"\n&é日本", {"target-throughput": 400, "clients": 2}))]
# Runs before all else in the page, and after: counts what went wrong and what was drawn.
BEFORE = """<script>window.wrong = []; window.onerror = (text) => { wrong.push(String(text)); };
window.alert = () => { wrong.push('alert'); }; const error = console.error; console.error = (text) => { wrong.push(text); };
document.addEventListener('securitypolicyviolation', (event) => wrong.push(event.violatedDirective));</script>"""
AFTER = """<script>{
  const drawn = [...document.querySelectorAll('figure')].filter((figure) => !figure.hidden).map((figure) =>
    [...figure.querySelectorAll('canvas')].reduce((sum, canvas) => {
      const bytes = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      const colours = new Set();
      for (let i = 0; i < bytes.length; i += 4)
        if (bytes[i + 3] > 200) colours.add(bytes[i] + ',' + bytes[i + 1] + ',' + bytes[i + 2]);
      return sum + [...colours].filter((c) => new Set(c.split(',')).size > 1).length;
    }, 0));
  const select = document.querySelector('select');
  select.selectedIndex = 1; select.dispatchEvent(new Event('change'));
  const found = document.createElement('div');
  found.id = 'found';
  found.textContent = JSON.stringify({wrong, drawn, images: document.images.length,
    titles: [...document.querySelectorAll('figure')].map((f) => f.querySelector('h2').textContent),
    options: [...select.options].map((o) => o.textContent), legend: document.querySelector('.legend').textContent});
  document.body.appendChild(found);
}</script>"""


class Html(unittest.TestCase):
    def setUp(self):
        if CHROMIUM is None:
            self.assertFalse(IN_CI, "chromium is missing")
            self.skipTest("chromium is missing")

    def look(self, home, text):
        """What the page says of itself once it is drawn."""
        import html
        import json
        page = home.path / "page.html"
        page.write_text(text.replace("<title>", BEFORE + "<title>", 1).replace("</body>", AFTER + "</body>"))
        run = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000",
                              "--window-size=1200,2000", f"--user-data-dir={home.path}/chromium", "--dump-dom",
                              page.as_uri()], capture_output=True, text=True, timeout=120, check=True)
        return json.loads(html.unescape(re.search(r'<div id="found">(.*?)</div>', run.stdout, re.DOTALL).group(1)))

    def test_one_file_shows_races_and_nothing_breaks_out_of_it(self):
        with Home() as home, Sandbox("--fault=path=*/_search,status=500,every=50") as sandbox:
            track = home.track(SCHEDULE, name="evil")
            for race in ("first", "second"):
                run = home.race(f"--track-path={track}", f"--race-id={race}", f"--user-tags=who:{EVIL}",
                                f"--target-hosts=127.0.0.1:{sandbox.port}", "--pipeline=benchmark-only",
                                "--telemetry=node-stats", "--telemetry-params=node-stats-sample-interval:0.1")
                self.assertEqual(run.returncode, 0, run.stderr)
            home.run("annotate", "first", EVIL)
            for races in (["first"], ["first", "second"]):
                text = home.run("report", *races, "--format=html").stdout
                self.assertLess(len(text.encode()), 1_000_000)
                self.assertNotIn("<img", text)
                self.assertIsNone(re.search(r"""(src|href)=["']?(https?:)?//""", text))
                found = self.look(home, text)
                self.assertEqual(found["wrong"], [])
                self.assertEqual(found["images"], 0)
                self.assertGreaterEqual(len(found["drawn"]), 5, found)  # throughput, latency, errors, percentiles, telemetry
                self.assertGreater(min(found["drawn"]), 0, found)
                self.assertIn(EVIL, found["options"])
                self.assertIn(EVIL, found["legend"])
                self.assertTrue(any(title.startswith("Telemetry") for title in found["titles"]))
            file = home.path / "out/report.html"
            self.assertEqual(home.run("report", "first", "--format=html", f"--report-file={file}").stdout, "")
            self.assertIn("<h1>first</h1>", file.read_text())
            self.assertEqual(home.run("report", "first", "second").returncode, 2)

    def test_hundreds_of_tasks_with_long_names_fit_into_one_file(self):
        name = "a long name, as generated tracks have them, of search number "
        schedule = [{**SCHEDULE[0], "name": f"{name * 2}{i}", "iterations": 40} for i in range(300)]
        with Home() as home, Sandbox("--null") as sandbox:
            run = home.race(f"--track-path={home.track(schedule)}", f"--target-hosts=127.0.0.1:{sandbox.port}",
                            "--pipeline=benchmark-only", "--quiet")
            self.assertEqual(run.returncode, 0, run.stderr)
            text = home.run("report", "--format=html").stdout
            self.assertLess(len(text.encode()), 1_000_000)
            found = self.look(home, text)
            self.assertEqual(found["wrong"], [])
            self.assertGreaterEqual(len(found["drawn"]), 3, found)
            self.assertGreater(min(found["drawn"]), 0, found)
            self.assertEqual(len(found["options"]), 301)
            self.assertIn("p99 latency", text)  # the table: one row a task


if __name__ == "__main__":
    unittest.main()
