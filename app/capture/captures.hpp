#pragma once

#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "app/capture/loop.hpp"
#include "app/capture/picture.hpp"
#include "app/capture/read_backs.hpp"
#include "app/capture/recording.hpp"
#include "app/gl/context.hpp"
#include "app/panels/interface.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve {

/// Captures the window: pictures with a provenance strip, and recordings. Threads write the files, so that
/// the window does not wait.
class Captures {
  public:
    /// Receives the outcome: a file name, or a reason and a remedy.
    using Notify = std::function<void(Severity, const std::string&)>;

    /// `interrupted`: becomes true when the program must end soon.
    Captures(gl::Context& context, panels::Interface& interface, const std::atomic<bool>& interrupted,
             Notify notify)
        : context_(context),
          interface_(interface),
          drawer_(context),
          interrupted_(interrupted),
          notify_(std::move(notify)) {}

    /// Requests captures of the next frame, which is then built without tooltips and transient messages.
    void request(const Requests& requests) { next_requests_ = requests; }
    /// Whether the current frame is captured or filmed, and so is built without tooltips and transient
    /// messages. A recording does not count.
    bool wants_picture() const {
        return requests_.capture || requests_.capture_plot || requests_.film_loop || filming_;
    }

    /// Films a loop from the next frame on, into `file`. `every_frame`: waits for a buffer or the encoder
    /// instead of dropping frames.
    void film(const std::filesystem::path& file, bool every_frame);

    /// Takes the captures requested before this frame. Call after drawing. Reports finished files.
    void take(const Snapshot& snapshot, const Settings& settings);
    /// Waits until all files are written. `wait_for_opengl`: see Recording::finish. Without it, or when the
    /// program is interrupted, unfinished animations are cancelled.
    void finish(bool wait_for_opengl = true);
    /// Whether a film was not finished or could not be saved.
    bool film_failed() const { return film_failed_; }
    /// Writes the state of recording and film.
    void fill(Snapshot& snapshot) const;

  private:
    /// Captures the drawn window, with the provenance strip below it.
    void take_window(const Snapshot& snapshot, const Settings& settings);
    /// Captures the focused plot at twice the scale in the plot theme.
    void take_plot(const Snapshot& snapshot, const Settings& settings);
    /// The focused plot and its provenance strip as SVG, in the current style; empty without a plot.
    std::string svg_of_plot(const Snapshot& snapshot, const Settings& settings, gl::PixelSize size,
                            const Provenance& provenance);
    void toggle_recording(const Snapshot& snapshot, const Settings& settings);
    void record_frame(double now_s);
    void start_film(const Snapshot& snapshot, const Settings& settings);
    void film_frame(const Settings& settings, double now_s);
    /// Lets a thread write the film.
    void end_film();
    /// Gives the film up and says why.
    void drop_film(const std::string& why);
    /// Runs `work` on a thread. It returns a message or throws std::filesystem::filesystem_error. `what`:
    /// "picture", for messages about an error; `film_name` for the film, whose failure film_failed() reports.
    void write_in_background(const std::string& what, std::function<std::string()> work);
    /// Reports finished files, oldest first. `wait`: waits for all of them.
    void report_written(bool wait);

    /// Draws a provenance strip of this width in the current style.
    capture::Image draw_strip(const Provenance& provenance, int width);
    /// Returns a message. `wait_for_opengl`: see Recording::finish.
    std::string end_recording(bool wait_for_opengl = true);

    struct PendingFile {
        std::string what;  ///< "picture"
        std::future<std::string> message;
    };

    /// A loop that is being filmed.
    struct Film {
        gl::Rectangle area;
        double start_s = 0;
        std::optional<std::uint64_t> last_number;  ///< of the last frame that was read back
        nlohmann::json sidecar;
        std::filesystem::path folder;
        std::filesystem::path file;  ///< where the film goes; empty: a new file in the folder
        capture::ReadBacks read_backs;
        std::shared_ptr<capture::Loop> loop;
    };

    gl::Context& context_;
    panels::Interface& interface_;
    capture::PictureDrawer drawer_;
    const std::atomic<bool>& interrupted_;
    std::atomic<bool> cancels_animations_ = false;
    Notify notify_;
    Requests requests_;       ///< of the current frame
    Requests next_requests_;  ///< of the next frame
    std::deque<PendingFile> pending_files_;
    std::unique_ptr<capture::Recording> recording_;
    std::unique_ptr<Film> filming_;
    std::filesystem::path film_file_;    ///< of the next film
    std::weak_ptr<capture::Loop> loop_;  ///< of the last film, which may still be written
    bool film_failed_ = false;
    bool every_frame_ = false;  ///< films wait instead of dropping frames
};

}  // namespace warpsieve
