// SPDX-License-Identifier: BSD-3-Clause
// The particles that a rank holds, for kernels: which contacts of its grid the rank reports.
#pragma once

#include "hgrid/ranks/contact_rule.hpp"

namespace hgrid::inline v0_1::detail {

/// Pointers into the memory of the rank's executor; owned particles come first, then ghosts.
template <int D>
struct HeldView {
  Box<D> box;
  RankBox<D> own;  // of the rank
  double skin;
  const double *x, *radius;  // x has D coordinates for each particle
  const std::int64_t* id;
  const int* owner;  // of each ghost
  index_t owned;

  /// A rank reports a contact of two particles of one owner if it owns both, another if it owns the contact point.
  HGRID_HD bool reports(index_t i, index_t j, const Image& image) const {
    if (i < owned && j < owned) return true;
    if (i >= owned && j >= owned && owner[i - owned] == owner[j - owned]) return false;  // this rank owns no ghost
    return own.owns(contact_point(box, sphere(i), sphere(j), image, skin));
  }

  HGRID_HD Vec<double, D> position(index_t k) const {
    Vec<double, D> at;
    for (int a = 0; a < D; ++a) at[a] = x[offset_t{D} * k + a];
    return at;
  }

 private:
  HGRID_HD Sphere<D> sphere(index_t k) const { return {wrap(box, position(k)), radius[k], id[k]}; }
};

/// f(i, j, image) for those contacts only. F may be a reference.
template <int D, class F>
struct IfReported {
  HeldView<D> held;
  F f;

  HGRID_HD void operator()(index_t i, index_t j, const Image& image) const {
    if (held.reports(i, j, image)) f(i, j, image);
  }
};

}  // namespace hgrid::inline v0_1::detail
