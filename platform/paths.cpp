#include "platform/paths.hpp"

#include <linux/limits.h>

#include <algorithm>

namespace warpsieve::platform {

static_assert(most_path_bytes + 1 == PATH_MAX && most_name_bytes == NAME_MAX);

bool is_path(std::string_view text) {
    if (text.size() > most_path_bytes) return false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('/'), text.size());
        if (end > most_name_bytes) return false;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return true;
}

}  // namespace warpsieve::platform
