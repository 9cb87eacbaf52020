// SPDX-License-Identifier: BSD-3-Clause
// What the elementary steps of a search cost on this machine: shipped constants, or those that `hgrid
// calibrate` measured and wrote to a file that the environment names.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "hgrid/options.hpp"

namespace hgrid::inline v0_2::detail {

/// The elementary steps of a search: the number of each.
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

/// The costs for an executor in the text of a calibration file: a line an executor, its name and the six costs in the order
/// of SearchCosts, non-negative and finite, and not all zero; from # on lines are comments. That of islands is always the
/// shipped one, and so are all where it has no line. Throws `format`, naming the text and the line.
SearchCosts costs_in(const std::string& text, std::string_view executor, const SearchCosts& shipped = {},
                     const std::string& name = "calibration");

/// One run: the steps it took, the contacts it listed and the time it needed, all per particle.
struct CalibrationRun {
  SearchWork work;
  double contacts = 0, time = 0;
};

/// The costs that explain the runs best: least squares of the relative error over non-negative constants, one
/// more each for a particle and for a contact, which no plan can change. Throws `invalid_argument` for fewer
/// than eight runs or a time that is not positive.
SearchCosts fit_costs(std::span<const CalibrationRun> runs);

}  // namespace hgrid::inline v0_2::detail
