#include "experiments/stream_ring.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "compaction/predicate.hpp"
#include "workloads/stream_function.hpp"

namespace experiments {
namespace {

using compaction::Item;

constexpr std::uint64_t alignment_bytes = 256;
constexpr std::uint64_t assumed_cache_bytes = std::uint64_t{64} << 20;
/// Cold calls read so many cache sizes before they read an item again.
constexpr std::uint64_t caches_between_reads = 3;
/// A call touches at least one line of the input and one of the output.
constexpr std::uint64_t min_touched_bytes = 256;
constexpr std::uint64_t max_poison_bytes = std::uint64_t{16} << 20;
/// The first copy into memory may take 2 s a GiB on a CPU, and a copy cannot be cancelled.
constexpr std::uint64_t max_copy_bytes = std::uint64_t{64} << 20;
/// A random item or count has this value with a probability of 2^-32.
constexpr Item poison_value = 0xbad0beef;
constexpr std::uint64_t items_per_upload = std::uint64_t{1} << 20;

std::uint64_t rounded_up(std::uint64_t bytes) {
    return (bytes + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
}

}  // namespace

RingPlan::RingPlan(const StreamSpec& stream, const compaction::DeviceInfo& device) {
    stride_bytes = rounded_up(stream.num_items * bytes_of(stream.item_size));
    if (stream.cache == Cache::cold) {
        const std::uint64_t cache_bytes = device.cache_bytes > 0 ? device.cache_bytes : assumed_cache_bytes;
        const std::uint64_t touched_bytes =
            std::max(stream.num_items * bytes_of(stream.item_size), min_touched_bytes);
        num_buffers = (caches_between_reads * cache_bytes + touched_bytes - 1) / touched_bytes;
    }
    const std::uint64_t outputs_bytes = num_buffers * stride_bytes;
    const std::uint64_t counts_bytes = num_buffers * alignment_bytes;
    bytes =
        2 * outputs_bytes + counts_bytes + std::min(max_poison_bytes, std::max(outputs_bytes, counts_bytes));
}

StreamRing::StreamRing(compaction::Engine& engine, const StreamSpec& stream, const RingPlan& plan,
                       const std::atomic<bool>* cancel)
    : engine_(engine),
      plan_(plan),
      cancel_(cancel),
      inputs_(engine.allocate(plan.num_buffers * plan.stride_bytes)),
      outputs_(engine.allocate(plan.num_buffers * plan.stride_bytes)),
      counts_(engine.allocate(plan.num_buffers * alignment_bytes)),
      poison_(engine.allocate(
          std::min(max_poison_bytes, std::max(outputs_.size_bytes(), counts_.size_bytes())))) {
    fill_inputs(stream);
    fill_poison();
    poison(0, plan_.num_buffers);
    engine_.synchronise();
}

CallBuffers StreamRing::operator[](std::size_t index) const {
    const std::uint64_t offset = index * plan_.stride_bytes;
    return {inputs_.as<std::byte>() + offset, outputs_.as<std::byte>() + offset,
            reinterpret_cast<std::uint64_t*>(counts_.as<std::byte>() + index * alignment_bytes)};
}

void StreamRing::fill_inputs(const StreamSpec& stream) {
    workloads::StreamFunctions functions;
    const workloads::StreamFunction item_at =
        functions.make(stream.pattern, stream.num_items, stream.keep_fraction, stream.seed, stream.picture);
    std::vector<Item> part(std::min(items_per_upload, stream.num_items));
    const std::uint64_t item_bytes = bytes_of(stream.item_size);
    for (std::uint64_t done = 0; done < stream.num_items; done += part.size()) {
        if (cancelled()) return;
        part.resize(std::min(items_per_upload, stream.num_items - done));
        workloads::fill_part(part, item_at, done);
        num_kept_ += static_cast<std::uint64_t>(std::ranges::count_if(part, compaction::keep_non_zero()));
        const std::vector<Item> words = workloads::widen(part, stream.item_size, stream.seed + done);
        engine_.upload(inputs_.as<std::byte>() + done * item_bytes, words.data(),
                       words.size() * sizeof(Item));
    }
    repeat(inputs_, plan_.stride_bytes);
}

void StreamRing::fill_poison() {
    const std::vector<Item> seed(alignment_bytes / sizeof(Item), poison_value);
    engine_.upload(poison_.as<void>(), seed.data(), alignment_bytes);
    repeat(poison_, alignment_bytes);
}

/// Repeats the first `period_bytes` of a buffer up to its end. The copies double, up to a maximum.
void StreamRing::repeat(const compaction::Buffer& buffer, std::uint64_t period_bytes) {
    auto* const data = buffer.as<std::byte>();
    for (std::uint64_t filled = period_bytes; filled < buffer.size_bytes() && !cancelled();) {
        const std::uint64_t from = filled % period_bytes;
        const std::uint64_t more = std::min({filled - from, max_copy_bytes, buffer.size_bytes() - filled});
        engine_.enqueue_copy(data + filled, data + from, more);
        filled += more;
    }
}

void StreamRing::poison(std::size_t first, std::size_t count) {
    if (count >= plan_.num_buffers) return poison_range(0, plan_.num_buffers);
    const std::size_t before_the_end = std::min(count, plan_.num_buffers - first);
    poison_range(first, before_the_end);
    poison_range(0, count - before_the_end);
}

void StreamRing::poison_range(std::size_t first, std::size_t count) {
    const auto cover = [this](const compaction::Buffer& buffer, std::uint64_t begin, std::uint64_t size) {
        for (std::uint64_t done = 0; done < size && !cancelled(); done += poison_.size_bytes()) {
            const std::uint64_t part = std::min<std::uint64_t>(poison_.size_bytes(), size - done);
            engine_.enqueue_copy(buffer.as<std::byte>() + begin + done, poison_.as<void>(), part);
        }
    };
    cover(outputs_, first * plan_.stride_bytes, count * plan_.stride_bytes);
    cover(counts_, first * alignment_bytes, count * alignment_bytes);
}

std::uint64_t memory_needed(const compaction::Engine& engine, const StreamSpec& stream) {
    const std::uint64_t ring = RingPlan(stream, engine.device()).bytes;
    // The stream is made in parts in host memory, which the CPU engine also uses.
    const bool on_host = engine.id() != compaction::EngineId::cuda;
    const std::uint64_t part = std::min(items_per_upload, stream.num_items);
    return ring + (on_host ? part * (sizeof(Item) + bytes_of(stream.item_size)) : 0);
}

}  // namespace experiments
