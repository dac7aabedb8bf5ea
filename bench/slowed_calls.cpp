// A plant for scripts/compare-trials: every call of a compaction takes 5 % longer. Linked into
// warpsieve_slowed, which is otherwise the program. The linker sends the calls of Compactor::enqueue here
// (--wrap), so that the program has no hook.
//
// On the CPU, where a call ends before it returns, a spin follows each call. On a GPU, where it does not, a
// call on the first fortieth of the items precedes each call. It takes about 5 % of the time of 2^26 items,
// because a part of the time of a call does not depend on its length; with fewer items, it takes a larger
// part.
#include <chrono>
#include <cstdint>
#include <string_view>
#include <typeinfo>

#include "compaction/compactor.hpp"

#define ENQUEUE "_ZN10compaction9Compactor7enqueueEPKvmPvPmNS_9PredicateEPNS_13PhaseRecorderE"

using compaction::Compactor;
using compaction::PhaseRecorder;
using compaction::Predicate;

constexpr int parts_of_a_call_on_the_cpu = 20;
constexpr std::uint64_t parts_of_the_items_on_a_gpu = 40;

void real_enqueue(Compactor* compactor, const void* in, std::uint64_t num_items, void* out,
                  std::uint64_t* num_selected, Predicate keep,
                  PhaseRecorder* recorder) asm("__real_" ENQUEUE);

void slowed_enqueue(Compactor* compactor, const void* in, std::uint64_t num_items, void* out,
                    std::uint64_t* num_selected, Predicate keep,
                    PhaseRecorder* recorder) asm("__wrap_" ENQUEUE);

void slowed_enqueue(Compactor* compactor, const void* in, std::uint64_t num_items, void* out,
                    std::uint64_t* num_selected, Predicate keep, PhaseRecorder* recorder) {
    using Clock = std::chrono::steady_clock;
    const auto call = [=](std::uint64_t length) {
        real_enqueue(compactor, in, length, out, num_selected, keep, recorder);
    };
    const bool on_gpu = std::string_view(typeid(*compactor).name()).find("4cuda") != std::string_view::npos;
    // The phases that a recorder sees are not slowed.
    if (on_gpu && !recorder) call(num_items / parts_of_the_items_on_a_gpu);
    const auto begin = Clock::now();
    call(num_items);
    const auto end = Clock::now();
    while (!on_gpu && Clock::now() < end + (end - begin) / parts_of_a_call_on_the_cpu) {
    }
}
