"""scripts/time-frames: measures frames with and without output files, and writes a result file."""

import csv
import pathlib
import subprocess
import sys
import unittest

import program

SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "scripts/time-frames"


class TimeFramesTest(unittest.TestCase):
    def setUp(self):
        self.folder = program.output_folder(self._testMethodName)

    def time(self, *arguments):
        return subprocess.run([sys.executable, str(SCRIPT), "--engine", "cpu", "--slots", "2^12", "--compactions", "1", "--size", "320x200",
                               *arguments],
                              cwd=self.folder, env=program.environment(self.folder), capture_output=True, text=True, check=False,
                              timeout=120)

    def test_every_combination_of_outputs(self):
        done = self.time("--frames", "66", "--runs", "2", "outputs", str(program.paths.warpsieve), "out.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.folder / "out.csv").read_text(encoding="utf-8").splitlines()
        heading = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
        self.assertEqual(heading["engine"], "cpu")
        self.assertEqual(heading["command"], "scripts/time-frames --frames 66 --size 320x200 outputs")
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
        files = ["none", "CSV and JSON", "CSV, JSON and screenshot"]
        self.assertEqual([(row["files"], row["run"]) for row in rows], [(name, run) for name in files for run in "12"])
        for row in rows:
            self.assertGreater(float(row["frames_per_s"]), 0)
            self.assertGreater(int(row["first_frame_ms"]), 0)
            if row["files"] == "none":
                self.assertEqual(row["median_us"], "")
                continue
            self.assertEqual(int(row["frames"]), 5)
            self.assertLessEqual(float(row["median_us"]), float(row["longest_us"]))
            self.assertLess(float(row["simulate_us"]), float(row["median_us"]))

    def test_a_run_that_fails_leaves_no_file(self):
        done = self.time("--frames", "66", "--runs", "1", "headless", "/bin/false", "out.csv")
        self.assertEqual(done.returncode, 1)
        self.assertIn("ended with 1", done.stderr)
        self.assertFalse((self.folder / "out.csv").exists())

    def test_a_window_needs_a_display(self):
        done = self.time("--frames", "66", "--runs", "1", "window", str(program.paths.warpsieve), "out.csv")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no display", done.stderr)

    def test_runs_without_frames_after_the_warm_up_are_refused(self):
        done = self.time("--frames", "61", "--runs", "1", "headless", str(program.paths.warpsieve), "out.csv")
        self.assertEqual(done.returncode, 1)
        self.assertIn("more than 61 frames are needed", done.stderr)


if __name__ == "__main__":
    program.main()
