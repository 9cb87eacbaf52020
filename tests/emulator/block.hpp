// SPDX-License-Identifier: BSD-3-Clause
// The blocks of a running kernel: a fiber for each thread, and the event for which each thread waits.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstdint>
#include <vector>

#include "kernel.h"
#include "module.hpp"
#include "races.hpp"
#include "warp_counts.hpp"

namespace emulator {

enum class State : std::uint8_t { ready, yielded, at_barrier, at_collective, at_active_mask, done };

/// A thread. `thread` is first: the kernel's pointer to it is a pointer to this.
struct Lane {
  Thread thread;
  State state;
  int statement;             ///< where it waits
  int kind;                  ///< of collective or barrier
  std::uint32_t mask, b, c;  ///< of a collective; b: how many a barrier waits for, 0: all
  std::uint32_t barrier;     ///< its number
  std::uint64_t value, result;
  std::uint32_t predicate;
  struct Block* block;
  Trace trace;
  boost::context::fiber self, scheduler;

  /// Runs the thread until it waits.
  void resume();
  /// Waits for `why`, from within the lane's fiber.
  void wait(State why, int at);
};

struct Block {
  std::uint64_t number;
  const Kernel* kernel;
  std::vector<Lane> lanes;
  std::vector<std::uint8_t> shared;
  std::uint32_t alive;
  SharedRaces races;

  std::uint32_t size() const { return static_cast<std::uint32_t>(lanes.size()); }
  std::uint32_t warps() const { return (size() + 31) / 32; }
  /// Lets warp w run until all its threads wait. False if none could run.
  bool run_warp(std::uint32_t w);
  /// Lets threads continue that have met at a barrier. False if there are none.
  bool pass_barriers();
  /// "block 3 thread 4, statement 5 of f(int)".
  std::string place_of(const Lane& lane) const;
};

inline Lane& lane_of(Thread* t) { return *reinterpret_cast<Lane*>(t); }

/// Lets lanes of warp w continue whose collective all lanes of its mask have come to (collectives.cpp). False if there are
/// none.
bool pass_collectives(Block& block, std::uint32_t w);
/// Answers lanes that ask for the active mask: it may be any lanes at one statement.
bool pass_active_masks(Block& block, std::uint32_t w);

}  // namespace emulator
