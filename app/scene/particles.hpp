#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>

#include "app/scene/fountain.hpp"
#include "compaction/engine.hpp"

namespace warpsieve::scene {

/// Handles and positions that OpenGL already holds. Drawing is indirect: the count was written by the GPU.
struct GlParticles {
    unsigned positions = 0;  ///< buffer of [slots] Position
    unsigned handles = 0;    ///< buffer of [slots] u32; the first `count` are kept handles
    unsigned command = 0;    ///< buffer of one DrawCommand (draw_command.hpp)
};

/// Handles and positions in host memory: for the CPU splat, or to be uploaded.
struct HostParticles {
    std::span<const Position> positions;        ///< [slots]
    std::span<const compaction::Item> handles;  ///< [kept]
};

using DrawableParticles = std::variant<GlParticles, HostParticles>;

/// How kept particles get from the engine to the draw.
enum class Transfer : std::uint8_t {
    interop,      ///< the engine writes OpenGL's own buffers
    pinned_copy,  ///< interop could not be had: copied through pinned memory, frames later
    host,         ///< the engine's memory is host memory
};

/// The stream of the current frame: engine memory, valid between begin_frame and end_frame.
struct StreamView {
    const compaction::Item* in = nullptr;   ///< [slots] handles, 0 for an empty slot
    compaction::Item* out = nullptr;        ///< [slots]
    std::uint64_t* num_selected = nullptr;  ///< [1]
    compaction::Item* scratch = nullptr;    ///< [slots], for the copy that all speeds are held against
    const Position* positions = nullptr;    ///< [slots], those of live slots
};

/// The slots of the fountain on one engine. A frame is: begin_frame, simulate, compact stream(), end_frame,
/// draw drawable(). None of these waits for the device.
class Particles {
  public:
    virtual ~Particles() = default;

    virtual std::uint64_t slots() const = 0;
    virtual void begin_frame() = 0;
    /// Ages every slot to `moment` and writes handle and position of each live one; one phase of `recorder`.
    virtual void simulate(const Moment& moment, compaction::PhaseRecorder* recorder) = 0;
    virtual StreamView stream() = 0;
    virtual void end_frame() = 0;

    virtual DrawableParticles drawable() = 0;
    /// How many were kept, as far as is known without waiting: a few frames old on a GPU.
    virtual std::uint64_t num_kept() const = 0;
    virtual Transfer transfer() const = 0;
    /// Why the transfer is not interop; empty where it is, or where none is needed.
    virtual std::string transfer_reason() const = 0;
    /// Host time of the last frame's map and unmap, in microseconds.
    virtual float interop_us() const = 0;
};

/// Bytes of engine memory that `slots` slots take.
std::uint64_t required_bytes(std::uint64_t slots);

/// Slots in host memory, simulated by host threads. Throws compaction::Error{out_of_memory}.
std::unique_ptr<Particles> make_host_particles(compaction::Engine& engine, std::uint64_t slots);

}  // namespace warpsieve::scene
