"""The program from its command line, without a display: exit codes, what it says, and the files it writes."""

import csv
import hashlib
import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import unittest

import program

FEW = ("--engine", "cpu", "--slots", "4096", "--frames", "8")
OK, FAILURE, USAGE, NO_DEVICE = 0, 1, 2, 77


class CommandLineTest(unittest.TestCase):
    def setUp(self):
        self.folder = program.output_folder(self._testMethodName)

    def expect(self, code, *arguments, says=()):
        """Runs the program; it must exit with `code` and say each of `says` on stderr."""
        done = program.run(self.folder, *arguments)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stderr}")
        for words in says:
            self.assertIn(words, done.stderr)
        return done

    def needs_offscreen(self):
        done = program.run(self.folder, *FEW)
        if done.returncode == NO_DEVICE:
            self.skipTest(done.stderr.strip())


class Usage(CommandLineTest):
    def test_version_help_and_list(self):
        self.assertRegex(self.expect(OK, "--version").stdout, r"^warpsieve \d+\.\d+\.\d+(-dev)? \(.+\)\n$")
        help_text = self.expect(OK, "--help").stdout
        flags = ("--help --version --list --engine --algorithm --vector-width --threads --blocks --sequences --variant "
                 "--source --pattern --slots --density --seed --headless --frames --size --screenshot --csv --json "
                 "--trace --timeline-mode --lens-mode")
        for flag in flags.split():
            self.assertIn(flag, help_text)
        listed = self.expect(OK, "--list").stdout
        for words in ("CUDA engine:", "CPU engine: available", "sequence_wise", "cub_select", "cpu_loop",
                      "--vector-width:"):
            self.assertIn(words, listed)

    def test_the_man_page_and_the_completion_know_exit_codes_and_algorithms(self):
        describe = pathlib.Path(__file__).resolve().parents[3] / "packaging/describe_program.py"
        subprocess.run([sys.executable, "-B", describe, program.paths.warpsieve, self.folder], check=True, timeout=60)
        page = (pathlib.Path(self.folder) / "warpsieve.1").read_text()
        for heading in ("EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"):
            self.assertRegex(page, rf"\.SH {heading}\n\.TP\n\\fB")
        self.assertIn("warpsieve trace\\fR [\\fIOPTION\\fR...] ALGORITHM\n", page)
        self.assertIn("\\fILIST\\fR:\nEach axis accepts lists, ranges and powers", page)
        self.assertIn("2^10..2^26 (every power)", page)
        complete = (f"source {self.folder}/warpsieve.bash; COMP_WORDS=(warpsieve bench --algorithm cpu_single) COMP_CWORD=3; _warpsieve; "
                    'echo "${COMPREPLY[*]}"; COMP_WORDS=(warpsieve bench --engine ""); _warpsieve; echo "${COMPREPLY[*]}"')
        done = subprocess.run(["bash", "-c", complete], capture_output=True, text=True, check=True, timeout=60)
        self.assertEqual(done.stdout, "cpu_single_pass\ncuda cpu\n")

    def test_an_unknown_source_or_pattern_is_answered_with_those_there_are(self):
        self.expect(USAGE, "--source", "no_such", says=("fountain", "galaxy", "fireworks", "synthetic"))
        self.expect(USAGE, "--pattern", "no_such", says=("structured", "random", "first-only"))
        self.expect(USAGE, "--source", "galaxy", "--pattern", "runs", says=("galaxy", "--source synthetic"))

    def test_a_picture_that_cannot_be_used_is_refused_with_a_remedy(self):
        for words, says in (
                (("--picture", "missing.png"), ("missing.png cannot be read", "Name a PNG file with --picture")),
                (("--source", "galaxy", "--picture", "Hi"), ("leave out --picture, or name --source picture",)),
                (("--picture", "Hi", "--picture-sha256", "0000000000"), ("is not the one of this run",)),
                (("--picture", " "), ("has no bright pixel",))):
            self.expect(USAGE, *FEW, "--headless", *words, says=says)
        for command in ("bench", "trace"):
            rest = () if command == "bench" else ("naive_scan",)
            self.expect(USAGE, command, *rest, "--picture", "Hi", says=("add --pattern picture",))
            self.expect(USAGE, command, *rest, "--pattern", "picture", "--picture", "a.png", says=("a.png cannot be read",))

    def test_an_unknown_algorithm_is_answered_with_those_there_are(self):
        for option in ("--algorithm", "--b", "--rival"):
            done = self.expect(USAGE, option, "no_such",
                               says=("no_such", "sequence_wise", "cub_select", "cpu_sequence_wise", "cpu_loop"))
            self.assertNotIn("cpu_copy", done.stderr, "a step, which `warpsieve bench` alone takes")

    def test_an_illegal_option_is_named_with_its_legal_values(self):
        for option, value in (("threads", "100000"), ("sequences", "4000000000")):
            self.expect(USAGE, "--algorithm", "cpu_sequence_wise", f"--{option}", value,
                        says=(option, "legal values are"))
        self.expect(USAGE, "--vector-width", "3", says=("vector width", "1 (scalar), 2 (pair) or 4 (quad)"))
        self.expect(USAGE, "--threads", "many", says=("many",))
        self.expect(USAGE, "--threads", "2^40", says=("threads",))

    def test_an_option_that_the_algorithm_lacks_is_refused(self):
        self.expect(USAGE, "--algorithm", "cpu_loop", "--threads", "2", says=("cpu_loop", "threads"))
        self.expect(USAGE, "--algorithm", "cpu_sequence_wise", "--blocks", "2",
                    says=("cpu_sequence_wise", "blocks"))

    def test_an_algorithm_of_the_other_engine_is_refused(self):
        self.expect(USAGE, "--engine", "cpu", "--algorithm", "cub_select", says=("cub_select", "cuda"))

    def test_slots_out_of_range_are_refused(self):
        for slots in ("0", "17", "4095", "16777217", "2^40"):
            self.expect(USAGE, "--engine", "cpu", "--slots", slots, says=("slots", "4096 to 16777216"))
        for slots in ("-5", "1e6", "2^99", "99999999999999999999", "", "many"):
            self.expect(USAGE, "--engine", "cpu", "--slots=" + slots)

    def test_numbers_out_of_range_are_refused(self):
        illegal = {
            "--density": ("1.5", "-0.1", "nan", "inf", "half"),
            "--seed": ("-1", "2.5", "4294967296"),
            "--frames": ("0", "-3"),
            "--iterations": ("0", "65"),
            "--scale": ("0.5", "nan", "9"),
            "--size": ("12", "1280", "1280x", "x720", "0x10", "1280x720x3", "99999x99999", "4294968576x720"),
            "--memory-limit": ("0", "-1", "17592186044416", "some"),
            "--rehearse-gpu-failure": ("-1", "soon"),
            "--engine": ("tpu",),
            "--theme": ("pink",),
        }
        for flag, values in illegal.items():
            for value in values:
                done = self.expect(USAGE, f"{flag}={value}", says=(flag, value, "egal values are"))
                self.assertNotIn("Could not convert", done.stderr)
        self.expect(USAGE, "--seed", "-1", says=("--seed -1 is not legal; legal values are 0 to 4294967295.",))
        self.expect(USAGE, "--algorithm", "cpu_sequence_wise", "--threads", "4294967297", says=("4294967297",))
        self.expect(USAGE, "--no-such-flag")
        self.expect(USAGE, "stray", says=("stray",))

    def test_a_flag_takes_no_value(self):
        for command, flag in (((), "--headless"), ((), "--version"), (("bench",), "--quiet"), (("reproduce",), "--quick")):
            for value in ("$(true)", "3", "-"):
                done = self.expect(USAGE, *command, f"{flag}={value}", says=(flag, "takes no value", value))
                self.assertNotIn("Could not convert", done.stderr)

    def test_help_says_what_each_option_expects(self):
        help_text = self.expect(OK, "--help").stdout
        self.assertNotIn("TEXT", help_text)
        for words in ("--slots COUNT", "--density NUMBER", "--size WIDTHxHEIGHT", "--csv FILE", "--theme NAME"):
            self.assertIn(words, help_text)

    def test_every_refusal_is_a_sentence_of_the_program(self):
        for arguments, sentence in (
                (("--size", "100"), "--size 100 is not legal; legal values are 1x1 to 16384x16384."),
                (("--frames", "0"), "--frames 0 is not legal; legal values are 1 to 100000000."),
                (("--slots", "1e6"), "--slots 1e6 is not a number; write digits such as 1000000, or 2^20. Legal values are "),
                (("bench", "--min-samples", "x"), "--min-samples x is not a number; write digits such as "),
                (("--slots", "2^99"), "--slots 2^99 is not legal; legal values are "),
                (("--tour", "99"), "--tour 99 is not legal; legal values are 1 to "),
                (("--replay", "missing.json"), "missing.json cannot be replayed: No such file or directory. Give "),
                (("--frams", "3", "x"), "Not expected: --frams 3 x. Did you mean --frames? Run warpsieve --help for the options."),
                (("bench", "--foo"), "Not expected: --foo. Run warpsieve bench --help for the options."),
                (("--headless", "bench", "--n", "2^10"), "bench must come first: warpsieve bench ..."),
                (("--csv",), "--csv needs a value: FILE."),
                (("bench", "--csv"), "--csv needs a value: FILE."),
                (("reproduce", "--table"), "--table needs a value: NAME."),
                (("--csv", "a", "--csv", "b"), "--csv is given 2 times; give it once."),
                (("--slots", "4096", "--slots", "8192"), "--slots is given 2 times; give it once."),
                (("reproduce", "--merge", *"abcdefghijklmnopq"), "--merge takes at most 16 values; 17 are given."),
                (("bench", "--phases", "x"), "--phases x is not legal; legal values are stamps, subtraction."),
                (("bench", "--max-regress", "2"), "--max-regress requires --against. Add it, or leave the first one out."),
                (("reproduce", "--merge", "a", "--engine", "cpu"), "--engine excludes --merge. Leave one of the two out."),
                (("bench", "--time-limit", "x"), "--time-limit x is not legal; legal values are ")):
            done = self.expect(USAGE, *arguments)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertTrue(done.stderr.startswith(f"warpsieve: {sentence}"), done.stderr)

    def test_a_misspelled_name_is_answered_with_the_nearest(self):
        for arguments, meant in (
                (("--algorithm", "cpu_lop"), "cpu_loop"), (("bench", "--algorithm", "cpu_lop"), "cpu_loop"),
                (("trace", "cpu_lop"), "cpu_loop"), (("--engine", "cpu", "--b", "cpu_sequence_wize"), "cpu_sequence_wise"),
                (("--pattern", "rnadom"), "random"), (("bench", "--pattern", "rnadom"), "random"), (("trace", "cpu_loop", "--pattern", "rnadom"), "random"),
                (("--tab", "lenz"), "lens"), (("--sorce", "fountain"), "--source"), (("bench", "--densty=0.5"), "--density"),
                (("bech", "--n", "4"), "bench"), (("--engine", "cqu"), "cpu"), (("bench", "--engine", "cqu"), "cpu"),
                (("trace", "cpu_loop", "--engine", "simulate"), "simulated"), (("reproduce", "--engine", "cqu"), "cpu"),
                (("reproduce", "--table", "qian_length"), "qian_lengths")):
            self.expect(USAGE, *arguments, says=(f" Did you mean {meant}?",))
        (self.folder / "settings.json").write_text('{"tab": "lenz", "slots": 4096}')
        self.expect(OK, *FEW, "--settings", "settings.json", says=('tab is "lenz" (legal: ', " Did you mean lens?)"))

    def test_an_algorithm_of_another_engine_is_replaced_by_its_counterpart(self):
        for engine, named, runs in (("simulated", "sequence_wise", "simulated_sequence_wise"), ("cpu", "single_pass", "cpu_single_pass")):
            self.expect(OK, "--slots", "4096", "--frames", "2", "--engine", engine, "--algorithm", named, "--json", "run.json",
                        says=(f"{named} runs on the cuda engine; the {engine} engine runs {runs} instead.",))
            self.assertEqual(json.loads((self.folder / "run.json").read_text())["algorithm"], runs)
        self.expect(USAGE, "--engine", "simulated", "--algorithm", "cpu_loop", says=("runs on the cpu engine",))

    def test_a_wayland_session_without_x_names_xwayland(self):
        done = subprocess.run([program.paths.warpsieve, "--frames", "2"], cwd=self.folder, timeout=60, text=True,
                              env=program.environment(self.folder, WAYLAND_DISPLAY="wayland-no-such"), capture_output=True, check=False)
        self.assertEqual(done.returncode, 77, done.stderr)
        self.assertIn("install Xwayland (package xwayland)", done.stderr)

    def test_a_file_needs_a_name_of_its_own(self):
        for command in ((), ("bench",), ("reproduce",)):
            self.expect(USAGE, *command, "--json", "", says=("--json", "name of a file"))
        for command, flag in (((), "--csv"), ((), "--screenshot"), (("bench",), "--csv"), (("reproduce",), "--html")):
            for other in ("a", "./a", str(self.folder / "a")):
                self.expect(USAGE, *command, flag, "a", "--json", other, says=(flag, "--json", "both name"))
        self.assertFalse((self.folder / "a").exists())

    def test_a_file_that_is_read_is_not_overwritten(self):
        for command, files in (((), ("--replay", "kept", "--screenshot", "./kept")),
                              (("bench",), ("--against", "kept", "--csv", "kept")),
                              (("reproduce",), ("--merge", "other", "kept", "--json", "kept"))):
            (self.folder / "kept").write_text("{}")
            self.expect(USAGE, *command, *files, says=(files[0], files[-2], "both name"))
            self.assertEqual((self.folder / "kept").read_text(), "{}")

    def test_a_full_disk_behind_stdout_is_reported(self):
        for arguments in (("--version",), ("--list",), ("--help",), ("bench", "--help"), ("reproduce", "--list")):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([program.paths.warpsieve, *arguments], stdout=full, stderr=subprocess.PIPE,
                                      text=True, check=False)
            self.assertEqual(done.returncode, FAILURE, arguments)
            self.assertIn("standard output cannot be written", done.stderr)
            if arguments == ("--version",):  # an earlier write than the last leaves no reason
                self.assertIn("(No space left on device)", done.stderr)

    def test_a_reader_that_has_seen_enough_is_no_error(self):
        for arguments in (("--list",), ("reproduce", "--list")):
            reader, writer = os.pipe()
            os.close(reader)
            with open(writer, "wb") as closed:
                done = subprocess.run([program.paths.warpsieve, *arguments], stdout=closed, stderr=subprocess.PIPE,
                                      text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (128 + signal.SIGPIPE, ""), arguments)

    def test_no_control_character_of_a_name_reaches_the_terminal(self):
        replay = self.folder / "replay.json"
        replay.write_text('{"settings": {"engine": "cpu", "theme": "\\u001b[31m", "tab": "\\u009b31m"}}')
        cases = (("--replay", "replay.json"), ("--replay", "no\x1b[31m.json"), ("--theme", "\x1b[31m"),
                 ("\x1b[31m",), ("bench", "--algorithm", "\x1b[31m"), ("reproduce", "--table", "\x9b31m\x1b"))
        for arguments in cases:
            done = self.expect(USAGE, *arguments)
            self.assertNotRegex(done.stderr, "[\x00-\x09\x0b-\x1f\x7f-\x9f]", arguments)

    def test_a_replay_with_a_number_out_of_range_is_refused(self):
        for value, settings in (("-1", {"seed": -1}), ("4294967297", {"options": {"threads": 4294967297}})):
            (self.folder / "replay.json").write_text(json.dumps({"settings": {"engine": "cpu", **settings}}))
            done = self.expect(USAGE, "--headless", "--replay", "replay.json", says=("replay.json", value, "(legal: "))
            self.assertNotIn("json.exception", done.stderr)

    def test_a_gpu_that_is_not_there_is_told_with_the_reason(self):
        listed = program.run(self.folder, "--list").stdout
        available = "CUDA engine: available" in listed
        arguments = ("--engine", "cuda", "--slots", "4096", "--frames", "8", "--headless")
        done = program.run(self.folder, *arguments)
        self.assertEqual(done.returncode, OK if available else NO_DEVICE, done.stderr)
        if not available:
            reason = listed.split("CUDA engine: ")[1].split("\n")[0]
            self.assertIn(reason, done.stderr)

    def test_more_slots_than_memory_are_refused_with_what_would_fit(self):
        self.needs_offscreen()
        self.expect(FAILURE, "--engine", "cpu", "--memory-limit", "1", "--slots", "2^20",
                    says=("2^20 = 1,048,576 slots need 28 MiB", "1 MiB", "Up to 2^15 = 32,768 slots would fit"))
        self.expect(OK, "--engine", "cpu", "--memory-limit", "1", "--slots", "32768", "--frames", "4")


class Offscreen(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.needs_offscreen()

    def test_writes_picture_and_timings_and_prints_the_table(self):
        done = self.expect(OK, "--headless", "--engine", "cpu", "--algorithm", "cpu_sequence_wise",
                           "--vector-width", "pair", "--slots", "2^14", "--density", "0.25", "--seed", "7",
                           "--frames", "40", "--size", "900x600", "--screenshot", "shot.png",
                           "--csv", "frames.csv", "--json", "run.json")
        self.check_picture()
        self.check_frames()
        self.check_report()
        for words in ("cpu_sequence_wise", "16384 slots", "median", "count", "prefix", "move", "total",
                      "GB/s", "0 wrong"):
            self.assertIn(words, done.stdout)
        self.assertNotIn("first frame", done.stdout, "progress belongs to stderr")
        self.assertIn("first frame", done.stderr)
        self.assertIn("0 allocations, 0 synchronisations in the frame loop", done.stderr)

    def test_a_picture_is_replayed_with_its_file_alone(self):
        self.needs_offscreen()
        picture = self.folder / "it's a cat.png"
        self.expect(OK, *FEW, "--screenshot", picture)
        report = self.folder / "run.json"
        self.expect(OK, *FEW, "--picture", picture, "--json", report)
        run = json.loads(report.read_text(encoding="utf-8"))
        digits = hashlib.sha256(picture.read_bytes()).hexdigest()
        self.assertEqual(run["stream_picture"]["sha256"], digits)
        self.assertEqual((run["source"], run["pattern"], run["check"]["wrong"]), ("picture", "picture", 0))
        self.assertGreater(run["kept"], 0)
        command = shlex.split(run["command"])
        self.assertEqual(command[command.index("--picture") + 1], str(picture))
        self.assertEqual(command[command.index("--picture-sha256") + 1], digits[:16])
        again = self.folder / "again.json"
        self.expect(OK, *command[1:], "--json", again)
        self.assertEqual(json.loads(again.read_text(encoding="utf-8"))["kept"], run["kept"])
        self.expect(OK, "--replay", report, "--headless", "--frames", "8")
        moved = picture.rename(self.folder / "moved.png")
        self.expect(USAGE, "--replay", report, "--headless", says=("cannot be read", digits[:16], "--picture"))
        self.expect(OK, "--replay", report, "--picture", moved, "--headless", "--frames", "8")
        self.expect(OK, *FEW, "--screenshot", self.folder / "other.png", "--density", "1")
        self.expect(USAGE, "--replay", report, "--picture", self.folder / "other.png", "--headless",
                    says=("is not the one of this run", "Name the file of the run with --picture"))

    def test_bench_and_trace_keep_the_bright_pixels(self):
        results = self.folder / "results.csv"
        done = self.expect(OK, "bench", "--engine", "cpu", "--algorithm", "cpu_loop", "--n", "4096", "--pattern", "picture",
                           "--picture", "Hi", "--time-limit", "0.1", "--csv", results)
        self.assertRegex(done.stdout, r"picture:[0-9a-f]{16}")
        self.assertIn("picture:", results.read_text(encoding="utf-8"))
        self.expect(OK, "trace", "naive_scan", "--engine", "simulated", "--n", "1024", "--pattern", "picture")
        self.expect(USAGE, "bench", "--engine", "cpu", "--algorithm", "cpu_loop", "--n", "4096", "--pattern", "picture",
                    "--picture", "Ho", "--baseline", results, says=("contains none of the requested settings",))

    def test_a_loop_is_filmed_offscreen(self):
        self.needs_offscreen()
        film = self.folder / "loop.webp"
        self.expect(USAGE, "--headless", "--frames", "100", "--loop", film, says=("--loop needs at least 480 frames",))
        self.expect(OK, "--headless", "--engine", "cpu", "--slots", "4096", "--size", "480x360", "--loop", film)
        data = film.read_bytes()
        self.assertEqual((data[:4], data[8:16]), (b"RIFF", b"WEBPVP8X"))
        self.assertGreater(data.count(b"ANMF"), 100)

    def test_the_report_repeats_a_synthetic_stream(self):
        self.expect(OK, *FEW, "--pattern", "runs", "--density", "0.3", "--seed", "5", "--check-every", "1",
                    "--json", "run.json")
        report = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        self.assertEqual((report["source"], report["pattern"]), ("synthetic", "runs"))
        self.assertEqual(report["check"]["wrong"], 0)
        self.assertIn(" --check-every 1 --frames 8", report["command"])
        again = self.expect(OK, *report["command"].split()[1:])
        self.assertIn(f"{report['kept']} kept", again.stdout)

    def test_the_seed_of_a_simulated_gpu_chooses_its_schedule(self):
        arguments = ("--headless", "--engine", "simulated", "--slots", "2^12", "--frames", "3", "--size", "320x200",
                     "--json", "report.json")
        for seed, multiprocessors in ((0, 4), (9, 5), (170, 6)):
            done = program.run(self.folder, *arguments, "--schedule-seed", seed)
            if done.returncode == program.EXIT_SKIPPED:
                self.skipTest(done.stderr)
            self.assertEqual(done.returncode, OK, done.stderr)
            report = json.loads((self.folder / "report.json").read_text(encoding="utf-8"))
            self.assertIn(f"{multiprocessors} multiprocessors", json.dumps(report))
            self.assertIn(f"--schedule-seed {seed}", report["command"])
        self.assertNotIn("--schedule-seed", program.run(self.folder, "--headless", "--engine", "cpu", "--frames", "3",
                                                        "--slots", "2^12").stdout)

    def test_a_simulated_gpu_reports_no_times(self):
        arguments = ("--headless", "--engine", "simulated", "--slots", "2^12", "--frames", "3", "--size", "320x200")
        done = program.run(self.folder, *arguments, "--csv", "frames.csv", "--json", "run.json")
        if done.returncode == program.EXIT_SKIPPED:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("not timed: the GPU is simulated", done.stdout)
        self.assertNotIn("GB/s", done.stdout)
        self.assertNotIn("median", done.stdout)
        report = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        self.assertEqual(report["timings_us"], {})
        self.assertEqual({report[speed] for speed in ("useful_gb_s", "copy_gb_s", "share_of_copy")}, {None})
        with open(self.folder / "frames.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        self.assertEqual({(row["total_us"], row["simulate_us"]) for row in rows}, {("", "")})
        self.assertGreater(int(rows[-1]["kept"]), 0)

    def check_picture(self):
        shot = self.folder / "shot.png"
        self.assertEqual(program.png_size(shot), (900, 600))
        view = program.probe(shot, (400, 20, 460, 200))
        self.assertEqual((view["width"], view["height"]), (900, 600))
        self.assertGreater(view["colours"], 50, "the particles are missing")
        self.assertGreater(program.probe(shot, (0, 0, 340, 560))["colours"], 50, "the panels are missing")

    def check_frames(self):
        with open(self.folder / "frames.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        columns = ("frame algorithm count_us prefix_us move_us between_us "
                   "total_us interop_us simulate_us frame_us kept clock_hz")
        self.assertEqual(list(rows[0]), columns.split())
        self.assertEqual([int(row["frame"]) for row in rows], list(range(40)))
        for row in rows:
            self.assertEqual(row["algorithm"], "cpu_sequence_wise")
            parts = sum(float(row[part]) for part in ("count_us", "prefix_us", "move_us", "between_us"))
            self.assertAlmostEqual(parts / float(row["total_us"]), 1, delta=1e-4)
            self.assertGreater(float(row["frame_us"]), 0)
            self.assertAlmostEqual(int(row["kept"]), 0.25 * 2**14, delta=400)

    def check_report(self):
        report = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        self.assertEqual(report["engine"], "cpu")
        self.assertEqual(report["algorithm"], "cpu_sequence_wise")
        self.assertEqual(report["slots"], 2**14)
        self.assertAlmostEqual(report["live_fraction"], 0.25)
        self.assertEqual(report["seed"], 7)
        self.assertEqual(report["options"]["vector-width"], {"value": 2, "automatic": False})
        self.assertTrue(report["options"]["threads"]["automatic"])
        for field in ("device", "driver", "commit", "version", "opengl", "timing_method", "mode"):
            self.assertTrue(report[field], field)
        for phase in ("count", "prefix", "move", "between calls", "total", "simulate"):
            self.assertGreater(report["timings_us"][phase]["n"], 0, phase)
        parts = report["frame_parts_us"]
        self.assertEqual(set(parts["host"]), set("simulate compact publish draw panels present other".split()))
        self.assertAlmostEqual(sum(parts["host"].values()) / parts["frame"], 1, delta=0.01)
        self.assertEqual(report["check"]["state"], "correct")
        self.assertGreater(report["check"]["checked"], 0)
        # The command in the report repeats the run.
        again = self.expect(OK, *report["command"].split()[1:])
        self.assertIn(f"{report['kept']} kept", again.stdout)

    def test_why_the_gpu_is_not_used_is_said_where_nobody_chose_another_engine(self):
        listed = program.run(self.folder, "--list").stdout
        if "CUDA engine: available" in listed:
            self.skipTest("there is a GPU")
        reason = listed.split("CUDA engine: ")[1].split("\n")[0]
        few = ("--headless", "--slots", "4096", "--frames", "2")
        self.expect(OK, *few, "--json", "run.json", says=(reason,))
        for chosen in (("--engine", "cpu"), ("--algorithm", "cpu_loop"), ("--replay", "run.json")):
            self.assertNotIn(reason, self.expect(OK, *few, *chosen).stderr)

    def test_a_trace_has_every_part_of_one_compaction(self):
        self.expect(OK, *FEW, "--algorithm", "cpu_sequence_wise", "--threads", "2", "--sequences", "8", "--trace", "trace.json")
        events = json.loads((self.folder / "trace.json").read_text(encoding="utf-8"))["traceEvents"]
        process, = [event["args"]["name"] for event in events if event["name"] == "process_name"]
        self.assertRegex(process, r"^A: cpu_sequence_wise, frame \d+$")
        parts = [event for event in events if event["ph"] == "X" and "args" in event]
        for phase in ("count", "move"):
            blocks = sorted(event["args"]["block"] for event in parts if event["name"] == phase)
            self.assertEqual(blocks, list(range(8)), phase)
        for event in parts:
            self.assertGreaterEqual(event["dur"], 0)
            self.assertGreaterEqual(event["ts"], 0)
            self.assertGreaterEqual(event["args"]["kept"], 0)
            self.assertGreater(event["pid"] * event["tid"], 0)

    def test_the_columns_are_the_phases_of_the_algorithm(self):
        self.expect(OK, *FEW, "--algorithm", "cpu_loop", "--csv", "frames.csv")
        header = (self.folder / "frames.csv").read_text(encoding="utf-8").split("\n")[0].split(",")
        self.assertEqual(header[:2], ["frame", "algorithm"])
        self.assertEqual(header.index("between_us"), 3, header)

    def test_a_run_is_replayed_from_its_own_file(self):
        self.expect(OK, "--headless", "--engine", "cpu", "--algorithm", "cpu_sequence_wise", "--vector-width", "pair",
                    "--slots", "5000", "--density", "0.25", "--seed", "7", "--iterations", "3", "--frames", "20",
                    "--json", "first.json")
        self.expect(OK, "--headless", "--replay", "first.json", "--frames", "20", "--json", "second.json")
        first, second = (json.loads((self.folder / name).read_text()) for name in ("first.json", "second.json"))
        for field in ("settings", "algorithm", "slots", "seed", "live_fraction", "kept", "options", "command"):
            self.assertEqual(first[field], second[field], field)
        self.expect(OK, "--headless", "--replay", "first.json", "--seed", "8", "--frames", "5", "--json", "third.json")
        self.assertEqual(json.loads((self.folder / "third.json").read_text())["seed"], 8)
        for text, why in (('{"settings": 5}', "cannot be replayed"), ("{}", "there are no settings in it."),
                          ("[1]", "there are no settings in it."), ("not JSON", "its JSON is broken at byte 2.")):
            (self.folder / "broken.json").write_text(text)
            self.expect(USAGE, "--headless", "--replay", "broken.json", says=("broken.json", why))
        self.expect(USAGE, "--headless", "--replay", "missing.json", says=("missing.json",))

    def test_files_that_cannot_be_written_are_told_in_a_sentence_before_the_first_frame(self):
        (self.folder / "in_the_way").write_text("a file, not a folder")
        def expect_told(flag, file):
            done = self.expect(FAILURE, *FEW, flag, file, says=(file, "cannot be written", "Choose"))
            self.assertNotIn("first frame", done.stderr)

        for flag in ("--csv", "--json", "--screenshot", "--trace"):
            expect_told(flag, "missing/file")
            expect_told(flag, "in_the_way/file")
        self.expect(FAILURE, *FEW, "--csv", "missing/a", "--json", "good", "--trace", "in_the_way/b",
                    says=("missing/a cannot be written: No such file or directory; in_the_way/b cannot be written: Not a",))
        self.assertFalse((self.folder / "good").exists())

    def test_results_go_into_a_pipe(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        # Open at both ends, so that neither side waits for the other.
        with open(os.open(pipe, os.O_RDWR | os.O_NONBLOCK), "rb", buffering=0) as both_ends:
            self.expect(OK, *FEW, "--json", "pipe")
            report = json.loads(both_ends.read(65536))
        self.assertEqual(report["slots"], 4096)
        self.assertTrue(pipe.is_fifo())

    def test_a_run_offscreen_leaves_files_named_as_settings_as_they_are(self):
        self.expect(OK, *FEW, "--json", "run.json")
        for name, text, why in (("broken.json", '{"slots": 40', "cut off"), ("data.csv", "a,b\n1,2\n", "its JSON is broken"),
                                ("list.json", "[]", "not a JSON object"),
                                ("package.json", '{"name":"package","version":1}', "not a settings file"),
                                ("run.json", (self.folder / "run.json").read_text(), "not a settings file")):
            (self.folder / name).write_text(text)
            self.expect(USAGE, *FEW, "--settings", name, says=(name, "cannot be used", why))
            self.assertEqual((self.folder / name).read_text(), text)
        self.expect(USAGE, *FEW, "--settings", "missing/s.json", says=("missing/s.json", "No such file"))
        self.assertFalse(list(self.folder.glob("*.bad")) or (self.folder / "missing").exists())
        (self.folder / "good.json").write_text('{"density": 0.25}')
        self.expect(OK, *FEW, "--settings", "good.json", "--json", "run.json")
        self.assertEqual(json.loads((self.folder / "run.json").read_text())["live_fraction"], 0.25)
        self.assertEqual((self.folder / "good.json").read_text(), '{"density": 0.25}')

    def test_a_window_makes_no_folder_for_settings_with_a_name(self):
        done = subprocess.run([program.paths.warpsieve, "--settings", "missing/s.json"], cwd=self.folder, timeout=60, text=True,
                              env=program.environment(self.folder, DISPLAY=":no-such"), capture_output=True, check=False)
        self.assertEqual(done.returncode, USAGE, done.stderr)
        self.assertIn("There is no folder missing for the settings file s.json.", done.stderr)
        self.assertFalse((self.folder / "missing").exists())

    def test_settings_of_a_machine_with_a_gpu_do_not_stop_one_without(self):
        self.expect(OK, *FEW, "--json", "run.json")
        document = json.loads((self.folder / "run.json").read_text())["settings"]
        document.update(engine="cuda", algorithm="sequence_wise")
        document["options"].update(threads=1024, blocks=132)
        (self.folder / "settings.json").write_text(json.dumps(document))
        self.expect(OK, "--settings", "settings.json", "--frames", "4")

    def test_what_was_not_measured_is_no_zero(self):
        table = self.expect(OK, "--headless", "--engine", "cpu", "--slots", "4096", "--frames", "1").stdout
        self.assertRegex(table, r"map / unmap +- +- +- +- ")
        self.assertRegex(table, r"copy - GB/s, - % of copy bandwidth\n")

    def test_a_run_without_a_display_says_so(self):
        sentence = ("There is no display, so 8 frames are rendered offscreen and a table is printed; "
                    "set DISPLAY for the window.")
        hint = " Name files for the results with --screenshot, --csv or --json."
        self.expect(OK, *FEW, says=(sentence + hint,))
        self.assertNotIn(hint, self.expect(OK, *FEW, "--csv", "frames.csv", says=(sentence,)).stderr)
        self.assertNotIn("no display", self.expect(OK, "--headless", *FEW).stderr)

    def test_an_offscreen_run_leaves_the_users_settings_alone(self):
        self.expect(OK, *FEW)
        self.assertFalse((self.folder / "config").exists())


if __name__ == "__main__":
    program.main()
