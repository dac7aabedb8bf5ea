#include "workloads/streams.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "workloads/stream_function.hpp"

namespace workloads {
namespace {

constexpr std::array all_patterns{
    PatternInfo{Pattern::empty, "empty", "Nothing is kept.", false},
    PatternInfo{Pattern::full, "full", "Everything is kept: compaction is a copy.", false},
    PatternInfo{Pattern::first_only, "first-only", "Only the first item is kept.", false},
    PatternInfo{Pattern::last_only, "last-only", "Only the last item is kept.", false},
    PatternInfo{Pattern::structured, "structured",
                "1, 0, 3, 0, 5, ...: every other item is kept, so a branch predictor is never wrong.", false},
    PatternInfo{
        Pattern::random, "random",
        "Each item is kept with the same probability, the keep fraction: the hardest stream to predict.",
        true},
    PatternInfo{Pattern::runs, "runs",
                "Long runs of kept items alternate with long runs of dropped ones, so sequences differ in "
                "their work.",
                true},
    PatternInfo{Pattern::ramp, "ramp", "The keep fraction rises from 0 at the front to 1 at the end.", false},
    PatternInfo{Pattern::picture, "picture",
                "The bright pixels of a picture, row by row, are kept: a PNG file or a word.", false}};

constexpr double mean_run_items = 4096;

}  // namespace

std::span<const PatternInfo> patterns() {
    return all_patterns;
}

const PatternInfo& info_of(Pattern pattern) {
    return all_patterns[static_cast<std::size_t>(pattern)];
}

std::optional<Pattern> find_pattern(std::string_view name) {
    const auto found = std::ranges::find(all_patterns, name, &PatternInfo::name);
    if (found == all_patterns.end()) return std::nullopt;
    return found->pattern;
}

std::uint64_t picture_columns(const Picture& picture, std::uint64_t num_items) {
    const double aspect = static_cast<double>(picture.width) / static_cast<double>(picture.height);
    constexpr std::uint64_t columns_step = 16, long_row = 128;
    if (num_items == std::uint64_t{picture.width} * picture.height) return picture.width;
    auto columns =
        static_cast<std::uint64_t>(std::llround(std::sqrt(static_cast<double>(num_items) * aspect)));
    if (columns >= long_row) columns = (columns + columns_step / 2) / columns_step * columns_step;
    return std::clamp<std::uint64_t>(columns, 1, std::max<std::uint64_t>(num_items, 1));
}

StreamFunction StreamFunctions::make(Pattern pattern, std::uint64_t num_items, double keep_fraction,
                                     std::uint64_t seed, const PicturePointer& picture) {
    const double fraction = keep_fraction > 0 ? std::min(keep_fraction, 1.0) : 0.0;
    StreamFunction stream{.pattern = pattern,
                          .num_items = num_items,
                          .seed = seed,
                          .keep_fraction = fraction,
                          .kept_below = static_cast<std::uint64_t>(fraction * 0x1p32)};
    if (pattern == Pattern::runs) {
        if (!same_stream(stream, table_stream_)) compute_run_ends(stream);
    } else if (pattern == Pattern::picture && picture) {
        if (picture != picture_) ++num_pictures_;
        picture_ = picture;
        stream.picture_number = num_pictures_;
        stream.columns = picture_columns(*picture, num_items);
        if (!same_stream(stream, table_stream_)) compute_bits(stream);
    } else {
        return stream;
    }
    stream.table = table_->data();
    stream.table_size = table_->size();
    return stream;
}

/// The length of a run is uniform from 1 to twice the mean length of its kind.
void StreamFunctions::compute_run_ends(const StreamFunction& stream) {
    // A separate generator: lengths must not depend on the values.
    const std::uint64_t lengths_seed = random_bits(stream.seed, stream.num_items);
    std::vector<std::uint64_t> ends;
    std::uint64_t end = 0;
    for (std::uint64_t run = 0; end < stream.num_items; ++run) {
        const double mean =
            2 * mean_run_items * (run % 2 == 0 ? stream.keep_fraction : 1 - stream.keep_fraction);
        const auto longest = static_cast<std::uint64_t>(2 * mean);
        if (longest > 0) end += 1 + random_bits(lengths_seed, run) % longest;
        ends.push_back(end);
    }
    table_ = std::make_shared<const std::vector<std::uint64_t>>(std::move(ends));
    table_stream_ = stream;
}

/// The bit of an item is that of the pixel under its middle.
void StreamFunctions::compute_bits(const StreamFunction& stream) {
    const Picture& picture = *picture_;
    const std::uint64_t rows = (stream.num_items + stream.columns - 1) / stream.columns;
    std::vector<std::uint64_t> bits((stream.num_items + 63) / 64);
    for (std::uint64_t i = 0; i < stream.num_items; ++i) {
        const std::uint64_t column = i % stream.columns;
        const std::uint64_t row = i / stream.columns;
        const std::uint64_t x = (2 * column + 1) * picture.width / (2 * stream.columns);
        const std::uint64_t y = (2 * row + 1) * picture.height / (2 * rows);
        if (picture.bright[y * picture.width + x] != 0) bits[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    table_ = std::make_shared<const std::vector<std::uint64_t>>(std::move(bits));
    table_stream_ = stream;
}

namespace {

/// Fills run by run, so that only the first item has to search for its run.
void fill_runs(std::span<Item> part, const StreamFunction& item_at, std::uint64_t first) {
    const std::uint64_t part_end = first + part.size();
    std::uint64_t i = first;
    for (std::uint64_t run = item_at.run_of(first); i < part_end; ++run) {
        const std::uint64_t end = std::min(part_end, item_at.table[run]);
        for (; i < end; ++i) part[i - first] = run % 2 == 0 ? value_from(random_bits(item_at.seed, i)) : 0;
    }
}

}  // namespace

void fill_part(std::span<Item> part, const StreamFunction& item_at, std::uint64_t first) {
    if (item_at.pattern == Pattern::runs) return fill_runs(part, item_at, first);
    for (std::uint64_t i = 0; i < part.size(); ++i) part[i] = item_at(first + i);
}

void fill_stream(std::span<Item> stream, Pattern pattern, double keep_fraction, std::uint64_t seed,
                 const PicturePointer& picture) {
    StreamFunctions functions;
    fill_part(stream, functions.make(pattern, stream.size(), keep_fraction, seed, picture), 0);
}

std::vector<Item> make_stream(Pattern pattern, std::uint64_t num_items, double keep_fraction,
                              std::uint64_t seed, const PicturePointer& picture) {
    std::vector<Item> stream(num_items);
    fill_stream(stream, pattern, keep_fraction, seed, picture);
    return stream;
}

std::vector<Item> widen(std::span<const Item> stream, compaction::ItemSize size, std::uint64_t seed) {
    const std::size_t words = words_of(size);
    // A separate generator, so that the payload does not repeat the values.
    const std::uint64_t payload_seed = random_bits(seed, ~std::uint64_t{0});
    std::vector<Item> wide(stream.size() * words);
    for (std::uint64_t i = 0; i < wide.size(); ++i) {
        const bool is_flag = i % words == words - 1;
        wide[i] = is_flag ? stream[i / words] : static_cast<Item>(random_bits(payload_seed, i));
    }
    return wide;
}

}  // namespace workloads
