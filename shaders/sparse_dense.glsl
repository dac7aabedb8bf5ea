// The layout of the sparse and dense scene. scene/sparse_dense.hpp has the same functions and documents them.

struct CellField {
    vec4 corner;
    vec4 across;
    vec4 along;
    uint bits;
    uint rows;
    uint columns;
    uint cells;
    uint picture_columns;
    float cell_width;
    float cell_height;
    float unused;
};

layout(std140, binding = 2) uniform SparseDense {
    CellField sparse;
    CellField dense;
    vec4 source_to_scene[3];
    uint slots;
    float seconds;
};

const uint cells_per_arc = 32u;
const uint max_items_shown = 64u;
const uint beads_per_arc = 96u;
const float risen = 0.26;
const float slot_coloured = 0.06;

// A fixed pseudo-random number for each index: 32 bits, or 0 to below 1. Source: Wellons 2018, "Prospecting for Hash Functions", lowbias32.
uint hash_of(uint x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}
float hashed(uint x) {
    return float(hash_of(x) >> 8) * (1.0 / 16777216.0);
}

vec3 at(CellField field, float column, float row) {
    return field.corner.xyz + column * field.across.xyz + row * field.along.xyz;
}

vec3 centre(CellField field, uint cell) {
    return at(field, float(cell / field.rows) + 0.5, float(cell % field.rows) + 0.5);
}

uint item_of(CellField field, uint cell) {
    if (field.picture_columns == 0u) return cell << field.bits;
    uvec2 pixel = uvec2((vec2(cell % field.rows, cell / field.rows) + 0.5) * vec2(field.cell_width, field.cell_height));
    return pixel.y * field.picture_columns + pixel.x;
}

uint cell_of(CellField field, uint item) {
    if (field.picture_columns == 0u) return item >> field.bits;
    vec2 pixel = vec2(item % field.picture_columns, item / field.picture_columns) + 0.5;
    uvec2 cell = min(uvec2(pixel / vec2(field.cell_width, field.cell_height)), uvec2(field.rows, field.columns) - 1u);
    return cell.y * field.rows + cell.x;
}

vec3 position_of_item(CellField field, uint item) {
    if (field.picture_columns > 0u) {
        vec2 pixel = vec2(item % field.picture_columns, item / field.picture_columns) + 0.5;
        return at(field, pixel.y / field.cell_height, pixel.x / field.cell_width);
    }
    uint cell = item >> field.bits;
    float part = (float(item & ((1u << field.bits) - 1u)) + 0.5) / float(1u << field.bits);
    return at(field, float(cell / field.rows) + hashed(item), float(cell % field.rows) + part);
}

float share_of(uint slot) {
    return float(slot) / float(slots);
}

vec3 risen_position(uint rank, vec4 particle) {
    vec4 p = vec4(particle.xyz, 1.0);
    vec3 to = vec3(dot(source_to_scene[0], p), dot(source_to_scene[1], p), dot(source_to_scene[2], p));
    if (particle.w >= risen) return to;
    vec3 from = position_of_item(dense, rank);
    float t = particle.w / risen;
    float aside = smoothstep(0.0, 1.0, t);
    return vec3(mix(from.x, to.x, aside), mix(from.y, to.y, t * (2.0 - t)), mix(from.z, to.z, aside));
}

// Whether a particle of this age still has the colour of its slot.
bool has_slot_colour(uint handle, float age) {
    return age < mix(slot_coloured, risen, hashed(handle));
}

vec3 arc_point(vec3 from, vec3 to, float t) {
    vec3 path = to - from;
    float height = 0.7 + 0.28 * sqrt(path.x * path.x + path.z * path.z);
    return mix(from, to, t) + vec3(0.0, 4.0 * height * (1.0 - t) * t, 0.0);
}

// Returns its position along the arc, 0 to 1, and its light.
vec2 bead(uint arc, uint number) {
    const float arcs_per_second = 0.55;
    const uint beads_per_comet = 32u;
    float t = fract(float(number) / float(beads_per_arc) + seconds * arcs_per_second + hashed(arc));
    float behind = float(beads_per_comet - 1u - number % beads_per_comet);
    float ends = smoothstep(0.0, 0.04, t) * (1.0 - smoothstep(0.96, 1.0, t));
    return vec2(t, ends * (0.12 + 0.88 * exp(-behind / 5.0)));
}

// Must match scene::dense_cell_light.
const float dense_cell_light = 0.5;

float cell_light(float age) {
    return (0.62 + 0.38 * exp(-14.0 * age)) * (1.0 - 0.6 * smoothstep(0.88, 1.0, age));
}
