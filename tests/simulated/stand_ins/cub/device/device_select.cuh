#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <iterator>

/// Stands in for CUB, whose kernels only NVIDIA's compiler can build, in tests on the simulated GPU: plain
/// loops with CUB's arguments. What the library hands to CUB thus tests how it calls CUB, and nothing else.
namespace cub::stand_in {

using compaction::simulated::cudaError_t;
using compaction::simulated::cudaStream_t;
using compaction::simulated::cudaSuccess;

/// Sets the size of the storage if `storage` is null; else runs `loop`.
template <typename LoopT>
cudaError_t run(void* storage, std::size_t& bytes, LoopT loop) {
    if (storage != nullptr)
        loop();
    else
        bytes = 1;
    return cudaSuccess;
}

/// Copies the items that `is_selected(i)` keeps, in order.
template <typename InT, typename OutT, typename CountT, typename IsSelectedT>
cudaError_t select(void* storage, std::size_t& bytes, InT in, OutT out, CountT count, std::int64_t items,
                   IsSelectedT is_selected) {
    return run(storage, bytes, [&] {
        std::int64_t selected = 0;
        for (std::int64_t i = 0; i < items; ++i)
            if (is_selected(i)) out[selected++] = in[i];
        *count = static_cast<typename std::iterator_traits<CountT>::value_type>(selected);
    });
}

}  // namespace cub::stand_in

namespace cub {

struct DeviceSelect {
    template <typename InT, typename OutT, typename CountT, typename PredicateT>
    static auto If(void* storage, std::size_t& bytes, InT in, OutT out, CountT count, std::int64_t items,
                   PredicateT predicate, stand_in::cudaStream_t) {
        return stand_in::select(storage, bytes, in, out, count, items, [&](std::int64_t i) {
            typename std::iterator_traits<InT>::value_type item = in[i];
            return predicate(item);
        });
    }
    template <typename DataT, typename CountT, typename PredicateT>
    static auto If(void* storage, std::size_t& bytes, DataT data, CountT count, std::int64_t items,
                   PredicateT predicate, stand_in::cudaStream_t stream) {
        return If(storage, bytes, data, data, count, items, predicate, stream);
    }
    template <typename InT, typename FlagsT, typename OutT, typename CountT>
    static auto Flagged(void* storage, std::size_t& bytes, InT in, FlagsT flags, OutT out, CountT count,
                        std::int64_t items, stand_in::cudaStream_t) {
        return stand_in::select(storage, bytes, in, out, count, items,
                                [&](std::int64_t i) { return static_cast<bool>(flags[i]); });
    }
    template <typename DataT, typename FlagsT, typename CountT>
    static auto Flagged(void* storage, std::size_t& bytes, DataT data, FlagsT flags, CountT count,
                        std::int64_t items, stand_in::cudaStream_t stream) {
        return Flagged(storage, bytes, data, flags, data, count, items, stream);
    }
    template <typename InT, typename FlagsT, typename OutT, typename CountT, typename PredicateT>
    static auto FlaggedIf(void* storage, std::size_t& bytes, InT in, FlagsT flags, OutT out, CountT count,
                          std::int64_t items, PredicateT predicate, stand_in::cudaStream_t) {
        return stand_in::select(storage, bytes, in, out, count, items,
                                [&](std::int64_t i) { return static_cast<bool>(predicate(flags[i])); });
    }
    template <typename DataT, typename FlagsT, typename CountT, typename PredicateT>
    static auto FlaggedIf(void* storage, std::size_t& bytes, DataT data, FlagsT flags, CountT count,
                          std::int64_t items, PredicateT predicate, stand_in::cudaStream_t stream) {
        return FlaggedIf(storage, bytes, data, flags, data, count, items, predicate, stream);
    }
    template <typename InT, typename OutT, typename CountT>
    static auto Unique(void* storage, std::size_t& bytes, InT in, OutT out, CountT count, std::int64_t items,
                       stand_in::cudaStream_t) {
        return stand_in::select(storage, bytes, in, out, count, items,
                                [&](std::int64_t i) { return i == 0 || !(in[i - 1] == in[i]); });
    }
    template <typename KeysT, typename ValuesT, typename KeysOutT, typename ValuesOutT, typename CountT,
              typename EqualT>
    static auto UniqueByKey(void* storage, std::size_t& bytes, KeysT keys, ValuesT values, KeysOutT keys_out,
                            ValuesOutT values_out, CountT count, std::int64_t items, EqualT equal,
                            stand_in::cudaStream_t) {
        const auto begins_run = [&](std::int64_t i) { return i == 0 || !equal(keys[i - 1], keys[i]); };
        stand_in::select(storage, bytes, keys, keys_out, count, items, begins_run);
        return stand_in::select(storage, bytes, values, values_out, count, items, begins_run);
    }
};

}  // namespace cub
