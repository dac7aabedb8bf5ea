#include "app/tour/tour.hpp"

#include <array>

namespace warpsieve::tour {
namespace {

using compaction::Option;
using compaction::PhaseRole;

constexpr StepAlgorithm gpu_sequences{"sequence_wise"};
constexpr StepAlgorithm cpu_sequences{"cpu_sequence_wise"};
constexpr EngineStep plain_gpu{"", gpu_sequences};
constexpr EngineStep plain_cpu{"", cpu_sequences};

/// Each memory access reads one item.
constexpr StepAlgorithm scalar(std::string_view algorithm) {
    return {algorithm, Option::vector_width, 1};
}
constexpr StepAlgorithm in_vectors(std::string_view algorithm) {
    return {algorithm, Option::vector_width, 4};
}
constexpr StepAlgorithm one_worker(std::string_view algorithm) {
    return {algorithm, Option::threads_per_block, 1};
}

constexpr std::array<Step, num_steps> all{{
    {"A sparse buffer",
     "Each particle lives in a slot, a numbered position in memory. When it dies, its slot stays empty. "
     "INPUT shows the slots: bright cells hold particles, dark ones are empty. Empty slots waste time and "
     "memory. Compaction copies the kept particles to OUTPUT, where nothing is empty.",
     particles_tab, plain_gpu, plain_cpu, Figure::none, ScenePart::input},
    {"The predicate",
     "This is one compaction, in slow motion. Each slot is asked a yes-or-no question, the predicate: does "
     "this slot hold a particle? Slots that answer yes are kept, and all others are dropped. A bright cell "
     "has just been read.",
     particles_tab, plain_gpu, plain_cpu, Figure::none, ScenePart::input, PhaseStop{PhaseRole::count, 0.4}},
    {"Count",
     "The input is cut into sequences, so that workers can share the task. First, the items to keep are "
     "counted in each sequence. A pillar is the count of a sequence. Nothing moves yet.",
     particles_tab, plain_gpu, plain_cpu, Figure::none, ScenePart::words, PhaseStop{PhaseRole::count, 0.97}},
    {"Prefix",
     "Where may the items of a sequence go? Right after everything that the sequences before it keep. So the "
     "counts are added up from the first sequence to the last. The stairs are this running total, which is "
     "called a prefix sum.",
     particles_tab, plain_gpu, plain_cpu, Figure::none, ScenePart::words, PhaseStop{PhaseRole::prefix, 1}},
    {"Move",
     "Now the items of each sequence are copied, each to its own position, as the marked item shows. No two "
     "of them go to the same cell of memory, and they stay in order. Press Space to watch it; Left and Right "
     "move step by step.",
     particles_tab, plain_gpu, plain_cpu, Figure::none, ScenePart::item, PhaseStop{PhaseRole::scatter, 0.55}},
    {"Checked",
     "This is the full stream: on the left the slots, on the right the result, without holes and in the same "
     "order of colours. The program does not trust it: every 30 frames it compares each item of the result "
     "with the result of a plain loop.",
     "slot_map", plain_gpu, plain_cpu, Figure::checks},
    {"One factor: scalar, block-wise",
     "Four ideas can make a compaction fast. For each, two algorithms compact the same stream: A on the "
     "left, B on the right.",
     lens_tab,
     {"A writes a flag for every item and adds up all the flags. B adds up one count for each block of "
      "threads, so that far fewer numbers are written and read. Both handle one item at a time.",
      {"work_efficient_scan"},
      scalar("block_wise")},
     {"A writes a flag for every item and adds up all the flags. B is a loop that remembers only where the "
      "next item goes, so that nothing else is written and read. Both handle one item at a time.",
      {"cpu_scan_scatter"},
      {"cpu_branchless"}},
     Figure::ratio},
    {"One factor: sequences",
     "The stream is cut into long runs, the sequences, and one worker walks through each.",
     lens_tab,
     {"A does without: each thread takes one item, so that a long stream needs many blocks, and each block "
      "writes a count. B has only as many sequences as keep the GPU busy.",
      scalar("block_wise"), scalar("sequence_wise")},
     {"A has one worker thread for all sequences, B the automatic number: one for short streams, more for "
      "long "
      "ones, where processor cores are free.",
      one_worker("cpu_sequence_wise"),
      {"cpu_sequence_wise"}},
     Figure::ratio},
    {"One factor: vectors",
     "The same work with fewer instructions.",
     lens_tab,
     {"Both algorithms use sequences. A reads one item with each access to memory, B reads four neighbours "
      "at once, a vector. Fewer and wider accesses keep the memory busy.",
      scalar("sequence_wise"), in_vectors("sequence_wise")},
     {"Both run on one thread. A handles one item after the other. B handles a whole vector of neighbours "
      "with each instruction, and pushes the kept ones together.",
      {"cpu_branchless"},
      {"cpu_simd"}},
     Figure::ratio},
    {"One factor: one pass",
     "Memory is the bottleneck of a long stream, so the algorithm that reads least should win there.",
     lens_tab,
     {"A reads the stream twice: to count, and to move. B reads it once: each part learns its offset from "
      "the parts before it while they still work. That is the whole tour.",
      in_vectors("sequence_wise"),
      {"single_pass"}},
     {"A goes through the stream twice: to count, and to move. B goes through it once: each part learns its "
      "offset from the parts before it while they still work. That is the whole tour.",
      {"cpu_sequence_wise"},
      {"cpu_single_pass"}},
     Figure::ratio},
}};

}  // namespace

std::span<const Step> steps() {
    return all;
}

}  // namespace warpsieve::tour
