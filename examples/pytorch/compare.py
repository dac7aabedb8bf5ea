"""Builds the operators of select_ops.cu, checks them against PyTorch's, and times both.

Needs PyTorch with CUDA, its nvcc, and ninja; the exit status is 77 without PyTorch or a GPU. Prints CSV: --csv FILE writes it
there. A row compares one operator with one of PyTorch's at one length, half of the items selected. The times are those of a
call in a row of calls without a wait between them, the host's work included; operators of variable length wait for the number
of items in every call. Calls of both alternate in batches; the quartiles are of the batches.
"""

import argparse
import csv
import datetime
import pathlib
import statistics
import sys
import time

try:
    import torch
    from torch.utils.cpp_extension import load
except ImportError as error:
    print(f"skipped 'compare.py needs PyTorch: {error}'")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
BATCHES = 31
BATCH_CALLS = 20
COLUMNS = ("operator", "torch", "n", "torch_us", "torch_q1_us", "torch_q3_us", "median_us", "q1_us", "q3_us", "times_torch")


def build():
    """Makes torch.ops.compaction available."""
    load(name="compaction_select_ops", sources=[str(ROOT / "examples/pytorch/select_ops.cu")],
         extra_include_paths=[str(ROOT / "compaction/include")], is_python_module=False,
         extra_cuda_cflags=["-O2", "--expt-relaxed-constexpr"])


def check():
    """Compares the results with PyTorch's for every length and type, and those of a captured graph."""
    ops = torch.ops.compaction
    for dtype in (torch.bool, torch.uint8, torch.float16, torch.bfloat16, torch.int32, torch.float32, torch.int64, torch.float64):
        for n in (0, 1, 31, 4097, 100_003, 3_000_001):
            items = torch.randint(0, 3, (n,), device="cuda").to(dtype)
            expected = torch.nonzero(items).flatten()
            for size in (0, n // 2, n + 5):
                positions, count = ops.nonzero_static(items, size, -7)
                assert torch.equal(positions, torch.nonzero_static(items, size=size, fill_value=-7).flatten()), (dtype, n, size)
                assert count.item() == len(expected), (dtype, n)
            mask = torch.rand(n, device="cuda") < 0.3
            out, count = ops.masked_select(items, mask)
            assert torch.equal(out[:count.item()], torch.masked_select(items, mask)), (dtype, n)
            assert torch.equal(ops.masked_select_sized(items, mask), torch.masked_select(items, mask)), (dtype, n)
            assert torch.equal(ops.nonzero(items), expected), (dtype, n)
            assert torch.equal(ops.select_nonzero(items), items[items != 0]), (dtype, n)

    items = torch.zeros(1_000_000, device="cuda")
    ops.nonzero_static(items, 1000)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        positions, count = ops.nonzero_static(items, 1000)
        out, _ = ops.masked_select(items, items > 0)
    for step in (1001, 3):
        items.zero_()
        items[::step] = 1
        graph.replay()
        expected = torch.nonzero(items).flatten()
        shown = min(1000, len(expected))
        assert count.item() == len(expected) and torch.equal(positions[:shown], expected[:shown])
        assert torch.equal(out[:len(expected)], items[expected])


def batch_us(call):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(BATCH_CALLS):
        call()
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / BATCH_CALLS * 1e6


def compare(name, torch_name, n, ours, theirs):
    for call in (ours, theirs):
        batch_us(call)
    times = [(batch_us(ours), batch_us(theirs)) for _ in range(BATCHES)]
    our_q1, our_median, our_q3 = statistics.quantiles([mine for mine, _ in times], n=4)
    q1, median, q3 = statistics.quantiles([other for _, other in times], n=4)
    ratio = statistics.median(other / mine for mine, other in times)
    figures = (median, q1, q3, our_median, our_q1, our_q3)
    return (name, torch_name, n, *(f"{figure:.1f}" for figure in figures), f"{ratio:.2f}")


def rows():
    ops = torch.ops.compaction
    for exponent in (12, 16, 20, 24, 26):
        n = 1 << exponent
        items = torch.randint(0, 2, (n,), device="cuda").float()
        mask = items > 0
        count = int(mask.sum())
        yield compare("nonzero_static", "nonzero", n, lambda: ops.nonzero_static(items, count), lambda: torch.nonzero(items))
        yield compare("nonzero_static", "nonzero_static", n, lambda: ops.nonzero_static(items, count),
                      lambda: torch.nonzero_static(items, size=count))
        yield compare("masked_select", "masked_select", n, lambda: ops.masked_select(items, mask),
                      lambda: torch.masked_select(items, mask))
        yield compare("nonzero", "nonzero", n, lambda: ops.nonzero(items), lambda: torch.nonzero(items))
        yield compare("masked_select_sized", "masked_select", n, lambda: ops.masked_select_sized(items, mask),
                      lambda: torch.masked_select(items, mask))
        yield compare("select_nonzero", "x[x != 0]", n, lambda: ops.select_nonzero(items), lambda: items[items != 0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--csv", type=argparse.FileType("w"), default=sys.stdout, metavar="FILE", help="where the times go")
    parser.add_argument("--commit", default="unknown", help="the commit that was built, for the head of the CSV")
    options = parser.parse_args()
    if not torch.cuda.is_available():
        print("skipped 'compare.py needs a GPU, and PyTorch finds none'")
        return 77
    build()
    check()
    print("The operators agree with PyTorch's.", file=sys.stderr)
    facts = {"device": torch.cuda.get_device_name(), "engine": "cuda", "commit": options.commit, "command": "examples/pytorch/compare.py",
             "date": datetime.date.today().isoformat(), "torch": torch.__version__}
    for key, value in facts.items():
        print(f"# {key}: {value}", file=options.csv)
    writer = csv.writer(options.csv, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows():
        writer.writerow(row)
    return 0


if __name__ == "__main__":
    sys.exit(main())
