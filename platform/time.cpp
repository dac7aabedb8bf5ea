#include "platform/time.hpp"

#include <ctime>

namespace warpsieve::platform {
namespace {

std::string format_now(const char* format, std::tm* (*convert)(const std::time_t*, std::tm*)) {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    convert(&now, &parts);
    char text[64];
    return {text, std::strftime(text, sizeof text, format, &parts)};
}

}  // namespace

std::string local_time(const char* format) {
    return format_now(format, localtime_r);
}

std::string utc_time(const char* format) {
    return format_now(format, gmtime_r);
}

}  // namespace warpsieve::platform
