#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace warpsieve {

enum class Severity : std::uint8_t { info, warning, error };

/// What a message is about. Of one topic only the newest message counts, but general ones stand side by side.
enum class Topic : std::uint8_t { general, settings, captures };

/// A line the window shows until it is dismissed or its cause is gone.
struct Message {
    Severity severity = Severity::info;
    std::string text;
    double expires_s = 0;  ///< application time; 0: stays until dismissed
    Topic topic = Topic::general;
    std::size_t times = 1;  ///< how often it was told
};

/// In the order of the last time they were told.
using Messages = std::deque<Message>;

/// What is told again is counted, not shown again; and of a topic that is not general, what was told before
/// goes.
void add_message(Messages& messages, Message message);

/// Takes back what was told of a topic that is not general: its cause is gone.
void withdraw_messages(Messages& messages, Topic topic);

}  // namespace warpsieve
