#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>

#include "app/scene/side.hpp"
#include "app/scene/source.hpp"
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
    compaction::Item* out = nullptr;        ///< [slots], of one side
    std::uint64_t* num_selected = nullptr;  ///< [1], of that side
    compaction::Item* scratch = nullptr;    ///< [slots], for the copy that all speeds are held against
    const Position* positions = nullptr;    ///< [slots], those of live slots
};

/// The slots of the scene on one engine. A frame is: begin_frame, simulate, compact stream(), end_frame,
/// draw drawable(). None of these waits for the device. Two algorithms that are compared read the same slots
/// and have an output each, A's and B's.
class Particles {
  public:
    virtual ~Particles() = default;

    virtual std::uint64_t slots() const = 0;

    /// Whether B has an output from the next frame on. The first time allocates; the memory is then kept, so
    /// that going back and forth costs nothing. Call between frames. Throws compaction::Error{out_of_memory}.
    virtual void give_b_an_output(bool wanted) = 0;
    virtual bool b_has_an_output() const = 0;

    virtual void begin_frame() = 0;
    /// Ages every slot to the frame and writes handle and position of each live one; one phase of `recorder`.
    /// The frame's slots are these.
    virtual void simulate(const Frame& frame, compaction::PhaseRecorder* recorder) = 0;
    /// Of B only while it has an output, as everything below.
    virtual StreamView stream(Side side) = 0;
    virtual void end_frame() = 0;

    virtual DrawableParticles drawable(Side side) = 0;
    /// How many were kept, as far as is known without waiting: a few frames old on a GPU.
    virtual std::uint64_t num_kept(Side side) const = 0;
    virtual Transfer transfer() const = 0;
    /// Why the transfer is not interop; empty where it is, or where none is needed.
    virtual std::string transfer_reason() const = 0;
    /// Host time of the last frame's map and unmap, in microseconds.
    virtual float interop_us() const = 0;
};

/// Bytes of engine memory that `slots` slots take, with an output for each of so many algorithms.
std::uint64_t required_bytes(std::uint64_t slots, std::uint64_t outputs);

/// Slots in host memory, simulated by host threads. Throws compaction::Error{out_of_memory}.
std::unique_ptr<Particles> make_host_particles(compaction::Engine& engine, std::uint64_t slots);

}  // namespace warpsieve::scene
