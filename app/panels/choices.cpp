#include "app/panels/choices.hpp"

#include <algorithm>
#include <utility>

#include "app/kernel_view/lessons.hpp"
#include "app/kernel_view/plants.hpp"
#include "app/scene/sources.hpp"
#include "compaction/algorithm.hpp"

namespace warpsieve::panels {

using compaction::Algorithm;
using compaction::EngineId;
using compaction::EngineStatus;
using compaction::Option;

namespace {

/// Writes the default algorithm into each side that names none, so that swaps and copies keep it.
void set_default_algorithms(const CatalogueInfo& catalogue, Settings& settings) {
    for (const Side side : both_sides) {
        if (const Algorithm* algorithm = chosen_algorithm(catalogue, settings, side))
            settings.run.algorithm_config(side).algorithm = algorithm->id;
    }
}

/// Lets the kernel view trace a random stream with that schedule, and show it from where it opens.
void open_kernels(WindowPreferences& window, std::uint32_t schedule_seed, KernelOrder order) {
    window.kernel_slot = 0;
    window.kernel_seed = schedule_seed;
    window.kernel_order = order;
    window.kernel_step = opening_step;
    window.kernel_warp = 0;
}

}  // namespace

/// Choosing the simulated engine shortens the stream to this length, which one frame compacts easily.
constexpr std::uint64_t max_initial_simulated_slots = std::uint64_t{1} << 14;

std::uint64_t current_slots(const StreamInfo& stream, const Settings& settings) {
    return settings.run.slots > 0 ? settings.run.slots : std::max(stream.slots, min_slots);
}

void choose_engine(const CatalogueInfo& catalogue, Settings& settings, EngineId engine) {
    if (!is_available(catalogue, engine) || settings.run.engine == engine) return;
    const bool was_simulated = settings.run.engine == EngineId::simulated;
    settings.run.engine = engine;
    std::uint64_t& slots_before = settings.window.slots_before_simulated;
    // A simulated GPU is a thousand times slower than a real one.
    if (engine == EngineId::simulated && settings.run.slots > max_initial_simulated_slots)
        slots_before = std::exchange(settings.run.slots, max_initial_simulated_slots);
    // A length that was chosen meanwhile stays.
    const bool shortened = was_simulated && settings.run.slots == max_initial_simulated_slots;
    const std::uint64_t restored = was_simulated ? std::exchange(slots_before, 0) : 0;
    if (shortened && restored > 0) choose_slots(settings, restored);
    settings.run.a.algorithm.clear();
    if (const Algorithm* algorithm = chosen_algorithm(catalogue, settings))
        settings.run.a.algorithm = algorithm->id;
}

void choose_algorithm(const CatalogueInfo& catalogue, Settings& settings, const Algorithm& algorithm,
                      Side side) {
    if (!is_available(catalogue, algorithm.engine) || !algorithm.is_available()) return;
    if (side == Side::a) choose_engine(catalogue, settings, algorithm.engine);
    if (algorithm.engine != settings.run.engine) return;
    settings.run.algorithm_config(side).algorithm = algorithm.id;
}

void choose_plant(Settings& settings, const std::string& id) {
    WindowPreferences& window = settings.window;
    window.kernel_plant = id;
    const kernel_view::Plant* const plant = kernel_view::find_plant(id);
    if (!plant) return;
    window.kernel_lesson = "none";
    window.kernel_items = kernel_view::planted_items;
    open_kernels(window, plant->schedule_seed, KernelOrder::lanes);
}

void choose_lesson(Settings& settings, const std::string& id) {
    WindowPreferences& window = settings.window;
    window.kernel_lesson = id;
    const kernel_view::Lesson* const lesson = kernel_view::find_lesson(id);
    if (!lesson) return;
    window.kernel_plant = "none";
    window.kernel_item = 0;
    open_kernels(window, lesson->schedule_seed, KernelOrder::warps);
}

void follow_in_kernels(Settings& settings, const StreamInfo& stream, std::uint64_t slot) {
    WindowPreferences& window = settings.window;
    window.tab = kernel_tab;
    window.kernel_plant = "none";
    window.kernel_lesson = "none";
    window.kernel_slot = 1 + slot / window.kernel_items * window.kernel_items;
    window.kernel_phase = stream.phase;
    window.kernel_item = static_cast<std::uint32_t>(1 + slot % window.kernel_items);
    window.kernel_step = opening_step;
    window.kernel_warp = 0;
}

void choose_slots(Settings& settings, std::uint64_t slots) {
    settings.run.slots = std::clamp(slots, min_slots, max_slots(settings.run.engine));
}

void step_source(Settings& settings) {
    const auto sources = scene::sources();
    const auto current = std::ranges::find(sources, &scene::effective_source(settings.run.source));
    const auto next = static_cast<std::size_t>(current - sources.begin()) + 1;
    settings.run.source = sources[next % sources.size()]->id;
}

void step_pattern(Settings& settings) {
    if (!scene::effective_source(settings.run.source).has_patterns) return;
    const auto patterns = workloads::patterns();
    const std::size_t next = static_cast<std::size_t>(settings.run.pattern) + 1;
    settings.run.pattern = patterns[next % patterns.size()].pattern;
}

void step_engine(const CatalogueInfo& catalogue, Settings& settings) {
    const auto current = std::ranges::find(catalogue.engines, settings.run.engine, &EngineStatus::id);
    const auto current_index = static_cast<std::size_t>(current - catalogue.engines.begin());
    for (std::size_t i = 1; i < catalogue.engines.size(); ++i) {
        const EngineStatus& next = catalogue.engines[(current_index + i) % catalogue.engines.size()];
        if (next.available) return choose_engine(catalogue, settings, next.id);
    }
}

void step_algorithm(const CatalogueInfo& catalogue, Settings& settings, int step, Side side) {
    std::vector<const Algorithm*> offered;
    for (const Algorithm& algorithm : catalogue.algorithms) {
        if (algorithm.engine == settings.run.engine && algorithm.is_available())
            offered.push_back(&algorithm);
    }
    if (offered.empty()) return;
    const auto current = std::ranges::find(offered, chosen_algorithm(catalogue, settings, side));
    const auto current_index = static_cast<std::size_t>(current - offered.begin());
    const std::size_t distance = step > 0 ? 1 : offered.size() - 1;
    choose_algorithm(catalogue, settings, *offered[(current_index + distance) % offered.size()], side);
}

void step_vector_width(const CatalogueInfo& catalogue, Settings& settings, Side side) {
    const Algorithm* algorithm = chosen_algorithm(catalogue, settings, side);
    const compaction::LegalRange* range = algorithm ? algorithm->range_of(Option::vector_width) : nullptr;
    if (!range) return;
    std::uint32_t& width = settings.run.algorithm_config(side).options[Option::vector_width];
    const std::vector<std::uint32_t> allowed = range->values();
    const auto wider = std::ranges::upper_bound(allowed, width);
    width = wider == allowed.end() ? compaction::automatic : *wider;
}

void swap_sides(const CatalogueInfo& catalogue, Settings& settings) {
    set_default_algorithms(catalogue, settings);
    std::swap(settings.run.algorithm_config(Side::a), settings.run.algorithm_config(Side::b));
}

void copy_side(const CatalogueInfo& catalogue, Settings& settings, Side from) {
    set_default_algorithms(catalogue, settings);
    settings.run.algorithm_config(other(from)) = settings.run.algorithm_config(from);
}

void step_scale(Settings& settings, float current_scale, int step) {
    const float current = settings.window.scale > 0 ? settings.window.scale : current_scale;
    constexpr float tolerance = 0.01F;
    if (step > 0) {
        const auto larger =
            std::ranges::find_if(scales, [&](float scale) { return scale > current + tolerance; });
        if (larger != scales.end()) settings.window.scale = *larger;
    } else {
        const auto smaller = std::find_if(scales.rbegin(), scales.rend(),
                                          [&](float scale) { return scale < current - tolerance; });
        if (smaller != scales.rend()) settings.window.scale = *smaller;
    }
}

bool outputs_may_differ(const Snapshot& snapshot, const Settings& settings) {
    const auto keeps_order = [&](Side side) {
        const Algorithm* algorithm = chosen_algorithm(snapshot.catalogue, settings, side);
        return !algorithm || algorithm->stable;
    };
    return !keeps_order(Side::a) || !keeps_order(Side::b) ||
           snapshot.checks.a.wrong + snapshot.checks.b.wrong > 0;
}

void step_lens_mode(const Snapshot& snapshot, Settings& settings) {
    LensMode& mode = settings.window.lens_mode;
    switch (mode) {
        case LensMode::inside:
            mode = LensMode::difference;
            break;
        case LensMode::difference:
            mode = outputs_may_differ(snapshot, settings) ? LensMode::particles : LensMode::inside;
            break;
        case LensMode::particles:
            mode = LensMode::inside;
            break;
    }
}

void step_iterations(Settings& settings) {
    settings.run.iterations =
        settings.run.iterations >= max_iterations ? 1 : std::min(settings.run.iterations * 2, max_iterations);
}

std::uint32_t nearest_legal(const compaction::LegalRange& range, std::uint32_t wanted) {
    std::uint32_t nearest = range.minimum;
    std::uint64_t min_distance = ~std::uint64_t{0};
    const auto consider = [&](std::uint64_t value) {
        const std::uint64_t distance = value > wanted ? value - wanted : wanted - value;
        if (value > range.maximum || !range.contains(static_cast<std::uint32_t>(value)) ||
            distance >= min_distance)
            return;
        nearest = static_cast<std::uint32_t>(value);
        min_distance = distance;
    };
    for (const std::uint32_t value : range.values()) consider(value);
    // values() only samples a long range; the multiples next to `wanted` are also legal.
    if (range.spacing == compaction::LegalRange::Spacing::multiples) {
        const std::uint64_t below = wanted / range.step;
        consider(below * range.step);
        consider((below + 1) * range.step);
    }
    return nearest;
}

}  // namespace warpsieve::panels
