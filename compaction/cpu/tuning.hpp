#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// The tuning numbers of the CPU engine, each with the measurement that chose it. Sections in brackets are in
/// docs/notes/cpu_engine.md. Xeon: Intel Emerald Rapids, 16 threads. EPYC: AMD Zen 4, 2 threads.
namespace compaction::cpu::tuning {

// ---- Threads and sequences

/// Up to this size the calling thread does all the work: waking others costs more than they save. Xeon, 512
/// KiB: one thread 22 us, threads that already run 9 us; 1 MiB: one thread 43 us, woken threads 18 to 20 us.
/// [Short streams]
inline constexpr std::uint64_t one_thread_bytes = 512 << 10;

/// Up to this many items the calling thread compacts without choosing options or counting first. No algorithm
/// is then slower than the plain loop, at any of these lengths. [Short streams]
inline constexpr std::uint64_t max_short_items = 4'096;

/// Up to this many items a loop of conditional moves is faster than calling a kernel, which takes 1.6 ns.
/// [Short streams]
inline constexpr std::uint64_t max_inline_items = 6;

/// Sequences per thread, at least, to balance the load. Not measured.
inline constexpr std::uint64_t sequences_per_thread = 4;

/// Short streams use shorter sequences, so that every thread gets some, down to this size. Not
/// measured.
inline constexpr std::uint64_t min_sequence_bytes = 32 << 10;

/// The usual size of a sequence that is counted and moved in two passes. Not measured.
inline constexpr std::uint64_t two_pass_sequence_bytes = 64 << 10;

/// The usual size of a sequence that is ranked once: a core's cache holds this many, so that two buffers of
/// that size take a quarter. EPYC and Xeon: 64 to 512 KiB differ little. [Long streams]
inline constexpr std::uint64_t ranked_sequences_per_core_cache = 8;
inline constexpr std::uint64_t max_ranked_sequence_bytes = 256 << 10;

/// The usual size of a sequence that is read again is a core's cache, up to this. EPYC, 90 % kept: 256 KiB,
/// 512 KiB, 1 MiB and 2 MiB take 0.94, 0.91, 0.87 and 0.86 of ranking once; 2 MiB loses at 1 % kept.
/// [Where memory waits for the program]
inline constexpr std::uint64_t max_reread_sequence_bytes = 1 << 20;

/// The buffer for the first kept items of a sequence; the rest is only counted. Half of a usual first-level
/// cache. Larger buffers pass through the second level, which disturbs hardware prefetching: Zen 4, ranking,
/// 90 % kept, 17.3 ms with 32 KiB or more, 10.2 with 8. [Where memory waits for the program]
inline constexpr std::uint64_t reread_buffer_bytes = 16 << 10;

/// With fewer threads than this, memory is idle while one of them writes, so that thread prefetches its next
/// input. Xeon, three threads, time without over time with: 1.08 / 1.09 / 1.05 at 1 / 50 / 90 % kept. From
/// four on, others read meanwhile. [Long streams]
inline constexpr std::uint32_t threads_that_saturate_memory = 4;

/// Polls of a status word before a waiting thread yields its processor. Not measured.
inline constexpr unsigned polls_before_yield = 128;

// ---- Caches

/// Cache sizes to assume if the system does not report them: per core (second level) and shared (last level).
inline constexpr std::uint64_t usual_core_cache_bytes = 512 << 10;
inline constexpr std::uint64_t usual_shared_cache_bytes = 32 << 20;

/// Allocations of at least this size ask for huge pages. EPYC: reading 1.6 times as fast. [Long streams]
inline constexpr std::size_t huge_page_bytes = 2 << 20;

/// One task of a parallel copy: long enough to be worth a task, short enough to balance the load.
inline constexpr std::size_t copy_piece_bytes = 256 << 10;

// ---- Prefetching

/// Vendors whose hardware prefetches sequential input so well that software prefetches slow it down. They
/// occupy the few miss buffers of the first-level cache, which hardware prefetches into the second level do
/// not need. Zen 4, one thread, half kept: 12.2 ms without software prefetches, 13.9 with. Intel server
/// processors gain: Xeon, 16 threads, counting 1.90 ms without, 1.30 with. [Where memory waits for the
/// program]
///
/// The vendor's name decides, because nothing cheaper than a benchmark does. Cache sizes do not: both
/// machines have 1 to 2 MiB per core. A measurement at start was rejected: it has to read from memory on all
/// threads, the speed of a shared machine changes (EPYC: 7.5 or 11.5 ms for one copy, within minutes), and a
/// different outcome would change the automatic options from one start to the next. Other vendors use
/// software prefetches. Only Zen 4 and Emerald Rapids were measured.
inline constexpr std::array<std::string_view, 1> vendors_with_hardware_prefetch_alone{"AuthenticAMD"};

/// How far ahead kernels prefetch input: farther if they also write, because their reads take longer. EPYC,
/// ranking, half kept, 4 / 6 / 8 / 12 / 16 KiB: 10.7 / 9.3 / 8.9 / 9.2 / 9.4 ms; counting before moving: 14.8
/// / 14.8 / 17.4 / 17.8 / 16.9 ms. [Long streams]
inline constexpr std::ptrdiff_t count_prefetch_bytes = 4'096;
inline constexpr std::ptrdiff_t move_prefetch_bytes = 8'192;

/// How far ahead kernels prefetch output, for vectors as long as a line. Xeon, 2^18 items: 33.5 us
/// against 51.4 without; 1,024 bytes is no better. [One thread, in the cache]
inline constexpr std::size_t output_prefetch_bytes = 512;

// ---- Kernels

/// Up to this size Kernels::compact avoids setup costs: it stores by mask or through a stack buffer. Masked
/// stores are faster up to 8 KiB, equal at 16 and 9 to 20 % slower beyond. [Short streams]
inline constexpr std::size_t short_bytes = 8'192;

/// Without masked stores, Kernels::compact takes up to `unrolled_items` by conditional moves and, with
/// vectors of two items, up to `itemwise_items` one by one. [Short streams]
inline constexpr std::uint64_t unrolled_items = 8;
inline constexpr std::uint64_t itemwise_items = 24;

}  // namespace compaction::cpu::tuning
