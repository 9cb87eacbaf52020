// SPDX-License-Identifier: BSD-3-Clause
// The kernels of a program: found in its fat binaries, translated when they are first used.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "kernel.h"

namespace emulator {

/// The contents of one fat binary.
struct Module {
  std::map<std::string, std::string> entries;  ///< PTX of each kernel
  std::string declarations;                    ///< the module's variables
  std::map<std::string, std::uint64_t> variables;
};

/// The PTX for the oldest architecture in a fat binary. Stops the program if there is none, or if it is compressed.
Module* read_fat_binary(const void* data);

struct Kernel {
  Module* module;
  std::string name, label;  ///< linked name, and written name
  void (*run)(Thread*, const char* parameters) = nullptr;
  std::uint32_t shared_bytes = 0, most_threads = 1024, parameter_bytes = 0, parameters = 0;
  const std::uint32_t *offset = nullptr, *bytes = nullptr;  ///< offset and size of each parameter
  const std::uint32_t* instructions = nullptr;              ///< instructions of each basic block, if they are counted
  /// where lanes meet again that part at a block's end
  const std::uint32_t *meeting_points = nullptr, *first_meeting_point = nullptr;
  std::uint32_t all_instructions = 0;  ///< sum over all blocks
  int most_dynamic = 48 * 1024;        ///< bytes of dynamic shared memory
};

/// Translates, compiles and loads the kernel, unless that was done before.
void load(Kernel& kernel);

}  // namespace emulator
