#include "app/labs/example.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace warpsieve::labs {
namespace {

using compaction::Option;
using experiments::Result;
using experiments::Setting;

constexpr double launch_us = 3;
constexpr double us_per_byte = 4e-7;  // of an everyday memory
constexpr double spread = 0.03;       // from the median to a quartile

/// From 0 to 1, the same for the same name.
double share_of(std::string_view name) {
    std::uint32_t hash = 2166136261U;
    for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
    return static_cast<double>(hash % 1000) / 1000;
}

/// 1 at the best value of an option, rising with the distance in powers of two.
double valley(std::uint32_t value, double best) {
    return value == 0 ? 1 : 1 + 0.06 * std::abs(std::log2(static_cast<double>(value) / best));
}

double copy_us_of(const experiments::StreamSpec& stream) {
    const auto bytes =
        static_cast<double>(stream.num_items) * static_cast<double>(bytes_of(stream.item_size));
    return launch_us / 2 + 2 * bytes * us_per_byte;
}

double call_us_of(const Setting& setting) {
    const double slower = 0.9 + 1.6 * share_of(setting.algorithm->id);
    return (launch_us + copy_us_of(setting.stream) * slower * (0.6 + 0.4 * setting.stream.density)) *
           valley(setting.options[Option::threads_per_block], 256) *
           valley(setting.options[Option::blocks], 64) * valley(setting.options[Option::sequences], 256) *
           valley(setting.options[Option::vector_width], 4);
}

Result result_of(const Setting& setting) {
    const double us = call_us_of(setting);
    const double copy_us = copy_us_of(setting.stream);
    Result result;
    result.setting = setting;
    result.settled = true;
    result.num_kept =
        static_cast<std::uint64_t>(static_cast<double>(setting.stream.num_items) * setting.stream.density);
    result.us = {us, us * (1 - spread), us * (1 + spread), us * (1 - 2 * spread), us * (1 + 4 * spread), 60,
                 0};
    result.median_us = {us * (1 - spread / 3), us * (1 + spread / 3), 0.95};
    result.copy_us = result.floor_us = copy_us;
    const auto useful_bytes = static_cast<double>(experiments::useful_bytes(
        setting.algorithm->operation, setting.stream.num_items, result.num_kept, setting.stream.item_size));
    const double copied_bytes = 2 * static_cast<double>(setting.stream.num_items) *
                                static_cast<double>(bytes_of(setting.stream.item_size));
    result.useful_gb_s = useful_bytes / us * 1e-3;
    result.share_of_copy = useful_bytes / us * copy_us / copied_bytes;
    return result;
}

}  // namespace

std::shared_ptr<const Report> example_report(const Job& job) {
    auto measurement = std::make_shared<experiments::Measurement>();
    for (const Setting& setting : job.settings) {
        measurement->results.push_back(result_of(setting));
        if (!measurement->copies.empty() && measurement->copies.back().stream == setting.stream) continue;
        experiments::CopyResult copy;
        copy.stream = setting.stream;
        const double us = copy_us_of(setting.stream);
        copy.us = {us, us, us, us, us, 60, 0};
        copy.gb_s = 2 * static_cast<double>(setting.stream.num_items) *
                    static_cast<double>(bytes_of(setting.stream.item_size)) / us * 1e-3;
        measurement->copies.push_back(copy);
    }
    auto report = std::make_shared<Report>();
    report->state = State::done;
    report->job = std::make_shared<const Job>(job);
    report->interactive.assign(measurement->results.size(), false);
    report->measurement = std::move(measurement);
    return report;
}

}  // namespace warpsieve::labs
