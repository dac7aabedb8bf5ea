#include "app/gl/timer_query.hpp"

namespace warpsieve::gl {

void TimerQuery::begin() {
    active_ = begun_ - read_ < max_in_flight;
    if (active_) glBeginQuery(GL_TIME_ELAPSED, queries_[begun_ % max_in_flight].name());
}

void TimerQuery::end() {
    if (!active_) return;
    glEndQuery(GL_TIME_ELAPSED);
    ++begun_;
    active_ = false;
}

std::optional<double> TimerQuery::poll_us() {
    if (read_ == begun_) return std::nullopt;
    const GLuint query = queries_[read_ % max_in_flight].name();
    GLuint available = 0;
    glGetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &available);
    if (!available) return std::nullopt;
    GLuint64 ns = 0;
    glGetQueryObjectui64v(query, GL_QUERY_RESULT, &ns);
    ++read_;
    return static_cast<double>(ns) * 1e-3;
}

}  // namespace warpsieve::gl
