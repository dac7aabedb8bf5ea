"""Runs the program in a window on a virtual display (Xvfb), drives it with mouse and keys (xdotool) and checks pictures."""

import contextlib
import json
import os
import shutil
import subprocess
import unittest

import program

# A GPU that has failed may draw a frame in ten seconds.
TIMEOUT_S = int(os.environ.get("WARPSIEVE_WINDOW_TIMEOUT_S", 30))


def wait_for(what, ready, timeout_s=TIMEOUT_S):
    return program.wait_for(what, ready, timeout_s)


@contextlib.contextmanager
def server(size):
    """The name of a new display of this size and its X server; skips the test if it cannot be created."""
    for tool in ("Xvfb", "xdotool"):
        if not shutil.which(tool):
            raise unittest.SkipTest(f"{tool} is not installed: apt-get install xvfb xdotool")
    number_out, number_in = os.pipe()
    # Without -noreset the server resets whenever its last client leaves, and refuses connections meanwhile.
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(number_in), "-noreset", "-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten",
         "tcp"], pass_fds=(number_in,), stderr=subprocess.DEVNULL)
    os.close(number_in)
    try:
        # The server picks a free number and prints it once it is ready.
        with os.fdopen(number_out) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise unittest.SkipTest("Xvfb did not start")
        yield f":{number}", process
    finally:
        process.terminate()
        process.wait(timeout=TIMEOUT_S)


@contextlib.contextmanager
def display(size):
    """The name of a new display of this size."""
    with server(size) as (name, _):
        yield name


def xdotool(environment, *arguments):
    """Runs xdotool on the display of the environment; returns its output."""
    done = subprocess.run(["xdotool", *map(str, arguments)], env=environment, check=True, capture_output=True,
                          text=True, timeout=TIMEOUT_S)
    return done.stdout


class Window:
    """The program in a window. A context manager, which kills the program if it still runs at the end."""

    def __init__(self, display_name, folder, *arguments, first_start=False):
        """`first_start`: without settings of an earlier start, so that the card for newcomers is shown."""
        self.folder = folder
        self.captures = folder / "captures"
        self.settings = folder / "settings.json"
        self.stderr = folder / "stderr.txt"
        self._first_start = first_start
        self._map = folder / "map.json"
        self._environment = program.environment(folder, DISPLAY=display_name)
        # Relative paths, so that messages with a path have the same length wherever the tests are.
        self._arguments = [str(program.paths.warpsieve), "--settings", self.settings.name, "--capture-folder",
                           self.captures.name, "--control-map", self._map.name, *map(str, arguments)]

    def __enter__(self):
        if not self._first_start and not self.settings.exists():
            self.settings.write_text("{}", encoding="utf-8")
        self._map.unlink(missing_ok=True)  # from an earlier window in this folder
        with open(self.stderr, "w", encoding="utf-8") as stderr:
            self.process = subprocess.Popen(self._arguments, cwd=self.folder, env=self._environment,
                                            stderr=stderr)
        try:
            wait_for("the first frame", lambda: self._map.exists() or self.process.poll() is not None)
            if self.process.poll() == program.EXIT_SKIPPED:
                raise unittest.SkipTest(self.messages().strip())
            if self.process.poll() is not None:
                raise AssertionError(f"no window opened: {self.messages()}")
            self.find()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=TIMEOUT_S)

    def find(self):
        """Finds the window and gives it the focus; there is no window manager."""
        # A search fails if another window closes meanwhile.
        search = ["xdotool", "search", "--onlyvisible", "--name", "^Warpsieve$"]
        found = wait_for("the window", lambda: subprocess.run(
            search, env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            timeout=TIMEOUT_S).stdout.split())
        self.window = found[0]
        self.xdotool("windowfocus", "--sync", self.window)

    def xdotool(self, *arguments):
        return xdotool(self._environment, *arguments)

    def messages(self):
        """The program's output on stderr so far."""
        return self.stderr.read_text(encoding="utf-8")

    def frames(self, count=3):
        """Waits for this many frames. Each frame writes the map anew."""
        for _ in range(count):
            before = self._map.stat().st_mtime_ns, self._map.stat().st_ino
            wait_for("a frame", lambda: (self._map.stat().st_mtime_ns, self._map.stat().st_ino) != before)

    def controls(self):
        """The controls' rectangles: label to [x, y, width, height]."""
        return json.loads(self._map.read_text(encoding="utf-8"))

    def position(self, label, share=0.5):
        """A point of a control at half its height, `share` of the way from left to right."""
        x, y, width, height = wait_for(f"the control '{label}'", lambda: self.controls().get(label))
        return x + round(width * share), y + height // 2

    def move(self, position):
        self.xdotool("mousemove", "--window", self.window, *position)
        self.frames()

    # Buttons and keys stay down for some frames: the program reads them once per frame.
    def click(self, label):
        self.move(self.position(label))
        self.xdotool("mousedown", 1)
        self.frames()
        self.xdotool("mouseup", 1)
        self.frames()

    def drag(self, label, to_share):
        self.move(self.position(label))
        target = self.position(label, to_share)
        self.xdotool("mousedown", 1)
        self.frames()
        self.move(target)
        self.xdotool("mouseup", 1)
        self.frames()

    def press(self, *keys):
        """Presses keys together, such as ctrl and q."""
        for key in keys:
            self.xdotool("keydown", key)
        if self.process.poll() is None:
            self.frames()
        for key in reversed(keys):
            self.xdotool("keyup", key)
        self.frames()

    def capture(self, *keys):
        """Presses F12, or other keys that take a picture; returns the picture and its sidecar."""
        before = set(self.captures.glob("*.json"))
        self.press(*(keys or ("F12",)))
        # The sidecar is renamed into place after the picture, once it is complete.
        new = wait_for("a sidecar", lambda: set(self.captures.glob("*.json")) - before)
        sidecar = new.pop()
        return sidecar.with_suffix(".png"), json.loads(sidecar.read_text(encoding="utf-8"))

    def capture_when(self, ready, *keys):
        """Takes pictures until `ready(sidecar)`; returns the last one and its sidecar."""
        def taken():
            picture, sidecar = self.capture(*keys)
            return ready(sidecar) and (picture, sidecar)
        return wait_for("a picture as wanted", taken)

    def quit(self):
        """Presses Ctrl+Q and returns the exit code."""
        self.xdotool("keydown", "ctrl", "keydown", "q")
        try:
            return self.process.wait(timeout=TIMEOUT_S)
        finally:
            self.xdotool("keyup", "q", "keyup", "ctrl")


class WindowTestCase(unittest.TestCase):
    """Gives the tests of a class a display."""

    @classmethod
    def setUpClass(cls):
        cls.display_name = cls.enterClassContext(display((2560, 1600)))

    def open(self, *arguments, size="1280x720", part=""):
        """Opens the window, by default with the CPU engine and few slots."""
        folder = program.output_folder(self._testMethodName + part)
        if "--engine" not in arguments:
            arguments = ("--engine", "cpu", *arguments)
        if "--slots" not in arguments:
            arguments = ("--slots", "2^14", *arguments)
        return self.enterContext(Window(self.display_name, folder, "--size", size, *arguments))

    def choose(self, opened, menu, entry):
        opened.click(menu)
        opened.click(f"{menu}: {entry}")

    def check_picture(self, opened, picture, size=(1280, 720)):
        """The picture has this size and a strip below, and shows particles and panels."""
        width, height = program.png_size(picture)
        self.assertEqual(width, size[0])
        self.assertGreater(height, size[1] + 20, "the strip is missing")
        self.assertGreater(program.probe(picture, (0, size[1], width, height - size[1]))["colours"], 20)
        view = opened.controls()["view"]
        controls = (0, 0, view[0], size[1])
        self.assertGreater(program.probe(picture, view)["colours"], 200, "the particles are missing")
        self.assertGreater(program.probe(picture, controls)["colours"], 50, "the controls are missing")

    def check_recording(self, opened):
        """Records some frames; returns their folder and the pictures in it."""
        opened.press("ctrl", "F12")
        opened.frames(40)
        opened.press("ctrl", "F12")
        wait_for("the end of the recording", lambda: "Recorded " in opened.messages())
        folder = next(opened.captures.glob("*recording*"))
        frames = sorted(folder.glob("frame-*.png"))
        self.assertGreater(len(frames), 3)
        self.assertGreater(program.probe(frames[-1])["colours"], 200)
        return folder, frames

    def map_pictures(self, opened):
        """Captures the slot map; returns probes of its three columns, and the sidecar."""
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

    def check_map_zoom(self, opened, notches):
        """Pauses and zooms into the sparse buffer; returns probes of the map's columns, and the sidecar."""
        opened.move(opened.position("slot map: sparse", 0.2))
        opened.press("space")
        opened.frames(10)
        still, _ = self.map_pictures(opened)
        for _ in range(notches):
            opened.xdotool("click", 4)  # wheel up
            opened.frames(3)
        opened.frames(20)
        close, sidecar = self.map_pictures(opened)
        self.assertNotEqual(close[0], still[0], "the wheel did not zoom")
        return close, sidecar

    def halves(self, opened, picture):
        """Probes of the lens left and right of the divider, without captions and ratio."""
        x, y, width, _ = opened.controls()["view"]
        divider = opened.position("divider")[0]
        bottom = opened.controls()["ratio"][1]
        left = (x, y, divider - 10 - x, bottom - y)
        right = (divider + 10, y, x + width - divider - 10, bottom - y)
        return program.probe(picture, left), program.probe(picture, right)

    def choose_side(self, opened, side, algorithm):
        opened.click(f"controls set: {side}")
        self.choose(opened, "algorithm", algorithm)

    def dismiss_messages(self, opened):
        """Dismisses all messages, which cover the upper part of the view."""
        while "dismiss message 1" in opened.controls():
            opened.click("dismiss message 1")
