#!/usr/bin/env python3
"""Selections over many ranks through NCCL: starts the processes of tests/cuda/sharded_rank.cu.

    sharded_select_test.py PROGRAM [--runs N] [--seed S]

A stage runs where there are enough GPUs for it, and otherwise says that it was not run. The exit status is 77 where no stage
could run. Ranks that have a GPU each reach each other's memory. Ranks that share one must use the network: each process gets
its own host id, and NCCL may use only the loopback interface. That needs no second GPU."""
import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from processes import output_by

SKIPPED = 77
ENDS = {"dies": 9, "stops": -signal.SIGKILL, "aborts": 0}  # how a process ends by its fault
LIMIT_S = 240  # for a stage; a process that takes longer hangs


@dataclass
class Stage:
    """Processes that run together. `local_ranks`: ranks of each process, each with a GPU of its own."""
    name: str
    processes: int
    gpus: int = 1
    local_ranks: int = 1
    path: str = "network"
    arguments: dict = field(default_factory=dict)
    fault: str = ""  # what one process does, so that the calls of the others must fail
    faulty: int | None = None  # that process


def stages(runs, seed):
    for words in (1, 2, 4):
        few = {"runs": runs, "seed": seed, "words": words}
        for ranks in (1, 2, 4):
            yield Stage(f"peer memory, a process for each of {ranks} GPUs, {4 * words} bytes", ranks, ranks, path="peer",
                        arguments=few)
        for ranks in (2, 4):
            yield Stage(f"peer memory, one process for {ranks} GPUs, {4 * words} bytes", 1, ranks, ranks, "peer", few)
        for ranks in (2, 3, 4):
            yield Stage(f"network, {ranks} processes, {4 * words} bytes", ranks, arguments={**few, "runs": runs // 4})
    yield Stage("network, one process for 2 GPUs", 1, 2, 2, arguments={"runs": runs // 4, "force_network": 1})
    yield Stage("network, one rank", 1, arguments={"runs": runs // 4, "force_network": 1})
    yield Stage("network, the longest timeout", 2, arguments={"runs": runs // 4, "timeout_ms": 2**63 - 1})
    late = {"runs": 12, "late_one_in": 3, "late_by_us": 1_000_000}
    yield Stage("network, late ranks", 3, arguments=late)
    yield Stage("peer memory, late ranks", 2, 2, path="peer", arguments=late)
    lost = {"runs": 1000, "timeout_ms": 5000}
    aborted = {**lost, "late_at_fault_ms": 2000}
    for name, ranks, gpus, path in (("network", 3, 1, "network"), ("peer memory", 2, 2, "peer")):
        for when, run in (("", 20), (" before the first call", 0), (" before it creates its state", -1)):
            yield Stage(f"{name}, a rank dies{when}", ranks, gpus, path=path, arguments={**lost, "fault_at": run},
                        fault="dies", faulty=1)
            # Its connections stay open, as when a cable is pulled.
            yield Stage(f"{name}, a rank that does not answer{when}", ranks, gpus, path=path,
                        arguments={**lost, "fault_at": run}, fault="stops", faulty=1)
        yield Stage(f"{name}, a rank aborts during a call", ranks, gpus, path=path,
                    arguments={**aborted, "fault_at": 20}, fault="aborts", faulty=1)


def environment(stage, process):
    values = dict(os.environ, NCCL_NVLS_ENABLE="0", NCCL_SOCKET_IFNAME="lo")
    if stage.path == "network" and stage.processes > 1:
        # Ranks of one host must not share a GPU.
        values |= {"NCCL_HOSTID": f"host{process}", "NCCL_P2P_DISABLE": "1", "NCCL_SHM_DISABLE": "1"}
    return values


def start(program, stage, process, gpus, folder):
    arguments = dict(stage.arguments, id=f"{folder}/id", ranks=stage.processes * stage.local_ranks,
                     rank=process * stage.local_ranks, local_ranks=stage.local_ranks,
                     path=stage.path, device=process * stage.local_ranks % gpus)
    if stage.faulty == process:
        arguments |= {"fault": stage.fault}
    elif stage.fault:
        arguments |= {"expect_failure": 1}
    command = [program, *(f"{name}={value}" for name, value in arguments.items())]
    return subprocess.Popen(command, env=environment(stage, process), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True)


def run(program, stage, gpus):
    """The lines of the processes, and whether all went as they should."""
    with tempfile.TemporaryDirectory() as folder:
        processes = [start(program, stage, process, gpus, folder) for process in range(stage.processes)]
        deadline = time.monotonic() + LIMIT_S
        right = True
        lines = []
        # A stopped process ends only when it is killed, after the others.
        for number, process in sorted(enumerate(processes), key=lambda item: item[0] == stage.faulty):
            if stage.fault == "stops" and number == stage.faulty:
                process.kill()
            output, ended = output_by(deadline, process)
            if not ended:
                output += f"process {number} hung\n"
            right &= process.returncode == (ENDS[stage.fault] if number == stage.faulty else 0)
            lines += [line for line in output.splitlines() if line]
    return right, lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda name: Path(name).resolve())
    parser.add_argument("--runs", type=int, default=200, help="random calls of a stage; a quarter of them on the network")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="run the stages whose name has this in it")
    options = parser.parse_args()
    query = subprocess.run([options.program, "query"], capture_output=True, text=True, check=False)
    if query.returncode:
        sys.exit(f"{options.program} query: {query.stdout}{query.stderr}")
    gpus, running, compiled = map(int, query.stdout.split())
    if not gpus:
        print("skipped 'There is no CUDA device.'")
        return SKIPPED
    print(f"{gpus} GPUs, NCCL {running}, headers of {compiled}")
    failed, not_run, passed = [], [], []
    for stage in stages(options.runs, options.seed):
        if options.only not in stage.name:
            continue
        if stage.gpus > gpus or (stage.path == "peer" and running != compiled):
            reason = f"needs {stage.gpus} GPUs" if stage.gpus > gpus else f"needs NCCL {compiled}"
            print(f"not run ({reason}): {stage.name}", flush=True)
            not_run.append(stage)
            continue
        began = time.monotonic()
        right, lines = run(options.program, stage, gpus)
        (passed if right else failed).append(stage)
        print(f"{'ok' if right else 'FAILED'}: {stage.name} ({time.monotonic() - began:.1f} s)", flush=True)
        for line in lines if not right or stage.fault else []:
            print("    " + line, flush=True)
    print(f"{len(passed)} stages passed, {len(failed)} failed, {len(not_run)} were not run")
    return 1 if failed else 0 if passed else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
