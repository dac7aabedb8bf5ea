#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <memory>
#include <new>
#include <optional>

#include "app/picture/pixels.hpp"
#include "embedded/typefaces.hpp"

namespace warpsieve::picture {
namespace {

constexpr int max_font_pixels = 160;  ///< long words get a smaller size
constexpr int margin_pixels = 12;

/// The characters of a UTF-8 text; nullopt if it is not UTF-8.
std::optional<std::u32string> characters_of(const std::string& text) {
    std::u32string characters;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        constexpr std::size_t invalid = 4;
        const std::size_t following_bytes = lead < 0x80   ? 0
                                            : lead < 0xC2 ? invalid
                                            : lead < 0xE0 ? 1
                                            : lead < 0xF0 ? 2
                                            : lead < 0xF5 ? 3
                                                          : invalid;
        if (following_bytes == invalid || i + following_bytes >= text.size()) return std::nullopt;
        auto character =
            static_cast<char32_t>(following_bytes == 0 ? lead : lead & (0x3F >> following_bytes));
        for (std::size_t k = 1; k <= following_bytes; ++k) {
            const auto next = static_cast<unsigned char>(text[i + k]);
            if ((next & 0xC0) != 0x80) return std::nullopt;
            character = character << 6 | (next & 0x3F);
        }
        characters += character;
        i += following_bytes + 1;
    }
    return characters;
}

/// A typeface of FreeType.
class Face {
  public:
    explicit Face(std::span<const std::byte> file) {
        if (FT_Init_FreeType(&library_) != 0) throw std::bad_alloc();
        if (FT_New_Memory_Face(library_, reinterpret_cast<const FT_Byte*>(file.data()),
                               static_cast<FT_Long>(file.size()), 0, &face_) != 0) {
            FT_Done_FreeType(library_);
            throw std::bad_alloc();
        }
    }
    ~Face() { FT_Done_FreeType(library_); }  // also frees face_
    Face(const Face&) = delete;
    Face& operator=(const Face&) = delete;

    FT_Face get() const { return face_; }

    /// Renders the character; its bitmap is in glyph().
    void render(char32_t character) {
        if (FT_Load_Char(face_, character, FT_LOAD_RENDER | FT_LOAD_NO_HINTING) != 0) throw std::bad_alloc();
    }
    const FT_GlyphSlotRec& glyph() const { return *face_->glyph; }

  private:
    FT_Library library_ = nullptr;
    FT_Face face_ = nullptr;
};

/// FreeType's lengths and positions are in 1/64 pixel.
constexpr FT_Pos units_per_pixel = 64;

int rounded_up_to_pixels(FT_Pos length) {
    return static_cast<int>((length + units_per_pixel - 1) / units_per_pixel);
}

/// Draws the glyph with its origin at (x, baseline).
void draw(const FT_GlyphSlotRec& glyph, int x, int baseline, Pixels& pixels) {
    const auto width = static_cast<int>(pixels.width), height = static_cast<int>(pixels.height);
    for (int row = 0; row < static_cast<int>(glyph.bitmap.rows); ++row) {
        for (int column = 0; column < static_cast<int>(glyph.bitmap.width); ++column) {
            const int pixel_x = x + glyph.bitmap_left + column, pixel_y = baseline - glyph.bitmap_top + row;
            if (pixel_x < 0 || pixel_y < 0 || pixel_x >= width || pixel_y >= height) continue;
            std::uint8_t& pixel = pixels.brightness[static_cast<std::size_t>(pixel_y) * pixels.width +
                                                    static_cast<std::size_t>(pixel_x)];
            pixel = std::max(pixel, glyph.bitmap.buffer[row * glyph.bitmap.pitch + column]);
        }
    }
}

}  // namespace

Pixels word_pixels(const std::string& word) {
    const std::optional<std::u32string> characters = characters_of(word);
    if (!characters) refuse("it is not UTF-8");
    if (characters->size() > max_word_characters)
        refuse("it has more than " + std::to_string(max_word_characters) + " characters");
    Face face(typefaces::inter_semibold_otf_bytes());
    for (const char32_t character : *characters)
        if (FT_Get_Char_Index(face.get(), character) == 0) refuse("the typeface lacks one of its characters");
    const auto set_size_and_measure_width = [&](int font_pixels) {
        FT_Set_Pixel_Sizes(face.get(), 0, static_cast<FT_UInt>(font_pixels));
        FT_Pos advance = 0;
        for (const char32_t character : *characters) {
            face.render(character);
            advance += face.glyph().advance.x;
        }
        return rounded_up_to_pixels(advance) + 2 * margin_pixels;
    };
    constexpr int max_width = static_cast<int>(max_side);
    int width = set_size_and_measure_width(max_font_pixels);
    if (width > max_width)
        width = std::min(set_size_and_measure_width(max_font_pixels * max_width / width), max_width);
    const FT_Size_Metrics& metrics = face.get()->size->metrics;
    const int ascent = rounded_up_to_pixels(metrics.ascender);
    const int descent = rounded_up_to_pixels(-metrics.descender);
    Pixels pixels{static_cast<std::uint32_t>(width),
                  static_cast<std::uint32_t>(ascent + descent + 2 * margin_pixels),
                  {}};
    pixels.brightness.resize(std::size_t{pixels.width} * pixels.height);
    FT_Pos x = units_per_pixel * margin_pixels;
    for (const char32_t character : *characters) {
        face.render(character);
        draw(face.glyph(), static_cast<int>(x / units_per_pixel), margin_pixels + ascent, pixels);
        x += face.glyph().advance.x;
    }
    return pixels;
}

}  // namespace warpsieve::picture
