#pragma once

#include <cstdint>
#include <string>

namespace warpsieve::labs {

/// How much of the published results one job repeats.
enum class ReproduceScope : std::uint8_t { table, document, everything };

struct ReproduceSettings {
    std::string table = "p1_implementations";  ///< id of the published table that is shown
    ReproduceScope scope = ReproduceScope::table;

    bool operator==(const ReproduceSettings&) const = default;
};

}  // namespace warpsieve::labs
