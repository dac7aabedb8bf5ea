// The look of the cells of the sparse and dense scene and of the bases below them, as light or as ink. Appended to
// tone.glsl.

// A lit cell extends from -1 to 1; its light reaches this far.
const float shine = 1.55;
// Metres of base around the cells.
const float margin = 0.22;

// A bright rim, one and a half pixels wide, around a faint fill. `to_edge`: metres to the edge; `pixel`: metres per pixel.
vec3 look_of_base(vec2 to_edge, vec2 pixel, bool paper) {
    vec2 rims = 1.0 - smoothstep(0.5, 1.8, to_edge / max(pixel, vec2(1e-5)));
    float rim = max(rims.x, rims.y);
    vec3 tint = paper ? vec3(0.62, 0.55, 0.45) : vec3(0.30, 0.52, 0.66);
    return tint * (paper ? 0.07 + 0.73 * rim : 0.055 + 0.72 * rim);
}

// `point`: in the cell; `pixel`: the size of a pixel there; `colour`, `light`: of the cell. A cell of light 0 is empty.
vec3 look_of_cell(vec2 point, vec2 pixel, vec3 colour, float light, bool paper) {
    vec2 soft = max(pixel, vec2(0.08));
    // Empty: darker ink or a faint socket, and small.
    float half_size = light == 0.0 ? 0.4 : 0.84;
    vec2 inside = 1.0 - smoothstep(half_size - 0.5 * soft, half_size + 0.5 * soft, abs(point));
    float body = inside.x * inside.y;
    if (light == 0.0) return vec3((paper ? 0.09 : 0.05) * body);
    float halo = 0.16 * exp(-2.2 * dot(point, point));
    return tone(colour * light) * body + tone(colour) * halo * (1.0 - body);
}
