"""The include order of docs/architecture.md: the project keeps it, and scripts/check-includes finds violations."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARCHITECTURE = """
```modules
tests
app/panels
app/live app/render
compaction/cuda
compaction/include
```
```headers
<imgui*>: app/panels
cuda/*: compaction tests
<unistd.h>: platform tests
```
```names
__builtin_* isatty: platform tests
```
"""


def check(root):
    done = subprocess.run([ROOT / "scripts/check-includes", root], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


class IncludeOrder(unittest.TestCase):
    maxDiff = None

    def check_file(self, name, include):
        """Checks a project of a few files, one of which has this include in line 2."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            (root / "docs/architecture.md").write_text(ARCHITECTURE)
            for header in ("app/panels/a.hpp", "app/live/a.hpp", "app/render/a.hpp", "app/new/a.hpp", "compaction/cuda/a.hpp",
                           "compaction/include/compaction/a.hpp"):
                (root / header).parent.mkdir(parents=True, exist_ok=True)
                (root / header).write_text("#pragma once\n")
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"#pragma once\n#include {include}\n")
            return check(root)

    def test_the_project_keeps_it(self):
        self.assertEqual(check(ROOT), (0, ""))

    def test_allows_lower_modules_the_own_module_and_the_standard_library(self):
        for include in ('"app/live/a.hpp"', '"app/panels/a.hpp"', '"compaction/a.hpp"', "<imgui.h>", "<vector>",
                        '"embedded/generated.hpp"'):
            self.assertEqual(self.check_file("app/panels/b.cpp", include), (0, ""))
        self.assertEqual(self.check_file("tests/b.cpp", '"cuda/a.hpp"'), (0, ""))

    def test_finds_violations(self):
        for name, include, wrong in (
                ("app/live/b.cpp", '"app/panels/a.hpp"', "app/panels is above app/live"),
                ("app/live/b.cpp", '"app/render/a.hpp"', "app/render is beside app/live"),
                ("app/live/b.cpp", '"../panels/a.hpp"', "app/panels is above app/live"),
                ("app/live/b.cpp", "<imgui_internal.h>", "only app/panels may include <imgui*>"),
                ("app/live/b.cpp", '"cuda/a.hpp"', "only compaction, tests may include cuda/*"),
                ("app/live/b.cpp", '"app/new/a.hpp"', "app/new/a.hpp is in no module"),
                ("app/live/b.cpp", '"app/live/gone.hpp"', "no such file")):
            code, output = self.check_file(name, include)
            self.assertEqual(code, 1)
            self.assertIn(f"{name}:2: ", output)
            self.assertIn(wrong, output)


    def test_confines_posix_headers_and_builtins(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            (root / "docs/architecture.md").write_text(ARCHITECTURE)
            for module in ("app/live", "platform", "compaction/cuda"):
                (root / module).mkdir(parents=True)
                text = "#include <unistd.h>\n__builtin_prefetch(line);\n// isatty\nbool t = isatty(1);\n"
                (root / module / "a.cpp").write_text(text if module != "compaction/cuda" else "")
            (root / "compaction/cuda/a.cuh").write_text("__builtin_bit_cast(int, a);\n")
            code, output = check(root)
        self.assertEqual(code, 1)
        self.assertEqual(output.splitlines(), ["app/live/a.cpp:1: <unistd.h>: only platform, tests may include <unistd.h>",
                                               "app/live/a.cpp:2: only platform, tests may use __builtin_*",
                                               "app/live/a.cpp:4: only platform, tests may use isatty"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=2)
