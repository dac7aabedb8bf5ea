#!/usr/bin/env python3
"""Selections in processes that share a GPU through NVIDIA's Multi-Process Service (MPS), some of them with a part of it.

    mps_select_test.py SELECT_TEST SELECT_RANDOM_TEST

Starts the daemon in a folder of its own, so that no other process uses it, and ends it. The exit status is 77 where there is no
GPU or no daemon."""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from processes import output_by

SKIPPED = 77
CONTROL = "nvidia-cuda-mps-control"
LIMIT_S = 120  # for a stage; a process that takes longer hangs


@dataclass
class Client:
    """A test program, with the tests to run and the percentage of the GPU it may use."""
    program: Path
    tests: str = "*"
    percentage: int = 100

    def start(self):
        values = dict(os.environ, CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=str(self.percentage), WARPSIEVE_RANDOM_CALLS="20000")
        return subprocess.Popen([self.program, f"--gtest_filter={self.tests}"], env=values, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)


def stages(select, random):
    for percentage in (100, 50, 10, 2):
        yield f"{percentage} % of the GPU", [Client(select, "SelectPaths*:SelectStreams*:SelectProgress.OfSeveral*", percentage)]
    yield "three processes, each on the whole GPU", [Client(random), Client(random), Client(select, "SelectPaths*:SelectStreams*")]
    yield "three processes, each on a third", [Client(random, percentage=33), Client(random, percentage=33),
                                               Client(select, "SelectPaths*:SelectStreams*", 33)]
    yield "beside a process that holds multiprocessors", [Client(select, "SelectProgress.BesideResidentKernels"), Client(random)]


def run(clients):
    """The lines of the processes that failed."""
    processes = [client.start() for client in clients]
    deadline = time.monotonic() + LIMIT_S
    lines = []
    for client, process in zip(clients, processes):
        output, ended = output_by(deadline, process)
        if not ended:
            output += f"{client.program.name} was not done after {LIMIT_S} s\n"
        if process.returncode or "[  PASSED  ] 0 tests" in output:
            lines += output.splitlines()[-40:] + [f"{client.program.name}: exit status {process.returncode}"]
    return lines


def ask(request):
    """The answer of the daemon."""
    return subprocess.run([CONTROL], input=request + "\n", capture_output=True, text=True, timeout=30, check=False).stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("select_test", type=lambda name: Path(name).resolve())
    parser.add_argument("select_random_test", type=lambda name: Path(name).resolve())
    options = parser.parse_args()
    if not Path("/dev/nvidia0").exists():
        print("skipped 'There is no CUDA device.'")
        return SKIPPED
    if not shutil.which(CONTROL):
        print(f"skipped 'There is no {CONTROL} here.'")
        return SKIPPED
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(CUDA_MPS_PIPE_DIRECTORY=folder, CUDA_MPS_LOG_DIRECTORY=folder, CUDA_VISIBLE_DEVICES="0")
        if subprocess.run([CONTROL, "-d"], check=False).returncode:
            print("FAILED: the daemon does not start")
            return 1
        try:
            for name, clients in stages(options.select_test, options.select_random_test):
                began = time.monotonic()
                lines = run(clients)
                if not lines and not ask("get_server_list"):
                    lines = ["the processes did not use the daemon"]
                failed += bool(lines)
                print(f"{'FAILED' if lines else 'ok'}: {name} ({time.monotonic() - began:.1f} s)", *lines, sep="\n    ", flush=True)
        finally:
            ask("quit -t 5")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
