#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/kernel_view/replay.hpp"

namespace warpsieve::kernel_view {
namespace {

using compaction::LaneSite;
using compaction::LaneStepKind;
using compaction::MemorySpace;

/// Puts a sentence together.
class Writer {
  public:
    Writer& operator<<(std::string_view text) {
        sentence_.phrase += text;
        return *this;
    }
    Writer& operator<<(std::uint64_t number) {
        sentence_.phrase += "{}";
        sentence_.numbers.push_back(number);
        return *this;
    }
    /// "3 sectors".
    Writer& count(std::uint64_t number, std::string_view one, std::string_view several) {
        return *this << number << " " << (number == 1 ? one : several);
    }
    Sentence take() { return std::move(sentence_); }

  private:
    Sentence sentence_;
};

/// The memory that the accesses of a step touch.
struct TouchedMemory {
    std::set<std::uint64_t> words;
    std::set<std::uint64_t> sectors;
    std::uint64_t bytes = 0;
    std::uint64_t passes = 0;  ///< over the banks of shared memory
};

TouchedMemory touched_memory(const Events& events, const std::vector<const Event*>& accesses) {
    TouchedMemory all;
    // A pass of the banks serves 32 lanes with a word each, or fewer lanes with several words.
    constexpr std::size_t num_banks = 32;
    constexpr std::size_t bytes_per_pass = num_banks * sizeof(std::uint32_t);
    std::array<std::array<std::set<std::uint64_t>, num_banks>, 8> banks;  // [passes][banks] words
    for (const Event* const event : accesses) {
        const std::uint32_t bytes = events.site_of(*event).bytes;
        const std::size_t pass = event->lane() * std::max(bytes, 4U) / bytes_per_pass % banks.size();
        for (std::uint64_t word = event->address / 4; word * 4 < event->address + bytes; ++word) {
            all.words.insert(word);
            banks[pass][word % num_banks].insert(word);
        }
        for (std::uint64_t at = event->address / sector_bytes; at * sector_bytes < event->address + bytes;
             ++at)
            all.sectors.insert(at);
        all.bytes += bytes;
    }
    // The words of one bank are served one after the other.
    for (const auto& banks_of_pass : banks) {
        std::size_t max_words = 0;
        for (const std::set<std::uint64_t>& words : banks_of_pass)
            max_words = std::max(max_words, words.size());
        all.passes += max_words;
    }
    return all;
}

const char* verb(LaneStepKind kind) {
    switch (kind) {
        case LaneStepKind::load:
            return "reads";
        case LaneStepKind::store:
            return "writes";
        case LaneStepKind::atomic_load:
            return "reads atomically";
        case LaneStepKind::atomic_store:
            return "writes atomically";
        default:
            return "updates atomically";
    }
}

void describe_one_access(const Events& events, const Event& event, const LaneSite& site, Writer& to) {
    to << verb(site.kind) << " ";
    if (site.space == MemorySpace::shared) {
        to << "shared memory at byte " << event.address;
    } else {
        const compaction::TracedBuffer& buffer = events.trace.buffers[site.buffer];
        to << buffer.name << "[" << event.address / buffer.element_bytes << "]";
    }
    if (site.bytes > 8) return void(to << ": " << site.bytes << " bytes");
    if (site.kind == LaneStepKind::atomic_update)
        to << ": " << number_of(events.loaded(event)) << " becomes " << number_of(events.stored(event));
    else
        to << ": " << number_of(loads(site.kind) ? events.loaded(event) : events.stored(event));
}

void describe_accesses(const Events& events, std::span<const std::uint32_t> step, Writer& to) {
    const Event& first = events.events[step[0]];
    const LaneSite& site = events.site_of(first);
    if (step.size() == 1) return describe_one_access(events, first, site, to);
    std::vector<const Event*> accesses;
    for (const std::uint32_t index : step) accesses.push_back(&events.events[index]);
    const TouchedMemory all = touched_memory(events, accesses);
    to << verb(site.kind) << " ";
    if (site.space == MemorySpace::shared) {
        to.count(all.words.size(), "word", "words") << " of shared memory in ";
        to.count(all.passes, "pass over the banks", "passes over the banks");
        return;
    }
    const std::uint64_t min_sectors = (all.words.size() * 4 + sector_bytes - 1) / sector_bytes;
    // Lanes may read the same bytes.
    to << std::min<std::uint64_t>(all.bytes, all.words.size() * 4) << " bytes of "
       << events.trace.buffers[site.buffer].name << " in ";
    to.count(all.sectors.size(), "sector", "sectors");
    if (min_sectors < all.sectors.size()) to << "; " << min_sectors << " would do";
}

std::string_view meaning_of(std::string_view collective) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> meanings{
        {{"__shfl_up_sync", "each lane takes the value of a lane below"},
         {"__shfl_down_sync", "each lane takes the value of a lane above"},
         {"__shfl_xor_sync", "lanes exchange their values in pairs"},
         {"__shfl_sync", "each lane takes the value of the lane that it names"},
         {"a vote", "each lane learns which lanes say yes"},
         {"__match_any_sync", "each lane learns which lanes have its value"},
         {"__reduce_add_sync", "each lane learns the sum of all values"},
         {"__syncwarp", "the lanes wait for each other"}}};
    for (const auto& [name, meaning] : meanings)
        if (name == collective) return meaning;
    return "the lanes of the warp exchange values";
}

/// As place_text, but ":62" if `file` is the file that the sentence named last.
std::string short_place_text(const Events& events, std::uint32_t line, std::string& file) {
    const std::string text = place_text(events, line);
    const std::size_t number = text.rfind(':');
    if (text.substr(0, number) == file) return text.substr(number);
    file = text.substr(0, number);
    return text;
}

/// Says which loads and stores would race without the barrier that the step ends. `scope`: "block" or "warp".
void describe_ordered_lines(const Events& events, std::span<const std::uint32_t> step, std::string_view scope,
                            Writer& to) {
    constexpr std::size_t max_pairs = 2;
    const auto found =
        std::ranges::find_if(step, [&](std::uint32_t event) { return events.ordered_lines.contains(event); });
    if (found == step.end())
        return void(to << "; in this run, nothing depends on it: no load or store of the " << scope
                       << " would race without it");
    const std::vector<OrderedLines>& pairs = events.ordered_lines.at(*found);
    to << "; without it, ";
    std::string file;
    for (std::size_t i = 0; i < std::min(pairs.size(), max_pairs); ++i) {
        const OrderedLines& pair = pairs[i];
        const auto is_alike = [&](const OrderedLines& other) {
            return other.before == pair.before && other.before_stores == pair.before_stores &&
                   other.after_stores == pair.after_stores;
        };
        if (i > 0 && is_alike(pairs[i - 1])) {
            to << " and " << short_place_text(events, pair.after, file);
            continue;
        }
        to << (i == 0 ? "" : ", ") << (pair.before_stores ? "writes at " : "reads at ")
           << short_place_text(events, pair.before, file) << (i == 0 ? " would race with " : " with ")
           << (pair.after_stores ? "writes at " : "reads at ") << short_place_text(events, pair.after, file);
    }
    if (pairs.size() > max_pairs) to << ", and " << (pairs.size() - max_pairs) << " more";
}

void describe_barrier(const Events& events, std::span<const std::uint32_t> step, std::uint32_t arrived,
                      Writer& to) {
    const Event& event = events.events[step[0]];
    const std::uint32_t threads = events.trace.launches[event.launch].threads;
    to << events.site_of(event).name << ": ";
    if (arrived != 0) return void(to << arrived << " of " << threads << " threads of the block wait");
    to << "all " << threads << " threads of the block have arrived";
    describe_ordered_lines(events, step, "block", to);
}

void describe_other(const Events& events, std::span<const std::uint32_t> step, Writer& to) {
    const Event& event = events.events[step[0]];
    const LaneSite& site = events.site_of(event);
    const auto operand = [&](std::size_t i) { return events.numbers[event.first_number + i]; };
    switch (site.kind) {
        case LaneStepKind::launch: {
            const compaction::TracedLaunch& launch = events.trace.launches[event.launch];
            to << launch.kernel;
            if (launch.kind != compaction::LaunchKind::kernel) return void(to << " begins");
            to << " begins: ";
            to.count(launch.blocks, "block of ", "blocks of ") << launch.threads << " threads";
            return;
        }
        case LaneStepKind::memory:
            return void(to << "changes " << site.bytes << " bytes of "
                           << events.trace.buffers[site.buffer].name);
        case LaneStepKind::fence:
            return void(to << "fence: its earlier writes are visible before its later ones");
        case LaneStepKind::launch_trigger:
            return void(
                to << "allows the next launch to begin early; the simulated GPU begins it after this one");
        case LaneStepKind::launch_wait:
            return void(to << "waits until the previous launch has ended and its stores are visible; "
                              "on the simulated GPU, it has always ended");
        case LaneStepKind::mbarrier_init:
            return void(to << "prepares an mbarrier for " << operand(0) << " arrivals");
        case LaneStepKind::mbarrier_arrive:
            return void(to << "arrives at an mbarrier and expects " << operand(0) << " bytes");
        case LaneStepKind::mbarrier_phase:
            return void(to << "the phase of mbarrier " << operand(0) << " is complete");
        case LaneStepKind::mbarrier_wait:
            return void(to << "has waited for an mbarrier's phase of parity " << operand(0));
        case LaneStepKind::copy_to_shared:
            return void(to << "requests a bulk copy of " << site.bytes << " bytes to shared memory");
        case LaneStepKind::copy_to_global:
            return void(to << "requests a bulk copy of " << site.bytes << " bytes from shared memory");
        case LaneStepKind::copied_to_shared:
            return void(to << "a bulk copy fills " << site.bytes << " bytes of shared memory");
        case LaneStepKind::copied_to_global:
            return void(to << "a bulk copy fills " << site.bytes << " bytes of "
                           << events.trace.buffers[site.buffer].name);
        case LaneStepKind::note:
            to << "knows " << site.name;
            if (step.size() == 1) to << ": " << operand(0);
            return;
        case LaneStepKind::fault:
            return void(to << "the launch fails: " << events.trace.fault);
        case LaneStepKind::end:
            return void(to << "ends");
        default:
            return void(to << name_of(site.kind) << (site.name.empty() ? "" : " " + site.name));
    }
}

}  // namespace

Sentence describe(const Events& events, std::span<const std::uint32_t> step, std::uint32_t arrived) {
    Writer to;
    const Event& event = events.events[step[0]];
    const LaneSite& site = events.site_of(event);
    switch (site.kind) {
        case LaneStepKind::load:
        case LaneStepKind::store:
        case LaneStepKind::atomic_load:
        case LaneStepKind::atomic_store:
        case LaneStepKind::atomic_update:
            describe_accesses(events, step, to);
            break;
        case LaneStepKind::collective: {
            const LaneStepKind last = events.site_of(events.events[step.back()]).kind;
            to << site.name << ": ";
            if (last != LaneStepKind::collective_results) {
                to << "waits for other lanes of the warp";
                break;
            }
            to << meaning_of(site.name);
            if (is_barrier_of_warp(site)) describe_ordered_lines(events, step, "warp", to);
            break;
        }
        case LaneStepKind::barrier:
            describe_barrier(events, step, arrived, to);
            break;
        default:
            describe_other(events, step, to);
            break;
    }
    return to.take();
}

std::string place_text(const Events& events, std::uint32_t line) {
    const Line& at = events.lines[line];
    const std::string& path = events.functions[at.function].file;
    return path.substr(path.rfind('/') + 1) + ":" + std::to_string(at.number);
}

std::string Sentence::text() const {
    std::string text = phrase;
    std::size_t at = 0;
    for (const std::uint64_t number : numbers) {
        at = text.find("{}", at);
        const std::string digits = std::to_string(number);
        text.replace(at, 2, digits);
        at += digits.size();
    }
    return text;
}

}  // namespace warpsieve::kernel_view
