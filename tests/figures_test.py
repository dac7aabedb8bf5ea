"""scripts/figures on a small project: what it makes, and what its check refuses."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = "# warpsieve bench results, format 1\n# device: {device}\n# engine: {engine}\n# commit: 0123abcd\n# date: 2026-11-22T12:00:00Z\n"
ROWS = """algorithm,n,density,median_us,share_of_copy
copy,1048576,0.5,2.0,1.0
cub_select,1048576,0.5,8.0,0.25
single_pass,1048576,0.5,3.14159,0.64
single_pass,4194304,0.5,9.0,0.8
"""
DOCUMENT = """A call takes <!-- figures: value nvidia-h200/lengths.csv median_us algorithm=single_pass n=2^20 -->3.14<!-- end --> us,
and CUB takes <!-- figures: value nvidia-h200/lengths.csv speedup cub_select .2 algorithm=single_pass n=2^20 -->2.55<!-- end --> times as long.

<!-- figures: table nvidia-h200/lengths.csv cells="µs: {median_us}; times CUB: {speedup cub_select .2}; % of copy bandwidth: {share_of_copy %}" n=2^20 -->
| algorithm | µs | times CUB | % of copy bandwidth |
| --- | ---: | ---: | ---: |
| copy | 2.00 | 4.00 | 100 |
| `cub_select` | 8.00 | 1.00 | 25 |
| `single_pass` | 3.14 | 2.55 | 64 |
<!-- end -->

<!-- figures: sources -->
- NVIDIA H200, `nvidia-h200`: lengths.csv at 0123abcd, 2026-11-22
<!-- end -->
"""


class FiguresTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        self.write("README.md", DOCUMENT)
        self.write_results("nvidia-h200", "NVIDIA H200", "cuda")

    def write(self, path, text):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def write_results(self, folder, device, engine, name="results.csv"):
        self.write(f"bench/results/{folder}/{name}", HEADER.format(device=device, engine=engine) + ROWS)
        self.write(f"bench/results/{folder}/lengths.csv", HEADER.format(device=device, engine=engine) + ROWS)
        self.figures()

    def figures(self, *options):
        return subprocess.run([sys.executable, "-B", ROOT / "scripts/figures", "--root", self.root, *options],
                              capture_output=True, text=True, check=False)

    def test_figures_that_agree_pass(self):
        result = self.figures("--check")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_figure_that_differs_is_named_and_renewed(self):
        self.write("README.md", DOCUMENT.replace("3.14<", "3.15<"))
        result = self.figures("--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("README.md: differs from its data: value nvidia-h200/lengths.csv", result.stderr)
        self.assertEqual(self.figures().returncode, 0)
        self.assertEqual((self.root / "README.md").read_text(encoding="utf-8"), DOCUMENT)

    def test_a_measured_figure_typed_by_hand_is_refused(self):
        self.write("README.md", DOCUMENT + "\nIt takes 3.14 us.\n")
        result = self.figures("--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("typed by hand: 4 us", result.stderr)

    def test_a_result_of_another_device_or_engine_is_refused(self):
        for device, engine in (("Intel(R) Xeon(R) Processor", "cpu"), ("NVIDIA H200", "cpu"), ("", "cuda")):
            with self.subTest(device=device, engine=engine):
                self.write("bench/results/nvidia-h200/results.csv",
                           HEADER.format(device=device, engine=engine) + ROWS)
                result = self.figures("--check")
                self.assertEqual(result.returncode, 1)
                self.assertIn("bench/results/nvidia-h200/results.csv", result.stderr)

    def test_folders_of_processors_name_their_threads(self):
        self.write_results("intel-xeon-16-threads", "Intel(R) Xeon(R) Processor", "cpu")
        self.assertEqual(self.figures("--check").returncode, 0)

    def test_a_plot_that_differs_is_named(self):
        plot = self.root / "docs/images/h200_share_of_copy.svg"
        self.assertTrue(plot.exists())
        plot.write_text("<svg/>", encoding="utf-8")
        result = self.figures("--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("h200_share_of_copy.svg: differs", result.stderr)

    def test_a_document_says_which_commit_measured_its_figures(self):
        self.write("README.md", DOCUMENT[:DOCUMENT.index("<!-- figures: sources")])
        result = self.figures("--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("README.md: shows results, but not when they were measured", result.stderr)

    def test_a_document_names_the_files_of_each_commit(self):
        self.write("README.md", DOCUMENT.replace("value nvidia-h200/lengths.csv", "value nvidia-h200/results.csv"))
        results = self.root / "bench/results/nvidia-h200/results.csv"
        results.write_text(results.read_text(encoding="utf-8").replace("0123abcd", "89abcdef"), encoding="utf-8")
        self.figures()
        self.assertIn("- NVIDIA H200, `nvidia-h200`: lengths.csv at 0123abcd, 2026-11-22; results.csv at 89abcdef, 2026-11-22\n",
                      (self.root / "README.md").read_text(encoding="utf-8"))

    def test_parts_of_files_are_refused(self):
        self.write("bench/results/nvidia-h200/unfinished/0123abcd/0-lengths.csv", "")
        result = self.figures("--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("bench/results/nvidia-h200/unfinished holds parts of files", result.stderr)

    def test_mutants_are_counted(self):
        self.write("tests/simulated/mutants.txt", "a.cuh:1: barrier removed: __syncthreads();  found: data race\n"
                   "a.cuh:2: offset changed: - 1  known: one more\na.cuh:3: mask narrowed: x  known: a gap: no test\n"
                   "a.cuh:4: fence removed: f();  does not compile\n")
        self.write("tests/simulated/known_mutants.json", json.dumps(
            [{"file": "a.cuh", "kind": "offset changed", "line": "b = a - 1;", "why": "one more"}]))
        names = ("all", "not-compiled", "compiled", "found", "missed", "without-effect", "gaps", "with-effect")
        self.write("docs/mutants.md", " ".join(f"<!-- figures: mutants {name} --><!-- end -->" for name in names) +
                   "\n<!-- figures: mutants table -->\n<!-- end -->\n")
        self.assertEqual(self.figures().returncode, 0)
        text = (self.root / "docs/mutants.md").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"-->(\d+)<", text), ["4", "1", "3", "1", "2", "1", "1", "2"])
        self.assertIn("| `a.cuh`, offset changed: `b = a - 1;` | one more |", text)

    def test_a_query_without_rows_is_named(self):
        self.write("README.md", DOCUMENT.replace("algorithm=single_pass", "algorithm=no_such"))
        result = self.figures("--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("0 rows", result.stderr)


if __name__ == "__main__":
    unittest.main()
