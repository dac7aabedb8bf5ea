// A vertex of Dear ImGui's draw lists, in pixels from the upper left corner.
layout(location = 0) uniform vec4 to_clip;  // factor, then offset

layout(location = 0) in vec2 position;
layout(location = 1) in vec2 texture_place;
layout(location = 2) in vec4 colour;

layout(location = 0) out vec2 place;
layout(location = 1) out vec4 tint;

void main() {
    place = texture_place;
    tint = colour;
    gl_Position = vec4(position * to_clip.xy + to_clip.zw, 0.0, 1.0);
}
