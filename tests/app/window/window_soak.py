"""A long run of the window with random keys; not part of the tests.

Visits every view and algorithm, then presses random keys (the same for the same seed) with pauses, and samples the
process's memory and descriptors in the particle view. Fails if these grow, if a comparison is wrong or if a run was
not timed. scripts/soak runs it and documents the options. Samples go to OUTPUT/samples.csv.
"""

import argparse
import csv
import datetime
import json
import os
import pathlib
import random
import shutil
import sys
import time
import unittest

import program
import window

# Actions: weight, and keys in order ("+" holds the first one).
ACTIONS = (
    (6, ("1",)), (4, ("2",)), (4, ("3",)), (4, ("4",)), (4, ("5",)),
    (6, ("a",)), (3, ("shift+a",)), (4, ("v",)), (3, ("g",)), (2, ("shift+g",)), (3, ("bracketleft", "bracketright")),
    (2, ("minus",)), (2, ("equal",)), (2, ("x",)), (2, ("b",)), (2, ("i",)), (2, ("r",)), (1, ("space", "period", "space")),
    (1, ("t", "t")), (1, ("l",)), (1, ("ctrl+equal", "ctrl+minus")), (1, ("F1", "Escape")), (1, ("h", "Left", "Right", "End", "h")),
    (2, ("6",)), (2, ("7",)), (1, ("m",)), (1, ("ctrl+p", "Escape")), (1, ("F11", "F11")), (2, ("ctrl+z", "ctrl+shift+z")),
    (3, ("5", "Return")), (3, ("5", "Escape")), (1, ("ctrl+F12", "ctrl+F12")), (1, ("4", "k")),
)
REST_S = 5
SAMPLE_EVERY_S = 10
VIEWS = "1234567"
ALGORITHMS = 16  # at least as many as an engine has
WARM_UP_SHARE = 0.5  # until caches, atlases and thread pools have grown
GROWTH_ALLOWED_KIB = 4096


class Soak:
    def __init__(self, opened, seed, minutes):
        self.opened = opened
        self.random = random.Random(seed)
        self.seconds = minutes * 60
        self.samples = []
        self.frames_checked = self.wrong = self.dropped = self.captures = 0
        self.machine = {}

    def visit_everything(self):
        """Uses everything once: memory that is loaded at the first use does not count as growth."""
        for _ in range(ALGORITHMS):
            self.press_all(("a",))
            time.sleep(0.2)
        for view in VIEWS:
            for _, keys in ACTIONS:
                self.press_all((view, *keys))

    def run(self):
        start = time.monotonic()
        self.visit_everything()
        next_sample = start
        while (now := time.monotonic()) - start < self.seconds:
            if self.opened.process.poll() is not None:
                raise AssertionError(f"the program ended with {self.opened.process.returncode}: {self.opened.messages()}")
            if now >= next_sample:
                self.sample(now - start)
                next_sample = now + SAMPLE_EVERY_S
            for _ in range(self.random.randrange(1, 6)):
                self.act()
            time.sleep(self.random.uniform(0, REST_S))

    def act(self):
        (_, keys), = self.random.choices(ACTIONS, weights=[weight for weight, _ in ACTIONS])
        self.press_all(keys)

    def press_all(self, keys):
        for key in keys:
            self.opened.press(*key.split("+"))
        if "dismiss message 3" in self.opened.controls():
            self.opened.click("dismiss message 3")

    def sample(self, seconds):
        self.opened.press("1")
        time.sleep(1)
        _, sidecar = self.opened.capture(*self.random.choice((("F12",), ("shift", "F12"))))
        self.captures += 1
        self.machine = {key: sidecar[key] for key in ("device", "engine", "commit")}
        self.frames_checked = max(self.frames_checked, sidecar["check"]["checked"])
        self.wrong += sidecar["check"]["wrong"] + sidecar.get("b", {}).get("check", {}).get("wrong", 0)
        self.dropped += sidecar["dropped_runs"]
        # The pictures of an hour would fill the disk.
        shutil.rmtree(self.opened.captures)
        process = pathlib.Path("/proc") / str(self.opened.process.pid)
        status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
        self.samples.append({
            "seconds": round(seconds), "rss_kib": int(status["VmRSS"].split()[0]), "threads": int(status["Threads"]),
            "descriptors": len(list((process / "fd").iterdir())), "algorithm": sidecar["algorithm"],
            "slots": sidecar["slots"], "tab": sidecar["settings"]["tab"]})

    def growth(self, field):
        """The maximum of the last quarter minus the maximum of the quarter before it. Minima say little: freed memory may
        stay with the allocator."""
        values = [sample[field] for sample in self.samples[round(len(self.samples) * WARM_UP_SHARE):]]
        half = max(1, len(values) // 2)
        return max(values[half:]) - max(values[:half])


def main():
    parser = argparse.ArgumentParser(description="Drives the window with random keys and checks for leaks.")
    parser.add_argument("--warpsieve", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", default="cpu")
    parser.add_argument("--record", type=pathlib.Path, help="writes the figures of this run to a JSON file")
    program.paths = chosen = parser.parse_args()
    chosen.warpsieve, chosen.output = chosen.warpsieve.resolve(), chosen.output.resolve()
    folder = program.output_folder("soak")
    os.environ["CUDA_MODULE_LOADING"] = "EAGER"  # a kernel's first use is no growth
    try:
        with window.display((1280, 720)) as display:
            arguments = ("--engine", chosen.engine, "--slots", "2^14", "--size", "1280x720")
            with window.Window(display, folder, *arguments) as opened:
                soak = Soak(opened, chosen.seed, chosen.minutes)
                try:
                    soak.run()
                finally:
                    with open(chosen.output / "samples.csv", "w", newline="", encoding="utf-8") as file:
                        writer = csv.DictWriter(file, list(soak.samples[0]) if soak.samples else ["seconds"])
                        writer.writeheader()
                        writer.writerows(soak.samples)
                code = opened.quit()
    except unittest.SkipTest as missing:
        print(f"skipped: {missing}")
        sys.exit(program.EXIT_SKIPPED)
    memory, descriptors, threads = (soak.growth(field) for field in ("rss_kib", "descriptors", "threads"))
    figures = {
        "minutes": chosen.minutes, "captures": soak.captures, "comparisons": soak.frames_checked, "wrong": soak.wrong,
        "untimed": soak.dropped, "growth_mib": round(memory / 1024, 1), "descriptors": descriptors, "threads": threads,
        "exit_code": code}
    print(", ".join(f"{name.replace('_', ' ')} {figure:g}" for name, figure in figures.items()))
    if chosen.record:
        record = {
            **soak.machine, "date": datetime.date.today().isoformat(),
            "command": f"scripts/soak --minutes {chosen.minutes:g} --seed {chosen.seed} --engine {chosen.engine}",
            "parts": [figures]}
        chosen.record.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    sound = code == 0 and not soak.wrong and not soak.dropped and memory <= GROWTH_ALLOWED_KIB and descriptors <= 0
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
