#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/settings/settings.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve {

inline constexpr const char* no_difference = "no significant difference";

/// "1.49 × longer", or no_difference if the quartile ranges overlap; "" if a figure is missing.
std::string change_verdict(const experiments::Summary* before, const experiments::Summary* after);

/// The effect of a changed setting on the compaction.
struct ChangeCard {
    struct Line {
        std::string name;    ///< "count", "useful bytes", "launches"
        std::string before;  ///< with its unit; "–" or "unknown" if there is no figure
        std::string after;
        std::string verdict;  ///< "1.49 × longer", "no significant difference", ""
    };
    std::vector<std::string> changes;  ///< every changed setting: "slots: 2^20 → 125,000"
    /// Every automatic option whose value changed: "threads, automatic: 2 → 1".
    std::vector<std::string> automatic_changes;
    std::vector<Line> lines;
};

/// Detects changes of the compaction, waits until the new figures cover enough frames, and compares them with
/// the earlier ones.
class ChangeWatch {
  public:
    /// Call once per frame.
    void observe(const Snapshot& snapshot, const Settings& settings);
    void dismiss() { card_.reset(); }

    /// The last measured change. Empty before the first one, after dismiss(), and while the next one is
    /// measured.
    const std::optional<ChangeCard>& card() const { return card_; }

  private:
    /// The settings and figures that a card compares.
    struct Context {
        RunConfig run;
        const compaction::Algorithm* algorithm = nullptr;
        compaction::Options options;
        std::uint64_t slots = 0;
        std::uint64_t num_kept = 0;
        std::shared_ptr<const Figures> figures;
    };

    static Context context_of(const Snapshot& snapshot, const RunConfig& run);
    static std::vector<std::string> changes_between(const Context& before, const Context& after);
    static std::vector<std::string> automatic_changes(const Context& before, const Context& after);
    static ChangeCard card_of(const Context& before, const Context& after);

    std::optional<Context> last_measured_;  ///< the last context with figures of enough frames
    std::optional<ChangeCard> card_;
};

}  // namespace warpsieve
