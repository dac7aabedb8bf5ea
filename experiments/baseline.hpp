#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/measure.hpp"
#include "experiments/statistics.hpp"

namespace experiments {

/// Results of an earlier run, to compare with.
class Baseline {
  public:
    struct Entry {
        double median_us = 0;
        Interval interval_us;
    };

    /// Reads a CSV or JSON file that this program wrote, whichever it is. Throws
    /// compaction::Error{invalid_argument}: one sentence with the file and what is wrong with it.
    static Baseline read(const std::filesystem::path& file);
    /// The same from text; `name` stands for the file in messages.
    static Baseline parse(std::string_view text, const std::string& name);

    /// The result of the same algorithm, options, length, pattern, density, item size and cache; or nullptr.
    /// A seed is not looked at: it makes another stream of the same kind.
    const Entry* find(const Setting& setting) const;

    /// Faster, slower, same or ambiguous; nothing where the baseline has no such setting or the result is
    /// wrong.
    std::optional<Change> change(const Result& result) const;

    /// "slower: 1.1 (1.08 to 1.12) times the 12.3 us before": the change with the ratio of the medians, the
    /// least and the most that it can be, and the baseline's median. Empty where there is no change to tell.
    std::string change_in_words(const Result& result) const;

    /// Whether the result is slower by more than `percent`, by its interval: even its low end is above the
    /// baseline's high end by that much.
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
