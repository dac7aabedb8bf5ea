"""scripts/measure with programs that only pretend to measure: what it runs, continues, keeps and refuses."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Answers for a device, as bench does; writes the call down; `slow` in the folder holds a part that never ends.
WARPSIEVE = r"""#!/usr/bin/env python3
import json, os, pathlib, sys, time
here = pathlib.Path(__file__).parent
words = sys.argv[1:]
value = dict(zip(words, words[1:]))
commit, device = (here / "commit").read_text(), (here / "device").read_text()
engine = value.get("--engine", "cuda")
if "--quiet" in words and words[0] == "bench":
    machine = {"device": device, "engine": engine, "driver": "D", "version": "1", "commit": commit}
    pathlib.Path(value["--json"]).write_text(json.dumps({"machine": machine}))
    sys.exit(0)
with (here / "calls").open("a") as calls:
    calls.write(os.environ.get("COMPACTION_SIMD", "") + " ".join(words[:-2]) + "\n")
text = " ".join(words)
if (here / "slow").exists() and (here / "slow").read_text() in text:
    time.sleep(60)
if (here / "wrong").exists() and (here / "wrong").read_text() in text:
    sys.exit("a wrong result")
if words[0] == "reproduce":
    if "--html" in words:
        pathlib.Path(value["--html"]).write_text(text)
    elif "--merge" in words:
        pathlib.Path(value["--json"]).write_text(pathlib.Path(value["--merge"]).read_text())
    else:
        table = value["--table"]
        pathlib.Path(value["--json"]).write_text(json.dumps({"wrong": [], "engines": [
            {"device": device, "engine": engine, "commit": commit, "command": text}], "tables": [{"id": table}]}))
    sys.exit(0)
pathlib.Path(value["--csv"]).write_text(
    f"# warpsieve bench results, format 1\n# device: {device}\n# engine: {engine}\n# commit: {commit}\n# command: {text}\n# date: today\n"
    f"algorithm,n,density,median_us\ncopy,8,{value.get('--density', 1)},2\n# end, results: 1\n")
"""
STAMPS = r"""#!/usr/bin/env python3
import pathlib
here = pathlib.Path(__file__).parent
runs = here / "runs"
runs.write_text(runs.read_text() + "x" if runs.exists() else "x")
cost = {"x": 3, "xx": 1, "xxx": 2}[runs.read_text()]
print(f"# device: {(here / 'device').read_text()}\n# engine: cpu\n# commit: {(here / 'commit').read_text()}\nalgorithm,n,density,cost_us,call_us")
print(f"spataro,4,0.5,{cost},{cost}0")
"""


class MeasureTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.results = self.folder / "results"
        self.programs = self.folder / "programs"
        self.programs.mkdir()
        self.results.mkdir()
        self.program("warpsieve", WARPSIEVE)
        self.program("bench_phase_stamps", STAMPS)
        # No GPU is here, whatever this machine has.
        self.program("nvidia-smi", "#!/bin/sh\nexit 9\n")
        self.be("commit", "aaaa1111")
        self.be("device", "Pretend(R) CPU 9000")
        self.set = self.results / f"pretend-9000-{os.cpu_count()}-threads"

    def program(self, name, text):
        (self.programs / name).write_text(text)
        (self.programs / name).chmod(0o755)

    def be(self, name, text):
        (self.programs / name).write_text(text)

    def command(self, *words):
        return [sys.executable, "-B", ROOT / "scripts/measure", "--programs", self.programs, "--results", self.results, *words]

    def environment(self):
        hidden = ("DISPLAY", "WAYLAND_DISPLAY")
        return {**{key: value for key, value in os.environ.items() if key not in hidden}, "PATH": f"{self.programs}:{os.environ['PATH']}"}

    def measure(self, *words):
        return subprocess.run(self.command(*words), env=self.environment(), capture_output=True, text=True, timeout=60, check=False)

    def calls(self):
        """The calls since the last question."""
        file = self.programs / "calls"
        calls = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return calls

    def densities(self):
        return [re.search(r"--density (\S+)", call)[1] for call in self.calls()]

    def test_merges_the_parts_of_a_file_and_says_where_the_set_is_from(self):
        done = self.measure("--engine", "cpu", "densities.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.densities(), ["0.01", "0.5", "0.9"])
        lines = (self.set / "densities.csv").read_text().splitlines()
        self.assertEqual(lines[-4:], ["copy,8,0.01,2", "copy,8,0.5,2", "copy,8,0.9,2", "# end, results: 3"])
        self.assertTrue(any(re.fullmatch("# command: warpsieve bench .* --density 0.01,0.5,0.9", line) for line in lines), lines)
        whole = json.loads((self.set / "set.json").read_text())
        self.assertEqual((whole["device"], whole["driver"], whole["commit"]), ("Pretend(R) CPU 9000", "D", "aaaa1111"))
        self.assertEqual(whole["files"]["densities.csv"]["commit"], "aaaa1111")
        self.assertEqual(sorted(path.name for path in self.set.iterdir()), ["densities.csv", "set.json"])

    def test_measures_a_file_once_for_a_commit(self):
        self.measure("--engine", "cpu", "densities.csv")
        self.calls()
        self.assertEqual(self.measure("--engine", "cpu", "densities.csv").returncode, 0)
        self.assertEqual(self.calls(), [])
        self.be("commit", "bbbb2222")
        self.assertEqual(self.measure("--engine", "cpu", "densities.csv").returncode, 0)
        self.assertEqual(len(self.calls()), 3)
        self.assertIn("# commit: bbbb2222", (self.set / "densities.csv").read_text())

    def interrupted(self, number):
        """A call whose second part never ends, ended by a signal."""
        self.be("slow", "--density 0.5")
        with subprocess.Popen(self.command("--engine", "cpu", "densities.csv"), env=self.environment(), stderr=subprocess.DEVNULL) as running:
            deadline = time.monotonic() + 30
            while "--density 0.5" not in ((self.programs / "calls").read_text() if (self.programs / "calls").exists() else ""):
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.05)
            running.send_signal(number)
            status = running.wait(30)
        (self.programs / "slow").unlink()
        return status

    def test_continues_after_a_signal_with_the_parts_that_are_missing(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number.name):
                self.assertEqual(self.interrupted(number), 128 + number)
                self.assertFalse((self.set / "densities.csv").exists())
                self.calls()
                self.assertEqual(self.measure("--engine", "cpu", "densities.csv").returncode, 0)
                self.assertEqual(self.densities(), ["0.5", "0.9"])
                self.assertFalse((self.set / "unfinished").exists())
                shutil.rmtree(self.set)

    def test_continues_after_the_time_limit(self):
        # Each call has time for the part with which it begins alone.
        for call, status in (("0.01", 75), ("0.5", 75), ("0.9", 0)):
            done = self.measure("--engine", "cpu", "--time-limit", "10", "densities.csv")
            self.assertEqual((done.returncode, self.densities()), (status, [call]), done.stderr)

    def test_a_part_that_takes_longer_than_every_call_is_a_failure(self):
        self.be("slow", "--density 0.01")
        done = self.measure("--engine", "cpu", "--time-limit", "1", "densities.csv")
        self.assertEqual(done.returncode, 1)
        self.assertIn("took longer than 1 s: warpsieve bench", done.stderr)

    def test_drops_the_parts_of_another_commit(self):
        self.interrupted(signal.SIGTERM)
        self.be("commit", "bbbb2222")
        self.calls()
        self.assertEqual(self.measure("--engine", "cpu", "densities.csv").returncode, 0)
        self.assertEqual(self.densities(), ["0.01", "0.5", "0.9"])

    def test_goes_on_after_a_program_that_fails_and_names_it(self):
        self.be("wrong", "--variant")
        done = self.measure("--engine", "cpu", "copies.csv", "reading.csv")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"copies.csv: ended with 1: warpsieve bench .*\na wrong result")
        self.assertTrue((self.set / "reading.csv").exists())
        self.assertFalse((self.set / "copies.csv").exists())

    def test_keeps_a_file_that_needs_what_is_not_here(self):
        self.program("nvidia-smi", "#!/bin/sh\necho 'GPU 0: one'\n")
        self.be("device", "NVIDIA H100 80GB HBM3")
        folder = self.results / "nvidia-h100"
        folder.mkdir()
        (folder / "sharded_sockets.csv").write_text("kept")
        done = self.measure("structured.csv", "sharded_sockets.csv", "window_frames.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("nvidia-h100/sharded_sockets.csv stays as it is: needs 2 GPUs, NCCL", done.stderr)
        self.assertIn("nvidia-h100/window_frames.csv stays as it is: needs display", done.stderr)
        self.assertEqual((folder / "sharded_sockets.csv").read_text(), "kept")
        self.assertTrue((folder / "structured.csv").exists())

    def test_takes_the_row_with_the_median_cost_of_several_runs(self):
        done = self.measure("--engine", "cpu", "phase_stamps.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.set / "phase_stamps.csv").read_text().splitlines()
        self.assertIn("# command: 3 x bench_phase_stamps cpu", lines)
        self.assertEqual(lines[-2:], ["algorithm,n,density,cost_us,call_us,costs_us", "spataro,4,0.5,2,20,1 2 3"])

    def test_refuses_programs_of_two_commits(self):
        self.program("bench_phase_stamps", STAMPS.replace("(here / 'commit').read_text()", "'cccc3333'"))
        done = self.measure("--engine", "cpu", "phase_stamps.csv")
        self.assertEqual(done.returncode, 1)
        self.assertIn("a program was built at cccc3333, and warpsieve at aaaa1111", done.stderr)

    def test_puts_the_tables_of_a_reproduction_together(self):
        done = self.measure("--engine", "cpu", "reproduce.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads((self.set / "reproduce.json").read_text())
        self.assertEqual([table["id"] for table in document["tables"]], ["part_1", "qian"])
        self.assertIn("--table part_1 --table qian", document["engines"][0]["command"])
        self.assertIn(str(self.set / "reproduce.json"), (self.results / "reproduce.html").read_text())

    def test_a_program_that_is_not_built_is_named(self):
        (self.programs / "bench_phase_stamps").unlink()
        self.assertIn("bench_phase_stamps is not built", self.measure("--engine", "cpu", "phase_stamps.csv").stderr)

    def test_knows_every_committed_result(self):
        done = subprocess.run([sys.executable, "-B", ROOT / "scripts/measure", "--list"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotIn("no command makes it", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^nvidia-h200/lengths.csv .* GPU .* warpsieve bench --engine cuda")
        self.assertIn("written by hand", done.stdout)

    def test_says_how_old_a_result_is(self):
        folder = self.results / "nvidia-h200"
        folder.mkdir()
        (folder / "lengths.csv").write_text("# device: NVIDIA H200\n# commit: 0000000\n")
        listed = self.measure("--list").stdout
        self.assertRegex(listed, r"lengths.csv +0000000 +of a commit that is not in this repository")
        self.assertRegex(listed, r"wide.csv +not measured")


if __name__ == "__main__":
    unittest.main()
