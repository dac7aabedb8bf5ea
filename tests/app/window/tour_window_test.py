"""The guided tour in a real window, driven by mouse and keys. The pictures stay in the output folder."""

import json
import signal

import program
import window

STEPS = 10


def step(opened):
    """The number of the step that is shown; 0 for none."""
    titles = [label.removeprefix("tour: ") for label in opened.controls() if label.startswith("tour: ")]
    return next((int(title) for title in titles if title.isdigit()), 0)


def wait_for_step(opened, number):
    window.wait_for(f"step {number}", lambda: step(opened) == number)


def run_settings(settings):
    """The settings that a step replaces, from a settings file or a sidecar."""
    stream = {key: settings.get(key) for key in ("source", "density", "seed", "algorithm", "engine", "tab",
                                                 "particles_mode", "show_timings")}
    return {key: value for key, value in stream.items() if value is not None}


USERS_OWN = {"engine": "cpu", "algorithm": "cpu_loop", "source": "galaxy", "density": 0.25, "seed": 7, "slots": 16384,
             "particles_mode": "particles", "show_timings": True}


class TourWindowTest(window.WindowTestCase):
    def open_own(self, *arguments, **settings):
        """Opens the window with settings of a user."""
        folder = program.output_folder(self._testMethodName)
        (folder / "settings.json").write_text(json.dumps(USERS_OWN | settings), encoding="utf-8")
        return self.enterContext(window.Window(self.display_name, folder, "--size", "1280x720", *arguments))

    def kept(self, opened):
        return run_settings(json.loads(opened.settings.read_text(encoding="utf-8")))

    def test_through_all_steps_and_back(self):
        opened = self.open_own()
        self.assertEqual(step(opened), 0)
        opened.click("guided tour")
        wait_for_step(opened, 1)
        for number in range(2, STEPS + 1):
            if number % 2:
                opened.click("next")
            else:
                opened.press("Next")  # Page Down
            wait_for_step(opened, number)
            opened.frames(5)
            _, sidecar = opened.capture()
            self.assertEqual(sidecar["check"]["wrong"], 0)
        for number in range(STEPS - 1, 0, -1):
            opened.press("Prior")  # Page Up
            wait_for_step(opened, number)
        opened.click("leave")
        wait_for_step(opened, 0)
        self.assertIn("view", opened.controls())
        self.assertEqual(opened.quit(), 0)
        self.assertEqual(self.kept(opened) | run_settings(USERS_OWN), self.kept(opened))

    def test_starts_directly_and_ends_in_the_middle(self):
        opened = self.open_own("--tour", "7")
        wait_for_step(opened, 7)
        self.assertIn("ratio", opened.controls())
        opened.frames(3)
        self.assertEqual(opened.quit(), 0)
        self.assertEqual(self.kept(opened) | run_settings(USERS_OWN), self.kept(opened))

    def test_keeps_the_settings_when_it_is_killed(self):
        opened = self.open_own("--tour", "9")
        wait_for_step(opened, 9)
        before = opened.settings.stat().st_mtime_ns
        opened.press("l")  # the light theme is the user's own change
        window.wait_for("the settings", lambda: opened.settings.stat().st_mtime_ns != before)
        opened.process.send_signal(signal.SIGKILL)
        opened.process.wait(timeout=window.TIMEOUT_S)
        kept = json.loads(opened.settings.read_text(encoding="utf-8"))
        self.assertEqual(kept["theme"], "light")
        self.assertEqual(self.kept(opened) | run_settings(USERS_OWN), self.kept(opened))

    def test_palette_finds_a_step(self):
        opened = self.open_own()
        opened.press("ctrl", "p")
        opened.xdotool("type", "tour: prefix")
        opened.frames(3)
        opened.press("Return")
        wait_for_step(opened, 4)
        window.wait_for("slow motion", lambda: "plot of time by address" in opened.controls())
        opened.press("Escape")
        wait_for_step(opened, 0)
        self.assertEqual(opened.quit(), 0)


class FirstStartTest(window.WindowTestCase):
    def test_offers_the_tour_once(self):
        folder = program.output_folder(self._testMethodName)
        arguments = ("--size", "1280x720", "--engine", "cpu", "--slots", "2^14")
        opened = self.enterContext(window.Window(self.display_name, folder, *arguments, first_start=True))
        self.assertIn("welcome", opened.controls())
        window.wait_for("the followed item", lambda: "followed item in scene" in opened.controls())
        opened.capture()
        opened.click("start the tour")
        wait_for_step(opened, 1)
        opened.press("Escape")
        wait_for_step(opened, 0)
        self.assertNotIn("welcome", opened.controls())
        self.assertEqual(opened.quit(), 0)
        again = self.enterContext(window.Window(self.display_name, folder, *arguments))
        self.assertNotIn("welcome", again.controls())
        self.assertEqual(again.quit(), 0)


if __name__ == "__main__":
    program.main()
