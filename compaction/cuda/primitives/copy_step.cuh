#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

#include "compaction/cuda/check.hpp"
#include "compaction/cuda/stamps.cuh"
#include "compaction/cuda/warp.cuh"
#include "compaction/item.hpp"
#include "cuda/engine.hpp"
#include "cuda/primitives/batch.cuh"
#include "cuda/primitives/dispatch.cuh"
#include "cuda/support/stamps.hpp"
#include "registration.hpp"

/// Copies as separately measured steps. A copy ignores item boundaries: it moves accesses of 4, 8 or 16
/// bytes, and the words at both ends that do not fill an aligned access.
namespace compaction::cuda {

/// Words to copy, in accesses of one type. in, out: [num_words], with the same offset from an aligned
/// address.
template <typename AccessT>
struct CopyView {
    static constexpr unsigned access_words = sizeof(AccessT) / sizeof(Item);

    const Item* in;
    Item* out;
    std::uint64_t num_words;
    std::uint64_t head_words;  ///< words before the first aligned access
    std::uint64_t num_accesses;

    __device__ void copy_access(std::uint64_t i) const {
        const auto* const from = reinterpret_cast<const AccessT*>(in + head_words);
        auto* const to = reinterpret_cast<AccessT*>(out + head_words);
        to[i] = __ldg(from + i);
    }

    /// Copies the words outside the accesses. Either end has fewer words than an access, so one warp has
    /// enough threads. Every thread of the grid calls and passes its index.
    __device__ void copy_ends(std::uint64_t thread) const {
        if (thread < head_words) out[thread] = in[thread];
        const std::uint64_t tail_word = head_words + num_accesses * access_words + thread;
        if (tail_word < num_words) out[tail_word] = in[tail_word];
    }
};

template <typename AccessT>
CopyView<AccessT> make_copy_view(const Item* in, Item* out, std::uint64_t num_words) {
    constexpr std::uint64_t access_words = CopyView<AccessT>::access_words;
    const std::uint64_t words_past_aligned =
        reinterpret_cast<std::uintptr_t>(in) / sizeof(Item) % access_words;
    const std::uint64_t head_words = std::min((access_words - words_past_aligned) % access_words, num_words);
    return {in, out, num_words, head_words, (num_words - head_words) / access_words};
}

/// The widest access of up to `max_bytes` for which both arrays have the same offset from an aligned
/// address.
inline std::size_t common_access_bytes(const void* in, const void* out, std::size_t max_bytes) {
    const auto distance = reinterpret_cast<std::uintptr_t>(in) - reinterpret_cast<std::uintptr_t>(out);
    while (distance % max_bytes != 0) max_bytes /= 2;
    return max_bytes;
}

/// Calls visit(std::type_identity<AccessT>{}) with the built-in type of 4, 8 or 16 bytes.
template <typename Visit>
void visit_access(std::size_t bytes, Visit visit) {
    if (bytes == 16) return visit(std::type_identity<detail::WordsOf<16>>{});
    if (bytes == 8) return visit(std::type_identity<detail::WordsOf<8>>{});
    visit(std::type_identity<detail::WordsOf<4>>{});
}

/// The number of vectors that the items fill.
inline std::uint64_t num_vectors(std::uint64_t num_items, const Options& options) {
    const std::uint64_t width = options[Option::vector_width];
    return (num_items + width - 1) / width;
}

/// Copies equal parts of `part_size` accesses, one for each warp; parts at the end of the view may be
/// shorter.
template <typename AccessT>
__global__ void __launch_bounds__(max_threads_per_block)
    copy_parts(CopyView<AccessT> view, std::uint64_t part_size, Stamps stamps) {
    const BlockStamp stamp(stamps);
    const std::uint64_t begin = part_size * warp_in_grid();
    const std::uint64_t end = min(begin + part_size, view.num_accesses);
    for (std::uint64_t i = begin + lane_index(); i < end; i += warp_size) view.copy_access(i);
    view.copy_ends(thread_in_grid());
}

/// A copy as a step. Loop: complete(options, num_items, num_multiprocessors) replaces the automatic options,
/// and launch(view, options, stream, stamps) starts the kernel. Optional: reserve(options, num_accesses,
/// stream) allocates and prepares for aligned arrays of that many accesses;
/// covered_parts(options, num_items) describes the leading part of the array that a truncating copy covers.
template <typename Loop>
class CopyStep final : public Compactor {
  public:
    CopyStep(Engine& engine, const Options& requested, ItemSize item_size)
        : engine_(static_cast<CudaEngine&>(engine)),
          options_(with_default_width(requested, 4, item_size)),
          item_size_(item_size) {}

    Options resolved_options(std::uint64_t num_items) const override {
        return Loop::complete(options_, num_items, engine_.num_multiprocessors());
    }

    Partition partition(std::uint64_t num_items) const override {
        if constexpr (requires { &Loop::covered_parts; }) {
            return Loop::covered_parts(resolved_options(num_items), num_items);
        }
        return Compactor::partition(num_items);
    }

    void do_reserve(std::uint64_t max_items) override {
        if constexpr (requires { &Loop::reserve; }) {
            const Options resolved = resolved_options(max_items);
            loop_.reserve(resolved, max_items / resolved[Option::vector_width], engine_.stream());
        }
    }

    void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t*, Predicate,
                    PhaseRecorder* recorder) override {
        const TimedPhase phase{recorder};
        if (num_items == 0) return;
        const Options resolved = resolved_options(num_items);
        if constexpr (requires { &Loop::covered_parts; }) {
            num_items = Loop::covered_parts(resolved, num_items).num_items;
        }
        const std::size_t bytes =
            common_access_bytes(in, out, resolved[Option::vector_width] * bytes_of(item_size_));
        visit_access(bytes, [&]<typename AccessT>(std::type_identity<AccessT>) {
            const auto view = make_copy_view<AccessT>(static_cast<const Item*>(in), static_cast<Item*>(out),
                                                      num_items * words_of(item_size_));
            loop_.launch(view, resolved, engine_.stream(), phase.stamps());
        });
    }

  private:
    CudaEngine& engine_;
    Options options_;  ///< options that depend on the length stay automatic
    ItemSize item_size_;
    Loop loop_;
};

/// The registration of a CopyStep without its source and its further options. `how` completes the sentence
/// "Every item is read and written once, ...".
template <typename Loop>
Registration copy_step_registration(const std::string& how) {
    Registration registration;
    registration.algorithm.operation = Operation::copy;
    registration.algorithm.phases = {{PhaseRole::scatter, "copy",
                                      "Every item is read and written once, " + how + ".",
                                      traffic::reads_all_writes_all}};
    registration.algorithm.options = {every_vector_width(), every_block_size()};
    registration.make = make_with_item_size<CopyStep<Loop>>;
    return registration;
}

/// Up to four times as many blocks as the searches of the series need with blocks of 64 threads and one item
/// per thread.
inline LegalRange every_copy_grid_size() {
    return {Option::blocks, 1, 1U << 20};
}

/// Texts that the catalogue entries of the copies share.
inline constexpr const char* copy_series = "Parallel Stream Compaction, part 3 (2018), ";
inline constexpr const char* narrower_access =
    " Accesses are narrower where input and output are not equally far from an aligned address.";

}  // namespace compaction::cuda
