#include "app/gl/imgui_state.hpp"

#include <imgui.h>

namespace warpsieve::gl {

ImGuiState::ImGuiState() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;  // The program has a settings file of its own.
}

ImGuiState::~ImGuiState() {
    ImGui::DestroyContext();
}

}  // namespace warpsieve::gl
