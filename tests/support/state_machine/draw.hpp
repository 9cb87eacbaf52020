// SPDX-License-Identifier: BSD-3-Clause
// The sequence of a seed.
#pragma once

#include "support/state_machine/places.hpp"
#include "support/state_machine/sequence.hpp"

namespace support::machine {

class SequenceGenerator {
 public:
  explicit SequenceGenerator(std::uint64_t seed) : random_(seed) { s_.drawn_from = seed; }

  Sequence make() {
    s_.dimension = random_.integer(2, 3);
    s_.executor = random_.integer(0, 2);
    s_.memory = 1 + random_.bits() % 1000;
    large_ = random_.chance(0.04);
    apart_ = random_.chance(0.7) ? 0 : random_.chance(0.8) ? random_.integer(1, 4) : random_.integer(5, 40);
    for (int n = random_.integer(1, 3); n > 0; --n) s_.grids.push_back(drawn_grid());
    for (int n = random_.integer(1, 3); n > 0; --n) s_.verlets.push_back(drawn_verlet());
    for (int n = random_.integer(1, 3); n > 0; --n) s_.worlds.push_back(drawn_world());
    for (int n = random_.integer(30, 60); n > 0; --n) s_.operations.push_back(drawn_operation());
    return s_;
  }

 private:
  GridSpec drawn_grid() {
    GridSpec g;
    g.keys = random_.integer(0, 1), g.table = random_.integer(0, 2), g.sort = random_.integer(0, 2);
    g.schedule = random_.integer(0, 1), g.direction = random_.integer(0, 1);
    if (random_.chance(0.5)) g.keys = g.table = g.sort = 0;  // the options that most users have
    if (random_.chance(0.3)) g.levels = random_.integer(1, 4);
    g.rule = random_.chance(0.8) ? 0 : 1;
    g.box = random_.chance(0.2) ? 0 : box_number();
    return g;
  }

  VerletSpec drawn_verlet() {
    VerletSpec v;
    v.grid = one_of(s_.grids);
    v.full = random_.chance(0.3), v.choose = random_.chance(0.3) && !large_, v.rebuild = !random_.chance(0.1);
    v.check_every = random_.chance(0.85) ? 1 : random_.integer(2, 4);
    v.skin = v.choose || random_.chance(0.9) ? drawn_skin() : 0;
    return v;
  }

  WorldSpec drawn_world() {
    WorldSpec w;
    w.dimension = s_.dimension;
    w.seed = small_seed(), w.count = drawn_count();
    w.scale = random_.chance(0.7) ? 1 : random_.chance(0.5) ? 0.5 : 2;
    w.clustered = random_.chance(0.2), w.ghosts = random_.chance(0.2), w.skip = random_.chance(0.2);
    w.grouped = random_.chance(0.2), w.excluding = random_.chance(0.2);
    w.apart = random_.chance(0.9) ? apart_ : random_.integer(0, 3);
    return w;
  }

  // Returns a skin. In the unit cube each of thousands of particles would have a thousand neighbors within a skin that suits
  // few.
  double drawn_skin() { return random_.log_real(0.002, 0.3) * (large_ ? 0.03 : 1); }

  // Mostly few, so that all pairs are cheap; in a large sequence also a thousand times as many.
  int drawn_count() {
    const double which = random_.real();
    if (which < 0.1) return 0;
    if (which < 0.4) return random_.integer(1, 6);
    if (large_ && which > 0.97) return random_.integer(20000, 40000);
    if (large_ && which > 0.8) return random_.integer(800, 6000);
    return random_.integer(5, which > 0.95 ? 200 : 60);
  }

  Operation drawn_operation() {
    int sum = 0;
    for (const KindInfo& info : kinds()) sum += info.weight;
    int left = random_.integer(0, sum - 1);
    std::size_t which = 0;
    while (left >= kinds()[which].weight) left -= kinds()[which++].weight;
    Operation op{static_cast<Kind>(which), {}};
    for (const Field f : kinds()[which].fields) op.field[f] = drawn(f);
    if (op.what == Kind::set_box || op.what == Kind::set_boxes) op.field[seed] = static_cast<double>(box_number());
    return op;
  }

  double drawn(Field f) {
    switch (f) {
      case grid:
      case other:
        return one_of(s_.grids);
      case world:
        return one_of(s_.worlds);
      case verlet:
        return one_of(s_.verlets);
      case list:
        return random_.integer(0, pair_lists - 1);
      case rows:
        return random_.integer(0, row_lists - 1);
      case seed:
        return static_cast<double>(small_seed());
      case kind:
        return random_.integer(0, 15);
      case place:
        return random_.integer(0, 60);
      case count:
        return drawn_count();
      case skin:
        return random_.chance(0.4) ? 0 : drawn_skin();
      case by:
        return random_.chance(0.1) ? 0 : random_.log_real(1e-4, 0.3) * (large_ ? 0.03 : 1);  // a margin, too
      case refuse:
        return random_.chance(0.75) ? 0 : random_.integer(1, random_.chance(0.5) ? 6 : 30);
      default:
        return 0;
    }
  }

  template <class T>
  int one_of(const std::vector<T>& all) {
    return random_.integer(0, static_cast<int>(all.size()) - 1);
  }
  std::uint64_t box_number() { return small_seed() + (random_.chance(0.15) ? upright_boxes : 0); }
  std::uint64_t small_seed() { return 1 + random_.bits() % 1000000; }

  Random random_;
  Sequence s_;
  bool large_ = false;
  int apart_ = 0;
};

inline Sequence make_sequence(std::uint64_t seed) { return SequenceGenerator(seed).make(); }

}  // namespace support::machine
