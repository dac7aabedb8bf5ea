#include "app/trace/lanes_csv.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace warpsieve::trace {
namespace {

using compaction::LaneReader;
using compaction::LaneSite;
using compaction::LaneStep;
using compaction::LaneStepKind;
using compaction::LaneTrace;
using compaction::MemorySpace;
using compaction::Observation;
using compaction::SourceFrame;

/// The first 8 bytes as a number; "" if there are none.
std::string first_number(std::span<const std::byte> bytes) {
    if (bytes.empty()) return {};
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), std::min(bytes.size(), sizeof word));
    return std::to_string(word);
}

std::string joined(const std::vector<std::uint64_t>& values) {
    std::string text;
    for (const std::uint64_t value : values) text += (text.empty() ? "" : " ") + std::to_string(value);
    return text;
}

/// "12 340": the steps whose stores a load observed; "initial" for what the buffer held before the first
/// launch.
std::string stores_observed(const std::vector<Observation>& observations) {
    std::string text;
    for (const Observation& each : observations) {
        if (!text.empty()) text += ' ';
        text += each.stored_by == Observation::initial ? "initial" : std::to_string(each.stored_by);
    }
    return text;
}

std::string memory_name(const LaneTrace& trace, const LaneSite& site) {
    if (site.space == MemorySpace::shared) return "shared";
    return site.space == MemorySpace::global ? trace.buffers[site.buffer].name : "";
}

/// "warp.cuh:49 < sequence_wise.cu:100": the innermost function first.
std::string location(const std::vector<SourceFrame>& frames) {
    std::string text;
    for (const SourceFrame& frame : frames)
        text += (text.empty() ? "" : " < ") + frame.file.substr(frame.file.rfind('/') + 1) + ':' +
                std::to_string(frame.line);
    return text;
}

}  // namespace

std::string lanes_csv(const LaneTrace& trace) {
    std::vector<std::string> locations;
    for (const auto& frames : trace.places) locations.push_back(location(frames));
    std::string csv =
        "step,launch,kernel,block,warp,lane,kind,name,memory,address,bytes,loaded,observed,stored,operands,"
        "lanes,results,place\n";
    for (LaneReader reader(trace); reader.next();) {
        const LaneStep& step = reader.step();
        const LaneSite& site = reader.site();
        const auto add = [&](const std::string& cell) { csv += cell + ','; };
        add(std::to_string(step.index));
        add(std::to_string(step.launch));
        add(trace.launches.empty() ? "" : trace.launches[step.launch].kernel);
        add(std::to_string(step.block));
        add(std::to_string(step.warp()));
        add(std::to_string(step.lane()));
        add(std::string(name_of(site.kind)));
        add(site.name);
        add(memory_name(trace, site));
        add(site.space == MemorySpace::none ? "" : std::to_string(step.address));
        add(site.bytes == 0 ? "" : std::to_string(site.bytes));
        add(first_number(step.loaded));
        add(stores_observed(step.observed));
        add(first_number(step.stored));
        add(joined(step.operands));
        add(step.mask == 0 ? "" : std::to_string(step.mask));
        add(joined(step.results));
        csv += locations[site.place] + '\n';
    }
    return csv;
}

}  // namespace warpsieve::trace
