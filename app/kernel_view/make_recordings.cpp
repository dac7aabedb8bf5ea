// Makes the files of recordings.def: make_recordings FOLDER
#include <filesystem>
#include <span>
#include <vector>

#include "app/kernel_view/recording.hpp"
#include "compaction/engine.hpp"
#include "platform/files.hpp"
#include "workloads/streams.hpp"

int main(int argc, char** argv) {
    using namespace warpsieve;
    if (argc != 2) return 2;
    for (const kernel_view::BuiltInRecording& each : kernel_view::recordings()) {
        const std::vector<compaction::Item> items =
            workloads::make_stream(workloads::Pattern::random, each.num_items, 0.5, 1);
        const std::string id(each.algorithm);
        const compaction::LaneTrace trace =
            compaction::simulated::trace_lanes(compaction::find_algorithm(id), {},
                                               compaction::ItemSize::bytes_4, std::as_bytes(std::span(items)),
                                               compaction::keep_non_zero(), each.schedule_seed)
                .trace;
        platform::write_file(std::filesystem::path(argv[1]) / (id + ".lanes"),
                             kernel_view::recording_file(trace));
    }
}
