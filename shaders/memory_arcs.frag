// An arc is brighter towards its head.

in vec2 across;
in float along;
flat in vec4 tint;
flat in float head;
layout(location = 0) out vec4 colour;  // premultiplied

void main() {
    float light = head > 0.0 ? head * pow(max(1.0 - dot(across, across), 0.0), 2.0)
                             : (0.15 + 0.85 * along * along) * (1.0 - across.x * across.x);
    float alpha = clamp(tint.a * light, 0.0, 1.0);
    colour = vec4(mix(tint.rgb, vec3(1.0), head > 0.0 ? 0.35 * light : 0.0) * alpha, alpha);
}
