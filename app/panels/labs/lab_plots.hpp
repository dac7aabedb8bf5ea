#pragma once

#include <memory>
#include <string>

#include "app/labs/reproduce.hpp"
#include "app/labs/sweep.hpp"

namespace warpsieve::panels {

/// A plot of a report, kept until the report or the displayed quantity changes.
struct KeptPlot {
    std::shared_ptr<const experiments::Measurement> measurement;  ///< that it shows
    labs::State state = labs::State::running;
    int shows = -1;
    labs::SweepPlot made;
    labs::LabRemarks remarks;
    std::string said;  ///< the result of the last click
};

/// What the labs with plots remember between frames.
struct LabPlots {
    KeptPlot sweep;
    KeptPlot steps;
    KeptPlot roofline;
    labs::Reproduce reproduce;
    std::shared_ptr<const labs::Report> example;  ///< of the lab that has no report yet
};

}  // namespace warpsieve::panels
