#pragma once

namespace warpsieve {

/// `warpsieve reproduce`: runs what others published, prints published and here side by side, answers the
/// publications' questions by number, writes reports. See --help.
int run_reproduce(int argc, char** argv);

}  // namespace warpsieve
