"""The program under limits of the system: memory, threads and the size of files; and frames of any size."""

import csv
import json
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import unittest

import program

RUN = ("--headless", "--engine", "cpu", "--frames", "20")
BENCH = ("bench", "--engine", "cpu", "--algorithm", "cpu_loop", "--cache", "hot", "--min-samples", "5",
         "--time-limit", "0.2")
MEBIBYTE = 1 << 20
SOME_USER = 54_321


class Limits(unittest.TestCase):
    def setUp(self):
        self.folder = program.output_folder(self._testMethodName)

    def run_limited(self, limits, *arguments, user=None):
        """Runs the program with these limits ({RLIMIT_...: value}), as another user if one is given."""
        folder = self.folder
        if user:  # that user may not reach the build folder
            folder = self.enterContext(tempfile.TemporaryDirectory())
            os.chmod(folder, 0o777)

        def restrict():
            if user:
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)
            for limit, value in limits.items():
                resource.setrlimit(limit, (value, value))
        environment = program.environment(self.folder, HOME=str(folder), XDG_CACHE_HOME=str(folder))
        return subprocess.run([str(program.paths.warpsieve), *arguments], cwd=folder, env=environment, text=True,
                              capture_output=True, timeout=60, preexec_fn=restrict)

    def check_sentence(self, done, *words):
        self.assertNotIn("terminate", done.stderr)
        self.assertNotIn("std::", done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_a_bench_skips_what_memory_does_not_hold(self):
        done = self.run_limited({resource.RLIMIT_AS: 600 * MEBIBYTE}, *BENCH, "--n", "2^10,2^12,2^26", "--csv",
                                "bench.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_sentence(done, "not measured", "2^26")
        rows = list(csv.DictReader(line for line in
                                   (self.folder / "bench.csv").read_text(encoding="utf-8").splitlines()
                                   if not line.startswith("#")))
        self.assertEqual({row["n"] for row in rows}, {"1024", "4096"})

    def test_more_and_more_threads_end_at_the_memory_for_their_stacks(self):
        done = self.run_limited({resource.RLIMIT_DATA: 1024 * MEBIBYTE}, "bench", "--engine", "cpu", "--algorithm", "cpu_single_pass",
                                "--min-samples", "1", "--time-limit", "0.001", "--n", "2^16", "--threads", "1..256")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_sentence(done, "not measured", "threads")

    def test_free_memory_counts_the_limit(self):
        done = self.run_limited({resource.RLIMIT_DATA: 300 * MEBIBYTE}, *RUN, "--slots", "16777216")
        self.assertEqual(done.returncode, 1)
        self.check_sentence(done, "to give", "would fit")

    def test_a_memory_limit_ends_in_a_sentence_not_in_the_driver(self):
        for limit, most in ((resource.RLIMIT_AS, (430, 470, 560, 600, 700, 730)), (resource.RLIMIT_DATA, (50, 60, 130, 160))):
            for mebibytes in most:
                with self.subTest(limit=limit, mebibytes=mebibytes):
                    done = self.run_limited({limit: mebibytes * MEBIBYTE}, *RUN, "--slots", "4096", "--size", "320x200")
                    # Where the limit keeps Mesa from loading its driver, there is no OpenGL (77).
                    says = {0: [], 1: ["memory limit"], 77: ["little memory", "No OpenGL"]}
                    self.assertIn(done.returncode, says, done.stderr)
                    self.check_sentence(done, *says[done.returncode])
        done = self.run_limited({resource.RLIMIT_DATA: 600 * MEBIBYTE}, *RUN, "--slots", "4096", "--size", "4096x4096")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.check_sentence(done, "4096x4096")

    def test_the_limits_that_it_names_suffice(self):
        arguments = (*RUN, "--slots", "4096", "--size", "1600x1600")
        done = self.run_limited({resource.RLIMIT_AS: 600 * MEBIBYTE}, *arguments)
        named = re.search(r"ulimit -v to (\d+) MiB and ulimit -d to (\d+) MiB", done.stderr)
        self.assertTrue(named, done.stderr)
        limits = {resource.RLIMIT_AS: int(named[1]) * MEBIBYTE, resource.RLIMIT_DATA: int(named[2]) * MEBIBYTE}
        self.assertGreater(limits[resource.RLIMIT_AS], 600 * MEBIBYTE)
        done = self.run_limited(limits, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_file_over_the_size_limit_is_an_error_of_that_file(self):
        done = self.run_limited({resource.RLIMIT_FSIZE: 2048}, *RUN, "--screenshot", "big.png", "--json", "small.json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.check_sentence(done, "big.png", "File too large")
        left = {file.name for file in self.folder.iterdir()}
        self.assertFalse({name for name in left if "big" in name or "partial" in name}, left)

    @unittest.skipIf(os.geteuid() != 0, "needs root: only another user can be given a limit of processes")
    def test_too_few_threads_are_a_sentence_or_fewer_workers(self):
        for allowed in (1, 2, 3, 5, 9):
            with self.subTest(allowed=allowed):
                limits = {resource.RLIMIT_NPROC: allowed}
                done = self.run_limited(limits, *RUN, user=SOME_USER)
                self.assertEqual(done.returncode, 0, done.stderr)
                done = self.run_limited(limits, "bench", "--engine", "cpu", "--algorithm", "cpu_sequence_wise",
                                        "--n", "2^20", "--threads", "16", user=SOME_USER)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.check_sentence(done, "threads")


    @unittest.skipIf(os.geteuid() != 0, "needs root: only another user can be given a limit of processes")
    def test_a_ghost_is_loaded_without_a_thread_for_it(self):
        program.run(self.folder, *RUN, "--slots", "4096", "--size", "320x200", "--json", "run.json", "--csv", "/dev/null")
        document = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as readable:
            os.chmod(readable, 0o755)
            ghost, replay = pathlib.Path(readable) / "ghost.json", pathlib.Path(readable) / "replay.json"
            ghost.write_text(json.dumps(document), encoding="utf-8")
            document["settings"]["ghost"] = str(ghost)
            replay.write_text(json.dumps(document), encoding="utf-8")
            done = self.run_limited({resource.RLIMIT_NPROC: 1}, *RUN, "--replay", str(replay), user=SOME_USER)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("is not a saved run", done.stderr)


class Sizes(unittest.TestCase):
    def test_a_frame_has_any_size(self):
        for size in ((1, 1), (1, 700), (900, 1), (640, 25), (30, 400), (8192, 3), (2, 8192)):
            with self.subTest(size=size):
                folder = program.output_folder(self._testMethodName)
                name = "{}x{}".format(*size)
                done = program.run(folder, *RUN, "--slots", "4096", "--size", name, "--screenshot", "frame.png")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(program.png_size(folder / "frame.png"), size)


if __name__ == "__main__":
    program.main()
