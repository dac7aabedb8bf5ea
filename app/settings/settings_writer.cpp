#include "app/settings/settings_writer.hpp"

#include <chrono>
#include <new>

#include "app/settings/settings_file.hpp"
#include "platform/background.hpp"

namespace warpsieve {
namespace {

/// Seconds without a change before the file is written.
constexpr double quiet_s = 1;

std::string write(const std::filesystem::path& file, const Settings& settings, const Settings& known) {
    try {
        save_settings(file, settings, known);
        return {};
    } catch (const std::filesystem::filesystem_error& error) {
        return error.code().message();
    } catch (const std::bad_alloc&) {
        return "host memory ran out";
    }
}

}  // namespace

void SettingsWriter::observe(const Settings& settings, double now_s) {
    if (file_.empty()) return;
    if (writing_.valid()) {
        // A write that got no thread has the status `deferred`; finish() then runs it.
        if (writing_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout) return;
        finish();
    }
    if (!observed_ || !(settings == last_settings_)) {
        changed_ = observed_;  // the first call has nothing to compare with
        observed_ = true;
        changed_s_ = now_s;
        last_settings_ = settings;
    }
    if (!changed_ || now_s < changed_s_ + quiet_s) return;
    changed_ = false;
    being_written_ = settings;
    writing_ = platform::in_background(
        [file = file_, settings, known = known_] { return write(file, settings, known); });
}

void SettingsWriter::finish() {
    if (!writing_.valid()) return;
    const std::string why = writing_.get();
    if (!why.empty() && !failed_)
        notify_("The settings cannot be written to " + file_.string() + ": " + why +
                ". They apply until the program ends.");
    failed_ = !why.empty();
    if (!failed_) known_ = being_written_;
}

void SettingsWriter::save(const Settings& settings) {
    finish();
    if (file_.empty()) return;
    save_settings(file_, settings, known_);
    known_ = settings;
}

}  // namespace warpsieve
