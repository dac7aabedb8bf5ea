#pragma once

#include <string>
#include <string_view>

/// All text for a terminal goes through here. Names in files and on command lines can hold anything, so every
/// line is made printable here: it cannot control the terminal, hide or reorder what others wrote, or begin a
/// line of its own.
namespace experiments::format {

/// Text for a terminal, line by line.
class TerminalText {
  public:
    /// Adds the printable() text as one line. `alarm`: its last part, in red if `colour`.
    void add_line(std::string_view line, std::string_view alarm = {}, bool colour = false);
    /// Adds each line of a text that the program itself has written, such as its help.
    void add_lines(std::string_view lines);
    void add(const TerminalText& text) { text_ += text.text_; }

    const std::string& text() const { return text_; }

  private:
    std::string text_;
};

/// Prints to standard output.
void print(const TerminalText& text);
/// Prints one line to standard output.
void print_line(std::string_view line);

/// Prints one line to the standard error output.
void print_error_line(std::string_view line);

/// Replaces the last line of a terminal on the standard error output. An empty line removes it.
void replace_error_line(std::string_view line);

}  // namespace experiments::format
