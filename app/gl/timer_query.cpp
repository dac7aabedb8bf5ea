#include "app/gl/timer_query.hpp"

namespace warpsieve::gl {

void TimerQuery::begin() {
    active_ = num_ended_ - num_read_ < max_in_flight;
    if (active_) glBeginQuery(GL_TIME_ELAPSED, queries_[num_ended_ % max_in_flight].name());
}

void TimerQuery::end() {
    if (!active_) return;
    glEndQuery(GL_TIME_ELAPSED);
    ++num_ended_;
    active_ = false;
}

std::optional<double> TimerQuery::poll_us() {
    if (num_read_ == num_ended_) return std::nullopt;
    const GLuint query = queries_[num_read_ % max_in_flight].name();
    GLuint available = 0;
    glGetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &available);
    if (!available) return std::nullopt;
    GLuint64 ns = 0;
    glGetQueryObjectui64v(query, GL_QUERY_RESULT, &ns);
    ++num_read_;
    return static_cast<double>(ns) * 1e-3;
}

}  // namespace warpsieve::gl
