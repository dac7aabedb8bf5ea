#include "app/capture/captures.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/capture/capture.hpp"
#include "app/capture/recording.hpp"
#include "app/capture/report.hpp"
#include "app/diagnostics/provenance.hpp"
#include "platform/background.hpp"
#include "platform/files.hpp"

namespace warpsieve {
namespace {

constexpr int plot_enlargement = 2;
constexpr const char* film_name = "loop";
constexpr std::string_view no_memory =
    "The picture could not be taken: host memory ran out. Make the window smaller or raise the memory limit.";

nlohmann::json with_provenance(nlohmann::json sidecar, const Provenance& provenance) {
    nlohmann::json items = nlohmann::json::object();
    for (const ProvenanceItem& item : provenance.items) items[item.name] = item.value;
    sidecar["provenance"] = items;
    sidecar["command"] = provenance.command;
    return sidecar;
}

}  // namespace

capture::Image Captures::draw_strip(const Provenance& provenance, int width) {
    const gl::PixelSize size{width, interface_.strip_height(provenance, width)};
    return drawer_.draw(size, [&] { interface_.build_strip(provenance, width); });
}

void Captures::write_in_background(const std::string& what, std::function<std::string()> work) {
    // Shared: the pictures in it are not copied.
    const auto shared = std::make_shared<std::function<std::string()>>(std::move(work));
    pending_files_.push_back({what, platform::in_background([shared] { return (*shared)(); })});
}

void Captures::report_written(bool wait) {
    while (!pending_files_.empty()) {
        PendingFile& oldest = pending_files_.front();
        const auto fail = [&](const std::string& message) {
            film_failed_ = film_failed_ || oldest.what == film_name;
            notify_(Severity::error, message);
        };
        if (!wait && oldest.message.wait_for(std::chrono::seconds(0)) == std::future_status::timeout) return;
        try {
            notify_(Severity::info, oldest.message.get());
        } catch (const std::filesystem::filesystem_error& error) {
            fail(capture::save_error_text(oldest.what, error));
        } catch (const std::bad_alloc&) {
            fail(std::string(no_memory));
        } catch (const std::exception& error) {
            // Go on after any failure, so that the other files are written.
            fail("The " + oldest.what + " could not be saved: " + error.what() + ".");
        }
        pending_files_.pop_front();
    }
}

void Captures::take(const Snapshot& snapshot, const Settings& settings) {
    const Requests requests = std::exchange(requests_, {});
    requests_ = std::exchange(next_requests_, {});
    try {
        if (requests.capture) take_window(snapshot, settings);
        if (requests.capture_plot) take_plot(snapshot, settings);
    } catch (const std::bad_alloc&) {
        interface_.set_style(snapshot.display.scale, settings.window.theme);
        notify_(Severity::error, std::string(no_memory));
    }
    if (requests.toggle_recording) toggle_recording(snapshot, settings);
    if (const auto& file = requests.save_file) {
        write_in_background(file->subject, [file = *file, folder = capture::folder_of(settings)] {
            return "Saved " + capture::save_text(file, folder).string() + ".";
        });
    }
    record_frame(snapshot.display.now_s);
    if (requests.film_loop) start_film(snapshot, settings);
    if (filming_) film_frame(settings, snapshot.display.now_s);
    report_written(/*wait=*/false);
}

void Captures::finish(bool wait_for_opengl) {
    if (!wait_for_opengl) cancels_animations_ = true;
    if (recording_) notify_(Severity::info, end_recording(wait_for_opengl));
    if (filming_ && wait_for_opengl) drop_film("the program ended");
    // Without OpenGL, leak the film, because its destructor calls OpenGL, which may block.
    if (filming_) static_cast<void>(filming_.release());
    const std::shared_ptr<capture::Loop> loop = loop_.lock();
    if (loop && (cancels_animations_ || interrupted_)) loop->cancel();
    report_written(/*wait=*/true);
}

void Captures::take_window(const Snapshot& snapshot, const Settings& settings) {
    const Provenance provenance = provenance_of(snapshot, settings);
    capture::Image window = capture::read_framebuffer(context_.framebuffer(), context_.size());
    capture::Image strip = draw_strip(provenance, window.width);
    nlohmann::json sidecar = with_provenance(capture::describe_run(snapshot, settings), provenance);
    write_in_background("picture", [window = std::move(window), strip = std::move(strip),
                                    sidecar = std::move(sidecar), folder = capture::folder_of(settings)] {
        const auto file = capture::save_picture(stacked(window, strip), sidecar, folder, /*subject=*/{});
        return "Saved " + file.string() + " and its JSON sidecar.";
    });
}

void Captures::take_plot(const Snapshot& snapshot, const Settings& settings) {
    if (!interface_.focused_plot())
        return notify_(Severity::info, "This view shows no plot. Press F12 to capture the whole window.");
    const gl::PixelSize window = context_.size();
    const gl::PixelSize enlarged{window.width * plot_enlargement, window.height * plot_enlargement};
    // Lays the interface out at twice the scale, so that text and lines stay sharp.
    interface_.set_style(snapshot.display.scale * plot_enlargement, settings.window.plot_theme);
    std::optional<panels::PlotArea> plot;
    const capture::Image whole =
        drawer_.draw(enlarged, [&] { plot = interface_.build_picture(snapshot, settings, enlarged); });
    if (!plot) {
        interface_.set_style(snapshot.display.scale, settings.window.theme);
        return notify_(Severity::info, "The plot disappeared before it was captured; try again.");
    }
    const auto pixel = [](float position) { return static_cast<int>(std::lround(position)); };
    capture::Image picture = cropped(whole, pixel(plot->low.x), pixel(plot->low.y),
                                     pixel(plot->high.x - plot->low.x), pixel(plot->high.y - plot->low.y));
    const Provenance provenance = plot->provenance ? *plot->provenance : provenance_of(snapshot, settings);
    capture::Image strip = draw_strip(provenance, picture.width);
    std::string svg = svg_of_plot(snapshot, settings, enlarged, provenance);
    interface_.set_style(snapshot.display.scale, settings.window.theme);

    nlohmann::json sidecar = with_provenance(capture::describe_run(snapshot, settings), provenance);
    sidecar["plot"] = plot->name;
    write_in_background(
        "picture", [picture = std::move(picture), strip = std::move(strip), svg = std::move(svg),
                    sidecar = std::move(sidecar), folder = capture::folder_of(settings), name = plot->name] {
            const auto file = capture::save_picture(stacked(picture, strip), sidecar, folder, name);
            platform::write_file(std::filesystem::path(file).replace_extension(".svg"), svg);
            return "Saved the plot of " + name + " as " + file.string() + ", as SVG, and its JSON sidecar.";
        });
}

std::string Captures::svg_of_plot(const Snapshot& snapshot, const Settings& settings, gl::PixelSize size,
                                  const Provenance& provenance) {
    // Plain plots, because the smoothed edges of others are no shapes of an SVG.
    Snapshot plain = snapshot;
    plain.display.plain_plots = true;
    std::optional<panels::PlotArea> plot;
    drawer_.build(size, [&] { plot = interface_.build_picture(plain, settings, size); });
    if (!plot) return {};
    const ImVec2 plot_size{plot->high.x - plot->low.x, plot->high.y - plot->low.y};
    std::string elements = interface_.svg_elements(plot->low, plot->high, /*top=*/0);
    const auto width = static_cast<int>(std::lround(plot_size.x));
    const int strip_height = interface_.strip_height(provenance, width);
    drawer_.build({width, strip_height}, [&] { interface_.build_strip(provenance, width); });
    const ImVec2 strip_size{plot_size.x, static_cast<float>(strip_height)};
    elements += interface_.svg_elements({0, 0}, strip_size, /*top=*/plot_size.y);
    // The next frame of the window restores the style.
    return interface_.svg_document(elements, {plot_size.x, plot_size.y + strip_size.y}, plot_enlargement);
}

void Captures::toggle_recording(const Snapshot& snapshot, const Settings& settings) {
    if (recording_) return notify_(Severity::info, end_recording());
    nlohmann::json sidecar =
        with_provenance(capture::describe_run(snapshot, settings), provenance_of(snapshot, settings));
    try {
        recording_ = std::make_unique<capture::Recording>(
            capture::make_recording_folder(std::move(sidecar), capture::folder_of(settings)));
        notify_(Severity::info,
                "Recording into " + recording_->folder().string() + ". Press Ctrl+F12 to stop.");
    } catch (const std::filesystem::filesystem_error& error) {
        notify_(Severity::error, capture::save_error_text("recording", error));
    } catch (const std::system_error& error) {
        notify_(Severity::error, std::string("The recording could not start: ") + error.code().message() +
                                     ". Close other programs or raise the limit of processes.");
    }
}

void Captures::record_frame(double now_s) {
    if (!recording_) return;
    recording_->add(context_.framebuffer(), context_.size(), now_s);
    if (recording_->full() || !recording_->failure().empty()) notify_(Severity::info, end_recording());
}

void Captures::film(const std::filesystem::path& file, bool every_frame) {
    film_file_ = file;
    every_frame_ = every_frame;
    next_requests_.film_loop = true;
}

void Captures::start_film(const Snapshot& snapshot, const Settings& settings) {
    if (filming_) return notify_(Severity::info, "The loop is being filmed already; it takes seven seconds.");
    auto film = std::make_unique<Film>();
    film->area = interface_.view_rectangle(context_.size(), settings);
    if (film->area.width < capture::Loop::min_side || film->area.height < capture::Loop::min_side)
        return notify_(Severity::info, "The view is too small to be filmed. Make the window larger.");
    const Provenance footer = provenance_of_film(snapshot, settings);
    try {
        const int width = film->area.width / capture::Loop::reduction_of(film->area.width);
        film->loop = std::make_shared<capture::Loop>(draw_strip(footer, width));
    } catch (const std::system_error& error) {
        return notify_(Severity::error, std::string("The film could not start: ") + error.code().message() +
                                            ". Close other programs or raise the limit of processes.");
    }
    film->sidecar =
        with_provenance(capture::describe_run(snapshot, settings), provenance_of(snapshot, settings));
    film->start_s = snapshot.display.now_s;
    film->folder = capture::folder_of(settings);
    film->file = std::exchange(film_file_, {});
    filming_ = std::move(film);
}

void Captures::film_frame(const Settings& settings, double now_s) {
    Film& film = *filming_;
    const auto add = [&](std::uint64_t number, std::optional<capture::Image> image) {
        if (image) film.loop->add(number, std::move(*image), every_frame_);
    };
    film.read_backs.collect(/*wait=*/every_frame_, add);
    const gl::Rectangle area = interface_.view_rectangle(context_.size(), settings);
    if (area.x != film.area.x || area.y != film.area.y || area.width != film.area.width ||
        area.height != film.area.height)
        return drop_film("the view changed its size. Press F9 again");
    constexpr double rate = static_cast<double>(capture::Loop::frames_per_second);
    constexpr double rounding_error = 1e-6;
    const auto number =
        static_cast<std::uint64_t>(std::max(0.0, (now_s - film.start_s) * rate + rounding_error));
    if (number >= capture::Loop::num_frames) return end_film();
    if (film.last_number && number <= *film.last_number) return;
    if (film.read_backs.start(context_.framebuffer(), context_.size(), area, number))
        film.last_number = number;
}

void Captures::end_film() {
    const std::unique_ptr<Film> film = std::move(filming_);
    film->read_backs.collect(/*wait=*/true, [&](std::uint64_t number, std::optional<capture::Image> image) {
        if (image) film->loop->add(number, std::move(*image), every_frame_);
    });
    loop_ = film->loop;
    write_in_background(film_name, [loop = film->loop, sidecar = std::move(film->sidecar),
                                    folder = film->folder, file = film->file] {
        const std::string bytes = loop->finish();
        if (file.empty())
            return "Saved " + capture::save_loop(bytes, sidecar, folder).string() + " and its JSON sidecar.";
        platform::write_file(file, bytes);
        return "Saved " + file.string() + ".";
    });
}

void Captures::drop_film(const std::string& why) {
    film_failed_ = true;
    filming_->loop->cancel();
    filming_.reset();
    notify_(Severity::warning, "The loop was not finished: " + why + ".");
}

std::string Captures::end_recording(bool wait_for_opengl) {
    recording_->finish(wait_for_opengl);
    const auto frames_text = [](std::uint64_t count) {
        return std::to_string(count) + (count == 1 ? " frame" : " frames");
    };
    std::string message =
        "Recorded " + frames_text(recording_->frames_written()) + " into " + recording_->folder().string();
    if (const std::uint64_t dropped = recording_->frames_dropped(); dropped > 0) {
        message += "; " + frames_text(dropped) + (dropped == 1 ? " was" : " were") +
                   " dropped because writing was too slow";
    }
    message += ".";
    if (!recording_->failure().empty())
        message = "The recording ended early: " + recording_->failure() + " " + message;
    const std::filesystem::path folder = recording_->folder();
    if (const double rate = recording_->rate(); wait_for_opengl && rate > 0 && capture::can_animate())
        write_in_background("animation", [this, folder, rate] {
            return capture::animate(folder, rate, [this] { return interrupted_ || cancels_animations_; });
        });
    // Leak the recording, because its destructor calls OpenGL, which may block.
    if (!wait_for_opengl) static_cast<void>(recording_.release());
    recording_.reset();
    return message;
}

void Captures::fill(Snapshot& snapshot) const {
    snapshot.display.recording = recording_ != nullptr;
    snapshot.display.film_s_left =
        filming_ ? static_cast<double>(capture::Loop::num_frames - filming_->last_number.value_or(0)) /
                       static_cast<double>(capture::Loop::frames_per_second)
                 : 0;
    snapshot.display.frames_recorded = recording_ ? recording_->frames_written() : 0;
}

}  // namespace warpsieve
