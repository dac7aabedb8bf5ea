"""Checks the selections of selection.py against CuPy, PyTorch and plain Python, and times them beside CuPy's and PyTorch's.

    compare.py [--with LIBRARY]... [--csv FILE]

LIBRARY is cupy, torch, or nothing, which needs neither of them and only checks. Without --with, all that are here. Prints CSV:
--csv FILE writes it there. A row compares one selection with the library's at one length, half of the items selected. The times
are those of a call that returns an array of the right length: each call waits for the number of items. Results of selection.py
are views of longer arrays, and its positions of 4-byte items have 4 bytes; those of the libraries have 8. Calls of both alternate
in batches; the quartiles are of the batches. The exit status is 77 where there is no GPU or no NVRTC.
"""

import argparse
import array
import csv
import datetime
import functools
import importlib.util
import itertools
import statistics
import sys
import time

import selection

LENGTHS = (1 << 12, 1 << 20, 1 << 26)
OTHER_LENGTHS = (0, 1, 31, 4097, 100_003, 3_000_001, 6_000_011)
BATCHES = 31
BATCH_CALLS = 20
SKIPPED = 77
COLUMNS = ("library", "selection", "items", "n", "library_us", "library_q1_us", "library_q3_us", "median_us", "q1_us", "q3_us",
           "times_library")


class Nothing:
    """Neither CuPy nor PyTorch: a short pattern, repeated, whose selections are known. A prime period does not fit the tiles."""

    name = "nothing"
    version = "without CuPy and PyTorch"
    PERIOD = 65_537

    def __init__(self):
        """About half of the values are zero, and a quarter above 500."""
        hashed = (i * 2_654_435_761 % (1 << 32) >> 12 for i in range(self.PERIOD))
        self.values = [0 if each & 1 else 1 + each // 2 % 1000 for each in hashed]

    def check(self):
        for typestr, code in (("<f4", "f"), ("<i4", "i"), ("<f8", "d")):
            pattern = array.array(code, self.values)
            for n, lead in itertools.product(LENGTHS + OTHER_LENGTHS, (0, 1)):
                self.check_length(typestr, pattern, n, lead)

    def check_length(self, typestr, pattern, n, lead):
        """Selects from n items that begin `lead` items after an aligned address."""
        x = selection.DeviceArray.of_bytes(typestr, pattern[:lead].tobytes() + self.repeated(pattern, n))[lead:]
        mask = array.array("B", (item > 500 for item in pattern))
        device_mask = selection.DeviceArray.of_bytes("|u1", self.repeated(mask, n))
        limit = "x > 500.f" if typestr == "<f4" else "x > 500"
        above = self.expected(pattern, lambda item: item > 500, n)
        not_zero = self.expected(pattern, lambda item: item != 0, n)
        results = {f"select(x, {limit!r})": (selection.select(x, limit), above),
                   "masked_select(x, mask)": (selection.masked_select(x, device_mask), above),
                   "select_nonzero(x)": (selection.select_nonzero(x), not_zero),
                   "nonzero(x)": (selection.nonzero(x), self.expected_positions(x.item_bytes, n))}
        for call, (result, expected) in results.items():
            require(result.to_bytes() == expected, call, typestr, n, lead)

    def repeated(self, pattern, n):
        whole, rest = divmod(n, len(pattern))
        return pattern.tobytes() * whole + pattern[:rest].tobytes()

    def expected(self, pattern, keeps, n):
        whole, rest = divmod(n, self.PERIOD)

        def kept(items):
            return array.array(items.typecode, filter(keeps, items)).tobytes()

        return kept(pattern) * whole + kept(pattern[:rest])

    @functools.lru_cache(maxsize=None)
    def expected_positions(self, item_bytes, n):
        result = array.array("i" if item_bytes == 4 else "q")
        for begin in range(0, n, self.PERIOD):
            result.extend([begin + i for i, value in enumerate(self.values[:n - begin]) if value != 0])
        return result.tobytes()

    def rows(self):
        return ()


class ArrayLibrary:
    """What CuPy and PyTorch have in common."""

    TYPES = ("float32", "int32", "float64", "int64")

    def check(self):
        for name, n in itertools.product(self.TYPES, LENGTHS + OTHER_LENGTHS):
            for lead in (0, 1):
                x, mask = self.items(name, n + lead)[lead:], self.items("float32", n) > 0.5
                for call, (ours, theirs) in self.calls(name, x, mask).items():
                    mine, expected = ours(), theirs()
                    require(len(mine) == len(expected) and bool((mine == expected).all()), call, name, n, lead)

    def rows(self):
        for name, n in itertools.product(("float32", "float64"), LENGTHS):
            x = self.items(name, n)
            for call, (ours, theirs) in self.calls(name, x, x > 0.5).items():
                yield (self.name, call, name, n, *self.compared(ours, theirs))

    def calls(self, name, x, mask):
        """The calls of both, by name."""
        half = "x > 0.5f" if name == "float32" else "x > 0.5"
        return {
            "masked_select": (lambda: selection.masked_select(x, mask), lambda: self.masked_select(x, mask)),
            "x[x != 0]": (lambda: selection.select_nonzero(x), lambda: x[x != 0]),
            "nonzero": (lambda: selection.nonzero(x), lambda: self.nonzero(x)),
            "x[x > 0.5]": (lambda: selection.select(x, half), lambda: x[x > 0.5]),
        }

    def batch_us(self, call):
        self.synchronize()
        begin = time.perf_counter()
        for _ in range(BATCH_CALLS):
            call()
        self.synchronize()
        return (time.perf_counter() - begin) / BATCH_CALLS * 1e6

    def compared(self, ours, theirs):
        for call in (ours, theirs):
            self.batch_us(call)
        times = [(self.batch_us(ours), self.batch_us(theirs)) for _ in range(BATCHES)]
        our_q1, our_median, our_q3 = statistics.quantiles([mine for mine, _ in times], n=4)
        q1, median, q3 = statistics.quantiles([other for _, other in times], n=4)
        ratio = statistics.median(other / mine for mine, other in times)
        return (*(f"{figure:.1f}" for figure in (median, q1, q3, our_median, our_q1, our_q3)), f"{ratio:.2f}")


class Cupy(ArrayLibrary):
    name = "cupy"

    def __init__(self):
        import cupy
        self.cupy, self.version = cupy, cupy.__version__
        self.random = cupy.random.RandomState(1)

    def items(self, name, n):
        """Half of them zero."""
        return self.cupy.maximum(self.random.randint(0, 2000, max(n, 1)) - 1000, 0)[:n].astype(name)

    def masked_select(self, x, mask):
        return x[mask]

    def nonzero(self, x):
        return self.cupy.flatnonzero(x)

    def synchronize(self):
        self.cupy.cuda.Device().synchronize()


class Torch(ArrayLibrary):
    name = "torch"

    def __init__(self):
        import torch
        self.torch, self.version = torch, torch.__version__
        torch.manual_seed(1)

    def items(self, name, n):
        """Half of them zero."""
        return (self.torch.randint(0, 2000, (n,), device="cuda") - 1000).clamp(min=0).to(getattr(self.torch, name))

    def masked_select(self, x, mask):
        return self.torch.masked_select(x, mask)

    def nonzero(self, x):
        return self.torch.nonzero(x).flatten()

    def synchronize(self):
        self.torch.cuda.synchronize()


LIBRARIES = {"nothing": Nothing, "cupy": Cupy, "torch": Torch}
TITLES = {"cupy": "CuPy", "torch": "PyTorch"}


def require(holds, *what):
    if not holds:
        raise selection.SelectionError(f"The result is wrong: {', '.join(map(str, what))}.")


def usable(names):
    """The libraries of these names that are here; says what is missing."""
    for name in names:
        if name != "nothing" and not importlib.util.find_spec(name):
            print(f"compare.py: {TITLES[name]} is not installed, so it is left out.", file=sys.stderr)
            continue
        if name == "torch" and not importlib.import_module("torch").cuda.is_available():
            print("compare.py: This PyTorch finds no GPU, so it is left out.", file=sys.stderr)
            continue
        yield LIBRARIES[name]()


def check(library):
    """By the usual path for each length, then by tickets, as on GPUs that lack what the pipeline needs."""
    for paths in (selection.Kernels.paths, ("ticketed",)):
        usual, selection.Kernels.paths = selection.Kernels.paths, paths
        try:
            library.check()
        finally:
            selection.Kernels.paths = usual
        print(f"The selections are right: {library.name}, {library.version}, {', '.join(paths)}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--with", dest="names", action="append", choices=LIBRARIES, help="what to compare with; may be repeated")
    parser.add_argument("--csv", type=argparse.FileType("w"), default=sys.stdout, metavar="FILE", help="where the times go")
    parser.add_argument("--commit", default="unknown", help="the commit, for the head of the CSV")
    options = parser.parse_args()
    try:
        device = selection.device_name()
        selection.nvrtc()
    except selection.SelectionError as reason:
        print(f"skipped 'no CUDA device or no NVRTC: {reason}'")
        return SKIPPED
    libraries = list(usable(options.names or LIBRARIES))
    for library in libraries:
        check(library)
    facts = {"device": device, "engine": "cuda", "commit": options.commit, "command": "examples/python/compare.py",
             "date": datetime.date.today().isoformat(), **{library.name: library.version for library in libraries if library.name != "nothing"}}
    for key, value in facts.items():
        print(f"# {key}: {value}", file=options.csv)
    writer = csv.writer(options.csv, lineterminator="\n")
    writer.writerow(COLUMNS)
    for library in libraries:
        writer.writerows(library.rows())
    return 0


if __name__ == "__main__":
    sys.exit(main())
