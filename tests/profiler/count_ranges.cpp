// A profiler for the tests: NVTX loads it by NVTX_INJECTION64_PATH, and it counts the ranges of each name. At
// the end it writes them to the file COUNTED_RANGES, a line each: count, tab, name.
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

namespace {

struct Counts {
    std::mutex mutex;
    std::map<std::string, unsigned> begun;
    unsigned long long ended = 0;
};

/// Never destroyed: threads may end ranges while the program ends.
Counts& counts() {
    static auto* const all = new Counts;
    return *all;
}

int begin(const char* name) {
    const std::lock_guard lock(counts().mutex);
    ++counts().begun[name];
    return 0;
}

int end() {
    const std::lock_guard lock(counts().mutex);
    ++counts().ended;
    return 0;
}

void write() {
    const char* const path = std::getenv("COUNTED_RANGES");
    if (!path) return;
    std::FILE* const file = std::fopen(path, "w");
    if (!file) return;
    const std::lock_guard lock(counts().mutex);
    for (const auto& [name, count] : counts().begun) std::fprintf(file, "%u\t%s\n", count, name.c_str());
    std::fprintf(file, "%llu\tended\n", counts().ended);
    std::fclose(file);
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
    const auto* const callbacks =
        static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned size = 0;
    if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size)) return 0;
    *table[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(begin);
    *table[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(end);
    std::atexit(write);
    return 1;
}

/// How many ranges of that name have begun.
__attribute__((visibility("default"))) unsigned count_ranges(const char* name) {
    const std::lock_guard lock(counts().mutex);
    const auto found = counts().begun.find(name);
    return found == counts().begun.end() ? 0 : found->second;
}
}
