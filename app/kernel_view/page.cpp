#include "app/kernel_view/page.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/kernel_view/warp_view.hpp"
#include "compaction/error.hpp"
#include "embedded/kernel_view_page.hpp"

namespace warpsieve::kernel_view {
namespace {

using compaction::LaneSite;
using compaction::LaneStepKind;
using compaction::MemorySpace;
using nlohmann::json;

/// Arrays of numbers, one after the other.
class Columns {
  public:
    template <typename T>
    void add(const std::string& name, const std::vector<T>& column) {
        static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4);
        const char* const type = sizeof(T) == 1        ? "u8"
                                 : sizeof(T) == 2      ? "u16"
                                 : std::is_signed_v<T> ? "i32"
                                                       : "u32";
        index_.push_back({name, type, column.size()});
        const auto* const bytes = reinterpret_cast<const std::byte*>(column.data());
        bytes_.insert(bytes_.end(), bytes, bytes + column.size() * sizeof(T));
    }
    /// The name, the type and the length of each.
    const json& index() const { return index_; }
    const std::vector<std::byte>& bytes() const { return bytes_; }

  private:
    json index_ = json::array();
    std::vector<std::byte> bytes_;
};

/// Numbers of 64 bits in two columns.
struct Words {
    std::vector<std::uint32_t> low;
    std::vector<std::uint32_t> high;

    void add(std::uint64_t number) {
        low.push_back(static_cast<std::uint32_t>(number));
        high.push_back(static_cast<std::uint32_t>(number >> 32));
    }
};

std::int32_t difference(std::uint32_t to, std::uint32_t from) {
    return static_cast<std::int32_t>(to - from);
}

void add_events(const Events& events, Columns& to) {
    std::vector<std::uint16_t> sites;
    std::vector<std::int32_t> threads, addresses;
    std::vector<std::uint32_t> line_sets, masks;
    std::vector<std::uint8_t> counts;  // of operands and results
    std::vector<std::uint32_t> last_of_site(events.trace.sites.size());
    Words numbers;
    std::uint32_t last_thread = 0;
    for (std::size_t i = 0; i < events.events.size(); ++i) {
        const Event& event = events.events[i];
        const std::uint32_t thread = event.block * events.trace.launches[event.launch].threads + event.thread;
        sites.push_back(static_cast<std::uint16_t>(event.site));
        threads.push_back(difference(thread, std::exchange(last_thread, thread)));
        addresses.push_back(
            difference(event.address, std::exchange(last_of_site[event.site], event.address)));
        line_sets.push_back(event.line_set);
        if (events.site_of(event).kind == LaneStepKind::collective_results) masks.push_back(event.mask);
        const std::size_t end =
            i + 1 < events.events.size() ? events.events[i + 1].first_number : events.numbers.size();
        counts.push_back(static_cast<std::uint8_t>(end - event.first_number));
    }
    for (const std::uint64_t number : events.numbers) numbers.add(number);
    to.add("site", sites);
    to.add("lineSet", line_sets);
    to.add("thread", threads);
    to.add("address", addresses);
    to.add("mask", masks);
    to.add("numbers", counts);
    to.add("low", numbers.low);
    to.add("high", numbers.high);
    to.add("bytes", events.bytes);
    std::vector<std::byte> initial;
    for (const compaction::TracedBuffer& buffer : events.trace.buffers)
        initial.insert(initial.end(), buffer.initial.begin(), buffer.initial.end());
    to.add("initial", initial);
}

/// The steps of an order and their sentences. New phrases are added to `phrases`.
void add_order(const Replay& replay, Order order, std::map<std::string, std::uint16_t>& phrases,
               Columns& to) {
    const Steps& steps = replay.steps(order);
    std::vector<std::uint16_t> event_counts, phrase_numbers;
    Words numbers;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        event_counts.push_back(static_cast<std::uint16_t>(steps[step].size()));
        const Sentence sentence = replay.sentence(order, step);
        phrase_numbers.push_back(phrases.emplace(sentence.phrase, phrases.size()).first->second);
        for (const std::uint64_t number : sentence.numbers) numbers.add(number);
    }
    const std::string id = id_of(order);
    to.add(id + "Counts", event_counts);
    to.add(id + "Phrases", phrase_numbers);
    to.add(id + "Low", numbers.low);
    to.add(id + "High", numbers.high);
    // The other order is that of the events themselves.
    if (order != Order::warps) return;
    std::vector<std::int32_t> events;
    std::uint32_t last = 0;
    for (const std::uint32_t event : steps.events)
        events.push_back(difference(event, std::exchange(last, event)));
    to.add("order", events);
}

json sites_of(const Events& events) {
    json all = json::array();
    for (std::size_t i = 0; i < events.trace.sites.size(); ++i) {
        const LaneSite& site = events.trace.sites[i];
        const std::uint32_t name = events.site_names[i];
        all.push_back({{"kind", name_of(site.kind)},
                       {"space", site.space == MemorySpace::global   ? "global"
                                 : site.space == MemorySpace::shared ? "shared"
                                                                     : ""},
                       {"mark", index_of_style(mark_of(site))},
                       {"buffer", site.buffer},
                       {"bytes", site.bytes},
                       {"call", site.name},
                       {"name", name == none ? -1 : static_cast<std::int64_t>(name)},
                       {"lines", events.site_lines[i]},
                       {"loads", loads(site.kind)},
                       {"stores", holds_stored_bytes(site.kind)},
                       {"copies", performs_copy(site.kind)},
                       {"completes", completes_arrival(site.kind)},
                       {"byLane", is_by_lane(site.kind)},
                       {"isMilestone", is_milestone(site)},
                       {"values", num_values(site)}});
    }
    return all;
}

json header_of(const Replay& replay, const std::string& title) {
    const Events& events = replay.events();
    const compaction::LaneTrace& trace = events.trace;
    json header{{"title", title},           {"algorithm", trace.algorithm}, {"seed", trace.seed},
                {"fault", trace.fault},     {"names", events.names},        {"lineSets", events.line_sets},
                {"sites", sites_of(events)}};
    for (const MarkStyle& style : mark_styles)
        header["marks"].push_back(
            {{"name", style.name}, {"colour", style.colour}, {"top", style.top}, {"bottom", style.bottom}});
    for (const Line& line : events.lines) header["lines"].push_back({line.function, line.number});
    for (const SourceFunction& function : events.functions)
        header["functions"].push_back({{"name", function.name},
                                       {"file", function.file},
                                       {"first", function.first_line},
                                       {"lines", function.lines},
                                       {"measures", function.measures()}});
    for (std::size_t i = 0; i < trace.launches.size(); ++i) {
        const compaction::TracedLaunch& launch = trace.launches[i];
        header["launches"].push_back({{"kernel", launch.kernel},
                                      {"isKernel", launch.kind == compaction::LaunchKind::kernel},
                                      {"blocks", launch.blocks},
                                      {"threads", launch.threads},
                                      {"warps", events.warps_per_block(static_cast<std::uint32_t>(i))},
                                      {"shared", events.shared_bytes[i]}});
    }
    for (const compaction::TracedBuffer& buffer : trace.buffers)
        header["buffers"].push_back({{"name", buffer.name},
                                     {"role", static_cast<int>(buffer.role)},
                                     {"elementBytes", buffer.element_bytes},
                                     {"bytes", buffer.initial.size()}});
    // A list without elements is still null.
    for (const char* list : {"lines", "functions", "launches", "buffers"})
        if (header[list].is_null()) header[list] = json::array();
    return header;
}

std::string base64(std::span<const unsigned char> bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t word = 0;
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        for (std::size_t j = 0; j < count; ++j) word |= std::uint32_t{bytes[i + j]} << (16 - 8 * j);
        for (std::size_t j = 0; j < 4; ++j) text += j <= count ? digits[word >> (18 - 6 * j) & 63] : '=';
    }
    return text;
}

std::vector<unsigned char> deflated(const std::vector<std::byte>& bytes) {
    uLongf size = compressBound(bytes.size());
    std::vector<unsigned char> packed(size);
    if (compress2(packed.data(), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(),
                  Z_DEFAULT_COMPRESSION) != Z_OK)
        throw compaction::Error(compaction::ErrorCode::out_of_memory,
                                "There is too little memory to pack the page. Pass a smaller --n.");
    packed.resize(size);
    return packed;
}

void replace(std::string& text, std::string_view what, std::string_view with) {
    text.replace(text.find(what), what.size(), with);
}

}  // namespace

Notice notice_of_failure(const Events& events) {
    if (events.trace.fault.empty()) return {};
    Notice notice;
    notice.text = events.trace.fault;
    notice.opening = events.event_of(static_cast<std::uint32_t>(events.events.size() - 1));
    return notice;
}

std::string page(const Replay& replay, const std::string& title, const Notice& notice) {
    Columns columns;
    std::map<std::string, std::uint16_t> phrases;
    add_events(replay.events(), columns);
    for (const Order order : all_orders) add_order(replay, order, phrases, columns);
    json header = header_of(replay, title);
    const auto step_of = [&](std::uint32_t event) { return step_with(replay.steps(Order::lanes), event); };
    header["notice"] = {{"text", notice.text}, {"links", json::array()}};
    for (const Notice::Link& link : notice.links)
        header["notice"]["links"].push_back({link.text, step_of(link.event)});
    if (notice.left_out_line != 0)
        header["notice"]["leftOut"] = {{"file", notice.left_out_file}, {"line", notice.left_out_line}};
    if (notice.opening != none) header["notice"]["opening"] = step_of(notice.opening);
    header["columns"] = columns.index();
    header["phrases"] = json::array();
    for (const auto& [phrase, number] : phrases) header["phrases"][number] = phrase;
    std::string json_text = header.dump();
    // A script ends at "</", whatever it holds.
    for (std::size_t at = 0; (at = json_text.find("</", at)) != std::string::npos; at += 3)
        json_text.insert(at + 1, "\\");
    std::string text(kernel_view_page::page_html());
    replace(text, "@TITLE@", title);
    replace(text, "@HEADER@", json_text);
    replace(text, "@DATA@", base64(deflated(columns.bytes())));
    replace(text, "@REPLAY@", kernel_view_page::replay_js());
    return text;
}

std::string page(compaction::LaneTrace trace, const std::string& title) {
    const Replay replay(std::move(trace));
    Notice notice = notice_of_failure(replay.events());
    if (notice.text.empty()) notice.text = replay.events().trace.missing_lines;
    return page(replay, title, notice);
}

}  // namespace warpsieve::kernel_view
