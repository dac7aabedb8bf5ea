#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "app/scene/slot_sample.hpp"

namespace warpsieve::scene {
namespace {

using compaction::Item;

/// Slots per leaf. A rank is a stored sum plus a count within one leaf.
constexpr std::uint64_t leaf_slots = 4096;

std::uint64_t num_live(const Item* handles, std::uint64_t begin, std::uint64_t end) {
    std::uint32_t live = 0;
    for (std::uint64_t i = begin; i < end; ++i) live += handles[i] != 0;
    return live;
}

template <typename Work>
void for_each(std::uint64_t count, std::uint64_t grain, const Work& work) {
    tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, count, grain), [&](const auto& range) {
        for (std::uint64_t i = range.begin(); i != range.end(); ++i) work(i);
    });
}

class HostSampler final : public SlotSampler {
  public:
    explicit HostSampler(std::uint64_t max_slots)
        : live_before_((max_slots + leaf_slots - 1) / leaf_slots + 1) {
        sample_.reserve();
    }

    bool enqueue(const SampleRequest& request, const FrameBuffers& buffers,
                 const SampledFrame& sampled) override {
        sample_.request = request;
        ++sample_.serial;
        sample_.frame = sampled.frame;
        sample_.algorithm = sampled.algorithm;
        sample_.slots = sampled.slots;
        sample_.kept = std::min(*buffers.num_selected, sampled.slots);
        count_leaves(buffers.in);
        sample_.first_rank = rank(buffers.in, request.window.first_slot);
        sample_.first_output_index = round_down_to_row(sample_.first_rank, request.window.row_slots());
        constexpr std::uint64_t grain = 2048;
        sample_.in.resize(request.window.cells());
        sample_.out.resize(request.window.cells());
        for_each(request.window.cells(), grain, [&](std::uint64_t cell) {
            sample_.in[cell] = slot_cell(buffers, cell);
            sample_.out[cell] = output_cell(buffers, cell);
        });
        sample_.found_output_index =
            request.wanted_handle == 0 ? SlotSample::nowhere : find(buffers, request.wanted_handle);
        return true;
    }

    std::shared_ptr<const SlotSample> poll() override {
        return sample_.serial > 0 ? shared_sample_ : nullptr;
    }

  private:
    /// Counts the live slots of each leaf, and adds the counts up to live_before_.
    void count_leaves(const Item* handles) {
        const std::uint64_t leaves = (sample_.slots + leaf_slots - 1) / leaf_slots;
        constexpr std::uint64_t grain = 16;
        for_each(leaves, grain, [&](std::uint64_t leaf) {
            live_before_[leaf] =
                num_live(handles, leaf * leaf_slots, std::min((leaf + 1) * leaf_slots, sample_.slots));
        });
        std::uint64_t before = 0;
        for (std::uint64_t leaf = 0; leaf < leaves; ++leaf)
            before += std::exchange(live_before_[leaf], before);
        live_before_[leaves] = before;
        sample_.live = before;
    }

    /// The number of live slots before `slot`.
    std::uint64_t rank(const Item* handles, std::uint64_t slot) const {
        const std::uint64_t leaf = slot / leaf_slots;
        return live_before_[leaf] + num_live(handles, leaf * leaf_slots, slot);
    }

    static std::uint8_t age_of(const FrameBuffers& buffers, Item handle) {
        return quantised_age(buffers.positions[handle - 1].age);
    }

    SlotCell slot_cell(const FrameBuffers& buffers, std::uint64_t index) const {
        const SlotWindow& window = sample_.request.window;
        const std::uint64_t begin =
            std::min(window.first_slot + index * window.slots_per_cell, sample_.slots);
        const std::uint64_t end = std::min(begin + window.slots_per_cell, sample_.slots);
        SlotCell cell;
        cell.items = static_cast<std::uint16_t>(num_live(buffers.in, begin, end));
        if (cell.items == 0) return cell;
        std::uint64_t slot = begin;
        while (buffers.in[slot] == 0) ++slot;
        cell.first_handle = buffers.in[slot];
        cell.age = quantised_age(buffers.positions[slot].age);
        return cell;
    }

    SlotCell output_cell(const FrameBuffers& buffers, std::uint64_t index) const {
        const SlotWindow& window = sample_.request.window;
        const std::uint64_t begin =
            std::min(sample_.first_output_index + index * window.slots_per_cell, sample_.kept);
        const std::uint64_t end = std::min(begin + window.slots_per_cell, sample_.kept);
        SlotCell cell;
        cell.items = static_cast<std::uint16_t>(end - begin);
        if (begin == end) return cell;
        // No branches: the compiler vectorises these loops.
        const auto slots = static_cast<Item>(sample_.slots);
        std::uint32_t invalid = 0;
        std::uint32_t disordered = begin > 0 && buffers.out[begin] <= buffers.out[begin - 1];
        for (std::uint64_t i = begin; i < end; ++i) {
            invalid |= buffers.out[i] - 1 >= slots;
        }
        for (std::uint64_t i = begin + 1; i < end; ++i) {
            disordered |= buffers.out[i] <= buffers.out[i - 1];
        }
        cell.faults = static_cast<std::uint8_t>(invalid * no_slot | disordered * out_of_order);
        cell.first_handle = buffers.out[begin];
        if (cell.first_handle != 0 && cell.first_handle <= sample_.slots)
            cell.age = age_of(buffers, cell.first_handle);
        return cell;
    }

    /// The lowest output index of the handle; SlotSample::nowhere if it is not in the output.
    std::uint64_t find(const FrameBuffers& buffers, Item wanted) const {
        constexpr std::uint64_t chunk_items = 16'384;
        std::atomic<std::uint64_t> found{SlotSample::nowhere};
        for_each((sample_.kept + chunk_items - 1) / chunk_items, 1, [&](std::uint64_t chunk) {
            const Item* const begin = buffers.out + chunk * chunk_items;
            const Item* const end = buffers.out + std::min((chunk + 1) * chunk_items, sample_.kept);
            const Item* const item = std::find(begin, end, wanted);
            if (item == end) return;
            const auto index = static_cast<std::uint64_t>(item - buffers.out);
            std::uint64_t lowest = found.load();
            while (index < lowest && !found.compare_exchange_weak(lowest, index)) {
            }
        });
        return found.load();
    }

    std::shared_ptr<SlotSample> shared_sample_ = std::make_shared<SlotSample>();
    SlotSample& sample_ = *shared_sample_;
    /// For each leaf, the live slots before it; the last entry is the total.
    std::vector<std::uint64_t> live_before_;
};

}  // namespace

std::unique_ptr<SlotSampler> make_host_sampler(std::uint64_t max_slots) {
    return std::make_unique<HostSampler>(max_slots);
}

}  // namespace warpsieve::scene
