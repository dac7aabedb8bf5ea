// A cell of the sparse and dense scene, or the base below the cells. Appended to tone.glsl and cell_look.glsl.

layout(location = 1) uniform bool on_paper;
layout(binding = 1) uniform sampler1D slot_ramp;

in vec2 point;
flat in vec2 reach;
flat in vec2 look;
flat in int is_base;
layout(location = 0) out vec4 colour;  // blended as "screen" or, on paper, as "multiply"

void main() {
    vec2 pixel = fwidth(point);
    vec3 seen = is_base == 1 ? look_of_base((1.0 - abs(point)) * reach, pixel * reach, on_paper)
                             : look_of_cell(point, pixel, texture(slot_ramp, look.x).rgb, look.y, on_paper);
    colour = vec4(seen, 1.0);
}
