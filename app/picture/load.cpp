#include "app/picture/load.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/picture/pixels.hpp"
#include "app/picture/sha256.hpp"
#include "platform/files.hpp"

namespace warpsieve::picture {
namespace {

constexpr std::uint64_t max_file_bytes = std::uint64_t{64} << 20;
constexpr std::size_t min_wanted_digits = 8;

struct Loaded {
    Pixels pixels;
    std::string sha256;
};

/// `wanted_digits`: as of load(), for the message.
Loaded load_file(const std::string& file, const std::string& wanted_digits) {
    const platform::FileText read = platform::read_file(file, max_file_bytes);
    if (!read.problem.empty())
        refuse("The picture " + file + " cannot be read: " + read.problem + ". Name " +
               (wanted_digits.empty() ? "a PNG file"
                                      : "the PNG file whose SHA-256 begins with " + wanted_digits) +
               " with --picture, or drop it on the window" + (wanted_digits.empty() ? "." : " first."));
    std::string digits = sha256(read.text);
    try {
        return {png_pixels(read.text), std::move(digits)};
    } catch (const compaction::Error& error) {
        refuse("The picture " + file + " cannot be used: " + error.what() + ". Choose another PNG file.");
    }
}

Loaded draw_word(const std::string& word) {
    try {
        Pixels pixels = word_pixels(word);
        std::string digits =
            sha256({reinterpret_cast<const char*>(pixels.brightness.data()), pixels.brightness.size()});
        return {std::move(pixels), std::move(digits)};
    } catch (const compaction::Error& error) {
        refuse("The word '" + word + "' cannot be drawn: " + error.what() +
               ". Choose another word, or a file that ends in .png.");
    }
}

void require_hash(const std::string& source, const std::string& digits, const std::string& wanted_digits) {
    if (wanted_digits.empty()) return;
    const bool hexadecimal = std::ranges::all_of(wanted_digits, [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) || (c >= 'a' && c <= 'f');
    });
    if (!hexadecimal || wanted_digits.size() < min_wanted_digits || wanted_digits.size() > digits.size())
        refuse("'" + wanted_digits +
               "' is not a SHA-256: give its first 8 to 64 hexadecimal digits, in lower case.");
    if (digits.starts_with(wanted_digits)) return;
    refuse("The picture " + source + " is not the one of this run: its SHA-256 begins with " +
           digits.substr(0, std::max(wanted_digits.size(), short_digits)) + " and not with " + wanted_digits +
           ". Name the file of the run with --picture.");
}

}  // namespace

bool names_file(std::string_view text) {
    if (text.find('/') != std::string_view::npos) return true;
    constexpr std::string_view extension = ".png";
    if (text.size() < extension.size()) return false;
    return std::ranges::equal(text.substr(text.size() - extension.size()), extension, [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == b;
    });
}

workloads::PicturePointer load(const std::string& file_or_word, const std::string& sha256) {
    if (file_or_word.empty()) refuse("There is no picture: name a PNG file, or type a word to draw.");
    auto [pixels, digits] =
        names_file(file_or_word) ? load_file(file_or_word, sha256) : draw_word(file_or_word);
    require_hash(file_or_word, digits, sha256);
    auto picture = std::make_shared<workloads::Picture>();
    picture->width = pixels.width;
    picture->height = pixels.height;
    picture->bright.resize(pixels.brightness.size());
    std::ranges::transform(pixels.brightness, picture->bright.begin(), [](std::uint8_t brightness) {
        return static_cast<std::uint8_t>(brightness >= bright_from);
    });
    picture->source = file_or_word;
    picture->sha256 = std::move(digits);
    if (std::ranges::find(picture->bright, 1) == picture->bright.end())
        refuse("The picture '" + file_or_word +
               "' has no bright pixel, so nothing would be kept. Choose one with pixels of at least half the "
               "full brightness.");
    return picture;
}

std::string describe(const workloads::Picture& picture) {
    const bool is_file = names_file(picture.source);
    const std::string name = is_file ? std::filesystem::path(picture.source).filename().string()
                                     : "the word '" + picture.source + "'";
    return name + ", " + std::to_string(picture.width) + " x " + std::to_string(picture.height) +
           ", SHA-256 " + picture.sha256.substr(0, short_digits);
}

}  // namespace warpsieve::picture
