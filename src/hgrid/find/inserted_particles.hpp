// SPDX-License-Identifier: BSD-3-Clause
// The particles that were inserted into a grid since its build. They have their own cells: a level for each octave of radii,
// and a hash table of chains instead of a sort. Cells and images are computed like the grid's.
#pragma once

#include <algorithm>
#include <utility>

#include "hgrid/find/touching.hpp"

namespace hgrid::inline v0_2::detail {

/// Uses the executor's memory: 80 to 160 bytes per particle in three dimensions. Keeps its capacity.
template <class Exec, int D>
class InsertedParticles {
 public:
  explicit InsertedParticles(const Exec& exec) : exec_(exec) {}

  index_t count() const { return count_; }
  std::size_t bytes() const { return particles_.bytes() + newest_.bytes(); }

  /// Removes all inserted particles, in time proportional to their number.
  void clear() {
    for (index_t i = 0; i < count_; ++i) newest_.data()[place_of(at(i))] = none;
    count_ = 0;
    for (InLevel& in : levels_) in = {};
    lowest_ = radius_octaves, highest_ = -1;
  }

  /// Removes all inserted particles, and prepares for insertions into a grid as it is now.
  void start(const GridView<D>& g) {
    clear();
    double typical = 0;
    for (int k = 0; k < D; ++k) centre_[k] = 0;
    for (int h = g.level_count - 1; h >= 0; --h) {
      const double size = 0.5 * g.level[h].cell_size[0];
      typical = g.radius_max[h] > 0 ? g.radius_max[h] : typical > 0 ? typical : size;
      for (int k = 0; k < D; ++k) centre_[k] = g.level[h].origin[k] + 0.5 * g.level[h].cells[k] * g.level[h].cell_size[k];
    }
    octave_of_points_ = octave_of(typical);
  }

  /// Inserts a particle. Throws `out_of_memory`, and is then unchanged.
  void insert(const Stored<D>& s) {
    if (count_ == particles_.size()) grow();
    const int octave = s.radius > 0 ? octave_of(s.radius) : octave_of_points_;
    InLevel& in = levels_[octave];
    if (in.count == 0) in.level = level_of(octave);
    Particle& p = particles_.data()[count_];
    p.stored = s, p.octave = octave, p.before = in.newest;
    p.cell = cell_of(in.level, s.x);
    ++in.count, in.newest = count_;
    in.radius_max = std::fmax(in.radius_max, s.radius);
    lowest_ = std::min(lowest_, octave), highest_ = std::max(highest_, octave);
    enter(count_++);
  }

  /// Calls f(number, image) for each inserted particle that touches `s`, until f returns false. Returns false then, else true.
  template <class F>
  bool for_each_touching(const GridView<D>& g, const Box<D>& box, const Stored<D>& s, const F& f) const {
    bool goes_on = true;
    for (int octave = lowest_; octave <= highest_ && goes_on; ++octave) {
      const InLevel& in = levels_[octave];
      if (in.count == 0) continue;
      const double distance = touching_distance(g, s.radius, in.radius_max);
      Vec<double, D> reach;
      for (int k = 0; k < D; ++k) reach[k] = search_reach(distance, s.x[k], shift_scale(box, k));
      for_each_image(box, s.x, s.x, reach, [&](const Shift<D>& shift) {
        const auto look_at = [&](index_t i) {
          const Stored<D>& q = at(i).stored;
          double d[D];
          for (int k = 0; k < D; ++k) d[k] = separated(s.x[k], q.x[k], shift.by[k]);
          if (goes_on && q.world == s.world && is_within<D>(d, touching_distance(g, s.radius, q.radius)))
            goes_on = f(i, unwrapped_image(box, shift, s.wraps, q.wraps));
        };
        if (goes_on) for_each_candidate(octave, cells_around(in.level, s.x, reach, shift), s.world, look_at);
      });
    }
    return goes_on;
  }

 private:
  static constexpr index_t none = -1;

  struct Particle {
    Stored<D> stored;
    Vec<index_t, D> cell;
    index_t octave;
    index_t next;    // next particle of its chain in the table
    index_t before;  // the particle inserted before it on its level
  };

  // A level of cells, twice as large as the largest radius of an octave. It has as many cells as integers allow, around the
  // middle of the grid. As in the grid, particles farther out are in border cells.
  struct InLevel {
    Level<D> level;
    index_t count = 0, newest = none;
    double radius_max = 0;
  };

  const Particle& at(index_t i) const { return particles_.data()[i]; }

  static int octave_of(double radius) { return radius_class(radius) >> radius_class_bits; }

  Level<D> level_of(int octave) const {
    Level<D> level{};
    const double size = 4 * radius_class_begin(octave << radius_class_bits);
    for (int k = 0; k < D; ++k) {
      level.cell_size[k] = size, level.inverse[k] = 1 / size;
      level.cells[k] = INT32_MAX, level.origin[k] = centre_[k] - 0x1p30 * size;
    }
    return level;
  }

  static Vec<index_t, D> cell_of(const Level<D>& level, const Vec<double, D>& x) {
    Vec<index_t, D> cell;
    for (int k = 0; k < D; ++k) cell[k] = cell_coordinate(level, k, x[k]);
    return cell;
  }

  static CellRange<D> cells_around(const Level<D>& level, const Vec<double, D>& x, const Vec<double, D>& reach,
                                   const Shift<D>& shift) {
    CellRange<D> range;
    for (int k = 0; k < D; ++k) {
      const double at = x[k] - shift.by[k];
      const CellSpan cells = cells_in_reach(at, at, reach[k], [&](double x_k) { return cell_coordinate(level, k, x_k); });
      range.first[k] = cells.first, range.last[k] = cells.last;
    }
    return range;
  }

  // Calls f(number) for the particles in a range of cells. If there are more cells than particles on the level, calls it for
  // all particles of the level.
  template <class F>
  void for_each_candidate(int octave, const CellRange<D>& range, index_t world, const F& f) const {
    double cells = 1;
    for (int k = 0; k < D; ++k) cells *= range.width(k);
    if (cells > levels_[octave].count) {
      for (index_t i = levels_[octave].newest; i != none; i = at(i).before) f(i);
      return;
    }
    Vec<index_t, D> cell = range.first;
    for (offset_t row = 0; row < range.rows(); ++row) {
      const std::uint64_t begin = begin_of_row(octave, world, cell);
      for (cell[0] = range.first[0]; cell[0] <= range.last[0]; ++cell[0]) {
        for (index_t i = newest_.data()[place_in_row(begin, cell[0])]; i != none; i = at(i).next) {
          if (at(i).cell == cell && at(i).octave == octave) f(i);
        }
      }
      for (int k = 1; k < D && ++cell[k] > range.last[k]; ++k) cell[k] = range.first[k];
    }
  }

  // Returns the place of a row's cell 0 in the table. Cells of a row have consecutive places, which other cells may share.
  static std::uint64_t begin_of_row(int octave, index_t world, const Vec<index_t, D>& cell) {
    std::uint64_t row = static_cast<std::uint64_t>(world) * radius_octaves + static_cast<std::uint64_t>(octave);
    for (int k = 1; k < D; ++k) {
      row = (row ^ static_cast<std::uint64_t>(cell[k])) * 0x9e3779b97f4a7c15;
      row ^= row >> 32;
    }
    return row;
  }
  offset_t place_in_row(std::uint64_t begin, index_t x) const {
    return static_cast<offset_t>((begin + static_cast<std::uint64_t>(x)) & static_cast<std::uint64_t>(newest_.size() - 1));
  }
  offset_t place_of(const Particle& p) const { return place_in_row(begin_of_row(p.octave, p.stored.world, p.cell), p.cell[0]); }

  void enter(index_t i) {
    index_t& newest = newest_.data()[place_of(at(i))];
    particles_.data()[i].next = newest;
    newest = i;
  }

  void grow() {
    const offset_t room = std::max<offset_t>(64, 2 * offset_t{count_});
    Buffer<Particle> particles(exec_, room);
    Buffer<index_t> newest(exec_, 2 * room);  // a power of two
    exec_.copy_in(particles.data(), particles_.data(), count_);
    std::fill_n(newest.data(), newest.size(), none);
    std::swap(particles, particles_);
    std::swap(newest, newest_);
    for (index_t i = 0; i < count_; ++i) enter(i);
  }

  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  Exec exec_;
  Buffer<Particle> particles_;
  Buffer<index_t> newest_;  // newest particle of each chain
  index_t count_ = 0;
  InLevel levels_[radius_octaves] = {};
  int lowest_ = radius_octaves, highest_ = -1, octave_of_points_ = 0;
  Vec<double, D> centre_{};
};

}  // namespace hgrid::inline v0_2::detail
