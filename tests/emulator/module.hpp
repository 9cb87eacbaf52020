// SPDX-License-Identifier: BSD-3-Clause
// The kernels of a program: found in its fat binaries, translated when they are first used.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "kernel.h"

namespace emulator {

/// What one fat binary holds.
struct Module {
  std::map<std::string, std::string> entries;  ///< PTX of each kernel
  std::string declarations;                    ///< of the module's variables
  std::map<std::string, std::uint64_t> variables;
};

/// The PTX for the oldest architecture in a fat binary. Stops the program if there is none, or if it is compressed.
Module* read_fat_binary(const void* data);

struct Kernel {
  Module* module;
  std::string name, label;  ///< as it is linked, and as it is written
  void (*run)(Thread*, const char* parameters) = nullptr;
  std::uint32_t shared_bytes = 0, most_threads = 1024, parameter_bytes = 0, parameters = 0;
  const std::uint32_t *offset = nullptr, *bytes = nullptr;  ///< of each parameter
  const std::uint32_t* instructions = nullptr;              ///< of each basic block, where they are counted
  const std::uint32_t *meeting_points = nullptr, *first_meeting_point = nullptr;  ///< of lanes that part at a block's end
  std::uint32_t all_instructions = 0;                                             ///< of all blocks
  int most_dynamic = 48 * 1024;                                                   ///< bytes of dynamic shared memory
};

/// Translates, compiles and loads it, unless that was done before.
void load(Kernel& kernel);

}  // namespace emulator
