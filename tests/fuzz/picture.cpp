// A picture given with --replay. Its chunks come from the input, each as kind, length and data, with the
// checksums of a sound file, since the decoder leaves out chunks with others.
#include <zlib.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/settings/png_text.hpp"

namespace {

constexpr std::array<std::string_view, 8> kinds{"tEXt", "zTXt", "iTXt", "zTXt",
                                                "IDAT", "PLTE", "iCCP", "abCd"};

void append_number(std::string& png, std::uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) png += static_cast<char>(number >> shift);
}

void append_chunk(std::string& png, std::string_view kind, std::string_view data) {
    append_number(png, static_cast<std::uint32_t>(data.size()));
    const std::string checked = std::string(kind) + std::string(data);
    png += checked;
    append_number(png, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                                                        static_cast<uInt>(checked.size()))));
}

/// A compressed text of the program's own, so that the input need not know the format.
std::string packed(std::string_view text) {
    std::string data(compressBound(text.size()), '\0');
    uLongf size = data.size();
    compress(reinterpret_cast<Bytef*>(data.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
             text.size());
    return std::string("warpsieve\0\0", 11) + data.substr(0, size);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
    std::string_view rest(reinterpret_cast<const char*>(data), size_bytes);
    warpsieve::text_in_png(rest);
    std::string png = "\x89PNG\r\n\x1a\n";
    append_chunk(png, "IHDR", std::string_view("\0\0\0\1\0\0\0\1\x08\x02\0\0\0", 13));
    while (rest.size() > 2) {
        const auto kind = static_cast<unsigned char>(rest[0]);
        const std::string_view body = rest.substr(2, static_cast<unsigned char>(rest[1]) * std::size_t{8});
        append_chunk(png, kinds[kind % kinds.size()], kind < 128 ? std::string(body) : packed(body));
        rest.remove_prefix(2 + body.size());
    }
    append_chunk(png, "IEND", "");
    warpsieve::text_in_png(png);
    return 0;
}
