#!/usr/bin/env python3
"""translate.py translates what CUDA allows beside the usual spelling.

    translate_test.py"""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "compaction/simulated/toolkit"))
from translate import translate


class TranslateTest(unittest.TestCase):
    def translated(self, body):
        return translate(f"__global__ void kernel(int n) {{\n{body}\n}}\n")

    def test_shared_may_stand_behind_the_type(self):
        for usual, behind in (
                ("extern __shared__ float x[];", "extern float __shared__ x[];"),
                ("extern __shared__ unsigned int x[];", "extern unsigned int __shared__ x[];"),
                ("extern volatile __shared__ float x[];", "extern volatile float __shared__ x[];"),
                ("extern __shared__ __align__(8) float x[];", "extern __align__(8) float __shared__ x[];"),
                ("__shared__ float x[4][5], y;", "float __shared__ x[4][5], y;"),
                ("__shared__ std::pair<int, float> x[4];", "std::pair<int, float> __shared__ x[4];"),
                ("__shared__ float* x;", "float* __shared__ x;"),
                ("static __shared__ int x;", "static int __shared__ x;"),
                ("int i = 0; __shared__ int x;", "int i = 0; int __shared__ x;"),
                ("#define SIZE 4\n__shared__ int x[SIZE];", "#define SIZE 4\nint __shared__ x[SIZE];")):
            expected = self.translated(usual)
            self.assertRegex(expected, "COMPACTION_(ALIGNED_|DYNAMIC_)?SHARED")
            self.assertNotIn("__shared__", expected)
            self.assertEqual(self.translated(behind).split(), expected.split(), behind)

    def test_lines_keep_their_numbers(self):
        body = "extern float\n    __shared__\n    x[];\nint last_line;"
        lines = self.translated(body).splitlines()
        self.assertEqual(lines.index("int last_line;"), 4)

    def test_launches_by_calls_keep_the_type_of_the_kernel(self):
        for cast in ("(void*)kernel", "( const void * ) kernel", "reinterpret_cast<void*>(kernel)"):
            text = translate(f"cudaLaunchCooperativeKernel({cast}, grid, block, arguments);")
            self.assertNotIn("void", text)
            self.assertIn("kernel", text)

    def test_calls_of_the_heap_reach_that_of_the_device(self):
        text = self.translated("int* p = (int*)malloc(n); if (p) free(p); else if (n) switch (n) { case 1: free(p); }")
        self.assertIn("(int*)::compaction::simulated::DeviceHeap::allocate(n)", text)
        self.assertIn("if (p) ::compaction::simulated::DeviceHeap::free(p)", text)
        self.assertIn("case 1: ::compaction::simulated::DeviceHeap::free(p)", text)
        for body in ("p = std::malloc(n);", "p = ::malloc(n);", "pool.free(p);", "pool->malloc(n);", "void free(int* p);"):
            self.assertNotIn("DeviceHeap", self.translated(body))

    def test_calls_of_the_clock_reach_that_of_the_device(self):
        name = "::compaction::simulated::clock_of_lane_or_host()"
        text = self.translated("clock_t begin = clock();\nn = clock() - begin;\nwhile (clock()-begin < n) n = n*clock ( );\n"
                               "return clock();")
        self.assertEqual(text.count(name.removesuffix("()")), 5)
        self.assertIn(f"n = {name} - begin;", text)
        for body in ("clock_t clock();", "timer.clock();", "timer->clock();", "std::clock();", "int clock = n;", "n = clock64();"):
            self.assertNotIn(name, self.translated(body))

    def test_other_words_stay_where_they_are(self):
        for body in ("int shared = n;\n__shared__ int x;", "if (n) return;\n__shared__ int x;"):
            self.assertTrue(self.translated(body).splitlines()[2].startswith("COMPACTION_SHARED(x, int);"), body)


if __name__ == "__main__":
    unittest.main()
