#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/kernel_view/replay.hpp"

namespace warpsieve::kernel_view {

/// What a page says above the steps.
struct Notice {
    struct Link {
        std::string text;
        std::uint32_t event = 0;  ///< index into Events::events
    };
    std::string text;
    std::vector<Link> links;          ///< to steps of the order `lanes`
    std::uint32_t opening = none;     ///< the event at which the page opens; `none`: the first step
    std::string left_out_file;        ///< SourceFunction::file of a line that has no effect in this run
    std::uint32_t left_out_line = 0;  ///< its number in the file; 0: no line is left out
};

/// Why the run failed, with its last event as the opening; empty if it did not fail.
Notice notice_of_failure(const Events& events);

/// A page that plays the trace in a browser, without a network: the events, the source and the script are in
/// it. `title`: what was traced. Throws Error{out_of_memory} if there is too little memory to pack it.
std::string page(const Replay& replay, const std::string& title, const Notice& notice = {});

/// The page of a trace. If its run failed, it says why and opens at the last step.
std::string page(compaction::LaneTrace trace, const std::string& title);

}  // namespace warpsieve::kernel_view
