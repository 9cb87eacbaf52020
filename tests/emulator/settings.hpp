// SPDX-License-Identifier: BSD-3-Clause
// Settings of the emulated device from the environment, and the emulator's messages.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace emulator {

struct Settings {
  bool lazy;           ///< EMU_LAZY (1): work runs as late as CUDA allows; 0: when it is enqueued
  bool races;          ///< EMU_RACES (0): looks for races on shared memory
  bool pools;          ///< EMU_POOLS (1): memory pools are supported
  int devices;         ///< EMU_DEVICES (1)
  std::uint64_t seed;  ///< EMU_SEED (1): of the order of blocks, warps and lanes
  std::string cache;   ///< EMU_CACHE: the folder of translated kernels
  std::string counts;  ///< EMU_COUNTS: the file for the counts of warps while a program profiles, see warp_counts.hpp
  std::string fault;   ///< EMU_FAULT: one that is planted, KIND:NUMBER[:KERNEL], see translate.cpp and stream.cpp
};
const Settings& settings();

/// The device has this many multiprocessors, each with room for this many blocks of a kernel.
inline constexpr int multiprocessors = 2, blocks_of_multiprocessor = 2;

/// Reports a fault, and the program continues; a `key` is reported once. The process then ends with 1.
void report(const std::string& key, const std::string& text);

/// Something is wrong, and nothing after it would mean anything.
[[noreturn]] void stop(const std::string& text);

/// A number below n, drawn from the seed.
std::uint32_t draw(std::uint32_t n);

}  // namespace emulator
