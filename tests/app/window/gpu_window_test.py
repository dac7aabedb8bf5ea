"""The window on a GPU with real interop: every view and lab. Skips without a GPU. The pictures stay in the output folder."""

import csv
import json
import time

import dropping
import program
import window

A_LAB_S = 120


class OnTheGpu(window.WindowTestCase):
    def open(self, *arguments, **named):
        return super().open("--engine", "cuda", *arguments, **named)


class GpuWindowTest(OnTheGpu):
    def check_sound(self, sidecar):
        """The run is on the GPU, in shared buffers, and correct."""
        self.assertEqual(sidecar["engine"], "cuda")
        self.assertEqual(sidecar["check"]["wrong"], 0)
        if not sidecar["opengl"]["software"]:
            self.assertEqual(sidecar["transfer"], "CUDA-OpenGL interop")

    def test_algorithms(self):
        opened = self.open("--slots", "2^16")
        for algorithm in ("single_pass", "billeter", "cub_select", "sequence_wise"):
            self.choose(opened, "algorithm", algorithm)
            opened.frames(40)
            picture, sidecar = opened.capture()
            self.check_picture(opened, picture)
            self.check_sound(sidecar)
            self.assertEqual(sidecar["algorithm"], algorithm)
        opened.click("vector width: pair")
        opened.drag("slots", 0.8)
        opened.frames(40)
        _, sidecar = opened.capture()
        self.check_sound(sidecar)
        self.assertEqual(sidecar["options"]["vector-width"]["value"], 2)
        self.assertGreater(sidecar["slots"], 2**16)
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_sources(self):
        opened = self.open("--slots", "2^20")
        pictures = set()
        for name, source in (("Galaxy", "galaxy"), ("Fireworks", "fireworks"), ("Synthetic", "synthetic")):
            self.choose(opened, "source", name)
            opened.frames(300)
            picture, sidecar = opened.capture()
            self.check_picture(opened, picture)
            self.check_sound(sidecar)
            self.assertEqual(sidecar["source"], source)
            self.assertAlmostEqual(sidecar["kept"] / sidecar["slots"], 0.5, delta=0.05)
            pictures.add(str(program.probe(picture, opened.controls()["view"])))
        self.assertEqual(len(pictures), 3, "each source has its own picture")
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_the_slot_map(self):
        opened = self.open("--slots", "2^20")
        opened.press("2")
        for algorithm in ("sequence_wise", "single_pass", "block_wise", "cub_select", "atomic_append"):
            self.choose(opened, "algorithm", algorithm)
            opened.frames(30)
            self.check_map(opened)
        _, sidecar = self.check_map_zoom(opened, 8)
        self.check_sound(sidecar)
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_the_lens(self):
        opened = self.open("--slots", "2^16", "--lens-mode", "particles", "--b", "cub_select")
        for algorithm in ("single_pass", "atomic_append", "cub_select"):
            self.choose_side(opened, "B", algorithm)
            opened.frames(90)
            picture, sidecar = opened.capture()
            self.check_sound(sidecar)
            self.assertEqual(sidecar["b"]["algorithm"], algorithm)
            self.assertEqual(sidecar["b"]["check"]["wrong"], 0)
            self.assertGreater(sidecar["b"]["check"]["checked"], 0)
            # The two counts may be from different frames.
            self.assertAlmostEqual(sidecar["b"]["kept"] / sidecar["kept"], 1, delta=0.01)
            for side, half in zip("AB", self.halves(opened, picture)):
                self.assertGreater(half["colours"], 100, f"{side}'s particles are missing")
        opened.drag("slots", 0.8)  # enough for the compute splat
        opened.frames(90)
        picture, sidecar = opened.capture()
        self.assertGreater(sidecar["slots"], 2**18)
        for side, half in zip("AB", self.halves(opened, picture)):
            self.assertGreater(half["colours"], 100, f"{side}'s particles are missing")
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_slow_motion(self):
        opened = self.open("--slots", "2^20", "--slow-motion", "85")
        window.wait_for("a compaction", lambda: "plot of time by address" in opened.controls())
        opened.drag("plot of time by address", 0.5)
        opened.press("space")
        opened.frames(300)
        _, sidecar = opened.capture()
        self.check_sound(sidecar)
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_the_race(self):
        opened = self.open("--slots", "2^20", "--tab", "race")
        opened.frames(300)
        lanes = [label for label in opened.controls() if label.startswith("lane: ")]
        self.assertEqual(len(lanes), 8, lanes)
        _, sidecar = opened.capture()
        self.check_sound(sidecar)
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_the_tour(self):
        opened = self.open("--tour", "7")
        for number in (7, 8, 9, 10):
            window.wait_for(f"step {number}", lambda title=f"tour: {number}": title in opened.controls())
            opened.frames(60)
            self.assertIn("ratio", opened.controls())
            _, sidecar = opened.capture()
            self.check_sound(sidecar)
            if number < 10:
                opened.click("next")
        opened.press("Escape")
        window.wait_for("the end of the tour", lambda: "tour: 10" not in opened.controls())
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_undo_palette_and_drop(self):
        opened = self.open("--slots", "2^20")
        opened.press("ctrl", "p")
        opened.xdotool("type", "--delay", "20", "preset: clustered")
        opened.press("Return")
        opened.frames(60)
        picture, sidecar = opened.capture()
        self.assertAlmostEqual(sidecar["live_fraction"], 0.25)
        opened.press("ctrl", "z")
        opened.frames(60)
        _, undone = opened.capture()
        self.assertAlmostEqual(undone["live_fraction"], 0.5)
        dropping.drop(self.display_name, int(opened.window), picture)
        window.wait_for("the message", lambda: f"Loaded the settings of {picture.name}" in opened.messages())
        opened.frames(60)
        _, dropped = opened.capture()
        self.assertAlmostEqual(dropped["live_fraction"], 0.25)
        self.check_sound(dropped)
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_one_item(self):
        opened = self.open("--slots", "2^20", "--tab", "slot_map")
        opened.frames(60)
        opened.click("slot map: sparse")
        window.wait_for("the strip", lambda: "followed item" in opened.controls())
        opened.press("1")
        window.wait_for("its ring", lambda: "followed in scene" in opened.controls())
        opened.press("6")
        window.wait_for("its place", lambda: "followed in race" in opened.controls())
        opened.press("Escape")
        window.wait_for("its end", lambda: "followed item" not in opened.controls())
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_the_timeline_and_its_clock(self):
        opened = self.open("--slots", "2^20")
        opened.press("4")
        opened.frames(400)
        opened.press("a")
        opened.frames(200)
        picture, sidecar = opened.capture()
        self.check_sound(sidecar)
        for part in ("history", "histogram"):
            self.assertGreater(program.probe(picture, opened.controls()[part])["colours"], 5, f"no {part}")
        opened.press("h")
        opened.press("k")
        saved = window.wait_for("the frames", lambda: list(opened.captures.glob("*.csv")))[0]
        window.wait_for("the message", lambda: "now the ghost" in opened.messages())
        opened.capture()
        with open(saved, encoding="utf-8") as file:
            rows = csv.DictReader(line for line in file if not line.startswith("#"))
            clocks = [int(row["clock_hz"]) for row in rows if row["clock_hz"]]
        self.assertGreater(len(clocks), 3, "the clock was not read")
        self.assertTrue(all(1e8 < clock < 4e9 for clock in clocks), clocks)
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_pictures_of_plots_and_recordings(self):
        opened = self.open("--slots", "2^20")
        opened.frames(60)
        picture, sidecar = opened.capture("shift", "F12")
        self.assertEqual(sidecar["plot"], "timings")
        self.assertGreater(program.probe(picture)["brightness"], 180, "white for print")
        self.check_recording(opened)
        picture, sidecar = opened.capture()
        self.check_picture(opened, picture)
        self.assertEqual(opened.quit(), 0, opened.messages())
        # The sidecar repeats the run.
        replayed = program.run(opened.folder, "--replay", picture.with_suffix(".json"), "--headless", "--frames", 100,
                               "--json", "again.json")
        self.assertEqual(replayed.returncode, 0, replayed.stderr)
        again = json.loads((opened.folder / "again.json").read_text(encoding="utf-8"))
        for field in ("engine", "algorithm", "options", "slots", "seed"):
            self.assertEqual(again[field], sidecar[field], field)

    def test_labs(self):
        opened = self.open("--slots", "2^20")
        opened.press("5")
        for lab in ("compare", "tune", "sweep", "steps", "roofline", "reproduce"):
            with self.subTest(lab=lab):
                start = time.monotonic()
                opened.click(f"lab: {lab}")
                opened.click("start")
                window.wait_for("the start", lambda: "cancel" in opened.controls())
                window.wait_for("the end", lambda: "start" in opened.controls(), A_LAB_S)
                print(f"lab {lab}: {time.monotonic() - start:.1f} s")
                _, sidecar = opened.capture()
                self.check_sound(sidecar)
                self.assertEqual(sidecar["settings"]["labs"]["lab"], lab)
        self.assertEqual(opened.quit(), 0, opened.messages())


class WindowOfAFailedGpuTest(OnTheGpu):
    """Runs last: after such a failure, OpenGL on the GPU may be slow."""

    def rows(self, file):
        with open(file, encoding="utf-8") as text:
            return list(csv.DictReader(text))

    def after_the_failure(self, opened, restarted=True):
        """Waits for the GPU failure; the window must go on with the CPU engine. `restarted`: in a new process, which takes
        over the shared buffers."""
        window.wait_for("the failure", lambda: "The GPU failed" in opened.messages(), A_LAB_S)
        window.wait_for("the CPU engine", lambda: "cpu engine on" in opened.messages())
        opened.find()
        opened.press("1")
        opened.frames(3)
        picture, sidecar = opened.capture()
        self.check_picture(opened, picture)
        self.assertEqual(sidecar["engine"], "cpu")
        if restarted:
            self.assertTrue(sidecar["opengl"]["software"], "OpenGL on a GPU that failed may be slow")

    def test_the_window_survives_a_gpu_failure(self):
        opened = self.open("--slots", "2^16", "--rehearse-gpu-failure", "600", "--csv", "frames.csv")
        _, sidecar = opened.capture()
        restarted = sidecar["transfer"] == "CUDA-OpenGL interop"
        self.after_the_failure(opened, restarted)
        self.assertEqual(opened.quit(), program.EXIT_FAILURE, opened.messages())
        # The frames of both engines are kept, in two files if a new process took over.
        files = sorted(file.name for file in opened.folder.glob("*.csv"))
        self.assertEqual(files, ["frames-before-restart.csv", "frames.csv"] if restarted else ["frames.csv"], opened.messages())
        after = self.rows(opened.folder / "frames.csv")
        before = self.rows(opened.folder / "frames-before-restart.csv") if restarted else after
        on_gpu = [row for row in before if not row["algorithm"].startswith("cpu")]
        on_cpu = [row for row in after if row["algorithm"].startswith("cpu")]
        self.assertGreater(len(on_gpu), 500)
        self.assertGreater(len(on_cpu), 3)
        if restarted:
            self.assertEqual((len(on_gpu), len(on_cpu)), (len(before), len(after)))

    def test_a_gpu_failure_during_captures_loses_no_picture(self):
        opened = self.open("--slots", "2^16", "--rehearse-gpu-failure", "400")
        opened.press("ctrl", "F12")
        opened.press("F12")
        self.after_the_failure(opened)
        self.assertEqual(opened.quit(), program.EXIT_FAILURE, opened.messages())
        pictures = list(opened.captures.rglob("*.png"))
        self.assertGreater(len(pictures), 3)
        for picture in pictures:
            program.png_size(picture)
        self.assertEqual(list(opened.captures.rglob("*.partial*")), [])

    def test_a_gpu_failure_during_a_lab_keeps_the_window(self):
        # Late enough for the clicks at a thousand frames per second. The scene moves while the lab measures: a paused
        # scene computes nothing that could fail.
        opened = self.open("--slots", "2^16", "--rehearse-gpu-failure", "3000", "--tab", "labs")
        opened.click("hold the scene")
        opened.click("start")
        window.wait_for("the start", lambda: "cancel" in opened.controls())
        self.assertNotIn("The GPU failed", opened.messages(), "the lab began too late")
        self.after_the_failure(opened)
        self.assertEqual(opened.quit(), program.EXIT_FAILURE, opened.messages())


if __name__ == "__main__":
    program.main()
