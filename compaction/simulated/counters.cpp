#include "simulated/counters.hpp"

#include <algorithm>
#include <bit>
#include <ostream>
#include <set>
#include <sstream>
#include <string_view>

#include "simulated/grid.hpp"

namespace compaction::simulated {
namespace {

constinit thread_local Counters* current = nullptr;

constexpr std::uint64_t sector_bytes = 32;
constexpr std::uint64_t bank_bytes = 4;
constexpr std::uint64_t num_banks = 32;
/// The bytes that all banks deliver in one pass.
constexpr std::uint64_t pass_bytes = num_banks * bank_bytes;

using Addresses = std::array<std::uint64_t, lanes_per_warp>;

std::uint64_t count_sectors(unsigned lane_mask, const Addresses& addresses, unsigned bytes) {
    std::set<std::uint64_t> sectors;
    for (unsigned l = 0; l < lanes_per_warp; ++l) {
        if (!(lane_mask >> l & 1U)) continue;
        const std::uint64_t end = addresses[l] + bytes;
        for (std::uint64_t sector = addresses[l] / sector_bytes; sector * sector_bytes < end; ++sector)
            sectors.insert(sector);
    }
    return sectors.size();
}

/// The banks serve a group of lanes at a time: all 32 lanes at 4 bytes, 16 at 8, 8 at 16. Within a group, a
/// bank delivers one word in each pass; lanes that read the same word share it.
std::uint64_t count_passes(unsigned lane_mask, const Addresses& addresses, unsigned bytes) {
    const auto lanes_per_group =
        static_cast<unsigned>(std::clamp<std::uint64_t>(pass_bytes / std::max(bytes, 1U), 1, lanes_per_warp));
    std::uint64_t passes = 0;
    for (unsigned first = 0; first < lanes_per_warp; first += lanes_per_group) {
        std::array<std::set<std::uint64_t>, num_banks> words;
        for (unsigned l = first; l < std::min(first + lanes_per_group, lanes_per_warp); ++l) {
            if (!(lane_mask >> l & 1U)) continue;
            const std::uint64_t end = addresses[l] + bytes;
            for (std::uint64_t word = addresses[l] / bank_bytes; word * bank_bytes < end; ++word)
                words[word % num_banks].insert(word);
        }
        passes += std::ranges::max(words, {}, &std::set<std::uint64_t>::size).size();
    }
    return passes;
}

/// Names in the order of Access. Atomic accesses of block scope count as atomic accesses.
constexpr std::array<std::string_view, 4> access_names{"read", "write", "atomic read", "atomic write"};

void add(AccessCounters& to, const AccessCounters& more) {
    to.requests += more.requests;
    to.lanes += more.lanes;
    to.units += more.units;
    to.min_units += more.min_units;
}

}  // namespace

Counters* current_counters() {
    return current;
}

double KernelCounters::resident_warps() const {
    return samples == 0 ? 0 : static_cast<double>(warp_samples) / static_cast<double>(samples);
}

AccessCounters KernelCounters::total(Space space, Access access) const {
    AccessCounters sum{.space = space, .access = access};
    for (const auto& [location, counters] : locations)
        if (counters.space == space && counters.access == access) add(sum, counters);
    return sum;
}

Counters::Counters() {
    current = this;
}

Counters::~Counters() {
    current = nullptr;
}

void Counters::begin_launch(const std::string& kernel, const LaunchShape& shape) {
    kernel_ = &kernels_[kernel];
    ++kernel_->launches;
    kernel_->possible_warps =
        resident_blocks(shape) * ((shape.threads + lanes_per_warp - 1) / lanes_per_warp);
    kernel_->shared_bytes = std::max<std::uint64_t>(kernel_->shared_bytes, shape.shared_bytes);
    warps_.clear();
}

void Counters::end_launch() {
    for (auto& [warp, requests] : warps_)
        for (const auto& [key, request] : requests.open) close(key.first, request);
    warps_.clear();
}

void Counters::access(Grid& grid, const void* address, std::size_t bytes, Access access,
                      const SourceLocation& location) {
    const Location memory = location_of(grid, address);
    if (memory.space == Space::none) return;
    AccessCounters& counters = kernel_->locations[location];
    counters.space = memory.space;
    counters.access = access;
    counters.bytes = static_cast<unsigned>(bytes);
    WarpRequests& requests = warps_[grid.warp];
    const unsigned number = requests.num_accesses[location][grid.lane]++;
    const auto key = std::pair(location, number);
    Request& request = requests.open[key];
    request.lane_mask |= 1U << grid.lane;
    // Buffers are aligned to 256 bytes, so addresses of the program fall into the same sectors as on a GPU.
    request.addresses[grid.lane] =
        memory.space == Space::global ? reinterpret_cast<std::uintptr_t>(address) : memory.offset;
    if ((request.lane_mask & grid.warp->alive) != grid.warp->alive) return;
    close(location, request);
    requests.open.erase(key);
}

void Counters::close(const SourceLocation& location, const Request& request) {
    AccessCounters& counters = kernel_->locations[location];
    const auto lanes = static_cast<unsigned>(std::popcount(request.lane_mask));
    const bool is_global = counters.space == Space::global;
    const std::uint64_t unit_bytes = is_global ? sector_bytes : pass_bytes;
    const auto count_units = is_global ? count_sectors : count_passes;
    add(counters, {.requests = 1,
                   .lanes = lanes,
                   .units = count_units(request.lane_mask, request.addresses, counters.bytes),
                   .min_units = (lanes * counters.bytes + unit_bytes - 1) / unit_bytes});
}

void Counters::copy(std::size_t bytes, bool to_shared) {
    (to_shared ? kernel_->bytes_copied_in : kernel_->bytes_copied_out) += bytes;
}

void Counters::meet(const Warp& warp) {
    const auto found = warps_.find(&warp);
    if (found == warps_.end()) return;
    for (const auto& [key, request] : found->second.open) close(key.first, request);
    warps_.erase(found);
}

void Counters::sample(const Grid& grid) {
    std::array<unsigned, Schedule::max_multiprocessors> resident_warps{};
    for (const auto& block : grid.resident) {
        if (block->alive == 0) continue;
        for (const Warp& warp : block->warps) resident_warps[block->multiprocessor] += warp.alive != 0;
    }
    for (const unsigned num_warps : resident_warps) {
        kernel_->warp_samples += num_warps;
        kernel_->samples += num_warps > 0;
    }
}

void Counters::write_csv(std::ostream& to) const {
    to << "kernel,launches,possible_warps,resident_warps,bytes_copied_in,bytes_copied_out,place,space,access,"
          "bytes,requests,lanes,units,min_units\n";
    for (const auto& [name, kernel] : kernels_) {
        // Instructions have different addresses in each run; their source lines stay the same.
        std::multiset<std::string> lines;
        for (const auto& [location, counters] : kernel.locations) {
            std::ostringstream line;
            line << name << ',' << kernel.launches << ',' << kernel.possible_warps << ','
                 << kernel.resident_warps() << ',' << kernel.bytes_copied_in << ',' << kernel.bytes_copied_out
                 << ',' << location_text(location) << ',' << simulated::name_of(counters.space) << ','
                 << access_names[static_cast<std::size_t>(counters.access)] << ',' << counters.bytes << ','
                 << counters.requests << ',' << counters.lanes << ',' << counters.units << ','
                 << counters.min_units << '\n';
            lines.insert(line.str());
        }
        for (const std::string& line : lines) to << line;
    }
}

}  // namespace compaction::simulated
