#include "simulated/trace.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <ostream>
#include <utility>

#include "simulated/grid.hpp"
#include "simulated/memory.hpp"

namespace compaction::simulated {
namespace {

constinit thread_local Observer* current = nullptr;

constexpr std::array kind_names{"read",           "write",           "atomic read",   "atomic write",
                                "atomic update",  "fence",           "collective",    "barrier",
                                "mbarrier init",  "mbarrier arrive", "mbarrier wait", "copy to shared",
                                "copy to global", "copy done",       "note",          "end"};

bool writes(EventKind kind) {
    return kind == EventKind::write || kind == EventKind::atomic_write || kind == EventKind::atomic_update;
}

std::uint64_t value_at(const void* address, std::size_t bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, address, std::min(bytes, sizeof value));
    return value;
}

std::uint16_t bounded(std::size_t bytes) {
    return static_cast<std::uint16_t>(std::min<std::size_t>(bytes, 65'535));
}

}  // namespace

std::string_view name_of(EventKind kind) {
    return kind_names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(Space space) {
    return space == Space::global ? "global" : space == Space::shared ? "shared" : "";
}

Observer* current_observer() {
    return current;
}

Observer::Observer() {
    current = this;
}

Observer::~Observer() {
    current = nullptr;
}

Trace::Trace(std::uint64_t first, std::uint64_t most) : first_(first), most_(most) {}

void Trace::begin_launch(const Grid&, std::string kernel) {
    kernels_.push_back(std::move(kernel));
}

void Trace::end_launch() {
    finish_write();
}

std::uint32_t Trace::number_of(std::uintptr_t buffer) {
    return buffers_.emplace(buffer, static_cast<std::uint32_t>(buffers_.size())).first->second;
}

void Trace::finish_write() {
    if (written_) events_.back().value = value_at(written_, events_.back().bytes);
    written_ = nullptr;
}

void Trace::add(Grid& grid, EventKind kind, const void* address, std::size_t bytes, std::uint64_t value,
                const char* name, const SourceLocation& location) {
    Event event{.launch = static_cast<std::uint32_t>(kernels_.size() - 1),
                .block = grid.block().index,
                .thread = static_cast<std::uint16_t>(grid.warp->index * lanes_per_warp + grid.lane),
                .kind = kind,
                .bytes = bounded(bytes),
                .value = value,
                .name = name,
                .location = location};
    if (address) {
        const Location at = location_of(grid, address);
        if (at.space == Space::none) return;
        event.space = at.space;
        event.address = at.offset;
        if (at.space == Space::global) event.buffer = number_of(at.buffer);
    }
    finish_write();
    event.step = num_steps_;
    const bool keeps = keeps_next();
    ++num_steps_;
    if (!keeps) return;
    if (kind == EventKind::read) event.value = value_at(address, bytes);
    if (writes(kind)) written_ = address;
    events_.push_back(event);
}

void Trace::add_copy(const Copy& copy) {
    finish_write();
    const GlobalRange range = global_range_at(copy.global);
    const Event event{.step = num_steps_,
                      .launch = static_cast<std::uint32_t>(kernels_.size() - 1),
                      .block = copy.block->index,
                      .thread = static_cast<std::uint16_t>(copy.thread),
                      .kind = EventKind::copy_done,
                      .space = Space::global,
                      .bytes = bounded(copy.bytes),
                      .buffer = number_of(range.data),
                      .address = reinterpret_cast<std::uintptr_t>(copy.global) - range.data,
                      .location = {}};
    if (keeps_next()) events_.push_back(event);
    ++num_steps_;
}

void Trace::write_csv(std::ostream& to) const {
    std::map<SourceLocation, std::string> locations;
    to << "step,launch,kernel,block,warp,lane,kind,space,buffer,address,bytes,value,name,place\n";
    for (const Event& event : events_) {
        auto location = locations.find(event.location);
        if (location == locations.end())
            location =
                locations.emplace(event.location, event.location.code ? location_text(event.location) : "")
                    .first;
        to << event.step << ',' << event.launch << ',' << kernels_[event.launch] << ',' << event.block << ','
           << event.warp() << ',' << event.lane() << ',' << name_of(event.kind) << ',' << name_of(event.space)
           << ',';
        if (event.space == Space::global) to << event.buffer;
        to << ',';
        if (event.space != Space::none) to << event.address;
        to << ',' << event.bytes << ',' << event.value << ',' << event.name << ',' << location->second
           << '\n';
    }
}

std::vector<Event> replay(const std::function<void()>& run, std::uint64_t first, std::uint64_t count) {
    Trace trace(first, count);
    run();
    return {trace.events().begin(), trace.events().end()};
}

}  // namespace compaction::simulated
