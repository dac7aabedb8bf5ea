// Step 2 of the compute splat: blurs the sums along the rows and converts them to light. Appended to splat.glsl. Each
// group handles a part of row gl_WorkGroupID.y.

layout(local_size_x = 128) in;

layout(binding = 0, rgba16f) uniform restrict writeonly image2D blurred;

const int width = int(gl_WorkGroupSize.x);
shared vec3 sums_of_row[width + 2 * max_radius];

vec3 sums_at(ivec2 pixel) {
    if (pixel.x < 0 || pixel.x >= size.x) return vec3(0.0);
    uint first = first_sum_of(pixel);
    return vec3(sums[first], sums[first + 1u], sums[first + 2u]);
}

void main() {
    int left = int(gl_WorkGroupID.x) * width - max_radius;
    int y = int(gl_WorkGroupID.y);
    int thread = int(gl_LocalInvocationID.x);
    for (int i = thread; i < sums_of_row.length(); i += width) sums_of_row[i] = sums_at(ivec2(left + i, y));
    // Threads read values that their neighbours have loaded.
    barrier();

    int radius = blur_radius();
    float exponent_per_square = radius > 0 ? -0.5 / blur_variance() : 0.0;
    int centre = thread + max_radius;
    vec3 sum = sums_of_row[centre];
    float weights = 1.0;
    for (int i = 1; i <= radius; ++i) {
        float weight = exp(float(i * i) * exponent_per_square);
        sum += weight * (sums_of_row[centre - i] + sums_of_row[centre + i]);
        weights += 2.0 * weight;
    }
    ivec2 pixel = ivec2(left + centre, y);
    if (pixel.x < size.x) imageStore(blurred, pixel, vec4(sum / (weights * units_per_light()), 0.0));
}
