"""A window that is ended from outside: by a signal, or by the end of its X server. Nothing measured may be lost."""

import csv
import json
import os
import signal
import time
import unittest.mock

import program
import window


class RunEndWindowTest(window.WindowTestCase):
    def check_outputs(self, opened):
        """The files of the run exist and are whole, and so are the settings."""
        rows = list(csv.DictReader((opened.folder / "run.csv").read_text(encoding="utf-8").splitlines()))
        self.assertGreater(len(rows), 3)
        report = json.loads((opened.folder / "run.json").read_text(encoding="utf-8"))
        self.assertEqual(report["check"]["wrong"], 0)
        json.loads(opened.settings.read_text(encoding="utf-8"))

    def open_with_outputs(self, part=""):
        return self.open("--csv", "run.csv", "--json", "run.json", part=part)

    def test_a_signal_keeps_what_was_measured(self):
        for number, code, name in ((signal.SIGINT, 130, "Ctrl-C"), (signal.SIGTERM, 143, "SIGTERM")):
            opened = self.open_with_outputs(name)
            opened.frames(5)
            opened.press("l")  # written a second later, or at the end
            opened.process.send_signal(number)
            self.assertEqual(opened.process.wait(timeout=window.TIMEOUT_S), code, opened.messages())
            self.assertEqual(opened.messages().count(f"{name} ended the run after "), 1, opened.messages())
            self.check_outputs(opened)
            self.assertEqual(json.loads(opened.settings.read_text(encoding="utf-8"))["theme"], "light")

    def test_the_end_of_the_display_keeps_what_was_measured(self):
        for end in (signal.SIGTERM, signal.SIGKILL):
            with window.server((1280, 800)) as (name, server):
                folder = program.output_folder(f"{self._testMethodName}-{end.name}")
                with window.Window(name, folder, "--engine", "cpu", "--slots", "2^14", "--csv", "run.csv", "--json",
                                   "run.json") as opened:
                    opened.frames(5)
                    server.send_signal(end)
                    self.assertEqual(opened.process.wait(timeout=window.TIMEOUT_S), program.EXIT_FAILURE)
                    self.assertEqual(opened.messages().count("The display was lost"), 1, opened.messages())
                    self.check_outputs(opened)

    def test_an_animation_does_not_delay_the_end(self):
        tools = program.output_folder(self._testMethodName + "-tools")
        (tools / "ffmpeg").write_text('#!/bin/sh\nfor file; do :; done\nprintf half > "$file"\nexec sleep 60\n', encoding="utf-8")
        (tools / "ffmpeg").chmod(0o755)
        self.enterContext(unittest.mock.patch.dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}"))
        opened = self.open_with_outputs()
        opened.press("ctrl", "F12")
        opened.frames(10)
        opened.press("ctrl", "F12")
        recording = window.wait_for("the half animation", lambda: list(opened.captures.glob("*/.recording.gif")))[0].parent
        opened.process.send_signal(signal.SIGTERM)
        self.assertEqual(opened.process.wait(timeout=10), 143, opened.messages())
        self.check_outputs(opened)
        self.assertEqual([file.name for file in recording.glob("*.gif")], [])

    def test_the_end_of_the_display_during_the_end_of_the_run(self):
        # Some time after the signal the server stops answering, so that the program waits for it.
        for pause_ms in range(0, 60, 5):
            with self.subTest(pause_ms=pause_ms), window.server((1280, 800)) as (name, server):
                folder = program.output_folder(f"{self._testMethodName}-{pause_ms}")
                with window.Window(name, folder, "--engine", "cpu", "--slots", "2^14", "--csv", "run.csv", "--json",
                                   "run.json") as opened:
                    opened.frames(5)
                    opened.process.send_signal(signal.SIGTERM)
                    time.sleep(pause_ms / 1000)
                    server.send_signal(signal.SIGSTOP)
                    time.sleep(0.3)
                    server.kill()
                    code = opened.process.wait(timeout=window.TIMEOUT_S)
                    self.assertIn(code, (143, program.EXIT_FAILURE), opened.messages())
                    self.check_outputs(opened)

    def test_a_signal_ends_a_run_whose_display_does_not_answer(self):
        with window.server((1280, 800)) as (name, server):
            folder = program.output_folder(self._testMethodName)
            with window.Window(name, folder, "--engine", "cpu", "--slots", "2^14", "--csv", "run.csv", "--json",
                               "run.json") as opened:
                window.wait_for("the files", lambda: (folder / "run.csv").exists() and (folder / "run.json").exists())
                server.send_signal(signal.SIGSTOP)
                time.sleep(0.5)
                sent = time.monotonic()
                opened.process.send_signal(signal.SIGTERM)
                try:
                    self.assertEqual(opened.process.wait(timeout=window.TIMEOUT_S), 143, opened.messages())
                finally:
                    server.send_signal(signal.SIGCONT)
                self.assertLess(time.monotonic() - sent, program.LONGEST_S)
                self.assertIn("SIGTERM could not end the run in time: the display", opened.messages())
                self.check_outputs(opened)

    def test_settings_that_cannot_be_saved_lose_nothing_else(self):
        with window.server((1280, 800)) as (name, server):
            folder = program.output_folder(self._testMethodName)
            with window.Window(name, folder, "--engine", "cpu", "--slots", "2^14", "--csv", "run.csv") as opened:
                opened.frames(5)
                opened.settings.unlink()
                opened.settings.mkdir()
                server.kill()
                self.assertEqual(opened.process.wait(timeout=window.TIMEOUT_S), program.EXIT_FAILURE)
                self.assertIn("settings.json: Is a directory, so they are not saved. Set XDG_CONFIG_HOME", opened.messages())
                self.assertTrue((folder / "run.csv").exists())


if __name__ == "__main__":
    program.main()
