// Tone mapping, blending and bloom, shared by the shaders that make the final picture.

// Linear light to display values: a filmic curve, then gamma 2. Must match tone() in particle_style.cpp.
vec3 tone(vec3 light) {
    vec3 filmic = light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14);
    return sqrt(clamp(filmic, 0.0, 1.0));
}

// Lays particles over the ground, both as display values: "screen" on the dark ground, "multiply" on paper.
vec3 lay_over(vec3 below, vec3 above, bool on_paper) {
    return on_paper ? below * (1.0 - above) : below + (1.0 - below) * above;
}

// The cells of the bloom, 8 x 8 pixels each, with a linear filter.
layout(binding = 2) uniform sampler2D bloom;

vec3 bloom_at(ivec2 pixel) {
    return textureLod(bloom, (vec2(pixel) + 0.5) / (8.0 * vec2(textureSize(bloom, 0))), 0.0).rgb;
}
