#include "platform/program_image.hpp"

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace warpsieve::platform {
namespace {

struct Part {
    std::uintptr_t begin;
    std::uintptr_t end;

    bool holds(const void* address) const {
        const auto at = reinterpret_cast<std::uintptr_t>(address);
        return at >= begin && at < end;
    }
};

int add_parts(dl_phdr_info* info, std::size_t, void* parts) {
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& header = info->dlpi_phdr[i];
        const auto begin = header.p_type == PT_LOAD  ? info->dlpi_addr + header.p_vaddr
                           : header.p_type == PT_TLS ? reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data)
                                                     : 0;
        if (begin != 0) static_cast<std::vector<Part>*>(parts)->push_back({begin, begin + header.p_memsz});
    }
    return 0;
}

}  // namespace

bool is_in_program_image(const void* address) {
    static thread_local std::vector<Part> parts;
    const auto find = [&] {
        return std::ranges::find_if(parts, [address](const Part& part) { return part.holds(address); });
    };
    auto found = find();
    if (found == parts.end()) {
        parts.clear();
        dl_iterate_phdr(add_parts, &parts);
        found = find();
        if (found == parts.end()) return false;
    }
    std::swap(*found, parts.front());
    return true;
}

bool is_readable(const void* address) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::size_t begin = 0;
        std::size_t end = 0;
        char readable = '-';
        if (std::sscanf(line.c_str(), "%zx-%zx %c", &begin, &end, &readable) == 3 &&
            Part{begin, end}.holds(address))
            return readable == 'r';
    }
    return false;
}

}  // namespace warpsieve::platform
