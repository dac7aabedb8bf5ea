// Times the select family of compaction/cuda beside CUB in the circumstances that select_calls.cu leaves out:
// costly predicates, further lengths, items of 1 to 64 bytes, clustered streams, several streams at once, a
// busy GPU, and the rest of the family.
//
// bench_select_cases [group]...
//
// A batch is up to 32 calls, each on its own items, after other data has filled the L2 cache, behind a kernel
// that holds the stream until all calls are enqueued. Batches of CUB and of this library take turns, and the
// first call's output is compared byte by byte. Prints CSV: microseconds per call as the median of 11 batches
// and their quartiles, and CUB's time over this library's.
#include <cstdio>

#include "bench/exit_code.hpp"
#include "bench/select_cases/cases.cuh"
#include "compaction/error.hpp"

int main(int argc, char** argv) try {
    require_gpu();
    select_cases::Bench bench;
    add_predicates(bench);
    add_lengths(bench);
    add_items(bench);
    add_circumstances(bench);
    add_family(bench);
    add_columns(bench);
    add_patterns(bench);
    bench.run({argv + 1, argv + argc});
    return 0;
} catch (const compaction::Error& error) {
    return exit_code_of("bench_select_cases", error);
}
