#pragma once

namespace warpsieve::gl {

/// Dear ImGui's context, without its settings file. Create it before a Context.
class ImGuiState {
  public:
    ImGuiState();
    ~ImGuiState();
    ImGuiState(const ImGuiState&) = delete;
    ImGuiState& operator=(const ImGuiState&) = delete;
};

}  // namespace warpsieve::gl
