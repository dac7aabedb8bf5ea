#include "simulated/observer.hpp"

namespace compaction::simulated {
namespace {

constinit thread_local Observer* current = nullptr;

}  // namespace

std::string_view name_of(Space space) {
    return space == Space::global ? "global" : space == Space::shared ? "shared" : "";
}

Observer* current_observer() {
    return current;
}

Observer::Observer() {
    current = this;
}

Observer::~Observer() {
    current = nullptr;
}

}  // namespace compaction::simulated
