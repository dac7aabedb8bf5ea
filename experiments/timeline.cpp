#include "experiments/timeline.hpp"

#include <algorithm>

namespace experiments {

void Timeline::push(const FrameSample& sample) {
    samples_[next_] = sample;
    next_ = (next_ + 1) % samples_.size();
    size_ = std::min(size_ + 1, samples_.size());
    ++pushed_;
}

}  // namespace experiments
