"""Compiles compaction/cuda/select_kernels.cuh with NVRTC, which has no headers of the host, for predicates that are strings. Needs no GPU.

The names must resolve, and the numbers that the header documents must be those of the compiled kernels."""

import ctypes
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "examples/python"))
import selection  # noqa: E402

ALL = selection.SINGLE_WAVE + (selection.PIPELINE,) + selection.TICKETED
WITH_POINTER = """#include "compaction/cuda/select_kernels.cuh"
struct IsListed {
    const bool* listed;
    __device__ bool operator()(unsigned x) const { return listed[x]; }
};
using Kernels = compaction::cuda::SelectKernels<unsigned, compaction::cuda::ByPredicate<IsListed>, unsigned>;
extern "C" __device__ compaction::cuda::SelectShapes shapes = Kernels::shapes;
"""


def source(item, selector=selection.BY_PREDICATE, predicate="true"):
    return selection.SOURCE.format(item=item, selector=selector, predicate=predicate)


def setUpModule():
    try:
        selection.nvrtc()
    except selection.SelectionError as reason:
        raise unittest.SkipTest(str(reason)) from reason


class Compiled:
    """What NVRTC makes of a source: the PTX, the symbols and the shapes."""

    def __init__(self, text, names=ALL, architecture=90):
        ptx, self.names = selection.compile_source(text, names, architecture, binary=False)
        self.ptx = ptx.decode()
        initial = re.search(r"\bshapes\[(\d+)\] = \{([\d, ]+)\}", self.ptx)
        values = bytes(int(value) for value in initial[2].split(","))
        assert int(initial[1]) == ctypes.sizeof(selection.Shapes)
        self.shapes = selection.Shapes.from_buffer_copy(values.ljust(int(initial[1]), b"\0"))

    def threads_of(self, name):
        """The launch bound of a kernel."""
        entry = self.ptx[self.ptx.index(f".entry {self.names[name].decode()}("):]
        return int(re.search(r"\.maxntid (\d+)", entry)[1])

    def parameters_of(self, name):
        """The sizes of a kernel's parameters, in bytes."""
        entry = self.ptx[self.ptx.index(f".entry {self.names[name].decode()}("):]
        sizes = {"u8": 1, "u32": 4, "u64": 8}
        return [int(length) if length else sizes[kind]
                for kind, length in re.findall(r"\.param (?:\.align \d+ )?\.(\w+) \w+?(?:\[(\d+)\])?[,\n]", entry[:entry.index(")")])]


class NvrtcTest(unittest.TestCase):
    def test_predicates_are_strings(self):
        for item, predicate in (("float", "x > 0.5f"), ("int", "x % 3 == 0"), ("double", "x != 0"), ("unsigned long long", "x & 1"),
                                ("uint4", "x.w == 7"), ("unsigned char", "x > 3"), ("short", "x < 0")):
            with self.subTest(item=item, predicate=predicate):
                compiled = Compiled(source(item, predicate=predicate))
                self.assertEqual(list(compiled.names), list(ALL))
                for name in ALL:
                    self.assertIn(f".entry {compiled.names[name].decode()}(", compiled.ptx)

    def test_binaries_hold_the_kernels(self):
        image, names = selection.compile_source(source("float", predicate="x > 0.5f"), ALL, 90)
        self.assertEqual(image[:4], b"\x7fELF")
        for symbol in names.values():
            self.assertIn(symbol, image)

    def test_selectors(self):
        for selector, item in ((selection.BY_FLAG, "unsigned"), (selection.BY_FLAG, "uint4"), (selection.POSITIONS, "float"),
                               (selection.POSITIONS, "double"), ("PositionsOf<ByFlag<bool>>", "int"),
                               (selection.POSITIONS_OF_OTHERS.format(item="short"), "long long"),
                               ("ByFlagIf<unsigned char, Predicate>", "int")):
            with self.subTest(selector=selector, item=item):
                Compiled(source(item, selector))

    def test_other_architectures(self):
        """The pipeline has no code before sm_90, but its name resolves."""
        number = ctypes.c_int()
        selection.nvrtc().nvrtcGetNumSupportedArchs(number)
        known = (ctypes.c_int * number.value)()
        selection.nvrtc().nvrtcGetSupportedArchs(known)
        for architecture in {known[0], 80, known[-1]} & set(known):
            with self.subTest(architecture=architecture):
                compiled = Compiled(source("float"), architecture=architecture)
                self.assertEqual("cp.async.bulk.shared" in compiled.ptx, architecture >= 90)

    def test_shapes_are_those_of_the_kernels(self):
        for text in (source("float"), source("double"), source("uint4", selection.BY_FLAG), source("short"), WITH_POINTER):
            compiled = Compiled(text)
            shapes = compiled.shapes
            for name, shape in zip(ALL, (*shapes.single_wave, shapes.pipeline, *shapes.ticketed)):
                self.assertEqual(compiled.threads_of(name), shape.threads, name)
                self.assertGreater(shape.tile_items, 0)
            self.assertEqual(shapes.pipeline.tile_items % shapes.chunk_items, 0)
            self.assertEqual(shapes.chunk_items, 4096 // max(shapes.item_bytes, 4))

    def test_predicates_with_pointers_leave_cache(self):
        few, many = Compiled(WITH_POINTER).shapes, Compiled(source("unsigned")).shapes
        self.assertLess(few.pipeline.shared_bytes, many.pipeline.shared_bytes)
        self.assertEqual((few.single_wave[3].max_tiles, many.single_wave[3].max_tiles), (0, 768))

    def test_parameters_have_the_documented_sizes(self):
        compiled = Compiled(source("float"))
        for name in ALL:
            middle = [24, 8] if name in selection.SINGLE_WAVE else [8, 8, 32] if name == selection.PIPELINE else [4, 8]
            self.assertEqual(compiled.parameters_of(name), [24, *middle, 8, 8, 1], name)
        with_flags = Compiled(source("float", "ByFlagIf<unsigned char, Predicate>"))
        self.assertEqual(with_flags.parameters_of(ALL[0])[-1], 16)

    def test_headers_of_the_host_are_reported(self):
        """So a header of the host in the kernels would fail the tests above, and the log says which."""
        for header in ("vector", "algorithm", "cuda_runtime_api.h"):
            with self.assertRaises(selection.SelectionError) as raised:
                Compiled(f"#include <{header}>\n" + source("float"))
            self.assertIn(header, str(raised.exception))

    def test_mistakes_in_predicates_are_shown(self):
        with self.assertRaises(selection.SelectionError) as raised:
            Compiled(source("float", predicate="y > 0"))
        self.assertIn('identifier "y" is undefined', str(raised.exception))

    def test_other_items_are_refused(self):
        with self.assertRaises(selection.SelectionError) as raised:
            Compiled(source("uint3"))
        self.assertIn("items are trivially copyable, of 1, 2, 4, 8 or 16 bytes", str(raised.exception))


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=2)
