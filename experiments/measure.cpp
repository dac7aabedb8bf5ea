#include "experiments/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "compaction/error.hpp"
#include "experiments/contest.hpp"
#include "experiments/phase_split.hpp"
#include "experiments/stream_ring.hpp"

namespace experiments {
namespace {

using compaction::Compactor;
using compaction::Engine;
using compaction::Error;
using compaction::ErrorCode;

double steady_now_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The settings of one stream.
struct Group {
    StreamSpec stream;
    std::vector<Setting> settings;
};

std::vector<Group> grouped(std::span<const Setting> settings) {
    std::vector<Group> groups;
    for (const Setting& setting : settings) {
        auto group = std::ranges::find(groups, setting.stream, &Group::stream);
        if (group == groups.end()) group = groups.insert(groups.end(), Group{setting.stream, {}});
        group->settings.push_back(setting);
    }
    return groups;
}

std::string gibibytes(std::uint64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g GiB", static_cast<double>(bytes) * 0x1p-30);
    return text;
}

/// The longest stream of that kind that `free_bytes` hold.
std::uint64_t longest_that_fits(const Engine& engine, StreamSpec stream, std::uint64_t free_bytes) {
    std::uint64_t fits = 0;
    std::uint64_t too_long = stream.num_items;
    while (too_long - fits > 1) {
        stream.num_items = fits + (too_long - fits) / 2;
        (memory_needed(engine, stream) <= free_bytes ? fits : too_long) = stream.num_items;
    }
    return fits;
}

/// Why a stream cannot be measured on for lack of memory; empty where it can.
std::string lack_of_memory(const Engine& engine, const StreamSpec& stream, std::uint64_t free_bytes) {
    // An engine that does not know what is free says 0.
    const std::uint64_t needed = memory_needed(engine, stream);
    if (free_bytes == 0 || needed <= free_bytes) return {};
    const std::uint64_t fits = longest_that_fits(engine, stream, free_bytes);
    std::string reason = "n = " + count_text(stream.num_items) + " needs " + gibibytes(needed) + " (" +
                         std::string(name_of(stream.cache)) + ", " +
                         std::to_string(bytes_of(stream.item_size)) + "-byte items), and " +
                         gibibytes(free_bytes) + " is free on " + engine.device().name;
    if (fits > 0) return reason + "; up to n = " + std::to_string(fits) + " would fit.";
    return reason + (stream.cache == Cache::cold ? "; --cache hot needs less." : ".");
}

Contestant copy_of(Engine& engine, std::uint64_t num_items, compaction::ItemSize item_size) {
    Contestant copy;
    copy.call = [&engine, size = num_items * bytes_of(item_size)](const Slot& slot,
                                                                  compaction::PhaseRecorder* recorder) {
        engine.enqueue_copy(slot.out, slot.in, size, recorder);
    };
    copy.comparison = compaction::Comparison::copy;
    copy.num_items = num_items;
    copy.is_reference = true;
    return copy;
}

Contestant contestant_of(const Setting& setting, Compactor& compactor) {
    Contestant contestant;
    contestant.call = [&compactor, n = setting.stream.num_items](const Slot& slot,
                                                                 compaction::PhaseRecorder* recorder) {
        compactor.enqueue(slot.in, n, slot.out, slot.num_selected, compaction::keep_non_zero(), recorder);
    };
    contestant.comparison = comparison_of(*setting.algorithm);
    contestant.num_items = setting.stream.num_items;
    return contestant;
}

/// Measures the settings of one stream.
class GroupRun {
  public:
    GroupRun(Engine& engine, const Group& group, const Policy& policy, const Hooks& hooks,
             Measurement& measurement)
        : engine_(engine), group_(group), policy_(policy), hooks_(hooks), measurement_(measurement) {}

    void run(const std::function<void(const std::string& now)>& tell) {
        StreamRing ring(engine_, group_.stream, RingPlan(group_.stream, engine_.device()));
        num_kept_ = ring.num_kept();
        enter_contestants();
        if (entered_.empty()) return;
        Contest contest(engine_, ring, group_.stream, contestants_, policy_, hooks_.now_s, hooks_.cancel);
        const auto recorder = engine_.make_recorder(1);
        const std::string what = "n = " + count_text(group_.stream.num_items) + ", " +
                                 std::to_string(entered_.size()) + " settings";
        measurement_.interrupted =
            !contest.warm_up([&] { tell(what + ", warming up"); }) || !contest.run([&] { tell(what); });
        for (std::size_t i = 0; i < entered_.size(); ++i) {
            const Contestant& contestant = contestants_[first_rival_ + i];
            // What went wrong while warming up has no samples, and is told all the same.
            if (contestant.call_us.empty() && contestant.wrong.empty()) continue;
            Result result = result_of(i, contest.highest_clock_hz());
            if (policy_.phases && !measurement_.interrupted && contestant.wrong.empty())
                add_phases(contest, i, *recorder, result);
            result.wrong = contestant.wrong;
            measurement_.results.push_back(std::move(result));
        }
        if (!contestants_[0].call_us.empty()) add_copy(contest.highest_clock_hz());
    }

  private:
    struct Entered {
        const Setting* setting;
        std::unique_ptr<Compactor> compactor;
        std::size_t floor;  ///< index of the copy that moves as many bytes as it must
    };

    void enter_contestants() {
        const StreamSpec& stream = group_.stream;
        contestants_.push_back(copy_of(engine_, stream.num_items, stream.item_size));
        for (const Setting& setting : group_.settings) {
            try {
                auto compactor =
                    engine_.make_compactor(*setting.algorithm, setting.options, stream.item_size);
                compactor->reserve(stream.num_items);
                entered_.push_back({&setting, std::move(compactor), floor_for(*setting.algorithm)});
            } catch (const Error& error) {
                if (error.code() != ErrorCode::out_of_memory) throw;
                measurement_.skipped.push_back({setting, error.what()});
            }
        }
        first_rival_ = contestants_.size();
        for (const Entered& each : entered_)
            contestants_.push_back(contestant_of(*each.setting, *each.compactor));
    }

    /// A copy reads and writes its items once each, so half the useful bytes make as many bytes moved.
    std::size_t floor_for(const compaction::Algorithm& algorithm) {
        const StreamSpec& stream = group_.stream;
        const std::uint64_t bytes =
            useful_bytes(algorithm.problem, stream.num_items, num_kept_, stream.item_size);
        const std::uint64_t items = std::max<std::uint64_t>(1, bytes / (2 * bytes_of(stream.item_size)));
        const auto found = std::ranges::find(contestants_, items, &Contestant::num_items);
        if (found != contestants_.end()) return static_cast<std::size_t>(found - contestants_.begin());
        contestants_.push_back(copy_of(engine_, items, stream.item_size));
        return contestants_.size() - 1;
    }

    std::size_t throttled(const Contestant& contestant, double highest_hz) const {
        return static_cast<std::size_t>(std::ranges::count_if(contestant.clock_hz, [&](double hz) {
            return hz > 0 && hz < policy_.throttled_below * highest_hz;
        }));
    }

    double copy_gb_s(double copy_us) const {
        const StreamSpec& stream = group_.stream;
        const double bytes = 2.0 * static_cast<double>(stream.num_items * bytes_of(stream.item_size));
        return copy_us > 0 ? bytes / copy_us * 1e-3 : 0;
    }

    Result result_of(std::size_t entrant, double highest_hz) const {
        const Entered& entered = entered_[entrant];
        const Contestant& contestant = contestants_[first_rival_ + entrant];
        const StreamSpec& stream = group_.stream;
        Result result;
        result.setting = *entered.setting;
        result.layout = entered.compactor->layout(stream.num_items);
        result.num_kept = num_kept_;
        result.call_us = contestant.call_us;
        result.us = summarise(contestant.call_us);
        result.median_us = median_interval(contestant.call_us);
        result.calls_per_sample = contestant.calls_per_sample;
        result.throttled = throttled(contestant, highest_hz);
        result.calls_timed = contestant.calls_timed;
        result.calls_checked = contestant.calls_checked;
        result.copy_us = summarise(contestants_[0].call_us).median;
        result.floor_us = summarise(contestants_[entered.floor].call_us).median;
        if (!(result.us.median > 0)) return result;
        const double bytes = static_cast<double>(
            useful_bytes(entered.setting->algorithm->problem, stream.num_items, num_kept_, stream.item_size));
        result.useful_gb_s = bytes / result.us.median * 1e-3;
        if (result.copy_us > 0) result.share_of_copy = result.useful_gb_s / copy_gb_s(result.copy_us);
        result.share_of_floor = result.floor_us / result.us.median;
        return result;
    }

    void add_phases(Contest& contest, std::size_t entrant, compaction::PhaseRecorder& recorder,
                    Result& result) {
        Contestant& contestant = contestants_[first_rival_ + entrant];
        result.phases = split_phases(
            *entered_[entrant].setting->algorithm, policy_.phase_runs, recorder,
            [&](compaction::PhaseRecorder& with) { return contest.time_call(contestant, with); });
        if (hooks_.cancel && hooks_.cancel->load()) measurement_.interrupted = true;
    }

    void add_copy(double highest_hz) {
        const Contestant& copy = contestants_[0];
        CopyResult result{.stream = group_.stream,
                          .us = summarise(copy.call_us),
                          .median_us = median_interval(copy.call_us),
                          .gb_s = 0,
                          .throttled = throttled(copy, highest_hz),
                          .wrong = copy.wrong};
        result.gb_s = copy_gb_s(result.us.median);
        measurement_.copies.push_back(std::move(result));
    }

    Engine& engine_;
    const Group& group_;
    const Policy& policy_;
    const Hooks& hooks_;
    Measurement& measurement_;
    std::uint64_t num_kept_ = 0;
    std::vector<Entered> entered_;
    std::vector<Contestant>
        contestants_;  ///< the copy of the whole stream, other copies, then what is measured
    std::size_t first_rival_ = 0;
};

/// Goes from stream to stream, and tells how far it is.
class Session {
  public:
    Session(Engine& engine, std::span<const Setting> settings, const Policy& policy, Hooks hooks)
        : engine_(engine), groups_(grouped(settings)), policy_(policy), hooks_(std::move(hooks)) {
        if (!hooks_.now_s) hooks_.now_s = steady_now_s;
        started_s_ = hooks_.now_s();
        progress_.settings_total = settings.size();
    }

    Measurement run() {
        skip_what_does_not_fit();
        for (const Group& group : groups_) {
            if (hooks_.cancel && hooks_.cancel->load()) measurement_.interrupted = true;
            if (measurement_.interrupted || !measurement_.failure.empty()) break;
            measure(group);
            progress_.settings_done += group.settings.size();
            if (hooks_.stream_done) hooks_.stream_done(measurement_);
        }
        return std::move(measurement_);
    }

  private:
    void skip_what_does_not_fit() {
        const std::uint64_t free_bytes = engine_.free_memory_bytes();
        std::erase_if(groups_, [&](const Group& group) {
            const std::string reason = lack_of_memory(engine_, group.stream, free_bytes);
            if (reason.empty()) return false;
            skip(group, reason);
            progress_.settings_total -= group.settings.size();
            return true;
        });
    }

    void skip(const Group& group, const std::string& reason) {
        for (const Setting& setting : group.settings) {
            // Some may have been skipped before, for a reason of their own.
            if (std::ranges::find(measurement_.skipped, setting, &Skipped::setting) ==
                measurement_.skipped.end())
                measurement_.skipped.push_back({setting, reason});
        }
    }

    void measure(const Group& group) {
        try {
            GroupRun(engine_, group, policy_, hooks_, measurement_).run([this](const std::string& now) {
                tell(now);
            });
        } catch (const Error& error) {
            if (error.code() == ErrorCode::out_of_memory) return skip(group, error.what());
            if (error.code() != ErrorCode::device_failure) throw;
            measurement_.failure = error.what();
        }
    }

    void tell(const std::string& now) {
        if (!hooks_.progress) return;
        const double elapsed_s = hooks_.now_s() - started_s_;
        const auto done = static_cast<double>(progress_.settings_done);
        // Before the first stream is done, the limit is all that is known of how long one takes.
        const double each_s = progress_.settings_done > 0 ? elapsed_s / done : policy_.time_limit_s;
        const double all_s = each_s * static_cast<double>(progress_.settings_total);
        progress_.seconds_left = std::max(0.0, all_s - elapsed_s);
        progress_.now = now;
        hooks_.progress(progress_);
    }

    Engine& engine_;
    std::vector<Group> groups_;
    Policy policy_;
    Hooks hooks_;
    Measurement measurement_;
    Progress progress_;
    double started_s_ = 0;
};

}  // namespace

Measurement measure(Engine& engine, std::span<const Setting> settings, const Policy& policy,
                    const Hooks& hooks) {
    return Session(engine, settings, policy, hooks).run();
}

}  // namespace experiments
