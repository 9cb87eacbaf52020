// SPDX-License-Identifier: BSD-3-Clause
#include "races.hpp"

#include "block.hpp"
#include "settings.hpp"

namespace emulator {

void SharedRaces::begin(std::size_t bytes, std::uint32_t warps) {
  bytes_.assign(settings().races ? bytes : 0, {});
  warp_epoch_.assign(warps, 0);
  epoch_ = 0;
}

// Accesses are ordered by program order, a barrier of the block, or a barrier of the warp that both are in.
bool SharedRaces::ordered(const Access& before, const Lane& lane) const {
  if (before.thread == nobody || before.thread == lane.thread.flat || before.epoch < epoch_) return true;
  return before.thread != several && before.thread / 32 == lane.thread.warp &&
         before.warp_epoch < warp_epoch_[lane.thread.warp];
}

void SharedRaces::note(Access& access, const Lane& lane, int statement) const {
  access = {epoch_, warp_epoch_[lane.thread.warp], static_cast<std::uint16_t>(lane.thread.flat), statement};
}

void SharedRaces::access(const Block& block, const Lane& lane, std::uint32_t offset, std::uint32_t n, int kind, int statement) {
  const auto race = [&](const char* text, const Access& before) {
    report(fmt::format("race {} {} {}", statement, before.statement, block.kernel->name),
           fmt::format("race on shared memory, offset {}: {} of statement {}; {}", offset, text, before.statement,
                       block.place_of(lane)));
  };
  for (std::uint32_t k = offset; k < offset + n; ++k) {
    Byte& byte = bytes_[k];
    const bool both_atomic = kind == EMU_ATOMIC && byte.atomic;
    if (!both_atomic && !ordered(byte.write, lane))
      race(kind == EMU_READ ? "read after a write" : "write after a write", byte.write);
    if (kind != EMU_READ && !both_atomic && !ordered(byte.read, lane)) race("write after a read", byte.read);
    if (kind == EMU_READ) {
      const bool other_warp = byte.read.thread != nobody && byte.read.epoch == epoch_ &&
                              (byte.read.thread == several || byte.read.thread / 32 != lane.thread.warp);
      note(byte.read, lane, statement);
      if (other_warp) byte.read.thread = several;
    } else {
      note(byte.write, lane, statement);
      byte.atomic = kind == EMU_ATOMIC;
    }
  }
}

}  // namespace emulator

void emu_race(Thread* t, u32 offset, u32 bytes, int kind, int statement) {
  emulator::Lane& lane = emulator::lane_of(t);
  lane.statement = statement;
  lane.block->races.access(*lane.block, lane, offset, bytes, kind, statement);
}
