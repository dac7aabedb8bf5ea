#pragma once

#include <memory>
#include <span>
#include <string>

#include "app/gl/context.hpp"
#include "app/nvml/reading.hpp"
#include "app/scene/particles.hpp"
#include "compaction/engine.hpp"

namespace warpsieve {

/// What menus offer.
struct CatalogueView {
    std::span<const compaction::Algorithm> algorithms = compaction::catalogue();
    std::span<const compaction::EngineStatus> engines = compaction::engine_statuses();
};

/// The machine, and the program that runs on it.
struct MachineView {
    compaction::EngineId engine = compaction::EngineId::cpu;
    compaction::DeviceInfo device;
    std::string engine_reason;  ///< why the GPU is not used, in one line; empty on the GPU
    gl::ContextInfo gl;
    scene::Transfer transfer = scene::Transfer::host;
    std::string transfer_reason;
    std::string clock_reason;  ///< why the processors' clock is not known; empty where it is
    /// The driver's last report on the GPU; null before the first one, and on the CPU engine.
    std::shared_ptr<const nvml::Reading> gpu_reading;
    std::string version;  ///< "0.1.0 (1a2b3c4)"
};

}  // namespace warpsieve
