#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cuda/std/tuple>
#include <type_traits>
#include <utility>

#include "compaction/cuda/detail/arguments.cuh"
#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/detail/rows.cuh"
#include "compaction/cuda/detail/selectors.cuh"

/// Selection between zip iterators whose columns are arrays. A tuple is not trivially copyable. The kernels
/// move a packed item of the same elements instead, in registers. Each column is read from its own array,
/// gathered in its own part of shared memory, and written to its own array.
namespace compaction::cuda::detail {

/// The most columns. Each then fits its section of a pipeline's buffer at any offset within a vector.
inline constexpr std::size_t max_zipped_columns = line_bytes / vector_bytes;

/// Whether the kernels can move a column of such elements.
template <typename T>
inline constexpr bool is_column_element =
    std::is_trivially_copyable_v<T> && !std::is_volatile_v<T> && sizeof(T) < 32;

/// Where an element lies in a packed item. An element of 8 bytes or more is aligned to a word of 4.
template <typename... Ts>
constexpr std::size_t offset_in_item(std::size_t column) {
    constexpr std::size_t sizes[]{sizeof(Ts)..., 0};
    constexpr std::size_t alignments[]{alignment_in<sizeof(Ts)>..., 1};
    std::size_t offset = 0;
    for (std::size_t c = 0;; ++c) {
        const std::size_t alignment = alignments[c] < 4 ? alignments[c] : 4;
        offset = (offset + alignment - 1) / alignment * alignment;
        if (c == column) return offset;
        offset += sizes[c];
    }
}

/// The size of the elements before a column.
template <typename... Ts>
constexpr std::size_t bytes_before(std::size_t column) {
    constexpr std::size_t sizes[]{sizeof(Ts)...};
    std::size_t bytes = 0;
    for (std::size_t c = 0; c < column; ++c) bytes += sizes[c];
    return bytes;
}

/// The size of a packed item: one that the kernels take, if it is less than 32.
template <typename... Ts>
constexpr std::size_t zipped_bytes() {
    const std::size_t end = offset_in_item<Ts...>(sizeof...(Ts));
    return end <= 2 ? end : (end + 3) / 4 * 4;
}

/// One element of each column, and padding that is never written to an array.
template <std::size_t Bytes>
struct ZippedItem {
    WordsOf<Bytes> words;
};

/// A column of a zipped item. `bytes_before`: the size of the elements of the columns before it.
template <typename T, std::size_t Index, std::size_t Offset, std::size_t BytesBefore>
struct ZippedColumn {
    using Element = T;
    using Words = WordsOf<sizeof(T)>;
    static constexpr unsigned index = Index;
    static constexpr unsigned bytes = sizeof(T);
    static constexpr unsigned bytes_before = BytesBefore;

    template <typename ItemWordsT>
    static __device__ Words words_in(const ItemWordsT& item) {
        Words words;
        memcpy(&words, reinterpret_cast<const unsigned char*>(&item) + Offset, sizeof words);
        return words;
    }
    template <typename ItemWordsT>
    static __device__ void put(ItemWordsT& item, const Words& words) {
        memcpy(reinterpret_cast<unsigned char*>(&item) + Offset, &words, sizeof words);
    }
};

template <typename... Ts>
struct ElementTypes {};

template <typename SelectorT, typename TupleT, typename ElementsT, typename IndicesT>
struct ZippedColumns;

/// Keeps the items that another selector keeps. Reads and writes each column as an array of its own. The
/// selector sees a TupleT.
///
/// The columns of a tile or a chunk lie in shared memory one after the other, in sections of `Capacity`
/// elements. In the pipeline, each section is longer by a vector, so that the first element can have the
/// same offset within a vector as in its array.
template <typename SelectorT, typename TupleT, typename... Ts, std::size_t... Indices>
struct ZippedColumns<SelectorT, TupleT, ElementTypes<Ts...>, std::index_sequence<Indices...>> : SelectorT {
    using Item = ZippedItem<zipped_bytes<Ts...>()>;
    using ItemWords = WordsOf<sizeof(Item)>;
    using Vector = VectorOf<Item>;
    static constexpr std::size_t num_columns = sizeof...(Ts);
    static constexpr unsigned width = vector_items<Item>;

    const void* in[num_columns];
    void* out[num_columns];
    /// Whether each column is aligned to the elements that a lane loads at once.
    bool loads_vectors;

    template <typename T, std::size_t Index>
    using Column = ZippedColumn<T, Index, offset_in_item<Ts...>(Index), bytes_before<Ts...>(Index)>;

    /// Calls visit(Column) for each column. On the host and on the device, as `visit` is.
#pragma nv_exec_check_disable
    template <typename VisitT>
    static COMPACTION_HOST_DEVICE void for_each_column(VisitT visit) {
        (visit(Column<Ts, Indices>{}), ...);
    }
    template <typename ColumnT>
    COMPACTION_HOST_DEVICE const typename ColumnT::Element* input(ColumnT) const {
        return static_cast<const typename ColumnT::Element*>(in[ColumnT::index]);
    }
    template <typename ColumnT>
    COMPACTION_HOST_DEVICE typename ColumnT::Element* output(ColumnT) const {
        return static_cast<typename ColumnT::Element*>(out[ColumnT::index]);
    }

    __device__ bool operator()(const Item& item, std::uint64_t position) const {
        const TupleT tuple(__builtin_bit_cast(Ts, (Column<Ts, Indices>::words_in(item.words)))...);
        return SelectorT::operator()(tuple, position);
    }

    // --- Load ---

    __device__ Item item(std::uint64_t position) const {
        Item item{};
        for_each_column([&](auto column) { column.put(item.words, words_at(input(column) + position)); });
        return item;
    }

    /// load_items for the columns. `num_items`: the length of the columns.
    template <unsigned Rows>
    __device__ void load_rows(Vector (&rows)[Rows], std::uint64_t first, bool inside,
                              std::uint64_t num_items) const {
        const std::uint64_t lane_first = first + lane_index() * width;
        if (inside && can_load_vectors()) {
#pragma unroll
            for (unsigned r = 0; r < Rows; ++r) {
                rows[r] = make_vector([&](auto column, auto& elements) {
                    const auto* const from = input(column) + lane_first + r * (warp_size * width);
                    elements = *reinterpret_cast<std::remove_reference_t<decltype(elements)> const*>(from);
                });
            }
            return;
        }
#pragma unroll
        for (unsigned r = 0; r < Rows; ++r) {
            rows[r] = make_vector([&](auto column, auto& elements) {
                typename decltype(column)::Words words[width]{};
#pragma unroll
                for (unsigned k = 0; k < width; ++k) {
                    const std::uint64_t position = lane_first + (r * (warp_size * width) + k);
                    if (position < num_items) words[k] = words_at(input(column) + position);
                }
                memcpy(&elements, words, sizeof words);
            });
        }
    }

    /// Prefetches elements [first, first + count) of each column to the L2 cache, without those at the ends
    /// that do not fill a vector. One thread calls.
    __device__ void prefetch_columns(std::uint64_t first, unsigned count, std::uint64_t num_items) const {
        const std::uint64_t last = min(first + count, num_items);
        for_each_column([&](auto column) {
            const auto begin = reinterpret_cast<std::uintptr_t>(input(column) + first);
            const std::uintptr_t from = (begin + vector_bytes - 1) / vector_bytes * vector_bytes;
            const std::uintptr_t end =
                reinterpret_cast<std::uintptr_t>(input(column) + last) / vector_bytes * vector_bytes;
            if (from < end)
                prefetch_to_l2(reinterpret_cast<const void*>(from), static_cast<unsigned>(end - from));
        });
    }

    // --- Shared memory ---

    /// Where the section of a column begins.
    template <unsigned Capacity, unsigned Spare, typename ColumnT>
    static constexpr unsigned section = Capacity* ColumnT::bytes_before + Spare* ColumnT::index;

    /// Gathers an item of the output at a rank.
    template <unsigned Capacity>
    __device__ void gather(std::uint32_t stage, unsigned rank, const ItemWords& item) const {
        for_each_column([&](auto column) {
            store_shared(stage + section<Capacity, 0, decltype(column)> + rank * column.bytes,
                         column.words_in(item));
        });
    }

    // --- Write ---

    /// Writes gathered items from rank `first` of the output on. All threads of the block call.
    template <unsigned Threads, unsigned Capacity>
    __device__ void write_gathered(const void* stage, unsigned count, std::uint64_t first) const {
        for_each_column([&](auto column) {
            const void* const from =
                static_cast<const unsigned char*>(stage) + section<Capacity, 0, decltype(column)>;
            write_lines<Threads>(static_cast<const typename decltype(column)::Words*>(from), count,
                                 output(column) + first);
        });
    }

    /// Writes one item at a rank of the output.
    __device__ void write_item(std::uint64_t rank, const ItemWords& item) const {
        for_each_column([&](auto column) {
            reinterpret_cast<typename decltype(column)::Words*>(output(column))[rank] = column.words_in(item);
        });
    }

#if COMPACTION_HAS_BULK_COPIES

    // --- Pipeline ---

    /// Requests elements [first, last) of each column for a buffer, and none outside the columns: those of a
    /// vector that is not whole are stored one by one. One lane calls.
    template <unsigned Capacity>
    __device__ void request(std::uint64_t first, std::uint64_t last, std::uint64_t num_items,
                            std::uint32_t buffer, std::uint32_t filled, std::uint64_t policy) const {
        std::uint32_t to[num_columns];
        const void* from[num_columns];
        unsigned bytes[num_columns];
        unsigned all_bytes = 0;
        for_each_column([&](auto column) {
            using Unit = WordsOf<alignment_in<column.bytes>>;
            const auto address = [&](std::uint64_t position) {
                return reinterpret_cast<std::uintptr_t>(input(column) + min(position, num_items));
            };
            const std::uintptr_t begin = address(first);
            const std::uintptr_t end = address(last);
            // Other elements of a vector may be read if they belong to the column.
            std::uintptr_t copied = begin / vector_bytes * vector_bytes;
            if (copied < address(0)) copied += vector_bytes;
            std::uintptr_t copied_end = (end + vector_bytes - 1) / vector_bytes * vector_bytes;
            if (copied_end > address(num_items)) copied_end -= vector_bytes;
            copied_end = max(copied, copied_end);
            // Every address has the same offset within a vector in both memories.
            const std::uint32_t section_begin = buffer + section<Capacity, vector_bytes, decltype(column)>;
            const auto in_buffer = [&](std::uintptr_t each) {
                return section_begin + static_cast<std::uint32_t>(each - begin / vector_bytes * vector_bytes);
            };
            const auto store_units = [&](std::uintptr_t each, std::uintptr_t units_end) {
                for (; each < units_end; each += sizeof(Unit))
                    store_shared(in_buffer(each), *reinterpret_cast<const Unit*>(each));
            };
            store_units(begin, min(copied, end));
            store_units(max(copied_end, begin), end);
            to[column.index] = in_buffer(copied);
            from[column.index] = reinterpret_cast<const void*>(copied);
            bytes[column.index] = static_cast<unsigned>(copied_end - copied);
            all_bytes += bytes[column.index];
        });
        arrive_and_expect(filled, all_bytes);
        for_each_column([&](auto column) {
            constexpr unsigned c = column.index;
            if (bytes[c] > 0) load_bulk(to[c], from[c], bytes[c], filled, policy);
        });
    }

    /// Reads rows of a chunk from its buffer.
    template <unsigned Capacity, unsigned Rows>
    __device__ void read_rows(Vector (&rows)[Rows], std::uint32_t buffer, int first_row) const {
        const unsigned lane_first = (first_row * warp_size + lane_index()) * width;
        const auto address = [&](auto column, unsigned row, unsigned k) {
            return buffer + section<Capacity, vector_bytes, decltype(column)> +
                   into_vector(in[column.index]) +
                   (lane_first + row * (warp_size * width) + k) * column.bytes;
        };
        if (can_load_vectors()) {
#pragma unroll
            for (unsigned r = 0; r < Rows; ++r) {
                rows[r] = make_vector(
                    [&](auto column, auto& elements) { load_shared(elements, address(column, r, 0)); });
            }
            return;
        }
#pragma unroll
        for (unsigned r = 0; r < Rows; ++r) {
            rows[r] = make_vector([&](auto column, auto& elements) {
                typename decltype(column)::Words words[width];
#pragma unroll
                for (unsigned k = 0; k < width; ++k) load_shared(words[k], address(column, r, k));
                memcpy(&elements, words, sizeof words);
            });
        }
    }

    /// Packs the selected items of a chunk within its buffer. Sets `from` to the begin of each column, which
    /// has the same offset within a vector as rank `first` of the output.
    template <unsigned Capacity, unsigned Rows, typename RanksT>
    __device__ void pack(std::uint32_t (&from)[num_columns], std::uint32_t buffer, std::uint64_t first,
                         const Vector (&rows)[Rows], const RanksT& ranks) const {
        for_each_column([&](auto column) {
            from[column.index] = buffer + section<Capacity, vector_bytes, decltype(column)> +
                                 into_vector(output(column) + first);
        });
        ranks.for_each_selected([&](unsigned rank, int row, int k) {
            const ItemWords item = words_in<sizeof(Item)>(rows[row], k);
            for_each_column([&](auto column) {
                store_shared(from[column.index] + rank * column.bytes, column.words_in(item));
            });
        });
    }

#endif

  private:
    __device__ bool can_load_vectors() const {
        return width == 1 || loads_vectors;
    }

    static __device__ unsigned into_vector(const void* address) {
        return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(address) % vector_bytes);
    }

    /// Makes the items of a lane. `load(column, elements)` sets the words of their elements in a column.
    template <typename LoadT>
    static __device__ Vector make_vector(LoadT load) {
        ItemWords items[width]{};
        for_each_column([&](auto column) {
            WordsOf<width * column.bytes> elements;
            load(column, elements);
            typename decltype(column)::Words words[width];
            memcpy(words, &elements, sizeof words);
#pragma unroll
            for (unsigned k = 0; k < width; ++k) column.put(items[k], words[k]);
        });
        if constexpr (sizeof(ItemWords) == 4) {
#pragma unroll
            for (ItemWords& each : items) each = opaque(each);
        }
        Vector vector;
        memcpy(&vector, items, sizeof vector);
        return vector;
    }
};

template <typename SelectorT, typename TupleT, typename ElementsT, typename IndicesT>
inline constexpr bool moves_columns<ZippedColumns<SelectorT, TupleT, ElementsT, IndicesT>> = true;

/// Checks the count, and the arrays that the inner selector reads, against each output column.
template <typename SelectorT, typename TupleT, typename ElementsT, typename IndicesT>
cudaError_t check_selector(const ZippedColumns<SelectorT, TupleT, ElementsT, IndicesT>& selector,
                           const Range&, const Range& num_selected, std::uint64_t num_items) {
    cudaError_t error = cudaSuccess;
    selector.for_each_column([&](auto column) {
        const auto* const to = selector.output(column);
        const Range first_selected(to, to ? 1 : 0);
        if (num_selected.overlaps(first_selected) ||
            num_selected.overlaps(Range(selector.input(column), num_items)))
            error = cudaErrorInvalidValue;
        if (!error)
            error = check_selector(static_cast<const SelectorT&>(selector), first_selected, num_selected,
                                   num_items);
    });
    return error;
}

// --- Zip iterators ---

template <typename T>
inline constexpr bool is_tuple = false;
template <typename... Ts>
inline constexpr bool is_tuple<::cuda::std::tuple<Ts...>> = true;

/// Whether an iterator zips others, as Thrust's zip iterator does. Names no type of Thrust, whose header
/// would be included for nothing where no iterator is zipped.
template <typename IteratorT, typename = void>
inline constexpr bool is_zip = false;
template <typename IteratorT>
inline constexpr bool
    is_zip<IteratorT, std::void_t<decltype(std::declval<const IteratorT&>().get_iterator_tuple())>> =
        is_tuple<std::decay_t<decltype(std::declval<const IteratorT&>().get_iterator_tuple())>>;

/// The type of the elements behind a pointer; void for any other iterator.
template <typename IteratorT>
using ElementBehind = std::conditional_t<std::is_pointer_v<IteratorT>,
                                         std::remove_const_t<std::remove_pointer_t<IteratorT>>, void>;
template <typename TupleT>
struct ElementsBehindTuple;
template <typename... IteratorsT>
struct ElementsBehindTuple<::cuda::std::tuple<IteratorsT...>> {
    using type = ElementTypes<ElementBehind<IteratorsT>...>;
};
/// The types of the elements behind a tuple of iterators.
template <typename TupleT>
using ElementsBehind = typename ElementsBehindTuple<TupleT>::type;

template <typename... Ts>
constexpr bool are_zipped_columns(ElementTypes<Ts...>) {
    if constexpr (sizeof...(Ts) > max_zipped_columns || (std::is_void_v<Ts> || ...)) {
        return false;
    } else if constexpr ((is_column_element<Ts> && ...)) {
        return zipped_bytes<Ts...>() < 32;
    } else {
        return false;
    }
}
template <typename... PointersT>
constexpr bool are_writable(const ::cuda::std::tuple<PointersT...>*) {
    return !(std::is_const_v<std::remove_pointer_t<PointersT>> || ...);
}

/// Whether the kernels can move the columns: both tuples hold pointers to elements of the same types.
template <typename InTupleT, typename OutTupleT>
constexpr bool fit_columns() {
    using Elements = ElementsBehind<InTupleT>;
    return std::is_same_v<Elements, ElementsBehind<OutTupleT>> && are_zipped_columns(Elements{}) &&
           are_writable(static_cast<const OutTupleT*>(nullptr));
}

/// Makes the selector of the columns behind two tuples of pointers. The selector sees items of type TupleT.
template <typename TupleT, typename SelectorT, typename InTupleT, typename OutTupleT, typename... Ts,
          std::size_t... Indices>
auto make_zipped_columns(const SelectorT& selector, const InTupleT& in, const OutTupleT& out,
                         ElementTypes<Ts...>, std::index_sequence<Indices...> indices) {
    using Columns = ZippedColumns<SelectorT, TupleT, ElementTypes<Ts...>, decltype(indices)>;
    const bool loads_vectors =
        (Range(::cuda::std::get<Indices>(in), 0).is_aligned_to(alignment_in<Columns::width * sizeof(Ts)>) &&
         ...);
    return Columns{
        selector, {::cuda::std::get<Indices>(in)...}, {::cuda::std::get<Indices>(out)...}, loads_vectors};
}

/// Whether each column is aligned as the kernels need it.
template <typename SelectorT, typename TupleT, typename ElementsT, typename IndicesT>
bool are_aligned_columns(const ZippedColumns<SelectorT, TupleT, ElementsT, IndicesT>& columns) {
    bool aligned = true;
    columns.for_each_column([&](auto column) {
        constexpr std::size_t alignment = alignment_in<column.bytes>;
        aligned = aligned && Range(columns.input(column), 0).is_aligned_to(alignment) &&
                  Range(columns.output(column), 0).is_aligned_to(alignment);
    });
    return aligned;
}

}  // namespace compaction::cuda::detail
