// The results of an earlier reproduction, given with --merge.
#include <cstdint>
#include <string_view>
#include <vector>

#include "compaction/error.hpp"
#include "experiments/published/reports.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
    static const std::vector<published::Document> documents = published::built_in_documents();
    static const std::vector<published::TableRef> tables = published::choose_tables(documents, {});
    try {
        const published::Report report{
            tables,
            published::read_results({reinterpret_cast<const char*>(data), size_bytes}, "input", tables)};
        published::to_text(report);
        published::to_json(report);
    } catch (const compaction::Error&) {
    }
    return 0;
}
