#pragma once

namespace warpsieve {

/// `warpsieve reproduce`: measures published results again, prints both side by side, answers the
/// publications' questions and writes reports. See --help.
int run_reproduce(int argc, char** argv);

}  // namespace warpsieve
