// PNG files and words become pictures; what cannot is refused in a sentence that says what to do.
#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/picture/load.hpp"
#include "app/picture/pixels.hpp"
#include "app/picture/sha256.hpp"
#include "compaction/error.hpp"
#include "platform/files.hpp"

namespace warpsieve::picture {
namespace {

namespace fs = std::filesystem;

struct Format {
    int colour_type;
    int bit_depth;
    int interlace = PNG_INTERLACE_NONE;
};

void append(png_structp png, png_bytep data, std::size_t size) {
    static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(data), size);
}

/// A PNG whose pixel i of a row is `samples[i]`, in `height` equal rows. Palette: entry k is grey 17 * k.
std::string encoded(const Format& format, const std::vector<std::vector<int>>& samples, int height = 1) {
    std::string bytes;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &bytes, append, nullptr);
    png_set_IHDR(png, info, static_cast<png_uint_32>(samples.size()), static_cast<png_uint_32>(height),
                 format.bit_depth, format.colour_type, format.interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    std::vector<png_color> palette;
    for (int k = 0; k < 16; ++k) {
        const auto grey = static_cast<png_byte>(17 * k);
        palette.push_back({grey, grey, grey});
    }
    if (format.colour_type == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette.data(), 16);
    png_write_info(png, info);
    if (format.bit_depth < 8) png_set_packing(png);
    std::vector<png_byte> row;
    for (const std::vector<int>& pixel : samples) {
        for (const int sample : pixel) {
            if (format.bit_depth == 16) row.push_back(static_cast<png_byte>(sample >> 8));
            row.push_back(static_cast<png_byte>(sample));
        }
    }
    std::vector<png_bytep> rows(static_cast<std::size_t>(height), row.data());
    png_write_image(png, rows.data());
    png_write_end(png, nullptr);
    png_destroy_write_struct(&png, &info);
    return bytes;
}

std::vector<int> brightness_of(const std::string& png) {
    const Pixels pixels = png_pixels(png);
    return {pixels.brightness.begin(), pixels.brightness.begin() + pixels.width};
}

std::string refusal(const std::string& source, const std::string& sha = {}) {
    try {
        load(source, sha);
    } catch (const compaction::Error& error) {
        EXPECT_EQ(error.code(), compaction::ErrorCode::invalid_argument);
        return error.what();
    }
    return "nothing was refused";
}

class PictureTest : public testing::Test {
  protected:
    std::string file(const std::string& name, const std::string& bytes) {
        const fs::path path = temporary_.path() / name;
        std::ofstream(path, std::ios::binary) << bytes;
        return path.string();
    }
    platform::TemporaryFolder temporary_;
};

TEST(Sha256, IsThatOfTheStandard) {
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(PngPixels, EveryFormatGivesItsBrightness) {
    EXPECT_EQ(brightness_of(encoded({PNG_COLOR_TYPE_GRAY, 8}, {{0}, {127}, {128}, {255}})),
              (std::vector{0, 127, 128, 255}));
    EXPECT_EQ(brightness_of(encoded({PNG_COLOR_TYPE_GRAY, 1}, {{0}, {1}, {1}})), (std::vector{0, 255, 255}));
    EXPECT_EQ(brightness_of(encoded({PNG_COLOR_TYPE_PALETTE, 4}, {{0}, {7}, {8}, {15}})),
              (std::vector{0, 119, 136, 255}));
    EXPECT_EQ(brightness_of(encoded({PNG_COLOR_TYPE_RGB, 8}, {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}})),
              (std::vector{54, 182, 18}));
    EXPECT_EQ(brightness_of(encoded({PNG_COLOR_TYPE_RGBA, 8}, {{255, 255, 255, 255}, {255, 255, 255, 100}})),
              (std::vector{255, 100}));
    EXPECT_EQ(brightness_of(encoded({PNG_COLOR_TYPE_GRAY_ALPHA, 8}, {{255, 0}, {200, 255}})),
              (std::vector{0, 200}));
    const std::vector<int> wide =
        brightness_of(encoded({PNG_COLOR_TYPE_GRAY, 16}, {{0}, {0xffff}, {0x8080}}));
    EXPECT_EQ(wide[0], 0);
    EXPECT_EQ(wide[1], 255);
    const std::vector<std::vector<int>> grey{{10}, {200}, {30}, {220}, {50}, {240}, {70}, {255}, {90}};
    const std::string interlaced = encoded({PNG_COLOR_TYPE_GRAY, 8, PNG_INTERLACE_ADAM7}, grey, 9);
    const Pixels pixels = png_pixels(interlaced);
    for (std::size_t i = 0; i < pixels.brightness.size(); ++i)
        ASSERT_EQ(pixels.brightness[i], grey[i % grey.size()][0]) << i;
}

TEST_F(PictureTest, BrightPixelsAreThoseFromHalfTheBrightnessOn) {
    std::vector<std::vector<int>> grey;
    for (int value = 0; value < 256; ++value) grey.push_back({value});
    const std::string bytes = encoded({PNG_COLOR_TYPE_GRAY, 8}, grey, 3);
    const auto picture = load(file("ramp.png", bytes));
    ASSERT_EQ(picture->width, 256U);
    ASSERT_EQ(picture->height, 3U);
    for (std::size_t i = 0; i < picture->bright.size(); ++i)
        ASSERT_EQ(picture->bright[i], i % 256 >= bright_from ? 1 : 0) << i;
    EXPECT_EQ(picture->sha256, sha256(bytes));
    EXPECT_EQ(describe(*picture), "ramp.png, 256 x 3, SHA-256 " + sha256(bytes).substr(0, 16));
}

TEST_F(PictureTest, HostileFilesAreRefused) {
    const std::string good = encoded({PNG_COLOR_TYPE_RGB, 8}, {{255, 255, 255}, {0, 0, 0}, {9, 9, 9}}, 50);
    for (std::size_t size = 0; size < good.size() - 12; ++size) {
        const std::string said = refusal(file("cut.png", good.substr(0, size)));
        ASSERT_NE(said.find(size < 8 ? "it is not a PNG file" : "it is damaged"), std::string::npos)
            << size << ": " << said;
    }
    for (std::size_t at = 8; at < good.size(); ++at) {
        std::string damaged = good;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
        try {
            EXPECT_EQ(png_pixels(damaged).brightness.size(), 150U) << at;
        } catch (const compaction::Error&) {
            // Refused: most of these.
        }
    }
    EXPECT_NE(refusal(file("photo.png", "\xff\xd8\xff\xe0 JFIF")).find("it is not a PNG file"),
              std::string::npos);
}

TEST_F(PictureTest, HugeSizesAreRefusedBeforeMemoryIsTaken) {
    const std::string wide =
        encoded({PNG_COLOR_TYPE_GRAY, 8}, std::vector<std::vector<int>>(max_side + 1, {255}));
    EXPECT_NE(refusal(file("wide.png", wide)).find("4097 x 1 pixels, and at most 4096 x 4096"),
              std::string::npos);
    // IHDR of 2^31 - 1 pixels each way, with its CRC.
    std::string huge = encoded({PNG_COLOR_TYPE_GRAY, 8}, {{255}});
    for (const std::size_t at : {16U, 20U}) huge.replace(at, 4, "\x7f\xff\xff\xff");
    std::uint32_t crc = 0xffffffff;
    for (std::size_t i = 12; i < 29; ++i) {
        crc ^= static_cast<unsigned char>(huge[i]);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0U);
    }
    crc = ~crc;
    for (std::size_t i = 0; i < 4; ++i) huge[29 + i] = static_cast<char>(crc >> (24 - 8 * i));
    const std::string said = refusal(file("huge.png", huge));
    EXPECT_TRUE(said.find("is damaged") != std::string::npos ||
                said.find("at most 4096") != std::string::npos)
        << said;
}

TEST_F(PictureTest, WhatCannotBeUsedIsSaidWithARemedy) {
    EXPECT_EQ(refusal(""), "There is no picture: name a PNG file, or type a word to draw.");
    const std::string gone = (temporary_.path() / "gone.png").string();
    EXPECT_EQ(refusal(gone), "The picture " + gone +
                                 " cannot be read: No such file or directory. Name a PNG file with "
                                 "--picture, or drop it on the window.");
    const std::string dark = file("dark.png", encoded({PNG_COLOR_TYPE_GRAY, 8}, {{127}, {0}}));
    EXPECT_EQ(refusal(dark),
              "The picture '" + dark +
                  "' has no bright pixel, so nothing would be kept. Choose one with pixels of at "
                  "least half the full brightness.");
    EXPECT_NE(refusal("  ").find("has no bright pixel"), std::string::npos);
    EXPECT_NE(refusal("\xff").find("it is not UTF-8"), std::string::npos);
    EXPECT_NE(refusal("\xc3").find("it is not UTF-8"), std::string::npos);
    EXPECT_NE(refusal("漢").find("the typeface lacks one of its characters"), std::string::npos);
    EXPECT_NE(refusal(std::string(max_word_characters + 1, 'a')).find("more than 64 characters"),
              std::string::npos);
}

TEST_F(PictureTest, AnotherFileThanThatOfTheRunIsRefused) {
    const std::string bytes = encoded({PNG_COLOR_TYPE_GRAY, 8}, {{255}, {0}});
    const std::string digits = sha256(bytes);
    const std::string path = file("cat.png", bytes);
    EXPECT_EQ(load(path, digits)->sha256, digits);
    EXPECT_EQ(load(path, digits.substr(0, 8))->sha256, digits);
    const std::string dog = file("dog.png", encoded({PNG_COLOR_TYPE_GRAY, 8}, {{0}, {255}}));
    const std::string said = refusal(dog, digits.substr(0, short_digits));
    EXPECT_EQ(said, "The picture " + dog + " is not the one of this run: its SHA-256 begins with " +
                        load(dog)->sha256.substr(0, short_digits) + " and not with " +
                        digits.substr(0, short_digits) + ". Name the file of the run with --picture.");
    const std::string gone = (temporary_.path() / "gone.png").string();
    EXPECT_NE(refusal(gone, digits).find("Name the PNG file whose SHA-256 begins with " + digits),
              std::string::npos);
    for (const char* no_digits : {"abc", "ABCDEF0123", "xyzxyzxyz"})
        EXPECT_NE(refusal(path, no_digits).find("is not a SHA-256"), std::string::npos) << no_digits;
}

TEST(Words, AreDrawnInOneLine) {
    EXPECT_TRUE(names_file("a.png") && names_file("A.PNG") && names_file("./a") && !names_file("png"));
    const auto word = load("Hi");
    const auto longer = load("Hi Hi");
    EXPECT_EQ(word->height, longer->height);
    EXPECT_GT(longer->width, word->width);
    const auto count = std::ranges::count(word->bright, 1);
    EXPECT_GT(count, 1'000);
    EXPECT_LT(count, static_cast<std::ptrdiff_t>(word->bright.size()) / 2);
    // The left stem of the H is a column of bright pixels with dark ones around it.
    for (std::uint32_t y = 0; y < word->height; ++y)
        EXPECT_EQ(word->bright[y * word->width], 0) << "the margin";
    EXPECT_EQ(load("Hi")->sha256, word->sha256);
    EXPECT_NE(load("Ho")->sha256, word->sha256);
    EXPECT_LE(load(std::string(max_word_characters, 'W'))->width, max_side);
    EXPECT_GT(load("Größe ß é")->width, 100U);
}

}  // namespace
}  // namespace warpsieve::picture
