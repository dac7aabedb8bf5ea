// A plant for scripts/compare-trials: every call of a compaction takes 5 % longer. Linked into
// warpsieve_slowed, which is otherwise the program. The linker sends the calls of Compactor::enqueue here
// (--wrap), so that the program has no hook.
//
// On the CPU, where a call ends before it returns, a spin follows each call. On a GPU, where it does not,
// every 20th call runs twice.
#include <chrono>
#include <cstdint>
#include <string_view>
#include <typeinfo>

#include "compaction/compactor.hpp"

#define ENQUEUE "_ZN10compaction9Compactor7enqueueEPKvmPvPmNS_9PredicateEPNS_13PhaseRecorderE"

using compaction::Compactor;
using compaction::PhaseRecorder;
using compaction::Predicate;

/// A call takes longer by one part in this many.
constexpr int parts_of_a_call = 20;

void real_enqueue(Compactor* compactor, const void* in, std::uint64_t num_items, void* out,
                  std::uint64_t* num_selected, Predicate keep,
                  PhaseRecorder* recorder) asm("__real_" ENQUEUE);

void slowed_enqueue(Compactor* compactor, const void* in, std::uint64_t num_items, void* out,
                    std::uint64_t* num_selected, Predicate keep,
                    PhaseRecorder* recorder) asm("__wrap_" ENQUEUE);

void slowed_enqueue(Compactor* compactor, const void* in, std::uint64_t num_items, void* out,
                    std::uint64_t* num_selected, Predicate keep, PhaseRecorder* recorder) {
    using Clock = std::chrono::steady_clock;
    static std::uint64_t num_calls = 0;
    const auto begin = Clock::now();
    real_enqueue(compactor, in, num_items, out, num_selected, keep, recorder);
    const bool on_gpu = std::string_view(typeid(*compactor).name()).find("4cuda") != std::string_view::npos;
    if (!on_gpu) {
        const auto end = Clock::now();
        while (Clock::now() < end + (end - begin) / parts_of_a_call) {
        }
    } else if (!recorder && ++num_calls % parts_of_a_call == 0) {
        real_enqueue(compactor, in, num_items, out, num_selected, keep, recorder);
    }
}
