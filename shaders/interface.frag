layout(binding = 0) uniform sampler2D picture;

layout(location = 0) in vec2 place;
layout(location = 1) in vec4 tint;

layout(location = 0) out vec4 colour;

void main() {
    colour = tint * texture(picture, place);
}
