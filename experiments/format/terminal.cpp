#include "experiments/format/terminal.hpp"

#include <cstdio>

#include "experiments/format/text.hpp"

namespace experiments::format {
namespace {

constexpr std::string_view red = "\033[1;31m";
constexpr std::string_view plain = "\033[0m";
constexpr std::string_view clear_line = "\r\033[K";

void write(std::FILE* stream, const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace

void TerminalText::add_line(std::string_view line, std::string_view alarm, bool colour) {
    const bool red_alarm = colour && !alarm.empty();
    text_ += printable(line);
    if (red_alarm) text_ += red;
    text_ += printable(alarm);
    if (red_alarm) text_ += plain;
    text_ += '\n';
}

void TerminalText::add_lines(std::string_view lines) {
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        add_line(line);
        lines.remove_prefix(line.size() < lines.size() ? line.size() + 1 : line.size());
    }
}

void print(const TerminalText& text) {
    write(stdout, text.text());
}

void print_line(std::string_view line) {
    write(stdout, printable(line) + "\n");
}

void print_error_line(std::string_view line) {
    write(stderr, printable(line) + "\n");
}

void replace_error_line(std::string_view line) {
    write(stderr, std::string(clear_line) + printable(line));
    std::fflush(stderr);
}

}  // namespace experiments::format
