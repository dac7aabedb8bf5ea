#include "app/trace/trace_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace warpsieve::trace {
namespace {

using compaction::WorkSpan;

std::string json_string(const std::string& text) {
    return nlohmann::json(text).dump(/*indent=*/-1, /*indent_char=*/' ', /*ensure_ascii=*/true,
                                     nlohmann::json::error_handler_t::replace);
}

/// Writes events straight to text: a run has up to 2^17 spans, and a JSON document of them would be large.
class Events {
  public:
    explicit Events(std::string& text) : text_(text) {}

    /// Names a process or a thread; `kind` is "process_name" or "thread_name".
    void name(const char* kind, std::size_t pid, std::size_t tid, const std::string& name) {
        event(R"({"name":"%s","ph":"M","pid":%zu,"tid":%zu,"args":{"name":)", kind, pid, tid);
        text_ += json_string(name) + "}}";
    }
    void label(std::size_t pid, const std::string& label) {
        event(R"({"name":"process_labels","ph":"M","pid":%zu,"tid":0,"args":{"labels":"%s"}})", pid,
              label.c_str());
    }
    void sort_index(std::size_t pid, std::size_t tid) {
        event(R"({"name":"thread_sort_index","ph":"M","pid":%zu,"tid":%zu,"args":{"sort_index":%zu}})", pid,
              tid, tid);
    }
    void complete(const std::string& name, std::size_t pid, std::size_t tid, double begin_us,
                  double duration_us) {
        event(R"({"name":%s,"ph":"X","pid":%zu,"tid":%zu,"ts":%.3f,"dur":%.3f})", name.c_str(), pid, tid,
              begin_us, duration_us);
    }
    void complete(const std::string& name, std::size_t pid, std::size_t tid, double run_begin_us,
                  const WorkSpan& span, const std::string& more_arguments) {
        event(
            R"({"name":%s,"ph":"X","pid":%zu,"tid":%zu,"ts":%.3f,"dur":%.3f,"args":{"launch":%lu,"block":%lu,"kept":%llu)",
            name.c_str(), pid, tid, static_cast<double>(span.begin_us) - run_begin_us,
            static_cast<double>(span.end_us) - static_cast<double>(span.begin_us),
            static_cast<unsigned long>(span.launch), static_cast<unsigned long>(span.block),
            static_cast<unsigned long long>(span.num_selected));
        text_ += more_arguments + "}}";
    }

    /// An access of a warp: "load counts", with its elements and the values that it stored.
    void access(const std::string& name, const compaction::WarpAccess& access, std::size_t tid) {
        event(R"({"name":%s,"ph":"X","pid":%u,"tid":%zu,"ts":%llu,"dur":1,"args":{"elements":)", name.c_str(),
              access.multiprocessor + 1, tid, static_cast<unsigned long long>(access.step));
        add_list(access.elements.size(), [&](std::size_t i) { return access.elements[i]; });
        if (!access.values.empty()) {
            text_ += R"(,"values":)";
            add_list(access.elements.size(), [&](std::size_t i) { return access.value(i); });
        }
        text_ += "}}";
    }

  private:
    template <typename At>
    void add_list(std::size_t size, At at) {
        for (std::size_t i = 0; i < size; ++i) text_ += (i == 0 ? "[" : ",") + std::to_string(at(i));
        text_ += "]";
    }

    template <typename... Values>
    void event(const char* format, Values... values) {
        text_ += first_ ? "\n" : ",\n";
        first_ = false;
        char buffer[512];
        std::snprintf(buffer, sizeof buffer, format, values...);
        text_ += buffer;
    }

    std::string& text_;
    bool first_ = true;
};

/// A JSON string, cut to a length for which the buffer of an event has room.
std::string quoted(const std::string& name) {
    constexpr std::size_t max_length = 80;
    return json_string(name.substr(0, max_length));
}

/// The arguments of a span that its launch knows: its parts, waits and appends.
class SpanArguments {
  public:
    explicit SpanArguments(const TracedRun& run) : run_(run), parts_(run.launches.size()) {
        for (std::size_t i = 0; i < run.launches.size(); ++i) {
            const compaction::LaunchTrace& launch = run.launches[i];
            if (!launch.parts) continue;
            const std::size_t num_parts =
                launch.parts->by_ticket ? launch.parts->ticket_blocks.size() : launch.waits.size();
            for (std::size_t part = 0; part < num_parts; ++part)
                if (const auto block = launch.parts->block_of_part(part)) parts_[i][*block].push_back(part);
        }
    }

    /// The arguments as JSON members. Each begins with a comma.
    std::string text_of(const WorkSpan& span) const {
        std::string text;
        if (span.blocks > 1) text += R"(,"blocks":)" + std::to_string(span.blocks);
        if (span.launch >= run_.launches.size()) return text;
        if (const auto part = first_part(span)) text += R"(,"part":)" + std::to_string(*part);
        add_waits(text, span);
        add_appends(text, span);
        return text;
    }

  private:
    std::optional<std::uint64_t> first_part(const WorkSpan& span) const {
        const compaction::BlockParts* const parts = run_.parts_of(span);
        if (!parts) return {};
        if (!parts->by_ticket) return parts->first_part(span.block);
        const auto taken = parts_[span.launch].find(span.block);
        return taken != parts_[span.launch].end() ? std::optional(taken->second.front()) : std::nullopt;
    }

    void add_waits(std::string& text, const WorkSpan& span) const {
        const auto& waits = run_.launches[span.launch].waits;
        if (waits.empty()) return;
        const auto& parts = parts_[span.launch];
        std::vector<std::uint64_t> parts_of_span;
        for (auto block = parts.lower_bound(span.block);
             block != parts.end() && block->first - span.block < span.blocks; ++block)
            parts_of_span.insert(parts_of_span.end(), block->second.begin(), block->second.end());
        if (parts_of_span.size() == 1) {
            const compaction::PartWait& wait = waits[parts_of_span.front()];
            text += R"(,"posted":)" + time_text(wait.posted_us) + R"(,"summed":)" + time_text(wait.summed_us);
        } else if (!parts_of_span.empty()) {
            text += R"(,"waits":)";
            add_list(text, parts_of_span, [&](std::uint64_t part) {
                return "[" + std::to_string(part) + "," + time_text(waits[part].posted_us) + "," +
                       time_text(waits[part].summed_us) + "]";
            });
        }
    }

    void add_appends(std::string& text, const WorkSpan& span) const {
        const auto& appends = run_.launches[span.launch].appends;
        const auto first = std::ranges::lower_bound(appends, span.block, {}, &compaction::Append::block);
        const auto last = std::ranges::lower_bound(appends, span.block + std::uint64_t{span.blocks}, {},
                                                   &compaction::Append::block);
        if (first == last) return;
        text += R"(,"appends":)";
        add_list(text, std::span(first, last), [&](const compaction::Append& append) {
            return "[" + std::to_string(append.block) + "," + std::to_string(append.warp) + "," +
                   std::to_string(append.index) + "," + std::to_string(append.count) + "]";
        });
    }

    template <typename List, typename Write>
    static void add_list(std::string& text, const List& list, Write write) {
        text += "[";
        for (const auto& element : list) text += (text.back() == '[' ? "" : ",") + write(element);
        text += "]";
    }

    /// A time on the time axis of the file; "null" if it is unknown.
    std::string time_text(std::optional<float> us) const {
        if (!us || !std::isfinite(*us)) return "null";
        char text[32];
        std::snprintf(text, sizeof text, "%.3f",
                      static_cast<double>(*us) - static_cast<double>(run_.begin_us));
        return text;
    }

    const TracedRun& run_;
    /// The parts of each block, for each launch whose blocks took parts by ticket or waited.
    std::vector<std::map<std::uint64_t, std::vector<std::uint64_t>>> parts_;
};

void add_phases(Events& events, const TracedRun& run, std::size_t pid) {
    events.name("thread_name", pid, 0, "phases");
    events.sort_index(pid, 0);
    for (std::size_t phase = 0; phase < run.timing.num_phases; ++phase) {
        events.complete(quoted(run.phase_name(phase)), pid, 0,
                        static_cast<double>(run.phase_begin_us(phase) - run.begin_us),
                        static_cast<double>(run.timing.phase_us[phase]));
    }
}

void add_processors(Events& events, const TracedRun& run, std::size_t pid) {
    const std::string kind = run.processor_word() + std::string(" ");
    const SpanArguments arguments(run);
    std::vector<std::string> names;
    for (std::size_t phase = 0; phase < compaction::max_phases; ++phase)
        names.push_back(quoted(run.phase_name(phase)));
    for (std::uint32_t processor = 0; processor < run.processors; ++processor) {
        std::vector<bool> named(run.num_tracks);
        for (std::size_t i = run.rows[processor]; i < run.rows[processor + 1]; ++i) {
            const std::size_t track = run.tracks[i];
            const std::size_t tid = 1 + std::size_t{processor} * run.num_tracks + track;
            if (!named[track]) {
                named[track] = true;
                events.name("thread_name", pid, tid,
                            kind + std::to_string(processor) +
                                (track == 0 ? "" : ", slot " + std::to_string(track + 1)));
                events.sort_index(pid, tid);
            }
            events.complete(names[run.spans[i].phase], pid, tid, static_cast<double>(run.begin_us),
                            run.spans[i], arguments.text_of(run.spans[i]));
        }
    }
}

void add_lanes(Events& events, const TracedRun& run, std::size_t pid) {
    std::size_t tid = 1 + std::size_t{run.processors} * run.num_tracks;
    for (const RoleLane& lane : run.lanes) {
        const std::string name{name_of(lane.role)};
        events.name("thread_name", pid, tid, "block " + std::to_string(*run.roles_block) + ", " + name);
        events.sort_index(pid, tid);
        for (const WorkSpan& span : lane.spans)
            events.complete(quoted(name), pid, tid, static_cast<double>(run.begin_us), span, {});
        ++tid;
    }
}

}  // namespace

std::string trace_json(std::span<const NamedRun> runs) {
    std::string text = R"({"displayTimeUnit":"ns","traceEvents":[)";
    std::size_t spans = 0;
    for (const NamedRun& each : runs) spans += each.run->spans.size();
    constexpr std::size_t typical_event_bytes = 144;
    constexpr std::size_t bytes_of_rest = 65'536;
    text.reserve(spans * typical_event_bytes + bytes_of_rest);
    Events events(text);
    std::size_t pid = 1;
    for (const NamedRun& each : runs) {
        const TracedRun& run = *each.run;
        std::string name = each.name + ": " + run.algorithm->id + ", frame " + std::to_string(run.frame);
        if (run.schedule_seed)
            name += ", simulated schedule, seed " + std::to_string(*run.schedule_seed) +
                    ", a microsecond is 1,000 ticks";
        events.name("process_name", pid, 0, name);
        if (const std::string omissions = run.omissions(); !omissions.empty()) events.label(pid, omissions);
        add_phases(events, run, pid);
        add_processors(events, run, pid);
        add_lanes(events, run, pid);
        ++pid;
    }
    text += "\n]}\n";
    return text;
}

std::string accesses_json(const compaction::AccessTrace& trace) {
    std::string text = R"({"displayTimeUnit":"ns","traceEvents":[)";
    Events events(text);
    const std::string unit = trace.algorithm + ", simulated schedule, seed " + std::to_string(trace.seed) +
                             ", a microsecond is a step: multiprocessor ";
    std::set<std::uint32_t> processors;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> warps;
    for (compaction::AccessReader reader(trace); reader.next();) {
        const compaction::WarpAccess& access = reader.access();
        const std::uint32_t processor = access.multiprocessor;
        if (processors.insert(processor).second)
            events.name("process_name", processor + 1, 0, unit + std::to_string(processor));
        const auto [warp, is_new] =
            warps.try_emplace({processor, access.block, access.warp}, warps.size() + 1);
        if (is_new)
            events.name("thread_name", processor + 1, warp->second,
                        "block " + std::to_string(access.block) + ", warp " + std::to_string(access.warp));
        events.access(quoted(std::string(name_of(access.kind)) + " " + trace.buffers[access.buffer].name),
                      access, warp->second);
    }
    text += "\n]}\n";
    return text;
}

}  // namespace warpsieve::trace
