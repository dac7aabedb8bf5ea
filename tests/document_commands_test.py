"""Starts every command line of the documents that runs the program, and ends it by SIGINT after some seconds: each must be accepted.
A command that needs an engine or an algorithm that this machine lacks must say so."""

import concurrent.futures
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import processes

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 3
LONGEST_S = 60
SUCCEEDED, SKIPPED, INTERRUPTED = 0, 77, 128 + signal.SIGINT
# Ways to call the program. A profiler before it is left out.
PROGRAM = re.compile(r"^(?:(?:nsys|ncu) .*?)?(?:scripts/run|build/app/warpsieve|warpsieve)(?= |$)")
# What a reader has by then, and what stands in for it here.
OTHER_PROGRAMS = ("old/warpsieve", "/tmp/before")
ADDED_ALGORITHM, KNOWN_ALGORITHM = "my_loop", "cpu_loop"
INPUTS = {
    "FILE.png": "--headless --engine cpu --slots 4096 --frames 3 --screenshot",
    "before.csv": "bench --engine cpu --algorithm cpu_loop --n 2^20 --processes 2 --time-limit 0.05 --csv",
    "gpu.json": "reproduce --engine simulated --quick --max-n 2^10 --json",
    "cpu.json": "reproduce --engine cpu --quick --max-n 2^10 --json",
}
NOTHING_TO_MEASURE = "nothing could be measured"
program = None


def command_lines(document):
    """The command lines in `document` that run the program or write a file, without their comments."""
    for block in re.findall(r"```sh\n(.*?)```", document.read_text(encoding="utf-8"), flags=re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            if PROGRAM.match(line) or line.startswith("echo "):
                yield re.sub(r"\s+#.*", "", line)


def documents():
    """Each document with commands and those commands."""
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if lines := list(command_lines(document)):
            yield document.relative_to(ROOT), lines


def run(line, folder, seconds):
    """Runs a command line in `folder`, and ends it by SIGINT after so many seconds. Returns the exit code and what it said."""
    command = PROGRAM.sub(f"exec {shlex.quote(program)}", line).replace(ADDED_ALGORITHM, KNOWN_ALGORITHM)
    for other in OTHER_PROGRAMS:
        command = command.replace(other, shlex.quote(program))
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment |= {"HOME": str(folder), "PATH": f"{pathlib.Path(program).parent}:{environment['PATH']}"}
    process = subprocess.Popen(["bash", "-c", command], cwd=folder, env=environment, text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        said = process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        said, _ = processes.output_by(time.monotonic() + LONGEST_S, process)
    return process.returncode, said


def is_accepted(code, said):
    if code == SKIPPED:
        return len(said.split()) > 5
    return code in (SUCCEEDED, INTERRUPTED) or NOTHING_TO_MEASURE in said


def faults(commands):
    """Runs the commands of one document in turn, in one folder, because one may read what another has written."""
    found = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, arguments in INPUTS.items():
            if any(file in line for line in commands):
                code, said = run(f"warpsieve {arguments} {file}", folder, LONGEST_S)
                if not (folder / file).exists():
                    found.append(f"{file} cannot be made, exit code {code}:\n{said}")
        for line in commands:
            code, said = run(line, folder, SECONDS)
            if not is_accepted(code, said):
                found.append(f"{line}\nexits with {code}:\n{said[-2000:]}")
    return found


class DocumentCommandsTest(unittest.TestCase):
    def test_every_command_is_accepted(self):
        chosen = dict(documents())
        self.assertGreaterEqual(sum(map(len, chosen.values())), 30)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for document, found in zip(chosen, pool.map(faults, chosen.values())):
                for fault in found:
                    with self.subTest(document=str(document)):
                        self.fail(fault)

    def test_a_wrong_command_is_found(self):
        self.assertEqual(len(faults(["warpsieve bench --no-such-option"])), 1)


if __name__ == "__main__":
    program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
