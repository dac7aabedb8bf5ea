"""Labs in a real window: completed, cancelled, and closed while they run. The pictures stay in the output folder."""

import json

import program
import window

# A quick lab takes up to 0.2 s per setting; test machines are busy.
A_LAB_S = 240


class LabsWindowTest(window.WindowTestCase):
    def open(self, *arguments, **named):
        opened = super().open(*arguments, **named)
        opened.press("5")
        return opened

    def wait_for_control(self, opened, label, timeout_s=window.TIMEOUT_S):
        return window.wait_for(f"the control '{label}'", lambda: opened.controls().get(label), timeout_s)

    def test_compare_completes_and_loads_an_algorithm(self):
        opened = self.open()
        opened.press("Return")
        self.wait_for_control(opened, "lab progress")
        self.assertNotIn("start", opened.controls())
        # Rows appear before the end.
        row = self.wait_for_control(opened, "compare: cpu_loop")
        self.wait_for_control(opened, "start", A_LAB_S)
        self.assertNotIn("lab progress", opened.controls())
        picture, _ = opened.capture()
        x, y, width, height = row
        bars = program.probe(picture, (x, y, width, height * 4))
        self.assertGreater(bars["colours"], 20, "no bars")
        opened.click("compare: cpu_loop")
        _, sidecar = opened.capture()
        self.assertEqual(sidecar["algorithm"], "cpu_loop")
        # Results stay while other tabs are open.
        opened.press("1")
        opened.press("5")
        self.assertIn("compare: cpu_loop", opened.controls())
        self.assertEqual(opened.quit(), 0, opened.messages())
        kept = json.loads(opened.settings.read_text(encoding="utf-8"))
        self.assertEqual((kept["tab"], kept["labs"]["lab"]), ("labs", "compare"))

    def test_tune_fills_in_and_is_cancelled(self):
        opened = self.open()
        opened.click("lab: tune")
        opened.click("start")
        self.wait_for_control(opened, "lab progress")
        self.wait_for_control(opened, "tune map")
        opened.frames(10)
        picture, _ = opened.capture()
        self.assertGreater(program.probe(picture, opened.controls()["tune map"])["colours"], 20, "the map is empty")
        opened.press("Escape")
        self.wait_for_control(opened, "start", 10)
        self.assertIn("tune map", opened.controls(), "the results were lost")
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_escape_wakes_a_held_lab_at_once(self):
        opened = self.open()
        opened.press("Return")
        self.wait_for_control(opened, "lab progress")
        opened.xdotool("key", "--delay", "0", "Escape")  # shorter than a frame
        self.wait_for_control(opened, "start", 10)
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_the_scene_continues_if_it_is_not_held(self):
        opened = self.open()
        opened.click("hold the scene")
        opened.click("start")
        self.wait_for_control(opened, "lab progress")
        opened.frames(30)
        opened.press("Escape")
        self.wait_for_control(opened, "start", 10)
        opened.capture()
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_the_window_closes_while_a_lab_measures(self):
        opened = self.open()
        opened.click("start")
        self.wait_for_control(opened, "lab progress")
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_at_other_sizes_and_scales(self):
        for scale, size in (("1", "1024x640"), ("1.5", "1600x900"), ("2", "2560x1440")):
            with self.subTest(scale=scale, size=size):
                opened = self.open("--scale", scale, size=size, part=f"_{size}_{scale}")
                opened.click("start")
                self.wait_for_control(opened, "start", A_LAB_S)
                picture, _ = opened.capture()
                width, height = map(int, size.split("x"))
                self.assertEqual(program.png_size(picture)[0], width)
                self.assertGreater(program.png_size(picture)[1], height, "the strip is missing")
                self.assertEqual(opened.quit(), 0, opened.messages())


if __name__ == "__main__":
    program.main()
