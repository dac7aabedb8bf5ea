#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/settings/settings.hpp"
#include "app/view_model/view.hpp"

namespace warpsieve {

inline constexpr const char* no_difference = "no significant difference";

/// "1.49 × longer", or "no significant difference" unless the quartile ranges are apart; "" where a figure is
/// missing.
std::string change_verdict(const experiments::Summary* before, const experiments::Summary* after);

/// The effect of a changed setting on the compaction.
struct ChangeCard {
    struct Line {
        std::string name;    ///< "count", "bytes moved", "launches"
        std::string before;  ///< with its unit; "–" if there is none
        std::string after;
        std::string verdict;  ///< "1.49 × longer", "no significant difference", ""
    };
    std::vector<std::string> changes;   ///< what the person set, all of it: "slots: 2^20 → 125,000"
    std::vector<std::string> followed;  ///< automatic options that came out differently: "threads: 2 → 1"
    std::vector<Line> lines;
};

/// Detects changes of the compaction, waits until the new figures are steady, and compares them with the ones
/// before.
class ChangeWatch {
  public:
    /// Call once per frame.
    void observe(const View& view, const Settings& settings);
    void dismiss() { card_.reset(); }

    /// The last measured change. Empty before the first one, after dismiss(), after 30 seconds, and from the
    /// next change on.
    const std::optional<ChangeCard>& card() const { return card_; }

  private:
    /// The state that a card compares.
    struct Situation {
        Settings settings;
        const compaction::Algorithm* algorithm = nullptr;
        compaction::Options layout;
        std::uint64_t slots = 0;
        std::uint64_t num_kept = 0;
        std::optional<std::vector<compaction::Launch>> launches;
        std::vector<TimingRow> rows;
    };

    static Situation situation_of(const View& view, const Settings& settings);
    static std::vector<std::string> changes_between(const Situation& before, const Situation& after);
    static std::vector<std::string> what_followed(const Situation& before, const Situation& after);
    static ChangeCard card_of(const Situation& before, const Situation& after);

    std::optional<Situation> settled_;  ///< the last one with steady figures
    std::optional<ChangeCard> card_;
    double card_until_s_ = 0;  ///< application time
};

}  // namespace warpsieve
