#pragma once

#include <glad/gl.h>

#include <stb/stb_image_write.h>

#include <cstdio>
#include <filesystem>
#include <string_view>
#include <vector>

#include "app/gl/context.hpp"
#include "compaction/error.hpp"

/// Shared by the programs that draw pictures for inspection.
namespace warpsieve::gallery {

/// Writes the contents of the current framebuffer.
inline void write_png(const std::filesystem::path& path, gl::PixelSize size) {
    std::vector<unsigned char> pixels(static_cast<std::size_t>(size.width) *
                                      static_cast<std::size_t>(size.height) * 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, size.width, size.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    for (std::size_t i = 3; i < pixels.size(); i += 4) pixels[i] = 255;
    stbi_flip_vertically_on_write(1);
    stbi_write_png(path.c_str(), size.width, size.height, 4, pixels.data(), size.width * 4);
}

/// The program: `<gallery> [folder] [part of a name]` draws the pictures into the folder. Returns the exit
/// code.
template <typename Pictures, typename Render>
int draw(int argc, char** argv, const Pictures& pictures, Render render) {
    if (argc > 1 && argv[1][0] == '-') {
        std::printf("Usage: %s [folder] [part of a name]\n", argv[0]);
        return std::string_view(argv[1]) == "--help" ? 0 : 1;
    }
    const std::filesystem::path folder = argc > 1 ? argv[1] : "gallery";
    std::filesystem::create_directories(folder);
    try {
        for (const auto& picture : pictures) {
            if (argc > 2 && std::string_view(picture.name).find(argv[2]) == std::string_view::npos) continue;
            render(picture, folder);
        }
    } catch (const compaction::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}

}  // namespace warpsieve::gallery
