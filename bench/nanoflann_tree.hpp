// SPDX-License-Identifier: BSD-3-Clause
// nanoflann's tree of points, queried by several threads. To be included where nanoflann is found.
#pragma once

#include <nanoflann.hpp>
#include <thread>
#include <vector>

#include "hgrid/core/types.hpp"

namespace hgrid::bench {

/// A tree of points that stay in place.
class NanoflannTree {
  struct Cloud {
    const std::vector<Vec<double, 3>>& x;
    std::size_t kdtree_get_point_count() const { return x.size(); }
    double kdtree_get_pt(std::size_t i, std::size_t axis) const { return x[i][static_cast<int>(axis)]; }
    template <class Box>
    bool kdtree_get_bbox(Box&) const {
      return false;
    }
  };
  using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud, 3, std::uint32_t>;

 public:
  explicit NanoflannTree(const std::vector<Vec<double, 3>>& x)
      : cloud_{x}, tree_(3, cloud_, nanoflann::KDTreeSingleIndexAdaptorParams(10)) {
    tree_.buildIndex();
  }
  const Tree& operator*() const { return tree_; }
  const Tree* operator->() const { return &tree_; }

 private:
  Cloud cloud_;
  Tree tree_;
};

/// f(begin, end) for a part of n items on each thread.
template <class F>
void in_parts(std::size_t n, int threads, const F& f) {
  const auto parts = static_cast<std::size_t>(threads);
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < parts; ++t) others.emplace_back([&, t] { f(n * t / parts, n * (t + 1) / parts); });
  f(std::size_t{0}, n / parts);
  for (std::thread& thread : others) thread.join();
}

}  // namespace hgrid::bench
