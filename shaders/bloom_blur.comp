// Steps 2 and 3 of the bloom: a Gaussian blur of the cells along the rows, then along the columns. bloom.hpp documents the
// numbers.

layout(local_size_x = 8, local_size_y = 8) in;

layout(location = 0) uniform ivec2 direction;  // from a cell to the next one
layout(location = 1) uniform float gain;
layout(binding = 0) uniform sampler2D cells;
layout(binding = 0, rgba16f) uniform restrict writeonly image2D blurred;

void main() {
    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(blurred);
    if (any(greaterThanEqual(cell, size))) return;
    const int radius = 6;
    const float deviation = 2.6;
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int i = -radius; i <= radius; ++i) {
        float weight = exp(-float(i * i) / (2.0 * deviation * deviation));
        weights += weight;
        ivec2 from = cell + i * direction;
        if (all(greaterThanEqual(from, ivec2(0))) && all(lessThan(from, size)))
            sum += weight * texelFetch(cells, from, 0).rgb;
    }
    imageStore(blurred, cell, vec4(gain / weights * sum, 0.0));
}
