"""Compiles the headers for CUDA programs as programs do: with each standard and kind of code, from two files of one program, and
with the mistakes that the headers explain."""

import argparse
import collections
import pathlib
import re
import shutil
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
struct Triple {{ std::uint8_t a, b, c; }};
struct Bytes {{ std::uint8_t bytes[4]; }};
struct Owner {{ std::uint32_t word; ~Owner() {{}} }};
struct Any {{ template <typename T> __device__ bool operator()(const T&) const {{ return true; }} }};
struct Strict {{ __device__ explicit Strict(int); int word; }};
struct None {{ __device__ bool operator()(const Triple&) const {{ return true; }} }};
template <typename T> T* array() {{ return nullptr; }}
int main() {{
    std::size_t bytes = 0;
    compaction::cuda::SelectState state;
    using namespace compaction::cuda;
    {call}
}}
"""

# Calls of the whole family: by the fast kernels, by masks and by CUB.
FAMILY = """
#include "compaction/cuda/select_columns.cuh"
#include "compaction/cuda/select_indices.cuh"
#include "compaction/cuda/select_iterators.cuh"
#include "compaction/cuda/select_kernels.cuh"
#include "compaction/cuda/select_partition.cuh"
#include "compaction/cuda/select_unique.cuh"

struct IsOdd {{
    __device__ bool operator()(std::uint32_t item) const {{ return (item & 1) != 0; }}
}};
struct Wide {{
    std::uint32_t words[8];
}};
struct IsWideOdd {{
    __device__ bool operator()(const Wide& item) const {{ return (item.words[0] & 1) != 0; }}
}};

cudaError_t {name}(std::uint32_t* in, std::uint32_t* out, std::uint64_t* count, Wide* wide, bool* flags) {{
    using namespace compaction::cuda;
    std::size_t bytes = 0;
    SelectState state;
    unsigned blocks = 0;
    detail::Tiling tiling;
    using Kernels = SelectKernels<std::uint32_t, ByPredicate<IsOdd>>;
    static_assert(Kernels::shapes.single_wave[0].threads == 256);
    cudaFuncAttributes attributes{{}};
    const cudaError_t errors[] = {{
        cudaFuncGetAttributes(&attributes, Kernels::single_wave<0>),
        cudaFuncGetAttributes(&attributes, Kernels::pipeline),
        cudaFuncGetAttributes(&attributes, Kernels::ticketed<1>),
        state.reserve<std::uint32_t>(100),
        state.blocks<std::uint32_t, IsOdd, std::uint64_t>(100, 0, blocks, tiling),
        select_if(nullptr, bytes, in, out, count, 100, IsOdd{{}}),
        select_if(state, in, out, count, 100, IsOdd{{}}),
        select_flagged(nullptr, bytes, in, flags, out, count, 100),
        select_if(nullptr, bytes, wide, wide + 100, count, 100, IsWideOdd{{}}),
        select_if(nullptr, bytes, in, count, count, 100, IsOdd{{}}),
        select_if(nullptr, bytes, in, count, device_length(count, 100), IsOdd{{}}),
        indices_if(stream_ordered_memory, in, padded(out, 50, 0U), count, 100, IsOdd{{}}),
        indices_flagged(state, in, out, count, 100),
        select_columns(stream_ordered_memory, flags, count, 100, nullptr, column(in, out), column(wide, wide + 100)),
        partition_if(nullptr, bytes, in, out, count, device_length(count, 100), IsOdd{{}}),
        unique(nullptr, bytes, in, out, count, 100),
    }};
    for (const cudaError_t error : errors) {{
        if (error) return error;
    }}
    return cudaSuccess;
}}
"""

# Predicates need more registers than kernels of 512 threads have for a thread.
HEAVY = """
#include "compaction/cuda/select.cuh"
struct Heavy {
    __device__ bool operator()(std::uint32_t item) const {
        std::uint32_t words[110];
#pragma unroll
        for (unsigned i = 0; i < 110; ++i) words[i] = item * (i * 2654435761U + 1);
        for (unsigned round = 0; round < (item & 15); ++round) {
#pragma unroll
            for (unsigned i = 0; i < 110; ++i) words[i] ^= words[(i + 1) % 110] >> 7 ^ words[(i * 7 + 3) % 110] << 3;
        }
        std::uint32_t sum = 0;
#pragma unroll
        for (unsigned i = 0; i < 110; ++i) sum ^= words[i];
        return (sum & 1) != 0;
    }
};
int main() {
    std::size_t bytes = 0;
    std::uint32_t* const items = nullptr;
    return compaction::cuda::select_if(nullptr, bytes, items, items, items, 100, Heavy{}) == cudaErrorInvalidValue;
}
"""

# A header, a call, and the first error message.
MISTAKES = {
    "select.cuh": {
        "select_if(nullptr, bytes, array<const Owner>(), array<Owner>(), array<int>(), 5, Any{});":
            "their type must be trivially copyable",
        "select_if(nullptr, bytes, array<const Triple>(), array<Triple>(), array<int>(), 5, Any{});":
            "select.cuh takes items of 1 or 2 bytes or a multiple of 4 up to 28: include select_iterators.cuh for others",
        "select_if(state, array<const Triple>(), array<Triple>(), array<int>(), 5, Any{});":
            "select.cuh takes items of 1 or 2 bytes or a multiple of 4 up to 28: include select_iterators.cuh for others",
        "select_flagged(state, array<const Bytes>(), array<bool>(), array<Bytes>(), array<int>(), 5);":
            "declare the type with alignas, or include select_iterators.cuh",
        "select_if(nullptr, bytes, array<volatile int>(), array<volatile int>(), array<int>(), 5, Any{});":
            "select.cuh takes no volatile items: include select_iterators.cuh",
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
        "select_if(nullptr, bytes, array<Strict>(), array<int>(), 5, Any{});":
            "CUB selects in place, and needs items and flags with a default constructor",
        "select_if(nullptr, bytes, array<const float>(), array<float>(), array<int>(), 5, None{});":
            "the predicate must be callable with an item",
        "select_if(nullptr, bytes, array<const float>(), array<double>(), array<int>(), 5, None{});":
            "the predicate must be callable with an item",
    },
}


def defined_and_used(path):
    """The weak functions that an object file defines, and the symbols that each function uses."""

    def readelf(option):
        return subprocess.run(["readelf", option, "-W", path], capture_output=True, text=True, check=True).stdout

    sections = {number: name for number, name in re.findall(r"\[ *(\d+)\] (\.text\S*)", readelf("-S"))}
    weak, names = set(), collections.defaultdict(set)
    for binding, section, name in re.findall(r" FUNC +(\w+) +\w+ +(\d+) (\S+)", readelf("-s")):
        names[sections[section]].add(name)
        if binding == "WEAK":
            weak.add(name)
    used = collections.defaultdict(set)
    for block in readelf("-r").split("Relocation section '.rela")[1:]:
        for name in names[block.split("'")[0]]:
            used[name] |= set(re.findall(r"^\w+ +\w+ R_\S+ +\w+ (\S+)", block, flags=re.MULTILINE))
    return weak, used


def launching(used):
    """The functions that launch kernels or ask for their attributes, themselves or through others."""
    found = {name for name, others in used.items()
             if any(re.match(r"cuda(Launch|Func|Occupancy)|.*__device_stub", other) for other in others)}
    while more := {name for name, others in used.items() if name not in found and others & found}:
        found |= more
    return found


SELECT = """
#include "compaction/cuda/select.cuh"

struct IsOdd {
    __device__ bool operator()(unsigned item) const { return (item & 1) != 0; }
};

cudaError_t select_odd(void* storage, std::size_t& bytes, const unsigned* in, unsigned* out, std::uint64_t* count, unsigned size) {
    return compaction::cuda::select_if(storage, bytes, in, out, count, size, IsOdd{});
}
"""


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

    def test_files_for_different_architectures_share_no_launch(self):
        """The linker keeps one copy of a function that two files define, and its kernels are those of one file."""
        weak, launches = [], set()
        for name in ("75", "90"):
            (self.folder / f"of{name}.cu").write_text(FAMILY.format(name=f"call{name}"), encoding="utf-8")
            result = self.run_nvcc("-std=c++17", f"-arch=compute_{name}", "--Ofast-compile=max", "-Xcompiler=-O0",
                                   "-static-global-template-stub=false", "-c", f"of{name}.cu")
            self.assertEqual(result.returncode, 0, result.stderr)
            defined, used = defined_and_used(self.folder / f"of{name}.o")
            weak.append(defined)
            launches |= launching(used)
        (self.folder / "main.cu").write_text("int main() { return 0; }\n", encoding="utf-8")
        result = self.run_nvcc("-arch=compute_90", "-o", "program", "of75.o", "of90.o", "main.cu")
        self.assertEqual(result.returncode, 0, result.stderr)
        ours = {name for name in launches if "10compaction4cuda" in name}
        self.assertGreater(len(ours), 20)
        self.assertEqual({name for name in ours if all(name in defined for defined in weak)}, set())

    def test_relocatable_code_links(self):
        (self.folder / "heavy.cu").write_text(HEAVY, encoding="utf-8")
        (self.folder / "family.cu").write_text(FAMILY.format(name="call") + "int main() { return 0; }\n", encoding="utf-8")
        for flags in ("-arch=sm_90 -G family.cu", "-arch=sm_75 heavy.cu"):
            with self.subTest(flags=flags):
                result = self.run_nvcc("-std=c++17", "-rdc=true", "-o", "program", *flags.split())
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_what_a_trace_leaves_out_is_no_code(self):
        """is_left_out() is false on a GPU: without the word, the same PTX results."""
        sources = {"compaction/include/compaction/cuda/detail/tile_state.cuh": "select.cu",
                   "compaction/cuda/algorithms/sequence_wise.cu": "compaction/cuda/algorithms/sequence_wise.cu"}
        definition = "compaction/include/compaction/cuda/detail/device.cuh"
        use = re.compile(r"(?:detail::)?is_left_out\(\)")
        compiled = []
        for name in ("as_it_is", "without"):
            copy = self.folder / name
            shutil.copytree(ROOT / "compaction", copy / "compaction")
            (copy / "select.cu").write_text(SELECT, encoding="utf-8")
            users = {path.relative_to(copy).as_posix() for folder in ("include", "cuda")
                     for path in (copy / "compaction" / folder).rglob("*.cu*") if use.search(path.read_text(encoding="utf-8"))}
            self.assertEqual(users, {*sources, definition})
            for source in sources if name == "without" else ():
                text = (copy / source).read_text(encoding="utf-8")
                (copy / source).write_text(use.sub("false", text), encoding="utf-8")
            ptx = []
            for unit in sources.values():
                result = subprocess.run([nvcc, "-std=c++20", "-arch=sm_90", "-Icompaction/include", "-Icompaction", "-Icompaction/src", "-ptx",
                                         "-o", "unit.ptx", unit], cwd=copy, capture_output=True, text=True, check=False)
                self.assertEqual(result.returncode, 0, result.stderr)
                # The names of functions with internal linkage have a hash of the source.
                ptx.append(re.sub(r"__N__[0-9a-f]{8}_", "__N__", (copy / "unit.ptx").read_text(encoding="utf-8")))
                self.assertIn(".entry", ptx[-1])
            compiled.append(ptx)
        self.assertEqual(*compiled)

    def test_there_are_no_warnings(self):
        """Warnings that programs turn on, where the headers are no system headers."""
        (self.folder / "calls.cu").write_text(FAMILY.format(name="call"), encoding="utf-8")
        result = self.run_nvcc("-std=c++17", "-arch=compute_90", "--Ofast-compile=max", "-Wmissing-launch-bounds",
                               "-Xcompiler=-Wall,-Wextra,-Wconversion,-Wsign-conversion", "-c", "calls.cu")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        # nvcc takes the bounds of kernel templates for missing, so the headers turn its warning off.
        for header in (ROOT / "compaction/include/compaction/cuda").rglob("*.cuh"):
            for kernel in re.findall(r"\n__global__ void\s+(\w+)", header.read_text(encoding="utf-8")):
                self.assertEqual(kernel, "__launch_bounds__", header)

    def test_two_files_of_a_program(self):
        """Compiles with other standards and kinds of code than the examples, and runs the result, which needs no GPU."""
        (self.folder / "first.cu").write_text(FILE.format(name="first"), encoding="utf-8")
        (self.folder / "second.cu").write_text(FILE.format(name="second") + "bool first();\n"
                                               "int main() { return first() && second() ? 0 : 1; }\n", encoding="utf-8")
        quick = "--Ofast-compile=max -Xcompiler=-O0"
        for flags in (f"-std=c++20 -arch=sm_90 -rdc=true {quick}", "-std=c++17 -arch=sm_90 -G", f"-std=c++17 -arch=all-major {quick}"):
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
