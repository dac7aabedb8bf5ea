// Samples for the slot map, compared with plain counting, on every available engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "app/interop/interop.hpp"
#include "app/scene/slot_sample.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Item;
using scene::SampleRequest;
using scene::SlotCell;
using scene::SlotSample;

/// A stream in engine memory and its copy on the host.
class SlotSamplerTest : public testing::TestWithParam<EngineId> {
  protected:
    void SetUp() override {
        const compaction::EngineStatus& status = compaction::status_of(GetParam());
        if (!status.available) GTEST_SKIP() << status.reason;
        engine_ = compaction::open_engine(GetParam());
    }

    void make(std::uint64_t slots, double live_fraction) {
        std::mt19937 random(11);
        std::uniform_real_distribution<float> unit;
        in_.assign(slots, 0);
        positions_.resize(slots);
        out_.clear();
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            positions_[slot].age = unit(random);
            if (unit(random) >= live_fraction) continue;
            in_[slot] = slot + 1;
            out_.push_back(slot + 1);
        }
        kept_ = out_.size();
        out_.resize(slots);
    }

    /// Takes the sample and waits for it.
    const SlotSample& take(const SampleRequest& request) {
        const auto upload = [&](compaction::Buffer& buffer, const void* data, std::size_t bytes) {
            buffer = engine_->allocate(bytes);
            engine_->upload(buffer.as<void>(), data, bytes);
        };
        const std::uint64_t slots = in_.size();
        upload(device_in_, in_.data(), slots * sizeof(Item));
        upload(device_out_, out_.data(), slots * sizeof(Item));
        upload(device_positions_, positions_.data(), slots * sizeof(scene::Position));
        upload(device_kept_, &kept_, sizeof kept_);
        sampler_ = GetParam() == EngineId::cuda ? interop::make_gpu_sampler(*engine_, slots)
                                                : scene::make_host_sampler(slots);
        EXPECT_EQ(sampler_->poll(), nullptr);
        const scene::FrameBuffers stream{device_in_.as<Item>(), device_out_.as<Item>(),
                                         device_kept_.as<std::uint64_t>(), nullptr,
                                         device_positions_.as<scene::Position>()};
        const compaction::EngineCounters before = engine_->counters();
        EXPECT_TRUE(
            sampler_->enqueue(request, stream, {17, &compaction::default_algorithm(GetParam()), slots}));
        EXPECT_EQ(engine_->counters().allocations, before.allocations);
        EXPECT_EQ(engine_->counters().synchronisations, before.synchronisations);
        engine_->synchronise();
        const std::shared_ptr<const SlotSample> sample = sampler_->poll();
        EXPECT_NE(sample, nullptr);
        return *sample;
    }

    std::uint64_t live_before(std::uint64_t slot) const {
        return slot -
               static_cast<std::uint64_t>(std::count(in_.begin(), in_.begin() + static_cast<long>(slot), 0U));
    }

    std::vector<SlotCell> cells_of(const std::vector<Item>& items, std::uint64_t first, std::uint64_t end,
                                   const scene::SlotWindow& window, bool in_output) const {
        std::vector<SlotCell> cells(window.cells());
        for (std::uint64_t i = first; i < end; ++i) {
            const std::uint64_t index = (i - first) / window.slots_per_cell;
            if (index >= cells.size()) break;
            SlotCell& cell = cells[index];
            const bool strange = items[i] == 0 || items[i] > in_.size();
            if (!in_output && items[i] == 0) continue;
            if (cell.items++ == 0) {
                cell.first_handle = items[i];
                cell.age = strange ? std::uint8_t{0} : scene::quantised_age(positions_[items[i] - 1].age);
            }
            if (in_output && strange) cell.faults |= scene::no_slot;
            if (in_output && i > 0 && items[i] <= items[i - 1]) cell.faults |= scene::out_of_order;
        }
        return cells;
    }

    void expect_right(const SampleRequest& request) {
        const SlotSample& sample = take(request);
        EXPECT_EQ(sample.frame, 17U);
        EXPECT_EQ(sample.slots, in_.size());
        EXPECT_EQ(sample.kept, kept_);
        EXPECT_EQ(sample.live, live_before(in_.size()));
        EXPECT_EQ(sample.first_rank, live_before(request.window.first_slot));
        EXPECT_EQ(sample.first_output_index,
                  sample.first_rank / request.window.row_slots() * request.window.row_slots());
        EXPECT_TRUE(std::ranges::equal(
            sample.in, cells_of(in_, request.window.first_slot, in_.size(), request.window, false)));
        EXPECT_TRUE(std::ranges::equal(
            sample.out, cells_of(out_, sample.first_output_index, kept_, request.window, true)));
        const auto end = out_.begin() + static_cast<long>(kept_);
        const auto found = std::find(out_.begin(), end, request.wanted_handle);
        const bool there = request.wanted_handle != 0 && found != end;
        EXPECT_EQ(sample.found_output_index,
                  there ? static_cast<std::uint64_t>(found - out_.begin()) : SlotSample::nowhere);
    }

    std::unique_ptr<compaction::Engine> engine_;
    std::unique_ptr<scene::SlotSampler> sampler_;
    compaction::Buffer device_in_, device_out_, device_positions_, device_kept_;
    std::vector<Item> in_, out_;
    std::vector<scene::Position> positions_;
    std::uint64_t kept_ = 0;
};

TEST_P(SlotSamplerTest, AgreesWithPlainCounting) {
    for (const std::uint64_t slots : {std::uint64_t{4096}, std::uint64_t{10'007}, std::uint64_t{70'000}}) {
        for (const double live_fraction : {0.0, 0.02, 0.5, 1.0}) {
            make(slots, live_fraction);
            for (const std::uint32_t each : {1U, 2U, 8U, 32U, 128U}) {
                SCOPED_TRACE(std::to_string(slots) + " slots, " + std::to_string(live_fraction) +
                             " live, cells of " + std::to_string(each));
                const scene::SlotWindow window{
                    std::uint64_t{3} * 24 * each < slots ? std::uint64_t{3} * 24 * each : 0, 24, 19, each};
                for (const std::uint64_t first :
                     {window.first_slot, std::uint64_t{1023}, std::uint64_t{1024}, slots - 1})
                    expect_right({{first, window.columns, window.rows, each}, 2049});
            }
        }
    }
}

TEST_P(SlotSamplerTest, SupportsTheLargestRequest) {
    make(300'000, 0.5);
    expect_right({{0, 512, 256, 4}, 1});
}

TEST_P(SlotSamplerTest, ReportsFaultsOfTheOutput) {
    make(20'000, 0.5);
    std::swap(out_[100], out_[200]);
    out_[300] = 0;
    out_[400] = 20'001;
    const SampleRequest request{{0, 20, 50, 8}, out_[100]};
    expect_right(request);
    const auto faults = [&](std::size_t index) { return sampler_->poll()->out[index / 8].faults; };
    EXPECT_NE(faults(200) & scene::out_of_order, 0);
    EXPECT_NE(faults(300) & scene::no_slot, 0);
    EXPECT_NE(faults(400) & scene::no_slot, 0);
    EXPECT_EQ(faults(600), 0);
    EXPECT_EQ(sampler_->poll()->found_output_index, 100U);
}

INSTANTIATE_TEST_SUITE_P(Engines, SlotSamplerTest, testing::Values(EngineId::cpu, EngineId::cuda),
                         [](const auto& engine) { return std::string(compaction::id_of(engine.param)); });

}  // namespace
}  // namespace warpsieve
