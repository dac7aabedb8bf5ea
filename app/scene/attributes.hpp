#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "compaction/host_device.hpp"

namespace warpsieve::scene {

/// Position in metres and age of a particle, from 0 (born) to 1 (dead).
struct alignas(16) Position {
    float x, y, z, age;
};

/// The attributes of a particle besides its handle. `Of<T>` stores an attribute of type T: one value, or the
/// values of all slots. Only this file lists the attributes: memory, simulation, copies, uploads and bindings
/// loop over them. docs/how-to/add_a_particle_attribute.md shows how to add one.
template <template <typename> typename Of>
struct Attributes {
    Of<Position> position;
};

/// Calls `visit` once per attribute, with that attribute of each of the `sets`, which are Attributes<...>.
template <typename Visitor, typename... Sets>
constexpr void for_each_attribute(const Visitor& visit, Sets&... sets) {
    visit(sets.position...);
}

template <typename T>
using Value = T;
template <typename T>
using Pointer = T*;
template <typename T>
using Values = std::span<const T>;

/// One particle.
using Particle = Attributes<Value>;
/// Pointers to the attributes, [slots] each.
using ParticleArrays = Attributes<Pointer>;

/// The particle of a live slot. For each attribute, a source has a function that takes the slot, such as
/// position_of (source.hpp).
template <typename Source>
COMPACTION_HOST_DEVICE Particle particle_of(const Source& source, std::uint32_t slot) {
    return {.position = source.position_of(slot)};
}

/// What GPU kernels store in an empty slot; the CPU leaves it alone. It is as old as a particle can get: the
/// next particle in the slot is younger, and only a slot whose age has grown has a streak.
COMPACTION_HOST_DEVICE constexpr Particle no_particle() {
    return {.position = {0, 0, 0, 1}};
}

COMPACTION_HOST_DEVICE constexpr void store(const Particle& particle, std::uint64_t slot,
                                            const ParticleArrays& arrays) {
    arrays.position[slot] = particle.position;
}

/// Pointers to the arrays of `owners`. Each owner has a function `data()`.
template <template <typename> typename Owner>
ParticleArrays arrays_of(const Attributes<Owner>& owners) {
    ParticleArrays arrays;
    for_each_attribute([](auto& array, const auto& owner) { array = owner.data(); }, arrays, owners);
    return arrays;
}
/// The arrays of `owners` as spans, [slots] each.
template <template <typename> typename Owner>
Attributes<Values> values_of(const Attributes<Owner>& owners, std::size_t slots) {
    Attributes<Values> all;
    for_each_attribute([&](auto& values, const auto& owner) { values = {owner.data(), slots}; }, all, owners);
    return all;
}

/// The bytes of a slot in all arrays.
constexpr std::size_t attribute_bytes() {
    std::size_t bytes = 0;
    const Particle particle = no_particle();
    for_each_attribute([&](const auto& value) { bytes += sizeof value; }, particle);
    return bytes;
}

}  // namespace warpsieve::scene
