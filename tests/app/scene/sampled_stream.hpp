#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "app/scene/slot_sample.hpp"
#include "app/scene/sources.hpp"
#include "compaction/engine.hpp"
#include "tests/app/view_model/fake_snapshot.hpp"

namespace warpsieve::fake {

/// A fountain on the CPU engine, compacted once and traced, for the slot map. If the view's algorithm is not
/// stable, the output is shuffled.
class SampledStream {
  public:
    explicit SampledStream(Machine& machine)
        : particles_(scene::make_host_particles(*engine_, machine.snapshot.stream.slots)),
          sampler_(scene::make_host_sampler(machine.snapshot.stream.slots)) {
        const bool known =
            machine.snapshot.runs.a.options[compaction::Option::sequences] != compaction::automatic;
        const auto compactor = engine_->make_compactor(
            compaction::find_algorithm(known ? "cpu_sequence_wise" : "std_copy_if"), {});
        compactor->reserve(machine.snapshot.stream.slots);
        scene::Clock clock;
        clock.advance(7, machine.settings.run.live_fraction);
        particles_->simulate(
            {.source = scene::sources().front(),
             .slots = machine.snapshot.stream.slots,
             .moment = clock.moment(machine.settings.run.live_fraction, machine.settings.run.seed)});
        stream_ = particles_->buffers(Side::a);
        const auto recorder = engine_->make_recorder(1);
        recorder->request_trace(0);
        {
            const compaction::ScopedRun run{recorder.get(), 1};
            compactor->enqueue(stream_.in, machine.snapshot.stream.slots, stream_.out, stream_.num_selected,
                               compaction::keep_non_zero(), recorder.get());
        }
        recorder->collect();
        trace_ = recorder->poll_trace().value();
        for (compaction::LaunchTrace& launch : trace_.launches)
            if (!known) launch.parts.reset();
        machine.snapshot.runs.a.num_kept = *stream_.num_selected;
        if (!machine.snapshot.runs.a.algorithm->stable) shuffle(stream_.out);
    }

    /// Takes a sample and shows it in the view.
    void take(Machine& machine, const scene::SampleRequest& request) {
        sampler_->enqueue(request, stream_,
                          {++frame_, machine.snapshot.runs.a.algorithm, machine.snapshot.stream.slots});
        machine.snapshot.slot_map.sample = sampler_->poll();
        machine.snapshot.slot_map.traced = std::make_shared<const trace::TracedRun>(
            trace::prepare(*machine.snapshot.runs.a.algorithm, frame_, trace_));
    }

    /// Takes a sample of each requested side. B keeps no order.
    void take(Machine& machine, const SlotMapRequest& request) {
        take(machine, *request.sample);
        if (!request.with_b) return;
        if (!sampler_b_) {
            sampler_b_ = scene::make_host_sampler(machine.snapshot.stream.slots);
            out_b_.assign(stream_.out, stream_.out + machine.snapshot.stream.slots);
            shuffle(out_b_.data());
        }
        scene::FrameBuffers of_b = stream_;
        of_b.out = out_b_.data();
        sampler_b_->enqueue(*request.sample, of_b,
                            {frame_, machine.snapshot.runs.b->algorithm, machine.snapshot.stream.slots});
        machine.snapshot.slot_map.sample_b = sampler_b_->poll();
    }

    std::shared_ptr<const scene::SlotSample> sample() {
        const std::shared_ptr<const scene::SlotSample> taken = sampler_->poll();
        return taken ? taken : std::make_shared<const scene::SlotSample>();
    }

    const scene::FrameBuffers& stream() const { return stream_; }
    /// The trace of the compaction, which tests may alter.
    compaction::RunTrace& trace() { return trace_; }

  private:
    /// Shuffles whole chunks, as warps in arbitrary order do.
    void shuffle(compaction::Item* out) {
        constexpr std::uint64_t chunk = 64;
        std::vector<std::uint64_t> order(*stream_.num_selected / chunk);
        std::iota(order.begin(), order.end(), std::uint64_t{0});
        std::ranges::shuffle(order, std::mt19937(7));
        const std::vector<compaction::Item> ordered(out, out + order.size() * chunk);
        for (std::uint64_t i = 0; i < order.size(); ++i) {
            std::copy_n(ordered.data() + order[i] * chunk, chunk, out + i * chunk);
        }
    }

    std::unique_ptr<compaction::Engine> engine_ = compaction::open_engine(compaction::EngineId::cpu);
    std::unique_ptr<scene::Particles> particles_;
    std::unique_ptr<scene::SlotSampler> sampler_;
    std::unique_ptr<scene::SlotSampler> sampler_b_;  ///< from the first request for both sides on
    std::vector<compaction::Item> out_b_;
    scene::FrameBuffers stream_;
    compaction::RunTrace trace_;
    std::uint64_t frame_ = 4711;
};

}  // namespace warpsieve::fake
