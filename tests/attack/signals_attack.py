"""Signals at random moments of every command: prompt, documented codes, and files whole or absent."""

import contextlib
import subprocess
import time

import attack

PROMPT_S = 2
LONGEST_MOMENT_S = 1.5
COMMANDS = {
    "run": [*attack.SMALL_RUN, "--frames", "100000", "--csv", "out.csv", "--json", "out.json", "--screenshot", "out.png"],
    "short run": [*attack.SMALL_RUN, "--frames", "20", "--csv", "out.csv", "--json", "out.json", "--screenshot", "out.png"],
    "bench": ["bench", "--engine", "cpu", "--n", "2^8..2^16", "--time-limit", "0.05", "--csv", "out.csv", "--json", "out.json",
              "--markdown", "out.md"],
    "long stream": ["bench", "--engine", "cpu", "--algorithm", "cpu_loop", "--n", "2^26", "--csv", "out.csv"],
    "reproduce": ["reproduce", "--engine", "cpu", "--quick", "--max-n", "2^14", "--time-limit", "0.05", "--json", "out.json",
                  "--html", "out.html"],
    "simulated": ["--headless", "--engine", "simulated", "--slots", "2^14", "--size", "320x200", "--iterations", "8", "--frames", "100000",
                  "--csv", "out.csv", "--json", "out.json", "--trace", "out.trace.json"],
    "race": [*attack.SMALL_RUN, "--frames", "100000", "--tab", "race", "--csv", "out.csv", "--trace", "out.trace.json"],
    "trace": ["trace", "naive_scan", "--engine", "simulated", "--n", "2^17", "--out", "out.trace.json"],
    "trace of lanes": ["trace", "sequence_wise", "--engine", "simulated", "--n", "2^12", "--out", "out.csv", "--html", "out.html"],
    "merge": ["reproduce", "--merge", *([str(attack.ROOT / "bench/results/nvidia-h200/reproduce.json")] * 8), "--html", "out.html"],
    "window": ["--engine", "cpu", "--slots", "4096", "--size", "640x400", "--csv", "out.csv", "--json", "out.json",
               "--screenshot", "out.png", "--settings", "settings.json", "--capture-folder", "captures"],
}
TABS = ("particles", "slot_map", "lens", "timeline", "labs", "race", "kernel")
EARLIER = '{"written": "by an earlier run"}\n'


def faults_of_results(ended, folder, files, earlier):
    """After a sentence that results are kept, every file is new; after "no file was written", none is."""
    if ended.code and " ended the " not in ended.stderr:
        return [f"exit code {ended.code} without a sentence"]
    kept = "no file was written" not in ended.stderr
    found = []
    for name in files:
        old = name in earlier and (folder / name).exists() and (folder / name).read_text(encoding="utf-8") == EARLIER
        if ((folder / name).exists() and not old) != kept:
            found.append(f"{name} is {'missing' if kept else 'new'}")
        if name in earlier and not (folder / name).exists():
            found.append(f"the earlier {name} is gone")
    return found


def attack_command(part, name, random, folder, env):
    """Starts a command, sends a signal at a random moment and judges the end."""
    earlier = [word for word in COMMANDS[name] if word.startswith("out.json")] if random.random() < 0.5 else []
    for file in earlier:
        (folder / file).write_text(EARLIER, encoding="utf-8")
    number = random.choice(attack.END_SIGNALS)
    moment = random.uniform(0, LONGEST_MOMENT_S)
    command = [part.program, *COMMANDS[name]]
    if name == "window":
        command += random.choice((["--tab", random.choice(TABS)], ["--tour", str(random.randint(1, 10))]))
    process = subprocess.Popen(command, cwd=folder, env=attack.environment(folder, **env), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=attack.stop_ignoring_signals)
    time.sleep(moment)
    ended = attack.end_by_signal(process, command, number)
    # Until main() catches signals, they have their default effect, and nothing has been said or written.
    before_main = ended.code == -number and not ended.stdout and not ended.stderr
    found = [] if before_main else attack.faults_of(ended, {0, 128 + number})
    if not found and ended.seconds > PROMPT_S:
        found.append(f"ended {ended.seconds:.1f} s after the signal")
    expected = {word for word in command if "." in word and "/" not in word} | {"home", "captures"}
    found += [f"{name} was left behind" for name in attack.leftovers(folder, expected)]
    found += [fault for fault in map(attack.fault_of_file, sorted(folder.iterdir())) if fault]
    if not before_main:
        found += faults_of_results(ended, folder, sorted(word for word in expected if word.startswith("out.")), earlier)
    for what in found:
        part.find(f"{name}, {number.name} after {moment:.2f} s: {what}", folder, ended)


def attack_signals(part):
    part.unit = "signals"
    window = attack.window_module(part)
    names = [name for name in COMMANDS if window or name != "window"]
    with window.display((1280, 800)) if window else contextlib.nullcontext() as display:
        env = {"DISPLAY": display}

        def attempt(random, folder):
            name = random.choice(names)
            attack_command(part, name, random, folder, env if name == "window" else {})

        part.each(part.count(500), attempt)


if __name__ == "__main__":
    attack.main("signals", attack_signals)
