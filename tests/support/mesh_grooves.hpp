// SPDX-License-Identifier: BSD-3-Clause
// Values of a ball that rolls along a groove, whose sides are cut into triangles at the same places.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "hgrid/hgrid.hpp"
#include "support/random.hpp"

namespace support {

/// The ball touches both sides, and leaves a triangle of each in the same step. The value of a side stays on it. Triangles are
/// numbered in any order. Returns what is wrong; `rolled` counts steps in which both change.
template <class Exec>
std::string check_groove(const Exec& exec, std::uint64_t seed, int& rolled) {
  Random random(seed);
  constexpr int cuts = 9;
  hgrid::Triangles groove;
  std::vector<int> side;
  for (int i = 0; i < cuts; ++i)
    groove.vertices.insert(groove.vertices.end(), {{1.0 * i, 0, 0}, {1.0 * i, -1, 1}, {1.0 * i, 1, 1}});
  std::vector<std::pair<hgrid::Vec<hgrid::index_t, 3>, int>> triangles;
  for (hgrid::index_t i = 0; i + 1 < cuts; ++i) {
    for (const int s : {1, 2}) {
      const hgrid::index_t b = 3 * i, t = b + s;
      triangles.push_back({{b, b + 3, t + 3}, s}), triangles.push_back({{b, t + 3, t}, s});
    }
  }
  for (std::size_t k = triangles.size(); k > 1; --k) {
    std::swap(triangles[k - 1], triangles[static_cast<std::size_t>(random.integer(0, static_cast<int>(k) - 1))]);
  }
  for (const auto& [corners, of_side] : triangles) groove.corners.push_back(corners), side.push_back(of_side);
  hgrid::Grid grid{exec, hgrid::Box3::open()};
  hgrid::Queries queries(grid);
  hgrid::Mesh mesh{exec, groove};
  hgrid::History history(exec);
  hgrid::PairArray<Exec, int> of_side(exec, 0);
  double x[] = {random.real(0.1, 0.9), 0, random.real(0.5, 0.65)}, r = 0.5;
  for (int step = 0; x[0] < cuts - 1.5; ++step, x[0] += random.real(0.1, 0.5)) {
    const auto ball = hgrid::particles<3>(x, &r, 1);
    grid.build(ball);
    const auto& now = queries.find(mesh, ball);
    if (now.size() != 2) return "not both sides";
    history.remap(queries.before(), now, mesh.view());
    of_side.follow(history);
    for (std::size_t t = 0; t < side.size(); ++t) {
      for (auto k = now.offsets()[t]; k < now.offsets()[t + 1]; ++k) {
        if (step == 0) of_side.data()[k] = side[t];
        if (of_side.data()[k] == 0) return "a side lost its value in step " + std::to_string(step);
        if (of_side.data()[k] != side[t]) return "sides swapped their values in step " + std::to_string(step);
      }
    }
    if (step > 0) rolled += std::none_of(history.from(), history.from() + 2, [&](hgrid::offset_t k) { return k < 0; });
  }
  return "";
}

}  // namespace support
