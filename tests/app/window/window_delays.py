"""Frame times of the window on a GPU; not part of the tests, because they depend on the machine.

Fails if a change delays a frame, or if slow motion or a lab slows the scene. scripts/gpu-check runs it and keeps the
times that it prints. Skips without a GPU.
"""

import bisect
import csv
import itertools
import statistics
import time

import program
import window

A_LAB_S = 120
HITCH_MS = 33


class WindowDelays(window.WindowTestCase):
    def open(self, *arguments, **named):
        return super().open("--engine", "cuda", *arguments, **named)

    def frames_of(self, opened):
        """Quits; returns the end times and the lengths of all frames, in seconds."""
        self.assertEqual(opened.quit(), 0, opened.messages())
        with open(opened.folder / "frames.csv", encoding="utf-8") as file:
            lengths = [float(row["frame_us"]) * 1e-6 for row in csv.DictReader(file)]
        return list(itertools.accumulate(lengths)), lengths

    def hitches(self, slots, part):
        """Makes one change after another; returns by how many ms each one's longest frame exceeds the usual frame."""
        opened = self.open("--slots", slots, "--csv", "frames.csv", part=part)
        # This clock starts at the first map, shortly after the first frame.
        opened_at = time.monotonic()
        opened.frames(120)
        marks = []
        for what, keys in (*((f"algorithm {number}", ("a",)) for number in range(1, 15)), ("vector width 1", ("v",)),
                           ("vector width 2", ("v",)), ("slot map", ("2",)), ("lens", ("3",)), ("swap", ("x",)),
                           ("timeline", ("4",)), ("labs", ("5",)), ("particles", ("1",)), ("source", ("g",)),
                           ("picture", ("F12",))):
            begin = time.monotonic() - opened_at
            opened.press(*keys)
            time.sleep(0.3)
            marks.append((what, begin, time.monotonic() - opened_at))
        ends, lengths = self.frames_of(opened)
        excess = {}
        for what, begin, end in marks:
            frames = lengths[bisect.bisect_left(ends, begin):bisect.bisect_right(ends, end)]
            # The usual frame is the longer of before and after: 16 calls of a slow algorithm take 96 ms.
            usual = max(frames[0], statistics.median(frames[len(frames) * 2 // 3:]))
            excess[what] = (max(frames) - usual) * 1e3
        return excess

    def test_changes_delay_no_frame(self):
        """A change of algorithm, width, launch configuration or view does not delay the next frame."""
        for slots in ("2^20", "2^26"):
            with self.subTest(slots=slots):
                # The minimum of two runs excludes disturbances by the machine.
                runs = [self.hitches(slots, f"_{slots[2:]}_{run}") for run in range(2)]
                least = {what: min(run[what] for run in runs) for what in runs[0]}
                print(f"{slots}: excess of the longest frame, ms: " +
                      ", ".join(f"{what} {ms:.1f}" for what, ms in least.items()))
                for what, ms in least.items():
                    self.assertLess(ms, HITCH_MS, what)

    def test_slow_motion_runs_at_full_rate(self):
        opened = self.open("--slots", "2^20", "--slow-motion", "85")
        window.wait_for("a compaction", lambda: "plot of time by address" in opened.controls())
        opened.frames(300)
        _, sidecar = opened.capture()
        if not sidecar["opengl"]["software"]:
            self.assertLess(sidecar["frame_us"]["median"], 1e6 / 60, "not at full rate")
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_a_lab_delays_no_frame_of_the_scene(self):
        opened = self.open("--slots", "2^20", "--csv", "frames.csv")
        opened_at = time.monotonic()
        opened.press("5")
        opened.click("hold the scene")
        quiet_from = time.monotonic() - opened_at
        time.sleep(3)
        quiet_to = time.monotonic() - opened_at
        opened.click("start")
        window.wait_for("the start", lambda: "cancel" in opened.controls())
        busy_from = time.monotonic() - opened_at
        time.sleep(3)
        busy_to = time.monotonic() - opened_at
        opened.capture()
        opened.press("Escape")
        window.wait_for("the end", lambda: "start" in opened.controls(), A_LAB_S)
        ends, lengths = self.frames_of(opened)

        def between(begin, end):
            return sorted(lengths[bisect.bisect_left(ends, begin):bisect.bisect_right(ends, end)])

        quiet, busy = between(quiet_from, quiet_to), between(busy_from, busy_to)
        for name, frames in (("scene alone", quiet), ("with a lab", busy)):
            print(f"{name}: median {statistics.median(frames) * 1e3:.2f} ms, 99 % under {frames[len(frames) * 99 // 100] * 1e3:.2f} ms, "
                  f"longest {frames[-1] * 1e3:.2f} ms, {len(frames)} frames")
        self.assertLess(statistics.median(busy), 1 / 60, "not at full rate")
        self.assertLess(busy[len(busy) * 99 // 100], HITCH_MS / 1e3)


if __name__ == "__main__":
    program.main()
