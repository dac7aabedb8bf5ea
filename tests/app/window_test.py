"""The program in a real window, with a person at mouse and keys. The pictures stay in the output folder."""

import json
import unittest

import program
import window

SIDECAR_FIELDS = """program version commit mode time picture engine device driver opengl transfer slots
    live_fraction kept seed algorithm options iterations_per_frame timing_method timings_us frame_us
    useful_gb_s copy_gb_s share_of_copy check command""".split()


class WindowTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.display_name = cls.enterClassContext(window.display((2560, 1600)))

    def open(self, *arguments, size="1280x720"):
        folder = program.output_folder(self._testMethodName)
        if "--engine" not in arguments:
            arguments = ("--engine", "cpu", "--slots", "2^14", *arguments)
        arguments = ("--size", size, *arguments)
        return self.enterContext(window.Window(self.display_name, folder, *arguments))

    def check_picture(self, opened, picture, size):
        """The picture has that size and shows particles and panels."""
        self.assertEqual(program.png_size(picture), size)
        whole = program.probe(picture)
        self.assertEqual((whole["width"], whole["height"]), size)
        view = opened.controls()["view"]
        controls = (0, 0, view[0], size[1])
        self.assertGreater(program.probe(picture, view)["colours"], 200, "the particles are missing")
        self.assertGreater(program.probe(picture, controls)["colours"], 50, "the controls are missing")

    def test_choose_an_algorithm_drag_a_slider_and_capture(self):
        opened = self.open()
        _, before = opened.capture()
        self.assertEqual(before["algorithm"], "cpu_sequence_wise")
        opened.click("algorithm")
        opened.click("algorithm: cpu_loop")
        opened.drag("live fraction", 0.8)
        opened.drag("slots", 0.5)
        opened.frames(40)  # until the figures speak of what runs now

        picture, sidecar = opened.capture()
        self.check_picture(opened, picture, (1280, 720))
        self.assertEqual(sidecar["algorithm"], "cpu_loop")
        self.assertAlmostEqual(sidecar["live_fraction"], 0.8, delta=0.1)
        self.assertGreater(sidecar["slots"], before["slots"])
        self.assertAlmostEqual(sidecar["kept"] / sidecar["slots"], sidecar["live_fraction"], delta=0.05)
        for field in SIDECAR_FIELDS:
            self.assertIn(field, sidecar)
            self.assertNotIn(sidecar[field], ("", None), field)
        self.assertEqual(sidecar["picture"], picture.name)
        self.assertEqual(sidecar["check"]["wrong"], 0)
        self.assertIn("total", sidecar["timings_us"])
        self.assertNotIn("prefix", sidecar["timings_us"], "the figures of the algorithm before")
        self.assertGreater(sidecar["timings_us"]["total"]["n"], 0)

        self.assertEqual(opened.quit(), 0, opened.said())
        settings = json.loads(opened.settings.read_text(encoding="utf-8"))
        self.assertEqual(settings["algorithm"], "cpu_loop")
        self.assertEqual(settings["slots"], sidecar["slots"])
        self.assertAlmostEqual(settings["density"], sidecar["live_fraction"])

    def map_pictures(self, opened):
        """Captures the slot map; returns what is in its three columns."""
        picture, sidecar = opened.capture()
        controls = opened.controls()
        sparse, compacted = controls["slot map: sparse"], controls["slot map: compacted"]
        gutter = (sparse[0] + sparse[2], sparse[1], compacted[0] - sparse[0] - sparse[2], sparse[3])
        return [program.probe(picture, part) for part in (sparse, gutter, compacted)], sidecar

    def check_map(self, opened):
        (sparse, gutter, compacted), sidecar = self.map_pictures(opened)
        self.assertGreater(sparse["colours"], 100, "the sparse buffer is missing")
        self.assertGreater(gutter["colours"], 8, "the bars are missing")
        self.assertGreater(compacted["colours"], 50, "the compacted buffer is missing")
        self.assertEqual(sidecar["check"]["wrong"], 0)

    def test_the_slot_map(self):
        opened = self.open("--engine", "cpu", "--slots", "2^16")
        opened.press("2")
        opened.frames(20)
        self.check_map(opened)
        opened.move(opened.place("slot map: sparse", 0.2))
        opened.press("space")
        opened.frames(10)
        still, _ = self.map_pictures(opened)
        for _ in range(5):
            opened.xdotool("click", 4)  # the wheel, away from the person
            opened.frames(3)
        opened.frames(20)
        close, _ = self.map_pictures(opened)
        self.assertNotEqual(close[0], still[0], "the wheel did not zoom")
        self.check_map(opened)
        opened.click("slot map colour: slot")
        opened.frames(20)
        by_slot, _ = self.map_pictures(opened)
        self.assertNotEqual(by_slot[2], close[2], "the colours are the same")
        for algorithm in ("cpu_loop", "std_copy_if", "cpu_single_pass"):
            opened.click("algorithm")
            opened.click(f"algorithm: {algorithm}")
            opened.frames(20)
            self.check_map(opened)
        opened.press("1")
        opened.frames(3)
        self.assertIn("view", opened.controls())
        self.assertEqual(opened.quit(), 0, opened.said())

    def test_the_slot_map_at_every_size(self):
        for size, scale in (("1024x640", 1), ("2560x1440", 2), ("1280x720", 2)):
            with self.subTest(size=size, scale=scale):
                folder = program.output_folder(f"{self._testMethodName}_{size}_{scale}")
                arguments = ("--engine", "cpu", "--slots", "2^14", "--size", size, "--scale", scale)
                with window.Window(self.display_name, folder, *arguments) as opened:
                    opened.press("2")
                    opened.frames(20)
                    self.check_map(opened)
                    self.assertEqual(opened.quit(), 0, opened.said())

    def test_on_the_gpu(self):
        opened = self.open("--engine", "cuda", "--slots", "2^16")
        for algorithm in ("single_pass", "billeter", "cub_select", "sequence_wise"):
            opened.click("algorithm")
            opened.click(f"algorithm: {algorithm}")
            opened.frames(40)
            picture, sidecar = opened.capture()
            self.check_picture(opened, picture, (1280, 720))
            self.assertEqual((sidecar["engine"], sidecar["algorithm"]), ("cuda", algorithm))
            self.assertEqual(sidecar["check"]["wrong"], 0)
        opened.click("vector width: pair")
        opened.drag("slots", 0.8)
        opened.frames(40)
        _, sidecar = opened.capture()
        self.assertEqual(sidecar["options"]["vector-width"]["value"], 2)
        self.assertGreater(sidecar["slots"], 2**16)
        if not sidecar["opengl"]["software"]:
            self.assertEqual(sidecar["transfer"], "CUDA-OpenGL interop")
        self.assertEqual(opened.quit(), 0, opened.said())

    def test_the_window_goes_on_when_the_gpu_fails(self):
        opened = self.open("--engine", "cuda", "--slots", "2^16", "--rehearse-gpu-failure", "60")
        window.wait_for("the failure", lambda: "The GPU failed" in opened.said())
        window.wait_for("the CPU engine", lambda: "cpu engine on" in opened.said())
        opened.find()
        picture, sidecar = opened.capture()
        self.check_picture(opened, picture, (1280, 720))
        self.assertEqual(sidecar["engine"], "cpu")
        self.assertEqual(opened.quit(), program.EXIT_FAILURE, opened.said())

    def test_the_settings_come_back_at_the_next_start(self):
        opened = self.open()
        opened.click("theme: light")
        opened.press("a")
        self.assertEqual(opened.quit(), 0, opened.said())
        chosen = json.loads(opened.settings.read_text(encoding="utf-8"))["algorithm"]
        self.assertNotEqual(chosen, "cpu_sequence_wise", "the key chose no other algorithm")
        again = self.enterContext(window.Window(self.display_name, opened.folder))
        _, sidecar = again.capture()
        self.assertEqual(sidecar["algorithm"], chosen)
        self.assertEqual(sidecar["slots"], 2**14)
        self.assertEqual(again.quit(), 0, again.said())
        self.assertEqual(json.loads(again.settings.read_text(encoding="utf-8"))["theme"], "light")

    def test_keys_do_what_they_say(self):
        opened = self.open()
        opened.press("v")
        opened.press("c")
        opened.press("space")
        opened.frames(30)
        picture, sidecar = opened.capture()
        self.assertEqual(sidecar["options"]["vector-width"], {"value": 1, "automatic": False})
        self.assertEqual(sidecar["check"]["state"], "off")
        # Paused, the same buffer is compacted in every frame.
        _, later = opened.capture()
        self.assertEqual(later["kept"], sidecar["kept"])
        opened.press("F1")
        with_help, _ = opened.capture()
        view = opened.controls()["view"]
        without = program.probe(picture, view)
        self.assertNotEqual(program.probe(with_help, view), without, "the list of keys is missing")
        self.assertEqual(opened.quit(), 0, opened.said())

    def test_captures_never_overwrite(self):
        opened = self.open()
        for _ in range(3):
            opened.capture()
        self.assertEqual(len(list(opened.captures.glob("*.png"))), 3)
        self.assertEqual(len(list(opened.captures.glob("*.json"))), 3)

    def test_the_window_is_resized(self):
        opened = self.open()
        for size in ((900, 600), (1600, 900)):
            opened.xdotool("windowsize", "--sync", opened.window, *size)
            opened.frames(5)
            picture, _ = opened.capture()
            self.check_picture(opened, picture, size)
        self.assertEqual(opened.quit(), 0, opened.said())

    def test_a_folder_that_cannot_be_written_is_told_and_the_run_goes_on(self):
        opened = self.open()
        opened.captures.write_text("a file where the folder should be")
        opened.press("F12")
        window.wait_for("the message", lambda: "The picture could not be saved" in opened.said())
        opened.frames(10)
        self.assertIn("dismiss message 1", opened.controls(), "the window says so too")
        opened.captures.unlink()
        picture, _ = opened.capture()
        self.check_picture(opened, picture, (1280, 720))
        opened.click("dismiss message 1")
        self.assertEqual(opened.quit(), 0, opened.said())

    def test_at_twice_the_scale(self):
        opened = self.open("--scale", "2", size="1920x1080")
        opened.frames(60)
        picture, _ = opened.capture()
        self.check_picture(opened, picture, (1920, 1080))


if __name__ == "__main__":
    program.main()
