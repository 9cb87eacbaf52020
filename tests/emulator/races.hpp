// SPDX-License-Identifier: BSD-3-Clause
// Races on a block's shared memory: two threads at one byte, one of them writing, with no barrier between.
#pragma once

#include <cstdint>
#include <vector>

namespace emulator {

struct Block;
struct Lane;

class SharedRaces {
 public:
  void begin(std::size_t bytes, std::uint32_t warps);
  void barrier() { ++epoch_; }
  void warp_barrier(std::uint32_t warp) { ++warp_epoch_[warp]; }
  /// Reports it if it races with an earlier one.
  void access(const Block& block, const Lane& lane, std::uint32_t offset, std::uint32_t bytes, int kind, int statement);

 private:
  static constexpr std::uint16_t nobody = 0xFFFF, several = 0xFFFE;
  struct Access {
    std::uint32_t epoch = 0, warp_epoch = 0;
    std::uint16_t thread = nobody;
    int statement = 0;
  };
  struct Byte {
    Access write, read;
    bool atomic = false;  // the write
  };
  bool ordered(const Access& before, const Lane& lane) const;
  void note(Access& access, const Lane& lane, int statement) const;

  std::vector<Byte> bytes_;
  std::vector<std::uint32_t> warp_epoch_;
  std::uint32_t epoch_ = 0;
};

}  // namespace emulator
