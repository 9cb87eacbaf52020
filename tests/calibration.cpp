// SPDX-License-Identifier: BSD-3-Clause
// The costs that plans are made with: the shipped ones, files, and the fit of measured runs.
#include "host/planning/calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hgrid/core/error.hpp"
#include "support/random.hpp"

namespace {

using hgrid::SearchCosts;
using hgrid::detail::CalibrationRun;

TEST(Calibration, FilesNameExecutors) {
  const std::string text = "# made up\n\nserial 1 2 3 4 5 6   # a comment\nopenmp 0 0.5 1e-3 0 7 0\r\n";
  EXPECT_EQ(hgrid::detail::costs_in(text, "serial"), (SearchCosts{1, 2, 3, 4, 5, 6, 60}));
  EXPECT_EQ(hgrid::detail::costs_in(text, "openmp"), (SearchCosts{0, 0.5, 1e-3, 0, 7, 0, 60}));
  EXPECT_EQ(hgrid::detail::costs_in(text, "kokkos"), SearchCosts{});
  EXPECT_EQ(hgrid::detail::costs_in("", "serial"), SearchCosts{});
}

TEST(Calibration, ShippedCostsAreThese) {
  EXPECT_EQ(SearchCosts{}, (SearchCosts{25, 4, 0.6, 2.5, 28, 10, 60}));  // plans, hence orders of lists, depend on them
}

TEST(Calibration, MalformedFilesAreErrorsThatNameTheLine) {
  for (const char* line : {"serial", "serial 1 2 3 4", "serial 1 2 3 4 5 6 7", "serial 1 2 3 -4 5 6", "serial 1 2 nan 4 5 6",
                           "serial 1 2 x 4 5 6", "serial 0 0 0 0 0 0", "serial 1,5 2 3 4 5 6", "serial 1 2 3 inf 5 6",
                           "\x7f"
                           "ELF"}) {
    try {
      hgrid::detail::costs_in(std::string("# first\n") + line + "\n",
                              "openmp");  // lines of other executors count too
      ADD_FAILURE() << "accepted: " << line;
    } catch (const hgrid::Error& e) {
      EXPECT_EQ(e.code(), hgrid::ErrorCode::format) << line;
      EXPECT_NE(std::string(e.what()).find("line 2"), std::string::npos) << e.what();
    }
  }
}

TEST(Calibration, AFitFindsTheCostsThatMadeTheTimes) {
  const SearchCosts truth{14, 0, 0.4, 2.5, 30, 80};  // one of them at its bound
  support::Random random(7);
  std::vector<CalibrationRun> runs;
  for (int k = 0; k < 40; ++k) {
    CalibrationRun run{{random.real(1, 2), 0, random.real(5, 200)}, random.real(0, 3), 0};
    if (k % 3 == 0) {
      run.work.compacted_rows = random.real(1, 20), run.work.compacted_slots = 1;
    } else {
      run.work.rows = random.real(1, 20), run.work.cells = random.real(0, 8);
    }
    run.time = 25 + 3 * run.contacts + run.work.cost(truth);
    runs.push_back(run);
  }
  const SearchCosts found = hgrid::detail::fit_costs(runs);
  EXPECT_NEAR(found.setup, truth.setup, 0.01);
  EXPECT_NEAR(found.row, truth.row, 0.01);
  EXPECT_NEAR(found.candidate, truth.candidate, 0.001);
  EXPECT_NEAR(found.cell, truth.cell, 0.01);
  EXPECT_NEAR(found.compacted_row, truth.compacted_row, 0.01);
  EXPECT_NEAR(found.compacted_slot, truth.compacted_slot, 0.1);
  runs[3].time = 0;
  EXPECT_THROW(hgrid::detail::fit_costs(runs), hgrid::Error);
  EXPECT_THROW(hgrid::detail::fit_costs(std::span(runs).first(7)), hgrid::Error);
}

}  // namespace
