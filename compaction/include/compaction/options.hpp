#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace compaction {

/// The knobs an algorithm may have.
enum class Option : std::uint8_t {
    vector_width,       ///< items per memory access: 1 scalar, 2 pair, 4 quad
    threads_per_block,  ///< CUDA: threads of a block; CPU: worker threads
    blocks,             ///< CUDA: blocks of the grid
    sequences,          ///< ordered, contiguous, non-overlapping parts that the stream is cut into
    variant,            ///< which of the forms its source gives, counted from 1; each has a name
};

inline constexpr std::array all_options{Option::vector_width, Option::threads_per_block, Option::blocks,
                                        Option::sequences, Option::variant};

/// A value of this says: let the algorithm choose for this device and length.
inline constexpr std::uint32_t automatic = 0;

/// One value per option; `automatic` unless set.
class Options {
  public:
    std::uint32_t& operator[](Option option) { return values_[static_cast<std::size_t>(option)]; }
    std::uint32_t operator[](Option option) const { return values_[static_cast<std::size_t>(option)]; }

    bool operator==(const Options&) const = default;

  private:
    std::array<std::uint32_t, all_options.size()> values_{};
};

/// The values of one option that an algorithm accepts besides `automatic`, as data: menus offer them, tests
/// walk them, validation quotes them.
struct LegalRange {
    enum class Spacing : std::uint8_t { multiples, powers_of_two };

    Option option;
    std::uint32_t minimum;
    std::uint32_t maximum;
    Spacing spacing = Spacing::multiples;
    std::uint32_t step = 1;  ///< with `multiples`: legal values are multiples of it
    std::vector<std::string> names =
        {};  ///< of the values, from `minimum` on; empty where numbers say it all

    bool contains(std::uint32_t value) const;

    /// The value's name where values have names ("trimmed"), else the value in digits; "automatic" for 0.
    std::string text_of(std::uint32_t value) const;

    /// What `text` names: a name, a number, or "automatic"; nothing where it is none of them. The number need
    /// not be legal.
    std::optional<std::uint32_t> parse(std::string_view text) const;

    /// "32 to 1024 in steps of 32", "1 (scalar), 2 (pair) or 4 (quad)".
    std::string describe() const;

    /// Every legal value in rising order, or, where there are more than `most`, an even sample that holds
    /// both ends.
    std::vector<std::uint32_t> values(std::size_t most = 64) const;
};

/// Scalar, pair and quad: one access of up to 16 bytes.
LegalRange every_vector_width();

/// The range of Option::variant: one value for each name, the first of which is the default.
LegalRange variants(std::vector<std::string> names);

/// "vector width", as people read it.
std::string_view name_of(Option option);

/// "vector-width", as the command line spells it.
std::string_view flag_of(Option option);

}  // namespace compaction
