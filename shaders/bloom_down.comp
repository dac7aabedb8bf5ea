// Step 1 of the bloom: the mean light of 8 x 8 pixels above a threshold. bloom.hpp documents the numbers.

layout(local_size_x = 8, local_size_y = 8) in;

const int cell_pixels = 8;  // width and height of a cell
const float threshold = 0.3;
const float max_light = 6.0;

layout(binding = 0) uniform sampler2D light;
layout(binding = 0, rgba16f) uniform restrict writeonly image2D cells;

void main() {
    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(cell, imageSize(cells)))) return;
    vec3 sum = vec3(0.0);
    for (int y = 0; y < cell_pixels; ++y) {
        for (int x = 0; x < cell_pixels; ++x) {
            ivec2 pixel = cell_pixels * cell + ivec2(x, y);
            if (all(lessThan(pixel, textureSize(light, 0)))) sum += texelFetch(light, pixel, 0).rgb;
        }
    }
    imageStore(cells, cell, vec4(clamp(sum / float(cell_pixels * cell_pixels) - threshold, 0.0, max_light), 0.0));
}
