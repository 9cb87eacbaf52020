// SPDX-License-Identifier: BSD-3-Clause
// Collectives of the threads of the machine of fibers: LockstepBlock as described in device/block.hpp, LockstepWarp as in
// device/warp.hpp.
#pragma once

#include <algorithm>
#include <bit>

#include "hgrid/device/warp.hpp"
#include "support/lockstep_machine.hpp"

namespace support {

inline void LockstepBlock::barrier() {
  if (machine_->fault_ == Fault::barrier && barriers_++ % 5 == machine_->which_) return;
  machine_->pause(machine_->lane_of(*this), Machine::Wait::barrier);
}

inline std::uint32_t LockstepBlock::ballot(bool bit) {
  Machine::Lane& me = machine_->lane_of(*this);
  const std::size_t place = machine_->meet(me, bit, Machine::Wait::ballot);
  std::uint32_t mask = 0;
  for (int k = machine_->fault_ == Fault::ballot; k < 32; ++k)
    mask |= static_cast<std::uint32_t>(machine_->value_of(me, k, place)) << k;
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

template <class T>
T LockstepBlock::add(T* p, T v) {
  const T old = *p;
  if (machine_->fault_ == Fault::counter) machine_->pause(machine_->lane_of(*this), Machine::Wait::nothing);
  *p = old + v;
  return old;
}

inline void LockstepBlock::publish(hgrid::detail::word_t* p, hgrid::detail::word_t v) {
  using namespace hgrid::detail::tile_state;
  if (machine_->fault_ == Fault::publication) v = pack(value(v), before);
  machine_->pending_.push_back({p, v});
}

inline hgrid::detail::word_t LockstepBlock::observe(const hgrid::detail::word_t* p) {
  machine_->pause(machine_->lane_of(*this), Machine::Wait::nothing);
  return *p;
}

/// The warp that functors see which run once an item; see device/warp.hpp. Any lanes that wait may meet.
class LockstepWarp {
 public:
  LockstepWarp();
  int lane() const;
  std::uint32_t active() const;
  std::uint32_t match(std::uint32_t lanes, const double* p) const;
  std::uint32_t ballot(std::uint32_t lanes, bool bit) const;
  template <class T>
  T shuffle(std::uint32_t lanes, T v, int from) const;
  double look(const double* p) const;
  void max(double* p, double v) const { *p = std::max(*p, v); }
  hgrid::index_t add(hgrid::index_t* p, hgrid::index_t v) const;
  static int lowest_bit(std::uint32_t lanes) { return __builtin_ctz(lanes); }
  static int highest_bit(std::uint32_t lanes) { return 31 - __builtin_clz(lanes); }
  static int bits(std::uint32_t lanes) { return __builtin_popcount(lanes); }

 private:
  bool fails(Fault fault) const;

  Machine* machine_;
};

inline LockstepWarp::LockstepWarp() : machine_(Machine::machine()) {
  if (machine_ == nullptr) throw std::runtime_error("a functor uses its warp, but runs without one");
}

inline bool LockstepWarp::fails(Fault fault) const {
  return machine_->fault_ == Fault::of_items && machine_->which_ == static_cast<int>(fault);
}

inline int LockstepWarp::lane() const { return machine_->running_->block.lane(); }

inline std::uint32_t LockstepWarp::active() const {
  Machine::Lane& me = *machine_->running_;
  machine_->pause(me, Machine::Wait::active);
  return machine_->fault_ == Fault::active ? ~0u : me.group;
}

inline std::uint32_t LockstepWarp::match(std::uint32_t lanes, const double* p) const {
  Machine::Lane& me = *machine_->running_;
  me.group = lanes;
  const auto mine = reinterpret_cast<std::uint64_t>(p);
  const std::size_t place = machine_->meet(me, mine, Machine::Wait::group);
  std::uint32_t same = 0;
  for (int k = 0; k < 32; ++k) {
    const bool meets = lanes >> k & 1 && (machine_->fault_ == Fault::match || machine_->value_of(me, k, place) == mine);
    same |= static_cast<std::uint32_t>(meets) << k;
  }
  return same;
}

inline std::uint32_t LockstepWarp::ballot(std::uint32_t lanes, bool bit) const {
  Machine::Lane& me = *machine_->running_;
  me.group = lanes;
  const std::size_t place = machine_->meet(me, bit, Machine::Wait::group);
  std::uint32_t set = 0;
  for (std::uint32_t rest = fails(Fault::ballot) ? lanes & (lanes - 1) : lanes; rest != 0; rest &= rest - 1) {
    const int k = lowest_bit(rest);
    set |= static_cast<std::uint32_t>(machine_->value_of(me, k, place)) << k;
  }
  return set;
}

template <class T>
T LockstepWarp::shuffle(std::uint32_t lanes, T v, int from) const {
  Machine::Lane& me = *machine_->running_;
  me.group = lanes;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof v);
  const std::size_t place = machine_->meet(me, bits, Machine::Wait::group);
  if (const std::uint32_t others = lanes & ~(1u << from); fails(Fault::shuffle) && others != 0) from = lowest_bit(others);
  bits = machine_->value_of(me, from, place);
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

inline hgrid::index_t LockstepWarp::add(hgrid::index_t* p, hgrid::index_t v) const {
  const hgrid::index_t old = *p;
  if (fails(Fault::counter)) machine_->pause(*machine_->running_, Machine::Wait::nothing);
  *p = old + v;
  return old;
}

inline double LockstepWarp::look(const double* p) const {
  machine_->pause(*machine_->running_, Machine::Wait::nothing);
  return *p;
}

}  // namespace support
