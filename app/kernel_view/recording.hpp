#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "app/kernel_view/source.hpp"
#include "compaction/engine.hpp"
#include "compaction/item.hpp"
#include "compaction/lane_trace.hpp"

/// Traces that a build with the simulated GPU has recorded, for builds without it.
namespace warpsieve::kernel_view {

/// A trace, and the sources of its kernels as they were when it was recorded.
struct Recording {
    compaction::LaneTrace trace;
    SourceTexts sources;
};

/// The contents of a file with the trace and the built-in sources that it names. Leaves out the names of
/// functions, and places in other files. Throws Error{out_of_memory} if there is too little memory.
std::string recording_file(const compaction::LaneTrace& trace);
/// Reads such a file. Throws Error{invalid_argument} if it is damaged.
Recording read_recording(std::span<const std::byte> file);

/// A recording that is built in. Its stream is `random`, half of it kept, of seed 1.
struct BuiltInRecording {
    std::string_view name;       ///< of its file in assets/recordings
    std::string_view algorithm;  ///< Algorithm::id
    std::uint32_t num_items = 0;
    compaction::ItemSize item_size = compaction::ItemSize::bytes_4;
    std::uint32_t schedule_seed = 0;
    std::span<const std::byte> (*file)() = nullptr;
};
std::span<const BuiltInRecording> recordings();
/// The first recording of the algorithm; null if there is none.
const BuiltInRecording* find_recording(std::string_view algorithm);

/// Whether this build has steps of the algorithm, traced or recorded.
bool has_steps(const compaction::Algorithm& algorithm);
/// The algorithm whose steps are shown: `chosen` if it has steps, else the one of the GPU with the same name,
/// else the single pass.
const compaction::Algorithm& shown_for(const compaction::Algorithm& chosen);

}  // namespace warpsieve::kernel_view
