"""The end of a run without a window: signals, and files that cannot be written. Nothing measured may be lost."""

import csv
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import time
import unittest

import program

RUN = ("--headless", "--engine", "cpu", "--slots", "4096", "--size", "320x200")
ENDLESS = (*RUN, "--frames", "100000")
CODES = {signal.SIGINT: (130, "Ctrl-C"), **{number: (128 + number, number.name) for number in (
    signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM)}}
BENCH = ("bench", "--engine", "cpu", "--n", "1..10000", "--time-limit", "0.05", "--quiet", "--csv", "run.csv")
OUTPUTS = ("--csv", "run.csv", "--json", "run.json", "--screenshot", "run.png")


class RunEndTest(unittest.TestCase):
    def setUp(self):
        self.folder = program.output_folder(self._testMethodName)

    def start(self, *arguments, env=None, **more):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        process = subprocess.Popen([str(program.paths.warpsieve), *arguments], cwd=self.folder, text=True,
                                   env=program.environment(self.folder, **(env or {})), **pipes)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        process.kill()
        process.communicate()

    def wait_for_first_frame(self, process):
        """Returns what the program wrote to stderr until then."""
        said = ""
        while "first frame" not in said:
            line = process.stderr.readline()
            self.assertTrue(line, f"the program ended: {said}")
            said += line
        return said

    def check_outputs(self):
        rows = list(csv.DictReader((self.folder / "run.csv").read_text(encoding="utf-8").splitlines()))
        self.assertGreater(len(rows), 0)
        report = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        self.assertEqual(report["check"]["wrong"], 0)
        self.assertEqual(program.png_size(self.folder / "run.png"), (320, 200))
        return rows


class FramesPerSecond(RunEndTest):
    def test_the_time_of_the_picture_does_not_count(self):
        run = program.run(self.folder, *RUN[:-2], "--size", "1920x1080", "--frames", "16", "--csv", "run.csv",
                          "--json", "run.json", "--screenshot", "run.png")
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = csv.DictReader((self.folder / "run.csv").read_text(encoding="utf-8").splitlines())
        frames_us = [float(row["frame_us"]) for row in rows]
        usual_us = statistics.median(frames_us)
        self.assertLess(frames_us[-1], 3 * usual_us, "writing a PNG of this size takes several frames")
        rate = float(re.search(r"after warm-up ([0-9.]+) frames/s", run.stderr)[1])
        self.assertGreater(rate, 0.5e6 / usual_us)


class Signals(RunEndTest):
    def test_a_signal_keeps_what_was_measured(self):
        for number, (code, name) in CODES.items():
            with self.subTest(name):
                running = self.start(*ENDLESS, *OUTPUTS)
                self.wait_for_first_frame(running)
                running.send_signal(number)
                stdout, stderr = running.communicate(timeout=60)
                self.assertEqual(running.returncode, code, stderr)
                self.assertEqual(stderr.count(f"{name} ended the run after "), 1, stderr)
                self.assertIn("cpu_sequence_wise on ", stdout)
                rows = self.check_outputs()
                self.assertIn(f"after {len(rows)} frame", stderr)

    def test_a_signal_at_any_moment_leaves_no_broken_file(self):
        for step in range(12):
            for file in self.folder.glob("run.*"):
                file.unlink()
            running = self.start(*ENDLESS, *OUTPUTS)
            time.sleep(0.02 * step)
            running.send_signal(signal.SIGINT)
            stdout, stderr = running.communicate(timeout=60)
            # Before main() the signal has its default effect.
            self.assertIn(running.returncode, (130, -signal.SIGINT), stderr)
            if "ended the run after" in stderr:
                self.check_outputs()
            else:
                self.assertEqual(stdout, "")
                self.assertEqual(list(self.folder.glob("run.*")), [])

    def test_two_signals_at_once_count_as_one(self):
        running = self.start(*ENDLESS, *OUTPUTS)
        self.wait_for_first_frame(running)
        # timeout(1) and terminals send a signal twice. The pause lets the first one arrive alone.
        running.send_signal(signal.SIGTERM)
        time.sleep(0.005)
        running.send_signal(signal.SIGTERM)
        _, stderr = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 143, stderr)
        self.check_outputs()

    def test_the_second_signal_ends_the_program_at_once(self):
        os.mkfifo(self.folder / "pipe.csv")
        running = self.start(*ENDLESS, "--csv", "pipe.csv")
        self.wait_for_first_frame(running)
        running.send_signal(signal.SIGINT)
        # Nobody reads the pipe, so the program cannot end by itself.
        with self.assertRaises(subprocess.TimeoutExpired):
            running.wait(timeout=0.5)
        running.send_signal(signal.SIGINT)
        self.assertEqual(running.wait(timeout=10), -signal.SIGINT)

    def test_ignored_signals_stay_ignored(self):
        running = self.start(*RUN, "--frames", "200",
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.wait_for_first_frame(running)
        running.send_signal(signal.SIGHUP)
        _, stderr = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 0, stderr)

    def test_a_signal_during_a_kernel_of_the_simulated_gpu(self):
        for step in range(8):
            running = self.start("--headless", "--engine", "simulated", "--slots", "65536", "--size", "320x200", "--iterations", "64",
                                 "--frames", "1000", "--csv", "run.csv")
            time.sleep(0.4 + 0.07 * step)
            running.send_signal(signal.SIGTERM)
            _, stderr = running.communicate(timeout=60)
            self.assertEqual(running.returncode, 143, stderr)
            self.assertNotIn("failed", stderr)

    def test_a_signal_ends_a_first_call(self):
        running = self.start("first-call", "cpu_loop", str(1 << 28), "random", "0.5")
        program.wait_for("the first call", lambda: program.processor_s(running) > 0.1)
        running.send_signal(signal.SIGTERM)
        self.assertEqual(running.wait(timeout=60), -signal.SIGTERM)

    def test_bench_stops_while_it_prepares_a_long_stream(self):
        (self.folder / "run.csv").write_text("of an earlier run", encoding="utf-8")
        running = self.start("bench", "--engine", "cpu", "--algorithm", "cpu_loop", "--n", "2^28", "--csv", "run.csv")
        program.wait_for("the stream", lambda: program.processor_s(running) > 0.2)
        running.send_signal(signal.SIGTERM)
        _, stderr = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 143, stderr)
        self.assertIn("SIGTERM ended the measurement before there was a result; no file was written.", stderr)
        self.assertEqual((self.folder / "run.csv").read_text(encoding="utf-8"), "of an earlier run")


class StuckRun(RunEndTest):
    """A main thread that the kernel does not wake for a signal, as in a driver whose GPU does not answer, and a busy disk."""

    def setUp(self):
        super().setUp()
        compiler = shutil.which("cc") or shutil.which("c++")
        if not compiler:
            self.skipTest("there is no C compiler")
        source = pathlib.Path(__file__).parent / "stuck_calls.c"
        subprocess.run([compiler, "-shared", "-fPIC", "-o", self.folder / "stuck_calls.so", source], check=True)

    def start_to_be_stuck(self, *arguments):
        return self.start(*arguments, env={"LD_PRELOAD": "./stuck_calls.so"})

    def end_while_it_hangs(self, *arguments):
        """What the program said until a signal ended it."""
        running = self.start_to_be_stuck(*arguments)
        program.wait_for("results on the disk", lambda: list(self.folder.glob("run.*")))
        (self.folder / "hang").touch()
        time.sleep(0.3)
        sent = time.monotonic()
        running.send_signal(signal.SIGTERM)
        _, stderr = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 143, stderr)
        self.assertLess(time.monotonic() - sent, program.LONGEST_S)
        self.assertIn("SIGTERM could not end the run in time: the display, the GPU or a disk may not answer.", stderr)
        self.assertEqual(list(self.folder.glob(".warpsieve-*")), [])

    def test_bench_keeps_what_was_written_last(self):
        self.end_while_it_hangs(*BENCH)
        lines = (self.folder / "run.csv").read_text(encoding="utf-8").splitlines()
        self.assertIn("# interrupted: the remaining settings were not measured", lines)
        self.assertRegex(lines[-1], "# end, results: [1-9]")

    def test_a_long_stream_is_on_the_disk_before_its_end(self):
        self.end_while_it_hangs("bench", "--engine", "cpu", "--algorithm", "cpu_loop,cpu_simd", "--n", "2^10", "--min-samples", "100000",
                                "--time-limit", "1000", "--csv", "run.csv")
        lines = (self.folder / "run.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual([line.split(",")[0] for line in lines if line[0] != "#"], ["algorithm", "copy", "cpu_loop", "cpu_simd"])

    def test_a_run_offscreen_keeps_what_was_written_last(self):
        self.end_while_it_hangs(*ENDLESS, "--csv", "run.csv", "--json", "run.json")
        rows = list(csv.DictReader((self.folder / "run.csv").read_text(encoding="utf-8").splitlines()))
        self.assertGreater(len(rows), 3)

    def test_a_busy_disk_does_not_delay_the_end(self):
        results = [self.folder / name for name in ("run.csv", "run.json", "run.md")]
        (self.folder / "busy_disk").touch()  # each fsync takes 4 s
        running = self.start_to_be_stuck(*BENCH, "--json", "run.json", "--markdown", "run.md")
        program.wait_for("results on the disk", lambda: all(each.exists() for each in results))
        sent = time.monotonic()
        running.send_signal(signal.SIGTERM)
        _, stderr = running.communicate(timeout=60)
        self.assertLess(time.monotonic() - sent, 8, "more than one file waited for the disk")
        self.assertEqual(running.returncode, 143, stderr)
        self.assertIn("SIGTERM ended the measurement", stderr)


class Outputs(RunEndTest):
    FILES = {"--csv": "run.csv", "--json": "run.json", "--screenshot": "run.png"}

    def test_a_file_that_cannot_be_written_does_not_lose_the_others(self):
        for full in self.FILES:
            with self.subTest(full):
                for file in self.folder.glob("run.*"):
                    file.unlink()
                files = {**self.FILES, full: "/dev/full"}
                done = program.run(self.folder, *RUN, "--frames", "5", *(part for pair in files.items() for part in pair))
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertEqual(done.stderr.count("/dev/full cannot be written: No space left on device."), 1)
                self.assertIn("cpu_sequence_wise on ", done.stdout)
                for option, name in self.FILES.items():
                    self.assertEqual((self.folder / name).exists(), option != full, name)

    def test_each_file_that_cannot_be_written_is_named(self):
        full = self.folder / "full.png"
        full.symlink_to("/dev/full")
        done = program.run(self.folder, *RUN, "--frames", "5", "--csv", "/dev/full", "--screenshot", full, "--json",
                           "run.json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("/dev/full cannot be written", done.stderr)
        self.assertIn(f"{full} cannot be written", done.stderr)
        self.assertTrue((self.folder / "run.json").exists())

    def test_a_closed_pipe_on_stdout_does_not_lose_the_files(self):
        reader, writer = os.pipe()
        os.close(reader)
        running = self.start(*RUN, "--frames", "5", *OUTPUTS, stdout=writer)
        os.close(writer)
        running.communicate(timeout=60)
        self.assertGreaterEqual(running.returncode, 0, "the program was killed")
        self.check_outputs()

    def test_a_folder_that_is_not_utf8_does_not_lose_the_json(self):
        done = program.run(self.folder, *RUN, "--frames", "5", *OUTPUTS, "--capture-folder", b"caf\xe9".decode(
            "utf-8", "surrogateescape"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_outputs()


if __name__ == "__main__":
    program.main()
