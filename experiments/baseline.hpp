#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/measure.hpp"
#include "experiments/statistics.hpp"

namespace experiments {

/// Results of an earlier run to compare with.
class Baseline {
  public:
    struct Entry {
        double median_us = 0;
        Interval median_interval_us;
    };

    /// Reads a CSV or JSON file that this program wrote. Throws compaction::Error{invalid_argument} that
    /// names the file and the error.
    static Baseline read(const std::filesystem::path& file);
    /// Reads the same formats from text. `name`: the name of the file in error messages.
    static Baseline parse(std::string_view text, const std::string& name);

    /// The result with the same algorithm, options, length, pattern, keep fraction, item size and cache
    /// state, or nullptr. Ignores the seed, because another seed makes a stream of the same kind.
    const Entry* find(const Setting& setting) const;

    /// Faster, slower, same or ambiguous. Empty if the baseline lacks the setting or the result is wrong.
    std::optional<Change> change(const Result& result) const;

    /// "slower: 1.1 (1.08 to 1.12) times the 12.3 µs before": the change, the ratio of the medians with its
    /// interval, and the baseline's median. Empty without a comparison.
    std::string change_in_words(const Result& result) const;

    /// Whether the result is slower by more than `percent` for certain: the low end of its interval exceeds
    /// the high end of the baseline's by that much.
    bool regressed(const Result& result, double percent) const;

    const std::string& device() const { return device_; }
    std::size_t size() const { return entries_.size(); }

  private:
    static Baseline from_csv(std::string_view text, const std::string& name);
    static Baseline from_json(std::string_view text, const std::string& name);

    std::map<std::string, Entry> entries_;
    std::string device_;
};

}  // namespace experiments
