"""The race in a real window, driven by mouse and keys. The pictures stay in the output folder."""

import json

import program
import window


class RaceWindowTest(window.WindowTestCase):
    def test_open_choose_and_keep(self):
        opened = self.open("--engine", "cpu", "--slots", "2^14")
        self.assertNotIn("race: scale", opened.controls())
        opened.press("6")
        opened.frames(5)
        lanes = [label for label in opened.controls() if label.startswith("lane: ")]
        self.assertEqual(len(lanes), 8)
        self.assertIn("lane: cpu_loop", lanes)
        window.wait_for("the memory of the first two",
                        lambda: sum(label.startswith("memory: ") for label in opened.controls()) == 2)
        opened.click("race")
        opened.frames(3)
        opened.click("race: std_copy_if")
        window.wait_for("the lane's end", lambda: "lane: std_copy_if" not in opened.controls())
        opened.press("Escape")
        opened.capture()
        opened.press("1")
        opened.frames(3)
        self.assertNotIn("lane: cpu_loop", opened.controls())
        self.assertEqual(opened.quit(), 0)
        kept = json.loads(opened.settings.read_text(encoding="utf-8"))
        self.assertNotIn("std_copy_if", kept["race"])
        self.assertIn("cpu_loop", kept["race"])


if __name__ == "__main__":
    program.main()
