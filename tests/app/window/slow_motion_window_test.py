"""Slow motion in a real window, driven by mouse and keys. The pictures stay in the output folder."""

import program
import window


def step(opened):
    """The title of the step that is shown."""
    others = ("time", "stage", "scaled down")
    titles = [label.removeprefix("slow motion: ") for label in opened.controls() if label.startswith("slow motion: ")]
    return next((title for title in titles if title not in others), None)


class SlowMotionWindowTest(window.WindowTestCase):
    def test_play_step_scrub_and_leave(self):
        opened = self.open("--engine", "cpu", "--slots", "2^14", "--algorithm", "cpu_sequence_wise")
        opened.press("6")
        opened.frames(3)
        self.assertEqual(step(opened), "stream")
        window.wait_for("the predicate", lambda: step(opened) == "predicate")
        opened.press("space")  # pauses
        opened.capture()
        opened.press("Right")
        self.assertEqual(step(opened), "count")
        opened.press("Left")
        self.assertEqual(step(opened), "predicate")
        opened.frames(20)
        self.assertEqual(step(opened), "predicate", "a step stops the animation")
        for share, title in ((0.01, "stream"), (0.5, "move"), (0.99, "full stream"), (0.3, "count")):
            opened.drag("slow motion: time", share)
            self.assertEqual(step(opened), title)
            opened.capture()
        opened.click("play")
        window.wait_for("the prefix", lambda: step(opened) == "prefix")
        opened.click("step back")
        opened.press("1")
        opened.frames(3)
        self.assertIsNone(step(opened))
        self.assertEqual(opened.quit(), 0)


class SlowMotionStartTest(window.WindowTestCase):
    def test_starts_there(self):
        opened = self.open("--engine", "cpu", "--slots", "2^14", "--tab", "slow_motion", "--algorithm", "cpu_loop")
        opened.drag("slow motion: time", 0.4)
        self.assertEqual(step(opened), "loop")
        opened.capture()
        self.assertEqual(opened.quit(), 0)


if __name__ == "__main__":
    program.main()
