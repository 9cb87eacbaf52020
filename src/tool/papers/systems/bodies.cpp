// SPDX-License-Identifier: BSD-3-Clause
#include "papers/systems/bodies.hpp"

#include <algorithm>

namespace hgrid::reference {

template <int D>
void Bodies<D>::find_bounds() {
  for (int k = 0; k < D && !x_[k].empty(); ++k) {
    const auto [lo, hi] = std::minmax_element(x_[k].begin(), x_[k].end());
    bounds_.lo[k] = *lo, bounds_.hi[k] = *hi;
  }
}

// 2^-20 of a reach exceeds the rounding of lattices of up to 2^20 cells per axis. The second term covers the rounding of
// coordinates and of images' positions if they are far larger than the particles, the last one covers distances whose square
// underflows (contract, rule 3).
template <int D>
void Bodies<D>::finish() {
  find_bounds();
  double largest_coordinate = 0;
  for (int k = 0; k < D; ++k) {
    const double largest = std::max(std::fabs(bounds_.lo[k]), std::fabs(bounds_.hi[k]));
    largest_coordinate = std::max(largest_coordinate, largest + max_images * box_.length(k));
  }
  for (const double radius : radius_) {
    reach_.push_back((radius + 0.5 * skin_) * (1 + 0x1p-20) + 0x1p-47 * largest_coordinate + 0x1p-500);
  }
  if (!reach_.empty()) largest_reach_ = *std::max_element(reach_.begin(), reach_.end());
  if (!box_.any_periodic()) return;
  for (index_t b = 0; b < originals(); ++b) add_images(b);
  find_bounds();
}

template <int D>
void Bodies<D>::add_images(index_t b) {
  const double far = reach(b) + largest_reach_;
  Vec<int, D> first{}, last{};
  for (int k = 0; k < D; ++k) {
    if (!box_.wraps[k]) continue;
    const detail::ImageSpan span =
        detail::images_in_reach(box_, k, x(k, b), x(k, b), far, false);  // of x - m L, and here it is x + m L
    first[k] = -span.last, last[k] = -span.first;
  }
  for (Vec<int, D> m = first;;) {
    if (detail::lexicographic_sign(m) > 0) {
      const detail::Shift<D> shift = detail::shift_of(box_, m);
      for (int k = 0; k < D; ++k) x_[k].push_back(x(k, b) + shift.by[k]);
      reach_.push_back(reach(b));
      image_of_.push_back(b);
      periods_.push_back(m);
    }
    int k = 0;
    for (; k < D && m[k] == last[k]; ++k) m[k] = first[k];
    if (k == D) return;
    ++m[k];
  }
}

template <int D>
GridView<D> Bodies<D>::slots() const {
  GridView<D> g{};
  for (int k = 0; k < D; ++k) g.x[k] = x_[k].data();
  g.radius = radius_.data();
  g.id = id_.data();
  g.wraps = box_.any_periodic() ? wraps_.data() : nullptr;
  g.periodic = box_.any_periodic();
  g.box = box_;
  g.skin = skin_;
  g.pair_filter = detail::PairFilter::of(group_.empty() ? nullptr : group_.data(), {}, {}, sources_, particles_);
  return g;
}

template class Bodies<2>;
template class Bodies<3>;

}  // namespace hgrid::reference
