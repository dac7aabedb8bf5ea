"""Signals of every kind to runs that cannot end by themselves: a display that no longer answers, a main thread that the kernel does
not wake. They end within 5 s, and what was measured is on the disk."""

import re
import shutil
import signal
import subprocess
import time

import attack

ENDS_S = 5
COMMANDS = {
    "run": [*attack.SMALL_RUN, "--frames", "1000000", "--csv", "out.csv", "--json", "out.json"],
    "simulated": ["--headless", "--engine", "simulated", "--slots", "2^12", "--size", "320x200", "--frames", "100000", "--csv", "out.csv"],
    "bench": ["bench", "--engine", "cpu", "--n", "1..10000", "--time-limit", "0.02", "--csv", "out.csv", "--json", "out.json"],
    "reproduce": ["reproduce", "--engine", "cpu", "--max-n", "2^14", "--time-limit", "0.05", "--json", "out.json"],
    "window": ["--engine", "cpu", "--slots", "4096", "--size", "640x400", "--csv", "out.csv", "--settings", "settings.json"],
}


def is_written(folder, command):
    return all((folder / word).exists() for word in command if word.startswith("out."))


def end_while_stuck(part, random, folder, command, env, stick):
    """Starts a command, lets it hang once its files are there, sends a signal and judges the end."""
    number = random.choice(attack.END_SIGNALS)
    process = subprocess.Popen(command, cwd=folder, env=attack.environment(folder, **env), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=attack.stop_ignoring_signals)
    deadline = time.monotonic() + attack.LONGEST_S
    while process.poll() is None and not is_written(folder, command) and time.monotonic() < deadline:
        time.sleep(0.02)
    written = is_written(folder, command)
    release = stick()
    time.sleep(random.uniform(0.1, 1))
    ended = attack.end_by_signal(process, command, number)
    release()
    found = attack.faults_of(ended, {128 + number})
    if not written:
        found.append("no file was written before the signal")
    if not found and ended.seconds > ENDS_S:
        found.append(f"ended {ended.seconds:.1f} s after the signal")
    if not re.search(r"could not end the run|ended the (run|measurement)", ended.stderr):
        found.append("no sentence about the signal")
    expected = {word for word in command if "." in word and "/" not in word} | {"home", "captures", "hang"}
    found += [f"{name} was left behind" for name in attack.leftovers(folder, expected)]
    for what in filter(None, [*found, *map(attack.fault_of_file, sorted(folder.glob("out.*")))]):
        part.find(f"{number.name}: {what}", folder, ended)


def attack_stuck(part):
    part.unit = "signals"
    compiler = shutil.which("cc") or shutil.which("c++")
    if not compiler:
        raise attack.Skipped("there is no C compiler: apt-get install gcc")
    library = part.folder / "stuck_calls.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, attack.ROOT / "tests/app/cli/stuck_calls.c"], check=True)
    window = attack.window_module(part)

    def attempt(random, folder):
        name = random.choice([name for name in COMMANDS if window or name != "window"])
        command = [part.program, *COMMANDS[name]]
        if name != "window":
            def stick():
                (folder / "hang").touch()
                return lambda: None
            return end_while_stuck(part, random, folder, command, {"LD_PRELOAD": str(library)}, stick)
        with window.server((1280, 800)) as (display, server):
            def stop():
                server.send_signal(signal.SIGSTOP)
                return lambda: server.send_signal(signal.SIGCONT)
            return end_while_stuck(part, random, folder, command, {"DISPLAY": display}, stop)

    part.each(part.count(100), attempt)


if __name__ == "__main__":
    attack.main("stuck", attack_stuck)
