// SPDX-License-Identifier: BSD-3-Clause
// A device made of fibers: blocks of 64 threads whose warps go in lockstep where the kernel asks them to, and in an order
// drawn from a seed everywhere else. What the bodies of kernels share is shared here: they run, and can be broken,
// without a device. Collectives that not all lanes reach, and barriers that not all threads reach, are errors.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstring>
#include <deque>
#include <memory>
#include <stdexcept>
#include <vector>

#include "hgrid/core/filter.hpp"
#include "hgrid/kernels/block.hpp"
#include "support/random.hpp"

namespace support {

/// What a planted fault breaks.
enum class Fault {
  none,
  barrier,      ///< one barrier of every five is missing (`which` says which of them)
  ballot,       ///< the mask lacks its first lane
  shuffle,      ///< the value comes from the next lane
  counter,      ///< an atomic addition is not atomic
  publication,  ///< a tile's state is an inclusive sum before it is one
};

class Machine;

/// The block that bodies see; see kernels/block.hpp.
class LockstepBlock {
 public:
  static constexpr int threads = 64;

  int thread() const { return thread_; }
  int lane() const { return thread_ % 32; }
  int warp() const { return thread_ / 32; }
  template <class T>
  T* shared(int bytes) const {
    return reinterpret_cast<T*>(memory_ + bytes);
  }
  void barrier();
  std::uint32_t ballot(bool bit);
  template <class T>
  T shuffle(T v, int from);
  template <class T>
  T shuffle_up(T v, int distance) {
    return shuffle(v, lane() >= distance ? lane() - distance : lane());
  }
  static int bits(std::uint32_t mask) { return __builtin_popcount(mask); }
  static int lowest_bit(std::uint32_t mask) { return __builtin_ctz(mask); }
  hgrid::word_t add(hgrid::word_t* p, hgrid::word_t v);
  void publish(hgrid::word_t* p, hgrid::word_t v);
  hgrid::word_t observe(const hgrid::word_t* p);
  hgrid::FilterRecord load(const hgrid::FilterRecord* p) const { return *p; }

 private:
  friend class Machine;
  LockstepBlock(Machine& machine, int block, int thread, char* memory)
      : machine_(&machine), memory_(memory), block_(block), thread_(thread) {}

  Machine* machine_;
  char* memory_;
  int block_, thread_;
  int barriers_ = 0;
};

/// Runs one launch.
class Machine {
 public:
  Machine(Random& random, Fault fault, int which) : random_(random), fault_(fault), which_(which) {}

  template <class Body>
  void run(int blocks, std::size_t shared, const Body& body) {
    std::vector<std::vector<char>> memory;
    for (int b = 0; b < blocks; ++b) memory.emplace_back(shared, static_cast<char>(0xA5));
    for (int b = 0; b < blocks; ++b) {
      for (int t = 0; t < LockstepBlock::threads; ++t) {
        auto lane = std::make_unique<Lane>(LockstepBlock(*this, b, t, memory[b].data()));
        lane->fiber = Fiber{[&body, l = lane.get()](Fiber&& scheduler) {
          l->scheduler = std::move(scheduler);
          body(l->block);
          l->waits_for = Wait::done;
          return std::move(l->scheduler);
        }};
        lanes_.push_back(std::move(lane));
      }
    }
    schedule();
  }

 private:
  friend class LockstepBlock;
  using Fiber = boost::context::fiber;
  enum class Wait { nothing, barrier, ballot, shuffle, done };

  struct Lane {
    explicit Lane(const LockstepBlock& b) : block(b) {}
    LockstepBlock block;
    Fiber fiber, scheduler;
    Wait waits_for = Wait::nothing;
    std::uint64_t value[2] = {};  // what it brought to its last two collectives
    int collectives = 0;
  };

  struct Publication {
    hgrid::word_t* p;
    hgrid::word_t v;
  };

  Lane& lane_of(const LockstepBlock& b) { return *lanes_[b.block_ * LockstepBlock::threads + b.thread_]; }

  void pause(Lane& lane, Wait wait) {
    lane.waits_for = wait;
    lane.scheduler = std::move(lane.scheduler).resume();
  }

  void schedule() {
    std::vector<Lane*> ready;
    std::size_t done = 0;
    while (done < lanes_.size()) {
      if (!pending_.empty() && (random_.integer(0, 3) == 0 || ready.empty())) land();
      ready.clear();
      for (const auto& lane : lanes_) {
        if (lane->waits_for == Wait::nothing) ready.push_back(lane.get());
      }
      if (ready.empty() && !release()) throw std::runtime_error("threads wait for others that never come");
      for (std::size_t left = ready.size(); left > 0; --left) {  // each once, in a drawn order
        std::swap(ready[random_.integer(0, static_cast<int>(left) - 1)], ready[left - 1]);
        Lane& lane = *ready[left - 1];
        lane.fiber = std::move(lane.fiber).resume();
        if (lane.waits_for == Wait::done) ++done;
      }
      release();
    }
    while (!pending_.empty()) land();
  }

  /// Publications become visible late, those to different words in any order, those to one word in their own.
  void land() {
    const std::size_t drawn = random_.integer(0, static_cast<int>(pending_.size()) - 1);
    for (std::size_t k = 0; k <= drawn; ++k) {
      if (pending_[k].p != pending_[drawn].p) continue;
      *pending_[k].p = pending_[k].v;
      pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(k));
      return;
    }
  }

  // Lets go on whoever waited for others that have come. A warp whose lanes wait for different things never goes on.
  bool release() {
    bool any = false;
    const auto release_groups = [&](std::size_t size, auto&& together) {
      for (std::size_t first = 0; first < lanes_.size(); first += size) {
        const Wait wait = lanes_[first]->waits_for;
        if (!together(wait)) continue;
        bool all = true;
        for (std::size_t k = 0; k < size; ++k) all = all && lanes_[first + k]->waits_for == wait;
        for (std::size_t k = 0; k < size && all; ++k) lanes_[first + k]->waits_for = Wait::nothing;
        any = any || all;
      }
    };
    release_groups(32, [](Wait w) { return w == Wait::ballot || w == Wait::shuffle; });
    release_groups(LockstepBlock::threads, [](Wait w) { return w == Wait::barrier; });
    return any;
  }

  /// Brings a value to a collective and returns where the lanes of the warp left theirs.
  std::size_t meet(Lane& lane, std::uint64_t value, Wait wait) {
    const std::size_t place = lane.collectives++ % 2;
    lane.value[place] = value;
    pause(lane, wait);
    return place;
  }
  std::uint64_t value_of(const Lane& lane, int of_lane, std::size_t place) const {
    const std::size_t first = lane.block.block_ * LockstepBlock::threads + lane.block.warp() * 32;
    return lanes_[first + static_cast<std::size_t>(of_lane)]->value[place];
  }

  Random& random_;
  Fault fault_;
  int which_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::deque<Publication> pending_;
};

inline void LockstepBlock::barrier() {
  if (machine_->fault_ == Fault::barrier && barriers_++ % 5 == machine_->which_) return;
  machine_->pause(machine_->lane_of(*this), Machine::Wait::barrier);
}

inline std::uint32_t LockstepBlock::ballot(bool bit) {
  Machine::Lane& me = machine_->lane_of(*this);
  const std::size_t place = machine_->meet(me, bit, Machine::Wait::ballot);
  std::uint32_t mask = 0;
  for (int k = machine_->fault_ == Fault::ballot; k < 32; ++k) mask |= static_cast<std::uint32_t>(machine_->value_of(me, k, place)) << k;
  return mask;
}

template <class T>
T LockstepBlock::shuffle(T v, int from) {
  static_assert(sizeof(T) <= 8);
  Machine::Lane& me = machine_->lane_of(*this);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof v);
  const std::size_t place = machine_->meet(me, bits, Machine::Wait::shuffle);
  bits = machine_->value_of(me, (from + (machine_->fault_ == Fault::shuffle)) % 32, place);
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

inline hgrid::word_t LockstepBlock::add(hgrid::word_t* p, hgrid::word_t v) {
  const hgrid::word_t old = *p;
  if (machine_->fault_ == Fault::counter) machine_->pause(machine_->lane_of(*this), Machine::Wait::nothing);
  *p = old + v;
  return old;
}

inline void LockstepBlock::publish(hgrid::word_t* p, hgrid::word_t v) {
  using namespace hgrid::tile_state;
  if (machine_->fault_ == Fault::publication) v = pack(value(v), inclusive);
  machine_->pending_.push_back({p, v});
}

inline hgrid::word_t LockstepBlock::observe(const hgrid::word_t* p) {
  machine_->pause(machine_->lane_of(*this), Machine::Wait::nothing);
  return *p;
}

}  // namespace support
