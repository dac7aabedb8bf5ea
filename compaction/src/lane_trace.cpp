#include "compaction/lane_trace.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "lane_trace_writer.hpp"
#include "packed_numbers.hpp"

namespace compaction {
namespace {

// Bits of the first byte of a step.
constexpr unsigned has_thread = 1U << 0;
constexpr unsigned has_site = 1U << 1;
constexpr unsigned has_address = 1U << 2;
constexpr unsigned all_equal = 1U << 3;

/// More than the shared memory of any block, including what the simulated GPU adds to it. A step with a
/// higher address means that the trace is damaged.
constexpr std::uint64_t max_shared_bytes = std::uint64_t{1} << 20;

std::size_t num_operands(LaneStepKind kind) {
    switch (kind) {
        case LaneStepKind::collective:
        case LaneStepKind::mbarrier_phase:
            return 2;
        case LaneStepKind::barrier:
        case LaneStepKind::mbarrier_init:
        case LaneStepKind::mbarrier_arrive:
        case LaneStepKind::mbarrier_wait:
        case LaneStepKind::copy_to_shared:
        case LaneStepKind::copy_to_global:
        case LaneStepKind::copied_to_shared:
        case LaneStepKind::copied_to_global:
        case LaneStepKind::note:
            return 1;
        default:
            return 0;
    }
}

template <typename Values>
bool are_equal(const Values& values) {
    return std::ranges::all_of(values, [&](const auto& each) { return each == values.front(); });
}

}  // namespace

std::string_view name_of(LaneStepKind kind) {
    constexpr std::array names{"launch",
                               "memory",
                               "load",
                               "store",
                               "atomic load",
                               "atomic store",
                               "atomic update",
                               "fence",
                               "launch trigger",
                               "launch wait",
                               "collective",
                               "collective results",
                               "barrier",
                               "barrier release",
                               "mbarrier init",
                               "mbarrier arrive",
                               "mbarrier phase",
                               "mbarrier wait",
                               "copy to shared",
                               "copy to global",
                               "copied to shared",
                               "copied to global",
                               "note",
                               "line",
                               "end",
                               "fault"};
    return names[static_cast<std::size_t>(kind)];
}

// --- LanePrediction ---

std::uint32_t LanePrediction::following(std::uint32_t site) const {
    return site < sites_.size() ? sites_[site].following : 0;
}

std::uint64_t LanePrediction::address(std::uint32_t site) const {
    return site < sites_.size() ? sites_[site].address + sites_[site].distance : 0;
}

void LanePrediction::learn(std::uint32_t previous_site, std::uint32_t site, std::uint64_t address) {
    sites_.resize(std::max<std::size_t>({sites_.size(), previous_site + 1U, site + 1U}));
    sites_[previous_site].following = site;
    Site& learned = sites_[site];
    learned.distance = address - learned.address;
    learned.address = address;
}

// --- LaneWriter ---

std::size_t LaneWriter::add(const LaneStep& step) {
    const LaneSite& site = trace_.sites[step.site];
    const std::uint64_t expected_address = prediction_.address(step.site);
    const bool is_unexpected_site = prediction_.following(previous_site_) != step.site;
    const bool is_equal =
        site.kind == LaneStepKind::memory ? are_equal(step.stored) : are_equal(step.results);
    std::vector<std::byte>& packed = trace_.packed;
    packed.push_back(static_cast<std::byte>(
        (step.thread != thread_in_launch_ ? has_thread : 0) | (is_unexpected_site ? has_site : 0) |
        (step.address != expected_address ? has_address : 0) | (is_equal ? all_equal : 0)));
    if (step.thread != thread_in_launch_) put_signed(packed, std::int64_t{step.thread} - thread_in_launch_);
    if (is_unexpected_site) put_number(packed, step.site);
    if (step.address != expected_address)
        put_signed(packed, static_cast<std::int64_t>(step.address - expected_address));
    prediction_.learn(previous_site_, step.site, step.address);
    previous_site_ = step.site;
    thread_in_launch_ = site.kind == LaneStepKind::launch ? 0 : step.thread;
    for (const std::uint64_t operand : step.operands) put_number(packed, operand);
    if (site.kind == LaneStepKind::collective_results) {
        put_number(packed, step.mask);
        const std::size_t count = is_equal ? 1 : step.results.size();
        for (std::size_t i = 0; i < count; ++i) put_number(packed, step.results[i]);
    }
    const std::size_t stored_offset = packed.size();
    if (holds_stored_bytes(site.kind)) {
        const bool is_short = is_equal && site.kind == LaneStepKind::memory;
        packed.insert(packed.end(), step.stored.begin(),
                      is_short ? step.stored.begin() + 1 : step.stored.end());
    }
    ++trace_.num_steps;
    return stored_offset;
}

// --- LaneReader ---

LaneReader::LaneReader(const LaneTrace& trace) : trace_(&trace) {
    for (const TracedBuffer& buffer : trace.buffers) {
        require_intact(buffer.initial.size() == buffer.num_elements * buffer.element_bytes);
        global_.push_back(
            {buffer.initial, std::vector<std::uint32_t>(buffer.initial.size(), Observation::initial)});
    }
}

std::span<const std::byte> LaneReader::shared(std::uint32_t block) const {
    const auto found = shared_.find(block);
    if (found == shared_.end()) return {};
    return found->second.bytes;
}

std::uint64_t LaneReader::read_number() {
    return get_number(trace_->packed, position_);
}

std::vector<std::uint64_t> LaneReader::read_numbers(std::uint64_t count, bool all_same) {
    std::vector<std::uint64_t> read(count, all_same && count > 0 ? read_number() : 0);
    if (!all_same)
        for (std::uint64_t& each : read) each = read_number();
    return read;
}

std::vector<std::byte> LaneReader::read_bytes(std::uint64_t count, bool all_same) {
    const std::uint64_t num_packed = all_same && count > 0 ? 1 : count;
    require_intact(num_packed <= trace_->packed.size() - position_);
    const auto first = trace_->packed.begin() + static_cast<std::ptrdiff_t>(position_);
    position_ += num_packed;
    if (all_same) return std::vector<std::byte>(count, count > 0 ? *first : std::byte{});
    return {first, first + static_cast<std::ptrdiff_t>(count)};
}

bool LaneReader::next() {
    if (position_ == trace_->packed.size()) return false;
    read_head();
    step_.index = num_read_++;
    if (site().kind == LaneStepKind::launch) {
        begin_launch();
        return true;
    }
    read_body();
    play();
    if (site().kind == LaneStepKind::end) end_lane();
    return true;
}

void LaneReader::read_head() {
    head_ = static_cast<unsigned>(get_byte(trace_->packed, position_));
    if (head_ & has_thread) thread_in_launch_ += static_cast<std::uint64_t>(signed_from(read_number()));
    const std::uint32_t previous = step_.site;
    const std::uint64_t site = head_ & has_site ? read_number() : prediction_.following(previous);
    require_intact(site < trace_->sites.size());
    step_.site = static_cast<std::uint32_t>(site);
    step_.address = prediction_.address(step_.site);
    if (head_ & has_address) step_.address += static_cast<std::uint64_t>(signed_from(read_number()));
    prediction_.learn(previous, step_.site, step_.address);
    step_.operands.clear();
    step_.results.clear();
    step_.loaded.clear();
    step_.stored.clear();
    step_.observed.clear();
    step_.mask = 0;
}

void LaneReader::begin_launch() {
    require_intact(num_launches_ < trace_->launches.size());
    step_.launch = static_cast<std::uint32_t>(num_launches_++);
    step_.block = step_.thread = 0;
    thread_in_launch_ = 0;
    shared_.clear();
    ended_.clear();
}

void LaneReader::read_body() {
    const LaneStepKind kind = site().kind;
    if (kind != LaneStepKind::memory) {
        require_intact(num_launches_ > 0);
        const TracedLaunch& launch = trace_->launches[step_.launch];
        require_intact(launch.threads > 0 && thread_in_launch_ / launch.threads < launch.blocks);
        step_.block = static_cast<std::uint32_t>(thread_in_launch_ / launch.threads);
        step_.thread = static_cast<std::uint32_t>(thread_in_launch_ % launch.threads);
    }
    const bool all_same = (head_ & all_equal) != 0;
    step_.operands = read_numbers(num_operands(kind), /*all_same=*/false);
    if (kind == LaneStepKind::collective_results) {
        step_.mask = static_cast<std::uint32_t>(read_number());
        step_.results = read_numbers(static_cast<std::uint64_t>(std::popcount(step_.mask)), all_same);
    }
    if (holds_stored_bytes(kind))
        step_.stored = read_bytes(site().bytes, all_same && kind == LaneStepKind::memory);
}

LaneReader::Memory& LaneReader::memory(MemorySpace space, std::uint64_t end) {
    if (space == MemorySpace::global) {
        require_intact(site().buffer < global_.size() && end <= global_[site().buffer].bytes.size());
        return global_[site().buffer];
    }
    require_intact(space == MemorySpace::shared && end <= max_shared_bytes);
    Memory& shared = shared_[step_.block];
    if (shared.bytes.size() < end) {
        shared.bytes.resize(end, not_stored);
        shared.stored_by.resize(end, Observation::initial);
    }
    return shared;
}

void LaneReader::load(MemorySpace space, std::uint64_t address) {
    const std::uint64_t end = address + site().bytes;
    require_intact(end >= address);
    const Memory& from = memory(space, end);
    step_.loaded.assign(from.bytes.begin() + static_cast<std::ptrdiff_t>(address),
                        from.bytes.begin() + static_cast<std::ptrdiff_t>(end));
    for (std::uint64_t at = address; at < end; ++at) {
        const std::uint32_t stored_by = from.stored_by[at];
        if (step_.observed.empty() || step_.observed.back().stored_by != stored_by)
            step_.observed.push_back({static_cast<std::uint32_t>(at - address), 0, stored_by});
        ++step_.observed.back().bytes;
    }
    hash_ = hash_with(hash_, step_.loaded);
}

void LaneReader::store(MemorySpace space, std::uint64_t address) {
    const std::uint64_t end = address + site().bytes;
    require_intact(end >= address);
    Memory& to = memory(space, end);
    std::ranges::copy(step_.stored, to.bytes.begin() + static_cast<std::ptrdiff_t>(address));
    std::fill_n(to.stored_by.begin() + static_cast<std::ptrdiff_t>(address), site().bytes, step_.index);
}

/// Repeats the loads and stores of the step on the memory that the reader holds.
void LaneReader::play() {
    const LaneStepKind kind = site().kind;
    if (performs_copy(kind)) {
        const bool to_shared = kind == LaneStepKind::copied_to_shared;
        load(to_shared ? MemorySpace::global : MemorySpace::shared,
             to_shared ? step_.address : step_.operands[0]);
        step_.stored = step_.loaded;
        store(to_shared ? MemorySpace::shared : MemorySpace::global,
              to_shared ? step_.operands[0] : step_.address);
        return;
    }
    if (loads(kind)) load(site().space, step_.address);
    if (holds_stored_bytes(kind)) store(site().space, step_.address);
}

/// Releases the shared memory of a block whose lanes have all ended.
void LaneReader::end_lane() {
    if (++ended_[step_.block] < trace_->launches[step_.launch].threads) return;
    shared_.erase(step_.block);
    ended_.erase(step_.block);
}

}  // namespace compaction
