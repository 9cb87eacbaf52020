// SPDX-License-Identifier: BSD-3-Clause
// Distances from a point to the particles of a built grid under periodic images.
#pragma once

#include "hgrid/core/predicate.hpp"
#include "hgrid/core/reach.hpp"

namespace hgrid::inline v0_2::detail {

/// A point, wrapped into its box, whose nearest particles are searched.
template <int D>
struct AskedPoint {
  offset_t row;  ///< row in the results
  Vec<double, D> x;
  Image wraps;
  index_t world;
  index_t itself;  ///< slot of the particle that is the point, which is not its own nearest; -1 for a given point
};

/// Orders particles by a key: the squared distance of centres, or the distance from the surface. Each operation is rounded
/// once, and monotone.
template <bool surfaces, int D>
struct NearPoint : AskedPoint<D> {
  using AskedPoint<D>::x;
  const Box<D>* box;
  double shortest;       ///< no lattice vector is shorter
  double widest;         ///< no nearest image is farther away along the periodic axes
  Vec<double, D> slack;  ///< largest rounding error of a distance along each axis

  NearPoint() = default;
  NearPoint(const GridView<D>& g, const AskedPoint<D>& asked) : NearPoint(g.box_of(asked.world), asked) {}
  HGRID_HD NearPoint(const Box<D>& its_box, const AskedPoint<D>& asked)
      : AskedPoint<D>(asked), box(&its_box), shortest(HUGE_VAL) {
    double squared = 0;
    for (int k = 0; k < D; ++k) {
      slack[k] = search_reach(0, x[k], 4 * shift_scale(*box, k));
      if (box->wraps[k]) shortest = std::fmin(shortest, box->length(k));
      squared += box->length(k) * box->length(k);
    }
    widest = 0.5 * std::sqrt(squared) * (1 + 0x1p-40);
  }

  HGRID_HD static double key_of(double squared, double radius) {
    return surfaces ? sub_rn(std::sqrt(squared), radius) : squared;
  }
  HGRID_HD static double distance_of(double key) { return surfaces ? key : std::sqrt(key); }
  /// Returns a key that is at least the key of any particle within a distance.
  HGRID_HD static double limit_of(double within) {
    return surfaces || within < 0 ? within : within * within * (1 + 0x1p-50) + 0x1p-1000;
  }

  /// Returns the squared distance within which the centres of particles with radii up to `radius` lie if their keys are at most
  /// `bound`. It is negative if there can be none.
  HGRID_HD static double squared_reach(double bound, double radius) {
    if (!surfaces) return bound * (1 + 0x1p-48);
    const double reach = bound + radius + (std::fabs(bound) + radius) * 0x1p-48;
    return reach >= 0 ? reach * reach * (1 + 0x1p-48) : -1;  // also if the bound is -infinity
  }

  /// Returns the half width of an interval that holds all particles within a distance. Image numbers, and so the rounding error
  /// of shifts, grow with the distance only in tilted boxes.
  HGRID_HD double reach(int k, double distance) const { return distance * (1 + 0x1p-48) + margin(k, distance); }
  HGRID_HD double margin(int k, double distance) const { return box->tilted ? slack[k] * (1 + distance / shortest) : slack[k]; }

  /// Calls f(shift) for each image under which a particle's nearest image may be within a distance of a point between lo and
  /// hi, which are in the box. In an upright box the nearest image is at most half a period away along each axis. In a tilted
  /// box some image is within half a period along each box vector, so the nearest one is within half the diagonal.
  template <class F>
  HGRID_HD void for_each_image_within(const Vec<double, D>& lo, const Vec<double, D>& hi, double distance, const F& f) const {
    Vec<double, D> reaches;
    for (int k = 0; k < D; ++k) {
      const double most = box->tilted ? widest : 0.5 * box->length(k) * (1 + 0x1p-40);
      reaches[k] = reach(k, std::fmin(distance, most));
    }
    for_each_image(*box, lo, hi, reaches, f);
  }

  /// Returns whether no other image of slot q is nearer than this one, whose key is `key`. If two images tie along an axis of
  /// an upright box, the first counts. In a tilted box the distance along all periodic axes counts; ties are broken
  /// lexicographically.
  template <class View>
  HGRID_HD bool is_nearest_image(const View& g, index_t q, const Shift<D>& shift, double key) const {
    const double distance = (surfaces ? key + g.radius[q] : std::sqrt(key)) * (1 + 0x1p-40);
    if (distance < 0.5 * shortest) return true;  // of any two images, one is farther than this
    return box->tilted ? is_first_image(g, q, shift) : is_nearest_along_axes(g, q, shift);
  }

  /// Returns whether the nearest image of some particle may be as far away along the axes as `away`, or farther. In an upright
  /// box it is at most half a period away along each axis.
  HGRID_HD bool may_be_nearest_image(const Vec<double, D>& away) const {
    double squared = 0;
    bool is_near = true;
    for (int k = 0; k < D; ++k) {
      if (!box->wraps[k]) continue;
      if (box->tilted) {
        squared = add_rn(squared, mul_rn(away[k], away[k]));
      } else {
        is_near = is_near && away[k] <= reach(k, 0.5 * box->length(k) * (1 + 0x1p-40));
      }
    }
    return is_near && (!box->tilted || std::sqrt(squared) <= farthest());
  }

 private:
  template <class View>
  HGRID_HD bool is_nearest_along_axes(const View& g, index_t q, const Shift<D>& shift) const {
    for (int k = 0; k < D; ++k) {
      if (!box->wraps[k]) continue;
      const auto away = [&](int m) { return std::fabs(separated(x[k], g.x[k][q], mul_rn(m, box->length(k)))); };
      const double here = away(shift.m[k]);
      if (here >= away(shift.m[k] - 1) || here > away(shift.m[k] + 1)) return false;
    }
    return true;
  }

  template <class View>
  HGRID_HD bool is_first_image(const View& g, index_t q, const Shift<D>& shift) const {
    const auto away = [&](const Shift<D>& image) {
      double squared = 0;
      for (int k = 0; k < D; ++k) {
        const double d = separated(x[k], g.x[k][q], image.by[k]);
        if (box->wraps[k]) squared = add_rn(squared, mul_rn(d, d));
      }
      return squared;
    };
    const double here = away(shift), distance = std::sqrt(here);
    if (distance > farthest()) return false;
    Vec<double, D> reaches;
    for (int k = 0; k < D; ++k) reaches[k] = reach(k, distance);
    bool is_first = true;
    for_each_image(*box, x, x, reaches, [&](const Shift<D>& other) {
      if (!is_first) return;
      const double there = away(other);
      is_first = here < there || (here == there && !comes_before(other.m, shift.m));
    });
    return is_first;
  }

  HGRID_HD static bool comes_before(const Vec<int, D>& a, const Vec<int, D>& b) {
    Vec<int, D> apart;
    for (int k = 0; k < D; ++k) apart[k] = a[k] - b[k];
    return lexicographic_sign(apart) < 0;
  }

  // Returns a distance along the periodic axes, with its rounding, that no nearest image exceeds in a tilted box.
  HGRID_HD double farthest() const {
    double largest = 0;
    for (int k = 0; k < D; ++k) largest = std::fmax(largest, margin(k, widest));
    return reach(D - 1, widest) + D * largest;
  }
};

}  // namespace hgrid::inline v0_2::detail
