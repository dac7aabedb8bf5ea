"""Compiles the C++ examples of the documents, other than those for nvcc, and the names of the page `From 0.1 to 0.2`."""

import argparse
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARAMETERS = ("const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected, "
              "const void* host_items, std::size_t bytes")
compiler = "c++"


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


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", default=compiler)
    arguments, rest = parser.parse_known_args()
    compiler = arguments.compiler
    unittest.main(argv=sys.argv[:1] + rest)
