#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace compaction {

/// The tuning options an algorithm may have.
enum class Option : std::uint8_t {
    vector_width,  ///< CUDA: items per memory access, 1 scalar, 2 pair, 4 quad; CPU: vectors per iteration
    threads_per_block,  ///< CUDA: threads per block; CPU: worker threads
    blocks,             ///< CUDA: blocks in the grid
    sequences,          ///< ordered, contiguous parts that the stream is divided into
    variant,            ///< a named variant of the algorithm, counted from 1
};

/// Every option, in the order of the enumeration.
inline constexpr std::array all_options{Option::vector_width, Option::threads_per_block, Option::blocks,
                                        Option::sequences, Option::variant};

/// The option value that lets the algorithm choose for the device and stream length.
inline constexpr std::uint32_t automatic = 0;

/// One value per option; `automatic` unless set.
class Options {
  public:
    /// Read and write access to one option.
    std::uint32_t& operator[](Option option) { return values_[static_cast<std::size_t>(option)]; }
    /// The value of one option.
    std::uint32_t operator[](Option option) const { return values_[static_cast<std::size_t>(option)]; }

    /// Compares all values.
    bool operator==(const Options&) const = default;

  private:
    std::array<std::uint32_t, all_options.size()> values_{};
};

/// The values of one option that an algorithm accepts besides `automatic`, as data for menus, tests and error
/// messages.
struct LegalRange {
    /// How legal values are spaced.
    enum class Spacing : std::uint8_t {
        multiples,      ///< multiples of `step`
        powers_of_two,  ///< powers of two
    };

    Option option;                         ///< the option
    std::uint32_t minimum;                 ///< the lowest legal value
    std::uint32_t maximum;                 ///< the highest legal value
    Spacing spacing = Spacing::multiples;  ///< the legal values between the ends
    std::uint32_t step = 1;                ///< with `multiples`: legal values are multiples of it
    std::vector<std::string> names = {};   ///< value names, from `minimum` on; empty if values have none

    /// Whether `value` is legal; `automatic` is not.
    bool contains(std::uint32_t value) const;

    /// The value's name ("trimmed") if it has one, else its digits; "automatic" for 0.
    std::string text_of(std::uint32_t value) const;

    /// Parses a value name, a number, or "automatic"; nullopt if `text` is none of these. The number need not
    /// be legal.
    std::optional<std::uint32_t> parse(std::string_view text) const;

    /// The legal values in words: "32 to 1024 in steps of 32", "1 (scalar), 2 (pair) or 4 (quad)".
    std::string describe() const;

    /// Every legal value in ascending order; if there are more than `max_values`, an even sample with both
    /// ends.
    std::vector<std::uint32_t> values(std::size_t max_values = 64) const;
};

/// The range of Option::vector_width: scalar, pair and quad.
LegalRange every_vector_width();

/// The range of Option::variant: one value per name.
LegalRange variants(std::vector<std::string> names);

/// The option's name for people: "vector width".
std::string_view name_of(Option option);

/// The option's name on the command line: "vector-width".
std::string_view flag_of(Option option);

}  // namespace compaction
