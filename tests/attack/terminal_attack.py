"""Hostile text in every text field of every file, in names and in variables: on a terminal, every stream of every command shows
printable text, and no text begins a line of its own."""

import json
import os
import pty
import re
import signal
import subprocess
import time

import attack
import files_attack

FORGED = "FORGED: done"
HOSTILE = ("\x1b[2J", "\x1b]0;title\x07", "\x1b[31m", "\x9b31m", "\x85", "\x07", "\x08\x08\x08", "\r", "\t", "\x7f", f"\n{FORGED}\n",
           f"\r\n{FORGED}", f"\u2028{FORGED}", "\u202egnp.exe", "\u2066\u2067\u2069", "\u200e\u200f\u061c", "\u200b\u200d\u2060", "\ufeff",
           "\xad", "\U000e0041\U000e007f", "\udcff", "\udcc3", "\udced\udca0\udc80", "%s%n%n", "Z\xfcrich \u65e5\u672c", "", "x" * 300, attack.EVERY_NON_PRINTING)
# Bytes in a binary file, where a text keeps its length.
HOSTILE_BYTES = b"\x1b[2J\x07\n" + FORGED.encode() + b"\n\xc2\x9b\xe2\x80\xae\xff\r"
WORD = re.compile(rb"[A-Za-z][A-Za-z0-9_. -]{3,}")
CELL = re.compile(r"(?<=[,: ])[^,\n]+")
SMALL_BENCH = ("--n", "2^8", "--time-limit", "0.001", "--min-samples", "1")
# The first word of a command names the kind of its file; `file` stands for its name.
COMMANDS = (
    ("settings", *files_attack.COMMANDS["settings"]),
    ("settings", "--settings", "{file}", *attack.SMALL_RUN, "--frames", "1", "--tab", "lens", "--b", "cpu_loop"),
    ("replay", *files_attack.COMMANDS["replay"]),
    ("picture", *files_attack.COMMANDS["picture"]),
    ("ghost", *files_attack.COMMANDS["ghost"]),
    ("baseline", *files_attack.COMMANDS["baseline"]),
    ("baseline", "bench", "--engine", "cpu", "--algorithm", "cpu_loop", *SMALL_BENCH, "--against", "{file}", "--processes", "2", "--max-regress", "9"),
    ("results", "reproduce", "--merge", "{file}", "--html", "out.html"),
    ("trace", "trace", "{file}"),
    ("trace", "trace", "{file}", "--out", "out.json"),
    ("name", "--settings", "{file}", *attack.SMALL_RUN, "--frames", "1"),
    ("name", "--replay", "{file}"),
    ("name", *attack.SMALL_RUN, "--frames", "1", "--csv", "{file}/a.csv", "--screenshot", "{file}.png"),
    ("name", *attack.SMALL_RUN, "--frames", "1", "--picture", "{file}"),
    ("name", "{file}"), ("name", "--{file}"), ("name", *attack.SMALL_RUN, "--frames", "1", "--algorithm", "{file}"),
    ("name", *attack.SMALL_RUN, "--frames", "1", "--threads", "{file}"),
    ("name", "bench", "--engine", "cpu", "--algorithm", "{file}"), ("name", "bench", "--pattern", "{file}"), ("name", "bench", "--engine", "{file}"),
    ("name", "bench", "--engine", "cpu", "--algorithm", "cpu_loop", *SMALL_BENCH, "--csv", "{file}.csv", "--markdown", "{file}/a.md"),
    ("name", "bench", "--against", "{file}"), ("name", "reproduce", "--table", "{file}"), ("name", "reproduce", "--merge", "{file}"),
    ("name", "trace", "{file}"), ("name", "trace", "cpu_loop", "--out", "{file}/a"), ("name", "first-call", "{file}", "8", "random", "0.5"),
    ("name", "--list", "--csv", "{file}", "--json", "{file}"), ("name", "bench", "--help", "{file}"), ("name", "reproduce", "--list", "{file}"),
)
VARIABLES = ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "WARPSIEVE_GPU_FAILURE", "LANG", "TERM")


def hostile(random):
    return "".join(random.choice(HOSTILE) for _ in range(random.choice((1, 1, 2, 4))))


def with_hostile_texts(value, random, share):
    """The JSON value with a share of its texts and names of members replaced or extended."""
    def changed(text):
        return random.choice((hostile(random), text + hostile(random))) if random.random() < share else text

    if isinstance(value, dict):
        return {changed(name) if random.random() < share / 4 else name: with_hostile_texts(member, random, share)
                for name, member in value.items()}
    if isinstance(value, list):
        return [with_hostile_texts(member, random, share) for member in value]
    return changed(value) if isinstance(value, str) else value


def bytes_of(text):
    """UTF-8 with the bytes that are none."""
    return text.encode("utf-8", "surrogateescape")


def hostile_file(kind, data, random):
    """The data of a file with hostile texts in its fields."""
    share = random.choice((0.02, 0.1, 0.5, 1))
    if kind == "trace":
        return WORD.sub(lambda word: (HOSTILE_BYTES * 20)[:len(word[0])] if random.random() < share / 2 else word[0], data)
    try:
        document = json.loads(data)
    except ValueError:
        return bytes_of(CELL.sub(lambda cell: hostile(random).replace("\n", " ") if random.random() < share / 4 else cell[0], attack.text_of(data)))
    # JSON holds Unicode only: bytes that are none stand in it as they are.
    text = json.dumps(with_hostile_texts(document, random, share), ensure_ascii=random.random() < 0.5)
    return bytes_of(re.sub(r"(?<!\\ud[89ab][0-9a-f]{2})\\udc([89a-f][0-9a-f])", lambda code: chr(0xDC00 + int(code[1], 16)), text))


def run_on_terminal(command, folder, variables):
    """Runs a command whose output is a terminal; `stdout` then holds both of its streams."""
    ours, theirs = pty.openpty()
    started = time.monotonic()
    # Mesa prints the name of its cache as it is.
    env = attack.environment(folder, TERM="xterm", MESA_SHADER_CACHE_DISABLE="true")
    env.update(variables)
    process = subprocess.Popen([*map(bytes_of, map(str, command))], cwd=folder, env={name: bytes_of(value) for name, value in env.items()},
                               stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    output = b""
    timed_out = False
    while True:
        try:
            data = os.read(ours, 65536)
        except OSError:  # nobody has the terminal open any more
            break
        if not data:
            break
        output += data
        if time.monotonic() - started > attack.LONGEST_S:
            os.killpg(process.pid, signal.SIGKILL)
            timed_out = True
            break
    os.close(ours)
    return attack.Ended(list(map(str, command)), process.wait(), attack.text_of(output), "", time.monotonic() - started, timed_out)


def faults_of(ended):
    found = [f"exit code {ended.code}"] if ended.code not in attack.DOCUMENTED_CODES else []
    if character := attack.non_printing_character(ended.stdout):
        found.append(f"the terminal receives {character!r}")
    if any(line.startswith(FORGED) for line in re.split(r"[\r\n]", ended.stdout)):
        found.append("a text begins a line of its own")
    return found


def attack_terminal(part):
    part.unit = "runs"
    traces = part.folder / "traces"
    traces.mkdir()
    samples = {kind: files_attack.corpus(kind) for kind in ("settings", "replay", "ghost", "baseline", "results")}
    samples["picture"] = samples["replay"]
    samples["trace"] = []
    for words in (("sequence_wise", "--engine", "simulated", "--n", "64"), ("cpu_loop", "--n", "64")):
        file = traces / words[0]
        attack.run([part.program, "trace", *words, "--out", file], part.folder)
        samples["trace"] += [file.read_bytes()] if file.exists() else []

    def attempt(random, folder):
        kind, *command = random.choice(COMMANDS)
        name = random.choice(("input", "input", "in\x1b[2Jput\u202e", f"in\n{FORGED}", "in\udcffput\x9b"))
        if kind == "name":
            name = hostile(random).replace("/", "")[:100] or "x"
        else:
            data = hostile_file(kind, random.choice(samples[kind]), random)
            target = os.fsencode(folder) + b"/" + bytes_of(name)
            with open(target, "wb") as file:
                file.write(files_attack.picture_with(random, data) if kind == "picture" else data)
        (folder / "settings.json").write_text(json.dumps({"ghost": str(folder / "input"), "ghost_file": str(folder / "input")}), encoding="utf-8")
        variables = {}
        if random.random() < 0.2:
            variables[random.choice(VARIABLES)] = hostile(random).replace("\0", "")
        ended = run_on_terminal([part.program, *(word.replace("{file}", name) for word in command)], folder, variables)
        for what in faults_of(ended):
            part.find(what, folder, ended)

    part.each(part.count(4000), attempt)


if __name__ == "__main__":
    attack.main("terminal", attack_terminal)
