// SPDX-License-Identifier: BSD-3-Clause
// Counts of warps without a device: the instructions that they issue and the sectors of memory that they request, while a
// program profiles (cudaProfilerStart) and EMU_COUNTS names a file, which gets a line of JSON for each kernel and memset.
//
// Threads run one by one here. Each notes the basic blocks that it enters, and its accesses. When a block of threads has ended,
// its warps are run again in lockstep: lanes that part at a branch run one group after the other, up to the block where they
// meet (basic_blocks.py). Compilers that do not let lanes which leave a loop hold up the others arrange it so. A warp is
// taken to find the last 64 sectors that it read in its first-level cache. Waiting for other blocks of threads is counted as it
// happened here, not as it would on a device.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace emulator {

struct Block;
struct Kernel;
struct Launch;

/// A basic block that a thread enters (0 bytes), or an access within it.
struct Event {
  std::uint64_t address;
  std::uint32_t what;  ///< the number of the block, or the statement
  std::uint32_t bytes : 31, writes : 1;
};
using Trace = std::vector<Event>;

/// The sectors that a warp has read last.
class Cache {
 public:
  /// Returns whether the sector is there; from now on it is.
  bool has(std::uint64_t sector);

 private:
  std::array<std::uint64_t, 64> sectors_{};
  std::size_t oldest_ = 0;
};

/// Counts of one launch.
class WarpCounts {
 public:
  void add(const Block& block);
  void write(const Launch& launch) const;

 private:
  void replay(const Kernel& kernel, const std::vector<const Trace*>& lanes);
  void request(std::vector<Event>& accesses, Cache& cache);

  std::uint64_t warps_ = 0, issued_ = 0, lanes_ = 0;     // instructions: of warps, of their lanes
  std::vector<std::uint64_t> entered_;                   // by basic block: how often warps were there
  std::uint64_t requests_ = 0, read_ = 0, written_ = 0;  // accesses of warps to global memory, sectors that these miss or write
  std::unordered_set<std::uint64_t> first_read_, first_written_;  // sectors
};

/// Another node than a kernel.
void count_node(const char* name, std::uint64_t bytes);

void profile(bool on);

}  // namespace emulator
