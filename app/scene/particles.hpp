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

template <typename T>
using GlName = unsigned;

/// Particles in OpenGL buffers, which are given by name. The GPU writes the count, so drawing is indirect.
struct GlParticles {
    Attributes<GlName> attributes{};  ///< [slots] each
    unsigned handles = 0;             ///< [slots] u32; the first DrawCommand::count are kept handles
    unsigned command = 0;             ///< one DrawCommand (draw_command.hpp)
    unsigned previous_positions = 0;  ///< [slots] positions of the previous frame; 0: not known
};

/// Particles in host memory, for the CPU splat or for upload.
struct HostParticles {
    Attributes<Values> attributes;              ///< [slots] each
    std::span<const compaction::Item> handles;  ///< [kept]
    /// [slots] positions of the previous frame; empty: not known
    std::span<const Position> previous_positions = {};
};

using DrawableParticles = std::variant<GlParticles, HostParticles>;

/// How kept particles get from the engine to the renderer.
enum class Transfer : std::uint8_t {
    interop,      ///< the engine writes OpenGL buffers
    pinned_copy,  ///< without interop: copied through pinned memory, arrives frames later
    host,         ///< the engine's memory is host memory
};

/// The buffers of the current frame in engine memory, valid between begin_frame and end_frame.
struct FrameBuffers {
    const compaction::Item* in = nullptr;   ///< [slots] handles, 0 for an empty slot
    compaction::Item* out = nullptr;        ///< [slots], output of one side
    std::uint64_t* num_selected = nullptr;  ///< [1], count of that side
    compaction::Item* scratch = nullptr;    ///< [slots], shared by both sides; target of timed copies
    const Position* positions = nullptr;    ///< [slots], defined for live slots
};

/// The slots of the scene on one engine. A frame is: begin_frame, simulate, compact buffers(), publish,
/// end_frame; then drawable() is drawn. Only drain() waits for the device. The sides A and B of a comparison
/// (side.hpp) read the same slots and have one output each.
class Particles {
  public:
    virtual ~Particles() = default;

    virtual std::uint64_t slots() const = 0;

    /// Switches B's output on or off from the next frame. Allocates when it is first switched on; the memory
    /// is kept. Call between frames. Throws compaction::Error{out_of_memory}.
    virtual void set_output_b(bool enabled) = 0;
    virtual bool has_output_b() const = 0;

    virtual void begin_frame() = 0;
    /// Writes handle and position of each slot for this frame. `frame.slots` must equal slots().
    virtual void simulate(const Frame& frame) = 0;
    /// The buffers of a side. Here and below, pass Side::b only while B has an output.
    virtual FrameBuffers buffers(Side side) = 0;
    /// Passes the counts to the draw commands and to the host.
    virtual void publish() = 0;
    virtual void end_frame() = 0;

    virtual DrawableParticles drawable(Side side) = 0;
    /// The newest count that is available without waiting; a few frames old on a GPU.
    virtual std::uint64_t num_kept(Side side) const = 0;
    /// Waits for the counts of the newest frame.
    virtual void drain() = 0;
    virtual Transfer transfer() const = 0;
    /// Why the transfer is not interop; empty if it is, or if none is needed.
    virtual std::string transfer_reason() const = 0;
    /// Host time of the last frame's map and unmap calls, in microseconds.
    virtual float interop_us() const = 0;
};

/// Bytes of engine memory for this many slots and outputs.
std::uint64_t required_bytes(std::uint64_t slots, std::uint64_t outputs);

/// Slots in host memory, simulated by host threads. Throws compaction::Error{out_of_memory}.
std::unique_ptr<Particles> make_host_particles(compaction::Engine& engine, std::uint64_t slots);

}  // namespace warpsieve::scene
