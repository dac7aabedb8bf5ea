// The checker for words of lock-free protocols: the clocks that they release, and the values that a load may
// read.
#include <algorithm>
#include <cstring>
#include <utility>

#include "simulated/checker.hpp"
#include "simulated/grid.hpp"
#include "simulated/memory.hpp"

namespace compaction::simulated {
namespace {

Access access_of(Atomic kind, Scope scope) {
    if (scope == Scope::block) return kind == Atomic::load ? Access::block_read : Access::block_write;
    return kind == Atomic::load ? Access::atomic_read : Access::atomic_write;
}

}  // namespace

std::uint64_t Checker::atomic(const void* address, std::size_t bytes, Atomic kind, MemoryOrder order,
                              Scope scope, const SourceLocation& location) {
    access(address, bytes, access_of(kind, scope), location);
    std::uint64_t value = 0;
    std::memcpy(&value, address, std::min(bytes, sizeof value));
    AtomicWord& word = words_[reinterpret_cast<std::uintptr_t>(address)];
    const bool acquires = order == MemoryOrder::acquire || order == MemoryOrder::acquire_release;
    std::uint64_t number = word.last();
    if (kind == Atomic::load && checks_.stale_values && is_in_buffer(address)) number = version_to_read(word);
    const Version& version = word.versions[number - word.first()];
    if (kind != Atomic::store) take(version, acquires, scope);
    if (number != word.last()) value = version.value;
    if (kind != Atomic::load) overwrite(word, value, kind, order, scope);
    if (checks_.stale_values) see(word, kind == Atomic::load ? number : word.last());
    return value;
}

std::uint64_t Checker::oldest_visible(const AtomicWord& word) const {
    const Actor actor = running_actor();
    Actor fenced = actor;
    fenced.clock = &running_lane().fences;
    const auto is_known = [&](std::uint32_t by, Epoch epoch) {
        const Record record{.actor = by, .epoch = epoch};
        return happened_before(record, actor) || happened_before(record, fenced);
    };
    std::uint64_t oldest = word.first();
    for (std::uint64_t number = word.last(); number > oldest; --number) {
        const Version& version = word.versions[number - word.first()];
        if (version.actor != no_actor && is_known(version.actor, version.epoch)) oldest = number;
    }
    for (const Sight& sight : word.sights)
        if (is_known(sight.actor, sight.epoch)) oldest = std::max(oldest, sight.version);
    return oldest;
}

/// Usually the last version, so that a polling lane makes progress.
std::uint64_t Checker::version_to_read(const AtomicWord& word) {
    constexpr unsigned stale_one_in = 4;
    if (word.num_versions == 1 || grid_.random.below(stale_one_in) != 0) return word.last();
    const std::uint64_t oldest = oldest_visible(word);
    return oldest + grid_.random.below(static_cast<unsigned>(word.num_versions - oldest));
}

void Checker::see(AtomicWord& word, std::uint64_t version) const {
    const Actor actor = running_actor();
    const auto found = std::ranges::find(word.sights, actor.id, &Sight::actor);
    if (found == word.sights.end())
        word.sights.push_back({actor.id, actor.epoch, version});
    else
        *found = {actor.id, actor.epoch, std::max(version, found->version)};
}

/// Joins the clocks that the version has released: at once if the lane acquires, else at its next fence.
void Checker::take(const Version& version, bool acquires, Scope scope) {
    BlockChecks::LaneChecks& lane = running_lane();
    const unsigned block = grid_.block().index;
    const bool same_block = version.actor != no_actor && version.actor / num_actors() == block;
    if (scope == Scope::gpu && version.released)
        (acquires ? lane.clock : lane.seen).join(split(version.released, block));
    if (same_block && version.released_in_block)
        (acquires ? lane.clock : lane.seen_in_block).join(split(version.released_in_block, block));
}

void Checker::overwrite(AtomicWord& word, std::uint64_t old_value, Atomic kind, MemoryOrder order,
                        Scope scope) {
    BlockChecks::LaneChecks& lane = running_lane();
    const unsigned block = grid_.block().index;
    const Actor actor = running_actor();
    Version next{.actor = actor.id, .epoch = actor.epoch, .released = {}, .released_in_block = {}};
    Version& last = word.versions.back();
    // An update continues the release sequence of the stores before it.
    if (kind == Atomic::update) {
        next.released = last.released;
        next.released_in_block = last.released_in_block;
    }
    const auto add = [&](const Clock& clock, Scope of) {
        const BlockParts parts = united(clock, block);
        next.released_in_block = joined(next.released_in_block, parts);
        if (of == Scope::gpu && scope == Scope::gpu) next.released = joined(next.released, parts);
    };
    if (lane.has_fenced) add(lane.fenced, Scope::gpu);
    if (lane.has_fenced_in_block) add(lane.fenced_in_block, Scope::block);
    if (order == MemoryOrder::release || order == MemoryOrder::acquire_release)
        add(release(lane), Scope::gpu);
    last.value = old_value;
    word.versions.push_back(std::move(next));
    if (word.versions.size() > max_versions) word.versions.pop_front();
    ++word.num_versions;
}

void Checker::fence(Scope scope) {
    BlockChecks::LaneChecks& lane = running_lane();
    lane.clock.join(lane.seen_in_block);
    if (scope == Scope::block) {
        lane.fenced_in_block = release(lane);
        lane.has_fenced_in_block = true;
        return;
    }
    lane.clock.join(lane.seen);
    lane.fenced = release(lane);
    lane.has_fenced = true;
    // Fences have a total order. It decides which values are visible, and does not order plain accesses.
    if (!checks_.stale_values) return;
    const unsigned block = grid_.block().index;
    fences_ = joined(fences_, united(lane.fenced, block));
    lane.fences = split(fences_, block);
}

}  // namespace compaction::simulated
