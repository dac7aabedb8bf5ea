#pragma once

#include <cstddef>
#include <iterator>
#include <tuple>

/// Stands in for Thrust in tests on the simulated GPU, which zip pointers.
namespace thrust {

template <typename TupleT>
class zip_iterator;

template <typename... Ts>
class zip_iterator<std::tuple<Ts*...>> {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::tuple<std::remove_const_t<Ts>...>;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = std::tuple<Ts&...>;

    explicit zip_iterator(Ts*... columns) : columns_(columns...) {}

    const std::tuple<Ts*...>& get_iterator_tuple() const { return columns_; }
    reference operator[](difference_type i) const {
        return std::apply([i](Ts*... columns) { return reference(columns[i]...); }, columns_);
    }
    reference operator*() const { return (*this)[0]; }
    zip_iterator operator+(difference_type i) const {
        return std::apply([i](Ts*... columns) { return zip_iterator((columns + i)...); }, columns_);
    }

  private:
    std::tuple<Ts*...> columns_;
};

template <typename... Ts>
zip_iterator<std::tuple<Ts*...>> make_zip_iterator(Ts*... columns) {
    return zip_iterator<std::tuple<Ts*...>>(columns...);
}

}  // namespace thrust
