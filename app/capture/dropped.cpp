#include "app/capture/dropped.hpp"

#include "app/scene/sources.hpp"
#include "app/settings/history.hpp"
#include "app/settings/png_text.hpp"
#include "app/settings/schema.hpp"
#include "app/settings/settings_file.hpp"
#include "compaction/engine.hpp"
#include "compaction/error.hpp"
#include "platform/files.hpp"

namespace warpsieve::capture {
namespace {

/// Moves the file to the front of the recently opened ones.
void remember(const std::filesystem::path& file, std::vector<std::string>& recent) {
    const std::string path = std::filesystem::absolute(file).string();
    std::erase(recent, path);
    recent.insert(recent.begin(), path);
    if (recent.size() > max_recent) recent.resize(max_recent);
}

/// Whether the file is a picture that this program has not saved.
bool is_own_picture(const std::filesystem::path& file) {
    if (!picture::names_file(file.filename().string())) return false;
    constexpr std::uint64_t max_bytes = 256 << 20;
    const platform::FileText read = platform::read_file(file, max_bytes);
    return read.problem.empty() && text_in_png(read.text).empty();
}

/// Makes the bright pixels of the file the live slots.
void take_picture(const std::filesystem::path& file, RunConfig& run) {
    run.source = scene::Picture::info.id;
    run.picture = std::filesystem::absolute(file).string();
    run.picture_sha256.clear();
    run.loaded_picture.reset();
}

}  // namespace

bool take_dropped_capture(const std::filesystem::path& file, Settings& settings,
                          const std::function<void(Severity, const std::string&)>& notify) {
    if (is_own_picture(file)) {
        take_picture(file, settings.run);
        return true;
    }
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
        // The picture of the run that is in use may be the same file under another name.
        if (const workloads::PicturePointer& in_use = settings.run.loaded_picture;
            in_use && !loaded.run.picture_sha256.empty() &&
            in_use->sha256.starts_with(loaded.run.picture_sha256))
            loaded.run.picture = in_use->source;
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
