#include "app/labs/bench_command.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "compaction/options.hpp"
#include "experiments/format/counts.hpp"
#include "experiments/setting.hpp"

namespace warpsieve::labs {
namespace {

/// The values of one axis in the order of the settings, without repeats.
class Axis {
  public:
    explicit Axis(std::string flag) : flag_(std::move(flag)) {}

    void add(std::string value) {
        if (!value.empty() && std::ranges::find(values_, value) == values_.end())
            values_.push_back(std::move(value));
    }
    /// " --flag a,b". Empty if there is no value, or only the default `usual`.
    std::string text(std::string_view usual = {}) const {
        if (values_.empty() || (values_.size() == 1 && values_.front() == usual)) return {};
        std::string text = " --" + flag_ + " ";
        for (const std::string& value : values_) text += (&value == &values_.front() ? "" : ",") + value;
        return text;
    }

  private:
    std::string flag_;
    std::vector<std::string> values_;
};

}  // namespace

std::string bench_command(const Job& job) {
    Axis algorithms("algorithm");
    Axis lengths("n");
    Axis patterns("pattern");
    Axis densities("density");
    Axis item_bytes("item-bytes");
    Axis caches("cache");
    Axis seeds("seed");
    std::vector<Axis> options;
    for (const compaction::Option option : compaction::all_options)
        options.emplace_back(std::string(flag_of(option)));
    for (const experiments::Setting& setting : job.settings) {
        const experiments::StreamSpec& stream = setting.stream;
        algorithms.add(setting.algorithm->id);
        lengths.add(experiments::format::count_text(stream.num_items));
        patterns.add(std::string(workloads::info_of(stream.pattern).name));
        densities.add(experiments::density_text(stream));
        item_bytes.add(std::to_string(bytes_of(stream.item_size)));
        caches.add(std::string(name_of(stream.cache)));
        seeds.add(std::to_string(stream.seed));
        for (std::size_t i = 0; i < options.size(); ++i)
            options[i].add(
                experiments::option_text(*setting.algorithm, setting.options, compaction::all_options[i]));
    }
    std::string command = "warpsieve bench --engine " + std::string(id_of(job.engine)) + algorithms.text() +
                          lengths.text() + patterns.text("random") + densities.text() + item_bytes.text("4");
    for (const Axis& option : options) command += option.text("automatic");
    return command + caches.text("cold") + seeds.text("1");
}

}  // namespace warpsieve::labs
