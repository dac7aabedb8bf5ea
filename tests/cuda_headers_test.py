"""Compiles the headers for CUDA programs as programs do: with each standard and kind of code, from two files of one program, and
with the mistakes that the headers explain."""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
nvcc = "nvcc"

FILE = """
#include "compaction/cuda/select_columns.cuh"
#include "compaction/cuda/select_indices.cuh"
#include "compaction/cuda/select_iterators.cuh"

struct IsOdd {{
    __device__ bool operator()(std::uint32_t item) const {{ return (item & 1) != 0; }}
}};

/// Selects the odd numbers below 100,000, and their positions. Returns whether there are 50,000 of each; true without a GPU.
bool {name}() {{
    constexpr unsigned size = 100'000;
    std::uint32_t* memory = nullptr;
    if (cudaMallocManaged(&memory, (2 * size + 4) * sizeof(std::uint32_t)) != cudaSuccess) return true;
    auto* const counts = reinterpret_cast<std::uint64_t*>(memory + 2 * size);
    for (unsigned i = 0; i < size; ++i) memory[i] = i;
    using namespace compaction::cuda;
    if (select_if(stream_ordered_memory, memory, memory + size, counts, size, IsOdd{{}}) != cudaSuccess) return false;
    if (indices_if(stream_ordered_memory, memory, memory + size, counts + 1, size, IsOdd{{}}) != cudaSuccess) return false;
    if (cudaDeviceSynchronize() != cudaSuccess) return false;
    for (unsigned i = 0; i < size / 2; ++i) {{
        if (memory[size + i] != 2 * i + 1) return false;
    }}
    return counts[0] == size / 2 && counts[1] == size / 2;
}}
"""

MISTAKE = """
#include "compaction/cuda/{header}"
struct Triple {{ std::uint32_t a, b, c; }};
struct Bytes {{ std::uint8_t bytes[4]; }};
struct Owner {{ std::uint32_t word; ~Owner() {{}} }};
struct Any {{ template <typename T> __device__ bool operator()(const T&) const {{ return true; }} }};
struct None {{ __device__ bool operator()(const Triple&) const {{ return true; }} }};
template <typename T> T* array() {{ return nullptr; }}
int main() {{
    std::size_t bytes = 0;
    compaction::cuda::SelectState state;
    using namespace compaction::cuda;
    {call}
}}
"""

# A header, a call, and the first error message.
MISTAKES = {
    "select.cuh": {
        "select_if(nullptr, bytes, array<const Owner>(), array<Owner>(), array<int>(), 5, Any{});":
            "their type must be trivially copyable",
        "select_if(nullptr, bytes, array<const Triple>(), array<Triple>(), array<int>(), 5, Any{});":
            "select.cuh takes items of 4, 8 or 16 bytes: include select_iterators.cuh for others",
        "select_if(state, array<const Triple>(), array<Triple>(), array<int>(), 5, Any{});":
            "select.cuh takes items of 4, 8 or 16 bytes: include select_iterators.cuh for others",
        "select_flagged(state, array<const Bytes>(), array<bool>(), array<Bytes>(), array<int>(), 5);":
            "declare the type with alignas, or include select_iterators.cuh",
        "select_if(nullptr, bytes, array<const int>(), array<int>(), 5, array<int>(), Any{});":
            "the arguments match no overload",
        "select_flagged_if(nullptr, bytes, array<const int>(), array<bool>(), array<int>(), 5, array<int>(), Any{});":
            "the arguments match no overload",
        "select_if(nullptr, bytes, array<const int>(), array<int>(), array<bool>(), 5, Any{});":
            "the number of selected items is an integer",
        "select_if(nullptr, bytes, array<const int>(), array<int>(), array<int>(), 5, None{});":
            "the predicate must be callable with an item",
    },
    "select_iterators.cuh": {
        "select_if(nullptr, bytes, array<const float>(), array<float>(), array<int>(), 5, None{});":
            "the predicate must be callable with an item",
        "select_if(nullptr, bytes, array<const float>(), array<double>(), array<int>(), 5, None{});":
            "the predicate must be callable with an item",
    },
}


class CudaHeadersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_nvcc(self, *arguments):
        return subprocess.run([nvcc, f"-I{ROOT / 'compaction/include'}", *map(str, arguments)], cwd=self.folder,
                              capture_output=True, text=True, check=False)

    def test_mistakes_are_explained_first(self):
        mistakes = ((header, *mistake) for header, calls in MISTAKES.items() for mistake in calls.items())
        for header, call, explanation in mistakes:
            with self.subTest(header=header, call=call):
                (self.folder / "mistake.cu").write_text(MISTAKE.format(header=header, call=call), encoding="utf-8")
                result = self.run_nvcc("-std=c++17", "-arch=sm_90", "-ptx", "-o", "mistake.ptx", "mistake.cu")
                self.assertNotEqual(result.returncode, 0)
                errors = [line for line in result.stderr.splitlines() if "error" in line]
                self.assertIn(explanation, errors[0], result.stderr)

    def test_two_files_of_a_program(self):
        """Compiles in every way that programs do, and runs the result, which needs no GPU."""
        (self.folder / "first.cu").write_text(FILE.format(name="first"), encoding="utf-8")
        (self.folder / "second.cu").write_text(FILE.format(name="second") + "bool first();\n"
                                               "int main() { return first() && second() ? 0 : 1; }\n", encoding="utf-8")
        for flags in ("-std=c++17 -arch=sm_90", "-std=c++20 -arch=sm_90 -rdc=true", "-std=c++17 -arch=sm_90 -G",
                      "-std=c++17 -arch=all-major"):
            with self.subTest(flags=flags):
                result = self.run_nvcc(*flags.split(), "-Werror=all-warnings", "--threads=0", "-o", "program",
                                       "first.cu", "second.cu")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(subprocess.run([self.folder / "program"], check=False).returncode, 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--nvcc", default=nvcc)
    arguments, rest = parser.parse_known_args()
    nvcc = arguments.nvcc
    unittest.main(argv=sys.argv[:1] + rest)
