#pragma once

#include <cstddef>
#include <cstdint>
#include <cub/device/device_select.cuh>
#include <memory>
#include <string>
#include <utility>

#include "bench/select_cases/bench.hpp"
#include "compaction/cuda/select_iterators.cuh"

/// The cases, a file for each group.
namespace select_cases {

void add_predicates(Bench& bench);
void add_lengths(Bench& bench);
void add_items(Bench& bench);
void add_circumstances(Bench& bench);
void add_family(Bench& bench);
void add_columns(Bench& bench);
/// Call it last, because these cases overwrite the input.
void add_patterns(Bench& bench);

/// Keeps about half of random items of any size.
struct IsOdd {
    template <typename ItemT>
    __host__ __device__ bool operator()(const ItemT& item) const {
        return (reinterpret_cast<const unsigned char&>(item) & 1) != 0;
    }
};

/// A case of calls with temporary storage: cub(call, temp, bytes) beside ours(call, temp, bytes).
template <typename CubT, typename OursT>
Case storage_case(Bench& bench, std::string group, std::string name, std::uint64_t n, std::size_t bytes_in,
                  CubT cub, OursT ours) {
    const auto with_storage = [&bench](auto enqueue) {
        return [&bench, enqueue](const Call& call) {
            bench.with_storage(call,
                               [&](void* temp, std::size_t& bytes) { return enqueue(call, temp, bytes); });
        };
    };
    return {std::move(group), std::move(name), n, bytes_in, with_storage(cub), with_storage(ours)};
}

/// A selection with temporary storage.
template <typename ItemT, typename PredicateT>
Case select_case(Bench& bench, std::string group, std::string name, std::uint64_t n, PredicateT predicate) {
    return storage_case(
        bench, std::move(group), std::move(name), n, n * sizeof(ItemT),
        [&bench, n, predicate](const Call& call, void* temp, std::size_t& bytes) {
            return cub::DeviceSelect::If(temp, bytes, bench.in<ItemT>(call, n), bench.out<ItemT>(call, n),
                                         bench.count(call), static_cast<std::int64_t>(n), predicate,
                                         call.stream);
        },
        [&bench, n, predicate](const Call& call, void* temp, std::size_t& bytes) {
            return compaction::cuda::select_if(temp, bytes, bench.in<ItemT>(call, n),
                                               bench.out<ItemT>(call, n), bench.count(call), n, predicate,
                                               call.stream);
        });
}

/// A selection of words with a state.
template <typename PredicateT>
Case state_case(Bench& bench, std::string group, std::string name, std::uint64_t n, PredicateT predicate) {
    Case result = select_case<Word>(bench, std::move(group), std::move(name), n, predicate);
    const auto states = std::make_shared<std::array<compaction::cuda::SelectState, max_streams>>();
    result.ours = [&bench, n, predicate, states](const Call& call) {
        auto& state = (*states)[call.stream_index];
        check(state.reserve<Word>(n), "SelectState::reserve");
        check(compaction::cuda::select_if(state, bench.in<Word>(call, n), bench.out<Word>(call, n),
                                          bench.count(call), n, predicate, call.stream),
              "select_if");
    };
    return result;
}

}  // namespace select_cases
