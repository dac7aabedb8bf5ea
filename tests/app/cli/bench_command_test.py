"""`warpsieve bench` from its command line, on the CPU engine: exit codes, what it says, and the files it writes."""

import csv
import json
import os
import pty
import signal
import subprocess
import unittest

import program

OK, FAILURE, USAGE, REGRESSION, NO_DEVICE, INTERRUPTED = 0, 1, 2, 4, 77, 130
QUICK = ("--engine", "cpu", "--cache", "hot", "--time-limit", "0.04")
ONE = (*QUICK, "--algorithm", "cpu_loop", "--n", "4096")


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
        done = program.run(self.folder, "bench", *arguments)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stderr}")
        for words in says:
            self.assertIn(words, done.stderr)
        return done


class Usage(BenchTest):
    def test_help_has_every_flag_and_examples(self):
        text = self.expect(OK, "--help").stdout
        flags = ("--algorithm --n --density --pattern --item-bytes --vector-width --threads --blocks --sequences "
                 "--variant --cache --seed --engine --csv --json --markdown --baseline --max-regress --time-limit "
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
            ("--max-regress", "3"): "--baseline",
            ("--baseline", "missing.csv"): "missing.csv cannot be read",
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


class Comparing(BenchTest):
    """The times of the baseline are changed, so that verdicts do not depend on how busy the machine is."""

    def setUp(self):
        super().setUp()
        self.expect(OK, *ONE, "--csv", "now.csv", "--json", "now.json")

    def baseline(self, name, factor):
        """The JSON results with all times multiplied."""
        document = json.loads((self.folder / "now.json").read_text(encoding="utf-8"))
        for result in document["results"] + document["copies"]:
            result["median_us"] *= factor
            for end in ("low", "high"):
                result["median_interval_us"][end] *= factor
        (self.folder / name).write_text(json.dumps(document), encoding="utf-8")
        return name

    def test_slower_than_allowed_exits_with_4(self):
        fast = self.baseline("fast.json", 0.01)
        done = self.expect(REGRESSION, *ONE, "--baseline", fast, "--max-regress", "5",
                           says=("slower than the baseline allows: cpu_loop, n = 2^12",))
        self.assertRegex(done.stdout, r"slower: \S+ \(\S+ to \S+\) times the \S+ µs before")
        self.assertRegex(done.stderr, r"cpu_loop, .* µs, slower: \S+ \(\S+ to \S+\) times the \S+ µs before\.")
        self.expect(OK, *ONE, "--baseline", fast)

    def test_faster_is_no_regression(self):
        slow = self.baseline("slow.json", 100)
        done = self.expect(OK, *ONE, "--baseline", slow, "--max-regress", "0", "--csv", "verdicts.csv")
        self.assertIn("faster", done.stdout)
        rows, _ = read_csv(self.folder / "verdicts.csv")
        self.assertEqual([row["verdict"] for row in rows], ["", "faster"])

    def test_its_own_csv_is_a_baseline(self):
        self.expect(OK, *ONE, "--baseline", "now.csv", "--max-regress", "10000")

    def test_a_csv_of_any_name_is_a_baseline(self):
        name = "new\nline 'and' \x1b.csv"
        self.expect(OK, *ONE, "--csv", name)
        _, comments = read_csv(self.folder / name)
        self.assertTrue(any("new\\012line" in line for line in comments), comments)
        self.expect(OK, *ONE, "--baseline", name, "--max-regress", "10000")

    def test_settings_that_the_baseline_lacks_are_named(self):
        lengths = ",".join(str(n) for n in (4096, 5000, 5001, 5002, 5003))
        self.expect(OK, *ONE[:-1], lengths, "--baseline", "now.csv", "--max-regress", "10000",
                    says=("the baseline lacks 4 of the settings, which --max-regress does not judge: cpu_loop, n = 5000,",
                          "; cpu_loop, n = 5002,", "; and others."))
        self.expect(OK, *ONE[:-1], "4096,5000", "--baseline", "now.csv",
                    says=("lacks 1 of the settings, which --max-regress does not judge: cpu_loop, n = 5000, random, 0.5 kept",))

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
