// A face of a box: flat shading, darker towards the foot. Values that were not measured are hatched.

layout(location = 2) uniform vec3 shades[2];  // upper, front and side; at the top and at the foot
layout(location = 4) uniform vec3 ground;
layout(location = 5) uniform bool has_outlines;

flat in vec4 tint;
flat in int face;
flat in uint form;
in vec3 in_box;
layout(location = 0) out vec4 colour;  // premultiplied

const uint hatched = 1u;  // scene::BoxForm

// How much of an outline, a pixel and a half wide, is at a point of a face, -1 to 1. Small faces have none.
float outline(vec2 point) {
    vec2 pixel = max(fwidth(point), vec2(1e-4));
    vec2 to_edge = (1.0 - abs(point)) / pixel;
    float large = 1.0 - smoothstep(0.15, 0.3, max(pixel.x, pixel.y));
    return large * (1.0 - smoothstep(0.8, 1.8, min(to_edge.x, to_edge.y)));
}

void main() {
    float up = in_box.y;
    vec3 seen = mix(ground, tint.rgb, mix(shades[1][face], shades[0][face], up));
    if (has_outlines) {
        vec2 point = face == 0 ? in_box.xz : vec2(face == 1 ? in_box.x : in_box.z, 2.0 * up - 1.0);
        seen = mix(seen, 0.55 * tint.rgb, outline(point));
    } else if (face != 0) {
        // A bright line along the upper edge.
        float below_edge = (1.0 - up) / max(fwidth(up), 1e-4);
        seen = mix(seen, tint.rgb, 0.8 * (1.0 - smoothstep(0.6, 1.6, below_edge)));
    }
    if (form == hatched) {
        float stripe = abs(fract((gl_FragCoord.x + gl_FragCoord.y) / 7.0) - 0.5) * 7.0;
        seen = mix(ground, seen, mix(0.62, 1.0, smoothstep(1.0, 1.8, stripe)));
    }
    colour = vec4(seen * tint.a, tint.a);
}
