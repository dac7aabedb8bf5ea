#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/measure.hpp"
#include "experiments/setting.hpp"
#include "experiments/statistics.hpp"

namespace experiments {

/// Which rows of a file with several processes: those of the program that wrote it, or of the one that it was
/// compared with.
enum class Program { writer, other };

/// "this", "other": the column `program` of a CSV file.
std::string_view name_of(Program program);

/// Results of one or several processes, read from a file that this program wrote.
class Baseline {
  public:
    struct Entry {
        std::vector<Field> fields;                ///< of the setting
        std::vector<double> medians_us = {};      ///< of each process whose result is correct
        Interval median_interval_us = {};         ///< of the last of them
        std::size_t throttled = 0;                ///< throttled samples of all processes
        std::vector<std::size_t> processes = {};  ///< number of each process, also of wrong results
    };

    /// Reads a CSV or JSON file that this program wrote. Throws compaction::Error{invalid_argument} that
    /// names the file and the error.
    static Baseline read(const std::filesystem::path& file);
    /// Reads the same formats from text. `name`: the name of the file in error messages.
    static Baseline parse(std::string_view text, const std::string& name, Program program = Program::writer);

    /// The entry of exactly this setting with at least one correct result, or nullptr.
    const Entry* find(const Setting& setting) const { return find(key_of(fields_of(setting))); }
    const Entry* find(const std::string& key) const;

    /// The entries in the order of the file, without those of the step `copy`. Some may have no correct
    /// result.
    std::vector<const Entry*> settings() const;

    /// For a file of one process: whether `result` and the file's result of the same setting differ: the
    /// intervals of the medians do not touch. That holds for these two runs, not for the programs: the
    /// medians of two processes of one program often differ. Empty without the setting, and if a result is
    /// wrong or throttled or has too few independent samples.
    std::optional<bool> differs(const Result& result) const;

    /// "differs between these two runs: 1.10 (1.08 to 1.12) times 12.3 µs", with the range of the ratio by
    /// the two intervals, or "no difference found between these two runs". Empty without a comparison.
    std::string difference_in_words(const Result& result) const;

    std::size_t num_processes() const { return num_processes_; }
    const std::string& device() const { return device_; }
    const std::string& engine() const { return engine_; }
    const std::string& version() const { return version_; }
    /// The number of entries, with those of the step `copy`.
    std::size_t size() const { return entries_.size(); }

  private:
    static Baseline from_csv(std::string_view text, const std::string& name, Program program);
    static Baseline from_json(std::string_view text, const std::string& name);

    /// Adds the result of one process and returns its entry, or nullptr if that process already has a result
    /// of this setting.
    Entry* add(std::vector<Field> fields, std::size_t process);

    std::vector<Entry> entries_;
    std::map<std::string, std::size_t> index_of_key_;
    std::size_t num_processes_ = 1;
    std::string device_;
    std::string engine_;
    std::string version_;
};

/// Why results on another device, engine or version are no reason to fail: "measured on X, and this run on
/// Y". Empty if they agree.
std::string why_not_judged(const Baseline& before, std::string_view device, std::string_view engine,
                           std::string_view version);

}  // namespace experiments
