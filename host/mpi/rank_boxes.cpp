// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/ranks/rank_boxes.hpp"

#include <utility>

namespace hgrid::inline v0_2::detail {

template <int D>
RankBoxes<D>::RankBoxes(std::vector<RankBox<D>> of_ranks) : ranks_(std::move(of_ranks)), tree_(2 * ranks_.size() - 1) {
  bound(0, 0, static_cast<int>(ranks_.size()));
}

template <int D>
const RankBox<D>& RankBoxes<D>::bound(std::size_t node, int first, int end) {
  if (end - first == 1) return tree_[node] = ranks_[static_cast<std::size_t>(first)];
  const int middle = halfway(first, end);
  const RankBox<D> left = bound(node + 1, first, middle);
  const RankBox<D> right = bound(node + 2 * static_cast<std::size_t>(middle - first), middle, end);
  if (left.is_empty() || right.is_empty()) return tree_[node] = left.is_empty() ? right : left;
  RankBox<D>& both = tree_[node];
  for (int k = 0; k < D; ++k) both.lo[k] = std::min(left.lo[k], right.lo[k]), both.hi[k] = std::max(left.hi[k], right.hi[k]);
  return both;
}

template <int D>
RankBoxes<D> RankBoxes<D>::moved(const Box<D>& from, const Box<D>& to) const {
  if (ranks_.empty()) return {};
  std::vector<RankBox<D>> boxes = ranks_;
  for (RankBox<D>& each : boxes) {
    for (int k = 0; k < D; ++k) {
      if (!to.wraps[k]) continue;
      for (double* end : {&each.lo[k], &each.hi[k]}) {
        const double share = (*end - from.lo[k]) / from.length(k);  // 0 and 1 at the ends, and monotone, like the next line
        *end = share < 1 ? std::min(to.lo[k] + share * to.length(k), to.hi[k]) : to.hi[k];
      }
    }
  }
  return RankBoxes(std::move(boxes));
}

// Returns the owner, or -1. If ranks are not numbered along the cuts, the boxes of two halves overlap, so the owner may be in
// either.
template <int D>
int RankBoxes<D>::owner(std::size_t node, int first, int end, const Vec<double, D>& x) const {
  if (!tree_[node].owns(x)) return -1;
  if (end - first == 1) return first;
  const int middle = halfway(first, end), in_left = owner(node + 1, first, middle, x);
  return in_left >= 0 ? in_left : owner(node + 2 * static_cast<std::size_t>(middle - first), middle, end, x);
}

template class RankBoxes<2>;
template class RankBoxes<3>;

}  // namespace hgrid::inline v0_2::detail
