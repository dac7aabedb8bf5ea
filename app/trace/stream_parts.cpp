#include "app/trace/stream_parts.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace warpsieve::trace {
namespace {

using compaction::BlockParts;
using compaction::LaunchTrace;
using compaction::WorkSpan;

constexpr std::uint32_t no_span = std::numeric_limits<std::uint32_t>::max();

/// [blocks] Index of the span that contains each block of a launch.
std::vector<std::uint32_t> spans_of_blocks(const TracedRun& run, const LaunchTrace& launch) {
    std::vector<std::uint32_t> spans(launch.blocks, no_span);
    const auto index = static_cast<std::size_t>(&launch - run.launches.data());
    for (std::uint32_t i = 0; i < run.spans.size(); ++i) {
        const WorkSpan& span = run.spans[i];
        if (span.launch != index) continue;
        for (std::uint32_t b = span.block; b < span.block + span.blocks && b < spans.size(); ++b)
            spans[b] = i;
    }
    return spans;
}

/// The groups of a launch whose warps append: one for each part.
std::vector<PartGroup> appended_groups(const LaunchTrace& launch) {
    const BlockParts& parts = *launch.parts;
    std::vector<PartGroup> groups(parts.partition.num_parts);
    const std::uint64_t num_recorded =
        groups.size() - std::min<std::uint64_t>(launch.appends_left_out, groups.size());
    for (std::uint64_t part = 0; part < groups.size(); ++part) {
        groups[part] = {parts.begin(part), parts.end(part)};
        if (part < num_recorded) groups[part].kept = 0;
    }
    for (const compaction::Append& append : launch.appends) {
        const std::uint64_t part = append.block * parts.parts_per_block + append.warp;
        if (part >= groups.size()) continue;
        groups[part].kept = append.count;
        groups[part].output_index = append.index;
    }
    std::erase_if(groups, [](const PartGroup& group) { return group.begin == group.end; });
    return groups;
}

/// The groups of a launch without appends: one for neighbouring parts whose blocks share a span.
std::vector<PartGroup> counted_groups(const TracedRun& run, const LaunchTrace& launch) {
    const BlockParts& parts = *launch.parts;
    const std::vector<std::uint32_t> spans = spans_of_blocks(run, launch);
    std::vector<PartGroup> groups;
    std::vector<std::uint32_t> span_of_group;
    std::vector<std::uint32_t> num_groups_of_span(run.spans.size());
    for (std::uint64_t part = 0; part < parts.partition.num_parts; ++part) {
        const std::uint64_t begin = parts.begin(part);
        const std::uint64_t end = parts.end(part);
        if (begin == end) continue;
        const std::optional<std::uint64_t> block = parts.block_of_part(part);
        const std::uint32_t span = block && *block < spans.size() ? spans[*block] : no_span;
        if (span != no_span && !groups.empty() && span_of_group.back() == span) {
            groups.back().end = end;
            continue;
        }
        groups.push_back({begin, end});
        span_of_group.push_back(span);
        if (span != no_span) ++num_groups_of_span[span];
    }
    if (!parts.counts_selected) return groups;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const std::uint32_t span = span_of_group[i];
        if (span != no_span && num_groups_of_span[span] == 1) groups[i].kept = run.spans[span].num_selected;
    }
    return groups;
}

}  // namespace

const LaunchTrace* counting_launch(const TracedRun& run) {
    const LaunchTrace* found = nullptr;
    for (const LaunchTrace& launch : run.launches) {
        if (!launch.parts) continue;
        if (launch.parts->counts_selected) return &launch;
        if (!found) found = &launch;
    }
    return found;
}

const PartGroup& StreamParts::group_of(std::uint64_t item) const {
    return *std::ranges::upper_bound(groups, item, {}, &PartGroup::end);
}

StreamParts stream_parts(const TracedRun& run) {
    const LaunchTrace* const launch = counting_launch(run);
    if (!launch) return {};
    if (launch->parts->appends) return {&*launch->parts, appended_groups(*launch)};
    StreamParts found{&*launch->parts, counted_groups(run, *launch)};
    if (!run.algorithm->stable) return found;
    std::optional<std::uint64_t> output_index = 0;  // nullopt: unknown from here on
    for (PartGroup& group : found.groups) {
        group.output_index = output_index;
        output_index = output_index && group.kept ? std::optional(*output_index + *group.kept) : std::nullopt;
    }
    return found;
}

std::vector<ItemBlock> blocks_of_item(const TracedRun& run, std::uint64_t item) {
    std::vector<ItemBlock> found;
    std::vector<std::optional<std::size_t>> found_index(run.launches.size());
    for (std::size_t i = 0; i < run.launches.size(); ++i) {
        const std::optional<BlockParts>& parts = run.launches[i].parts;
        if (!parts || !parts->contains(item)) continue;
        found_index[i] = found.size();
        found.push_back({run.launches[i].phase, parts->block_of_item(item)});
    }
    for (const WorkSpan& span : run.spans) {
        if (span.launch >= found_index.size() || !found_index[span.launch]) continue;
        ItemBlock& item_block = found[*found_index[span.launch]];
        if (item_block.block && span.block <= *item_block.block &&
            *item_block.block < span.block + span.blocks)
            item_block.span = &span;
    }
    return found;
}

std::vector<BlockWait> block_waits(const TracedRun& run) {
    std::vector<BlockWait> waits;
    for (std::uint32_t i = 0; i < run.launches.size(); ++i) {
        const LaunchTrace& launch = run.launches[i];
        for (std::uint64_t part = 0; part < launch.waits.size(); ++part) {
            const auto block = launch.parts->block_of_part(part);
            if (block && launch.waits[part].posted_us) waits.push_back({i, *block, launch.waits[part]});
        }
    }
    std::ranges::sort(waits, {}, [](const BlockWait& each) {
        return std::tuple(each.launch, each.block, *each.wait.posted_us);
    });
    return waits;
}

StartPlace start_place(const TracedRun& run, const WorkSpan& span) {
    StartPlace place;
    for (const WorkSpan& each : run.spans) {
        if (each.launch != span.launch) continue;
        ++place.count;
        if (each.begin_us < span.begin_us) ++place.index;
    }
    return place;
}

}  // namespace warpsieve::trace
