// SPDX-License-Identifier: BSD-3-Clause
// Relaxes a random packing by pushing overlapping particles apart.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "hgrid/packing/packing.hpp"

namespace hgrid::inline v0_2 {

/// How far a packing is from having no overlap. An overlap is relative to the diameter of the smaller of the two particles: a
/// small particle sunk into a large one counts as 1 or more.
struct Relaxation {
  int iterations = 0;
  std::int64_t contacts = 0;
  double mean_overlap = 0;  ///< over the contacts
  double max_overlap = 0;
};

struct RelaxOptions {
  std::array<bool, 3> periodic{};  ///< per axis; the other axes have walls, which the particles do not cross
  double mean_overlap = 0.005;     ///< stop when both are reached,
  double max_overlap = 0.03;
  int max_iterations = 2000;                        ///< or after this number
  int threads = 0;                                  ///< for OpenMPExec; 0: its own choice. The result does not depend on it
  std::function<bool(const Relaxation&)> progress;  ///< called after each iteration; false stops
};

/// Moves the particles until their overlaps are small, and returns the overlaps reached. Above the packing fraction of random
/// close packing they stay larger than requested. Uses the contacts of the library itself. Throws `invalid_argument` if a
/// particle does not fit between walls.
Relaxation relax(Packing& packing, const RelaxOptions& options = {});

}  // namespace hgrid::inline v0_2
