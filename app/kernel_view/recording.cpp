#include "app/kernel_view/recording.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "compaction/error.hpp"
#include "embedded/embedded_recordings.hpp"

namespace warpsieve::kernel_view {
namespace {

using compaction::Error;
using compaction::ErrorCode;
using compaction::LaneSite;
using compaction::SourceFrame;
using compaction::TracedBuffer;
using compaction::TracedLaunch;
using nlohmann::json;

// Structs are arrays of their members.

json binary(const auto& bytes) {
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return json::binary({begin, begin + bytes.size()});
}

template <typename Byte>
std::vector<Byte> bytes_of(const json& from) {
    const auto& bytes = from.get_binary();
    const auto* const begin = reinterpret_cast<const Byte*>(bytes.data());
    return {begin, begin + bytes.size()};
}

json written(const TracedBuffer& buffer) {
    const compaction::WordFormat& format = buffer.format;
    return {buffer.role,     buffer.name,    buffer.num_elements, buffer.element_bytes,  format.first_bit,
            format.num_bits, format.is_mask, format.copies,       binary(buffer.initial)};
}

TracedBuffer read_buffer(const json& from) {
    return {.role = from.at(0),
            .name = from.at(1),
            .num_elements = from.at(2),
            .element_bytes = from.at(3),
            .format = {.first_bit = from.at(4),
                       .num_bits = from.at(5),
                       .is_mask = from.at(6),
                       .copies = from.at(7)},
            .initial = bytes_of<std::byte>(from.at(8))};
}

json written(const TracedLaunch& launch) {
    return {launch.kind,   launch.kernel,  launch.phase ? json(*launch.phase) : json(),
            launch.blocks, launch.threads, binary(launch.multiprocessors)};
}

TracedLaunch read_launch(const json& from) {
    TracedLaunch launch{.kind = from.at(0),
                        .kernel = from.at(1),
                        .blocks = from.at(3),
                        .threads = from.at(4),
                        .multiprocessors = bytes_of<std::uint8_t>(from.at(5))};
    if (!from.at(2).is_null()) launch.phase = from.at(2).get<std::uint8_t>();
    return launch;
}

json written(const LaneSite& site) {
    return {site.kind, site.space, site.buffer, site.bytes, site.place, site.name};
}

LaneSite read_site(const json& from) {
    return {.kind = from.at(0),
            .space = from.at(1),
            .buffer = from.at(2),
            .bytes = from.at(3),
            .place = from.at(4),
            .name = from.at(5)};
}

/// The files and lines, without those whose source is not built in. Adds the sources to `sources`.
json written(const std::vector<SourceFrame>& all, SourceTexts& sources) {
    json frames = json::array();
    for (const SourceFrame& frame : all) {
        const auto source = embedded_source(frame.file);
        if (source) sources.try_emplace(source->path, source->text);
        frames.push_back({source ? source->path : "", frame.line});
    }
    return frames;
}

std::vector<SourceFrame> read_frames(const json& from) {
    std::vector<SourceFrame> frames;
    for (const json& frame : from)
        frames.push_back({.function = "", .file = frame.at(0), .line = frame.at(1)});
    return frames;
}

/// The number of bytes, then the bytes themselves, deflated.
std::string packed(const std::vector<std::uint8_t>& bytes) {
    const std::uint64_t num_bytes = bytes.size();
    std::string file(sizeof num_bytes, '\0');
    for (std::size_t i = 0; i < sizeof num_bytes; ++i) file[i] = static_cast<char>(num_bytes >> 8 * i);
    uLongf size = compressBound(bytes.size());
    file.resize(sizeof num_bytes + size);
    if (compress2(reinterpret_cast<Bytef*>(file.data()) + sizeof num_bytes, &size, bytes.data(), bytes.size(),
                  Z_BEST_COMPRESSION) != Z_OK)
        throw Error(ErrorCode::out_of_memory, "There is too little memory to pack the recording.");
    file.resize(sizeof num_bytes + size);
    return file;
}

std::vector<std::uint8_t> unpacked(std::span<const std::byte> file) {
    const auto damaged = [] { return Error(ErrorCode::invalid_argument, "The recording is damaged."); };
    std::uint64_t num_bytes = 0;
    if (file.size() < sizeof num_bytes) throw damaged();
    for (std::size_t i = 0; i < sizeof num_bytes; ++i)
        num_bytes |= std::to_integer<std::uint64_t>(file[i]) << 8 * i;
    std::vector<std::uint8_t> bytes(num_bytes);
    uLongf size = num_bytes;
    const std::span<const std::byte> deflated = file.subspan(sizeof num_bytes);
    if (uncompress(bytes.data(), &size, reinterpret_cast<const Bytef*>(deflated.data()), deflated.size()) !=
            Z_OK ||
        size != num_bytes)
        throw damaged();
    return bytes;
}

constexpr std::array built_in{
#define RECORDING(file, algorithm, num_items, item_bytes, schedule_seed) \
    BuiltInRecording{#file,         #algorithm,                          \
                     num_items,     compaction::ItemSize{item_bytes},    \
                     schedule_seed, embedded_recordings::file##_lanes_bytes},
#include "app/kernel_view/recordings.def"
#undef RECORDING
};

}  // namespace

std::string recording_file(const compaction::LaneTrace& trace) {
    json all{{"algorithm", trace.algorithm},   {"seed", trace.seed},
             {"num_steps", trace.num_steps},   {"loads_hash", trace.loads_hash},
             {"packed", binary(trace.packed)}, {"buffers", json::array()},
             {"launches", json::array()},      {"sites", json::array()},
             {"places", json::array()},        {"lines_after", json::array()}};
    SourceTexts sources;
    for (const TracedBuffer& buffer : trace.buffers) all["buffers"].push_back(written(buffer));
    for (const TracedLaunch& launch : trace.launches) all["launches"].push_back(written(launch));
    for (const LaneSite& site : trace.sites) all["sites"].push_back(written(site));
    for (const auto& place : trace.places) all["places"].push_back(written(place, sources));
    for (const auto& lines : trace.lines_after) all["lines_after"].push_back(written(lines, sources));
    all["sources"] = sources;
    return packed(json::to_cbor(all));
}

Recording read_recording(std::span<const std::byte> file) {
    try {
        const json all = json::from_cbor(unpacked(file));
        Recording recording;
        compaction::LaneTrace& trace = recording.trace;
        trace.algorithm = all.at("algorithm");
        trace.seed = all.at("seed");
        trace.num_steps = all.at("num_steps");
        trace.loads_hash = all.at("loads_hash");
        trace.packed = bytes_of<std::byte>(all.at("packed"));
        for (const json& buffer : all.at("buffers")) trace.buffers.push_back(read_buffer(buffer));
        for (const json& launch : all.at("launches")) trace.launches.push_back(read_launch(launch));
        for (const json& site : all.at("sites")) trace.sites.push_back(read_site(site));
        for (const json& place : all.at("places")) trace.places.push_back(read_frames(place));
        for (const json& lines : all.at("lines_after")) trace.lines_after.push_back(read_frames(lines));
        recording.sources = all.at("sources");
        return recording;
    } catch (const json::exception& error) {
        throw Error(ErrorCode::invalid_argument, "The recording is damaged: " + std::string(error.what()));
    }
}

std::span<const BuiltInRecording> recordings() {
    return built_in;
}

const BuiltInRecording* find_recording(std::string_view algorithm) {
    const auto found = std::ranges::find(built_in, algorithm, &BuiltInRecording::algorithm);
    return found == built_in.end() ? nullptr : &*found;
}

bool has_steps(const compaction::Algorithm& algorithm) {
    return compaction::simulated::no_trace_reason(algorithm).empty() || find_recording(algorithm.id);
}

const compaction::Algorithm& shown_for(const compaction::Algorithm& chosen) {
    if (has_steps(chosen)) return chosen;
    const auto catalogue = compaction::catalogue();
    for (const std::string_view name : {std::string_view(chosen.id), std::string_view("single_pass")}) {
        const auto found = std::ranges::find_if(catalogue, [&](const compaction::Algorithm& each) {
            return name.ends_with(each.id) && has_steps(each);
        });
        if (found != catalogue.end()) return *found;
    }
    return chosen;
}

}  // namespace warpsieve::kernel_view
