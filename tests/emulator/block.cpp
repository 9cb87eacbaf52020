// SPDX-License-Identifier: BSD-3-Clause
#include "block.hpp"

#include <algorithm>
#include <array>

#include "memory.hpp"
#include "settings.hpp"

namespace emulator {

void Lane::resume() { self = std::move(self).resume(); }

void Lane::wait(State why, int at) {
  state = why;
  statement = at;
  scheduler = std::move(scheduler).resume();
}

std::string Block::place_of(const Lane& lane) const {
  return fmt::format("block {} thread {}, statement {} of {}", number, lane.thread.flat, lane.statement,
                     kernel->label.substr(0, 200));
}

bool Block::run_warp(std::uint32_t w) {
  const std::uint32_t first = 32 * w, n = std::min(32u, size() - first);
  for (std::uint32_t i = first; i < first + n; ++i) {
    if (lanes[i].state == State::yielded) lanes[i].state = State::ready;
  }
  bool progress = false;
  while (true) {
    bool ran = false, yielded = false;
    const std::uint32_t start = draw(32), step = 2 * draw(16) + 1;
    for (std::uint32_t k = 0; k < 32; ++k) {
      const std::uint32_t i = (start + k * step) % 32;
      if (i >= n || lanes[first + i].state != State::ready) continue;
      lanes[first + i].resume();
      if (lanes[first + i].state == State::done) --alive;
      ran = true;
    }
    for (std::uint32_t i = first; i < first + n; ++i) yielded = yielded || lanes[i].state == State::yielded;
    const bool met = pass_collectives(*this, w) || (!yielded && pass_active_masks(*this, w));
    progress = progress || ran || met;
    if (!met || draw(64) == 0) return progress;
  }
}

bool Block::pass_barriers() {
  struct Meeting {
    std::uint32_t count = 0, needed = 0, ones = 0;
    int statement = 0;
  };
  std::array<Meeting, 16> meetings{};
  bool waiting = false;
  for (const Lane& lane : lanes) {
    if (lane.state != State::at_barrier) continue;
    Meeting& m = meetings[lane.barrier % 16];
    if (m.count > 0 && m.statement != lane.statement) {
      report("barriers " + kernel->name, "threads meet at different barriers: " + place_of(lane));
    }
    waiting = true, ++m.count, m.needed = lane.b, m.ones += lane.value != 0, m.statement = lane.statement;
  }
  bool passed = false;
  for (Lane& lane : lanes) {
    if (!waiting || lane.state != State::at_barrier) continue;
    const Meeting& m = meetings[lane.barrier % 16];
    if (m.count < (m.needed > 0 ? m.needed : alive)) continue;
    if (m.needed == 0 && alive < size())
      report("exited " + kernel->name, "a barrier that some threads never reach: " + place_of(lane));
    lane.result = lane.kind == EMU_BAR_POPC ? m.ones : lane.kind == EMU_BAR_OR ? m.ones > 0 : m.ones == m.count;
    lane.state = State::ready;
    passed = true;
  }
  if (passed) races.barrier();
  return passed;
}

bool pass_active_masks(Block& block, std::uint32_t w) {
  const std::uint32_t first = 32 * w, n = std::min(32u, block.size() - first);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Lane& lane = block.lanes[first + i];
    if (lane.state != State::at_active_mask) continue;
    std::uint32_t here = 0;
    for (std::uint32_t j = 0; j < n; ++j) {
      const Lane& other = block.lanes[first + j];
      if (other.state == State::at_active_mask && other.statement == lane.statement) here |= 1u << j;
    }
    if (draw(4) == 0) {
      const std::uint32_t some = here & draw(~0u);
      here = some != 0 ? some : here;
    }
    for (std::uint32_t j = 0; j < n; ++j) {
      if (here >> j & 1) block.lanes[first + j].result = here, block.lanes[first + j].state = State::ready;
    }
    return true;
  }
  return false;
}

}  // namespace emulator

using emulator::lane_of;
using emulator::State;

void emu_fault(Thread* t, const char* what, u64 address, u32 bytes, int statement) {
  emulator::Lane& lane = lane_of(t);
  lane.statement = statement;
  emulator::stop(fmt::format("{}: {} bytes at {:#x} ({}), {}", what, bytes, address, emulator::nearest_allocation(address),
                             lane.block->place_of(lane)));
}

void emu_unwritten(Thread* t, u64 address, u32 bytes, int statement) {
  emulator::Lane& lane = lane_of(t);
  lane.statement = statement;
  emulator::report(fmt::format("unwritten {} {}", statement, lane.block->kernel->name),
                   fmt::format("read of memory that was never written: {} bytes at {}, {}", bytes,
                               emulator::nearest_allocation(address), lane.block->place_of(lane)));
}

void emu_yield(Thread* t, int statement) { lane_of(t).wait(State::yielded, statement); }

void emu_yield_at_times(Thread* t, int statement) {
  if (emulator::draw(16) == 0) emu_yield(t, statement);
}

u32 emu_barrier(Thread* t, u32 id, u32 count, int kind, u32 value, int statement) {
  emulator::Lane& lane = lane_of(t);
  lane.barrier = id, lane.b = count, lane.kind = kind, lane.value = value;
  lane.wait(State::at_barrier, statement);
  return static_cast<u32>(lane.result);
}

u64 emu_collective(Thread* t, int kind, u32 mask, u64 value, u32 b, u32 c, u32* predicate, int statement) {
  emulator::Lane& lane = lane_of(t);
  lane.kind = kind, lane.mask = mask, lane.value = value, lane.b = b, lane.c = c;
  lane.wait(State::at_collective, statement);
  if (predicate != nullptr) *predicate = lane.predicate;
  return lane.result;
}

u32 emu_active_mask(Thread* t, int statement) {
  emulator::Lane& lane = lane_of(t);
  lane.wait(State::at_active_mask, statement);
  return static_cast<u32>(lane.result);
}
