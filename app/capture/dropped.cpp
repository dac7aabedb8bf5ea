#include "app/capture/dropped.hpp"

#include "app/settings/history.hpp"
#include "app/settings/schema.hpp"
#include "app/settings/settings_file.hpp"
#include "compaction/engine.hpp"
#include "compaction/error.hpp"

namespace warpsieve::capture {
namespace {

/// Moves the file to the front of the recently opened ones.
void remember(const std::filesystem::path& file, std::vector<std::string>& recent) {
    const std::string path = std::filesystem::absolute(file).string();
    std::erase(recent, path);
    recent.insert(recent.begin(), path);
    if (recent.size() > max_recent) recent.resize(max_recent);
}

}  // namespace

bool take_dropped_capture(const std::filesystem::path& file, Settings& settings,
                          const std::function<void(Severity, const std::string&)>& notify) {
    const bool picture = file.extension() == ".png";
    if (!picture && file.extension() != ".json") return false;
    try {
        Settings loaded = sidecar_settings(file);
        const compaction::EngineStatus& engine = compaction::status_of(loaded.run.engine);
        const std::string name = file.filename().string();
        if (!engine.available) {
            loaded.run.engine = settings.run.engine;
            loaded.run.a = settings.run.a;
            loaded.run.b = settings.run.b;
            notify(Severity::warning,
                   "The engine of " + name +
                       " is not available here, so the current engine and algorithms are kept. " +
                       engine.reason);
        }
        copy_undoable(settings, loaded);
        sanitize(settings);
        remember(file, settings.window.recent);
        notify(Severity::info, "Loaded the settings of " + name + ". Ctrl+Z takes them back.");
    } catch (const compaction::Error& error) {
        // A JSON file can be a saved run without settings.
        if (!picture) return false;
        std::erase(settings.window.recent, std::filesystem::absolute(file).string());
        notify(Severity::warning, error.what());
    }
    return true;
}

}  // namespace warpsieve::capture
