// SPDX-License-Identifier: BSD-3-Clause
// The costs of the elementary steps of a search on this machine: shipped constants, or the costs that `hgrid calibrate`
// measured and wrote to a file that the environment names.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "hgrid/options.hpp"

namespace hgrid::inline v0_2::detail {

/// The number of each elementary step of a search.
struct SearchWork {
  double setups = 0, rows = 0, candidates = 0, cells = 0, compacted_rows = 0, compacted_slots = 0;

  double cost(const SearchCosts& c) const {
    return c.setup * setups + c.row * rows + c.candidate * candidates + c.cell * cells + c.compacted_row * compacted_rows +
           c.compacted_slot * compacted_slots;
  }

  SearchWork over(double n) const {
    return {setups / n, rows / n, candidates / n, cells / n, compacted_rows / n, compacted_slots / n};
  }

  SearchWork& operator+=(const SearchWork& o) {
    setups += o.setups, rows += o.rows, candidates += o.candidates, cells += o.cells;
    compacted_rows += o.compacted_rows, compacted_slots += o.compacted_slots;
    return *this;
  }
};

/// Returns the costs for an executor in the text of a calibration file. The file has one line per executor: its name and the
/// six costs in the order of SearchCosts, finite, not negative, and not all zero. # begins a comment. The cost of islands is
/// always the shipped one; without a line for the executor all costs are. Throws `format`, naming the text and the line.
SearchCosts costs_in(const std::string& text, std::string_view executor, const SearchCosts& shipped = {},
                     const std::string& name = "calibration");

/// One run: its steps, the contacts it listed and its time, all per particle.
struct CalibrationRun {
  SearchWork work;
  double contacts = 0, time = 0;
};

/// Returns the costs that explain the runs best: least squares of the relative error over non-negative constants, plus a
/// constant per particle and one per contact, which no plan can change. Throws `invalid_argument` for fewer than eight runs or
/// a time that is not positive.
SearchCosts fit_costs(std::span<const CalibrationRun> runs);

}  // namespace hgrid::inline v0_2::detail
