// How light becomes a picture: for the shaders that finish one, whose text follows in the same program.

// Linear light to what the display is sent: a filmic curve that keeps faint light apart and lets strong light
// run into white, then the display's gamma taken as 2. The same as tone() in look.cpp.
vec3 tone(vec3 light) {
    vec3 filmic = light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14);
    return sqrt(clamp(filmic, 0.0, 1.0));
}

// Particles onto the ground, both as the display is sent them. Screen: what is added can reach white but not
// pass it. Multiply, its mirror image, for ink on paper.
vec3 lay_over(vec3 below, vec3 above, bool on_paper) {
    return on_paper ? below * (1.0 - above) : below + (1.0 - below) * above;
}
