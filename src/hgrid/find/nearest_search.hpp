// SPDX-License-Identifier: BSD-3-Clause
// Nearest particles of a point in a built grid, on hosts. Particles are ordered by a key (the squared distance of centres or
// the distance from the surface), then by id. Keys are doubles, each operation is rounded once, and only a particle's nearest
// image counts. So the result depends on nothing else, and both ways to find it give the same bits:
//
// 1. By cells: all particles with keys up to a bound, of each level and under each image, from the cells around the point that
// may hold them. If these are at least k, the k nearest are among them. The bound is a guess from the density of particles; if
// there are fewer than k, it grows.
// 2. By boxes, if guesses fail, as for a point far outside or in a void: boxes around consecutive slots (slot_boxes.hpp),
// nearest first, and no box beyond the k-th key found so far. A level with too many rows of cells is also searched by boxes.
//
// Points that lie close together are searched together: the cells are found once for all of them, and each point looks at all
// slots of these cells, in pieces without branches. On the level with most particles each point has its own cells, if these are
// few and no other image is in reach. The cells around all points together are several times as many.
//
// No nearer particle is missed: let a particle of a level, with largest radius R, have a key within the bound w under an image.
// Its centre is then at most sqrt(w) away, or w + R if keys are distances from surfaces, up to 8 u of the numbers. So each of
// its coordinates differs from the point's, in the frame of the image, by at most `reach`, whose margins exceed this and the
// rounding of that frame (contract, rule 3). A point's own cells are found with its own margins. For points searched together,
// the margins of one point are used for all, plus 2^-48 of the distance between them. Cells are a monotone function of
// coordinates (rule 1), so the particle lies in the range of cells around the point by that reach, all of which are searched. A
// box is skipped if the key of its nearest point is beyond the bound. This key is no larger than the keys of particles inside,
// because it is computed by the same operations, all of which are monotone.
#pragma once

#include <bit>

#include "hgrid/find/near_cells.hpp"
#include "hgrid/find/near_density.hpp"
#include "hgrid/find/near_particles.hpp"
#include "hgrid/find/near_parts.hpp"
#include "hgrid/find/slot_boxes.hpp"

namespace hgrid::inline v0_2::detail {

/// Uses memory of one thread.
template <bool surfaces, class Exec, int D>
class NearestSearch {
 public:
  using Point = NearPoint<surfaces, D>;
  using Found = NearParticles<surfaces, D>;

  /// Needs memory for parts and pieces as in NearParts, and columns for k particles.
  NearestSearch(const GridView<D>& g, const SlotBoxes<Exec, D>& boxes, index_t k, double within, NearPart<D>* parts,
                NearPiece* pieces, const NearColumns& columns)
      : g_(g),
        boxes_(boxes),
        k_(k),
        limit_(Point::limit_of(within)),
        found_(g, std::min(k, g.slots()), columns),
        parts_(g, parts, pieces) {}

  /// Returns about how much work a point is alone, in slots that are looked at. Prices are of a Xeon with AVX-512.
  double work_around(const Point& p) {
    constexpr double of_row = 8, of_piece = 2, of_boxes = 500, of_failure = 1000, of_too_many = 16000;
    begin(p);
    const double of_slot = distance_ < density_.distance() ? 4 : 1;  // in a crowded cell most slots are within the bound
    find_parts(p.x, p.x, 1);
    if (parts_.are_too_many()) return of_too_many;
    double slots = 0, work = of_row * static_cast<double>(parts_.rows());
    if (level_alone_ >= 0) {
      const NearCells<D> cells(g_, level_alone_, p, distance_alone_);
      if (cells.are_too_many()) return of_too_many;
      work += of_piece * cells.count();
      for (index_t i = 0; i < cells.count(); ++i) slots += cells.pieces()[i].count;
    }
    for (const NearPart<D>& part : parts_) {
      if (part.level_by_boxes >= 0) work += of_boxes;
      for (index_t i = part.begin; i < part.end && part.level_by_boxes < 0; ++i) slots += parts_.pieces()[i].count;
    }
    const bool fails = slots < k_ && bound_ < limit_;
    return work + of_slot * slots + (fails ? of_failure : 0);
  }

  /// Calls f(point, found) for each of some points, in any order; `found` has its nearest particles.
  template <class F>
  void operator()(const Point* points, offset_t count, const F& f) {
    for (offset_t i = 0; i < count;) {
      const offset_t end = gather(points, i, count), first = i;
      std::uint64_t is_left = 0;
      for (; i < end; ++i) {
        p_ = &points[i];
        if (look_at_parts()) {
          f(*p_, found_);
        } else {
          is_left |= std::uint64_t{1} << (i - first);
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
  static constexpr offset_t most_together = 64;
  static constexpr double most_pieces_alone = 100;

  // Guesses how far away the nearest particles of a point may be.
  void begin(const Point& p) {
    p_ = &p;
    if (p.world != density_.world()) density_ = {g_, p.world, p.itself < 0 ? k_ : k_ + 1};
    distance_ = density_.distance_around(g_, p.x);
  }

  // Finds parts around as many points from number `first` on as lie close together. Returns the number of the next point.
  offset_t gather(const Point* points, offset_t first, offset_t count) {
    begin(points[first]);
    Vec<double, D> lo = p_->x, hi = lo;
    const double side = density_.widest() * distance_;
    const offset_t most = std::min(count, first + most_together);
    offset_t end = first + 1;
    for (; end < most && points[end].world == p_->world; ++end) {
      Vec<double, D> its_lo, its_hi;
      bool is_near = true;
      for (int k = 0; k < D; ++k) {
        its_lo[k] = std::fmin(lo[k], points[end].x[k]), its_hi[k] = std::fmax(hi[k], points[end].x[k]);
        is_near = is_near && its_hi[k] - its_lo[k] <= side;
      }
      if (!is_near) break;
      lo = its_lo, hi = its_hi;
    }
    find_parts(lo, hi, end - first);
    return end;
  }

  // Sets the bound from the distance, and finds the parts for points between lo and hi. Leaves out the level on which each
  // point has its own cells.
  void find_parts(const Vec<double, D>& lo, const Vec<double, D>& hi, offset_t points) {
    bound_ = std::fmin(limit_, Point::limit_of(surfaces ? distance_ - g_.radius_max[density_.level()] : distance_));
    level_alone_ = -1;
    parts_.start(lo, hi, points);
    for (int h = 0; h < g_.level_count; ++h) {
      const double squared = Point::squared_reach(bound_, g_.radius_max[h]);
      if (squared < 0) continue;
      const double distance = std::sqrt(squared);
      if (h == density_.level() && are_near_cells_few() && !is_any_image_within(lo, hi, distance)) {
        level_alone_ = h, distance_alone_ = distance;
      } else if (g_.periodic) {
        p_->for_each_image_within(lo, hi, distance, [&](const Shift<D>& shift) { parts_.add(*p_, h, shift, distance); });
      } else {
        parts_.add(*p_, h, {}, distance);
      }
    }
  }

  bool are_near_cells_few() const {
    return NearCells<D>::fit(g_) && distance_ == density_.distance() && density_.pieces() <= most_pieces_alone;
  }

  bool is_any_image_within(const Vec<double, D>& lo, const Vec<double, D>& hi, double distance) const {
    bool is_any = false;
    if (g_.periodic) {
      p_->for_each_image_within(lo, hi, distance,
                                [&](const Shift<D>& shift) { is_any = is_any || lexicographic_sign(shift.m) != 0; });
    }
    return is_any;
  }

  // Step 1. Returns whether enough particles were found.
  bool look_at_parts() {
    if (parts_.are_too_many()) return false;
    start(bound_);
    if (level_alone_ >= 0 && !look_alone_in_cells()) return false;
    for (const NearPart<D>& part : parts_) {
      move_to(part.shift);
      part.level_by_boxes < 0 ? look_at(parts_.pieces(), part.begin, part.end) : look_in_boxes(part.level_by_boxes);
    }
    return found_.is_enough() || bound_ == limit_;
  }

  // Looks at the cells around this point. Returns false if they are too many.
  bool look_alone_in_cells() {
    const NearCells<D> cells(g_, level_alone_, *p_, distance_alone_);
    if (cells.are_too_many()) return false;
    move_to({});
    if (surfaces || k_ > 1) {
      look_at(cells.pieces(), 0, cells.count());
      return true;
    }
    const NearOne one = nearest_of(g_, NearAsker<D>{p_->x, {}, p_->itself, bound_}, cells.pieces(), cells.count());
    if (one.slot < 0 || one.key > bound_) return true;
    if (one.is_tied || (g_.periodic && !p_->is_nearest_image(g_, one.slot, shift_, one.key))) {
      look_at(cells.pieces(), 0, cells.count());
    } else {
      start(one.key);
      found_.add(one.key, one.slot, image_);
    }
    return true;
  }

  void look_alone(double distance) {
    for (int round = 0; round < 3; ++round) {
      distance_ = distance *= 1.3;
      find_parts(p_->x, p_->x, 1);
      if (look_at_parts()) return;
    }
    look_by_boxes();
  }

  void look_by_boxes() {
    start(limit_);
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

  void start(double bound) {
    const index_t others = density_.particles() - (p_->itself < 0 ? 0 : 1);
    found_.start(p_->x, p_->itself, std::min(k_, others), bound);
  }

  void look_at(const NearPiece* pieces, index_t begin, index_t end) {
    if (!g_.periodic) return found_.add(pieces, begin, end, shift_.by);
    found_.add(pieces, begin, end, shift_.by, image_,
               [&](index_t q, double key) { return p_->is_nearest_image(g_, q, shift_, key); });
  }

  void look_in_boxes(int h) {
    const SlotRun there = g_.slots_on(h, p_->world);
    if (there.begin < there.end) look_in_boxes(boxes_.heights() - 1, 0, there, g_.radius_max[h]);
  }

  // Looks at the particles of some slots below a node, nearest children first.
  void look_in_boxes(int height, offset_t i, const SlotRun& there, double radius) {
    constexpr int children = ChildBoxes<D>::children;
    const ChildBoxes<D>& node = boxes_.node(height, i);
    const offset_t slots = boxes_.slots_of_child(height), first = i * children;
    double key[children];
    for (int c = 0; c < children; ++c) key[c] = key_of_box(*p_, node, c, shift_, radius);
    bool is_left[children];
    for (int c = 0; c < children; ++c) {
      is_left[c] = (first + c) * slots < there.end && (first + c + 1) * slots > there.begin;
    }
    for (;;) {
      int next = -1;
      for (int c = 0; c < children; ++c) {
        if (is_left[c] && (next < 0 || key[c] < key[next])) next = c;
      }
      if (next < 0 || key[next] > found_.bound() || key[next] == HUGE_VAL) return;
      is_left[next] = false;
      const offset_t begin = (first + next) * slots, end = begin + slots;
      if (height > 0) {
        look_in_boxes(height - 1, first + next, there, radius);
      } else {
        const auto from = static_cast<index_t>(std::max<offset_t>(begin, there.begin));
        const NearPiece piece{from, static_cast<index_t>(std::min<offset_t>(end, there.end)) - from};
        look_at(&piece, 0, 1);
        found_.tighten_if_many();
      }
    }
  }

  const GridView<D>& g_;
  const SlotBoxes<Exec, D>& boxes_;
  const index_t k_;
  const double limit_;
  Found found_;
  NearParts<D> parts_;
  NearDensity<D> density_;

  const Point* p_ = nullptr;
  double distance_ = 0, bound_ = 0;
  int level_alone_ = -1;  // level on which each point has its own cells, or -1
  double distance_alone_ = 0;
  Shift<D> shift_;  // the present image
  Image image_{};   // the present image in the user's numbering
};

}  // namespace hgrid::inline v0_2::detail
