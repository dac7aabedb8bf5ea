#include "app/view_model/messages.hpp"

#include <algorithm>
#include <utility>

namespace warpsieve {

void add_message(Messages& messages, Message message) {
    const auto same = std::ranges::find_if(messages, [&](const Message& other) {
        return other.severity == message.severity && other.text == message.text;
    });
    if (same != messages.end()) {
        message.num_reports += same->num_reports;
        messages.erase(same);
    }
    // An info does not replace an error of its topic.
    std::erase_if(messages, [&](const Message& other) {
        const bool outranked = other.severity == Severity::error && message.severity == Severity::info;
        return message.topic != Topic::general && other.topic == message.topic && !outranked;
    });
    messages.push_back(std::move(message));
}

void withdraw_messages(Messages& messages, Topic topic) {
    std::erase_if(messages, [&](const Message& other) { return other.topic == topic; });
}

}  // namespace warpsieve
