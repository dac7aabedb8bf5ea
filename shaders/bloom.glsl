// The bloom at a pixel. Cells of 8 x 8 pixels.

layout(binding = 2) uniform sampler2D bloom;

vec3 bloom_at(ivec2 pixel) {
    return textureLod(bloom, (vec2(pixel) + 0.5) / (8.0 * vec2(textureSize(bloom, 0))), 0.0).rgb;
}
