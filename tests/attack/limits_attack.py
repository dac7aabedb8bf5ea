"""Random resource limits and closed descriptors: a sentence and a documented exit code, no abort and no hang."""

import os
import shutil
import subprocess

import attack

MIB = 1 << 20
COMMANDS = (
    [*attack.SMALL_RUN, "--frames", "3", "--csv", "out.csv", "--json", "out.json", "--screenshot", "out.png"],
    ["bench", "--engine", "cpu", "--algorithm", "cpu_loop,cpu_single_pass", "--n", "2^10,2^14,2^20", "--time-limit", "0.01",
     "--min-samples", "1", "--csv", "out.csv", "--json", "out.json"],
    ["reproduce", "--engine", "cpu", "--table", "qian_lengths", "--quick", "--max-n", "2^12", "--time-limit", "0.01", "--json",
     "out.json", "--html", "out.html"],
    ["--headless", "--engine", "simulated", "--slots", "4096", "--size", "320x200", "--frames", "2", "--csv", "out.csv", "--trace",
     "out.trace.json"],
    [*attack.SMALL_RUN, "--frames", "3", "--slots", "2^18", "--size", "1280x720", "--tab", "race", "--json", "out.json", "--screenshot",
     "out.png"],
    ["reproduce", "--merge", str(attack.ROOT / "bench/results/nvidia-h200/reproduce.json"), "--html", "out.html", "--json", "out.json"],
    ["--list"], ["--help"], ["bench", "--help"],
)
WEIGHTS = (4, 4, 4, 4, 4, 2, 1, 1, 1)
# Option of prlimit, minimum and maximum. Below the minimum the system's loader fails, or kills the process, before main().
LIMITS = (("as", 64 * MIB, 4096 * MIB), ("data", 1 * MIB, 2048 * MIB), ("fsize", 0, 65536), ("nofile", 3, 64),
          ("nproc", 1, 64), ("stack", 256 << 10, 16 * MIB))
NOBODY = 65534


def limited(random):
    """The prefix of the command that sets the limits."""
    name, least, most = random.choice(LIMITS)
    value = int(least * (most / max(least, 1)) ** random.random()) if least else random.randrange(most)
    words = ["prlimit", f"--{name}={value}:{value}"]
    if name == "nproc" and os.geteuid() == 0:  # the limit does not hold for root
        words += ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    return words


def closed(random):
    """The prefix of the command that closes some of its descriptors 0 to 2."""
    chosen = random.randrange(1, 8)
    return ["sh", "-c", 'exec "$@" ' + " ".join(f"{fd}>&-" for fd in range(3) if chosen >> fd & 1), "sh"], chosen


def starts(words, program, folder):
    """Whether the program reaches main() under these limits."""
    return attack.run([*words, program, "--version"], folder).code == 0


def attack_limits(part):
    part.unit = "runs"
    for tool in ("prlimit", "setpriv"):
        if not shutil.which(tool):
            raise attack.Skipped(f"{tool} is not installed: apt-get install util-linux")
    subprocess.run(["chmod", "-R", "a+rX", part.folder.parent], check=True)

    def attempt(random, folder):
        folder.chmod(0o777)
        (folder / "home").chmod(0o777)
        command = random.choices(COMMANDS, WEIGHTS)[0]
        words, shut = closed(random) if random.random() < 0.25 else (limited(random), 0)
        while not shut and not starts(words, part.program, folder):
            words = limited(random)
        ended = attack.run([*words, part.program, *command], folder)
        found = attack.faults_of(ended)
        if shut & 4:  # nobody can read a sentence on a closed stderr
            found = [what for what in found if "without a sentence" not in what]
        expected = {word for word in command if word.startswith("out.")} | {"home"}
        found += [f"{name} was left behind" for name in attack.leftovers(folder, expected)]
        found += [fault for fault in map(attack.fault_of_file, sorted(folder.iterdir())) if fault]
        for what in found:
            part.find(f"{' '.join(words[:2]) if not shut else words[2]}: {what}", folder, ended)

    part.each(part.count(100), attempt)


if __name__ == "__main__":
    attack.main("limits", attack_limits)
