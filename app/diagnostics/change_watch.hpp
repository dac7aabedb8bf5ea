#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/settings/settings.hpp"
#include "app/view_model/view.hpp"

namespace warpsieve {

/// What a change of a control did to a compaction: for the card that answers "why did it change?".
struct ChangeCard {
    struct Line {
        std::string name;    ///< "count", "bytes moved", "launches"
        std::string before;  ///< with its unit; "–" where there was none
        std::string after;
        std::string verdict;  ///< "1.49 × longer", "ambiguous", ""
    };
    std::vector<std::string> changes;  ///< "vector width: quad → scalar"
    std::vector<Line> lines;
};

/// Notices when what is compacted, or how, changes, waits until the new figures can be believed, and holds
/// them against those of before.
class ChangeWatch {
  public:
    /// Once a frame, with the figures on show.
    void observe(const View& view, const Settings& settings);
    void dismiss() { card_.reset(); }

    /// The last change that has been measured; nothing before the first,
    /// and once it is dismissed, half a minute has passed or the next one begins.
    const std::optional<ChangeCard>& card() const { return card_; }

  private:
    /// Everything about a run that a card speaks of.
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
    static ChangeCard card_of(const Situation& before, const Situation& after);

    std::optional<Situation> settled_;  ///< the last one whose figures could be believed
    std::optional<ChangeCard> card_;
    double card_until_s_ = 0;  ///< application time
};

}  // namespace warpsieve
