#include "bench/select_cases/cases.cuh"

namespace select_cases {

namespace {

struct HashIsOdd {
    __host__ __device__ bool operator()(Word item) const {
        for (int i = 0; i < 16; ++i) {
            item ^= item >> 16;
            item *= 0x7feb352dU;
            item ^= item >> 15;
            item *= 0x846ca68bU;
            item ^= item >> 16;
        }
        return (item & 1) != 0;
    }
};

/// Looks a bit up in a table of 2^`bits` bits.
struct IsInTable {
    const Word* table;
    int bits;
    __device__ bool operator()(Word item) const {
        const Word i = item & static_cast<Word>((std::uint64_t{1} << bits) - 1);
        return (table[i / 32] >> (i % 32) & 1) != 0;
    }
};

/// Loops as often as the item says, up to 63 times.
struct LoopIsOdd {
    __host__ __device__ bool operator()(Word item) const {
        for (Word i = item & 63; i > 0; --i) item = item * 1664525U + 1013904223U;
        return (item >> 16 & 1) != 0;
    }
};

}  // namespace

void add_predicates(Bench& bench) {
    const auto add = [&bench](const char* name, std::uint64_t n, auto predicate) {
        bench.add(state_case(bench, "predicates", name, n, predicate));
    };
    for (const int exponent : {20, 22, 24, 26}) {
        const std::uint64_t n = std::uint64_t{1} << exponent;
        add("odd", n, IsOdd{});
        add("16-round hash", n, HashIsOdd{});
        add("table of 128 KB", n, IsInTable{bench.table(), 20});
        add("table of 16 MB", n, IsInTable{bench.table(), 27});
        add("table of 256 MB", n, IsInTable{bench.table(), 31});
        add("divergent loop", n, LoopIsOdd{});
    }
}

}  // namespace select_cases
