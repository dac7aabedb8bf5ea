#pragma once

#include <string>
#include <string_view>

#include "workloads/streams.hpp"

/// The pictures whose bright pixels are kept (workloads::Pattern::picture).
namespace warpsieve::picture {

/// A pixel is bright from this brightness on; white is 255.
inline constexpr int bright_from = 128;
/// The picture of a first start.
inline constexpr const char* default_word = "Warpsieve";
/// How many digits of a SHA-256 are shown and put into commands: enough to tell pictures apart.
inline constexpr std::size_t short_digits = 16;

/// Whether the text names a PNG file: it ends in ".png" in any case, or has a "/". Any other is a word.
bool names_file(std::string_view text);

/// Reads the PNG file that the text names, or draws it as a word. `sha256`: the first digits of the SHA-256
/// that the picture must have, at least 8; "" accepts any. Throws compaction::Error{invalid_argument} with a
/// sentence that says what to do.
workloads::PicturePointer load(const std::string& file_or_word, const std::string& sha256 = {});

/// "cat.png, 640 x 480, SHA-256 3f2a6b1c90d4e5f7".
std::string describe(const workloads::Picture& picture);

}  // namespace warpsieve::picture
