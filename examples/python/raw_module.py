"""Selects by the kernels of compaction/cuda/select_kernels.cuh in a cupy.RawModule, and checks the results.

Shows the launches that selection.py makes, with CuPy alone. The exit status is 77 without CuPy or a GPU.
"""

import pathlib
import sys

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "compaction/include"
SOURCE = """
#include "compaction/cuda/select_kernels.cuh"
struct IsAbove {
    float limit;
    __device__ bool operator()(float x) const { return x > limit; }
};
using Kernels = compaction::cuda::SelectKernels<float, compaction::cuda::ByPredicate<IsAbove>>;
extern "C" __device__ compaction::cuda::SelectShapes shapes = Kernels::shapes;
"""
SINGLE_WAVE = [f"Kernels::single_wave<{i}>" for i in range(4)]
TICKETED = [f"Kernels::ticketed<{i}>" for i in range(2)]
PIPELINE = "Kernels::pipeline"


class Selector:
    def __init__(self, cupy, numpy):
        self.cupy, self.numpy = cupy, numpy
        self.module = cupy.RawModule(code=SOURCE, options=("-std=c++17", f"-I{INCLUDE}", f"-I{INCLUDE / 'compaction/nvrtc'}"),
                                     name_expressions=[*SINGLE_WAVE, PIPELINE, *TICKETED])
        shape = [("tile_items", "u4"), ("threads", "u4"), ("shared_bytes", "u4")]
        shapes = numpy.dtype([("single_wave", shape + [("max_tiles", "u4"), ("tiles_per_two_multiprocessors", "u4")], 4),
                              ("pipeline", shape), ("ticketed", shape, 2),
                              *((name, "u4") for name in ("chunk_items", "max_pipeline_blocks", "few_tiles_per_multiprocessor",
                                                          "tile_state_bytes", "spin_limit", "poll_limit", "item_bytes"))])
        memory = cupy.ndarray((shapes.itemsize,), "u1", self.module.get_global("shapes"))
        self.shapes = memory.get().view(shapes)[0]
        self.tile_state = cupy.zeros(int(self.shapes["tile_state_bytes"]), "u1")  # zero once
        device = cupy.cuda.Device()
        self.multiprocessors = device.attributes["MultiProcessorCount"]
        self.has_pipeline = (int(device.compute_capability) >= 90 and
                             self.shapes["pipeline"]["shared_bytes"] <= device.attributes["MaxSharedMemoryPerBlockOptin"])

    def by_value(self, values, fields):
        """A kernel argument that is a structure."""
        return self.numpy.array([values], dtype=self.numpy.dtype(fields, align=True))

    def launch(self, name, shape, blocks, arguments):
        kernel = self.module.get_function(name)
        kernel.max_dynamic_shared_size_bytes = int(shape["shared_bytes"])
        kernel((int(blocks),), (int(shape["threads"]),), arguments, shared_mem=int(shape["shared_bytes"]))

    def above(self, x, limit):
        """The items above the limit."""
        cupy, shapes = self.cupy, self.shapes
        lead = x.data.ptr // 4 % 4
        end = lead + x.size
        span = self.by_value((x.data.ptr - 4 * lead, lead, end), [("base", "u8"), ("begin", "u8"), ("end", "u8")])
        tags = [("base", "u8"), ("counter", "u4"), ("source", "u1")]
        out, count = cupy.empty_like(x), cupy.empty(1, "u8")
        last = (out, count, self.by_value((limit,), [("limit", "f4")]))

        def tiles(shape):
            return max(1, -(-end // int(shape["tile_items"])))

        for name, shape in zip(SINGLE_WAVE, shapes["single_wave"]):
            limit_of_shape = max(1, self.multiprocessors * int(shape["tiles_per_two_multiprocessors"]) // 2)
            if tiles(shape) <= min(limit_of_shape, int(shape["max_tiles"])):
                options = self.by_value(((0, 0, 0), int(shapes["spin_limit"])), [("tags", self.numpy.dtype(tags, align=True)), ("spin_limit", "u4")])
                self.launch(name, shape, tiles(shape), (span, options, self.tile_state, *last))
                return out[:int(count[0])]
        tickets = cupy.zeros(1 + tiles(shapes["ticketed"][0]), "u4")
        if self.has_pipeline:
            shape, chunk_items = shapes["pipeline"], int(shapes["chunk_items"])
            blocks = min(tiles(shape), self.multiprocessors, int(shapes["max_pipeline_blocks"]))
            chunks = int(shape["tile_items"]) // chunk_items
            chunks_per_block = -(-end // (blocks * chunk_items))
            rounds = -(-chunks_per_block // chunks)
            schedule = self.by_value((rounds, chunks_per_block - (rounds - 1) * chunks), [("num_rounds", "u4"), ("chunks_in_last_round", "u4")])
            options = self.by_value((tickets.data.ptr, (0, 0, 0), int(shapes["poll_limit"])),
                                    [("tickets", "u8"), ("tags", self.numpy.dtype(tags, align=True)), ("poll_limit", "u4")])
            self.launch(PIPELINE, shape, blocks, (span, schedule, self.tile_state, options, *last))
        else:
            shape = shapes["ticketed"][0]  # more blocks than are resident at once do no harm
            blocks = min(tiles(shape), 2 * self.multiprocessors)
            self.launch(TICKETED[0], shape, blocks, (span, self.numpy.uint32(tiles(shape)), tickets, *last))
        return out[:int(count[0])]


def main():
    try:
        import cupy
        import numpy
        cupy.cuda.Device().use()
    except Exception as reason:  # CuPy raises errors of its own without a driver
        print(f"skipped 'raw_module.py needs CuPy and a GPU: {reason}'")
        return 77
    selector = Selector(cupy, numpy)
    for path in ("pipeline" if selector.has_pipeline else "ticketed", "ticketed"):
        selector.has_pipeline = path == "pipeline"
        for n in (1 << 12, 1 << 20, 1 << 26):
            for lead in (0, 1):
                x = cupy.random.random(n + lead, dtype="f4")[lead:]
                result, expected = selector.above(x, 0.5), x[x > numpy.float32(0.5)]
                if result.size != expected.size or not (result == expected).all():
                    print(f"The result is wrong: n = {n}, lead = {lead}, {path}")
                    return 1
    print("RawModule selects the right items at 2^12, 2^20 and 2^26.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
