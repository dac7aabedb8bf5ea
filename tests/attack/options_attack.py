"""Random command lines from the program's own --help: legal, border and hostile values."""

import re
import sys

import attack

sys.path.insert(0, str(attack.ROOT / "packaging"))
from describe_program import read_help  # noqa: E402

# Small enough for milliseconds. A random command line may replace them.
BASE = {
    "": {"--headless": None, "--engine": "cpu", "--slots": "4096", "--size": "320x200", "--frames": "2"},
    "bench": {"--engine": "cpu", "--algorithm": "cpu_loop", "--n": "2^10", "--time-limit": "0.001", "--min-samples": "1"},
    "reproduce": {"--engine": "cpu", "--table": "qian_lengths", "--max-n": "2^10", "--time-limit": "0.001", "--quick": None},
}
# Large legal values of these options take long: only small and hostile ones are drawn.
CHEAP = {
    "--frames": ("1", "2", "7"), "--slots": ("4096", "5000", "2^14", "2^16"), "--iterations": ("1", "2", "3"),
    "--size": ("320x200", "321x201", "640x480", "1x1"), "--n": ("1", "7", "2^10", "1..64", "2^4..2^12", "100..1000:300"),
    "--time-limit": ("0.001", "0.01", "1e-9"), "--min-samples": ("1", "2", "10"), "--max-n": ("1", "2^8", "2^12"),
    "--algorithm": ("cpu_loop", "cpu_simd", "cpu_single_pass", "cpu_sequence_wise", "copies", "counts", "single_pass"),
    "--table": ("p4_count", "qian_lengths", "qian_scan", "part_1", "gilbert"), "--engine": ("cpu", "cuda", "simulated"),
    "--b": ("cpu_simd", "cpu_loop", "single_pass"), "--threads": ("0", "1", "2", "3", "64"),
    "--pattern": ("random", "structured", "empty", "full", "runs"), "--density": ("0", "1", "0.5", "0.1..0.9:0.4"),
    "--item-bytes": ("4", "8", "16", "4,8"), "--cache": ("cold", "hot"), "--seed": ("0", "1", "4294967295"),
    "--memory-limit": ("1", "16", "1024"), "--rehearse-gpu-failure": ("1", "2"), "--sequences": ("0", "1", "16", "64"),
}
NUMBERS = ("-1", "-0", "+1", "0x10", "1e3", "1.5", "nan", "-nan", "inf", "-inf", "1e400", "1e-400", "2^64", "2^-1", "2^2^2",
           "18446744073709551615", "18446744073709551616", "4294967297", "9" * 400, "1,,2", ",", "1..", "..1", "2^10..2^70",
           "10..1", "0..1:0", "1..2:-1", "1..1000000000000", "0..1:1e-12", "\u0661\u0662", "1 2", " 1", "1 ", "1\n2")
TEXTS = ("", " ", "\n", "\t", "\x01", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\u009b31m", "\u202eright", "\U0001f600", "caf\u00e9",
         "%s%n%d", "'; true", "$(true)", "`true`", "..", "-", "--", "a" * 300, "a" * 70_000, "{}", "[" * 2000, "null", "true", attack.EVERY_NON_PRINTING)
PATHS = ("out.csv", "out.json", "out.png", "same", "same", "no/such/folder/file", ".", "..", "/dev/null", "/dev/full", "/dev/stdout",
         "a\nb.csv", "caf\u00e9.csv", "\udce9.csv", "\x1b[31m.csv", "x" * 255, "x" * 256, "x/" * 3000, "input.json", "pipe")
# Hostile for other options, but legal for these: the program would run for minutes.
OBEYED = {"--time-limit": ("1e3", "+1", "1.5", "0x10", " 1", "1 "), "--max-n": ("4294967297", "18446744073709551615", "2^64")}
SHORT_LINE = 120_000  # the system's limit for one argument is 128 KiB


def hostile(random):
    return random.choice(random.choice((NUMBERS, NUMBERS, TEXTS))) if random.random() < 0.9 else "".join(
        chr(random.choice((random.randrange(1, 128), random.randrange(1, 0xd800)))) for _ in range(random.randrange(1, 40)))


def borders(option):
    """Values at and beyond the ends of the range that the help names."""
    text = f"{option.value} {option.text}"
    if found := re.search(r"\[(\S+) - (\S+)\]|: (-?[\d.]+) to (-?[\d.]+)", text):
        low, high = (float(end) for end in found.groups() if end)
        return [f"{value:.10g}" for value in (low, high, low - 1, high + 1, low - 1e-9, -high)]
    return []


def value_of(option, random):
    name = option.names[-1]
    kind = random.random()
    if option.takes_a_path:
        return random.choice(PATHS) if kind < 0.8 else hostile(random)
    cheap = CHEAP.get(name)
    if kind < 0.55 and (cheap or option.choices):
        return random.choice(cheap or option.choices)
    if kind < 0.7 and not cheap and borders(option):
        return random.choice(borders(option))
    value = hostile(random)
    return "nan" if value in OBEYED.get(name, ()) else value


def command_line(random, helps):
    command = random.choices(("", "bench", "reproduce"), (5, 4, 2))[0]
    options = helps[command].options
    chosen = dict(BASE[command])
    for option in random.sample(options, min(len(options), random.choice((0, 1, 1, 2, 3, 5, 9)))):
        chosen[option.names[-1]] = value_of(option, random) if option.value else None
    words = [command] if command else []
    pairs = list(chosen.items())
    random.shuffle(pairs)
    for name, value in pairs:
        style = random.random()
        words += [f"{name}={value}"] if value is not None and style < 0.2 else [name] if value is None else [name, value]
    if random.random() < 0.08:  # a word that does not belong there
        words.insert(random.randrange(len(words) + 1), hostile(random))
    if random.random() < 0.03:  # an option without its value, or twice
        words.append(random.choice(options).names[-1])
    return [word.replace("\0", "")[:SHORT_LINE].encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
            for word in words]


def attack_options(part):
    part.unit = "command lines"
    helps = {command: read_help(part.program, *([command] if command else [])) for command in BASE}

    def attempt(random, folder):
        (folder / "input.json").write_text('{"format": 1}\n', encoding="utf-8")
        words = command_line(random, helps)
        ended = attack.run(["prlimit", f"--data={1 << 30}", part.program, *words], folder)
        found = attack.faults_of(ended)
        for file in folder.iterdir():
            if ended.code == 0 and (fault := attack.fault_of_file(file, named_by_kind=False)):
                found.append(fault)
            if ".partial" in file.name or ".tmp" in file.name:
                found.append(f"{file.name} was left behind")
        for what in found:
            part.find(what, folder, ended)

    part.each(part.count(10_000), attempt)


if __name__ == "__main__":
    attack.main("options", attack_options)
