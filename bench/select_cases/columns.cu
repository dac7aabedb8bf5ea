#include <thrust/iterator/transform_iterator.h>

#include "bench/select_cases/cases.cuh"
#include "compaction/cuda/select_columns.cuh"

namespace select_cases {

namespace {

constexpr std::size_t num_columns = 12;

/// Twelve columns; the first decides which rows are kept.
template <std::size_t... Is>
Case columns_case(Bench& bench, std::uint64_t n, std::index_sequence<Is...>) {
    const auto in = [&bench, n](const Call& call, std::size_t column) {
        return bench.in<Word>(call, num_columns * n) + column * n;
    };
    const auto out = [&bench, n](const Call& call, std::size_t column) {
        return bench.out<Word>(call, num_columns * n) + column * n;
    };
    return storage_case(
        bench, "family", "12 columns", n, n * num_columns * sizeof(Word),
        [=, &bench](const Call& call, void* temp, std::size_t& bytes) {
            const thrust::transform_iterator odd(in(call, 0), IsOdd{});
            cudaError_t error = cudaSuccess;
            for (std::size_t i = 0; i < (temp ? num_columns : 1) && error == cudaSuccess; ++i)
                error =
                    cub::DeviceSelect::Flagged(temp, bytes, in(call, i), odd, out(call, i), bench.count(call),
                                               static_cast<std::int64_t>(n), call.stream);
            return error;
        },
        [=, &bench](const Call& call, void* temp, std::size_t& bytes) {
            return compaction::cuda::select_columns_if(
                temp, bytes, in(call, 0), bench.count(call), n, IsOdd{}, call.stream,
                compaction::cuda::column(in(call, Is), out(call, Is))...);
        });
}

}  // namespace

void add_columns(Bench& bench) {
    for (const int exponent : {20, 24})
        bench.add(columns_case(bench, std::uint64_t{1} << exponent, std::make_index_sequence<num_columns>{}));
}

}  // namespace select_cases
