"""Random use of the real window on a virtual display: keys, clicks, drags, wheel, typed text, dropped files, and sizes from one
pixel to beyond the screen. A process that dies, a hang (no frame for 10 s) or a sanitizer's message is a find."""

import os
import subprocess
import time

import attack
import files_attack

SCREEN = (1280, 800)
HANG_S = 10
EVENTS_PER_BATCH = 20
EVENTS_PER_WINDOW = 200
PRINTABLE = " !#%&()*+,-.0123456789:;<=>?@ABCXYZ[]^_abcdefghijklmnopqrstuvwxyz{}"  # no slash: paths stay below the folder
KEYS = ("Escape", "Return", "Tab", "space", "BackSpace", "Delete", "Left", "Right", "Up", "Down", "Home", "End", "Prior",
        "Next", "F1", "F2", "F11", "F12", "bracketleft", "bracketright", "minus", "equal", "period", "KP_Add", "KP_Subtract",
        *"1234567abcdefghijklmnoprstuvwxyz")  # without q: Ctrl+Q ends the program
MODIFIERS = ("", "", "", "", "ctrl+", "shift+", "ctrl+shift+")
WHEEL = (4, 5, 6, 7)
DROPS = 0.3  # of the batches
MEMORY_LIMIT_MIB = 16  # for the slots: more would be slow, not wrong


class Events:
    """Makes random events; the same for the same generator."""

    def __init__(self, random):
        self.random = random
        self.size = SCREEN

    def length(self, most):
        """Small, large and round sizes equally often."""
        return self.random.choice((self.random.randint(1, 40), self.random.randint(1, 400), self.random.randint(1, most)))

    def resized(self):
        wide = self.random.random() < 0.03
        self.size = (self.length(8192 if wide else 1600), self.length(1000))
        return ["windowsize", "%1", *self.size]

    def moved(self):
        x, y = (self.random.randint(-20, side + 20) for side in self.size)
        return ["mousemove", "--window", "%1", "--", x, y]

    def event(self):
        """One event as arguments for xdotool."""
        kind = self.random.choices(("move", "click", "press", "release", "wheel", "key", "text", "resize", "rest"),
                                   (24, 24, 4, 8, 8, 16, 4, 6, 6))[0]
        button = self.random.choice((1, 1, 1, 1, 2, 3))
        if kind == "move":
            return self.moved()
        if kind == "click":
            return [*self.moved(), "mousedown", button, "sleep", "0.02", "mouseup", button]
        if kind in ("press", "release"):
            return ["mousedown" if kind == "press" else "mouseup", button]
        if kind == "wheel":
            return ["click", "--repeat", self.random.randint(1, 5), "--delay", 5, self.random.choice(WHEEL)]
        if kind == "key":
            return ["key", self.random.choice(MODIFIERS) + self.random.choice(KEYS)]
        if kind == "text":
            length = self.random.randint(1, 12)
            return ["type", "--delay", 5, "--args", 1, "--", "".join(self.random.choice(PRINTABLE) for _ in range(length))]
        if kind == "resize":
            return self.resized()
        return ["sleep", f"{self.random.uniform(0, 0.2):.3f}"]

    def batch(self, count):
        return [self.event() for _ in range(count)]


def state_of(opened):
    """How the program fails; empty while it runs."""
    messages = opened.messages()
    if "runtime error:" in messages or "Sanitizer" in messages:
        return "a sanitizer reported an error"
    code = opened.process.poll()
    return "" if code is None else f"the program ended with {code}"


def wait_for_a_frame(opened):
    """Returns what is wrong: empty if the program shows another frame."""
    before = opened.last_frame()
    deadline = time.monotonic() + HANG_S
    while time.monotonic() < deadline:
        if wrong := state_of(opened):
            return wrong
        if opened.last_frame() != before:
            return ""
        time.sleep(0.01)
    return f"no frame for {HANG_S} s"


def hostile_files(folder, random):
    """Files to drop: pictures and runs, whole, damaged and none at all."""
    text = (files_attack.CORPUS / "replay/run.json").read_bytes()
    for name, data in (("a.png", files_attack.picture_with(random, text)), ("b.png", files_attack.picture_with(random, b"[" * 100_000)),
                       ("c.json", files_attack.mutated(random, [text])), ("d.csv", files_attack.mutated(random, files_attack.corpus("ghost"))),
                       ("run.json", text)):
        (folder / name).write_bytes(data)
    os.mkfifo(folder / "pipe.png")
    return [*folder.glob("*.[pjc]*"), folder, folder / "missing.png"]


def send_events(opened, random, count, drop):
    """Sends the events; `drop` drops files, which counts as one. Returns the last of them and what went wrong."""
    events = Events(random)
    last = []
    for sent in range(0, count, EVENTS_PER_BATCH):
        batch = events.batch(min(EVENTS_PER_BATCH, count - sent))
        last = [*last, *batch][-2 * EVENTS_PER_BATCH:]
        try:
            if random.random() < DROPS:
                last.append(["drop", *drop(opened, random)])
            opened.xdotool(*[opened.window if word == "%1" else word for event in batch for word in event])
            wrong = wait_for_a_frame(opened)
        except (OSError, AssertionError, subprocess.SubprocessError) as error:
            time.sleep(0.5)
            wrong = state_of(opened) or f"the events could not be sent: {error}"
        if wrong:
            return last, wrong
    return last, ""


def end(opened):
    """Releases all keys and buttons, restores the size and quits. Returns what went wrong."""
    opened.xdotool("keyup", "ctrl", "keyup", "shift", "mouseup", 1, "mouseup", 2, "mouseup", 3, "windowsize", opened.window, *SCREEN)
    try:
        code = opened.quit()
    except subprocess.TimeoutExpired:
        return "Ctrl+Q does not end the program"
    return "" if code == 0 else f"exit code {code}"


def attack_window(part):
    part.unit = "events"
    window = attack.required_window_module(part)

    import dropping

    class Opened(window.Window):
        def last_frame(self):
            """Each frame writes the map anew."""
            stat = self._map.stat()
            return stat.st_mtime_ns, stat.st_ino

    def attempt(random, folder):
        options = ("--engine", "cpu", "--slots", "2^12", "--size", "{}x{}".format(*SCREEN), "--memory-limit", MEMORY_LIMIT_MIB)
        if random.random() < 0.2:
            options += ("--tour", random.randint(1, 10))
        files = hostile_files(folder, random)

        def drop(opened, random):
            chosen = random.sample(files, random.choice((1, 1, 1, 2)))
            dropping.drop(display, int(opened.window), *chosen)
            return chosen

        with window.display(SCREEN) as display, Opened(display, folder, *options) as opened:
            last, wrong = send_events(opened, random, EVENTS_PER_WINDOW, drop)
            wrong = wrong or end(opened)
            if wrong:
                ended = attack.Ended(["warpsieve", *map(str, options)], opened.process.poll() or 0, "", opened.messages(), 0)
                part.find(wrong, folder, ended, "\n".join(" ".join(map(str, event)) for event in last))
        return EVENTS_PER_WINDOW

    part.each(part.count(20_000 / EVENTS_PER_WINDOW), attempt)


if __name__ == "__main__":
    attack.main("window", attack_window)
