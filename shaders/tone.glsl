#version 450 core

// What the fragment shaders share. The driver reads this and the shader after it as one text.

// Linear light to what the display is sent: a filmic curve that keeps faint light apart and lets strong light
// run into white, then the display's gamma taken as 2. The same as tone() in look.cpp.
vec3 tone(vec3 light) {
    vec3 filmic = light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14);
    return sqrt(clamp(filmic, 0.0, 1.0));
}
