"""The program in a real window, driven by mouse and keys. The pictures stay in the output folder."""

import hashlib
import json
import os
import shutil
import struct
import unittest.mock
import zlib

import dropping
import program
import window

SIDECAR_FIELDS = """program version commit mode time picture engine device driver opengl transfer slots
    live_fraction kept seed algorithm options iterations_per_frame timing_method timings_us frame_us
    useful_gb_s copy_gb_s share_of_copy check command""".split()


def timed(sidecar):
    """The number of frames whose time is in the figures."""
    return sidecar["timings_us"].get("total", {"n": 0})["n"]


class WindowTest(window.WindowTestCase):
    def test_the_display_outlives_its_last_client(self):
        environment = program.environment(program.output_folder(self._testMethodName), DISPLAY=self.display_name)
        window.xdotool(environment, "mousemove", 7, 9)  # a display that resets forgets this
        self.assertIn("x:7 y:9 ", window.xdotool(environment, "getmouselocation"))

    def test_choose_an_algorithm_drag_a_slider_and_capture(self):
        opened = self.open()
        _, before = opened.capture()
        self.assertEqual(before["algorithm"], "cpu_sequence_wise")
        self.choose(opened, "algorithm", "cpu_loop")
        opened.drag("live fraction", 0.8)
        opened.drag("slots", 0.5)
        picture, sidecar = opened.capture_when(lambda sidecar: sidecar["algorithm"] == "cpu_loop" and timed(sidecar) > 20)
        self.check_picture(opened, picture)
        self.assertAlmostEqual(sidecar["live_fraction"], 0.8, delta=0.1)
        self.assertGreater(sidecar["slots"], before["slots"])
        self.assertAlmostEqual(sidecar["kept"] / sidecar["slots"], sidecar["live_fraction"], delta=0.05)
        for field in SIDECAR_FIELDS:
            self.assertIn(field, sidecar)
            self.assertNotIn(sidecar[field], ("", None), field)
        self.assertEqual(sidecar["picture"], picture.name)
        self.assertEqual(sidecar["check"]["wrong"], 0)
        self.assertIn("total", sidecar["timings_us"])
        self.assertNotIn("prefix", sidecar["timings_us"], "figures of the previous algorithm")

        self.assertEqual(opened.quit(), 0, opened.messages())
        settings = json.loads(opened.settings.read_text(encoding="utf-8"))
        self.assertEqual(settings["algorithm"], "cpu_loop")
        self.assertEqual(settings["slots"], sidecar["slots"])
        self.assertAlmostEqual(settings["density"], sidecar["live_fraction"])

    def test_two_windows_with_one_settings_file_keep_what_each_changed(self):
        first = self.open()
        # A display of its own: keys go to the window that has the focus.
        other_display = self.enterContext(window.display((1280, 800)))
        folder = program.output_folder(self._testMethodName + "_second")
        (folder / "settings.json").symlink_to(first.settings)
        second = self.enterContext(window.Window(other_display, folder, "--engine", "cpu", "--slots", "2^14"))
        first.press("l")
        second.press("4")
        self.assertEqual((first.quit(), second.quit()), (0, 0), first.messages() + second.messages())
        settings = json.loads(first.settings.read_text(encoding="utf-8"))
        self.assertEqual((settings["theme"], settings["tab"]), ("light", "timeline"))

    def test_switch_sources(self):
        opened = self.open()
        pictures = set()
        for name, source in (("Galaxy", "galaxy"), ("Fireworks", "fireworks"), ("Synthetic", "synthetic")):
            self.choose(opened, "source", name)
            opened.frames(35)
            picture, sidecar = opened.capture()
            self.check_picture(opened, picture)
            self.assertEqual(sidecar["source"], source)
            self.assertAlmostEqual(sidecar["kept"] / sidecar["slots"], 0.5, delta=0.05)
            self.assertEqual(sidecar["check"]["state"], "correct")
            self.assertIn(f"--source {source}", sidecar["command"])
            pictures.add(str(program.probe(picture, opened.controls()["view"])))
        self.assertEqual(len(pictures), 3, "each source has its own picture")

        self.choose(opened, "pattern", "structured")
        opened.drag("live fraction", 0.9)
        opened.frames(5)
        _, sidecar = opened.capture()
        self.assertEqual(sidecar["pattern"], "structured")
        self.assertIn("--pattern structured", sidecar["command"])
        self.assertEqual(sidecar["kept"], sidecar["slots"] // 2, "the structured pattern ignores the live fraction")
        opened.press("g")
        opened.press("g")
        _, sidecar = opened.capture()
        self.assertEqual((sidecar["source"], sidecar["pattern"]), ("fountain", None), "after the picture")
        self.assertEqual(opened.quit(), 0, opened.messages())
        settings = json.loads(opened.settings.read_text(encoding="utf-8"))
        self.assertEqual((settings["source"], settings["pattern"]), ("fountain", "structured"))

    def test_the_slot_map(self):
        opened = self.open("--engine", "cpu", "--slots", "2^16")
        opened.press("2")
        opened.frames(20)
        self.check_map(opened)
        close, _ = self.check_map_zoom(opened, 5)
        self.check_map(opened)
        opened.click("slot map colour: age")
        opened.frames(20)
        by_age, _ = self.map_pictures(opened)
        self.assertNotEqual(by_age[2], close[2], "the colours are the same")
        for algorithm in ("cpu_loop", "std_copy_if", "cpu_single_pass"):
            self.choose(opened, "algorithm", algorithm)
            opened.frames(20)
            self.check_map(opened)
        opened.press("1")
        opened.frames(3)
        self.assertIn("view", opened.controls())
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_the_slot_map_at_every_size(self):
        for size, scale in (("1024x640", 1), ("2560x1440", 2), ("1280x720", 2)):
            with self.subTest(size=size, scale=scale):
                folder = program.output_folder(f"{self._testMethodName}_{size}_{scale}")
                arguments = ("--engine", "cpu", "--slots", "2^14", "--size", size, "--scale", scale)
                with window.Window(self.display_name, folder, *arguments) as opened:
                    opened.press("2")
                    opened.frames(20)
                    self.check_map(opened)
                    self.assertEqual(opened.quit(), 0, opened.messages())

    def test_the_next_start_restores_the_settings(self):
        opened = self.open()
        opened.press("l")
        opened.press("a")
        self.assertEqual(opened.quit(), 0, opened.messages())
        chosen = json.loads(opened.settings.read_text(encoding="utf-8"))["algorithm"]
        self.assertNotEqual(chosen, "cpu_sequence_wise", "the key did not change the algorithm")
        again = self.enterContext(window.Window(self.display_name, opened.folder))
        _, sidecar = again.capture()
        self.assertEqual(sidecar["algorithm"], chosen)
        self.assertEqual(sidecar["slots"], 2**14)
        self.assertEqual(again.quit(), 0, again.messages())
        self.assertEqual(json.loads(again.settings.read_text(encoding="utf-8"))["theme"], "light")

    def test_changes_are_kept_at_once(self):
        opened = self.open(size="1000x700")
        opened.xdotool("windowmove", "--sync", opened.window, 120, 80)
        opened.press("l")
        opened.press("2")
        opened.click("slot map colour: age")
        opened.press("1")
        opened.drag("view", 0.7)
        window.wait_for("the settings", lambda: opened.settings.exists() and json.loads(
            opened.settings.read_text(encoding="utf-8")).get("camera_distance", 0) > 0)
        opened.frames(60)
        written = json.loads(opened.settings.read_text(encoding="utf-8"))
        opened.process.kill()  # nothing is written at the end
        opened.process.wait()
        self.assertEqual(written["theme"], "light")
        self.assertEqual(written["slot_map_colour"], "age")
        self.assertEqual([written[key] for key in ("window_x", "window_y", "window_width", "window_height")],
                         [120, 80, 1000, 700])
        again = self.enterContext(window.Window(self.display_name, opened.folder))
        geometry = again.xdotool("getwindowgeometry", "--shell", again.window)
        for line in ("X=120", "Y=80", "WIDTH=1000", "HEIGHT=700"):
            self.assertIn(line, geometry.split())
        self.assertEqual(again.quit(), 0, again.messages())
        settings = json.loads(again.settings.read_text(encoding="utf-8"))
        self.assertEqual(settings, written)

    def test_undo(self):
        opened = self.open()
        opened.drag("live fraction", 0.8)
        opened.xdotool("key", "--delay", "3", "l", "v", "ctrl+z", "ctrl+z", "ctrl+z", "ctrl+shift+z")
        opened.frames(3)
        self.assertEqual(opened.quit(), 0, opened.messages())
        settings = json.loads(opened.settings.read_text(encoding="utf-8"))
        self.assertAlmostEqual(settings["density"], 0.8, delta=0.03)
        self.assertEqual((settings["theme"], settings["options"].get("vector-width", 0)), ("dark", 0))

    def test_the_particles_show_two_stages_or_the_output_alone(self):
        opened = self.open("--lens-mode", "particles")
        opened.press("space")
        opened.frames(20)
        both, _ = opened.capture()
        opened.press("m")
        opened.frames(20)
        output, sidecar = opened.capture()
        opened.press("3")  # the lens keeps the mode
        opened.frames(20)
        self.check_picture(opened, output)
        self.check_picture(opened, both)
        view = opened.controls()["view"]
        self.assertNotEqual(program.probe(both, view), program.probe(output, view))
        self.assertEqual(sidecar["check"]["wrong"], 0)
        self.assertEqual(opened.quit(), 0, opened.messages())
        self.assertEqual(json.loads(opened.settings.read_text(encoding="utf-8"))["particles_mode"], "particles")

    def test_moving_particles_are_streaks(self):
        opened = self.open("--particles-mode", "particles")
        opened.frames(10)
        opened.press("space")
        moving, _ = opened.capture()
        again, _ = opened.capture()
        opened.press("minus")
        opened.press("equal")  # the same particles, whose motion is no longer known
        still, sidecar = opened.capture()
        self.assertEqual(sidecar["live_fraction"], 0.5)
        colours = [program.probe(picture, opened.controls()["view"])["colours"] for picture in (moving, again, still)]
        self.assertEqual(colours[0], colours[1], "a paused scene changed")
        self.assertNotEqual(colours[0], colours[2], "there are no streaks")
        self.assertEqual(opened.quit(), 0, opened.messages())

    def record_the_presentation(self):
        """Records some of a presentation; returns the folder of the recording once all files are written."""
        opened = self.open()
        opened.press("F11")
        opened.frames(3)
        controls = opened.controls()
        self.assertIn("presentation", controls)
        self.assertNotIn("slots", controls, "a panel")
        picture, _ = opened.capture()
        self.assertGreater(program.probe(picture, (0, 0, 1280, 720))["colours"], 200)
        opened.press("ctrl", "F12")
        opened.frames(30)
        opened.press("ctrl", "F12")
        window.wait_for("the end of the recording", lambda: "Recorded " in opened.messages())
        if shutil.which("ffmpeg"):
            window.wait_for("the animation", lambda: "recording.gif" in opened.messages(), 4 * window.TIMEOUT_S)
        opened.press("Escape")
        opened.frames(3)
        self.assertIn("slots", opened.controls())
        self.assertEqual(opened.quit(), 0, opened.messages())
        folders = list(opened.captures.glob("*recording*"))
        self.assertEqual(len(folders), 1, folders)
        frames = sorted(folders[0].glob("frame-*.png"))
        self.assertGreater(len(frames), 3)
        self.assertEqual(program.png_size(frames[0]), (1280, 720))
        return folders[0], len(frames)

    def test_the_presentation_is_recorded_as_an_animation(self):
        if not shutil.which("ffmpeg"):
            self.skipTest("ffmpeg is not installed: apt-get install ffmpeg")
        folder, _ = self.record_the_presentation()
        gif = (folder / "recording.gif").read_bytes()
        self.assertEqual(gif[:6], b"GIF89a")
        width, height = struct.unpack("<HH", gif[6:10])
        self.assertEqual((width, height), (960, 540))
        # Each frame has a control extension with its delay.
        self.assertGreater(gif.count(b"\x21\xf9\x04"), 3)
        self.assertEqual(list(folder.glob(".*")), [])

    def test_a_loop_of_the_view_is_filmed(self):
        opened = self.open()
        opened.press("F9")
        loop = window.wait_for("the sidecar of the loop", lambda: list(opened.captures.glob("*-loop.json")))[0]
        sidecar = json.loads(loop.read_text(encoding="utf-8"))
        data = loop.with_suffix(".webp").read_bytes()
        self.assertEqual((sidecar["loop"], data[8:16]), (loop.with_suffix(".webp").name, b"WEBPVP8X"))
        self.assertGreater(data.count(b"ANMF"), 20)
        window.wait_for("the message", lambda: f"{loop.with_suffix('.webp').name} and its JSON sidecar" in opened.messages())
        opened.press("F9")
        opened.press("t")
        window.wait_for("the message", lambda: "the view changed its size. Press F9 again." in opened.messages())
        opened.press("F9")
        opened.frames(5)
        self.assertEqual(opened.quit(), 0, opened.messages())
        self.assertIn("The loop was not finished: the program ended.", opened.messages())

    def test_without_ffmpeg_a_recording_is_pictures(self):
        tools = program.output_folder(self._testMethodName + "-tools")
        (tools / "xdotool").symlink_to(shutil.which("xdotool"))
        with unittest.mock.patch.dict(os.environ, PATH=str(tools)):
            folder, count = self.record_the_presentation()
        self.assertGreater(count, 3)
        self.assertEqual([file.name for file in folder.glob("*.gif")], [])

    def test_keys(self):
        opened = self.open()
        opened.press("v")
        opened.press("c")
        opened.press("space")
        opened.frames(30)
        picture, sidecar = opened.capture()
        self.assertEqual(sidecar["options"]["vector-width"], {"value": 1, "automatic": False})
        self.assertEqual(sidecar["check"]["state"], "off")
        # Paused, every frame compacts the same buffer, and no message covers the picture.
        again, later = opened.capture()
        self.assertEqual(later["kept"], sidecar["kept"])
        view = opened.controls()["view"]
        self.assertEqual(program.probe(again, view), program.probe(picture, view))
        opened.press("F1")
        with_help, _ = opened.capture()
        view = opened.controls()["view"]
        without = program.probe(picture, view)
        self.assertNotEqual(program.probe(with_help, view), without, "the list of keys is missing")
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_keys_shorter_than_a_frame(self):
        opened = self.open()
        # Several presses and releases between two frames, some with Shift. GLFW drops a second press of a key
        # within a millisecond.
        opened.xdotool("key", "--delay", "3", "v", "v", "l", "g", "g", "g", "shift+g")
        opened.frames(3)
        self.assertEqual(opened.quit(), 0, opened.messages())
        settings = json.loads(opened.settings.read_text(encoding="utf-8"))
        self.assertEqual(settings["options"]["vector-width"], 2)
        self.assertEqual(settings["theme"], "light")
        self.assertEqual(settings["source"], "synthetic")
        self.assertEqual(settings["pattern"], "runs")

    def test_the_timeline_is_held_inspected_and_kept_as_a_ghost(self):
        opened = self.open()
        opened.press("4")
        opened.frames(60)
        opened.press("h")
        opened.move(opened.position("history", 0.97))  # where the first frames are
        opened.xdotool("mousedown", 1)
        opened.frames()
        opened.xdotool("mouseup", 1)
        opened.frames()
        self.assertIn("unpin", opened.controls(), "a click on the plot did not pin a frame")
        opened.press("Left")
        picture, _ = opened.capture()
        plot = opened.controls()["history"]
        self.assertGreater(program.probe(picture, plot)["colours"], 5, "the phases are missing")
        histogram = opened.controls()["histogram"]
        self.assertGreater(program.probe(picture, histogram)["colours"], 5, "the histogram is missing")
        opened.press("Escape")
        self.assertNotIn("unpin", opened.controls())

        opened.press("k")
        saved = window.wait_for("the frames", lambda: list(opened.captures.glob("*.csv")))[0]
        window.wait_for("the message", lambda: "now the ghost" in opened.messages())
        self.dismiss_messages(opened)
        opened.click("ghost file")
        opened.press("ctrl", "a")
        opened.xdotool("type", "nowhere.csv")
        opened.press("Return")
        window.wait_for("the error", lambda: "nowhere.csv is not a saved run" in opened.messages())
        self.assertEqual(opened.quit(), 0, opened.messages())

        again = self.enterContext(window.Window(self.display_name, opened.folder))
        again.frames(30)
        self.assertIn("drop", again.controls(), "the ghost was not restored")
        again.capture()
        self.dismiss_messages(again)
        again.click("drop")
        self.assertEqual(again.quit(), 0, again.messages())
        settings = json.loads(again.settings.read_text(encoding="utf-8"))
        self.assertEqual((settings["tab"], settings["ghost"]), ("timeline", ""))
        self.assertTrue(saved.exists())

    def test_a_dropped_file_becomes_the_ghost(self):
        opened = self.open()
        run = opened.folder / "a run of Zürich.csv"
        run.write_text("algorithm,total_us\n" + "cpu_loop,50\n" * 100, encoding="utf-8")
        dropping.drop(self.display_name, int(opened.window), run)
        window.wait_for("the message", lambda: f"{run} is now the ghost" in opened.messages())
        opened.press("4")
        opened.frames(10)
        self.assertIn("drop", opened.controls())
        other = opened.folder / "other.csv"
        other.write_text("a,b\n1,2\n", encoding="utf-8")
        dropping.drop(self.display_name, int(opened.window), other)
        window.wait_for("the error", lambda: f"{other} is not a saved run" in opened.messages())
        dropping.drop(self.display_name, int(opened.window), run, other)
        window.wait_for("the error", lambda: "Drop a single file" in opened.messages())
        self.assertEqual(opened.quit(), 0, opened.messages())
        settings = json.loads(opened.settings.read_text(encoding="utf-8"))
        self.assertEqual(settings["ghost"], str(run), "the previous ghost was lost")

    def test_a_dropped_png_becomes_the_stream(self):
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        opened = self.open()
        png = opened.folder / "half.png"
        rows = b"".join(b"\0" + b"\xff" * 32 + b"\0" * 32 for _ in range(64))
        png.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 0, 0, 0, 0)) +
                        chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
        dropping.drop(self.display_name, int(opened.window), png)
        picture, sidecar = opened.capture_when(lambda sidecar: sidecar["source"] == "picture" and sidecar["kept"] > 0)
        self.assertEqual(sidecar["stream_picture"]["sha256"], hashlib.sha256(png.read_bytes()).hexdigest())
        self.assertAlmostEqual(sidecar["kept"] / sidecar["slots"], 0.5, delta=0.01)
        self.assertEqual(sidecar["check"]["wrong"], 0)
        other = opened.folder / "other.png"
        other.write_text("no picture", encoding="utf-8")
        dropping.drop(self.display_name, int(opened.window), other)
        window.wait_for("the error", lambda: "it is not a PNG file" in opened.messages())
        png.write_bytes(png.read_bytes() + b" ")
        opened.press("g")
        dropping.drop(self.display_name, int(opened.window), picture)
        opened.frames(10)
        _, again = opened.capture()
        self.assertEqual(again["kept"], sidecar["kept"], "the picture in use has the digits of the capture")
        self.assertEqual(opened.quit(), 0, opened.messages())
        refused = program.run(opened.folder, "--replay", picture, "--headless", "--frames", 8)
        self.assertEqual(refused.returncode, 2, refused.stderr)
        self.assertIn("is not the one of this run", refused.stderr)

    def test_a_dropped_picture_loads_its_settings(self):
        opened = self.open()
        opened.drag("live fraction", 0.2)
        opened.press("g")
        captures = []

        def has_times():
            captures.append(opened.capture())
            return captures[-1][1]["timings_us"]["total"]["n"] > 0

        window.wait_for("times since the change", has_times)
        picture, sidecar = captures[-1]
        opened.press("g")
        opened.drag("live fraction", 0.9)
        dropping.drop(self.display_name, int(opened.window), picture)
        window.wait_for("the message", lambda: f"Loaded the settings of {picture.name}" in opened.messages())
        _, loaded = opened.capture()
        self.assertEqual(loaded["source"], sidecar["source"])
        self.assertAlmostEqual(loaded["live_fraction"], sidecar["live_fraction"])
        opened.press("ctrl", "z")
        _, undone = opened.capture()
        self.assertAlmostEqual(undone["live_fraction"], 0.9, delta=0.05)
        opened.press("ctrl", "p")
        opened.xdotool("type", "--delay", "20", "open")
        opened.press("Return")
        _, reopened = opened.capture()
        self.assertAlmostEqual(reopened["live_fraction"], sidecar["live_fraction"])
        self.assertEqual(opened.quit(), 0, opened.messages())
        settings = json.loads(opened.settings.read_text(encoding="utf-8"))
        self.assertEqual(settings["recent"], [str(picture.resolve())])
        again = program.run(opened.folder, "--replay", picture, "--headless", "--frames", 80)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn(f"replay of {picture.name}: recorded on ", again.stdout)
        self.assertRegex(again.stdout, r"(?m)^total .*(longer|shorter|no significant difference)$")

    def test_the_palette(self):
        opened = self.open()
        opened.xdotool("key", "--delay", "3", "ctrl+p")
        opened.xdotool("type", "--delay", "3", "cpu_loop")
        opened.xdotool("key", "--delay", "3", "Return", "l")
        opened.frames(3)
        self.assertEqual(opened.quit(), 0, opened.messages())
        settings = json.loads(opened.settings.read_text(encoding="utf-8"))
        self.assertEqual((settings["algorithm"], settings["theme"]), ("cpu_loop", "light"))

    def test_a_plot_is_captured_at_twice_the_scale_with_its_provenance(self):
        opened = self.open()
        _, _, plot_width, plot_height = opened.controls()["plot: timings"]
        picture, sidecar = opened.capture_when(lambda sidecar: timed(sidecar) > 40, "shift", "F12")
        width, height = program.png_size(picture)
        self.assertAlmostEqual(width, 2 * plot_width, delta=40)
        self.assertGreater(height, 2 * plot_height + 40, "the strip is missing")
        self.assertEqual(sidecar["plot"], "timings")
        self.assertGreater(program.probe(picture)["brightness"], 180, "white for print")
        self.assertGreater(program.probe(picture, (0, 2 * plot_height, width, height - 2 * plot_height))["colours"], 20)
        # The window is unchanged.
        whole, _ = opened.capture()
        self.check_picture(opened, whole, (1280, 720))
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_a_recording_is_numbered_frames_with_a_sidecar(self):
        opened = self.open()
        folder, frames = self.check_recording(opened)
        self.assertEqual([frame.name for frame in frames],
                         [f"frame-{number:05}.png" for number in range(1, len(frames) + 1)])
        self.assertEqual(program.png_size(frames[0]), (1280, 720))
        self.assertEqual(json.loads((folder / "recording.json").read_text())["algorithm"], "cpu_sequence_wise")
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_a_picture_of_the_plot_in_the_frame_that_changes_the_engine(self):
        # The picture is taken after the change, and shows what was timed before.
        opened = self.open("--tab", "timeline")
        opened.frames(20)
        for pause_ms in range(0, 50, 5):
            opened.xdotool("keydown", "shift", "keydown", "F12", "sleep", pause_ms / 1000, "keyup", "F12", "keyup", "shift",
                           "key", "e")
            opened.frames(5)
            self.assertIsNone(opened.process.poll(), opened.messages())
        self.assertEqual(opened.quit(), 0, opened.messages())

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
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_a_folder_that_cannot_be_written_is_reported_and_the_run_continues(self):
        opened = self.open()
        opened.captures.write_text("a file where the folder should be")
        opened.press("F12")
        window.wait_for("the message", lambda: "The picture could not be saved" in opened.messages())
        opened.frames(10)
        self.assertIn("dismiss message 1", opened.controls(), "the window shows no message")
        opened.captures.unlink()
        picture, _ = opened.capture()
        self.check_picture(opened, picture)
        opened.click("dismiss message 1")
        self.assertEqual(opened.quit(), 0, opened.messages())

    def test_at_twice_the_scale(self):
        opened = self.open("--scale", "2", size="1920x1080")
        opened.frames(20)
        picture, _ = opened.capture()
        self.check_picture(opened, picture, (1920, 1080))


if __name__ == "__main__":
    program.main()
