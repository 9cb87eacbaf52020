// SPDX-License-Identifier: BSD-3-Clause
// The reference for the client's results: all pairs under all images, tried one by one.
#pragma once

#include <hgrid11.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

using Entry = std::array<int, 5>;  // two ids and an image
using Entries = std::set<Entry>;

inline void require(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

/// Draws numbers that are equal on every platform; <random> would be a third of the client's compile time.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double operator()(double lo, double hi) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
    return lo + (hi - lo) * static_cast<double>(state_ >> 33) / 2147483648.0;
  }

 private:
  std::uint64_t state_;
};

template <int D>
struct System {
  std::vector<double> x, r;                                  // x0 y0 z0 x1 ...
  double vectors[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};  // of the box
  bool periodic[3] = {false, false, false};
  int most = 4;  // images along a periodic axis and side

  System(std::size_t n, double length, double smallest, double largest, unsigned seed) : x(D * n), r(n) {
    Random random(seed);
    for (double& c : x) c = random(-0.3 * length, 1.2 * length);
    for (double& a : r) a = random(smallest, largest);
  }

  std::size_t size() const { return r.size(); }
  double at(std::size_t i, std::size_t k) const { return k < D ? x[D * i + k] : 0; }
  /// Makes the box periodic along these axes.
  System& repeat(const double (&along)[3][3]) {
    for (int j = 0; j < 3; ++j) {
      periodic[j] = true;
      for (int k = 0; k < 3; ++k) vectors[j][k] = along[j][k];
    }
    return *this;
  }

  struct Shift {
    std::array<int, 3> m;
    double by[3];
  };
  /// Returns all shifts of images that a pair may have.
  std::vector<Shift> shifts() const {
    std::vector<Shift> found;
    const int mx = periodic[0] ? most : 0, my = periodic[1] ? most : 0, mz = periodic[2] ? most : 0;
    for (int a = -mx; a <= mx; ++a) {
      for (int b = -my; b <= my; ++b) {
        for (int c = -mz; c <= mz; ++c) {
          Shift shift = {{{a, b, c}}, {0, 0, 0}};
          for (int k = 0; k < 3; ++k) shift.by[k] = a * vectors[0][k] + b * vectors[1][k] + c * vectors[2][k];
          found.push_back(shift);
        }
      }
    }
    return found;
  }

  /// f(m) for all images under which the centres are within `reach`.
  template <class F>
  void for_each_near(std::size_t i, std::size_t j, double reach, const std::vector<Shift>& images, const F& f) const {
    const double d[3] = {at(i, 0) - at(j, 0), at(i, 1) - at(j, 1), at(i, 2) - at(j, 2)}, most_squared = reach * reach;
    for (const Shift& shift : images) {
      const double dx = d[0] - shift.by[0], xx = dx * dx;
      if (xx > most_squared) continue;
      const double dy = d[1] - shift.by[1], dz = d[2] - shift.by[2];
      if (xx + dy * dy + dz * dz <= most_squared) f(shift.m);
    }
  }

  Entries pairs(double skin = 0) const {
    Entries found;
    const std::array<int, 3> none = {{0, 0, 0}};
    const std::vector<Shift> images = shifts();
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t j = i; j < size(); ++j) {
        for_each_near(i, j, r[i] + r[j] + skin, images, [&](const std::array<int, 3>& m) {
          if (i != j || m > none) found.insert({{static_cast<int>(i), static_cast<int>(j), m[0], m[1], m[2]}});
        });
      }
    }
    return found;
  }
};

/// Returns the pairs as both of their particles see them.
inline Entries from_both_sides(const Entries& pairs) {
  Entries both = pairs;
  for (const Entry& e : pairs) both.insert({{e[1], e[0], -e[2], -e[3], -e[4]}});
  return both;
}

inline Entry entry_of(std::int64_t i, std::int32_t j, const hgrid11::Image& m) {
  return {{static_cast<int>(i), j, m[0], m[1], m[2]}};
}
inline Entries entries_of(const hgrid11::PairList& pairs) {
  Entries found;
  for (const hgrid11::Pair p : pairs) found.insert(entry_of(p.i, p.j, p.image));
  require(static_cast<std::int64_t>(found.size()) == pairs.size(), "each pair is there once");
  return found;
}
template <class List>
Entries entries_of_lists(const List& list) {
  Entries found;
  std::int64_t entry = 0;
  for (std::int64_t i = 0; i < list.lists(); ++i) {
    for (const hgrid11::Neighbour n : list[i]) {
      found.insert(entry_of(i, n.id, n.image));
      require(n.entry == entry++, "entries count on");
    }
  }
  require(static_cast<std::int64_t>(found.size()) == list.size(), "each entry is there once");
  return found;
}
inline Entries entries_of(const hgrid11::NeighbourList& list) { return entries_of_lists(list); }
inline Entries entries_of(const hgrid11::PackedList& list) { return entries_of_lists(list); }

void test_inputs();
void test_lists();
void test_entries();
void test_loop();
void test_errors();
void test_copies();
void test_objects();
void test_walls();
