"""Frames and phases are ranges that profilers show: a library that NVTX loads counts them."""

import collections
import os
import subprocess
import unittest

import program

FRAMES = 5


class ProfilerRangesTest(unittest.TestCase):
    def test_each_frame_and_each_phase_is_a_range(self):
        library = os.environ.get("COUNT_RANGES")
        if not library:
            self.skipTest("NVTX belongs to the CUDA toolkit, and this build has none.")
        folder = program.output_folder(self._testMethodName)
        counted = folder / "ranges"
        arguments = ("--headless", "--engine", "cpu", "--algorithm", "cpu_sequence_wise", "--slots", "4096", "--size",
                     "320x200", "--frames", str(FRAMES), "--iterations", "2")
        done = subprocess.run([program.paths.warpsieve, *arguments], cwd=folder, capture_output=True, text=True,
                              timeout=120, check=False,
                              env=program.environment(folder, NVTX_INJECTION64_PATH=library, COUNTED_RANGES=str(counted)))
        self.assertEqual(done.returncode, 0, done.stderr)
        ranges = collections.Counter()
        for line in counted.read_text().splitlines():
            count, name = line.split("\t")
            ranges[name] = int(count)
        self.assertEqual(ranges["frame"], FRAMES)
        for phase in ("count", "prefix", "move"):
            self.assertEqual(ranges[phase], 2 * FRAMES, phase)
        ended = ranges.pop("ended")
        self.assertEqual(ended, sum(ranges.values()))


if __name__ == "__main__":
    program.main()
