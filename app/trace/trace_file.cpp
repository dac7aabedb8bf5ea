#include "app/trace/trace_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "compaction/error.hpp"

namespace warpsieve::trace {
namespace {

using compaction::AccessTrace;
using compaction::Error;
using compaction::ErrorCode;
using compaction::TracedBuffer;
using compaction::TracedLaunch;
using nlohmann::json;

constexpr std::string_view format_name = "warpsieve access trace";
constexpr int format_version = 1;

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
    if (buffer.role > compaction::BufferRole::num_selected || buffer.element_bytes == 0 ||
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
    if (launch.kind > compaction::LaunchKind::library || launch.multiprocessors.size() != launch.blocks)
        throw Error(ErrorCode::invalid_argument,
                    "The launch '" + launch.kernel + "' of the trace is damaged.");
    return launch;
}

AccessTrace trace_of(const json& file) {
    if (!file.is_object() || file.value("format", "") != format_name)
        throw Error(ErrorCode::invalid_argument, "This is no file with a trace of accesses.");
    if (file.at("version") != format_version)
        throw Error(ErrorCode::invalid_argument,
                    "Another version of the program wrote this trace. Record it again.");
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

}  // namespace

std::vector<std::uint8_t> trace_file(const AccessTrace& trace) {
    json file{{"format", format_name},    {"version", format_version},    {"algorithm", trace.algorithm},
              {"seed", trace.seed},       {"item_size", trace.item_size}, {"num_items", trace.num_items},
              {"buffers", json::array()}, {"launches", json::array()},    {"accesses", binary(trace.packed)}};
    for (const TracedBuffer& buffer : trace.buffers) file["buffers"].push_back(to_json(buffer));
    for (const TracedLaunch& launch : trace.launches) file["launches"].push_back(to_json(launch));
    return json::to_cbor(file);
}

AccessTrace read_trace_file(std::span<const std::uint8_t> bytes) {
    try {
        return trace_of(json::from_cbor(bytes.begin(), bytes.end()));
    } catch (const json::exception&) {
        throw Error(ErrorCode::invalid_argument,
                    "This is no file with a trace of accesses, or a part of it is missing.");
    }
}

}  // namespace warpsieve::trace
