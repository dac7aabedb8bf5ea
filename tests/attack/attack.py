"""Shared by the parts of the attack: running the program, judging how it ended, and keeping what reproduces a find."""

import argparse
import concurrent.futures
import csv
import dataclasses
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import unicodedata

PARTS = ("options", "files", "terminal", "signals", "disks", "limits", "window", "settings", "memory", "library", "axes", "figures", "stuck")
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Signals that end a run, which keeps its results and exits with 128 + the number of the signal.
END_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM)
DOCUMENTED_CODES = {0, 1, 2, 3, 4, 77, 141, *(128 + number for number in END_SIGNALS)}
CODES_WITH_A_SENTENCE = {1, 2, 77}
SKIPPED = 77
LONGEST_S = 20
DISK_STALL_S = 5
SMALL_RUN = ("--headless", "--engine", "cpu", "--slots", "4096", "--size", "320x200")
# Text that only a fault prints.
RAW = re.compile(r"\[json\.exception|std::|terminate called|what\(\):|Assertion|runtime error:|Sanitizer|basic_string|"
                 r"vector::_M|Could not convert|stoi|stod|bad_alloc")
# What the program itself sends to a terminal: the end of a line, the progress line, and red text.
OWN_CONTROLS = re.compile(r"\r\n|\r\x1b\[K|\x1b\[(?:1;31|0)m")
# Categories of non-printing characters, such as direction marks; surrogates stand for bytes that are not UTF-8.
NON_PRINTING = ("Cc", "Cf", "Cs", "Zl", "Zp")
# All of them but null, which no argument holds, and surrogates, which no file holds.
EVERY_NON_PRINTING = "".join(character for character in map(chr, range(1, sys.maxunicode + 1))
                             if unicodedata.category(character) in NON_PRINTING and unicodedata.category(character) != "Cs")
SENTENCE = re.compile(r"\w+ +\S+ +\w+")


class Skipped(Exception):
    """A part cannot run here; the message says why."""


@dataclasses.dataclass
class Ended:
    """How a process ended."""
    command: list
    code: int
    stdout: str
    stderr: str
    seconds: float
    timed_out: bool = False


def environment(folder, **more):
    """The environment without a display, with a home of its own."""
    kept = {name: value for name, value in os.environ.items()
            if name not in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    return {**kept, "HOME": str(folder / "home"), **more}


def text_of(data):
    return data.decode("utf-8", "surrogateescape")


def run(command, folder, timeout_s=LONGEST_S, env=None):
    """Runs a command in `folder` until it ends; kills it when the time is over."""
    env = environment(folder, **(env or {}))
    started = time.monotonic()
    process = subprocess.Popen([*map(os.fsencode, map(str, command))], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                               start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    timed_out = False
    try:
        stdout, stderr = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        stdout, stderr = process.communicate()
        # A process that outlives SIGKILL waits for the machine's disk, which is not the program's fault.
        timed_out = time.monotonic() - started < timeout_s + DISK_STALL_S
        if not timed_out:
            return run(command, folder, timeout_s, env=env)
    return Ended(list(map(str, command)), process.returncode, text_of(stdout), text_of(stderr), time.monotonic() - started,
                 timed_out)


def stop_ignoring_signals():
    """Restores the default action: nohup and background jobs of a shell ignore some signals, and the program would inherit that."""
    for number in END_SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def end_by_signal(process, command, number):
    """Sends a signal and waits for the end, which it times; kills the process when the time is over."""
    process.send_signal(number)
    sent = time.monotonic()
    timed_out = False
    try:
        stdout, stderr = process.communicate(timeout=LONGEST_S)
    except subprocess.TimeoutExpired:
        timed_out = True
        process.kill()
        stdout, stderr = process.communicate()
    return Ended(command, process.returncode, text_of(stdout), text_of(stderr), time.monotonic() - sent, timed_out)


def faults_of(ended, codes=frozenset(DOCUMENTED_CODES)):
    """The faults in how a process ended."""
    if ended.timed_out:
        return [f"still ran after {ended.seconds:.0f} s"]
    if ended.code < 0:
        return [f"killed by {signal.Signals(-ended.code).name}"]
    found = []
    if ended.code not in codes:
        found.append(f"exit code {ended.code}")
    if ended.code in CODES_WITH_A_SENTENCE and not SENTENCE.search(ended.stderr):
        found.append(f"exit code {ended.code} without a sentence")
    if raw := RAW.search(ended.stderr):
        found.append(f"stderr holds {raw[0]!r}")
    writes_file = any("/dev/stdout" in word for word in ended.command)
    for name, text in (("stdout", "" if writes_file else ended.stdout), ("stderr", ended.stderr)):
        if character := non_printing_character(text):
            found.append(f"{name} holds {character!r}")
    return found


def non_printing_character(text):
    """The first character in output of the program that could control a terminal, or hide or reorder text; else empty."""
    text = OWN_CONTROLS.sub("", text)
    if text.isascii() and text.replace("\n", "").isprintable():
        return ""
    return next((character for character in text if character != "\n" and unicodedata.category(character) in NON_PRINTING), "")


def is_whole(data, with_columns):
    """Whether the file is complete, by what its first bytes say it is. The rows of a CSV have equally many columns."""
    if data.startswith(b"\x89PNG"):
        return data.endswith(b"IEND\xaeB`\x82")
    if data.startswith((b"{", b"[")):
        return isinstance(json.loads(data), (dict, list))
    if data.startswith(b"<"):
        return data.rstrip().endswith(b"</html>")
    rows = csv.reader(line for line in text_of(data).splitlines() if not line.startswith("#"))
    return data.endswith(b"\n") and (not with_columns or len({len(row) for row in rows}) == 1)


def fault_of_file(file, named_by_kind=True):
    """What is wrong with an output file: empty if it is whole, or if there is none."""
    if not file.is_file():
        return ""
    data = file.read_bytes()
    if not data:
        return f"{file.name} is empty"
    try:
        whole = is_whole(data, named_by_kind and file.suffix == ".csv")
    except ValueError:
        whole = False
    return "" if whole else f"{file.name} is not whole"


def leftovers(folder, expected):
    """Files in `folder` that no option named."""
    return sorted(file.name for file in folder.iterdir() if file.name not in expected)


class Part:
    """One part of the attack in progress. Tries run side by side; each has its own random generator."""

    def __init__(self, name, arguments):
        self.name = name
        self.program = str(arguments.program)
        self.build = arguments.program.parent.parent
        self.scale = arguments.scale
        self.seed = arguments.seed
        self.jobs = arguments.jobs
        self.only = arguments.only
        self.folder = arguments.output / name
        self.finds = []
        self.tries = 0
        self.unit = "tries"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def random(self, *what):
        return random.Random(f"{self.seed} {self.name} {what}")

    def count(self, full_run):
        """The share of the full run's tries at this scale."""
        return max(1, round(full_run * self.scale / 50))

    def find(self, what, folder, ended, extra=""):
        """Keeps what reproduces a find: the folder with its files, the command line, and what it said."""
        self.finds.append(f"{folder.name}: {what}")
        text = (f"{what}\nseed {self.seed}\ncd {folder}\n{shlex.join(ended.command)}\n{extra}\nexit code {ended.code} after "
                f"{ended.seconds:.1f} s\n--- stdout\n{ended.stdout[-4000:]}\n--- stderr\n{ended.stderr[-4000:]}\n")
        (folder / "find.txt").write_bytes(text.encode("utf-8", "surrogateescape"))

    def each(self, count, attempt, label=""):
        """Calls attempt(random, folder) `count` times, each in a folder of its own, which is kept after a find. An attempt
        that returns a number counts as that number of tries."""
        def once(index):
            folder = self.folder / f"{label}{index}"
            (folder / "home").mkdir(parents=True)
            known = len(self.finds)
            tries = attempt(self.random(label, index), folder)
            if not any(find.startswith(f"{folder.name}: ") for find in self.finds[known:]):
                shutil.rmtree(folder, ignore_errors=True)
            return tries or 1

        self.tries += sum(self.side_by_side([self.only] if self.only is not None else range(count), once))

    def side_by_side(self, values, work):
        """work(value) for each value, `jobs` at a time."""
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(work, values))


def window_module(part):
    """The helpers of the window's tests; None where there is no virtual display."""
    if not (shutil.which("Xvfb") and shutil.which("xdotool")):
        return None
    sys.path[:0] = [str(ROOT / "tests/app"), str(ROOT / "tests/app/window")]
    import program
    import window
    program.paths = argparse.Namespace(warpsieve=part.program)
    return window


def required_window_module(part):
    """The helpers of the window's tests; the part is skipped where there is no virtual display."""
    if window := window_module(part):
        return window
    raise Skipped("Xvfb or xdotool is not installed: apt-get install xvfb xdotool")


def save_result(part, seconds, skipped=""):
    """One line for a person, and a file for the other scripts."""
    result = {"part": part.name, "tries": part.tries, "unit": part.unit, "finds": len(part.finds), "seed": part.seed,
              "seconds": round(seconds, 1), "skipped": skipped}
    (part.folder.parent / f"{part.name}.json").write_text(json.dumps(result) + "\n", encoding="utf-8")
    verdict = f"skipped: {skipped}" if skipped else f"{len(part.finds)} finds"
    print(f"{part.name:<8} {part.tries:>8} {part.unit:<14} seed {part.seed:<11} {seconds:6.0f} s   {verdict}", flush=True)
    for find in part.finds[:20]:
        print(f"  {find}")
    if part.finds:
        print(f"  kept in {part.folder}", flush=True)
    return 1 if part.finds else SKIPPED if skipped else 0


def parse(words=None):
    """The options of scripts/attack, which passes them to each part."""
    parser = argparse.ArgumentParser(prog="scripts/attack", formatter_class=argparse.RawDescriptionHelpFormatter,
                                     description="Attacks the program and the library, and fails on any find.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"all unless named: {', '.join(PARTS)}")
    parser.add_argument("--scale", type=float, default=1, help="1 is a fiftieth of the full run, 50 the full run")
    parser.add_argument("--seed", type=int, help="repeats the tries of an earlier run; random unless given")
    parser.add_argument("--only", type=int, metavar="TRY", help="makes this try alone, with the seed of the run that found it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tries side by side")
    parser.add_argument("--together", type=int, default=1, metavar="PARTS", help="parts side by side, each with --jobs jobs")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/app/warpsieve", help="the program to attack")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/attack", help="folder for what reproduces a find")
    parser.add_argument("--record", type=pathlib.Path, metavar="FILE", help="writes the figures of this run to a JSON file")
    chosen = parser.parse_args(words)
    if unknown := set(chosen.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}; the parts are {', '.join(PARTS)}")
    if chosen.seed is None:
        chosen.seed = random.randrange(1 << 31)
    chosen.program, chosen.output = chosen.program.resolve(), chosen.output.resolve()
    return chosen


def main(name, attack):
    """Runs one part in this process; `attack(part)` makes the tries."""
    part = Part(name, parse())
    started = time.monotonic()
    try:
        attack(part)
        skipped = ""
    except Skipped as reason:
        skipped = str(reason)
    sys.exit(save_result(part, time.monotonic() - started, skipped))
