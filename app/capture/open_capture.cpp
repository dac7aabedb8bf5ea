#include "app/capture/open_capture.hpp"

#include <utility>

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

using Notify = std::function<void(Severity severity, const std::string& text)>;

/// Moves the file to the front of the recently opened ones.
void remember(const std::filesystem::path& file, std::vector<std::string>& recent) {
    const std::string path = std::filesystem::absolute(file).string();
    std::erase(recent, path);
    recent.insert(recent.begin(), path);
    if (recent.size() > max_recent) recent.resize(max_recent);
}

/// Whether the file is a PNG that this program has not saved.
bool is_foreign_picture(const std::filesystem::path& file) {
    if (!picture::names_file(file.filename().string())) return false;
    constexpr std::uint64_t max_bytes = 256 << 20;
    const platform::FileText read = platform::read_file(file, max_bytes);
    return read.problem.empty() && text_in_png(read.text).empty();
}

/// Makes the bright pixels of the file the live slots.
void use_picture(const std::filesystem::path& file, RunConfig& run, const Notify& notify) {
    const std::string path = std::filesystem::absolute(file).string();
    run.loaded_picture = picture::load(path);
    run.source = scene::Picture::info.id;
    run.picture = path;
    run.picture_sha256.clear();
    notify(Severity::info,
           "The bright pixels of " + file.filename().string() + " are the live slots. Ctrl+Z takes it back.");
}

/// Loads the picture of a captured run, unless `current` is the same file, perhaps under another name.
void load_picture(RunConfig& run, const workloads::PicturePointer& current) {
    if (!run.uses_picture()) return;
    const bool is_same =
        current && !run.picture_sha256.empty() && current->sha256.starts_with(run.picture_sha256);
    if (is_same) run.picture = current->source;
    run.loaded_picture = is_same ? current : picture::load(run.picture, run.picture_sha256);
}

/// Keeps the current engine and algorithms if the engine of the captured run is not available. `name`: of the
/// capture.
void replace_missing_engine(const std::string& name, RunConfig& run, const RunConfig& current,
                            const Notify& notify) {
    const compaction::EngineStatus& engine = compaction::status_of(run.engine);
    if (engine.available) return;
    run.engine = current.engine;
    run.a = current.a;
    run.b = current.b;
    notify(Severity::warning, "The engine of " + name +
                                  " is not available here, so the current engine and algorithms are kept. " +
                                  engine.reason);
}

void apply_capture(const std::filesystem::path& file, Settings loaded, Settings& settings,
                   const Notify& notify) {
    const std::string name = file.filename().string();
    load_picture(loaded.run, settings.run.loaded_picture);
    replace_missing_engine(name, loaded.run, settings.run, notify);
    copy_undoable(settings, /*from=*/loaded);
    settings.run.loaded_picture = loaded.run.loaded_picture;
    sanitize(settings);
    remember(file, settings.window.recent);
    notify(Severity::info, "Loaded the settings of " + name + ". Ctrl+Z takes them back.");
}

}  // namespace

bool open_capture(const std::filesystem::path& file, Settings& settings, const Notify& notify) {
    const bool is_picture = picture::names_file(file.filename().string());
    if (!is_picture && file.extension() != ".json") return false;
    bool has_settings = false;
    try {
        if (is_foreign_picture(file)) {
            use_picture(file, settings.run, notify);
        } else {
            Settings loaded = sidecar_settings(file);
            has_settings = true;
            apply_capture(file, std::move(loaded), settings, notify);
        }
    } catch (const compaction::Error& error) {
        // A JSON file can be a saved run without settings.
        if (!is_picture && !has_settings) return false;
        std::erase(settings.window.recent, std::filesystem::absolute(file).string());
        notify(Severity::warning, error.what());
    }
    return true;
}

}  // namespace warpsieve::capture
