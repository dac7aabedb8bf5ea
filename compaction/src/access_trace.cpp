#include "compaction/access_trace.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "access_trace_writer.hpp"
#include "packed_numbers.hpp"

namespace compaction {
namespace {

// The first two bytes of an access, which AccessTrace describes.
constexpr unsigned kind_mask = 7;
// Values of the kind besides those of AccessKind.
constexpr unsigned bulk_store_of_equal_values = 5;
constexpr unsigned next_launch = 7;
constexpr unsigned step_changes = 1U << 3;
constexpr unsigned mask_form_shift = 4;
constexpr unsigned mask_form_mask = 3;
constexpr unsigned index_form_shift = 6;
constexpr unsigned buffer_mask = 15;
constexpr unsigned buffer_follows = 15;  // the number of the buffer follows the two bytes
constexpr unsigned width_shift = 4;
constexpr unsigned max_short_width = 15;
constexpr unsigned width_follows = 0;  // the number of elements per lane follows them

enum MaskForm : unsigned { all_lanes, first_lanes, one_lane, arbitrary_lanes };
enum IndexForm : unsigned { contiguous, equal_distance, arbitrary_indices };

unsigned lanes_below(unsigned end) {
    return end >= 32 ? ~0U : (1U << end) - 1;
}

MaskForm form_of_mask(std::uint32_t mask) {
    if (mask == ~0U) return all_lanes;
    if (std::has_single_bit(mask)) return one_lane;
    return std::has_single_bit(std::uint64_t{mask} + 1) ? first_lanes : arbitrary_lanes;
}

std::int64_t difference(std::uint64_t to, std::uint64_t from) {
    return static_cast<std::int64_t>(to - from);
}

/// How the indices advance from lane to lane. The elements of one lane are always contiguous.
IndexForm form_of_indices(const WarpAccess& access) {
    const auto& elements = access.elements;
    const std::size_t width = access.elements_per_lane;
    const std::int64_t distance = elements.size() > width ? difference(elements[width], elements[0]) : 0;
    for (std::size_t i = width; i < elements.size(); i += width)
        if (difference(elements[i], elements[i - width]) != distance) return arbitrary_indices;
    return elements.size() <= width || distance == static_cast<std::int64_t>(width) ? contiguous
                                                                                    : equal_distance;
}

bool receives_items(const TracedBuffer& buffer) {
    return buffer.role == BufferRole::items || buffer.role == BufferRole::output;
}

std::uint64_t word_at(const std::byte* bytes, std::size_t size) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, std::min(size, sizeof word));
    return word;
}

std::uint64_t num_warps(const TracedLaunch& launch) {
    return (std::uint64_t{launch.threads} + 31) / 32;
}

}  // namespace

std::string_view name_of(BufferRole role) {
    constexpr std::array names{"input",  "counts",  "offsets", "flags",  "sums",        "tree",
                               "status", "counter", "items",   "output", "num_selected"};
    return names[static_cast<std::size_t>(role)];
}

std::string_view name_of(AccessKind kind) {
    constexpr std::array names{"load", "store", "atomic", "bulk load", "bulk store"};
    return names[static_cast<std::size_t>(kind)];
}

std::uint64_t WarpAccess::value(std::size_t i) const {
    const std::size_t bytes = elements.empty() ? 0 : values.size() / elements.size();
    return word_at(values.data() + i * bytes, bytes);
}

std::optional<std::uint32_t> AccessTrace::buffer_of(BufferRole role) const {
    const auto found = std::ranges::find(buffers, role, &TracedBuffer::role);
    if (found == buffers.end()) return {};
    return static_cast<std::uint32_t>(found - buffers.begin());
}

// --- AccessWriter ---

AccessWriter::AccessWriter(AccessTrace& trace)
    : trace_(trace), ends_(trace.buffers.size()), last_values_(trace.buffers.size()) {
    if (trace.buffers.empty()) return;
    const TracedBuffer& input = trace.buffers.front();
    const auto* const bytes = reinterpret_cast<const char*>(input.initial.data());
    for (std::uint64_t i = 0; i < input.num_elements; ++i)
        indices_by_bytes_[std::string(bytes + i * input.element_bytes, input.element_bytes)].push_back(i);
}

void AccessWriter::add(const WarpAccess& access) {
    for (; launch_ < access.launch; ++launch_) {
        put_byte(next_launch);
        warp_in_launch_ = 0;
    }
    const TracedBuffer& buffer = trace_.buffers[access.buffer];
    const bool values_equal =
        access.kind == AccessKind::bulk_store && !receives_items(buffer) &&
        buffer.element_bytes <= sizeof(std::uint64_t) && !access.elements.empty() &&
        std::equal(access.values.begin() + static_cast<std::ptrdiff_t>(buffer.element_bytes),
                   access.values.end(), access.values.begin());
    const MaskForm mask_form = form_of_mask(access.lane_mask);
    const IndexForm index_form = form_of_indices(access);
    put_byte((values_equal ? bulk_store_of_equal_values : static_cast<unsigned>(access.kind)) |
             (access.step != step_ ? step_changes : 0) | mask_form << mask_form_shift |
             index_form << index_form_shift);
    const unsigned short_buffer = std::min(access.buffer, buffer_follows);
    const unsigned short_width =
        access.elements_per_lane <= max_short_width ? access.elements_per_lane : width_follows;
    put_byte(short_buffer | short_width << width_shift);
    if (short_buffer == buffer_follows) put_number(access.buffer);
    if (short_width == width_follows) put_number(access.elements_per_lane);
    if (access.step != step_) put_number(access.step - step_);
    step_ = access.step;
    const auto warp =
        static_cast<std::int64_t>(access.block * num_warps(trace_.launches[launch_]) + access.warp);
    put_signed(warp - warp_in_launch_);
    warp_in_launch_ = warp;
    const auto lanes_end = static_cast<unsigned>(std::bit_width(access.lane_mask));
    if (mask_form == first_lanes) put_byte(lanes_end);
    if (mask_form == one_lane) put_byte(lanes_end - 1);
    if (mask_form == arbitrary_lanes)
        for (unsigned shift = 0; shift < 32; shift += 8) put_byte(access.lane_mask >> shift & 0xff);
    put_elements(access, index_form);
    if (stores(access.kind)) put_values(access, values_equal);
    ++trace_.num_accesses;
    trace_.num_steps = access.step + 1;
}

void AccessWriter::put_elements(const WarpAccess& access, unsigned form) {
    const auto& elements = access.elements;
    const std::size_t width = access.elements_per_lane;
    put_signed(difference(elements.front(), ends_[access.buffer]));
    ends_[access.buffer] = elements.back() + 1;
    if (form == equal_distance) put_signed(difference(elements[width], elements[0]));
    if (form == arbitrary_indices)
        for (std::size_t i = width; i < elements.size(); i += width)
            put_signed(difference(elements[i], elements[i - width]));
}

void AccessWriter::put_values(const WarpAccess& access, bool values_equal) {
    const TracedBuffer& buffer = trace_.buffers[access.buffer];
    trace_.num_stored_values += access.elements.size();
    const std::size_t bytes = buffer.element_bytes;
    std::uint64_t& last = last_values_[access.buffer];
    for (std::size_t i = 0; i < (values_equal ? 1 : access.elements.size()); ++i) {
        const std::byte* const value = access.values.data() + i * bytes;
        if (receives_items(buffer)) {
            put_item(value, bytes);
        } else if (bytes > sizeof(std::uint64_t)) {
            trace_.packed.insert(trace_.packed.end(), value, value + bytes);
        } else {
            const std::uint64_t word = word_at(value, bytes);
            put_signed(difference(word, last));
            last = word;
        }
    }
}

void AccessWriter::put_item(const std::byte* value, std::size_t bytes) {
    const auto found = indices_by_bytes_.find(std::string(reinterpret_cast<const char*>(value), bytes));
    if (found == indices_by_bytes_.end()) {
        put_number(0);  // not an item of the input: its bytes follow
        trace_.packed.insert(trace_.packed.end(), value, value + bytes);
        return;
    }
    const std::vector<std::uint64_t>& indices = found->second;
    const auto next = std::ranges::lower_bound(indices, next_item_);
    const std::uint64_t index = next == indices.end() ? indices.back() : *next;
    const std::int64_t distance = difference(index, next_item_);
    put_number(unsigned_from(distance) + 1);
    next_item_ = index + 1;
}

// --- AccessReader ---

AccessReader::AccessReader(const AccessTrace& trace)
    : trace_(&trace), ends_(trace.buffers.size()), last_values_(trace.buffers.size()) {}

std::uint64_t AccessReader::read_byte() {
    return get_byte(trace_->packed, position_);
}
std::uint64_t AccessReader::read_number() {
    return get_number(trace_->packed, position_);
}
std::int64_t AccessReader::read_signed() {
    return signed_from(read_number());
}

std::uint32_t AccessReader::read_mask(unsigned form) {
    if (form == all_lanes) return ~0U;
    if (form == first_lanes) return lanes_below(static_cast<unsigned>(read_byte()));
    if (form == one_lane) return 1U << (read_byte() & 31);
    std::uint64_t mask = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) mask |= read_byte() << shift;
    return static_cast<std::uint32_t>(mask);
}

bool AccessReader::next() {
    unsigned head = 0;
    while (true) {
        if (position_ == trace_->packed.size()) return false;
        head = static_cast<unsigned>(read_byte());
        if ((head & kind_mask) != next_launch) break;
        ++access_.launch;
        warp_in_launch_ = 0;
    }
    const bool values_equal = (head & kind_mask) == bulk_store_of_equal_values;
    access_.kind = values_equal ? AccessKind::bulk_store : static_cast<AccessKind>(head & kind_mask);
    require_intact(access_.kind <= AccessKind::bulk_store);
    const auto buffer_and_width = static_cast<unsigned>(read_byte());
    access_.buffer = buffer_and_width & buffer_mask;
    access_.elements_per_lane = buffer_and_width >> width_shift;
    if (access_.buffer == buffer_follows) access_.buffer = static_cast<std::uint32_t>(read_number());
    if (access_.elements_per_lane == width_follows)
        access_.elements_per_lane = static_cast<std::uint32_t>(read_number());
    if (head & step_changes) access_.step += read_number();
    require_intact(access_.buffer < trace_->buffers.size() && access_.launch < trace_->launches.size());
    const TracedLaunch& launch = trace_->launches[access_.launch];
    warp_in_launch_ += read_signed();
    const auto warp = static_cast<std::uint64_t>(warp_in_launch_);
    require_intact(launch.threads > 0 && warp / num_warps(launch) < launch.multiprocessors.size());
    access_.block = static_cast<std::uint32_t>(warp / num_warps(launch));
    access_.warp = static_cast<std::uint32_t>(warp % num_warps(launch));
    access_.multiprocessor = launch.multiprocessors[access_.block];
    access_.lane_mask = read_mask(head >> mask_form_shift & mask_form_mask);
    read_elements(head >> index_form_shift, static_cast<std::uint64_t>(std::popcount(access_.lane_mask)));
    access_.values.clear();
    if (stores(access_.kind)) read_values(values_equal);
    return true;
}

void AccessReader::read_elements(unsigned form, std::uint64_t num_lanes) {
    const std::uint64_t width = access_.elements_per_lane;
    const std::uint64_t num_elements = trace_->buffers[access_.buffer].num_elements;
    require_intact(num_lanes > 0 && width > 0 && width <= num_elements);
    access_.elements.resize(num_lanes * width);
    std::uint64_t& end = ends_[access_.buffer];
    std::uint64_t first = end + static_cast<std::uint64_t>(read_signed());
    std::uint64_t distance = width;
    if (form == equal_distance) distance = static_cast<std::uint64_t>(read_signed());
    for (std::uint64_t lane = 0; lane < num_lanes; ++lane) {
        if (lane > 0)
            first += form == arbitrary_indices ? static_cast<std::uint64_t>(read_signed()) : distance;
        require_intact(first <= num_elements - width);
        for (std::uint64_t i = 0; i < width; ++i) access_.elements[lane * width + i] = first + i;
    }
    end = access_.elements.back() + 1;
}

void AccessReader::read_values(bool values_equal) {
    const TracedBuffer& buffer = trace_->buffers[access_.buffer];
    const std::size_t bytes = buffer.element_bytes;
    access_.values.resize(access_.elements.size() * bytes);
    std::byte* value = access_.values.data();
    std::uint64_t& last = last_values_[access_.buffer];
    for (std::size_t i = 0; i < access_.elements.size(); ++i, value += bytes) {
        // 1 + the distance to an item of the input; 0 if the bytes of the value follow.
        const std::uint64_t packed_distance = receives_items(buffer) ? read_number() : 0;
        if (packed_distance > 0) {
            next_item_ += static_cast<std::uint64_t>(signed_from(packed_distance - 1));
            require_intact(next_item_ < trace_->buffers.front().num_elements &&
                           bytes == trace_->buffers.front().element_bytes);
            std::memcpy(value, trace_->buffers.front().initial.data() + next_item_ * bytes, bytes);
            ++next_item_;
        } else if (receives_items(buffer) || bytes > sizeof(std::uint64_t)) {
            require_intact(bytes <= trace_->packed.size() - position_);
            std::memcpy(value, trace_->packed.data() + position_, bytes);
            position_ += bytes;
        } else {
            if (!values_equal || i == 0) last += static_cast<std::uint64_t>(read_signed());
            std::memcpy(value, &last, bytes);
        }
    }
}

}  // namespace compaction
