// A plain, translucent colour.

in vec4 tint;
layout(location = 0) out vec4 colour;  // premultiplied

void main() {
    colour = vec4(tint.rgb * tint.a, tint.a);
}
