#pragma once

#include <unistd.h>

#include <utility>

namespace warpsieve::platform {

/// Owns a file descriptor.
class Descriptor {
  public:
    explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
    ~Descriptor() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    bool is_open() const { return descriptor_ >= 0; }
    int get() const { return descriptor_; }
    /// Returns the descriptor, which the caller must close.
    int release() { return std::exchange(descriptor_, -1); }
    /// Closes now; false if the system reports an error.
    bool close() { return ::close(std::exchange(descriptor_, -1)) == 0; }

  private:
    int descriptor_;
};

}  // namespace warpsieve::platform
