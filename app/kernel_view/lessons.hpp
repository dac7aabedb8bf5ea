#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "app/kernel_view/recording.hpp"
#include "app/kernel_view/replay.hpp"
#include "compaction/item.hpp"

/// The lessons of the tutorial, as states of the kernel view.
namespace warpsieve::kernel_view {

/// A state of the kernel view, and a question that its controls answer.
struct Lesson {
    std::string_view id;         ///< also names its page in docs/tutorial/lessons
    std::string_view name;       ///< "Count by ballot"
    std::string_view algorithm;  ///< Algorithm::id
    std::uint32_t num_items = 0;
    compaction::ItemSize item_size = compaction::ItemSize::bytes_4;
    std::uint32_t schedule_seed = 0;
    std::string_view line;      ///< text of the line of source at which it opens
    std::string_view question;  ///< one sentence or more
    std::string_view hint;      ///< a sentence: which controls answer the question
};

/// The items of every lesson are a random stream with this seed, half of them kept.
inline constexpr std::uint32_t lesson_items_seed = 1;

std::span<const Lesson> lessons();
/// The lesson with that id; null if there is none.
const Lesson* find_lesson(std::string_view id);
/// The recording of its trace; null if there is none.
const BuiltInRecording* recording_of(const Lesson& lesson);
/// Whether this build can show it: it traces kernels, or has recorded this trace.
bool can_show(const Lesson& lesson);

/// The first step at a line whose text contains `text`, or at a call from there, as the page finds it for
/// #line=; step 0 if there is none.
std::size_t first_at_text(const Events& events, const Steps& steps, std::string_view text);

}  // namespace warpsieve::kernel_view
