"""Memory stays flat: labs that are started and cancelled, and random keys at a fixed number of slots. What is loaded at the first
use does not count: growth is the median of the second half of the samples minus that of the first."""

import pathlib
import re
import statistics
import time

import attack

WARM_UP = 25  # starts of a lab, and rounds of keys: caches, atlases and thread pools have grown
LABS = ("tune", "compare")
KEYS = (*"1234567agvxbitmlh", "F12", "5 Return Escape", "space period space", "bracketleft bracketright", "ctrl+p Escape", "F1 Escape",
        "ctrl+z ctrl+shift+z")
KEYS_PER_ROUND = 8
LABS_MAY_GROW_MIB = 8
KEYS_MAY_GROW_MIB = 32  # each view, menu and export keeps what it loads at its first use
PAUSE_S = 0.15  # some frames


def resident_mib(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def press(opened, key):
    """Keys, one after the other, each for some frames."""
    for each in key.split():
        opened.xdotool("key", "--delay", 60, each)
        time.sleep(PAUSE_S)


def start_and_cancel(opened, window):
    press(opened, "Return Escape")
    window.wait_for("the end of the lab", lambda: "start" in opened.controls())


def attack_memory(part):
    part.unit = "rounds"
    window = attack.required_window_module(part)

    def watch(folder, what, allowed_mib, prepare, act):
        """Acts `rounds` times after the warm-up. Growth beyond the bound is a find."""
        rounds = max(WARM_UP, part.count(500))
        options = ("--engine", "cpu", "--slots", "2^14", "--size", "1280x720")
        with window.display((1280, 800)) as display, window.Window(display, folder, *options) as opened:
            prepare(opened)
            samples = []
            wrong = ""
            try:
                for index in range(WARM_UP + rounds):
                    act(opened)
                    if (code := opened.process.poll()) is not None:
                        raise AssertionError(f"the program ended with {code}")
                    if index >= WARM_UP:
                        samples.append(resident_mib(opened.process))
            except (OSError, AssertionError) as error:
                wrong = f"{what}: {error}"
            if not wrong:
                first, second = samples[:len(samples) // 2], samples[len(samples) // 2:]
                growth = statistics.median(second) - statistics.median(first)
                if growth > allowed_mib:
                    wrong = f"{what}: memory grew by {growth:.0f} MiB"
                if code := opened.quit():
                    wrong = f"{what}: exit code {code}"
            if wrong:
                ended = attack.Ended(["warpsieve", *options], opened.process.poll() or 0, "", opened.messages(), 0)
                part.find(wrong, folder, ended, " ".join(f"{sample:.0f}" for sample in samples))
        return rounds

    def attempt(random, folder):
        index = int(folder.name)
        if index < len(LABS):
            lab = LABS[index]

            def show(opened):
                press(opened, "5")
                opened.click(f"lab: {lab}")
            return watch(folder, lab, LABS_MAY_GROW_MIB, show, lambda opened: start_and_cancel(opened, window))

        def random_keys(opened):
            for key in random.choices(KEYS, k=KEYS_PER_ROUND):
                press(opened, key)
            if "dismiss message 3" in opened.controls():
                opened.click("dismiss message 3")
        # The tune lab starts the most threads, each of which may keep memory.
        return watch(folder, "keys", KEYS_MAY_GROW_MIB, lambda opened: [press(opened, "5"), opened.click("lab: tune")], random_keys)

    part.each(len(LABS) + 1, attempt)


if __name__ == "__main__":
    attack.main("memory", attack_memory)
