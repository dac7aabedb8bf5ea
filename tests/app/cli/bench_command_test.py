"""`warpsieve bench` from its command line, on the CPU engine: exit codes, what it says, and the files it writes."""

import csv
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import time
import unittest

import program

OK, FAILURE, USAGE, REGRESSION, NO_DEVICE, INTERRUPTED = 0, 1, 2, 4, 77, 130
QUICK = ("--engine", "cpu", "--cache", "hot", "--time-limit", "0.04")
ONE = (*QUICK, "--algorithm", "cpu_loop", "--n", "4096")
TIMES = ("min_us", "q1_us", "median_us", "q3_us", "max_us", "median_low_us", "median_high_us")


def read_csv(file):
    """The rows of a file of results, and its comments."""
    lines = file.read_text(encoding="utf-8").splitlines()
    comments = [line[2:] for line in lines if line.startswith("#")]
    return list(csv.DictReader(line for line in lines if not line.startswith("#"))), comments


class BenchTest(unittest.TestCase):
    def setUp(self):
        self.folder = program.output_folder(self._testMethodName)

    def expect(self, code, *arguments, says=()):
        """Runs the command; it must exit with `code` and say each of `says` on stderr, in one sentence each."""
        return self.check(program.run(self.folder, "bench", *arguments), code, arguments, says)

    def expect_verdict(self, code, *arguments, says=()):
        """As expect(), on the first run without throttled samples, which carry no verdict."""
        for _ in range(10):
            done = program.run(self.folder, "bench", *arguments)
            if "had throttled samples" not in done.stdout:
                return self.check(done, code, arguments, says)
        self.skipTest("in each of ten runs, the clock of the processor fell below three quarters of its highest")

    def check(self, done, code, arguments, says):
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stdout}{done.stderr}")
        for words in says:
            self.assertIn(words, done.stderr)
        return done


class Usage(BenchTest):
    def test_help_has_every_flag_and_examples(self):
        text = self.expect(OK, "--help").stdout
        flags = ("--algorithm --n --density --pattern --item-bytes --vector-width --threads --blocks --sequences "
                 "--variant --cache --seed --engine --csv --json --markdown --against --baseline --processes --max-regress --time-limit "
                 "--min-samples --phases --quiet --gpus")
        for flag in flags.split():
            self.assertIn(flag, text)
        self.assertIn("warpsieve bench --n 2^20 --density 0.5 --csv results.csv", text)

    def test_the_program_tells_of_the_command(self):
        done = program.run(self.folder, "--help")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("warpsieve bench", done.stdout)

    def test_invalid_values_are_reported(self):
        messages = {
            ("--n", "0"): "n = 0",
            ("--n", "many"): "'many' is not a count",
            ("--n", "2^12..2^10"): "is an empty range",
            ("--n", "2^50"): "too long for cpu_loop",
            ("--density", "1.5"): "'1.5' is not a fraction",
            ("--pattern", "chessboard"): "there is no pattern 'chessboard'; choose from: empty, full",
            ("--item-bytes", "5"): "choose from: 4, 8, 16",
            ("--phases", "sometimes"): "--phases",
            ("--phases", "subtraction"): "cannot end it early. Use --phases stamps",
            ("--engine", "simulated"): "a simulated GPU has no times to measure; use cuda or cpu",
            ("--engine", "gpu"): "there is no engine gpu; use cuda or cpu",
            ("--cache", "lukewarm"): "choose from: cold, hot",
            ("--vector-width", "quad"): "cpu_loop has no option 'vector width'",
            ("--time-limit", "nan"): "--time-limit",
            ("--time-limit", "0"): "--time-limit",
            ("--min-samples", "0"): "--min-samples",
            ("--max-regress", "3"): "--against",
            ("--processes", "1"): "--processes 1 is not legal; legal values are 2 to 1000",
            ("--processes", "2", "--json", "a.json"): "--json holds the results of one process",
            ("--baseline", "missing.csv"): "missing.csv cannot be read: No such file or directory. Name a file that --csv or --json wrote.",
            ("--no-such-flag",): "--no-such-flag",
            ("stray",): "stray",
        }
        for arguments, words in messages.items():
            done = self.expect(USAGE, *("--algorithm", "cpu_loop"), *arguments, says=(words,))
            self.assertEqual(done.stdout, "", arguments)
        done = self.expect(USAGE, "--engine", "cpu", "--algorithm", "no_such",
                           says=("no_such", "cpu_loop", "cpu_copy", "all, steps, copies, counts, scans.", "--list"))
        self.assertNotIn("cub_select", done.stderr, "the CPU engine cannot measure it")
        self.expect(USAGE, "--engine", "cpu", "--algorithm", "cub_select", says=("cub_select", "cuda"))
        self.expect(USAGE, "--engine", "cpu", "--algorithm", "cpu_sequence_wise", "--vector-width", "3",
                    says=("scalar", "pair", "quad"))

    def test_several_gpus_take_few_options(self):
        self.expect(USAGE, "--gpus", "0", says=["--gpus 0: 1 to 64 are legal"])
        self.expect(USAGE, "--gpus", "many", says=["'many' is not a count"])
        for other in (("--algorithm", "copy"), ("--engine", "cpu"), ("--phases",), ("--json", "a.json"), ("--threads", "64")):
            self.expect(USAGE, "--gpus", "1,2", *other, says=["Of the other options it takes --n"])

    def test_several_gpus_need_a_program_or_a_gpu(self):
        done = program.run(self.folder, "bench", "--gpus", "1", "--n", "4096", "--time-limit", "0.01")
        if done.returncode != OK:
            self.assertEqual(done.returncode, NO_DEVICE, done.stderr)
            self.assertRegex(done.stderr, "needs the program warpsieve-gpus|CUDA")

    def test_a_missing_gpu_is_reported(self):
        listed = program.run(self.folder, "--list").stdout
        if "CUDA engine: available" in listed:
            self.skipTest("there is a GPU")
        self.expect(NO_DEVICE, "--engine", "cuda", "--algorithm", "copies")

    def test_a_stream_that_does_not_fit_is_reported_with_one_that_does(self):
        self.expect(FAILURE, *QUICK, "--algorithm", "cpu_loop", "--n", "2^39",
                    says=("n = 2^39 needs", "is free on", "would fit"))
        done = self.expect(OK, *QUICK, "--algorithm", "cpu_loop", "--n", "4096,2^39", says=("n = 2^39 needs",))
        self.assertIn("cpu_loop", done.stdout)


class ManySettings(BenchTest):
    MILLION = ("--engine", "cpu", "--algorithm", "cpu_loop", "--n", "1..10000", "--seed", "1..100", "--cache", "hot", "--time-limit",
               "0.001", "--min-samples", "1", "--csv", "run.csv")

    def start(self):
        running = subprocess.Popen([program.paths.warpsieve, "bench", *self.MILLION], cwd=self.folder, text=True,
                                   env=program.environment(self.folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(running.communicate)
        self.addCleanup(running.kill)
        return running

    def test_a_million_start_at_once_and_take_little_memory(self):
        running = self.start()
        self.assertIn("1,000,000 settings are measured, which takes up to", running.stderr.readline())
        program.wait_for("results", (self.folder / "run.csv").exists)
        status = pathlib.Path(f"/proc/{running.pid}/status").read_text(encoding="utf-8")
        self.assertLess(int(re.search(r"VmHWM:\s+(\d+)", status)[1]), 400_000, "KiB")

    def test_a_signal_ends_a_million_at_once(self):
        took_s = []
        for delay_s in (0.05, 0.2, 0.4, 0.8, 1.6):
            running = self.start()
            time.sleep(delay_s)
            running.send_signal(signal.SIGINT)
            sent = time.monotonic()
            _, stderr = running.communicate(timeout=60)
            self.assertIn(running.returncode, (INTERRUPTED, -signal.SIGINT), stderr)
            took_s.append(time.monotonic() - sent)
        self.assertLess(max(took_s), program.LONGEST_S)
        self.assertLess(min(took_s), 2)

    def test_more_are_refused(self):
        started = time.monotonic()
        self.expect(USAGE, *QUICK, "--algorithm", "cpu_loop", "--n", "1..10000", "--seed", "1..10000",
                    says=("the axes have more than 1,000,000 combinations",))
        self.expect(USAGE, *QUICK, "--algorithm", "cpu_loop", *(word for i in range(11) for word in ("--n", f"{i}000..{i}999")),
                    says=("--n: there are more than 10000 values",))
        self.assertLess(time.monotonic() - started, program.LONGEST_S)

    def test_many_reasons_are_not_all_said(self):
        done = self.expect(USAGE, *QUICK, "--algorithm", "cpu_single_pass,cpu_sequence_wise", "--threads", "1..10000")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        done = self.expect(OK, *QUICK, "--algorithm", "cpu_loop,cpu_simd,cpu_single_pass", "--threads", "1,2", "--n", "1..3",
                           "--min-samples", "1")
        self.assertLess(len(done.stderr.splitlines()), 30, done.stderr)


class Measuring(BenchTest):
    def test_a_grid_makes_a_table_and_three_files(self):
        done = self.expect(OK, *QUICK, "--algorithm", "cpu_loop,cpu_sequence_wise", "--n", "2^10..2^12:2",
                           "--density", "0.25", "--phases", "--csv", "out.csv", "--json", "out.json",
                           "--markdown", "out.md")
        for words in ("median µs", "useful GB/s", "% of copy bandwidth", "% of floor", "2^10", "2^12", "cpu_loop", "density = 0.25",
                      "by stamps", "between calls"):
            self.assertIn(words, done.stdout)
        self.assertNotIn("\r", done.stderr, "progress is for terminals")
        rows, comments = read_csv(self.folder / "out.csv")
        self.assertEqual([(row["algorithm"], row["n"]) for row in rows],
                         [("copy", "1024"), ("copy", "4096"), ("cpu_loop", "1024"), ("cpu_sequence_wise", "1024"),
                          ("cpu_loop", "4096"), ("cpu_sequence_wise", "4096")])
        self.assertTrue(any(line.startswith("command: warpsieve bench --engine cpu") for line in comments), comments)
        for row in rows:
            self.check_row(row)
        self.check_json(rows)
        markdown = (self.folder / "out.md").read_text(encoding="utf-8")
        self.assertIn("| algorithm | n | median µs |", markdown)

    def check_row(self, row):
        median, low, high = (float(row[name]) for name in ("median_us", "median_low_us", "median_high_us"))
        self.assertGreater(float(row["min_us"]), 0)
        self.assertLessEqual(float(row["min_us"]), float(row["q1_us"]))
        self.assertLessEqual(float(row["q1_us"]), median)
        self.assertLessEqual(median, float(row["q3_us"]))
        self.assertTrue(low <= median <= high)
        self.assertGreaterEqual(int(row["samples"]), 10)
        self.assertEqual(row["wrong"], "")
        if row["algorithm"] == "copy":
            return
        n, kept = int(row["n"]), int(row["kept"])
        self.assertAlmostEqual(kept, 0.25 * n, delta=0.1 * n)
        self.assertAlmostEqual(float(row["useful_gb_s"]), 4e-3 * (n + kept) / median, delta=0.01 * n / median)
        self.assertGreaterEqual(int(row["calls_checked"]), int(row["samples"]))

    def check_json(self, rows):
        document = json.loads((self.folder / "out.json").read_text(encoding="utf-8"))
        self.assertEqual(document["format"], "warpsieve-bench")
        for field in ("device", "driver", "commit", "command", "date"):
            self.assertTrue(document["machine"][field], field)
        for row, result in zip(rows[2:], document["results"], strict=True):
            self.assertEqual(result["setting"]["algorithm"], row["algorithm"])
            self.assertAlmostEqual(result["median_us"], float(row["median_us"]), delta=1e-5 * result["median_us"])
            self.assertEqual(len(result["samples_us"]), int(row["samples"]))
            self.check_phases(result)

    def check_phases(self, result):
        self.assertTrue(result["phases"])
        for phase in result["phases"]:
            self.assertGreater(phase["by_stamps_us"]["median"], 0)
            self.assertNotIn("by_subtraction_us", phase)
        self.assertGreaterEqual(result["between_us"]["median"], 0)

    def test_steps_wide_items_and_cold_streams(self):
        done = self.expect(OK, "--engine", "cpu", "--time-limit", "0.04", "--algorithm", "copies,counts,scans",
                           "--n", "2^16", "--seed", "3")
        for algorithm in ("cpu_copy", "cpu_count", "cpu_scan"):
            self.assertIn(algorithm, done.stdout)
        done = self.expect(OK, *QUICK, "--algorithm", "cpu_loop", "--n", "2^10-3", "--item-bytes", "8,16",
                           "--pattern", "runs", "--quiet", "--csv", "wide.csv")
        self.assertEqual(done.stdout, "")
        rows, _ = read_csv(self.folder / "wide.csv")
        self.assertEqual([row["item_bytes"] for row in rows], ["8", "16"] * 2)

    def test_illegal_combinations_are_left_out_with_a_message(self):
        done = self.expect(OK, *QUICK, "--algorithm", "all", "--n", "1024", "--vector-width", "scalar,quad",
                           says=("left out: cpu_loop has no option 'vector width'",))
        self.assertEqual(done.stderr.count("cpu_loop has no option"), 1)
        self.assertIn("quad", done.stdout)

    def test_a_terminal_gets_a_progress_bar(self):
        ours, theirs = pty.openpty()
        done = subprocess.run([str(program.paths.warpsieve), "bench", *ONE], stderr=theirs, stdout=subprocess.PIPE,
                              cwd=self.folder, env=program.environment(self.folder), timeout=60, check=False)
        os.close(theirs)
        shown = os.read(ours, 65536).decode()
        os.close(ours)
        self.assertEqual(done.returncode, OK)
        self.assertIn("0 of 1, about", shown)
        self.assertTrue(shown.endswith("\r\x1b[K"), "the bar is removed at the end")

    def test_a_full_disk_is_reported_and_the_table_is_printed(self):
        done = self.expect(FAILURE, *ONE, "--csv", "/dev/full", says=("/dev/full cannot be written", "No space left"))
        self.assertIn("cpu_loop", done.stdout)
        self.expect(FAILURE, *ONE, "--json", "missing/out.json", says=("missing/out.json cannot be written",))

    def test_ctrl_c_keeps_what_was_measured(self):
        file = self.folder / "kept.csv"
        arguments = [str(program.paths.warpsieve), "bench", "--engine", "cpu", "--cache", "hot", "--time-limit", "0.3",
                     "--algorithm", "cpu_loop", "--n", "1024..20000:10", "--csv", str(file)]
        running = subprocess.Popen(arguments, cwd=self.folder, env=program.environment(self.folder),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        program.wait_for("a result", file.exists, 60)
        running.send_signal(signal.SIGINT)
        stdout, stderr = running.communicate(timeout=60)
        self.assertEqual(running.returncode, INTERRUPTED, stderr)
        self.assertIn("Ctrl-C ended the measurement; its ", stderr)
        self.assertIn("cpu_loop", stdout)
        rows, comments = read_csv(file)
        self.assertGreaterEqual(sum(row["algorithm"] == "cpu_loop" for row in rows), 1)
        self.assertTrue(comments[-1].startswith("end, results: "), comments[-1])


    def test_a_child_ends_with_its_parent(self):
        arguments = [str(program.paths.warpsieve), "bench", "--engine", "cpu", "--algorithm", "cpu_loop", "--n", "2^10", "--min-samples",
                     "100000", "--time-limit", "1000", "--processes", "2"]
        running = subprocess.Popen(arguments, cwd=self.folder, env=program.environment(self.folder), stderr=subprocess.DEVNULL)
        def children():
            return [child for thread in pathlib.Path(f"/proc/{running.pid}/task").glob("*/children") for child in thread.read_text().split()]
        program.wait_for("a child", children)
        child = pathlib.Path("/proc") / children()[0]
        time.sleep(0.5)  # it has begun to measure
        running.kill()
        running.wait()
        program.wait_for("the end of the child", lambda: not child.exists() or "Z" in (child / "stat").read_text().rpartition(")")[2][:3], 20)

    def test_ctrl_c_keeps_whole_processes(self):
        file = self.folder / "kept.csv"
        arguments = [str(program.paths.warpsieve), "bench", *ONE, "--processes", "1000", "--csv", str(file)]
        running = subprocess.Popen(arguments, cwd=self.folder, env=program.environment(self.folder),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        program.wait_for("a result", file.exists, 60)
        running.send_signal(signal.SIGINT)
        _, stderr = running.communicate(timeout=60)
        self.assertEqual(running.returncode, INTERRUPTED, stderr)
        rows, comments = read_csv(file)
        self.assertEqual([row["process"] for row in rows], [str(1 + i // 2) for i in range(len(rows))])
        self.assertIn("interrupted: the remaining processes were not started", comments)


class Comparing(BenchTest):
    """Times that the tests compare are changed, so that verdicts do not depend on how busy the machine is."""

    def setUp(self):
        super().setUp()
        self.expect(OK, *ONE, "--csv", "now.csv", "--json", "now.json")

    def changed_json(self, name, factor):
        """The JSON results with all times multiplied."""
        document = json.loads((self.folder / "now.json").read_text(encoding="utf-8"))
        for result in document["results"] + document["copies"]:
            result["median_us"] *= factor
            for key in ("min", "q1", "median", "q3", "max"):
                result["summary_us"][key] *= factor
            for end in ("low", "high"):
                result["median_interval_us"][end] *= factor
        (self.folder / name).write_text(json.dumps(document), encoding="utf-8")
        return name

    def changed_csv(self, name, change):
        """The file with `change` applied to each row, a dictionary."""
        lines = (self.folder / name).read_text(encoding="utf-8").splitlines()
        table = [line for line in lines if not line.startswith("#")]
        columns = table[0].split(",")
        with (self.folder / f"changed_{name}").open("w", encoding="utf-8", newline="") as file:
            file.writelines(f"{line}\n" for line in lines if line.startswith("#") and not line.startswith("# end"))
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(change(row) for row in csv.DictReader(table))
            file.write(lines[-1] + "\n")
        return f"changed_{name}"

    def faster_csv(self, name):
        """The file with times so short that an interrupted process of three does not hide the difference."""
        return self.changed_csv(name, lambda row: {**row, "throttled": "0", **{
            key: f"{float(row[key]) / 10000:.9g}" for key in TIMES}})

    def slow_program(self, name, delay):
        """A script that runs the program and then multiplies its times by `delay`."""
        script = self.folder / name
        script.write_text(f"""#!/usr/bin/env python3
import csv, pathlib, subprocess, sys
code = subprocess.run([{str(program.paths.warpsieve)!r}, *sys.argv[1:]]).returncode
file = pathlib.Path(sys.argv[sys.argv.index("--csv") + 1])
lines = file.read_text().splitlines()
rows = list(csv.reader(line for line in lines if not line.startswith("#")))
for row in rows[1:]:
    for column in {TIMES}:
        index = rows[0].index(column)
        row[index] = str(float(row[index]) * {delay})
with file.open("w") as out:
    out.writelines(line + chr(10) for line in lines if line.startswith("#") and not line.startswith("# end"))
    csv.writer(out, lineterminator=chr(10)).writerows(rows)
    out.write(lines[-1] + chr(10))
sys.exit(code)
""", encoding="utf-8")
        script.chmod(0o755)
        return f"./{name}"

    def test_results_of_one_process_tell_of_two_runs_only(self):
        fast = self.changed_json("fast.json", 0.01)
        earlier, _ = read_csv(self.folder / "now.csv")
        for flag in ("--against", "--baseline"):
            done = self.expect(OK, *ONE, flag, fast, "--csv", "verdicts.csv")
            rows, _ = read_csv(self.folder / "verdicts.csv")
            if any(float(row["coverage"]) < 0.95 or int(row["throttled"]) for row in (earlier[-1], rows[-1])):
                self.assertEqual([row["verdict"] for row in rows], ["", ""], "dependent or throttled samples carry no verdict")
                continue
            self.assertRegex(done.stdout, r"differs between these two runs: \S+ \(\S+ to \S+\) times \S+ µs")
            self.assertEqual([row["verdict"] for row in rows], ["", "differs"])
        self.expect(OK, *ONE, "--against", "now.csv")

    def test_results_of_one_process_are_no_reason_to_fail(self):
        for more in (("--max-regress", "5"), ("--processes", "2")):
            done = self.expect(USAGE, *ONE, "--against", "now.csv", *more,
                               says=("now.csv has the results of one process, and " + more[0] + " needs several",
                                     "--processes 6 --csv"))
            self.assertEqual(done.stdout, "")

    def test_processes_are_written_and_compared(self):
        done = self.expect(OK, *ONE, "--processes", "3", "--csv", "three.csv", "--markdown", "three.md")
        self.assertIn("processes differ by %", done.stdout)
        rows, comments = read_csv(self.folder / "three.csv")
        self.assertEqual([(row["algorithm"], row["process"], row["program"]) for row in rows],
                         [(name, process, "this") for process in "123" for name in ("copy", "cpu_loop")])
        self.assertTrue(any(line.startswith("command: warpsieve bench --engine cpu") and "--processes 3" in line
                            for line in comments), comments)
        self.assertIn("| cpu_loop |", (self.folder / "three.md").read_text(encoding="utf-8"))
        fast = self.faster_csv("three.csv")
        done = self.expect_verdict(REGRESSION, *ONE, "--processes", "3", "--against", fast, "--max-regress", "5",
                                   "--csv", "verdicts.csv", says=("slower than allowed: cpu_loop, n = 2^12",))
        self.assertIn("Not interleaved", done.stdout)
        rows, _ = read_csv(self.folder / "verdicts.csv")
        self.assertEqual({row["verdict"] for row in rows if row["algorithm"] == "cpu_loop"}, {"slower"})
        done = self.expect_verdict(OK, *ONE, "--processes", "3", "--against", fast)
        self.assertIn("slower", done.stdout)

    def test_another_program_runs_in_turn(self):
        fast = self.slow_program("fast", 0.0001)
        done = self.expect_verdict(REGRESSION, *ONE, "--against", fast, "--processes", "3", "--max-regress", "3", "--csv",
                                   "both.csv", says=("slower than allowed: cpu_loop",))
        self.assertNotIn("Not interleaved", done.stdout)
        rows, _ = read_csv(self.folder / "both.csv")
        self.assertEqual([(row["process"], row["program"]) for row in rows if row["algorithm"] == "cpu_loop"],
                         [("1", "other"), ("1", "this"), ("2", "this"), ("2", "other"), ("3", "other"), ("3", "this")])
        slow = self.slow_program("slow", 10000)
        done = self.expect_verdict(OK, *ONE, "--against", slow, "--processes", "3", "--max-regress", "0")
        self.assertIn("faster", done.stdout)

    def test_another_version_is_no_reason_to_fail(self):
        self.expect(OK, *ONE, "--processes", "3", "--csv", "three.csv")
        fast = self.faster_csv("three.csv")
        text = (self.folder / fast).read_text(encoding="utf-8")
        for old, new, words in (("# version: ", "# version: 9.", "by version 9."), ("# device: ", "# device: Not ", "on Not ")):
            (self.folder / "other.csv").write_text(text.replace(old, new), encoding="utf-8")
            done = self.expect(OK, *ONE, "--processes", "3", "--against", "other.csv", "--max-regress", "3")
            self.assertIn("No regression is judged: the other results were measured " + words, done.stdout)

    def test_a_program_that_fails_ends_the_run(self):
        (self.folder / "broken").write_text("#!/bin/sh\necho no such option >&2\nexit 2\n", encoding="utf-8")
        (self.folder / "broken").chmod(0o755)
        self.expect(USAGE, *ONE, "--against", "./broken", says=("no such option", "broken ended with exit code 2"))

    def test_a_setting_that_is_there_twice_is_refused(self):
        lines = (self.folder / "now.csv").read_text(encoding="utf-8").splitlines(keepends=True)
        (self.folder / "twice.csv").write_text("".join([*lines[:-1], lines[-2], "# end, results: 3\n"]), encoding="utf-8")
        self.expect(USAGE, *ONE, "--against", "twice.csv",
                    says=(f"line {len(lines)} repeats a setting: cpu_loop, n = 2^12", "remove one"))

    def test_another_seed_is_another_setting(self):
        self.expect(USAGE, *ONE, "--seed", "2", "--against", "now.csv", says=("none of the requested settings", "the same seeds"))

    def test_a_csv_of_any_name_is_compared(self):
        name = "new\nline 'and' \x1b.csv"
        self.expect(OK, *ONE, "--csv", name)
        _, comments = read_csv(self.folder / name)
        self.assertTrue(any("new\\012line" in line for line in comments), comments)
        self.expect(OK, *ONE, "--against", name)

    def test_settings_that_the_other_results_lack_are_named(self):
        lengths = ",".join(str(n) for n in (4096, 5000, 5001, 5002, 5003))
        self.expect(OK, *ONE[:-1], lengths, "--against", "now.csv",
                    says=("the other results lack 4 of the settings: cpu_loop, n = 5000,",
                          "; cpu_loop, n = 5002,", "; and others."))
        self.expect(OK, *ONE[:-1], "4096,5000", "--against", "now.csv",
                    says=("lack 1 of the settings: cpu_loop, n = 5000, random, 0.5 kept",))

    def test_an_unusable_baseline_is_refused(self):
        whole = (self.folder / "now.json").read_text(encoding="utf-8")
        (self.folder / "half.json").write_text(whole[:len(whole) // 2], encoding="utf-8")
        self.expect(USAGE, *ONE, "--baseline", "half.json", says=("half.json cannot be used", "cut off after"))
        lines = (self.folder / "now.csv").read_text(encoding="utf-8").splitlines(keepends=True)
        (self.folder / "half.csv").write_text("".join(lines[:-1]), encoding="utf-8")
        self.expect(USAGE, *ONE, "--baseline", "half.csv", says=("half.csv cannot be used", "cut off"))
        (self.folder / "other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
        self.expect(USAGE, *ONE, "--baseline", "other.csv", says=("neither of the two formats",))
        self.expect(USAGE, *ONE, "--density", "0.125", "--baseline", "now.csv", says=("none of the requested settings",))


if __name__ == "__main__":
    program.main()
