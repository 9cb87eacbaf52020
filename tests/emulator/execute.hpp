// SPDX-License-Identifier: BSD-3-Clause
// A kernel's launch.
#pragma once

#include <vector_types.h>

#include <cstddef>
#include <vector>

#include "module.hpp"

namespace emulator {

struct Launch {
  Kernel* kernel;
  dim3 grid, block;
  std::size_t dynamic_shared;
  std::vector<char> parameters;
};

/// Runs all blocks, several at once, in an order drawn from the seed. Stops the program if no thread can continue.
void execute(const Launch& launch);

}  // namespace emulator
