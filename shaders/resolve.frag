// Lays particles over the ground. Appended to tone.glsl.

layout(location = 0) uniform ivec2 origin;    // of the viewport in the framebuffer
layout(location = 1) uniform bool is_light;   // particles are linear light, not yet tone-mapped
layout(location = 2) uniform bool on_paper;   // light theme: particles absorb light
layout(binding = 0) uniform sampler2D ground;
layout(binding = 1) uniform sampler2D particles;

layout(location = 0) out vec4 colour;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy) - origin;
    vec3 below = texelFetch(ground, pixel, 0).rgb;
    vec3 above = texelFetch(particles, pixel, 0).rgb;
    if (is_light) above = tone(above + bloom_at(pixel));
    colour = vec4(lay_over(below, above, on_paper), 1.0);
}
