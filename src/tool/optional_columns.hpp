// SPDX-License-Identifier: BSD-3-Clause
// Arrays of particles that an option takes from a column of the file. This is the only place that lists them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "c/hgrid.h"
#include "hgrid/core/types.hpp"

namespace hgrid::tool {

/// A column of integers that distinguish particles.
struct OptionalColumn {
  const char* role;  ///< the name of an item; with -- before it the option, with s after it the name in a report
  const char* help;
  hgrid_array hgrid_particles::*numbers;  ///< takes the numbers, counted from 0 in their order
  std::int32_t hgrid_particles::*count;   ///< takes how many there are, unless it is null
  const char* if_one;                     ///< the addition to a report if there is only one
  bool negative_is_none = false;          ///< particles with a negative number have none

  std::string option() const { return std::string("--") + role; }
};

/// All columns, in the order of the help.
inline constexpr OptionalColumn optional_columns[] = {
    {.role = "world",
     .help = "Column of integers that tells worlds apart: only particles of equal ones pair",
     .numbers = &hgrid_particles::world,
     .count = &hgrid_particles::worlds,
     .if_one = ", so all particles may pair"},
    {.role = "group",
     .help = "Column of integers that tells bodies of several particles apart, such as clumps: pairs within one are left\n"
             "out. Particles with a number below 0, and of molecule 0, belong to none",
     .numbers = &hgrid_particles::group,
     .count = nullptr,
     .if_one = ", whose particles pair with all others",
     .negative_is_none = true},
};

/// A chosen column, by its name in the file.
struct ChosenColumn {
  const OptionalColumn* column;
  std::string name;
};

/// The array of a chosen column, for the library.
struct OptionalArray {
  const OptionalColumn* column;
  std::vector<index_t> numbers;  ///< of each particle
  index_t count = 0;
};

}  // namespace hgrid::tool
