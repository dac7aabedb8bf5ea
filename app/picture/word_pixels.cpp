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

constexpr int letter_pixels = 160;  ///< the font size; long words get a smaller one
constexpr int margin = 12;

/// The characters of a UTF-8 text; nullopt if it is none.
std::optional<std::u32string> characters_of(const std::string& text) {
    std::u32string characters;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t more = lead < 0x80   ? 0
                                 : lead < 0xC2 ? 4
                                 : lead < 0xE0 ? 1
                                 : lead < 0xF0 ? 2
                                 : lead < 0xF5 ? 3
                                               : 4;
        if (more == 4 || i + more >= text.size()) return std::nullopt;
        auto character = static_cast<char32_t>(more == 0 ? lead : lead & (0x3F >> more));
        for (std::size_t k = 1; k <= more; ++k) {
            const auto next = static_cast<unsigned char>(text[i + k]);
            if ((next & 0xC0) != 0x80) return std::nullopt;
            character = character << 6 | (next & 0x3F);
        }
        characters += character;
        i += more + 1;
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
    ~Face() { FT_Done_FreeType(library_); }  // with its faces
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

int pixels_of(FT_Pos position) {
    return static_cast<int>((position + 63) / 64);
}

/// Adds the glyph with its origin at (x, baseline).
void draw(const FT_GlyphSlotRec& glyph, int x, int baseline, Pixels& pixels) {
    const auto width = static_cast<int>(pixels.width), height = static_cast<int>(pixels.height);
    for (int row = 0; row < static_cast<int>(glyph.bitmap.rows); ++row) {
        for (int column = 0; column < static_cast<int>(glyph.bitmap.width); ++column) {
            const int to_x = x + glyph.bitmap_left + column, to_y = baseline - glyph.bitmap_top + row;
            if (to_x < 0 || to_y < 0 || to_x >= width || to_y >= height) continue;
            std::uint8_t& to = pixels.brightness[static_cast<std::size_t>(to_y) * pixels.width +
                                                 static_cast<std::size_t>(to_x)];
            to = std::max(to, glyph.bitmap.buffer[row * glyph.bitmap.pitch + column]);
        }
    }
}

}  // namespace

Pixels word_pixels(const std::string& word) {
    const std::optional<std::u32string> characters = characters_of(word);
    if (!characters) refuse("it is not UTF-8");
    if (characters->size() > max_word) refuse("it has more than " + std::to_string(max_word) + " characters");
    Face face(typefaces::inter_semibold_otf_bytes());
    for (const char32_t character : *characters)
        if (FT_Get_Char_Index(face.get(), character) == 0) refuse("the typeface lacks one of its characters");
    FT_Pos advance = 0;
    const auto measure = [&](int size) {
        FT_Set_Pixel_Sizes(face.get(), 0, static_cast<FT_UInt>(size));
        advance = 0;
        for (const char32_t character : *characters) {
            face.render(character);
            advance += face.glyph().advance.x;
        }
        return pixels_of(advance) + 2 * margin;
    };
    int size = letter_pixels;
    int width = measure(size);
    if (width > static_cast<int>(max_side)) {
        size = size * static_cast<int>(max_side) / width;
        width = std::min(measure(size), static_cast<int>(max_side));
    }
    const FT_Size_Metrics& metrics = face.get()->size->metrics;
    const int ascent = pixels_of(metrics.ascender), descent = pixels_of(-metrics.descender);
    Pixels pixels{
        static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(ascent + descent + 2 * margin), {}};
    pixels.brightness.resize(std::size_t{pixels.width} * pixels.height);
    FT_Pos x = 64 * margin;
    for (const char32_t character : *characters) {
        face.render(character);
        draw(face.glyph(), static_cast<int>(x / 64), margin + ascent, pixels);
        x += face.glyph().advance.x;
    }
    return pixels;
}

}  // namespace warpsieve::picture
