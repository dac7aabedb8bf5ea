"""Random use of the real window on a virtual display: keys, clicks, drags, wheel, typed text, and sizes from one pixel to
beyond the screen. A process that dies, a second without end (no frame for 10 s) or a sanitizer's message is a failure.

  PYTHONPATH=tests/app:tests/app/window python3 tests/attack/window_attack.py --warpsieve build/app/warpsieve --output build-attack
"""

import argparse
import pathlib
import random
import shutil
import sys
import time
import unittest

import program
import window

SCREEN = (1280, 800)
HANG_S = 10
EVENTS_PER_BATCH = 20
PRINTABLE = " !#%&()*+,-.0123456789:;<=>?@ABCXYZ[]^_abcdefghijklmnopqrstuvwxyz{}"  # no slash: paths stay below the folder
KEYS = ("Escape", "Return", "Tab", "space", "BackSpace", "Delete", "Left", "Right", "Up", "Down", "Home", "End", "Prior",
        "Next", "F1", "F12", "bracketleft", "bracketright", "minus", "equal", "period", "KP_Add", "KP_Subtract",
        *"12345abcdefghijklmnoprstuvwxyz")  # without q: Ctrl+Q ends the program
MODIFIERS = ("", "", "", "", "ctrl+", "shift+", "ctrl+shift+")
WHEEL = (4, 5, 6, 7)
MEMORY_LIMIT_MIB = 16  # for the slots: more would be slow, not wrong


class Attack:
    """Makes random events; the same for the same seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
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
    try:
        window.wait_for("a frame", lambda: opened.next_frame() or opened.process.poll() is not None, HANG_S)
    except AssertionError:
        return f"no frame for {HANG_S} s"
    return state_of(opened)


class Opened(window.Window):
    """A window that is asked for frames without waiting."""

    def next_frame(self):
        stat = self._map.stat()
        seen, self.seen = getattr(self, "seen", None), (stat.st_mtime_ns, stat.st_ino)
        return self.seen != seen


def attack(opened, seed, events):
    """Sends the events. Returns the number of events sent and what went wrong."""
    attacker = Attack(seed)
    sent = 0
    last = []
    while sent < events:
        batch = attacker.batch(min(EVENTS_PER_BATCH, events - sent))
        last = [*last, *batch][-2 * EVENTS_PER_BATCH:]
        arguments = [opened.window if each == "%1" else each for event in batch for each in event]
        sent += len(batch)
        try:
            opened.xdotool(*arguments)
            wrong = wait_for_a_frame(opened)
        except (OSError, window.subprocess.SubprocessError) as error:
            time.sleep(0.5)
            wrong = state_of(opened) or f"xdotool failed: {error}"
        if wrong:
            print("\n".join(" ".join(map(str, event)) for event in last))
            return sent, wrong
        if sent % 500 < EVENTS_PER_BATCH:  # recordings would fill the disk
            shutil.rmtree(opened.captures, ignore_errors=True)
    return sent, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warpsieve", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--picture-probe", help=argparse.SUPPRESS)
    parser.add_argument("--events", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    program.paths = chosen = parser.parse_args()
    chosen.warpsieve, chosen.output = chosen.warpsieve.resolve(), chosen.output.resolve()
    print(f"seed {chosen.seed}, {chosen.events} events", flush=True)
    started = time.monotonic()
    folder = program.output_folder("attack")
    try:
        with window.display(SCREEN) as display, Opened(
                display, folder, "--engine", "cpu", "--slots", "2^12", "--size", "{}x{}".format(*SCREEN),
                "--memory-limit", MEMORY_LIMIT_MIB) as opened:
            sent, wrong = attack(opened, chosen.seed, chosen.events)
            if not wrong:
                opened.xdotool("keyup", "ctrl", "keyup", "shift", "mouseup", 1, "mouseup", 2, "mouseup", 3,
                               "windowsize", opened.window, *SCREEN)
                code = opened.quit()
                wrong = "" if code == 0 else f"exit code {code}"
            messages = opened.messages()
    except unittest.SkipTest as missing:
        print(f"skipped: {missing}")
        sys.exit(program.EXIT_SKIPPED)
    if wrong:
        print(f"{messages[-4000:]}\nafter {sent} events: {wrong}; repeat with --seed {chosen.seed}")
        sys.exit(1)
    print(f"{sent} events in {time.monotonic() - started:.0f} s: no failure")


if __name__ == "__main__":
    main()
