#pragma once

#include <cstddef>
#include <cstdint>

#include "compaction/cuda/detail/rows.cuh"
#include "compaction/item.hpp"
#include "compaction/predicate.hpp"

/// How a warp reads a stream with vectors of any width: in rows of 32 lanes x Width items, several rows at
/// a time. Items are of type ItemT: Item, Item8 or Item16.
namespace compaction::cuda {

/// The built-in type of Width items.
template <typename ItemT, int Width>
using VectorOf = detail::WordsOf<Width * sizeof(ItemT)>;

/// Loads one item through the read-only cache, in one access.
template <typename ItemT>
__device__ ItemT load_read_only(const ItemT* address) {
    ItemT item;
    reinterpret_cast<VectorOf<ItemT, 1>&>(item) = __ldg(reinterpret_cast<const VectorOf<ItemT, 1>*>(address));
    return item;
}

/// The bytes that a lane holds at a time. Narrower vectors or items need more loads for the same bytes.
inline constexpr std::size_t bytes_per_lane = 64;
template <typename ItemT>
inline constexpr int batch_items_per_lane = static_cast<int>(bytes_per_lane / sizeof(ItemT));
template <typename ItemT>
inline constexpr unsigned items_per_batch = batch_items_per_lane<ItemT>* warp_size;
template <typename ItemT, int Width>
inline constexpr int rows_per_batch = batch_items_per_lane<ItemT> / Width;

/// The rows that a warp holds in registers: item[row][k] is item k of this lane's vector in that row.
template <typename ItemT, int Width, int Rows = rows_per_batch<ItemT, Width>>
struct Batch {
    static constexpr int num_rows = Rows;
    ItemT item[num_rows][Width];
};

/// A stream laid out in rows. The first row begins at the aligned address at or before the stream, so that
/// every row can be read with vectors. Items outside [begin, end) read as ItemT{}, which no Predicate
/// keeps.
template <typename ItemT, int Width>
struct RowView : detail::AlignedSpan<ItemT, Width> {
    using detail::AlignedSpan<ItemT, Width>::base;
    using detail::AlignedSpan<ItemT, Width>::begin;
    using detail::AlignedSpan<ItemT, Width>::end;
    static constexpr unsigned row_items = warp_size * Width;

    COMPACTION_HOST_DEVICE std::uint64_t num_rows() const { return (end + row_items - 1) / row_items; }

    /// Loads a batch inside the stream by vectors, all in flight before the first is used.
    template <int Rows = rows_per_batch<ItemT, Width>>
    __device__ Batch<ItemT, Width, Rows> load_full(std::uint64_t row) const {
        using VectorType = VectorOf<ItemT, Width>;
        const auto* vectors = reinterpret_cast<const VectorType*>(base) + row * warp_size + lane_index();
        Batch<ItemT, Width, Rows> batch;
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            reinterpret_cast<VectorType&>(batch.item[r]) = __ldg(vectors + r * warp_size);
        }
        return batch;
    }

    /// Loads a batch item by item. Items outside the stream or in rows from `end_row` on are ItemT{}.
    template <int Rows = rows_per_batch<ItemT, Width>>
    __device__ Batch<ItemT, Width, Rows> load_guarded(std::uint64_t row, std::uint64_t end_row) const {
        const std::uint64_t limit = min(end, end_row * row_items);
        Batch<ItemT, Width, Rows> batch;
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
#pragma unroll
            for (int k = 0; k < Width; ++k) {
                const std::uint64_t i = (row + r) * row_items + lane_index() * Width + k;
                batch.item[r][k] = i >= begin && i < limit ? base[i] : ItemT{};
            }
        }
        return batch;
    }

    /// Loads a single row, which may reach past an end of the stream or lie outside it.
    __device__ Batch<ItemT, Width, 1> load_row(std::uint64_t row) const {
        const bool inside = row * row_items >= begin && (row + 1) * row_items <= end;
        return inside ? load_full<1>(row) : load_guarded<1>(row, row + 1);
    }
};

/// in: [num_items], aligned to an item.
template <typename ItemT, int Width>
RowView<ItemT, Width> make_row_view(const ItemT* in, std::uint64_t num_items) {
    return {detail::make_aligned_span<ItemT, Width>(in, num_items)};
}

/// Calls visit(batch) for every batch of rows [first_row, end_row), in order. Only a batch at an end of the
/// stream or of the rows is read item by item.
template <typename ItemT, int Width, int Rows = rows_per_batch<ItemT, Width>, typename Visit>
__device__ void for_each_batch(const RowView<ItemT, Width>& rows, std::uint64_t first_row,
                               std::uint64_t end_row, Visit visit) {
    std::uint64_t row = first_row;
    if (row == 0 && rows.begin > 0 && row < end_row) {
        visit(rows.template load_guarded<Rows>(row, end_row));
        row += Rows;
    }
    const std::uint64_t full_end = min(end_row, rows.end / RowView<ItemT, Width>::row_items);
    for (; row + Rows <= full_end; row += Rows) visit(rows.template load_full<Rows>(row));
    for (; row < end_row; row += Rows) visit(rows.template load_guarded<Rows>(row, end_row));
}

}  // namespace compaction::cuda
