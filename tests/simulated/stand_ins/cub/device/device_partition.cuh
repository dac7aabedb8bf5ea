#pragma once

#include <cub/device/device_select.cuh>

namespace cub {

/// Stands in for CUB as device_select.cuh does. As with CUB, the rest follows in reverse order.
struct DevicePartition {
    template <typename InT, typename OutT, typename CountT, typename PredicateT>
    static auto If(void* storage, std::size_t& bytes, InT in, OutT out, CountT count, std::int64_t items,
                   PredicateT predicate, stand_in::cudaStream_t) {
        return partition(storage, bytes, in, out, count, items,
                         [&](std::int64_t i) { return static_cast<bool>(predicate(in[i])); });
    }
    template <typename InT, typename FlagsT, typename OutT, typename CountT>
    static auto Flagged(void* storage, std::size_t& bytes, InT in, FlagsT flags, OutT out, CountT count,
                        std::int64_t items, stand_in::cudaStream_t) {
        return partition(storage, bytes, in, out, count, items,
                         [&](std::int64_t i) { return static_cast<bool>(flags[i]); });
    }
    template <typename InT, typename FirstT, typename SecondT, typename RestT, typename CountT,
              typename IsFirstT, typename IsSecondT>
    static auto If(void* storage, std::size_t& bytes, InT in, FirstT first_out, SecondT second_out,
                   RestT rest_out, CountT count, std::int64_t items, IsFirstT is_first, IsSecondT is_second,
                   stand_in::cudaStream_t) {
        return stand_in::run(storage, bytes, [&] {
            std::int64_t first = 0;
            std::int64_t second = 0;
            std::int64_t rest = 0;
            for (std::int64_t i = 0; i < items; ++i) {
                if (is_first(in[i]))
                    first_out[first++] = in[i];
                else if (is_second(in[i]))
                    second_out[second++] = in[i];
                else
                    rest_out[rest++] = in[i];
            }
            using Count = typename std::iterator_traits<CountT>::value_type;
            count[0] = static_cast<Count>(first);
            count[1] = static_cast<Count>(second);
        });
    }

  private:
    template <typename InT, typename OutT, typename CountT, typename IsSelectedT>
    static auto partition(void* storage, std::size_t& bytes, InT in, OutT out, CountT count,
                          std::int64_t items, IsSelectedT is_selected) {
        return stand_in::run(storage, bytes, [&] {
            std::int64_t selected = 0;
            std::int64_t rest = items;
            for (std::int64_t i = 0; i < items; ++i) {
                if (is_selected(i))
                    out[selected++] = in[i];
                else
                    out[--rest] = in[i];
            }
            *count = static_cast<typename std::iterator_traits<CountT>::value_type>(selected);
        });
    }
};

}  // namespace cub
