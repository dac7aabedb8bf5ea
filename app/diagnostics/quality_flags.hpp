#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/settings/settings.hpp"
#include "app/view_model/view.hpp"

namespace warpsieve {

/// How far what the window says can be trusted.
enum class Quality : std::uint8_t { good, caution, bad };

/// One thing to know before believing the figures on show.
struct Badge {
    std::string name;  ///< "warming up"
    Quality quality;
    std::string reason;  ///< one sentence: why
    std::string remedy;  ///< one sentence: what to do about it; empty where nothing is to be done
};

/// The badges of the live run, the gravest first. One of them says how steady the figures are: "stable" where
/// nothing speaks against it.
std::vector<Badge> badges_of(const View& view, const Settings& settings);

}  // namespace warpsieve
