"""`warpsieve trace` from its command line: what it prints, the files it writes, and what it refuses."""

import base64
import collections
import csv
import json
import pathlib
import re
import signal
import struct
import subprocess
import time
import unittest
import urllib.parse
import zlib

import program

ROOT = pathlib.Path(__file__).resolve().parents[3]
OK, USAGE, UNAVAILABLE = 0, 2, 77


def header_of(page):
    """What a page says about its trace."""
    found = re.search(r'<script type="application/json" id="header">(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1].replace("<\\/", "</"))


def lines_that_ran(header):
    for function, number in header["lines"]:
        yield header["functions"][function]["lines"][number - header["functions"][function]["first"]]


def columns_of(page, header):
    """The arrays of numbers of a page, by name."""
    data = zlib.decompress(base64.b64decode(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1]))
    columns, at = {}, 0
    for name, kind, count in header["columns"]:
        kind = {"u8": "B", "u16": "H", "u32": "I", "i32": "i"}[kind]
        columns[name] = struct.unpack_from(f"<{count}{kind}", data, at)
        at += count * struct.calcsize(kind)
    return columns


def running_sums(differences):
    total = 0
    for each in differences:
        total = total + each & 0xffffffff
        yield total


def addresses_of(header, columns):
    """[events] The difference of each address is from that of the last event of the same site."""
    last = [0] * len(header["sites"])
    for site, difference in zip(columns["site"], columns["address"]):
        last[site] = last[site] + difference & 0xffffffff
        yield last[site]


def passes_of(accesses):
    """The passes over the banks for the accesses (lane, first byte, bytes) of a warp."""
    words = collections.defaultdict(set)
    for lane, address, size in accesses:
        for word in range(address // 4, (address + size + 3) // 4):
            words[lane * max(size, 4) // 128 % 8, word % 32].add(word)
    most = collections.Counter()
    for (group, _), of_bank in words.items():
        most[group] = max(most[group], len(of_bank))
    return most.total()


def costs_of(page):
    """Requests, lanes, and sectors or passes of all plain accesses, warp by warp: {"reads of input": (64, 2048, 1024)}."""
    header = header_of(page)
    columns = columns_of(page, header)
    addresses, threads = list(addresses_of(header, columns)), list(running_sums(columns["thread"]))
    order, costs = running_sums(columns["order"]), collections.defaultdict(lambda: (0, 0, 0))
    for count in columns["warpsCounts"]:
        events = [next(order) for _ in range(count)]
        site = header["sites"][columns["site"][events[0]]]
        if site["kind"] not in ("load", "store"):
            continue
        is_global, size = site["space"] == "global", site["bytes"]
        if is_global:
            cost = len({sector for event in events for sector in range(addresses[event] // 32, (addresses[event] + size + 31) // 32)})
        else:
            cost = passes_of((threads[event] % 32, addresses[event], size) for event in events)
        memory = header["buffers"][site["buffer"]]["name"] if is_global else "shared memory"
        name = f"{'reads' if site['kind'] == 'load' else 'writes'} of {memory}"
        costs[name] = tuple(map(sum, zip(costs[name], (1, count, cost))))
    return costs


class TraceTest(unittest.TestCase):
    def setUp(self):
        self.folder = program.output_folder(self._testMethodName)

    def trace(self, code, *arguments, says=()):
        """Runs the command; it must exit with `code` and say each of `says` on stderr."""
        done = program.run(self.folder, "trace", *arguments)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stderr}")
        for words in says:
            self.assertIn(words, done.stderr)
        return done.stdout

    def simulated(self, *arguments):
        """Traces on the simulated GPU; skips the test where the program has none."""
        done = program.run(self.folder, "trace", *arguments, "--engine", "simulated")
        if done.returncode == UNAVAILABLE:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, OK, done.stderr)
        return done.stdout

    def test_an_access_trace_is_written_and_opens_again(self):
        printed = self.simulated("sequence_wise", "--n", "4099", "--out", "a.trace")
        self.assertIn("4,099 items of 4 bytes", printed)
        self.assertIn("simulated schedule, seed 0", printed)
        for words in ("count_sequences", "scan_in_one_block", "counts of sequences", "output"):
            self.assertIn(words, printed)
        self.assertEqual(self.trace(OK, "a.trace"), printed)
        self.trace(OK, "a.trace", "--out", "a.json")
        events = json.loads((self.folder / "a.json").read_text())["traceEvents"]
        names = {event["name"] for event in events if event["ph"] == "X"}
        self.assertIn("store output", names)
        self.assertIn("load input", names)

    def test_the_steps_of_lanes_are_written_as_a_table(self):
        printed = self.simulated("sequence_wise", "--n", "100", "--out", "steps.csv")
        self.assertIn("steps of lanes, simulated schedule, seed 0", printed)
        with open(self.folder / "steps.csv", newline="") as file:
            steps = list(csv.DictReader(file))
        self.assertEqual([int(step["step"]) for step in steps], list(range(len(steps))))
        loads = [step for step in steps if step["kind"] == "load" and step["memory"] == "input"]
        self.assertEqual({step["observed"] for step in loads}, {"initial"})
        stores = [step for step in steps if step["kind"] == "store" and step["memory"] == "output"]
        self.assertTrue(all("sequence_wise.cu:" in step["place"] for step in stores))
        shuffles = [step for step in steps if step["kind"] == "collective results" and step["name"] == "__shfl_up_sync"]
        self.assertTrue(shuffles)
        for step in shuffles:
            self.assertEqual(len(step["results"].split()), int(step["lanes"]).bit_count())
        self.trace(USAGE, "sequence_wise", "--engine", "simulated", "--n", "2^13", "--out", "a.csv", says=["and 2^12 as a table"])
        self.trace(USAGE, "cpu_sequence_wise", "--out", "a.csv", says=["Only the simulated GPU knows the steps of lanes"])

    def test_a_page_plays_the_steps_of_lanes(self):
        printed = self.simulated("sequence_wise", "--n", "100", "--schedule-seed", "3", "--html", "page.html", "--out", "steps.csv")
        self.assertIn("steps of lanes, simulated schedule, seed 3", printed)
        page = (self.folder / "page.html").read_text()
        self.assertIn("<title>sequence_wise, 100 items of 4 bytes</title>", page)
        self.assertIn("one possible order, no times", page)
        self.assertTrue((self.folder / "steps.csv").read_text().startswith("step,launch,"))
        self.simulated("sequence_wise", "--n", "100", "--schedule-seed", "3", "--html", "again.html")
        self.assertEqual((self.folder / "again.html").read_text(), page)
        self.trace(USAGE, "sequence_wise", "--engine", "simulated", "--n", "2^15", "--html", "a.html", says=["at most 2^14 items as a page"])
        self.trace(USAGE, "cpu_sequence_wise", "--html", "a.html", says=["Only the simulated GPU knows the steps of lanes"])
        self.trace(USAGE, "sequence_wise", "--engine", "simulated", "--html", "a.html", "--out", "a.json", says=["must end with .csv"])
        self.trace(USAGE, "steps.csv", "--html", "a.html", says=["A trace file holds no steps of lanes"])
        self.assertFalse((self.folder / "a.html").exists())

    def test_a_program_without_line_tables_says_so(self):
        self.simulated("sequence_wise", "--n", "32", "--html", "lines.html")
        stripped = self.folder / "stripped"
        subprocess.run(["strip", "--strip-debug", "-o", stripped, program.paths.warpsieve], check=True)
        done = subprocess.run([stripped, "trace", "sequence_wise", "--engine", "simulated", "--n", "32", "--html", "page.html"],
                              cwd=self.folder, env=program.environment(self.folder), capture_output=True, text=True, check=True)
        sentence = "Source lines are missing: the program has no line tables."
        self.assertEqual(done.stdout.splitlines()[-1], sentence)
        notices = [header_of((self.folder / page).read_text())["notice"]["text"] for page in ("lines.html", "page.html")]
        self.assertEqual(notices, ["", sentence])

    def test_without_the_simulated_gpu_the_pages_of_lessons_are_recorded(self):
        if "Simulated engine: available" in program.run(self.folder, "--list").stdout:
            self.skipTest("this build has a simulated GPU")
        for algorithm, *options in (("masked_two_pass", "--n", "2048"), ("spataro", "--n", "2048"), ("single_pass", "--schedule-seed", "144")):
            printed = self.trace(OK, algorithm, "--engine", "simulated", *options, "--html", "page.html")
            self.assertIn("recorded steps of lanes, simulated schedule", printed)
            header = header_of((self.folder / "page.html").read_text())
            self.assertEqual(header["algorithm"], algorithm)
            self.assertTrue(list(lines_that_ran(header)))
        self.trace(UNAVAILABLE, "spataro", "--engine", "simulated", "--html", "other.html",
                   says=["The page of --n 2048 --schedule-seed 0 is recorded."])

    def test_a_planted_fault_breaks_the_run_and_never_the_program(self):
        printed = self.simulated("sequence_wise", "--plant", "stage-barrier", "--html", "fault.html")
        self.assertIn("Without the barrier of the warp", printed)
        self.assertRegex(printed, r"Word \d+ of the output is \d+, which is shared memory that no lane has written, and should be \d+\.")
        self.assertRegex(printed, r"First, block \d+, warp \d+, lane \d+ writes .*; then .* reads .*\. Nothing orders the two\.")
        self.assertIn("simulated schedule, seed 0", printed)
        page = (self.folder / "fault.html").read_text()
        self.assertIn(printed.splitlines()[0].split(" Word")[0], page)
        self.assertIn('["the first wrong word",', page)
        self.assertIn("seed 144", self.simulated("sequence_wise", "--plant", "scan-barrier"))
        self.assertIn("Nothing goes wrong", self.simulated("single_pass", "--plant", "tag", "--schedule-seed", "0"))
        self.trace(USAGE, "sequence_wise", "--plant", "stage_barier", says=["Did you mean stage-barrier?"])
        self.trace(USAGE, "single_pass", "--plant", "stage-barrier", says=["is one of sequence_wise"])
        self.trace(USAGE, "sequence_wise", "--plant", "stage-barrier", "--engine", "cuda", says=["--plant needs --engine simulated"])
        self.trace(USAGE, "sequence_wise", "--plant", "stage-barrier", "--out", "a.csv", says=["written by --html"])

    def test_the_pages_of_the_lessons_have_their_lines(self):
        lessons = sorted((ROOT / "docs/tutorial/lessons").glob("*.md"))
        self.assertEqual(len(lessons), 6)
        for lesson in lessons:
            text = lesson.read_text()
            pages = {}
            for command in re.findall(r"^warpsieve trace (.*)$", text, re.MULTILINE):
                words = command.replace(" --engine simulated", "").split()
                self.simulated(*words)
                pages[words[-1]] = header_of((self.folder / words[-1]).read_text())
            links = re.findall(r"`(\w+\.html)#line=([^`]+)`", text)
            self.assertTrue(links, lesson)
            for page, line in links:
                with self.subTest(lesson=lesson.name, line=line):
                    wanted = urllib.parse.unquote_plus(line)
                    self.assertTrue(any(wanted in each for each in lines_that_ran(pages[page])))

    def test_the_lesson_of_costs_has_their_sums(self):
        text = (ROOT / "docs/tutorial/lessons/what_an_access_costs.md").read_text()
        costs = {}
        for command in re.findall(r"^warpsieve trace (.*)$", text, re.MULTILINE):
            words = command.replace(" --engine simulated", "").split()
            self.simulated(*words)
            costs[words[-1]] = costs_of((self.folder / words[-1]).read_text())
        rows = re.findall(r"^\| `(\w+\.html)` \| (.+?) \| ([\d,]+) \| ([\d.]+) \| ([\d,]+) \|$", text, re.MULTILINE)
        self.assertEqual(len(rows), 7)
        for page, accesses, *figures in rows:
            with self.subTest(page=page, accesses=accesses):
                requests, lanes, cost = costs[page][accesses]
                self.assertEqual(figures, [f"{requests:,}", f"{lanes / requests:.1f}", f"{cost:,}"])

    def test_options_reach_the_kernels(self):
        scalar = self.simulated("sequence_wise", "--vector-width", "scalar", "--blocks", "2")
        quad = self.simulated("sequence_wise", "--vector-width", "quad", "--blocks", "2")
        self.assertNotEqual(scalar, quad)

    def test_the_times_of_workers_are_written_for_perfetto(self):
        printed = self.trace(OK, "cpu_sequence_wise", "--n", "2^16", "--out", "cpu.json")
        self.assertIn("cpu_sequence_wise, 65,536 items", printed)
        events = json.loads((self.folder / "cpu.json").read_text())["traceEvents"]
        self.assertTrue(any(event["ph"] == "X" and "kept" in event.get("args", {}) for event in events))

    def test_the_times_of_every_cpu_algorithm_are_written_and_open_again(self):
        listed = program.run(self.folder, "--list").stdout.split("CPU engine")[1]
        algorithms = re.findall(r"^  (\w+)", listed.split("CPU steps")[0], re.MULTILINE)
        self.assertIn("cpu_sequence_wise", algorithms)
        for algorithm in algorithms:
            with self.subTest(algorithm):
                printed = self.trace(OK, algorithm, "--n", "2^16", "--out", "run.trace")
                opened = self.trace(OK, "run.trace", "--out", "run.json")
                self.assertTrue(opened.startswith(printed), opened)
                self.assertIn("Recorded on", opened)
                events = json.loads((self.folder / "run.json").read_text())["traceEvents"]
                spans = [event for event in events if event["ph"] == "X" and "block" in event.get("args", {})]
                self.assertIn(f": {len(spans):,} blocks or tasks recorded", printed)
                self.trace(OK, "run.trace", "--out", "again.trace")
                self.assertEqual((self.folder / "again.trace").read_bytes(), (self.folder / "run.trace").read_bytes())

    def test_a_damaged_trace_of_times_is_refused(self):
        self.trace(OK, "cpu_sequence_wise", "--out", "run.trace")
        whole = (self.folder / "run.trace").read_bytes()
        (self.folder / "cut").write_bytes(whole[: len(whole) // 2])
        self.trace(USAGE, "cut", says=["a part of it is missing"])
        (self.folder / "renamed").write_bytes(whole.replace(b"cpu_sequence_wise", b"cpu_sequence_wide"))
        self.trace(USAGE, "renamed", says=["cpu_sequence_wide"])

    def test_a_signal_ends_a_trace_at_once(self):
        self.simulated("naive_scan", "--n", "64")
        arguments = ["trace", "naive_scan", "--engine", "simulated", "--n", "2^18", "--out", "a.trace"]
        running = subprocess.Popen([str(program.paths.warpsieve), *arguments], cwd=self.folder,
                                   env=program.environment(self.folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(0.7)
        running.send_signal(signal.SIGTERM)
        sent = time.monotonic()
        _, errors = running.communicate(timeout=60)
        self.assertLess(time.monotonic() - sent, program.LONGEST_S)
        self.assertEqual(running.returncode, 128 + signal.SIGTERM)
        self.assertEqual(errors, "warpsieve: SIGTERM ended the trace; no file was written.\n")
        self.assertFalse([file for file in self.folder.iterdir() if file.is_file()])

    def test_what_cannot_be_traced_is_refused(self):
        self.trace(USAGE, "no_such_algorithm", says=["no_such_algorithm"])
        self.trace(USAGE, "cpu_sequence_wise", "--engine", "cuda", says=["does not run on --engine cuda"])
        self.trace(USAGE, "cpu_sequence_wise", "--item-bytes", "5", says=["legal values are 4, 8, 16"])
        (self.folder / "other").write_text("not a trace")
        self.trace(USAGE, "other", says=["no file with a trace"])
        self.trace(USAGE, "cpu_sequence_wise", "--pattern", "chessboard", says=["--pattern chessboard is not legal; legal values are empty, full"])


if __name__ == "__main__":
    program.main()
