// picture_probe <picture> [x y width height]: prints size, colours and brightness of a picture or a part of
// it as JSON. An independent decoder for the tests of captures.
#include <stb/stb_image.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>

int main(int argc, char** argv) {
    if (argc != 2 && argc != 6) {
        std::fprintf(stderr, "picture_probe <picture> [x y width height]\n");
        return 2;
    }
    int width = 0, height = 0;
    const std::unique_ptr<unsigned char, void (*)(void*)> rgb(stbi_load(argv[1], &width, &height, nullptr, 3),
                                                              stbi_image_free);
    if (!rgb) {
        std::fprintf(stderr, "picture_probe: %s is not a picture: %s\n", argv[1], stbi_failure_reason());
        return 1;
    }
    const auto argument = [&](int index, int otherwise) {
        return argc == 6 ? std::atoi(argv[index]) : otherwise;
    };
    const int left = std::clamp(argument(2, 0), 0, width);
    const int top = std::clamp(argument(3, 0), 0, height);
    const int right = std::clamp(left + argument(4, width), left, width);
    const int bottom = std::clamp(top + argument(5, height), top, height);
    std::set<int> colours;
    double sum = 0;
    for (int y = top; y < bottom; ++y) {
        for (int x = left; x < right; ++x) {
            const unsigned char* pixel = rgb.get() + (static_cast<std::ptrdiff_t>(y) * width + x) * 3;
            colours.insert(pixel[0] << 16 | pixel[1] << 8 | pixel[2]);
            sum += pixel[0] + pixel[1] + pixel[2];
        }
    }
    const double pixels = std::max(1.0, static_cast<double>(right - left) * (bottom - top));
    std::printf("{\"width\": %d, \"height\": %d, \"colours\": %zu, \"brightness\": %.3f}\n", width, height,
                colours.size(), sum / (3 * pixels));
}
