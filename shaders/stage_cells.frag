// A cell of the two-stage scene, or the base below the cells, as light or as ink. Appended to tone.glsl.

layout(location = 1) uniform bool on_paper;
layout(binding = 1) uniform sampler1D slot_ramp;

in vec2 place;
flat in vec2 reach;
flat in vec2 look;
flat in int is_base;
layout(location = 0) out vec4 colour;  // blended as "screen" or, on paper, as "multiply"

vec3 base() {
    // A bright rim, one and a half pixels wide, around a faint fill.
    vec2 to_edge = (1.0 - abs(place)) * reach;
    vec2 pixel = fwidth(place) * reach;
    vec2 rims = 1.0 - smoothstep(0.5, 1.8, to_edge / max(pixel, vec2(1e-5)));
    float rim = max(rims.x, rims.y);
    vec3 tint = on_paper ? vec3(0.62, 0.55, 0.45) : vec3(0.30, 0.52, 0.66);
    return tint * (on_paper ? 0.07 + 0.45 * rim : 0.055 + 0.55 * rim);
}

void main() {
    if (is_base == 1) {
        colour = vec4(base(), 1.0);
        return;
    }
    vec2 away = abs(place);
    vec2 soft = max(fwidth(place), vec2(0.08));
    vec2 inside = 1.0 - smoothstep(0.84 - 0.5 * soft, 0.84 + 0.5 * soft, away);
    float body = inside.x * inside.y;
    if (look.y == 0.0) {
        // A hole: darker ink or a faint socket.
        colour = vec4(vec3(on_paper ? 0.02 : 0.022) * body, 1.0);
        return;
    }
    vec3 light = texture(slot_ramp, look.x).rgb;
    float halo = 0.16 * exp(-2.2 * dot(place, place));
    vec3 lit = tone(light * look.y) * body + tone(light) * halo * (1.0 - body);
    colour = vec4(lit, 1.0);
}
