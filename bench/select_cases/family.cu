#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cub/device/device_partition.cuh>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bench/select_cases/cases.cuh"
#include "compaction/cuda/select_indices.cuh"
#include "compaction/cuda/select_partition.cuh"
#include "compaction/cuda/select_unique.cuh"

namespace select_cases {

namespace {

struct Never {
    __host__ __device__ bool operator()(Word) const { return false; }
};

struct IsTwiceOdd {
    __host__ __device__ bool operator()(Word word) const { return word % 4 == 2; }
};

template <typename FlagT>
Case flagged_case(Bench& bench, std::uint64_t n) {
    return storage_case(
        bench, "family",
        "flagged by " + std::to_string(sizeof(FlagT)) + (sizeof(FlagT) == 1 ? " byte" : " bytes"), n,
        n * sizeof(Word),
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            return cub::DeviceSelect::Flagged(temp, bytes, bench.in<Word>(call, n),
                                              bench.flags<FlagT>(call, n), bench.out<Word>(call, n),
                                              bench.count(call), static_cast<std::int64_t>(n), call.stream);
        },
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            return compaction::cuda::select_flagged(temp, bytes, bench.in<Word>(call, n),
                                                    bench.flags<FlagT>(call, n), bench.out<Word>(call, n),
                                                    bench.count(call), n, call.stream);
        });
}

Case flagged_if_case(Bench& bench, std::uint64_t n) {
    return storage_case(
        bench, "family", "flagged_if", n, n * sizeof(Word),
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            return cub::DeviceSelect::FlaggedIf(temp, bytes, bench.in<Word>(call, n),
                                                bench.flags<unsigned char>(call, n), bench.out<Word>(call, n),
                                                bench.count(call), static_cast<std::int64_t>(n), IsOdd{},
                                                call.stream);
        },
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            return compaction::cuda::select_flagged_if(
                temp, bytes, bench.in<Word>(call, n), bench.flags<unsigned char>(call, n),
                bench.out<Word>(call, n), bench.count(call), n, IsOdd{}, call.stream);
        });
}

/// Indices may be wider than the items, as in torch.nonzero.
template <typename IndexT>
Case indices_case(Bench& bench, std::string name, std::uint64_t n) {
    return storage_case(
        bench, "family", std::move(name), n, n * sizeof(IndexT),
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            const thrust::transform_iterator odd(bench.in<Word>(call, n), IsOdd{});
            return cub::DeviceSelect::Flagged(temp, bytes, thrust::counting_iterator<IndexT>(0), odd,
                                              bench.out<IndexT>(call, n), bench.count(call),
                                              static_cast<std::int64_t>(n), call.stream);
        },
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            return compaction::cuda::indices_if(temp, bytes, bench.in<Word>(call, n),
                                                bench.out<IndexT>(call, n), bench.count(call), n, IsOdd{},
                                                call.stream);
        });
}

/// Positions of flags of one byte.
template <typename IndexT>
Case flag_positions_case(Bench& bench, std::uint64_t n) {
    return storage_case(
        bench, "family", "indices_flagged of " + std::to_string(8 * sizeof(IndexT)) + " bits", n,
        n * sizeof(IndexT),
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            return cub::DeviceSelect::Flagged(temp, bytes, thrust::counting_iterator<IndexT>(0),
                                              bench.flags<unsigned char>(call, n), bench.out<IndexT>(call, n),
                                              bench.count(call), static_cast<std::int64_t>(n), call.stream);
        },
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            return compaction::cuda::indices_flagged(temp, bytes, bench.flags<unsigned char>(call, n),
                                                     bench.out<IndexT>(call, n), bench.count(call), n,
                                                     call.stream);
        });
}

struct Halved {
    __host__ __device__ Word operator()(Word word) const { return word / 2; }
};

/// `make_input(words)`: an iterator over the items of a call.
template <typename MakeInputT>
Case iterator_case(Bench& bench, std::string name, std::uint64_t n, MakeInputT make_input) {
    return storage_case(
        bench, "family", std::move(name), n, n * sizeof(Word),
        [&bench, n, make_input](const Call& call, void* temp, std::size_t& bytes) {
            return cub::DeviceSelect::If(temp, bytes, make_input(bench.in<Word>(call, n)),
                                         bench.out<Word>(call, n), bench.count(call),
                                         static_cast<std::int64_t>(n), IsOdd{}, call.stream);
        },
        [&bench, n, make_input](const Call& call, void* temp, std::size_t& bytes) {
            return compaction::cuda::select_if(temp, bytes, make_input(bench.in<Word>(call, n)),
                                               bench.out<Word>(call, n), bench.count(call), n, IsOdd{},
                                               call.stream);
        });
}

struct FirstIsOdd {
    template <typename T>
    __host__ __device__ bool operator()(const thrust::tuple<T, T>& pair) const {
        return thrust::get<0>(pair) % 2 != 0;
    }
};

/// Two columns as input and output.
template <typename T>
Case zip_case(Bench& bench, std::uint64_t n) {
    const auto in = [&bench, n](const Call& call) {
        const T* const columns = bench.in<T>(call, 2 * n);
        return thrust::make_zip_iterator(columns, columns + n);
    };
    const auto out = [&bench, n](const Call& call) {
        T* const columns = bench.out<T>(call, 2 * n);
        return thrust::make_zip_iterator(columns, columns + n);
    };
    const std::string bytes_of_column = std::to_string(sizeof(T));
    return storage_case(
        bench, "family", "zip of " + bytes_of_column + " and " + bytes_of_column + " bytes", n,
        2 * n * sizeof(T),
        [&bench, n, in, out](const Call& call, void* temp, std::size_t& bytes) {
            return cub::DeviceSelect::If(temp, bytes, in(call), out(call), bench.count(call),
                                         static_cast<std::int64_t>(n), FirstIsOdd{}, call.stream);
        },
        [&bench, n, in, out](const Call& call, void* temp, std::size_t& bytes) {
            return compaction::cuda::select_if(temp, bytes, in(call), out(call), bench.count(call), n,
                                               FirstIsOdd{}, call.stream);
        });
}

template <typename ItemT>
Case in_place_case(Bench& bench, std::uint64_t n) {
    Case result = storage_case(
        bench, "in_place", std::to_string(sizeof(ItemT)) + " bytes", n, n * sizeof(ItemT),
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            return cub::DeviceSelect::If(temp, bytes, bench.out<ItemT>(call, n), bench.count(call),
                                         static_cast<std::int64_t>(n), IsOdd{}, call.stream);
        },
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            return compaction::cuda::select_if(temp, bytes, bench.out<ItemT>(call, n), bench.count(call), n,
                                               IsOdd{}, call.stream);
        });
    result.in_place = true;
    return result;
}

Case partition_case(Bench& bench, std::uint64_t n) {
    return storage_case(
        bench, "family", "partition_if", n, n * sizeof(Word),
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            return cub::DevicePartition::If(temp, bytes, bench.in<Word>(call, n), bench.out<Word>(call, n),
                                            bench.count(call), static_cast<std::int64_t>(n), IsOdd{},
                                            call.stream);
        },
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            return compaction::cuda::partition_if(temp, bytes, bench.in<Word>(call, n),
                                                  bench.out<Word>(call, n), bench.count(call), n, IsOdd{},
                                                  call.stream);
        });
}

/// CUB partitions into two outputs, each in order, if it finds nothing for a third one.
Case two_outputs_case(Bench& bench, std::uint64_t n) {
    return storage_case(
        bench, "family", "partition_if into two outputs", n, 2 * n * sizeof(Word),
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            Word* const out = bench.out<Word>(call, 2 * n);
            return cub::DevicePartition::If(temp, bytes, bench.in<Word>(call, n), out, out, out + n,
                                            bench.count(call), static_cast<std::int64_t>(n), IsOdd{}, Never{},
                                            call.stream);
        },
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            Word* const out = bench.out<Word>(call, 2 * n);
            return compaction::cuda::partition_if(temp, bytes, bench.in<Word>(call, n), out, out + n,
                                                  bench.count(call), n, IsOdd{}, call.stream);
        });
}

/// A half of the items, a quarter, and a quarter.
Case three_outputs_case(Bench& bench, std::uint64_t n) {
    return storage_case(
        bench, "family", "partition_if into three outputs", n, 3 * n * sizeof(Word),
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            Word* const out = bench.out<Word>(call, 3 * n);
            return cub::DevicePartition::If(temp, bytes, bench.in<Word>(call, n), out, out + n, out + 2 * n,
                                            bench.count(call), static_cast<std::int64_t>(n), IsOdd{},
                                            IsTwiceOdd{}, call.stream);
        },
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            Word* const out = bench.out<Word>(call, 3 * n);
            return compaction::cuda::partition_if(temp, bytes, bench.in<Word>(call, n), out, out + n,
                                                  out + 2 * n, bench.count(call), n, IsOdd{}, IsTwiceOdd{},
                                                  call.stream);
        });
}

Case unique_case(Bench& bench, std::uint64_t n) {
    return storage_case(
        bench, "family", "unique", n, n * sizeof(Word),
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            return cub::DeviceSelect::Unique(temp, bytes, bench.in<Word>(call, n), bench.out<Word>(call, n),
                                             bench.count(call), static_cast<std::int64_t>(n), call.stream);
        },
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            return compaction::cuda::unique(temp, bytes, bench.in<Word>(call, n), bench.out<Word>(call, n),
                                            bench.count(call), n, call.stream);
        });
}

Case unique_by_key_case(Bench& bench, std::uint64_t n) {
    return storage_case(
        bench, "family", "unique_by_key", n, 2 * n * sizeof(Word),
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            const Word* const in = bench.in<Word>(call, 2 * n);
            Word* const out = bench.out<Word>(call, 2 * n);
            return cub::DeviceSelect::UniqueByKey(temp, bytes, in, in + n, out, out + n, bench.count(call),
                                                  static_cast<std::int64_t>(n), ::cuda::std::equal_to<>{},
                                                  call.stream);
        },
        [&bench, n](const Call& call, void* temp, std::size_t& bytes) {
            const Word* const in = bench.in<Word>(call, 2 * n);
            Word* const out = bench.out<Word>(call, 2 * n);
            return compaction::cuda::unique_by_key(temp, bytes, in, in + n, out, out + n, bench.count(call),
                                                   n, call.stream);
        });
}

}  // namespace

void add_family(Bench& bench) {
    for (const int exponent : {14, 16, 18, 20, 22, 24, 26, 28}) {
        const std::uint64_t n = std::uint64_t{1} << exponent;
        bench.add(in_place_case<Word>(bench, n));
        if (n * sizeof(std::uint64_t) <= pool_bytes) bench.add(in_place_case<std::uint64_t>(bench, n));
        if (n * sizeof(uint4) <= pool_bytes) bench.add(in_place_case<uint4>(bench, n));
    }
    for (const int exponent : {20, 22, 24, 26, 28}) {
        const std::uint64_t n = std::uint64_t{1} << exponent;
        bench.add(flagged_case<unsigned char>(bench, n));
        bench.add(flagged_case<Word>(bench, n));
        bench.add(flagged_if_case(bench, n));
        bench.add(indices_case<Word>(bench, "indices_if", n));
        bench.add(flag_positions_case<Word>(bench, n));
        if (n * sizeof(std::uint64_t) <= pool_bytes) {
            bench.add(indices_case<std::uint64_t>(bench, "indices_if of 64 bits", n));
            bench.add(flag_positions_case<std::uint64_t>(bench, n));
        }
        bench.add(iterator_case(bench, "transform iterator", n, [](const Word* words) {
            return thrust::transform_iterator(words, Halved{});
        }));
        bench.add(iterator_case(bench, "counting iterator", n,
                                [](const Word*) { return thrust::counting_iterator<Word>(0); }));
        if (2 * n * sizeof(Word) <= pool_bytes) bench.add(zip_case<Word>(bench, n));
        if (2 * n * sizeof(std::uint64_t) <= pool_bytes) bench.add(zip_case<std::uint64_t>(bench, n));
        bench.add(partition_case(bench, n));
        if (2 * n * sizeof(Word) <= pool_bytes) bench.add(two_outputs_case(bench, n));
        if (3 * n * sizeof(Word) <= pool_bytes) bench.add(three_outputs_case(bench, n));
    }
    // From here on, the words are 0 or 1, so that half of them begin a run. Half of them stay odd.
    std::mt19937 random(1);
    std::vector<Word> runs(1 << 20);
    for (Word& word : runs) word = random() & 1;
    std::function<void()> prepare = [&bench, runs] { bench.fill_input(runs); };
    for (const int exponent : {20, 22, 24, 26, 28}) {
        Case each = unique_case(bench, std::uint64_t{1} << exponent);
        each.prepare = std::exchange(prepare, {});
        bench.add(std::move(each));
    }
    for (const int exponent : {20, 22, 24, 26})
        bench.add(unique_by_key_case(bench, std::uint64_t{1} << exponent));
}

}  // namespace select_cases
