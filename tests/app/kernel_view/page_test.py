"""The page of the kernel view in a browser: its replay has the states of the C++ replay, links name steps, and keys work."""

import argparse
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77

parser = argparse.ArgumentParser()
parser.add_argument("--print-states", required=True, type=pathlib.Path)
parser.add_argument("--example", required=True, type=pathlib.Path)
arguments, rest = parser.parse_known_args()
browser = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)

# What the C++ program prints, from the replay of the page.
DIGESTS = """
const hashOf = parts => {
  let hash = 0x811c9dc5;
  const add = word => { for (let i = 0; i < 4; ++i, word >>>= 8) hash = Math.imul(hash ^ (word & 0xff), 0x01000193) >>> 0; };
  for (const part of parts) typeof part == 'number' ? add(part) : part.forEach(add);
  return hash;
};
const valuesOf = function* ({low, high, known, set, setAt}) {
  for (let i = 0; i < known.length; ++i) {
    for (let lane = 0; lane < 32; ++lane) { yield low[i * 32 + lane]; yield high[i * 32 + lane]; }
    yield known[i]; yield set[i]; yield setAt[i];
  }
};
const memories = all => all.flatMap(m => [m.bytes, m.storedBy, m.loadedBy]);
const digest = s => [s.launch, hashOf([s.sites]), hashOf([s.seen]), hashOf(valuesOf(s.values)), hashOf([s.arrived]),
                     hashOf(memories(s.shared)), hashOf(memories(s.global))].join(' ');
"""


def in_browser(page, script, link="", size="1024,783"):
    """Opens the page, runs the script when it is ready, and returns the value of its `result`. The size is that of a window,
    whose bars take 143 pixels."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "page.html"
        file.write_text(page.replace("</body>", """<script>
{ const polling = setInterval(() => {
  if (!document.documentElement.dataset.ready) return;
  clearInterval(polling);
  let result;
  try { %s } catch (error) { result = String(error.stack); }
  const shown = document.createElement('pre');
  shown.id = 'result';
  shown.textContent = JSON.stringify(result);
  document.body.replaceChildren(shown);
}, 10); }
</script></body>""" % script))
        done = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={folder}/profile",
             f"--window-size={size}", "--virtual-time-budget=600000", "--dump-dom", file.as_uri() + link],
            capture_output=True, text=True, timeout=300)
    found = re.search(r'<pre id="result">(.*?)</pre>', done.stdout, re.DOTALL)
    if not found:
        raise AssertionError(f"The page did not become ready: {done.stderr[-2000:]}")
    return json.loads(html.unescape(found[1]))


class PageTest(unittest.TestCase):
    def make(self, algorithm, num_items):
        """The page, and what the C++ replay shows: (order, step, digest, sentence)."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "page.html"
            done = subprocess.run([arguments.print_states, "simulated_" + algorithm, str(num_items), file],
                                  capture_output=True, text=True, check=True)
            lines = [re.fullmatch(r"(\w+) (\d+) (.*?)\|(.*)", line).groups() for line in done.stdout.splitlines()]
            return file.read_text(), lines

    def test_the_page_has_the_states_of_the_replay(self):
        for algorithm in ("sequence_wise", "single_pass", "device_launch", "naive_scan"):
            with self.subTest(algorithm):
                page, expected = self.make(algorithm, 1000)
                steps = json.dumps([[order, int(step)] for order, step, _, _ in expected])
                states = in_browser(page, DIGESTS + "result = " + steps +
                                    ".map(([order, step]) => digest(replay.at(order, step)) + '|' + replay.sentence(order, step));")
                self.assertEqual(states, [f"{digest}|{sentence}" for _, _, digest, sentence in expected])

    def test_links_and_keys_name_a_step(self):
        page, _ = self.make("sequence_wise", 300)
        shown = "[$('step').value, order, location.hash, $('schedule').textContent]"
        self.assertEqual(in_browser(page, f"result = {shown};", "#step=123&order=lanes"),
                         ["123", "lanes", "#step=123&order=lanes", "simulated schedule, seed 45: one possible order, no times"])
        press = "for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));"
        self.assertEqual(in_browser(page, press + f"result = {shown}.slice(0, 3);"),
                         ["2", "warps", "#step=2"])
        self.assertEqual(in_browser(page, f"result = {shown}.slice(0, 2);", "#step=nonsense"), ["1", "warps"])
        texts = "Array.from({length: step + 1}, (_, i) => stepOf(i)[0]).map(event => siteOf(event).lines.map(line => textOf(line)).join(' '))"
        text_of = "const textOf = line => { const [f, number] = header.lines[line]; return header.functions[f].lines[number - header.functions[f].first]; };"
        *before, last = in_browser(page, f"{text_of} result = {texts};", "#line=T+before")
        self.assertIn("const T before = __shfl_up_sync(", last)
        self.assertFalse(any("T before" in each for each in before))
        self.assertEqual(in_browser(page, "result = [step, $('missing-line').textContent];", "#line=no+such+line"),
                         [0, 'No step is at a line with "no such line".'])
        self.assertEqual(in_browser(page, "go(Infinity); result = +$('step').value == replay.orders.warps.size;", "#step=99999999"), True)

    def test_the_page_of_ones_own_kernel_opens_at_the_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "page.html"
            subprocess.run([arguments.example, file], capture_output=True, check=True)
            page = file.read_text()
        shown = in_browser(page, """result = {notice: $('notice').textContent, order, step, last: replay.orders.lanes.size - 1,
          line: document.querySelector('.row.now code')?.textContent, names: header.names, buffers: header.buffers.map(each => each.name)};""")
        self.assertIn("data race in shared memory", shown["notice"])
        self.assertEqual((shown["order"], shown["step"]), ("lanes", shown["last"]))
        self.assertIn("warp_sums[warp]", shown["line"])
        self.assertIn("sum", shown["names"])
        self.assertEqual(shown["buffers"], ["in", "sums"])

    def test_a_notice_has_links_to_steps(self):
        page, _ = self.make("sequence_wise", 300)
        kernel = json.loads(re.search(r'id="header">(.*?)</script>', page, re.DOTALL)[1])["functions"][0]
        notice = {"text": "A fault.", "links": [["the first access", 7], ["the second access", 9]], "opening": 8,
                  "leftOut": {"file": kernel["file"], "line": kernel["first"] + 2}}
        page = re.sub(r'"notice":\{"links":\[\],"text":""\}', '"notice":' + json.dumps(notice), page, count=1)
        press = "const opened = [order, step]; document.querySelectorAll('#notice button')[1].click();"
        self.assertEqual(in_browser(page, press + "result = [...opened, order, step, $('notice').firstChild.textContent];"),
                         ["lanes", 8, "lanes", 9, "A fault."])
        # A fault shows in the order of the schedule, so a step is one of that order.
        self.assertEqual(in_browser(page, "result = [order, step, location.hash];", "#step=3"), ["lanes", 2, "#step=3"])
        self.assertEqual(in_browser(page, "result = [order, step, location.hash];", "#step=3&order=warps"),
                         ["warps", 2, "#step=3&order=warps"])
        left_out = "result = [...document.querySelectorAll('.row.out')].map(row => row.querySelector('i').textContent);"
        self.assertEqual(in_browser(page, left_out), [str(kernel["first"] + 2)])

    def test_it_asks_for_nothing_and_fits_small_windows(self):
        page, _ = self.make("sequence_wise", 300)
        self.assertNotRegex(page, r"(?:src|href)=|https?://|fetch\(|import\(")
        script = """
          go(40);
          const all = [...document.querySelectorAll('body *')].filter(e => e.offsetParent && e.textContent.trim());
          result = {wide: document.documentElement.scrollWidth, high: document.documentElement.scrollHeight, inner: innerHeight,
                    smallest: Math.min(...all.map(e => parseFloat(getComputedStyle(e).fontSize))),
                    source: $('source').clientHeight};"""
        found = in_browser(page, script)
        self.assertLessEqual(found["wide"], 1024)
        self.assertLessEqual(found["inner"], 660, "the size of the window")
        self.assertLessEqual(found["high"], found["inner"])
        self.assertGreaterEqual(found["smallest"], 10)
        self.assertGreaterEqual(found["source"], 170)


if __name__ == "__main__":
    if not browser:
        print("There is no chromium to open the page (Debian: chromium).")
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], *rest])
