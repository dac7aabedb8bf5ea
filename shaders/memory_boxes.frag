// A face of a box: flat shading, darker towards the foot. Values that were not measured are hatched.

layout(location = 2) uniform vec3 shades[2];  // upper, front and side; at the top and at the foot
layout(location = 4) uniform vec3 ground;

flat in vec4 tint;
flat in int face;
flat in uint form;
in float up;
layout(location = 0) out vec4 colour;  // premultiplied

const uint hatched = 1u;

void main() {
    vec3 seen = mix(ground, tint.rgb, mix(shades[1][face], shades[0][face], up));
    // A bright line along the upper edge.
    float below_edge = (1.0 - up) / max(fwidth(up), 1e-4);
    if (face != 0) seen = mix(seen, tint.rgb, 0.8 * (1.0 - smoothstep(0.6, 1.6, below_edge)));
    if (form == hatched) {
        float stripe = abs(fract((gl_FragCoord.x + gl_FragCoord.y) / 7.0) - 0.5) * 7.0;
        seen = mix(ground, seen, mix(0.62, 1.0, smoothstep(1.0, 1.8, stripe)));
    }
    colour = vec4(seen * tint.a, tint.a);
}
