// Boxes from a buffer, without instances: seven corners and three faces, those towards the camera. The last corner of a
// triangle says which face it belongs to.

layout(location = 0) uniform mat4 view_projection;
layout(location = 1) uniform vec3 camera;

struct Box {
    vec3 foot;
    uint colour;
    vec3 size;
    uint form;
};
layout(std430, binding = 0) restrict readonly buffer Boxes {
    Box boxes[];
};

flat out vec4 tint;
flat out int face;  // 0: upper, 1: front, 2: side
flat out uint form;
out vec3 in_box;    // far to near along x and z, -1 to 1, and 0 to 1 from the foot

void main() {
    // Far to near along x and z, and up.
    const vec3 corners[7] = vec3[](vec3(-1, 1, -1), vec3(1, 1, -1), vec3(1, 1, 1), vec3(-1, 1, 1), vec3(1, 0, 1),
                                   vec3(-1, 0, 1), vec3(1, 0, -1));
    const int faces[7] = int[](0, 0, 0, 0, 0, 1, 2);
    Box box = boxes[gl_VertexID / 7];
    int i = gl_VertexID % 7;
    vec3 near = vec3(camera.x < box.foot.x ? -0.5 : 0.5, 1.0, camera.z < box.foot.z ? -0.5 : 0.5);
    vec3 corner = corners[i];
    tint = unpackUnorm4x8(box.colour);
    face = faces[i];
    form = box.form;
    in_box = corner;
    gl_Position = view_projection * vec4(box.foot + corner * near * box.size, 1.0);
}
