#include "simulated/checker.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

#include "platform/program_image.hpp"
#include "platform/source_lines.hpp"
#include "simulated/grid.hpp"
#include "simulated/memory.hpp"

namespace compaction::simulated {
namespace {

constexpr unsigned copy_kinds = 3;

bool is_write(Access access) {
    return access == Access::write || access == Access::atomic_write || access == Access::block_write;
}
bool has_block_scope(Access access) {
    return access == Access::block_read || access == Access::block_write;
}
bool is_atomic(Access access) {
    return access != Access::read && access != Access::write;
}
/// Atomic accesses of block scope are not atomic for other blocks.
bool conflict(Access a, Access b, bool same_block) {
    const bool in_scope = same_block || (!has_block_scope(a) && !has_block_scope(b));
    return (is_write(a) || is_write(b)) && !(is_atomic(a) && is_atomic(b) && in_scope);
}

/// "a write of 4 bytes", or "a write" if `bytes` is 0.
std::string access_text(Access access, std::size_t bytes) {
    const char* const name = access == Access::write          ? "a write"
                             : access == Access::read         ? "a read"
                             : access == Access::atomic_write ? "an atomic write"
                             : access == Access::atomic_read  ? "an atomic read"
                             : access == Access::block_write  ? "an atomic write of block scope"
                                                              : "an atomic read of block scope";
    return std::string(name) + (bytes > 0 ? " of " + std::to_string(bytes) + " bytes" : "");
}

std::string bytes_text(std::size_t bytes) {
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

/// Whether the instruction is of the user's code, or of the standard library inlined there. The engine, which
/// uses the heap, may be inlined there too.
bool is_in_kernel(const void* instruction) {
    const auto found = warpsieve::platform::source_line(instruction, "/usr/");
    return found.line > 0 && !warpsieve::platform::contains_one_of(found.file, engine_paths);
}

bool is_on_stack_of_lane(const Grid& grid, const void* address) {
    return std::ranges::any_of(grid.resident, [address](const auto& block) {
        return block->stacks && block->stacks->contains(address);
    });
}

}  // namespace

Checker::Checker(Grid& grid, const Checks& checks, const Checker* previous)
    : grid_(grid), checks_(checks), previous_(previous) {}

unsigned Checker::num_actors() const {
    const unsigned warps = (grid_.shape.threads + lanes_per_warp - 1) / lanes_per_warp;
    return grid_.shape.threads + copy_kinds * warps;
}

unsigned Checker::copier(unsigned thread, CopyKind kind) const {
    return grid_.shape.threads + thread / lanes_per_warp * copy_kinds + static_cast<unsigned>(kind);
}

BlockChecks::LaneChecks& Checker::running_lane() const {
    return grid_.block().checks.lanes[grid_.thread()];
}

Checker::Actor Checker::running_actor() const {
    const LaneChecks& lane = running_lane();
    const unsigned id = grid_.block().index * num_actors() + grid_.thread();
    return {id, lane.epoch, &lane.clock, id};
}

void Checker::start_block(Block& block) {
    block.checks.lanes.assign(grid_.shape.threads, {});
    block.checks.copy_epochs.assign(num_actors(), 0);
    block.checks.mbarriers.clear();
    block.checks.written.assign(grid_.arena_bytes, false);
    // Removes the records of an earlier block that used the same shared memory.
    const auto begin = reinterpret_cast<std::uintptr_t>(block.shared_bytes());
    for (std::uintptr_t word = begin; word < begin + grid_.arena_bytes;) {
        const std::uintptr_t end =
            std::min<std::uintptr_t>((word / page_bytes + 1) * page_bytes, begin + grid_.arena_bytes);
        const auto page = pages_.find(word / page_bytes);
        if (page != pages_.end()) {
            std::fill(
                page->second->begin() + static_cast<std::ptrdiff_t>(word % page_bytes / word_bytes),
                page->second->begin() + static_cast<std::ptrdiff_t>((end - 1) % page_bytes / word_bytes + 1),
                Word{});
        }
        word = end;
    }
}

// --- Accesses ---

void Checker::access(const void* address, std::size_t bytes, Access access, const SourceLocation& location) {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    Block& block = grid_.block();
    if (block.stacks->contains(address)) return;
    const auto shared = reinterpret_cast<std::uintptr_t>(block.shared_bytes());
    if (block.shared.is_near(address)) return access_shared(block, begin - shared, bytes, access, location);
    const GlobalRange range = global_range_at(address);
    if (range.what == GlobalRange::outside) return check_host_memory(address, bytes, access, location);
    if (range.what == GlobalRange::guard || bytes > range.end - begin) {
        const std::uintptr_t buffer_end = range.data + range.size;
        const std::string where = begin < range.data    ? bytes_text(range.data - begin) + " before"
                                  : begin >= buffer_end ? bytes_text(begin - buffer_end) + " after the end of"
                                                        : "partly after the end of";
        fail_with([=] {
            return "out of bounds: " + access_text(access, bytes) + " (" + location_text(location) + "), " +
                   where + " a buffer of " + bytes_text(range.size);
        });
    }
    check_overlap(begin, bytes, access, location);
    touch(begin, bytes, access, running_actor(), location);
}

void Checker::check_host_memory(const void* address, std::size_t bytes, Access access,
                                const SourceLocation& location) {
    const void* const instruction = location.line == 0 ? location.file_or_instruction : nullptr;
    if (!checks_.host_memory || !grid_.lane_runs || warpsieve::platform::is_in_program_image(address)) return;
    if (instruction && std::ranges::count(engine_instructions_, instruction) > 0) return;
    bool is_of_kernel = true;
    bool is_on_host = false;
    run_outside_lanes([&] {
        if (instruction) is_of_kernel = is_in_kernel(instruction);
        is_on_host = !is_on_stack_of_lane(grid_, address) && warpsieve::platform::is_readable(address);
    });
    if (!is_of_kernel)
        engine_instructions_[num_engine_instructions_++ % engine_instructions_.size()] = instruction;
    if (!is_of_kernel || !is_on_host) return;
    fail_with([=] {
        return "host memory: " + access_text(access, bytes) + " (" + location_text(location) +
               ") at an address of the host, or one that the kernel has freed; allocate by cudaMalloc, and "
               "copy by cudaMemcpy";
    });
}

const Checker::Record* Checker::conflicting(std::uintptr_t address, std::size_t bytes, Access access) const {
    const std::uintptr_t end = address + bytes;
    for (std::uintptr_t word = address / word_bytes * word_bytes; word < end; word += word_bytes) {
        const auto page = pages_.find(word / page_bytes);
        if (page == pages_.end()) continue;
        for (const Record& record : (*page->second)[word % page_bytes / word_bytes])
            if (record.mask != 0 && conflict(record.access, access, /*same_block=*/false)) return &record;
    }
    return nullptr;
}

void Checker::check_overlap(std::uintptr_t address, std::size_t bytes, Access access,
                            const SourceLocation& location) const {
    if (!checks_.accesses || !previous_ || grid_.block().waited_for_launch) return;
    const Record* const earlier = previous_->conflicting(address, bytes, access);
    if (!earlier) return;
    fail_with([=, where = previous_->locations_[earlier->location]] {
        return "data race in global memory: " + access_text(access, bytes) + " (" + location_text(location) +
               ") and " + access_text(earlier->access, /*bytes=*/0) + " by the launch before (" +
               location_text(where) + "), which may still run, since the block has not waited for it";
    });
}

void Checker::access_shared(Block& block, std::size_t offset, std::size_t bytes, Access access,
                            const SourceLocation& location) {
    const bool inside =
        offset < grid_.arena_bytes && (offset + bytes <= grid_.shape.shared_bytes ||
                                       std::ranges::any_of(grid_.variables, [&](const auto& variable) {
                                           return offset >= variable.begin && offset + bytes <= variable.end;
                                       }));
    if (!inside) {
        fail_with([=] {
            return "out of bounds: " + access_text(access, bytes) + " of shared memory (" +
                   location_text(location) + "), outside every variable of the block";
        });
    }
    const auto begin = block.checks.written.begin() + static_cast<std::ptrdiff_t>(offset);
    const auto end = begin + static_cast<std::ptrdiff_t>(bytes);
    if (is_write(access)) std::fill(begin, end, true);
    if (!is_write(access) && checks_.uninitialised && std::find(begin, end, false) != end) {
        fail_with([=] {
            return "uninitialised: " + access_text(access, bytes) + " of shared memory (" +
                   location_text(location) +
                   ") that no lane of the block has written; a write is missing, or a barrier between it and "
                   "this read";
        });
    }
    touch(reinterpret_cast<std::uintptr_t>(block.shared_bytes()) + offset, bytes, access, running_actor(),
          location);
}

template <typename Visit>
void Checker::for_each_word(std::uintptr_t address, std::size_t bytes, Visit visit) {
    const std::uintptr_t end = address + bytes;
    for (std::uintptr_t word = address / word_bytes * word_bytes; word < end; word += word_bytes) {
        const std::uintptr_t mask_begin = std::max(word, address) - word;
        const std::uintptr_t mask_end = std::min(word + word_bytes, end) - word;
        visit(word_at(word), static_cast<std::uint8_t>((1U << mask_end) - (1U << mask_begin)));
    }
}

void Checker::touch(std::uintptr_t address, std::size_t bytes, Access access, const Actor& actor,
                    const SourceLocation& location) {
    if (!checks_.accesses) return;
    Record record{actor.id, actor.epoch, find_or_add_location(location), 0, access};
    for_each_word(address, bytes, [&](Word& word, std::uint8_t mask) {
        record.mask = mask;
        touch_word(word, record, actor, address, bytes);
    });
}

bool Checker::happened_before(const Record& record, const Actor& actor) const {
    if (record.actor == actor.id) return true;
    if (record.actor == actor.issuer) return true;
    const unsigned block = record.actor / num_actors();
    const BlockPart* part = &actor.clock->own;
    if (block != actor.id / num_actors()) {
        if (!actor.clock->others) return false;
        const auto found = actor.clock->others->find(block);
        if (found == actor.clock->others->end()) return false;
        part = &found->second;
    }
    return *part && (**part)[record.actor % num_actors()] >= record.epoch;
}

/// A bulk copy sees a lane's write to shared memory only if a proxy fence came after it.
bool Checker::is_visible(const Record& record, const Actor& actor) const {
    const unsigned actor_in_block = record.actor % num_actors();
    if (!actor.is_copy || !is_write(record.access) || actor_in_block >= grid_.shape.threads) return true;
    const BlockPart& fenced = actor.clock->fenced;
    return fenced && (*fenced)[actor_in_block] >= record.epoch;
}

void Checker::touch_word(Word& word, const Record& record, const Actor& actor, std::uintptr_t address,
                         std::size_t bytes) {
    std::array<bool, std::tuple_size_v<Word>> is_ordered{};
    for (std::size_t i = 0; i < word.size(); ++i) {
        const Record& earlier = word[i];
        if (earlier.mask == 0) continue;
        is_ordered[i] = (happened_before(earlier, actor) && is_visible(earlier, actor)) ||
                        (!is_atomic(record.access) && was_observed(word, earlier, actor));
        if (is_ordered[i] || !(earlier.mask & record.mask)) continue;
        const bool same_block = earlier.actor / num_actors() == record.actor / num_actors();
        const bool is_allowed_rewrite = checks_.allows_rewrites && earlier.access == Access::write &&
                                        record.access == Access::write &&
                                        is_in_buffer(reinterpret_cast<const void*>(address));
        if (conflict(earlier.access, record.access, same_block) && !is_allowed_rewrite)
            fail_with([this, earlier, record, address, bytes] {
                return race_text(earlier, record, address, bytes);
            });
    }
    Record* free_record = nullptr;
    for (std::size_t i = 0; i < word.size(); ++i) {
        // A later access that races with the earlier access also races with this one.
        if (is_ordered[i] && !(word[i].mask & ~record.mask) &&
            (record.access == Access::write || record.access == word[i].access))
            word[i].mask = 0;
        if (word[i].mask == 0) free_record = &word[i];
    }
    if (!free_record) free_record = &word[++evictions_ % word.size()];
    *free_record = record;
}

std::string Checker::actor_text(std::uint32_t actor) const {
    const unsigned actor_in_block = actor % num_actors();
    const std::string block = block_text(grid_, actor / num_actors());
    if (actor_in_block < grid_.shape.threads) return block + ", " + thread_text(grid_, actor_in_block);
    return "a bulk copy of " + block + ", warp " +
           std::to_string((actor_in_block - grid_.shape.threads) / copy_kinds);
}

std::string Checker::race_text(const Record& earlier, const Record& record, std::uintptr_t address,
                               std::size_t bytes) const {
    return std::string("data race in ") +
           (is_in_buffer(reinterpret_cast<const void*>(address)) ? "global" : "shared") +
           " memory: " + access_text(record.access, bytes) + " by " + actor_text(record.actor) + " (" +
           location_text(locations_[record.location]) + ") and " + access_text(earlier.access, /*bytes=*/0) +
           " by " + actor_text(earlier.actor) + " (" + location_text(locations_[earlier.location]) +
           "), and nothing orders the two" +
           (earlier.actor % num_actors() < grid_.shape.threads &&
                    record.actor % num_actors() >= grid_.shape.threads
                ? " (a proxy fence must come before the copy)"
                : "");
}

std::uint32_t Checker::find_or_add_location(const SourceLocation& location) {
    if (!locations_.empty() && locations_[last_location_] == location) return last_location_;
    const auto key =
        reinterpret_cast<std::uintptr_t>(location.file_or_instruction) ^ std::uintptr_t{location.line} << 48;
    const auto [found, is_new] = location_numbers_.try_emplace(key, locations_.size());
    if (is_new) locations_.push_back(location);
    return last_location_ = found->second;
}

Checker::Word& Checker::word_at(std::uintptr_t word) {
    const std::uintptr_t page = word / page_bytes;
    if (!last_page_ || page != last_page_number_) {
        std::unique_ptr<Page>& records = pages_[page];
        if (!records) records = std::make_unique<Page>();
        last_page_ = records.get();
        last_page_number_ = page;
    }
    return (*last_page_)[word % page_bytes / word_bytes];
}

// --- What orders accesses ---

void Checker::join(Block& block, std::span<const unsigned> from, std::span<const unsigned> to) {
    std::vector<LaneChecks>& lanes = block.checks.lanes;
    BarrierClock all;
    for (const unsigned thread : from)
        all.arrive(lanes[thread].clock, thread, lanes[thread].epoch, num_actors());
    all.complete();
    for (const unsigned thread : to) {
        lanes[thread].clock = all.last_phase();
        ++lanes[thread].epoch;
    }
    for (ScopedClock LaneChecks::*const clocks : {&LaneChecks::past_fences, &LaneChecks::fences_seen})
        for (Clock ScopedClock::*const part : {&ScopedClock::all, &ScopedClock::in_block})
            join_part(lanes, from, to, clocks, part);
}

void Checker::join_part(std::vector<LaneChecks>& lanes, std::span<const unsigned> from,
                        std::span<const unsigned> to, ScopedClock LaneChecks::*clocks,
                        Clock ScopedClock::*part) const {
    BarrierClock all;
    bool is_empty = true;
    for (const unsigned thread : from) {
        const Clock& clock = lanes[thread].*clocks.*part;
        if (!clock.own && !clock.others) continue;
        all.arrive(clock, thread, /*epoch=*/0, num_actors());
        is_empty = false;
    }
    if (is_empty) return;
    all.complete();
    for (const unsigned thread : to) lanes[thread].*clocks.*part = all.last_phase();
}

void Checker::fence_for_copies() {
    LaneChecks& lane = running_lane();
    lane.clock.fenced = release(lane).own;
}

/// Ends the epoch of the running lane and returns its clock, which includes that epoch.
Clock Checker::release(LaneChecks& lane) const {
    Epochs own(num_actors());
    if (lane.clock.own) own = *lane.clock.own;
    own[grid_.thread()] = lane.epoch++;
    return {std::make_shared<const Epochs>(std::move(own)), lane.clock.others, lane.clock.fenced};
}

BlockParts Checker::parts_of(const Clock& clock, unsigned block) {
    std::map<unsigned, BlockPart> parts;
    if (clock.others) parts = *clock.others;
    parts[block] = clock.own;
    return std::make_shared<const std::map<unsigned, BlockPart>>(std::move(parts));
}

Clock Checker::clock_of(const BlockParts& parts, unsigned block) {
    const auto found = parts->find(block);
    return {found == parts->end() ? nullptr : found->second, parts, nullptr};
}

void Checker::arrive(std::size_t mbarrier) {
    BlockChecks& block = grid_.block().checks;
    block.mbarriers.resize(std::max(block.mbarriers.size(), mbarrier + 1));
    LaneChecks& lane = running_lane();
    block.mbarriers[mbarrier].arrive(lane.clock, grid_.thread(), lane.epoch++, num_actors());
}

void Checker::complete_phase(Block& block, std::size_t mbarrier) {
    block.checks.mbarriers[mbarrier].complete();
}

void Checker::acquire_phase(std::size_t mbarrier) {
    BlockChecks& block = grid_.block().checks;
    if (mbarrier < block.mbarriers.size()) running_lane().clock.join(block.mbarriers[mbarrier].last_phase());
}

// --- Bulk copies ---

Epoch Checker::copy(const void* shared, const void* global, std::size_t bytes, bool to_shared,
                    const SourceLocation& location) {
    Block& block = grid_.block();
    LaneChecks& lane = running_lane();
    const Actor issuer = running_actor();
    const unsigned thread = grid_.thread();
    const auto begin_epoch = [&](CopyKind kind) {
        const unsigned copy = copier(thread, kind);
        return Actor{block.index * num_actors() + copy, ++block.checks.copy_epochs[copy], &lane.clock,
                     issuer.id};
    };
    const auto as_copy = [](Actor actor) {
        actor.is_copy = true;
        return actor;
    };
    const auto shared_address = reinterpret_cast<std::uintptr_t>(shared);
    const auto global_address = reinterpret_cast<std::uintptr_t>(global);
    if (to_shared) {
        const Actor loader = begin_epoch(CopyKind::load);
        const auto offset = static_cast<const std::byte*>(shared) - block.shared_bytes();
        std::fill_n(block.checks.written.begin() + offset, bytes, true);
        check_overlap(global_address, bytes, Access::read, location);
        touch(global_address, bytes, Access::read, loader, location);
        touch(shared_address, bytes, Access::write, as_copy(loader), location);
        return loader.epoch;
    }
    const Actor reader = begin_epoch(CopyKind::store_reads);
    touch(shared_address, bytes, Access::read, as_copy(reader), location);
    check_overlap(global_address, bytes, Access::write, location);
    touch(global_address, bytes, Access::write, begin_epoch(CopyKind::store_writes), location);
    lane.last_store = reader.epoch;
    return reader.epoch;
}

void Checker::copy_arrives(Block& block, std::size_t mbarrier, unsigned thread, Epoch epoch) {
    std::vector<BarrierClock>& mbarriers = block.checks.mbarriers;
    mbarriers.resize(std::max(mbarriers.size(), mbarrier + 1));
    mbarriers[mbarrier].arrive({}, copier(thread, CopyKind::load), epoch, num_actors());
}

void Checker::commit_copies() {
    running_lane().last_stores.push_back(running_lane().last_store);
}

void Checker::wait_for_copies(unsigned max_pending) {
    LaneChecks& lane = running_lane();
    if (lane.last_stores.size() <= max_pending) return;
    const Epoch completed = lane.last_stores[lane.last_stores.size() - max_pending - 1];
    Epochs own(num_actors());
    if (lane.clock.own) own = *lane.clock.own;
    Epoch& known = own[copier(grid_.thread(), CopyKind::store_reads)];
    if (known >= completed) return;
    known = completed;
    lane.clock.own = std::make_shared<const Epochs>(std::move(own));
}

// --- Words of lock-free protocols ---

namespace {

Access access_of(Atomic kind, Scope scope) {
    if (scope == Scope::block) return kind == Atomic::load ? Access::block_read : Access::block_write;
    return kind == Atomic::load ? Access::atomic_read : Access::atomic_write;
}

}  // namespace

std::uint64_t Checker::atomic(const void* address, std::size_t bytes, Atomic kind, MemoryOrder order,
                              Scope scope, const SourceLocation& location, bool may_be_stale) {
    access(address, bytes, access_of(kind, scope), location);
    std::uint64_t value = 0;
    std::memcpy(&value, address, std::min(bytes, sizeof value));
    if (grid_.block().stacks->contains(address)) return value;
    AtomicWord& word = words_[reinterpret_cast<std::uintptr_t>(address)];
    const bool acquires = order == MemoryOrder::acquire || order == MemoryOrder::acquire_release;
    std::uint64_t read_version = word.last_version();
    if (kind == Atomic::load && may_be_stale && checks_.stale_values && is_in_buffer(address))
        read_version = version_to_read(word);
    note_observed(address, bytes, kind, scope, read_version == word.last_version());
    const Version& version = word.versions[read_version - word.first_version()];
    if (kind != Atomic::store) join_released(version, acquires, scope);
    if (read_version != word.last_version()) value = version.value;
    if (kind != Atomic::load) overwrite(word, value, kind, order, scope);
    if (checks_.stale_values) note_seen(word, kind == Atomic::load ? read_version : word.last_version());
    return value;
}

/// An atomic load or update observes the atomic writes whose values it reads, back to the last atomic store.
/// In PTX, they happen before whatever comes after it; what their lanes did before them is not ordered. The
/// record of an update replaces theirs, because an access that races with one of them also races with the
/// update.
void Checker::note_observed(const void* address, std::size_t bytes, Atomic kind, Scope scope,
                            bool reads_newest) {
    if (!checks_.accesses) return;
    const std::uint32_t actor = running_actor().id;
    const Access load = access_of(Atomic::load, scope);
    const Access write = access_of(Atomic::update, scope);
    for_each_word(reinterpret_cast<std::uintptr_t>(address), bytes, [&](Word& word, std::uint8_t mask) {
        for (Record& record : word) {
            if (kind == Atomic::load) {
                if (record.access == load && record.actor == actor) record.is_replaced = !reads_newest;
            } else if (record.access == load) {
                record.is_replaced = true;
            } else if (record.access == write && record.actor != actor && !(record.mask & ~mask)) {
                if (kind == Atomic::store)
                    record.is_replaced = true;
                else if (!record.is_replaced)
                    record.mask = 0;
            }
        }
    });
}

/// Whether an atomic load that came before the actor's access has observed an atomic write.
bool Checker::was_observed(const Word& word, const Record& written, const Actor& actor) const {
    if (written.is_replaced || !is_atomic(written.access) || !is_write(written.access)) return false;
    const Access load = written.access == Access::atomic_write ? Access::atomic_read : Access::block_read;
    return std::ranges::any_of(word, [&](const Record& read) {
        return read.access == load && !read.is_replaced && read.mask && !(written.mask & ~read.mask) &&
               happened_before(read, actor);
    });
}

std::uint64_t Checker::oldest_visible(const AtomicWord& word) const {
    const Actor actor = running_actor();
    Actor fenced = actor;
    fenced.clock = &running_lane().fences;
    const auto is_known = [&](std::uint32_t by, Epoch epoch) {
        const Record record{.actor = by, .epoch = epoch};
        return happened_before(record, actor) || happened_before(record, fenced);
    };
    std::uint64_t oldest = word.first_version();
    for (std::uint64_t number = word.last_version(); number > oldest; --number) {
        const Version& version = word.versions[number - word.first_version()];
        if (version.actor != no_actor && is_known(version.actor, version.epoch)) oldest = number;
    }
    for (const Sight& sight : word.sights)
        if (is_known(sight.actor, sight.epoch)) oldest = std::max(oldest, sight.version);
    return oldest;
}

/// Usually returns the last version, so that a polling lane makes progress.
std::uint64_t Checker::version_to_read(const AtomicWord& word) {
    constexpr unsigned stale_one_in = 4;
    if (word.num_versions == 1 || grid_.random.below(stale_one_in) != 0) return word.last_version();
    const std::uint64_t oldest = oldest_visible(word);
    return oldest + grid_.random.below(static_cast<unsigned>(word.num_versions - oldest));
}

void Checker::note_seen(AtomicWord& word, std::uint64_t version) const {
    const Actor actor = running_actor();
    const auto found = std::ranges::find(word.sights, actor.id, &Sight::actor);
    if (found == word.sights.end())
        word.sights.push_back({actor.id, actor.epoch, version});
    else
        *found = {actor.id, actor.epoch, std::max(version, found->version)};
}

/// Joins the clocks that the version has released: at once if the lane acquires, else at its next fence.
void Checker::join_released(const Version& version, bool acquires, Scope scope) {
    LaneChecks& lane = running_lane();
    const unsigned block = grid_.block().index;
    const bool same_block = version.actor != no_actor && version.actor / num_actors() == block;
    const auto join = [&](const ScopedParts& parts, Clock& all, Clock& in_block) {
        if (scope == Scope::gpu && parts.all) all.join(clock_of(parts.all, block));
        if (same_block && parts.in_block) in_block.join(clock_of(parts.in_block, block));
    };
    if (acquires)
        join(version.released, lane.clock, lane.clock);
    else
        join(version.released, lane.seen.all, lane.seen.in_block);
    join(version.fences, lane.fences_seen.all, lane.fences_seen.in_block);
}

void Checker::overwrite(AtomicWord& word, std::uint64_t old_value, Atomic kind, MemoryOrder order,
                        Scope scope) {
    LaneChecks& lane = running_lane();
    const unsigned block = grid_.block().index;
    const Actor actor = running_actor();
    Version next{.actor = actor.id, .epoch = actor.epoch, .released = {}, .fences = {}};
    Version& last = word.versions.back();
    // An update continues the release sequence of the stores before it.
    if (kind == Atomic::update) {
        next.released = last.released;
        next.fences = last.fences;
    }
    const auto add = [&](const Clock& clock, Scope clock_scope, ScopedParts& to) {
        if (!clock.own && !clock.others) return;
        const BlockParts parts = parts_of(clock, block);
        to.in_block = joined(to.in_block, parts);
        if (clock_scope == Scope::gpu && scope == Scope::gpu) to.all = joined(to.all, parts);
    };
    add(lane.fenced.all, Scope::gpu, next.released);
    add(lane.fenced.in_block, Scope::block, next.released);
    add(lane.past_fences.all, Scope::gpu, next.fences);
    add(lane.past_fences.in_block, Scope::block, next.fences);
    if (order == MemoryOrder::release || order == MemoryOrder::acquire_release)
        add(release(lane), Scope::gpu, next.released);
    last.value = old_value;
    word.versions.push_back(std::move(next));
    if (word.versions.size() > max_versions) word.versions.pop_front();
    ++word.num_versions;
}

/// Fences are sequentially consistent: they have a total order. It orders accesses only where every execution
/// has the same order: a fence before a write comes before a fence that follows a read of what was written.
/// The write and the read may be those of other lanes, with barriers between.
void Checker::fence(Scope scope) {
    LaneChecks& lane = running_lane();
    lane.clock.join(lane.seen.in_block);
    lane.clock.join(lane.fences_seen.in_block);
    if (scope == Scope::block) {
        lane.fenced.in_block = lane.past_fences.in_block = release(lane);
        return;
    }
    lane.clock.join(lane.seen.all);
    lane.clock.join(lane.fences_seen.all);
    lane.fenced.all = lane.past_fences.all = release(lane);
    // Which values are visible depends on the total order of fences.
    if (!checks_.stale_values) return;
    const unsigned block = grid_.block().index;
    fences_ = joined(fences_, parts_of(lane.fenced.all, block));
    lane.fences = clock_of(fences_, block);
}

}  // namespace compaction::simulated
