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
        const std::vector<compaction::Item> words = workloads::widen(items, each.item_size, /*seed=*/1);
        const compaction::LaneTrace trace =
            compaction::simulated::trace_lanes(compaction::find_algorithm(std::string(each.algorithm)), {},
                                               each.item_size, std::as_bytes(std::span(words)),
                                               compaction::keep_non_zero(), each.schedule_seed)
                .trace;
        platform::write_file(std::filesystem::path(argv[1]) / (std::string(each.name) + ".lanes"),
                             kernel_view::recording_file(trace));
    }
}
