"""The include order of docs/architecture.md: the project keeps it, and scripts/check-includes finds violations."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARCHITECTURE = """
```rooms
tests
app/panels
app/live app/render
compaction/cuda
compaction/include
```
```headers
<imgui*>: app/panels
cuda/*: compaction tests
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

    def test_allows_lower_rooms_the_own_room_and_the_standard_library(self):
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
                ("app/live/b.cpp", '"app/new/a.hpp"', "app/new/a.hpp is in no room"),
                ("app/live/b.cpp", '"app/live/gone.hpp"', "no such file")):
            code, output = self.check_file(name, include)
            self.assertEqual(code, 1)
            self.assertIn(f"{name}:2: ", output)
            self.assertIn(wrong, output)


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=2)
