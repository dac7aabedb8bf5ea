#!/usr/bin/env python3
"""Files in the binary are those of the build, also after a change and with ccache.

    embed_files_test.py CMAKE GENERATOR"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MODULES = Path(__file__).resolve().parent.parent / "cmake"
CMAKE, GENERATOR = sys.argv[1:3]
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(embedding LANGUAGES C CXX ASM)
set(CMAKE_CXX_STANDARD 20)
include({MODULES}/EmbedFiles.cmake)
add_executable(embedding main.cpp)
embed_files(embedding NAMESPACE some::files FILES text.txt)
"""
MAIN = """#include <cstdio>
#include "embedded/files.hpp"
int main() { std::fwrite(some::files::text_txt().data(), 1, some::files::text_txt().size(), stdout); }
"""


class EmbedFilesTest(unittest.TestCase):
    def test_a_changed_file_reaches_the_program(self):
        ccache = shutil.which("ccache")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "CMakeLists.txt").write_text(PROJECT)
            (folder / "main.cpp").write_text(MAIN)
            # scripts/build sets CCACHE_DEPEND too.
            environment = os.environ | {"CCACHE_DIR": str(folder / "cache"), "CCACHE_DEPEND": "1"}
            launcher = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={ccache}"] if ccache else []
            for text in ("before", "after"):
                (folder / "text.txt").write_text(text)
                # The second build finds the objects of the first in the cache.
                shutil.rmtree(folder / "build", ignore_errors=True)
                for command in ([CMAKE, "-G", GENERATOR, "-S", folder, "-B", folder / "build", *launcher],
                                [CMAKE, "--build", folder / "build"]):
                    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
                self.assertEqual(subprocess.check_output(folder / "build" / "embedding", text=True), text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
