// Step 3 of the compute splat: blurs along the columns, tone-maps onto the ground and clears the sums for the next frame.
// Appended to tone.glsl, splat.glsl and a definition of with_cells(): cells_over.glsl for the sparse and dense scene.
// Each group handles a tile of the picture, each thread every eighth pixel of a column.

layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 0) uniform sampler2D blurred;  // along the rows
layout(binding = 1) uniform sampler2D ground;
layout(binding = 0, rgba8) uniform restrict writeonly image2D picture;
layout(location = 2) uniform ivec2 origin;  // of the picture in the image

const int tile_width = int(gl_WorkGroupSize.x);
const int tile_height = 32;
const int rows_at_once = int(gl_WorkGroupSize.y);
shared vec3 light[tile_height + 2 * max_radius][tile_width];

void finish(ivec2 pixel, vec3 above) {
    if (pixel.x >= columns_begin && pixel.x < columns_end) {
        vec3 below = texelFetch(ground, pixel, 0).rgb;
        vec3 particles_over_ground = lay_over(below, tone(above + bloom_at(pixel)), on_paper);
        imageStore(picture, origin + pixel, vec4(with_cells(particles_over_ground, pixel), 1.0));
    }
    uint first = first_sum_of(pixel);
    sums[first] = 0u;
    sums[first + 1u] = 0u;
    sums[first + 2u] = 0u;
}

void main() {
    ivec2 thread = ivec2(gl_LocalInvocationID.xy);
    int x = int(gl_WorkGroupID.x) * tile_width + thread.x;
    int bottom = int(gl_WorkGroupID.y) * tile_height - max_radius;
    for (int i = thread.y; i < light.length(); i += rows_at_once) {
        int y = bottom + i;
        bool inside = x < size.x && y >= 0 && y < size.y;
        light[i][thread.x] = inside ? texelFetch(blurred, ivec2(x, y), 0).rgb : vec3(0.0);
    }
    // Threads read values that other threads of the column have loaded.
    barrier();

    int radius = blur_radius();
    float exponent_per_square = radius > 0 ? -0.5 / blur_variance() : 0.0;
    for (int row = thread.y; row < tile_height; row += rows_at_once) {
        int centre = row + max_radius;
        vec3 sum = light[centre][thread.x];
        float weights = 1.0;
        for (int i = 1; i <= radius; ++i) {
            float weight = exp(float(i * i) * exponent_per_square);
            sum += weight * (light[centre - i][thread.x] + light[centre + i][thread.x]);
            weights += 2.0 * weight;
        }
        ivec2 pixel = ivec2(x, bottom + centre);
        if (all(lessThan(pixel, size))) finish(pixel, sum / weights);
    }
}
