#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace warpsieve {

enum class Severity : std::uint8_t { info, warning, error };

/// The subject of a message. A topic keeps only its newest message; general ones accumulate.
enum class Topic : std::uint8_t { general, settings, captures };

/// A line that the window shows until it is dismissed or its cause is gone.
struct Message {
    Severity severity = Severity::info;
    std::string text;
    double expires_s = 0;  ///< on the clock of DisplayInfo::now_s; 0: stays until dismissed
    Topic topic = Topic::general;
    std::size_t num_reports = 1;
};

/// Messages in the order of their last report.
using Messages = std::deque<Message>;

/// Adds a message. Counts a repeated one instead of showing it twice; replaces an earlier one of the same
/// topic, unless the topic is `general` or an info would replace an error.
void add_message(Messages& messages, Message message);

/// Removes the messages of a topic other than `general`: their cause is gone.
void withdraw_messages(Messages& messages, Topic topic);

}  // namespace warpsieve
