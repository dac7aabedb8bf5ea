// Every algorithm of the CPU engine on memory that begins after or ends at a page that cannot be touched.
// Inputs are read-only. The environment variable WARPSIEVE_ATTACK_SEED chooses other streams.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "compaction/compaction.hpp"
#include "tests/support/guarded_memory.hpp"
#include "tests/support/option_sets.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;
using testing_support::GuardedMemory;

constexpr std::uint64_t max_items = 20'000;
constexpr std::uint64_t max_shift = 16;

/// The call in progress; a fault prints it.
char current_call[256];

extern "C" void print_call_and_end(int signal) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, current_call, std::strlen(current_call));
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

unsigned number_from(const char* variable, unsigned otherwise) {
    const char* const text = std::getenv(variable);
    return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : otherwise;
}

/// Lengths around every vector width up to 512 bits, around the blocks of the algorithms, and random ones.
std::vector<std::uint64_t> lengths(std::mt19937& random) {
    std::vector<std::uint64_t> all;
    for (std::uint64_t length = 0; length <= 66; ++length) all.push_back(length);
    for (const std::uint64_t middle : {96, 128, 256, 512, 1'024, 2'048, 4'096, 8'192, 16'384})
        for (const std::uint64_t length : {middle - 1, middle, middle + 1}) all.push_back(length);
    for (int i = 0; i < 8; ++i) all.push_back(random() % max_items);
    return all;
}

/// A few lengths, for options other than the automatic ones.
std::vector<std::uint64_t> some_lengths(std::mt19937& random) {
    const std::vector<std::uint64_t> all = lengths(random);
    std::vector<std::uint64_t> some;
    std::ranges::sample(all, std::back_inserter(some), 12, random);
    return some;
}

Predicate any_predicate(std::mt19937& random) {
    const auto word = [&] { return static_cast<Item>(random()); };
    const Predicate predicates[]{keep_non_zero(),      keep_above(0x7fffffff),   keep_above(0xffffffff),
                                 keep_any_bit(1),      keep_any_bit(0),          keep_above(word()),
                                 keep_any_bit(word()), Predicate{word(), word()}};
    return predicates[random() % std::size(predicates)];
}

class GuardPages : public testing::TestWithParam<const Algorithm*> {
  protected:
    void SetUp() override {
        if (!GetParam()->is_available()) GTEST_SKIP() << GetParam()->unavailable_reason;
        for (const int fault : {SIGSEGV, SIGBUS}) std::signal(fault, print_call_and_end);
    }
    void TearDown() override {
        for (const int fault : {SIGSEGV, SIGBUS}) std::signal(fault, SIG_DFL);
    }

    /// Compacts one random stream in guarded memory and compares what the contract says about the result.
    void call(Compactor& compactor, ItemSize item_size, std::uint64_t length, const std::string& options);

    /// An address for `items` items: at the end of the memory or at its begin, up to max_shift items from
    /// there.
    std::byte* address_in(GuardedMemory& memory, std::uint64_t items, std::size_t item_bytes,
                          const char*& edge) {
        const std::uint64_t shift = random_() % 2 ? 0 : random_() % max_shift;
        const bool at_end = random_() % 4 != 0;
        edge = at_end ? "end" : "begin";
        return at_end ? memory.at_end((items + shift) * item_bytes) : memory.begin() + shift * item_bytes;
    }

    std::mt19937 random_{number_from("WARPSIEVE_ATTACK_SEED", 1)};
    std::unique_ptr<Engine> engine_ = open_engine(EngineId::cpu);
    GuardedMemory in_{(max_items + max_shift) * max_access_bytes};
    GuardedMemory out_{(max_items + max_shift) * max_access_bytes};
    GuardedMemory count_{sizeof(std::uint64_t)};
};

/// The bytes of the kept items, in order.
std::vector<std::byte> kept_bytes(const std::byte* in, std::uint64_t length, std::size_t item_bytes,
                                  Predicate keep) {
    std::vector<std::byte> kept;
    for (std::uint64_t i = 0; i < length; ++i) {
        const std::byte* const item = in + i * item_bytes;
        Item flag = 0;
        std::memcpy(&flag, item + item_bytes - sizeof flag, sizeof flag);
        if (keep(flag)) kept.insert(kept.end(), item, item + item_bytes);
    }
    return kept;
}

void GuardPages::call(Compactor& compactor, ItemSize item_size, std::uint64_t length,
                      const std::string& options) {
    const Comparison comparison = comparison_of(*GetParam());
    const std::size_t item_bytes = bytes_of(item_size);
    const Predicate keep = any_predicate(random_);
    const double fraction = std::uniform_real_distribution(0.0, 1.0)(random_);
    const auto items =
        workloads::widen(workloads::make_stream(workloads::Pattern::random, length, fraction, random_()),
                         item_size, random_());

    const char* in_edge = "";
    const char* out_edge = "";
    in_.make_writable();
    std::byte* const in = address_in(in_, length, item_bytes, in_edge);
    if (length > 0) std::memcpy(in, items.data(), length * item_bytes);
    in_.make_read_only();
    const std::vector<std::byte> kept = kept_bytes(in, length, item_bytes, keep);
    // A compaction writes the kept items only, so the output ends after them.
    const bool writes_kept = comparison == Comparison::in_order || comparison == Comparison::any_order;
    std::byte* const out =
        address_in(out_, writes_kept ? kept.size() / item_bytes : length, item_bytes, out_edge);
    auto* const num_selected = reinterpret_cast<std::uint64_t*>(count_.at_end(sizeof(std::uint64_t)));
    *num_selected = 0;
    std::snprintf(
        current_call, sizeof current_call,
        "%s: %llu items of %zu bytes; input at the %s, output at the %s; mask %u, threshold %u; %s\n",
        GetParam()->id.c_str(), static_cast<unsigned long long>(length), item_bytes, in_edge, out_edge,
        keep.mask, keep.threshold, options.c_str());

    compactor.enqueue(in, length, out, num_selected, keep, nullptr);

    if (writes_kept || comparison == Comparison::count) {
        ASSERT_EQ(*num_selected * item_bytes, kept.size()) << current_call;
    }
    if (comparison == Comparison::in_order) {
        ASSERT_TRUE(std::equal(kept.begin(), kept.end(), out)) << current_call;
    }
}

TEST_P(GuardPages, NothingOutsideIsTouched) {
    const Algorithm& algorithm = *GetParam();
    std::uint64_t calls = 0;
    for (const ItemSize item_size : algorithm.item_sizes) {
        for (const Options& options : testing_support::few_option_sets(algorithm, item_size)) {
            const auto compactor = engine_->make_compactor(algorithm, options, item_size);
            compactor->reserve(max_items);
            const bool automatic_options = options == Options{};
            for (const std::uint64_t length : automatic_options ? lengths(random_) : some_lengths(random_)) {
                call(*compactor, item_size, length, testing_support::describe(options));
                if (HasFatalFailure()) return;
                ++calls;
            }
        }
    }
    EXPECT_GT(calls, 0U);
    // scripts/attack adds them up.
    std::printf("%llu calls\n", static_cast<unsigned long long>(calls));
}

std::vector<const Algorithm*> cpu_algorithms() {
    std::vector<const Algorithm*> all;
    for (const auto list : {catalogue(), steps()})
        for (const Algorithm& algorithm : list)
            if (algorithm.engine == EngineId::cpu) all.push_back(&algorithm);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Cpu, GuardPages, testing::ValuesIn(cpu_algorithms()),
                         [](const auto& each) { return each.param->id; });

}  // namespace
