#include "app/trace/trace_file.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "compaction/error.hpp"

namespace warpsieve::trace {
namespace {

using compaction::AccessTrace;
using compaction::Append;
using compaction::BlockParts;
using compaction::Error;
using compaction::ErrorCode;
using compaction::LaunchTrace;
using compaction::Partition;
using compaction::PartWait;
using compaction::RunTiming;
using compaction::RunTrace;
using compaction::TracedBuffer;
using compaction::TracedLaunch;
using compaction::WorkSpan;
using experiments::Machine;
using nlohmann::json;

constexpr std::string_view accesses_format = "warpsieve access trace";
constexpr std::string_view run_format = "warpsieve run trace";
constexpr int format_version = 2;

// The last value of each enumeration. Greater values in a file mean that it is damaged.
constexpr auto last_buffer_role = compaction::BufferRole::num_selected;
constexpr auto last_launch_kind = compaction::LaunchKind::library;
constexpr auto last_warp_role = compaction::WarpRole::scatter;
constexpr auto last_part_kind = compaction::PartKind::chunk;

json binary(std::span<const std::byte> bytes) {
    const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return json::binary({data, data + bytes.size()});
}

std::vector<std::byte> bytes_of(const json& value) {
    const auto& binary = value.get_binary();
    const auto* const data = reinterpret_cast<const std::byte*>(binary.data());
    return {data, data + binary.size()};
}

json to_json(const TracedBuffer& buffer) {
    return {{"role", buffer.role},
            {"name", buffer.name},
            {"num_elements", buffer.num_elements},
            {"element_bytes", buffer.element_bytes},
            {"first_bit", buffer.format.first_bit},
            {"num_bits", buffer.format.num_bits},
            {"is_mask", buffer.format.is_mask},
            {"copies", buffer.format.copies},
            {"initial", binary(buffer.initial)}};
}

TracedBuffer buffer_of(const json& value) {
    TracedBuffer buffer{.role = value.at("role"),
                        .name = value.at("name"),
                        .num_elements = value.at("num_elements"),
                        .element_bytes = value.at("element_bytes"),
                        .format = {.first_bit = value.at("first_bit"),
                                   .num_bits = value.at("num_bits"),
                                   .is_mask = value.at("is_mask"),
                                   .copies = value.at("copies")},
                        .initial = bytes_of(value.at("initial"))};
    if (buffer.role > last_buffer_role || buffer.element_bytes == 0 ||
        buffer.initial.size() % buffer.element_bytes != 0 ||
        buffer.initial.size() / buffer.element_bytes != buffer.num_elements)
        throw Error(ErrorCode::invalid_argument, "The buffer '" + buffer.name + "' of the trace is damaged.");
    return buffer;
}

json to_json(const TracedLaunch& launch) {
    return {{"kind", launch.kind},
            {"kernel", launch.kernel},
            {"phase", launch.phase ? json(*launch.phase) : json()},
            {"blocks", launch.blocks},
            {"threads", launch.threads},
            {"multiprocessors", json::binary(launch.multiprocessors)},
            {"begin_step", launch.begin_step},
            {"end_step", launch.end_step}};
}

TracedLaunch launch_of(const json& value) {
    TracedLaunch launch{.kind = value.at("kind"),
                        .kernel = value.at("kernel"),
                        .phase = {},
                        .blocks = value.at("blocks"),
                        .threads = value.at("threads"),
                        .multiprocessors = value.at("multiprocessors").get_binary(),
                        .begin_step = value.at("begin_step"),
                        .end_step = value.at("end_step")};
    if (!value.at("phase").is_null()) launch.phase = value.at("phase").get<std::uint8_t>();
    if (launch.kind > last_launch_kind || launch.multiprocessors.size() != launch.blocks)
        throw Error(ErrorCode::invalid_argument,
                    "The launch '" + launch.kernel + "' of the trace is damaged.");
    return launch;
}

AccessTrace accesses_of(const json& file) {
    AccessTrace trace{.algorithm = file.at("algorithm"),
                      .seed = file.at("seed"),
                      .item_size = file.at("item_size"),
                      .num_items = file.at("num_items"),
                      .buffers = {},
                      .launches = {},
                      .packed = bytes_of(file.at("accesses"))};
    for (const json& buffer : file.at("buffers")) trace.buffers.push_back(buffer_of(buffer));
    for (const json& launch : file.at("launches")) trace.launches.push_back(launch_of(launch));
    for (compaction::AccessReader reader(trace); reader.next(); ++trace.num_accesses) {
        const compaction::WarpAccess& access = reader.access();
        if (stores(access.kind)) trace.num_stored_values += access.elements.size();
        trace.num_steps = access.step + 1;
    }
    return trace;
}

// The members of each struct with their names in the file.

template <typename Act>
void for_each_member(const PartWait*, Act act) {
    act("posted_us", &PartWait::posted_us);
    act("summed_us", &PartWait::summed_us);
}

template <typename Act>
void for_each_member(const Append*, Act act) {
    act("block", &Append::block);
    act("warp", &Append::warp);
    act("index", &Append::index);
    act("count", &Append::count);
}

template <typename Act>
void for_each_member(const WorkSpan*, Act act) {
    act("begin_us", &WorkSpan::begin_us);
    act("end_us", &WorkSpan::end_us);
    act("block", &WorkSpan::block);
    act("processor", &WorkSpan::processor);
    act("num_selected", &WorkSpan::num_selected);
    act("phase", &WorkSpan::phase);
    act("role", &WorkSpan::role);
    act("round", &WorkSpan::round);
    act("launch", &WorkSpan::launch);
    act("blocks", &WorkSpan::blocks);
    act("wait", &WorkSpan::wait);
}

template <typename Act>
void for_each_member(const Partition*, Act act) {
    act("kind", &Partition::kind);
    act("num_items", &Partition::num_items);
    act("num_parts", &Partition::num_parts);
    act("items_each", &Partition::items_each);
    act("num_longer", &Partition::num_longer);
    act("longer_by", &Partition::longer_by);
    act("unknown_because", &Partition::unknown_because);
}

template <typename Act>
void for_each_member(const BlockParts*, Act act) {
    act("partition", &BlockParts::partition);
    act("lead", &BlockParts::lead);
    act("parts_per_block", &BlockParts::parts_per_block);
    act("by_ticket", &BlockParts::by_ticket);
    act("counts_selected", &BlockParts::counts_selected);
    act("waits", &BlockParts::waits);
    act("appends", &BlockParts::appends);
    act("num_blocks", &BlockParts::num_blocks);
    act("ticket_blocks", &BlockParts::ticket_blocks);
}

template <typename Act>
void for_each_member(const LaunchTrace*, Act act) {
    act("phase", &LaunchTrace::phase);
    act("blocks", &LaunchTrace::blocks);
    act("threads", &LaunchTrace::threads);
    act("parts", &LaunchTrace::parts);
    act("waits", &LaunchTrace::waits);
    act("appends", &LaunchTrace::appends);
    act("appends_left_out", &LaunchTrace::appends_left_out);
}

template <typename Act>
void for_each_member(const RunTiming*, Act act) {
    act("run", &RunTiming::run);
    act("phase_us", &RunTiming::phase_us);
    act("hidden_us", &RunTiming::hidden_us);
    act("gap_us", &RunTiming::gap_us);
    act("gaps_known", &RunTiming::gaps_known);
    act("num_phases", &RunTiming::num_phases);
    act("between_us", &RunTiming::between_us);
}

template <typename Act>
void for_each_member(const RunTrace*, Act act) {
    act("run", &RunTrace::run);
    act("timing", &RunTrace::timing);
    act("launches", &RunTrace::launches);
    act("spans", &RunTrace::spans);
    act("processors", &RunTrace::processors);
    act("blocks_merged", &RunTrace::blocks_merged);
    act("spans_left_out", &RunTrace::spans_left_out);
    act("launches_left_out", &RunTrace::launches_left_out);
    act("clock_step_us", &RunTrace::clock_step_us);
    act("schedule_seed", &RunTrace::schedule_seed);
}

template <typename Act>
void for_each_member(const Machine*, Act act) {
    act("engine", &Machine::engine);
    act("device", &Machine::device);
    act("driver", &Machine::driver);
    act("memory_bytes", &Machine::memory_bytes);
    act("cache_bytes", &Machine::cache_bytes);
    act("max_clock_hz", &Machine::max_clock_hz);
    act("version", &Machine::version);
    act("commit", &Machine::commit);
    act("command", &Machine::command);
    act("date", &Machine::date);
}

template <typename Act>
void for_each_member(const RecordedRun*, Act act) {
    act("algorithm", &RecordedRun::algorithm);
    act("num_items", &RecordedRun::num_items);
    act("item_size", &RecordedRun::item_size);
    act("machine", &RecordedRun::machine);
    act("trace", &RecordedRun::trace);
}

template <typename T>
concept HasMembers = requires(const T* object) {
    for_each_member(object, [](const char*, auto) {});
};

template <typename T>
struct ElementOf {};
template <typename T>
struct ElementOf<std::vector<T>> {
    using type = T;
};
template <typename T>
concept HasRows = HasMembers<typename ElementOf<T>::type>;
template <typename T>
constexpr bool is_vector = requires {
    typename ElementOf<T>::type;
};

template <typename T>
constexpr bool is_optional = false;
template <typename T>
constexpr bool is_optional<std::optional<T>> = true;

template <typename Struct, typename Member>
std::vector<Member> column_of(const std::vector<Struct>& rows, Member Struct::*member) {
    std::vector<Member> column;
    for (const Struct& row : rows) column.push_back(row.*member);
    return column;
}

/// A struct is an object. A vector of structs is an object, too, with an array for each member.
template <typename T>
json value_of(const T& from) {
    json value = json::object();
    if constexpr (is_optional<T>) {
        return from ? value_of(*from) : json();
    } else if constexpr (HasMembers<T>) {
        for_each_member(&from, [&](const char* name, auto member) { value[name] = value_of(from.*member); });
    } else if constexpr (HasRows<T>) {
        for_each_member(from.data(), [&](const char* name, auto member) {
            value[name] = value_of(column_of(from, member));
        });
    } else if constexpr (is_vector<T>) {
        value = json::array();
        for (const auto& element : from) value.push_back(value_of(element));
    } else {
        value = from;
    }
    return value;
}

template <typename T>
void read(const json& from, T& to) {
    if constexpr (is_optional<T>) {
        if (!from.is_null()) read(from, to.emplace());
    } else if constexpr (HasMembers<T>) {
        for_each_member(&to, [&](const char* name, auto member) { read(from.at(name), to.*member); });
    } else if constexpr (HasRows<T>) {
        bool sized = false;
        for_each_member(to.data(), [&](const char* name, auto member) {
            auto column = column_of(to, member);  // has the type of the member
            column.clear();
            read(from.at(name), column);
            if (!std::exchange(sized, true)) to.resize(column.size());
            if (column.size() != to.size())
                throw Error(ErrorCode::invalid_argument,
                            "The column '" + std::string(name) + "' of the trace is damaged.");
            for (std::size_t row = 0; row < to.size(); ++row) to[row].*member = std::move(column[row]);
        });
    } else if constexpr (is_vector<T>) {
        for (const json& element : from) read(element, to.emplace_back());
    } else {
        from.get_to(to);
    }
}

RecordedRun run_of(const json& file) {
    // More than any device has. The code that shows a run allocates memory for each processor.
    constexpr std::uint32_t max_processors = 1U << 16;
    RecordedRun run;
    read(file, run);
    const RunTrace& trace = run.trace;
    const bool times_valid =
        std::ranges::all_of(trace.timing.phase_us, [](float us) { return std::isfinite(us); });
    const bool roles_valid =
        std::ranges::all_of(trace.spans, [](const WorkSpan& span) { return span.role <= last_warp_role; });
    const bool parts_valid = std::ranges::all_of(trace.launches, [](const LaunchTrace& launch) {
        if (!launch.parts) return launch.waits.empty();
        const BlockParts& parts = *launch.parts;
        const std::uint64_t num_parts = parts.partition.num_parts;
        return parts.num_blocks > 0 && parts.parts_per_block > 0 && parts.partition.kind <= last_part_kind &&
               (parts.ticket_blocks.empty() || parts.ticket_blocks.size() == num_parts) &&
               (launch.waits.empty() || launch.waits.size() == num_parts);
    });
    if (trace.timing.num_phases > compaction::max_phases || trace.processors > max_processors ||
        !times_valid || !roles_valid || !parts_valid)
        throw Error(ErrorCode::invalid_argument, "The run in the trace is damaged.");
    return run;
}

}  // namespace

std::vector<std::uint8_t> trace_file(const AccessTrace& trace) {
    json file{
        {"format", accesses_format}, {"version", format_version},    {"algorithm", trace.algorithm},
        {"seed", trace.seed},        {"item_size", trace.item_size}, {"num_items", trace.num_items},
        {"buffers", json::array()},  {"launches", json::array()},    {"accesses", binary(trace.packed)}};
    for (const TracedBuffer& buffer : trace.buffers) file["buffers"].push_back(to_json(buffer));
    for (const TracedLaunch& launch : trace.launches) file["launches"].push_back(to_json(launch));
    return json::to_cbor(file);
}

std::vector<std::uint8_t> trace_file(const RecordedRun& run) {
    json file = value_of(run);
    file["format"] = run_format;
    file["version"] = format_version;
    return json::to_cbor(file);
}

std::variant<AccessTrace, RecordedRun> read_trace_file(std::span<const std::uint8_t> bytes) {
    try {
        const json file = json::from_cbor(bytes.begin(), bytes.end());
        const std::string format = file.is_object() ? file.value("format", "") : "";
        if (format != accesses_format && format != run_format)
            throw Error(ErrorCode::invalid_argument, "This is no file with a trace.");
        if (file.at("version") != format_version)
            throw Error(ErrorCode::invalid_argument,
                        "Another version of the program wrote this trace. Record it again.");
        if (format == run_format) return run_of(file);
        return accesses_of(file);
    } catch (const json::exception&) {
        throw Error(ErrorCode::invalid_argument, "This is no file with a trace, or a part of it is missing.");
    }
}

}  // namespace warpsieve::trace
