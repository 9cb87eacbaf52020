// SPDX-License-Identifier: BSD-3-Clause
// A device made of fibers: blocks of 64 threads whose warps go in lockstep where the kernel needs it, and in an order drawn
// from a seed everywhere else. Shared memory of the bodies of kernels is shared here, too: they run, and can be broken, without
// a device. Collectives that not all lanes reach, and barriers that not all threads reach, are errors.
#pragma once

#include <bit>
#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <cstring>
#include <deque>
#include <memory>
#include <stdexcept>
#include <vector>

#include "hgrid/core/filter.hpp"
#include "hgrid/device/block.hpp"
#include "support/random.hpp"

namespace support {

/// The mechanism that a planted fault breaks.
enum class Fault {
  none,
  barrier,      ///< one barrier of every five is missing (`which` says the number)
  ballot,       ///< the mask lacks its first lane
  shuffle,      ///< the value comes from the next lane
  counter,      ///< an atomic addition is not atomic
  publication,  ///< a tile's state is an inclusive sum before it is one
  active,       ///< a whole warp is said to be where some of its lanes are
  match,        ///< lanes with different addresses are taken for one group
  of_items,     ///< `ballot`, `shuffle` or `counter` (`which` says the number) in functors that run once an item
};

class Machine;

/// The block that bodies see; see device/block.hpp.
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
  void warp_barrier() { ballot(false); }
  std::uint32_t ballot(bool bit);
  template <class T>
  T shuffle(T v, int from);
  template <class T>
  T shuffle_up(T v, int distance) {
    return shuffle(v, lane() >= distance ? lane() - distance : lane());
  }
  static int bits(std::uint32_t mask) { return __builtin_popcount(mask); }
  static int lowest_bit(std::uint32_t mask) { return __builtin_ctz(mask); }
  static int highest_bit(std::uint32_t mask) { return 31 - __builtin_clz(mask); }
  static std::uint32_t with_sign(std::uint32_t bits, float v) { return bits << 1 | std::bit_cast<std::uint32_t>(v) >> 31; }
  template <class T>
  T add(T* p, T v);
  void publish(hgrid::detail::word_t* p, hgrid::detail::word_t v);
  hgrid::detail::word_t observe(const hgrid::detail::word_t* p);
  void pause() {}
  template <class T>
  T load(const T* p) const {
    return *p;
  }
  void store(hgrid::Pair* p, const hgrid::Pair& v) const { *p = v; }

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

  /// Calls f(item) for the items of one block.
  template <class F>
  void run_items(std::int64_t first, std::int64_t end, const F& f) {
    run(1, 0, [&](LockstepBlock& block) {
      if (first + block.thread() < end) f(first + block.thread());
    });
  }

  template <class Body>
  void run(int blocks, std::size_t shared, const Body& body) {
    std::vector<std::vector<char>> memory;
    for (int b = 0; b < blocks; ++b) memory.emplace_back(shared, static_cast<char>(0xA5));
    for (int b = 0; b < blocks; ++b) {
      for (int t = 0; t < LockstepBlock::threads; ++t) {
        auto lane = std::make_unique<Lane>(LockstepBlock(*this, b, t, memory[b].data()));
        lane->fiber = Fiber{std::allocator_arg, stacks(), [&body, l = lane.get()](Fiber&& scheduler) {
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
  friend class LockstepWarp;
  using Fiber = boost::context::fiber;
  enum class Wait { nothing, barrier, ballot, shuffle, active, group, done };

  /// A launch's most turns. Launches of the tests take a few thousand, and for one particle with thousands of neighbors some
  /// 100,000.
  static constexpr std::int64_t most_turns = 300'000;

  static boost::context::pooled_fixedsize_stack stacks() {
    static thread_local boost::context::pooled_fixedsize_stack pool;
    return pool;
  }

  struct Lane {
    explicit Lane(const LockstepBlock& b) : block(b) {}
    LockstepBlock block;
    Fiber fiber, scheduler;
    Wait waits_for = Wait::nothing;
    std::uint64_t value[2] = {};  // its values in its last two collectives
    int collectives = 0;
    std::uint32_t group = 0;  // of its warp's lanes, the ones that it meets
  };

  struct Publication {
    hgrid::detail::word_t* p;
    hgrid::detail::word_t v;
  };

  Lane& lane_of(const LockstepBlock& b) { return *lanes_[b.block_ * LockstepBlock::threads + b.thread_]; }

  void pause(Lane& lane, Wait wait) {
    lane.waits_for = wait;
    lane.scheduler = std::move(lane.scheduler).resume();
  }

  void schedule() {
    std::vector<Lane*> ready;
    std::size_t done = 0;
    for (std::int64_t turn = 0; done < lanes_.size(); ++turn) {
      if (turn == most_turns) throw std::runtime_error("threads go on for ever");
      if (!pending_.empty() && (random_.integer(0, 3) == 0 || ready.empty())) land();
      ready.clear();
      for (const auto& lane : lanes_) {
        if (lane->waits_for == Wait::nothing) ready.push_back(lane.get());
      }
      if (ready.empty() && !release()) throw std::runtime_error("threads wait for others that never come");
      for (std::size_t left = ready.size(); left > 0; --left) {  // each once, in a drawn order
        std::swap(ready[random_.integer(0, static_cast<int>(left) - 1)], ready[left - 1]);
        Lane& lane = *(running_ = ready[left - 1]);
        machine() = this;
        lane.fiber = std::move(lane.fiber).resume();
        if (lane.waits_for == Wait::done) ++done;
      }
      release();
    }
    while (!pending_.empty()) land();
    machine() = nullptr;
  }

  /// Makes publications visible late: to different words in any order, to one word in their own.
  void land() {
    const std::size_t drawn = random_.integer(0, static_cast<int>(pending_.size()) - 1);
    for (std::size_t k = 0; k <= drawn; ++k) {
      if (pending_[k].p != pending_[drawn].p) continue;
      *pending_[k].p = pending_[k].v;
      pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(k));
      return;
    }
  }

  // Lets lanes continue that waited for others that have come. A warp whose lanes wait for different things never continues.
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
    for (std::size_t first = 0; first < lanes_.size(); first += 32) any = release_some(&lanes_[first]) || any;
    return any;
  }

  /// Lets a complete group of a warp continue, or some of the lanes that ask for the active mask.
  bool release_some(const std::unique_ptr<Lane>* warp) {
    const auto waiting = [&](Wait wait, std::uint32_t group) {
      std::uint32_t lanes = 0;
      for (int k = 0; k < 32; ++k) {
        if (warp[k]->waits_for == wait && (group == 0 || warp[k]->group == group)) lanes |= 1u << k;
      }
      return lanes;
    };
    const auto let_go = [&](std::uint32_t lanes) {
      for (int k = 0; k < 32; ++k) {
        if (lanes >> k & 1) warp[k]->waits_for = Wait::nothing;
      }
      return lanes != 0;
    };
    bool any = false;
    for (int k = 0; k < 32; ++k) {
      const std::uint32_t group = warp[k]->group;
      if (warp[k]->waits_for == Wait::group && waiting(Wait::group, group) == group) any = let_go(group);
    }
    std::uint32_t here = waiting(Wait::active, 0);
    const auto drawn = here & static_cast<std::uint32_t>(random_.integer(0, 0x7fffffff));
    if (drawn != 0 && drawn % 4 != 0) here = drawn;  // now and then all of them
    for (int k = 0; k < 32; ++k) {
      if (here >> k & 1) warp[k]->group = here, warp[k]->collectives = 0;
    }
    return let_go(here) || any;
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

  static Machine*& machine() {
    static thread_local Machine* now = nullptr;
    return now;
  }

  Random& random_;
  Fault fault_;
  int which_;
  Lane* running_ = nullptr;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::deque<Publication> pending_;
};

}  // namespace support
