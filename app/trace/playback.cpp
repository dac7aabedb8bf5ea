#include "app/trace/playback.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpsieve::trace {
namespace {

using compaction::AccessReader;
using compaction::AccessTrace;
using compaction::WarpAccess;

std::size_t size_bytes_of(std::span<const BufferState> buffers) {
    std::size_t bytes = 0;
    for (const BufferState& buffer : buffers)
        bytes += buffer.contents.size() + 2 * sizeof(std::uint32_t) * buffer.stored_at.size();
    return bytes;
}

bool may_load(compaction::AccessKind kind) {
    return !stores(kind) || kind == compaction::AccessKind::atomic;
}

}  // namespace

std::uint64_t BufferState::value(std::uint64_t element) const {
    std::uint64_t word = 0;
    std::memcpy(&word, contents.data() + element * element_bytes(), std::min(element_bytes(), sizeof word));
    return word;
}

std::span<const std::byte> BufferState::bytes_of(std::uint64_t element) const {
    return std::span(contents).subspan(element * element_bytes(), element_bytes());
}

Playback::Playback(std::shared_ptr<const AccessTrace> trace, std::size_t max_keyframes_bytes)
    : trace_(std::move(trace)), current_(initial_state()) {
    keyframes_.push_back(current_);
    const std::size_t bytes_per_keyframe = std::max<std::size_t>(size_bytes_of(current_.buffers), 1);
    const std::uint64_t max_keyframes = std::max<std::uint64_t>(max_keyframes_bytes / bytes_per_keyframe, 1);
    const std::uint64_t keyframe_spacing = trace_->num_accesses / max_keyframes + 1;
    std::uint64_t step = 0;
    for (std::uint64_t num_applied = 0; current_.has_access; ++num_applied) {
        const std::uint64_t next_step = current_.reader.access().step;
        // Keyframes lie between two steps, never within one.
        if (next_step != step && num_applied >= keyframes_.size() * keyframe_spacing &&
            keyframes_.size() < max_keyframes)
            keyframes_.push_back(current_);
        step = next_step;
        apply(current_);
    }
    current_ = keyframes_.front();
}

Playback::State Playback::initial_state() const {
    State state{.reader = AccessReader(*trace_), .has_access = false, .buffers = {}};
    state.has_access = state.reader.next();
    for (const compaction::TracedBuffer& buffer : trace_->buffers) {
        state.buffers.push_back({buffer.initial, std::vector<std::uint32_t>(buffer.num_elements),
                                 std::vector<std::uint32_t>(buffer.num_elements)});
    }
    return state;
}

void Playback::apply(State& state) {
    const WarpAccess& access = state.reader.access();
    BufferState& buffer = state.buffers[access.buffer];
    const auto step_plus_one = static_cast<std::uint32_t>(access.step + 1);
    if (stores(access.kind)) {
        const std::size_t bytes = buffer.element_bytes();
        const std::byte* value = access.values.data();
        for (const std::uint64_t element : access.elements) {
            std::memcpy(buffer.contents.data() + element * bytes, value, bytes);
            buffer.stored_at[element] = step_plus_one;
            value += bytes;
        }
    }
    if (may_load(access.kind))
        for (const std::uint64_t element : access.elements) buffer.loaded_at[element] = step_plus_one;
    state.has_access = state.reader.next();
}

void Playback::seek(std::uint64_t step) {
    // Whether all accesses before the step are applied.
    const auto has_reached = [step](const State& state) {
        return !state.has_access || state.reader.access().step >= step;
    };
    // The last keyframe whose next access is not after the step.
    const auto later = std::upper_bound(
        keyframes_.begin() + 1, keyframes_.end(), step, [](std::uint64_t wanted_step, const State& state) {
            return state.has_access && wanted_step < state.reader.access().step;
        });
    const State& keyframe = *(later - 1);
    const bool continues_from_current =
        step >= step_ && (!current_.has_access || !keyframe.has_access ||
                          current_.reader.access().step >= keyframe.reader.access().step);
    if (!continues_from_current) current_ = keyframe;
    while (!has_reached(current_)) apply(current_);
    step_ = step;
}

std::size_t Playback::size_bytes() const {
    std::size_t bytes = size_bytes_of(current_.buffers) + trace_->packed.size();
    for (const compaction::TracedBuffer& buffer : trace_->buffers) bytes += buffer.initial.size();
    for (const State& keyframe : keyframes_) bytes += size_bytes_of(keyframe.buffers);
    return bytes;
}

}  // namespace warpsieve::trace
