#include "app/view_model/messages.hpp"

#include <gtest/gtest.h>

namespace warpsieve {
namespace {

Message error(const char* text, Topic topic = Topic::general) {
    return {.severity = Severity::error, .text = text, .topic = topic};
}

TEST(Messages, WhatIsToldAgainIsCountedAndNewest) {
    Messages messages;
    add_message(messages, error("one"));
    add_message(messages, error("two"));
    add_message(messages, error("one"));
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_EQ(messages[0].text, "two");
    EXPECT_EQ(messages[1].text, "one");
    EXPECT_EQ(messages[1].num_reports, 2U);
}

TEST(Messages, OfATopicOnlyTheNewestStays) {
    Messages messages;
    add_message(messages, error("a general one"));
    add_message(messages, error("2^20 slots do not fit", Topic::settings));
    add_message(messages, error("2^21 slots do not fit", Topic::settings));
    add_message(messages, error("no picture", Topic::captures));
    ASSERT_EQ(messages.size(), 3U);
    EXPECT_EQ(messages[1].text, "2^21 slots do not fit");
    EXPECT_EQ(messages[1].num_reports, 1U);
}

TEST(Messages, OfATopicWhatIsToldAgainIsCounted) {
    Messages messages;
    for (int i = 0; i < 51; ++i) add_message(messages, error("too many slots", Topic::settings));
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].num_reports, 51U);
}

TEST(Messages, AreTakenBackByTopic) {
    Messages messages;
    add_message(messages, error("a general one"));
    add_message(messages, error("too many slots", Topic::settings));
    withdraw_messages(messages, Topic::settings);
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].text, "a general one");
}

}  // namespace
}  // namespace warpsieve
