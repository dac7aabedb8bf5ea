"""Shared by the tests that run several processes."""
import subprocess
import time


def output_by(deadline, process):
    """The output of a process, and whether it ended by itself. It is killed at the deadline, a time of time.monotonic()."""
    try:
        return process.communicate(timeout=max(deadline - time.monotonic(), 1))[0], True
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()[0], False
