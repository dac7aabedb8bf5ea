// Step 1 of the bloom: the mean light of 8 x 8 pixels above a threshold. bloom.hpp documents the numbers.

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = 0) uniform sampler2D light;
layout(binding = 0, rgba16f) uniform restrict writeonly image2D cells;

void main() {
    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(cell, imageSize(cells)))) return;
    vec3 sum = vec3(0.0);
    for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) {
            ivec2 pixel = 8 * cell + ivec2(x, y);
            if (all(lessThan(pixel, textureSize(light, 0)))) sum += texelFetch(light, pixel, 0).rgb;
        }
    }
    imageStore(cells, cell, vec4(clamp(sum / 64.0 - 0.3, 0.0, 6.0), 0.0));
}
