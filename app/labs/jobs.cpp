#include "app/labs/jobs.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "compaction/error.hpp"
#include "compaction/options.hpp"
#include "experiments/format/counts.hpp"
#include "experiments/machine.hpp"
#include "experiments/setting.hpp"

namespace warpsieve::labs {
namespace {

/// The distinct values of one flag of `bench`, in the order of the settings.
class FlagValues {
  public:
    explicit FlagValues(std::string flag) : flag_(std::move(flag)) {}

    void add(std::string value) {
        if (!value.empty() && std::ranges::find(values_, value) == values_.end())
            values_.push_back(std::move(value));
    }
    /// " --flag a,b". Empty if there is no value, or only the default of `bench`.
    std::string text(std::string_view bench_default = {}) const {
        if (values_.empty() || (values_.size() == 1 && values_.front() == bench_default)) return {};
        std::string text = " --" + flag_ + " ";
        for (const std::string& value : values_) text += (&value == &values_.front() ? "" : ",") + value;
        return text;
    }

  private:
    std::string flag_;
    std::vector<std::string> values_;
};

}  // namespace

experiments::StreamSpec stream_of(const RunConfig& run, const LabSettings& labs, std::uint64_t slots) {
    return {.num_items = slots,
            .pattern = labs.pattern,
            // The live fraction is a float, which has no exact 0.3.
            .keep_fraction = std::round(static_cast<double>(run.live_fraction) * 1e6) / 1e6,
            .item_size = labs.item_size,
            .cache = labs.cache,
            .seed = run.seed,
            .picture = labs.pattern == workloads::Pattern::picture ? run.loaded_picture : nullptr};
}

double max_seconds(const Job& job) {
    std::size_t streams = 0;
    const experiments::StreamSpec* last = nullptr;
    for (const experiments::Setting& setting : job.settings) {
        if (!last || !(*last == setting.stream)) ++streams;
        last = &setting.stream;
    }
    return job.policy.time_limit_s * static_cast<double>(job.settings.size() + streams);
}

Job job_for(std::string_view lab, const RunConfig& run, const LabSettings& labs) {
    return {.lab = std::string(lab), .engine = run.engine, .policy = info_of(labs.quality).policy};
}

void add(Job& job, const compaction::Algorithm& algorithm, const compaction::Options& options,
         const experiments::StreamSpec& stream) {
    try {
        validate(algorithm, options, stream.item_size);
    } catch (const compaction::Error& error) {
        job.left_out.push_back({&algorithm, error.what()});
        return;
    }
    if (stream.num_items > algorithm.max_items) {
        job.left_out.push_back({&algorithm, algorithm.name + " takes up to " +
                                                std::to_string(algorithm.max_items) +
                                                " items; choose fewer slots."});
        return;
    }
    job.settings.push_back({&algorithm, options, stream});
}

bool same_work(const Job& a, const Job& b) {
    return a.lab == b.lab && a.engine == b.engine && a.settings == b.settings &&
           a.policy.time_limit_s == b.policy.time_limit_s && a.policy.noise == b.policy.noise;
}

std::string bench_command(const Job& job) {
    FlagValues algorithms("algorithm");
    FlagValues lengths("n");
    FlagValues patterns("pattern");
    std::string picture;
    FlagValues keep_fractions("density");
    FlagValues item_bytes("item-bytes");
    FlagValues caches("cache");
    FlagValues seeds("seed");
    std::vector<FlagValues> options;
    for (const compaction::Option option : compaction::all_options)
        options.emplace_back(std::string(flag_of(option)));
    for (const experiments::Setting& setting : job.settings) {
        const experiments::StreamSpec& stream = setting.stream;
        algorithms.add(setting.algorithm->id);
        lengths.add(experiments::format::count_text(stream.num_items));
        patterns.add(std::string(workloads::info_of(stream.pattern).name));
        if (stream.picture) {
            const char* const source = stream.picture->source.c_str();
            picture = " --picture " + experiments::command_text(1, &source);
        }
        keep_fractions.add(experiments::keep_fraction_text(stream));
        item_bytes.add(std::to_string(bytes_of(stream.item_size)));
        caches.add(std::string(name_of(stream.cache)));
        seeds.add(std::to_string(stream.seed));
        for (std::size_t i = 0; i < options.size(); ++i)
            options[i].add(
                experiments::option_text(*setting.algorithm, setting.options, compaction::all_options[i]));
    }
    std::string command = "warpsieve bench --engine " + std::string(id_of(job.engine)) + algorithms.text() +
                          lengths.text() + patterns.text(/*bench_default=*/"random") + picture +
                          keep_fractions.text() + item_bytes.text(/*bench_default=*/"4");
    for (const FlagValues& option : options) command += option.text(/*bench_default=*/"automatic");
    return command + caches.text(/*bench_default=*/"cold") + seeds.text(/*bench_default=*/"1");
}

}  // namespace warpsieve::labs
