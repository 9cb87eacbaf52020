// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles of a point in a built grid, on hosts. Particles are ordered by a key, the squared distance of centres
// or the distance from the surface, and then by id. Keys are doubles, each operation rounded once, and of a particle's images
// the nearest counts, so the answer depends on nothing else, and both ways to it give the same bits:
//
// 1. By cells: all particles with keys up to a bound, of each level and under each image, from the cells around the point that
//    may hold them. If these are at least k, the k nearest are among them. The bound is a guess by how densely particles lie;
//    if they are fewer, it grows.
// 2. By boxes, where guesses fail, as for a point far outside or in a void: boxes around consecutive slots (slot_boxes.hpp),
//    the nearest first, and none beyond the k-th key that was seen so far. A level of whose cells there would be too many rows
//    is searched so, too.
//
// Points that lie close together ask together: the cells are found once for all of them.
//
// Nothing nearer is left: let a particle of a level, with largest radius R, have a key within the bound w under an image. Its
// centre is then at most sqrt(w) away, or w + R if keys are distances from surfaces, but for 8 u of the numbers. So each of its
// coordinates differs from the point's, in the frame of the image, by at most `reach`, whose margins exceed this and the
// rounding of that frame (contract, rule 3). Cells are a monotone function of coordinates (rule 1), so it lies in the range of
// cells around the point by that reach, all of which are looked at.
// Boxes are left where the key of their nearest point is beyond the bound. It is no larger than those of particles inside,
// because it is computed by the same operations, all of which are monotone.
#pragma once

#include <bit>

#include "hgrid/core/query.hpp"
#include "hgrid/core/region.hpp"
#include "hgrid/loop/near_density.hpp"
#include "hgrid/loop/near_particles.hpp"
#include "hgrid/loop/near_point.hpp"
#include "hgrid/loop/slot_boxes.hpp"

namespace hgrid::inline v0_2::detail {

/// For one thread.
template <bool surfaces, class Exec, int D>
class NearestSearch {
 public:
  using Point = NearPoint<surfaces, D>;
  static constexpr offset_t room_for_runs = 2048;

  /// Memory for `room_for_runs` runs, and columns for k.
  NearestSearch(const GridView<D>& g, const SlotBoxes<Exec, D>& boxes, index_t k, double within, NearRun<D>* runs,
                const NearColumns& columns)
      : g_(g),
        boxes_(boxes),
        k_(k),
        limit_(Point::limit_of(within)),
        found_(g.id, std::min(k, g.slots()), columns),
        runs_(runs) {}

  /// f(point, found) for each of some points, in any order; `found` has its nearest particles.
  template <class F>
  void operator()(const Point* points, offset_t count, const F& f) {
    for (offset_t i = 0; i < count;) {
      const offset_t end = gather(points, i, count), first = i;
      std::uint32_t is_left = 0;
      for (; i < end; ++i) {
        p_ = &points[i];
        if (look_at_runs()) {
          f(*p_, found_);
        } else {
          is_left |= std::uint32_t{1} << (i - first);
        }
      }
      for (const double distance = distance_; is_left != 0; is_left &= is_left - 1) {
        p_ = &points[first + std::countr_zero(is_left)];
        look_alone(distance);
        f(*p_, found_);
      }
    }
  }

 private:
  static constexpr offset_t most_together = 32;
  static constexpr offset_t most_runs = 64;  // of a range of cells; boxes take less time than more of them

  // Points from number `first` to before that which is returned lie close together, and the runs are those around all of them.
  offset_t gather(const Point* points, offset_t first, offset_t count) {
    p_ = &points[first];
    if (p_->world != density_.world()) density_ = {g_, p_->world, k_};
    distance_ = density_.distance_around(g_, p_->x);
    lo_ = hi_ = p_->x;
    const offset_t most = std::min(count, first + most_together);
    offset_t end = first + 1;
    for (bool is_near = true; end < most && points[end].world == p_->world; ++end) {
      Vec<double, D> lo, hi;
      for (int k = 0; k < D; ++k) {
        lo[k] = std::fmin(lo_[k], points[end].x[k]), hi[k] = std::fmax(hi_[k], points[end].x[k]);
        is_near = is_near && hi[k] - lo[k] <= 0.5 * distance_;
      }
      if (!is_near) break;
      lo_ = lo, hi_ = hi;
    }
    find_runs();
    return end;
  }

  // The bound by the distance, and the runs of the points from lo_ to hi_.
  void find_runs() {
    bound_ = std::fmin(limit_, Point::limit_of(surfaces ? distance_ - g_.radius_max[density_.level()] : distance_));
    run_count_ = 0, are_too_many_ = false;
    for (int h = 0; h < g_.level_count; ++h) {
      const double squared = Point::squared_reach(bound_, g_.radius_max[h]);
      if (squared < 0) continue;
      const double distance = std::sqrt(squared);
      if (g_.periodic) {
        p_->for_each_image_within(lo_, hi_, distance, [&](const Shift<D>& shift) { find_runs(h, shift, distance); });
      } else {
        find_runs(h, {}, distance);
      }
    }
  }

  void find_runs(int h, const Shift<D>& shift, double distance) {
    CellRange<D> range;
    for (int k = 0; k < D; ++k) {
      const auto cell_of = [&](double at) { return g_.cell_of(g_.level[h], p_->world, k, at); };
      const CellSpan cells = cells_in_reach(lo_[k] - shift.by[k], hi_[k] - shift.by[k], p_->reach(k, distance), cell_of);
      range.first[k] = cells.first, range.last[k] = cells.last;
    }
    const SlotRun there = g_.slots_on(h, p_->world);
    if (run_count_ + most_runs > room_for_runs) {
      are_too_many_ = true;
      return;
    }
    if (g_.runs(range) > most_runs) return add_run({there.begin, there.end, h, shift});
    if (!g_.is_even() || g_.has_worlds() || !g_.in_rows()) {
      return for_each_run_in(g_, h, p_->world, range, [&](index_t begin, index_t end) { add_run({begin, end, -1, shift}); });
    }
    index_t hint = 0;
    Vec<index_t, D> row = range.first;
    for (offset_t i = 0, rows = range.rows(); i < rows; ++i) {
      const CellSpan cells = clip(h, shift, row, distance);
      row[0] = std::max(range.first[0], cells.first);
      const index_t last = std::min(range.last[0], cells.last);
      if (row[0] <= last) {
        const SlotRun run = g_.run(h, row, last, hint);
        add_run({run.begin, run.end, -1, shift});
      }
      for (int k = 1; k < D && ++row[k] > range.last[k]; ++k) row[k] = range.first[k];
    }
  }

  // The cells of a row within a distance of the points. Cells know where they end but for rounding, for which the margins of
  // `distance_to_cell` and of the points' reach are taken off twice.
  CellSpan clip(int h, const Shift<D>& shift, const Vec<index_t, D>& row, double distance) const {
    const Level<D>& level = g_.level[h];
    double rest = distance * distance * (1 + 0x1p-46);
    for (int k = 1; k < D; ++k) {
      const double lo = lo_[k] - shift.by[k], hi = hi_[k] - shift.by[k];
      if (row[k] >= cell_coordinate(level, k, lo) && row[k] <= cell_coordinate(level, k, hi)) continue;
      const double near = std::fmin(distance_to_cell(level, k, row[k], lo), distance_to_cell(level, k, row[k], hi));
      const double d = larger_of(near - 2 * p_->margin(k, distance), 0.0);
      rest -= d * d;
    }
    if (rest < 0) return {0, -1};
    const auto cell_of = [&](double at) { return cell_coordinate(level, 0, at); };
    return cells_in_reach(lo_[0] - shift.by[0], hi_[0] - shift.by[0], p_->reach(0, std::sqrt(rest)), cell_of);
  }

  void add_run(const NearRun<D>& run) {
    if (run.begin < run.end) runs_[run_count_++] = run;
  }

  // 1. Whether there were enough.
  bool look_at_runs() {
    if (are_too_many_) return false;
    found_.start(std::min(k_, population()), bound_);
    for (offset_t r = 0; r < run_count_; ++r) {
      const NearRun<D>& run = runs_[r];
      move_to(run.shift);
      run.level_by_boxes < 0 ? look_at_slots(run.begin, run.end) : look_in_boxes(run.level_by_boxes);
    }
    return found_.is_enough() || bound_ == limit_;
  }

  void look_alone(double distance) {
    for (int round = 0; round < 3; ++round) {
      distance_ = distance *= 1.3, lo_ = hi_ = p_->x;
      find_runs();
      if (look_at_runs()) return;
    }
    look_by_boxes();
  }

  void look_by_boxes() {
    found_.start(std::min(k_, population()), limit_);
    move_to({});
    for (int i = 0; i < g_.level_count; ++i) look_in_boxes(i == 0 ? density_.level() : i <= density_.level() ? i - 1 : i);
    for (int h = 0; h < g_.level_count && g_.periodic; ++h) {
      const double squared = Point::squared_reach(found_.bound(), g_.radius_max[h]);
      if (squared < 0) continue;
      p_->for_each_image_within(p_->x, p_->x, std::sqrt(squared), [&](const Shift<D>& shift) {
        move_to(shift);
        if (lexicographic_sign(shift.m) != 0) look_in_boxes(h);
      });
    }
  }

  void move_to(const Shift<D>& shift) {
    shift_ = shift;
    if (g_.periodic) image_ = image_of(*p_->box, shift);
  }

  index_t population() const { return density_.particles() - (p_->itself < 0 ? 0 : 1); }

  void look_at_slots(index_t begin, index_t end) {
    constexpr index_t group = NearParticles::group;
    static_assert(group <= slot_padding);  // there are numbers behind the last slot
    const Vec<double, D> x = p_->x, by = shift_.by;
    const double* columns[D];
    for (int k = 0; k < D; ++k) columns[k] = g_.x[k];
    const double* const radius = g_.radius;
    for (; begin < end; begin += group) {
      double key[group];
      for (index_t i = 0; i < group; ++i) {
        double squared = 0;
        for (int k = 0; k < D; ++k) {
          const double d = separated(x[k], columns[k][begin + i], by[k]);
          squared = k == 0 ? mul_rn(d, d) : add_rn(squared, mul_rn(d, d));
        }
        key[i] = surfaces ? sub_rn(std::sqrt(squared), radius[begin + i]) : squared;
      }
      const bool is_itself = p_->itself >= begin && p_->itself < begin + group;
      found_.add(key, begin, end - begin, image_, g_.periodic || is_itself, [&](index_t q, double its_key) {
        return q != p_->itself && (!g_.periodic || p_->is_nearest_image(g_, q, shift_, its_key));
      });
    }
  }

  void look_in_boxes(int h) {
    const SlotRun there = g_.slots_on(h, p_->world);
    if (there.begin < there.end) look_in_boxes(boxes_.heights() - 1, 0, there, g_.radius_max[h]);
  }

  // The particles of some slots below a node, the nearest children first.
  void look_in_boxes(int height, offset_t i, const SlotRun& there, double radius) {
    constexpr int children = ChildBoxes<D>::children;
    const ChildBoxes<D>& node = boxes_.node(height, i);
    const offset_t slots = boxes_.slots_of_child(height), first = i * children;
    double key[children];
    for (int c = 0; c < children; ++c) key[c] = key_of_box(node, c, radius);
    bool is_left[children];
    for (int c = 0; c < children; ++c) {
      is_left[c] = (first + c) * slots < there.end && (first + c + 1) * slots > there.begin;
    }
    for (;;) {
      int next = -1;
      for (int c = 0; c < children; ++c) {
        if (is_left[c] && (next < 0 || key[c] < key[next])) next = c;
      }
      if (next < 0 || key[next] > found_.bound()) return;
      is_left[next] = false;
      const offset_t begin = (first + next) * slots, end = begin + slots;
      if (height > 0) {
        look_in_boxes(height - 1, first + next, there, radius);
      } else {
        look_at_slots(static_cast<index_t>(std::max<offset_t>(begin, there.begin)),
                      static_cast<index_t>(std::min<offset_t>(end, there.end)));
        found_.tighten_if_many();
      }
    }
  }

  // No key of a particle in it with a radius up to this one is smaller.
  double key_of_box(const ChildBoxes<D>& node, int child, double radius) const {
    double squared = 0;
    for (int k = 0; k < D; ++k) {
      const double below = separated(p_->x[k], node.lo[k][child], shift_.by[k]);
      const double above = separated(p_->x[k], node.hi[k][child], shift_.by[k]);
      const double d = larger_of(larger_of(-below, above), 0.0);
      squared = k == 0 ? mul_rn(d, d) : add_rn(squared, mul_rn(d, d));
    }
    return Point::key_of(squared, radius);
  }

  const GridView<D>& g_;
  const SlotBoxes<Exec, D>& boxes_;
  const index_t k_;
  const double limit_;
  NearParticles found_;
  NearRun<D>* runs_;

  NearDensity<D> density_;

  const Point* p_ = nullptr;
  Vec<double, D> lo_, hi_;  // of the points that ask together
  double distance_ = 0, bound_ = 0;
  offset_t run_count_ = 0;
  bool are_too_many_ = false;
  Shift<D> shift_;  // the image that is looked at
  Image image_{};   // as users see it
};

}  // namespace hgrid::inline v0_2::detail
