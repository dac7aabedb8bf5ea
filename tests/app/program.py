"""Shared by the tests of the whole program: paths, running it, probing its pictures."""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import time
import unittest

EXIT_FAILURE = 1
EXIT_SKIPPED = 77
LONGEST_S = 20  # for what ends within seconds; a busy machine or disk delays it


def _path(text):
    return pathlib.Path(text).resolve()


_parser = argparse.ArgumentParser()
_parser.add_argument("--warpsieve", required=True, type=_path)
_parser.add_argument("--picture-probe", required=True, type=_path)
_parser.add_argument("--output", required=True, type=_path, help="folder for the tests' output")
paths = None


def output_folder(name):
    """An empty folder for one test."""
    folder = paths.output / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def environment(folder, **more):
    """The environment without a display and without the user's own settings."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return {**kept, "XDG_CONFIG_HOME": str(folder / "config"), **more}


def run(folder, *arguments, timeout_s=120):
    """Runs the program in `folder` without a display, until it ends."""
    return subprocess.run(
        [str(paths.warpsieve), *map(str, arguments)],
        cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=timeout_s)


def wait_for(what, ready, timeout_s=60):
    """Polls until `ready()` returns something true, and returns that."""
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        answer = ready()
        if answer:
            return answer
        time.sleep(0.01)
    raise AssertionError(f"{what} did not come within {timeout_s} s")


def processor_s(process):
    """The processor time that a running process has used."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def child_of(process, argument):
    """The number of a child of a process that was started with this argument, or None."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread or a child has just ended
        for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
            for child in (task / "children").read_text(encoding="utf-8").split():
                if argument.encode() in pathlib.Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"):
                    return int(child)
    return None


def png_size(file):
    """Width and height from the header of a PNG file."""
    header = file.read_bytes()[:24]
    if header[:8] != b"\x89PNG\r\n\x1a\n" or header[12:16] != b"IHDR":
        raise AssertionError(f"{file} is not a PNG: it starts with {header!r}")
    return struct.unpack(">II", header[16:24])


def probe(file, rectangle=()):
    """Size, number of colours and brightness of a picture, or of a rectangle of it."""
    answer = subprocess.run([str(paths.picture_probe), str(file), *map(str, rectangle)],
                            check=True, capture_output=True, text=True, timeout=60)
    return json.loads(answer.stdout)


def main():
    """Runs the tests of the calling file; skipping all of them exits with EXIT_SKIPPED and the reason."""
    global paths
    paths, rest = _parser.parse_known_args()
    result = unittest.main(module="__main__", argv=[sys.argv[0], *rest], verbosity=2, exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    ran = result.testsRun - len(result.skipped)
    sys.exit(EXIT_SKIPPED if result.skipped and ran <= 0 else 0)
