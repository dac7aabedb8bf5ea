// The queue between the window's callbacks and the frames.
#include <gtest/gtest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <string>

#include "app/gl/keys.hpp"

namespace warpsieve::gl {
namespace {

using Kind = KeyEvent::Kind;

KeyEvent press(int key, bool ctrl = false) {
    return {.key = key, .ctrl = ctrl};
}
KeyEvent release(int key) {
    return {.kind = Kind::release, .key = key};
}

/// The keys that a frame receives, as "+A -A".
std::string next(KeyQueue& queue, bool typing = false) {
    std::string text;
    for (const KeyEvent& event : queue.next_frame(typing)) {
        const char sign = event.kind == Kind::character ? '\'' : event.kind == Kind::release ? '-' : '+';
        const char name = event.kind == Kind::character        ? static_cast<char>(event.character)
                          : event.key == GLFW_KEY_BACKSPACE    ? '<'
                          : event.key == GLFW_KEY_ENTER        ? '$'
                          : event.key == GLFW_KEY_LEFT_CONTROL ? '^'
                                                               : static_cast<char>(event.key);
        text += (text.empty() ? "" : " ") + std::string{sign, name};
    }
    return text;
}

TEST(Keys, APressShorterThanAFrameIsDownForAFrame) {
    KeyQueue queue;
    queue.push(press(GLFW_KEY_A));
    queue.push(release(GLFW_KEY_A));
    EXPECT_EQ(next(queue), "+A");
    EXPECT_FALSE(queue.empty());
    EXPECT_EQ(next(queue), "-A");
    EXPECT_TRUE(queue.empty());
}

TEST(Keys, AllPressesOfAFrameArriveInOrder) {
    KeyQueue queue;
    for (const int key : {GLFW_KEY_A, GLFW_KEY_B, GLFW_KEY_A}) {
        queue.push(press(key));
        queue.push(release(key));
    }
    EXPECT_EQ(next(queue), "+A +B +A");
    EXPECT_EQ(next(queue), "-A -B -A");
}

TEST(Keys, AKeyHasTheModifiersOfItsMoment) {
    KeyQueue queue;
    queue.push(press(GLFW_KEY_LEFT_CONTROL));
    queue.push(press(GLFW_KEY_A, true));
    queue.push(release(GLFW_KEY_A));
    queue.push(release(GLFW_KEY_LEFT_CONTROL));
    queue.push(press(GLFW_KEY_B));
    const auto events = queue.next_frame(false);
    ASSERT_EQ(events.size(), 3U);
    EXPECT_TRUE(events[1].ctrl);
    EXPECT_FALSE(events[2].ctrl);
}

TEST(Keys, KeysAfterAClickBelongToTheNextFrame) {
    KeyQueue queue;
    queue.push(press(GLFW_KEY_LEFT_CONTROL));
    queue.push_click();
    queue.push(press(GLFW_KEY_B));
    EXPECT_EQ(next(queue), "+^");
    EXPECT_EQ(next(queue), "+B");
}

TEST(Keys, ATextFieldEditsInTheOrderOfTheKeys) {
    KeyQueue queue;
    const auto type = [&](char character) {
        queue.push(press(character - 'a' + GLFW_KEY_A));
        queue.push({.kind = Kind::character, .character = static_cast<unsigned>(character)});
        queue.push(release(character - 'a' + GLFW_KEY_A));
    };
    const auto tap = [&](int key) {
        queue.push(press(key));
        queue.push(release(key));
    };
    type('a');
    type('b');
    tap(GLFW_KEY_BACKSPACE);
    tap(GLFW_KEY_BACKSPACE);
    type('c');
    tap(GLFW_KEY_ENTER);
    EXPECT_EQ(next(queue, true), "+A 'a +B 'b");
    EXPECT_EQ(next(queue, true), "-A -B +<");
    EXPECT_EQ(next(queue, true), "-< +< +C");
    EXPECT_EQ(next(queue, true), "-< 'c -C");
    EXPECT_EQ(next(queue, true), "+$");
}

}  // namespace
}  // namespace warpsieve::gl
