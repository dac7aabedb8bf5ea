"""Compiles the C++ examples of the documents, other than those for nvcc, and the names of the page `From 0.1 to 0.2`. Compares the
signatures of the page `The select family` with the headers. Builds in --folder, and beside it, the projects of the pages `Run your own
kernel on the simulated GPU` and `Use the library in your program`, the latter only where nvcc is."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARAMETERS = ("const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected, "
              "const void* host_items, std::size_t bytes")
compiler = "c++"
folder = None


def examples():
    """(document, source) of each example; statements are put into a function that declares the names they use."""
    for document in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for block in re.findall(r"```cpp\n(.*?)```", document.read_text(encoding="utf-8"), flags=re.DOTALL):
            if "#include" not in block or "compaction/cuda/" in block:
                continue
            includes = "\n".join(line for line in block.splitlines() if line.startswith("#include"))
            rest = "\n".join(line for line in block.splitlines() if not line.startswith("#"))
            if "namespace" not in rest:
                rest = f"void example([[maybe_unused]] {PARAMETERS.replace(', ', ', [[maybe_unused]] ')}) {{{{\n{rest}\n}}}}"
            yield document.relative_to(ROOT), f"#include <cstdint>\n{includes}\n{rest}\n"


class DocumentExamplesTest(unittest.TestCase):
    def test_every_example_compiles(self):
        found = list(examples())
        self.assertGreaterEqual(len(found), 4)
        includes = [f"-I{ROOT / folder}" for folder in
                    (".", "compaction", "compaction/src", "compaction/include")]
        imgui = subprocess.run(["pkg-config", "--cflags", "imgui"], capture_output=True, text=True, check=True)
        includes += imgui.stdout.split()
        for document, source in found:
            with self.subTest(document=str(document)):
                result = subprocess.run([compiler, "-std=c++20", "-Wall", "-Wextra", "-fsyntax-only", "-x", "c++",
                                         *includes, "-"], input=source, capture_output=True, text=True, check=False)
                self.assertEqual(result.returncode, 0, result.stderr + source)

    def test_the_names_of_both_versions_are_in_the_library(self):
        """`From 0.1 to 0.2` says of each old name of the library whether it still works."""
        page = (ROOT / "docs/how-to/upgrade_to_0.2.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| `([\w:]+)` \| `([\w:]+)` \| (still works|is gone) \|$", page, flags=re.MULTILINE)
        self.assertGreaterEqual(len(rows), 8)
        names = [name for row in rows for name in row[:2]]
        # A name is a type, a member function, or anything else: each is one line, and only one of the three can compile.
        probes = [probe for name in names for probe in
                  (f"using compaction::{name};", f"using T = decltype(&compaction::{name});", f"using T = decltype(compaction::{name});")]
        source = "#include <compaction/compaction.hpp>\n" + "\n".join(f"namespace n{i} {{ {probe} }}" for i, probe in enumerate(probes))
        all_errors = "-ferror-limit=0" if "clang" in pathlib.Path(compiler).name else "-fmax-errors=0"
        result = subprocess.run([compiler, "-std=c++20", all_errors, "-fsyntax-only", "-x", "c++", f"-I{ROOT / 'compaction/include'}", "-"],
                                input=source + "\n", capture_output=True, text=True, check=False)
        failed = {int(line) for line in re.findall(r"^<stdin>:(\d+):\d+: error", result.stderr, flags=re.MULTILINE)}
        works = {name: any(2 + 3 * i + j not in failed for j in range(3)) for i, name in enumerate(names)}
        for old, new, fate in rows:
            with self.subTest(old):
                self.assertTrue(works[new], result.stderr)
                self.assertEqual(works[old], fate == "still works")

    def test_the_signatures_of_the_select_family_are_those_of_the_headers(self):
        page = (ROOT / "docs/reference/select.md").read_text(encoding="utf-8")
        section = page[page.index("## Signatures"):page.index("## What runs which code")]
        shown = re.findall(r"^// (\w+\.cuh)|^cudaError_t (\w+\(.*?\));", section, flags=re.MULTILINE | re.DOTALL)
        declared = []
        for header in [header for header, _ in shown if header]:
            declared.append((header, ""))
            text = (ROOT / "compaction/include/compaction/cuda" / header).read_text(encoding="utf-8")
            public = text[text.rindex("inline namespace COMPACTION_ARCHITECTURES {"):]
            functions = re.findall(r"^cudaError_t (\w+\(void\* temp, .*?\)) \{", public, flags=re.MULTILINE | re.DOTALL)
            declared += [("", " ".join(function.split())) for function in functions]
        self.assertEqual([(header, " ".join(function.split())) for header, function in shown], declared)


class DocumentProjectTest(unittest.TestCase):
    def test_the_project_of_use_the_library_builds(self):
        nvcc = shutil.which("nvcc", path=f"{os.environ['PATH']}:/usr/local/cuda/bin")
        if not nvcc:
            self.skipTest("nvcc is not installed")
        page = (ROOT / "docs/how-to/use_the_library.md").read_text(encoding="utf-8")
        page = page[page.index("## From CUDA"):page.index("## Build the examples")]
        (project,) = [block for block in re.findall(r"```cmake\n(.*?)```", page, flags=re.DOTALL) if "CUDA)" in block]
        (build,) = [block for block in re.findall(r"```sh\n(.*?)```", page, flags=re.DOTALL) if "ARCHITECTURES=90\n" in block]
        program = folder.with_name(f"{folder.name}_cuda")
        shutil.rmtree(program, ignore_errors=True)
        program.mkdir(parents=True)
        (program / "CMakeLists.txt").write_text(project)
        shutil.copy(ROOT / "examples/select_if.cu", program / "my_program.cu")
        environment = {**os.environ, "CXX": compiler, "CMAKE_PREFIX_PATH": str(program / "installed")}
        install = (f"cmake -S {ROOT} -B headers -DWARPSIEVE_HEADERS_ONLY=ON -DCMAKE_INSTALL_PREFIX=$PWD/installed && "
                   "cmake --install headers")
        for commands in (install, build):
            done = subprocess.run(["bash", "-ec", commands], cwd=program, env=environment, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_project_of_simulate_my_kernel_runs(self):
        page = (ROOT / "docs/how-to/simulate_my_kernel.md").read_text(encoding="utf-8")
        (project,) = re.findall(r"```cmake\n(.*?)```", page, flags=re.DOTALL)
        build, run = re.findall(r"```sh\n(.*?)```", page, flags=re.DOTALL)[:2]
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "CMakeLists.txt").write_text(project)
        (folder / "warpsieve").symlink_to(ROOT)
        shutil.copy(ROOT / "tests/simulated/my_program.cu", folder / "my_program.cu")
        shutil.copy(ROOT / "examples/simulate_my_kernel.cu", folder / "my_kernel.cu")
        # Without optimisation, the library compiles faster.
        environment = {**os.environ, "CXX": compiler, "CMAKE_BUILD_TYPE": "None"}
        if ccache := shutil.which("ccache"):
            environment["CMAKE_CXX_COMPILER_LAUNCHER"] = ccache
        for commands, said in ((build, ""), (run, "reversed\n" * 288), ("build/my_kernel", "sum_blocks is right in 288 schedules.")):
            done = subprocess.run(["bash", "-ec", commands], cwd=folder, env=environment, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn(said, done.stdout)
            self.assertNotIn("warning:", done.stdout + done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", default=compiler)
    parser.add_argument("--folder", type=pathlib.Path)
    arguments, rest = parser.parse_known_args()
    compiler, folder = arguments.compiler, arguments.folder
    unittest.main(argv=sys.argv[:1] + rest)
