#include "experiments/format/counts.hpp"

#include <algorithm>
#include <bit>

#include "experiments/format/numbers.hpp"

namespace experiments::format {

std::string count_text(std::uint64_t count) {
    if (count < 1024 || !std::has_single_bit(count)) return std::to_string(count);
    return "2^" + std::to_string(std::countr_zero(count));
}

std::optional<Count> read_count(std::string_view text) {
    std::string plain(text);
    std::erase_if(plain, [](char c) { return c == ' ' || c == ',' || c == '\''; });
    std::string_view rest = plain;
    if (!rest.starts_with("2^")) {
        const auto whole = parse_number<std::uint64_t>(rest);
        return whole ? std::optional(Count{.exponent = {}, .before_offset = *whole}) : std::nullopt;
    }
    rest.remove_prefix(2);
    const std::size_t sign = std::min(rest.find_first_of("+-"), rest.size());
    const auto exponent = parse_number<std::uint64_t>(rest.substr(0, sign));
    if (!exponent || *exponent > 62) return std::nullopt;
    Count count{.exponent = exponent, .before_offset = std::uint64_t{1} << *exponent};
    if (sign < rest.size()) {
        const auto offset = parse_number<std::uint32_t>(rest.substr(sign + 1));
        if (!offset || *offset >= count.before_offset) return std::nullopt;
        count.offset = rest[sign] == '-' ? -std::int64_t{*offset} : std::int64_t{*offset};
    }
    return count;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
    const auto count = read_count(text);
    return count ? std::optional(count->value()) : std::nullopt;
}

}  // namespace experiments::format
