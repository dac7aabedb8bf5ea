#include "bench/select_cases/cases.cuh"
#include "workloads/streams.hpp"

namespace select_cases {

namespace {

struct IsSet {
    __host__ __device__ bool operator()(Word item) const { return item != 0; }
};

/// Cases that share an input, which the first one writes.
void add_pattern(Bench& bench, const char* name, std::function<void()> prepare) {
    for (int exponent = 22; exponent <= 26; ++exponent) {
        Case added = state_case(bench, "patterns", name, std::uint64_t{1} << exponent, IsSet{});
        added.prepare = std::exchange(prepare, {});
        bench.add(std::move(added));
    }
}

}  // namespace

void add_patterns(Bench& bench) {
    add_pattern(bench, "clustered", [&bench] {
        constexpr std::uint64_t num_items = std::uint64_t{1} << 26;
        const auto items = workloads::make_stream(workloads::Pattern::runs, num_items, 0.5, 1);
        bench.fill_input({items.begin(), items.end()});
    });
    add_pattern(bench, "1 % kept", [&bench] { bench.fill_input(0.01); });
    add_pattern(bench, "90 % kept", [&bench] { bench.fill_input(0.9); });
}

}  // namespace select_cases
