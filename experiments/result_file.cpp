#include "experiments/result_file.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compaction/error.hpp"
#include "experiments/csv.hpp"
#include "platform/files.hpp"

namespace experiments {

std::string read_whole(const std::filesystem::path& file) {
    warpsieve::platform::FileText read = warpsieve::platform::read_file(file, max_result_bytes);
    if (!read.problem.empty()) {
        throw compaction::Error(
            compaction::ErrorCode::invalid_argument,
            file.string() + " cannot be read: " + read.problem + ". Name a file that --csv or --json wrote.");
    }
    return std::move(read.text);
}

bool is_result_file(const std::filesystem::path& file) {
    std::string begin(csv_magic.size(), '\0');
    std::ifstream(file).read(begin.data(), static_cast<std::streamsize>(begin.size()));
    return begin.front() == '{' || begin == csv_magic;
}

namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& why) {
    throw compaction::Error(compaction::ErrorCode::invalid_argument, why);
}

}  // namespace

json parse_json(std::string_view text) {
    if (text.size() > max_json_bytes) {
        refuse("it has " + std::to_string(text.size() >> 20) + " MiB, more than the " +
               std::to_string(max_json_bytes >> 20) + " MiB of JSON that are read");
    }
    std::vector<std::set<std::string>> keys;  // of the objects around the current value
    const auto check = [&](int level, json::parse_event_t event, const json& value) {
        using Event = json::parse_event_t;
        if ((event == Event::object_start || event == Event::array_start) && level >= max_json_levels)
            refuse("it is nested more than " + std::to_string(max_json_levels) + " levels deep");
        if (event == Event::object_start) keys.emplace_back();
        if (event == Event::object_end) keys.pop_back();
        if (event == Event::key && !keys.back().insert(value.get<std::string>()).second)
            refuse("the key '" + value.get<std::string>() + "' appears twice in one object");
        return true;
    };
    try {
        return json::parse(text, check);
    } catch (const json::parse_error& error) {
        if (error.byte >= text.size())
            refuse("it is cut off after " + std::to_string(text.size()) + " bytes");
        refuse("its JSON is broken at byte " + std::to_string(error.byte));
    } catch (const json::out_of_range&) {
        refuse("a number in it is out of range");
    }
}

std::string json_text(const json& document) {
    return document.dump(/*indent=*/2, /*indent_char=*/' ', /*ensure_ascii=*/false,
                         json::error_handler_t::replace) +
           "\n";
}

std::string json_text(const nlohmann::ordered_json& document) {
    return document.dump(/*indent=*/2, /*indent_char=*/' ', /*ensure_ascii=*/false,
                         nlohmann::ordered_json::error_handler_t::replace) +
           "\n";
}

std::string reason_in(std::string_view message) {
    const std::size_t end = message.starts_with('[') ? message.find("] ") : std::string_view::npos;
    return std::string(end == std::string_view::npos ? message : message.substr(end + 2));
}

}  // namespace experiments
