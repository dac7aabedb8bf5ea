#include "app/settings/png_text.hpp"

#include <png.h>

#include <cstring>

namespace warpsieve {
namespace {

/// Compressed text may expand a thousandfold, so there is a limit for each text and for their number.
constexpr png_alloc_size_t max_text_bytes = 4 << 20;
constexpr png_uint_32 max_texts = 32;

/// The rest of a file in memory.
struct Reader {
    std::string_view rest;
};

void read_data(png_structp png, png_bytep data, std::size_t size) {
    std::string_view& rest = static_cast<Reader*>(png_get_io_ptr(png))->rest;
    if (size > rest.size()) png_error(png, "the file is cut off");
    std::memcpy(data, rest.data(), size);
    rest.remove_prefix(size);
}

void ignore_warning(png_structp, png_const_charp) {}
// The caller reports failures.
[[noreturn]] void leave_by_longjmp(png_structp png, png_const_charp) {
    png_longjmp(png, 1);
}

/// Reads the chunks before the pixels. Returns false on an error. libpng leaves by longjmp, so no object here
/// may have a destructor.
bool read_info(png_structp png, png_infop info, Reader& reader) {
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_read_fn(png, &reader, read_data);
    png_set_chunk_malloc_max(png, max_text_bytes);
    png_set_chunk_cache_max(png, max_texts);
    png_read_info(png, info);
    return true;
}

}  // namespace

bool is_png(std::string_view bytes) {
    return bytes.starts_with("\x89PNG\r\n\x1a\n");
}

std::string text_in_png(std::string_view bytes) {
    if (!is_png(bytes)) return {};
    png_structp png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, leave_by_longjmp, ignore_warning);
    if (!png) return {};
    png_infop info = png_create_info_struct(png);
    Reader reader{bytes};
    std::string found;
    if (info && read_info(png, info, reader)) {
        png_textp texts = nullptr;
        int count = 0;
        png_get_text(png, info, &texts, &count);
        for (int i = 0; i < count; ++i) {
            if (std::strcmp(texts[i].key, png_keyword) == 0 && texts[i].text)
                found.assign(texts[i].text, texts[i].text_length);
        }
    }
    png_destroy_read_struct(&png, &info, nullptr);
    return found;
}

}  // namespace warpsieve
