// Lays a picture over the framebuffer.

layout(binding = 0) uniform sampler2D picture;
layout(location = 0) uniform ivec2 corner;  // of the viewport
layout(location = 1) uniform float strength;

layout(location = 0) out vec4 colour;

void main() {
    colour = strength * texelFetch(picture, ivec2(gl_FragCoord.xy) - corner, 0);
}
