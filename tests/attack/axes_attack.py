"""Hostile axes of bench: they are refused, or start at once, take little memory and end within a second of a signal."""

import re
import signal
import subprocess
import time

import attack

STARTS_S = 5  # also on a busy machine
ENDS_S = 2
MAX_MEMORY_KB = 600_000
COUNTS = ("0", "1", "2", "7", "2^10", "2^20", "2^31", "2^40", "2^62", "2^63", "4294967295", "18446744073709551615",
          "18446744073709551616", "2^10-1", "2^62+4294967295", "-1", "1e9", "")
STEPS = ("1", "2", "0", "9999", "9223372036854775807", "18446744073709551608", "18446744073709551615", "18446744073709551616", "x")
FRACTIONS = ("0", "0.5", "1", "0.1", "0.123456789", "0.1234567891", "1e-9", "1e-10", "-0", "nan", "inf", "1.0000000001", "0.99999999999")
FRACTION_STEPS = ("0.1", "0.001", "0.0001", "1e-9", "1e-10", "1e-300", "0", "-0.1", "nan", "2")
COUNT_AXES = ("--n", "--seed", "--threads", "--blocks", "--sequences")
WORD_AXES = {"--algorithm": ("all", "steps", "copies", "counts", "scans", "cpu_loop", "cpu_simd", "cpu_single_pass"),
             "--pattern": ("random", "runs", "ramp", "empty", "full"), "--item-bytes": ("4", "8", "16"), "--cache": ("hot", "cold"),
             "--vector-width": ("scalar", "pair", "quad", "automatic", "0", "1..10000")}


def part_of(random, values, steps):
    """A value or a range; many are long."""
    kind = random.randrange(4)
    if kind == 0:
        return random.choice(values)
    if kind == 1:
        return f"{random.choice(values)}..{random.choice(values)}:{random.choice(steps)}"
    if kind == 2:
        return f"{random.choice(values)}..{random.choice(values)}"
    return random.choice(("1..10000", "1..9999", "1..256", "2^0..2^62", "10000..1")) if values is COUNTS else "0..1:0.0001"


def axes(random):
    words = []
    for flag in random.sample((*COUNT_AXES, *WORD_AXES, "--density"), random.randint(1, 5)):
        for _ in range(random.choice((1, 1, 1, 3, 50))):
            parts = random.choice((1, 1, 2, 5, 500))
            if flag in WORD_AXES:
                text = ",".join(random.choice(WORD_AXES[flag]) for _ in range(parts))
            elif flag == "--density":
                text = ",".join(part_of(random, FRACTIONS, FRACTION_STEPS) for _ in range(parts))
            else:
                text = ",".join(part_of(random, COUNTS, STEPS) for _ in range(parts))
            words.append(f"{flag}={text}")
    return words


def peak_memory_kb(process):
    """The most memory that a running process has used; 0 after its end."""
    try:
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
            found = re.search(r"VmHWM:\s+(\d+)", status.read())
        return int(found[1]) if found else 0
    except OSError:
        return 0


def attempt_axes(part, random, folder):
    command = [part.program, "bench", "--engine", "cpu", "--time-limit", "0.001", "--min-samples", "1", "--csv", "out.csv", *axes(random)]
    # Long streams would show how long a stream takes, not the expansion of the axes.
    command = ["prlimit", f"--data={1 << 30}", *command]
    started = time.monotonic()
    with open(folder / "stderr.txt", "w+", encoding="utf-8", errors="surrogateescape") as stderr:
        process = subprocess.Popen(command, cwd=folder, env=attack.environment(folder), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=stderr, preexec_fn=attack.stop_ignoring_signals)
        stop_s = random.uniform(0.1, STARTS_S) if random.random() < 0.5 else STARTS_S
        memory_kb = 0
        while process.poll() is None and time.monotonic() - started < stop_s:
            memory_kb = max(memory_kb, peak_memory_kb(process))
            time.sleep(0.02)
        sent = None
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            sent = time.monotonic()
        try:
            process.wait(timeout=attack.LONGEST_S)
            timed_out = False
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            timed_out = True
        took_s = time.monotonic() - (sent or started)
        stderr.seek(0)
        ended = attack.Ended(command, process.returncode, "", stderr.read(), took_s, timed_out)
    before_main = sent and ended.code == -signal.SIGINT and not ended.stderr
    found = [] if before_main else attack.faults_of(ended, {0, 1, 2, 130})
    if sent and took_s > ENDS_S:
        found.append(f"ended {took_s:.1f} s after Ctrl-C")
    if memory_kb > MAX_MEMORY_KB:
        found.append(f"took {memory_kb >> 10} MiB")
    if len(ended.stderr) > 20_000:
        found.append(f"said {len(ended.stderr)} characters")
    for what in filter(None, [*found, attack.fault_of_file(folder / "out.csv")]):
        part.find(what, folder, ended)


def attack_axes(part):
    part.unit = "command lines"
    part.each(part.count(2000), lambda random, folder: attempt_axes(part, random, folder))


if __name__ == "__main__":
    attack.main("axes", attack_axes)
