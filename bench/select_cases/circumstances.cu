#include "bench/select_cases/cases.cuh"

namespace select_cases {

void add_lengths(Bench& bench) {
    for (const std::uint64_t n : {5'500'000, 6'000'000, 7'000'000}) {
        bench.add(select_case<Word>(bench, "lengths", "storage", n, IsOdd{}));
        bench.add(state_case(bench, "lengths", "state", n, IsOdd{}));
    }
}

void add_circumstances(Bench& bench) {
    for (const std::size_t num_streams : {2, 4}) {
        Case added = state_case(bench, "circumstances", std::to_string(num_streams) + " streams at once",
                                6'000'000, IsOdd{});
        added.num_streams = num_streams;
        bench.add(std::move(added));
    }
    for (const int exponent : {20, 24, 26}) {
        Case added = state_case(bench, "circumstances", "busy GPU", std::uint64_t{1} << exponent, IsOdd{});
        added.busy = true;
        bench.add(std::move(added));
    }
}

}  // namespace select_cases
