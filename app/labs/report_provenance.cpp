#include "app/labs/report_provenance.hpp"

#include <string>

#include "app/labs/bench_command.hpp"

namespace warpsieve::labs {
namespace {

std::string standing(const Report& report) {
    const std::size_t measured = report.measurement->results.size();
    const std::string count = std::to_string(measured) + (measured == 1 ? " setting" : " settings");
    switch (report.state) {
        case State::running:
            return count + " so far, still measuring";
        case State::done:
            return count;
        case State::cancelled:
            return count + ", cancelled";
        case State::failed:
            return count + ", ended early: " + report.failure;
    }
    return count;
}

}  // namespace

Provenance provenance_of(const Report& report) {
    const experiments::Machine& machine = report.machine;
    Provenance provenance{{}, bench_command(*report.job)};
    const auto add = [&](const char* name, std::string value) {
        provenance.items.push_back({name, value.empty() ? "unknown" : std::move(value)});
    };
    add("device", machine.device);
    add("driver", machine.driver);
    add("warpsieve", machine.version + " (" + machine.commit + ")");
    add("measured", report.job->title);
    add("results", standing(report));
    add("mode",
        report.any_interactive() ? "interactive: the scene was running" : "measured with the scene held");
    add("date", machine.date);
    return provenance;
}

}  // namespace warpsieve::labs
