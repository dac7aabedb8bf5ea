#include "app/sharded/measure.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "app/sharded/gpus.cuh"
#include "experiments/format/counts.hpp"

namespace warpsieve {
namespace {

using compaction::Error;
using compaction::ErrorCode;
using compaction::cuda::check;
using compaction::cuda::PinnedBuffer;
using experiments::ShardedCall;
using experiments::ShardedRow;
using experiments::ShardedSetting;
using Clock = std::chrono::steady_clock;

constexpr double target_sample_us = 2000;
/// Per sample. More launches than fit into the queue of a stream would block the host.
constexpr int max_calls = 50;
constexpr std::size_t min_samples = 7;
constexpr std::size_t max_samples = 51;

/// Holds a stream until all calls of a sample are enqueued. It ends after two seconds in any case.
__global__ void hold_until(const volatile int* released) {
    const std::uint64_t begin = compaction::cuda::detail::timer_ns();
    while (*released == 0 && compaction::cuda::detail::timer_ns() - begin < 2'000'000'000) {
    }
}

/// A row that is being measured.
struct MeasuredRow {
    ShardedSetting setting;
    int calls_per_sample = 1;
    std::vector<compaction::cuda::GraphExec> graphs;  ///< [GPUs] all calls of a sample; empty without graphs
    std::vector<float> samples_us;                    ///< time of one call in each sample
    std::string fault;                                ///< why the result is wrong; empty if it is right
};

/// Whether two rows differ only in the call, so that they can use the same input.
bool same_group(const ShardedSetting& a, const ShardedSetting& b) {
    ShardedSetting b_with_call_of_a = b;
    b_with_call_of_a.call = a.call;
    return a == b_with_call_of_a;
}

class Measurement {
  public:
    explicit Measurement(const ShardedHooks& hooks) : hooks_(hooks) {}

    void measure(std::vector<MeasuredRow>& group) {
        const ShardedSetting& first = group.front().setting;
        prepare(first);
        gpus_->fill(first.keep_fraction, first.skewed);
        for (MeasuredRow& row : group) check_and_set_calls(row);
        sample(group);
        for (MeasuredRow& row : group) {
            if (row.samples_us.empty() && row.fault.empty()) continue;  // interrupted before its first sample
            hooks_.row_done({row.setting, experiments::summarise(row.samples_us),
                             gpus_->busiest_link_bytes(row.setting.call), row.fault});
        }
    }

    bool cancelled() const { return hooks_.cancel; }

  private:
    void prepare(const ShardedSetting& setting) {
        if (!gpus_ || gpus_->size() != setting.gpus) {
            gpus_.reset();
            prepared_.reset();
            gpus_.emplace(setting.gpus);
        }
        const std::pair wanted(setting.items_per_gpu, setting.network);
        if (prepared_ == wanted) return;
        prepared_.reset();
        gpus_->prepare(setting.items_per_gpu, setting.network);
        prepared_ = wanted;
    }

    /// Makes one call, which loads the kernels, and checks its result. Then sets the number of calls per
    /// sample.
    void check_and_set_calls(MeasuredRow& row) {
        gpus_->clear_outputs();
        gpus_->enqueue(row.setting.call);
        gpus_->synchronise();
        row.fault = gpus_->fault_of(row.setting.call);
        const float us = take_sample_us(row);
        row.calls_per_sample =
            std::clamp(static_cast<int>(target_sample_us / std::max(us, 1.0F)), 1, max_calls);
        if (row.setting.call == ShardedCall::exchange_in_graph) {
            row.graphs = gpus_->capture(row.setting.call, row.calls_per_sample);
        }
    }

    void sample(std::vector<MeasuredRow>& group) {
        const auto begin = Clock::now();
        const std::chrono::duration<double> limit(hooks_.seconds_per_group);
        for (std::size_t round = 0; round < max_samples; ++round) {
            if (cancelled() || (round >= min_samples && Clock::now() - begin > limit)) break;
            for (MeasuredRow& row : group) row.samples_us.push_back(take_sample_us(row));
        }
    }

    /// Makes the calls of a sample. Returns their mean time on the slowest GPU.
    float take_sample_us(const MeasuredRow& row) {
        return row.setting.network ? host_sample_us(row) : gpu_sample_us(row);
    }

    /// For the network path, whose calls block the host, so that nothing can be enqueued ahead.
    float host_sample_us(const MeasuredRow& row) {
        gpus_->synchronise();
        const auto begin = Clock::now();
        for (int i = 0; i < row.calls_per_sample; ++i) gpus_->enqueue(row.setting.call);
        gpus_->synchronise();
        return std::chrono::duration<float, std::micro>(Clock::now() - begin).count() /
               static_cast<float>(row.calls_per_sample);
    }

    float gpu_sample_us(const MeasuredRow& row) {
        Gpus& gpus = *gpus_;
        volatile int& released = *released_.data();
        released = 0;
        for (unsigned rank = 0; rank < gpus.size(); ++rank) {
            Gpu& gpu = gpus[rank];
            hold_until<<<1, 1, 0, gpu.stream.get()>>>(released_.data());
            check(cudaGetLastError(), "hold_until");
            gpu.begin.record(gpu.stream.get());
        }
        if (row.graphs.empty()) {
            for (int i = 0; i < row.calls_per_sample; ++i) gpus.enqueue(row.setting.call);
        }
        for (unsigned rank = 0; rank < gpus.size(); ++rank) {
            Gpu& gpu = gpus[rank];
            if (!row.graphs.empty())
                check(cudaGraphLaunch(row.graphs[rank].get(), gpu.stream.get()), "cudaGraphLaunch");
            gpu.end.record(gpu.stream.get());
        }
        released = 1;
        gpus.synchronise();
        float longest_us = 0;
        for (unsigned rank = 0; rank < gpus.size(); ++rank)
            longest_us = std::max(longest_us, gpus[rank].end.us_since(gpus[rank].begin));
        return longest_us / static_cast<float>(row.calls_per_sample);
    }

    const ShardedHooks& hooks_;
    PinnedBuffer<int> released_{1};
    std::optional<Gpus> gpus_;
    std::optional<std::pair<std::uint64_t, bool>> prepared_;
};

std::string describe(const ShardedSetting& setting) {
    return std::to_string(setting.gpus) + (setting.gpus == 1 ? " GPU, " : " GPUs, ") +
           experiments::format::count_text(setting.items_per_gpu) + " items on each";
}

}  // namespace

std::string measure_sharded(const std::vector<ShardedSetting>& settings, const ShardedHooks& hooks) try {
    Measurement measurement(hooks);
    for (std::size_t i = 0; i < settings.size() && !measurement.cancelled();) {
        std::vector<MeasuredRow> group;
        for (; i < settings.size() && (group.empty() || same_group(group.front().setting, settings[i]));
             ++i) {
            group.emplace_back().setting = settings[i];
        }
        hooks.report(describe(group.front().setting));
        try {
            measurement.measure(group);
        } catch (const Error& error) {
            const bool others_may_run =
                error.code() == ErrorCode::unavailable || error.code() == ErrorCode::out_of_memory;
            if (!others_may_run) throw;
            hooks.report(std::string("not measured: ") + error.what());
        }
    }
    return {};
} catch (const std::exception& error) {
    return error.what();
}

}  // namespace warpsieve
