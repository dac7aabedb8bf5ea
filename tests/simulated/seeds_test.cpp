// The seed of the simulated tests, and how to choose another.
#include "tests/simulated/seeds.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

namespace {

/// Sets the environment variable of the seed; the destructor restores it.
class ChosenSeed {
  public:
    explicit ChosenSeed(const char* value) {
        if (const char* const old = std::getenv(simulated_seeds::variable)) old_ = old;
        if (value != nullptr)
            setenv(simulated_seeds::variable, value, 1);
        else
            unsetenv(simulated_seeds::variable);
    }
    ~ChosenSeed() {
        if (old_)
            setenv(simulated_seeds::variable, old_->c_str(), 1);
        else
            unsetenv(simulated_seeds::variable);
    }
    ChosenSeed(const ChosenSeed&) = delete;
    ChosenSeed& operator=(const ChosenSeed&) = delete;

  private:
    std::optional<std::string> old_;
};

TEST(Seed, IsThePlannedOneUnlessTheEnvironmentNamesAnother) {
    {
        const ChosenSeed none(nullptr);
        EXPECT_EQ(simulated_seeds::or_chosen(8), 8);
    }
    const ChosenSeed chosen("47");
    EXPECT_EQ(simulated_seeds::or_chosen(8), 47);
}

TEST(Seed, OfTheEnvironmentMustBeAnInteger) {
    for (const char* const wrong : {"", "-1", "4x", " 4", "99999999999"}) {
        const ChosenSeed chosen(wrong);
        EXPECT_THROW((void)simulated_seeds::or_chosen(8), std::invalid_argument) << wrong;
    }
}

TEST(Seed, IsInTheLineThatRepeatsATest) {
    EXPECT_EQ(simulated_seeds::repeat_line("simulated_kernels_test", 8),
              "Repeat: WARPSIEVE_SIMULATED_SEED=8 simulated_kernels_test "
              "--gtest_filter='Seed.IsInTheLineThatRepeatsATest'");
}

}  // namespace
