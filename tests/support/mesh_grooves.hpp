// SPDX-License-Identifier: BSD-3-Clause
// Values of a ball that rolls along a groove, whose sides are cut into triangles at equal places.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "hgrid/hgrid.hpp"
#include "hgrid/loop.hpp"
#include "hgrid/queries.hpp"
#include "support/random.hpp"

namespace support {

/// Rolls a ball that touches both sides, and leaves a triangle of each in one step. The value of a side stays on it. Triangles
/// are numbered in any order. Returns the fault; `rolled` counts steps in which both change.
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
  auto now = grid.make_list(hgrid::ListKind::full), last = grid.make_list(hgrid::ListKind::full);
  hgrid::Mesh mesh{exec, groove};
  hgrid::History history(exec);
  hgrid::PairArray<Exec, int> of_side(exec, 0);
  std::vector<std::size_t> touched;
  double x[] = {random.real(0.1, 0.9), 0, random.real(0.5, 0.65)}, r = 0.5;
  for (int step = 0; x[0] < cuts - 1.5; ++step, x[0] += random.real(0.1, 0.5)) {
    const auto ball = hgrid::particles<3>(x, &r, 1);
    grid.build(ball);
    std::swap(last, now);
    grid.find(now, hgrid::OnMesh{mesh, ball});
    if (now.size() != 2) return "not both sides";
    history.remap(last, now, mesh.view());
    of_side.follow(history);
    const std::vector<std::size_t> left = std::exchange(touched, {});
    for (std::size_t t = 0; t < side.size(); ++t) {
      if (now.offsets()[t] < now.offsets()[t + 1]) touched.push_back(t);
      for (auto k = now.offsets()[t]; k < now.offsets()[t + 1]; ++k) {
        if (step == 0) of_side.data()[k] = side[t];
        if (of_side.data()[k] == 0) return "a side lost its value in step " + std::to_string(step);
        if (of_side.data()[k] != side[t]) return "sides swapped their values in step " + std::to_string(step);
      }
    }
    rolled += step > 0 && std::none_of(left.begin(), left.end(), [&](std::size_t t) {
                return std::find(touched.begin(), touched.end(), t) != touched.end();
              });
  }
  return "";
}

/// Rolls a ball that leaves a triangle on each side of a groove. One new contact shares an edge with both that have ended, and
/// takes the value on its own side; the other new contact takes the one that is left.
template <class Exec>
std::string check_what_is_left(const Exec& exec) {
  const hgrid::Triangles groove{
      {{0, 0, 0}, {1, 0, 0}, {0, -1, 1}, {1, -1, 1}, {0, 1, 1}, {1, 1, 1}, {0.36, 0.38, 0.38}, {0.8, 0.38, 0.38}},
      {{0, 1, 3}, {0, 3, 2}, {0, 1, 6}, {6, 1, 7}, {6, 7, 5}, {6, 5, 4}, {6, 4, 0}, {1, 5, 7}}};
  hgrid::Grid grid{exec, hgrid::Box3::open()};
  auto now = grid.make_list(hgrid::ListKind::full), last = grid.make_list(hgrid::ListKind::full);
  hgrid::Mesh mesh{exec, groove};
  hgrid::History history(exec);
  const double at[2][3] = {{0.36, 0, 0.74}, {0.42, 0, 0.82}}, r = 0.6;
  const hgrid::index_t touched[2][2] = {{1, 2}, {0, 4}};
  for (int step = 0; step < 2; ++step) {
    const auto ball = hgrid::particles<3>(at[step], &r, 1);
    grid.build(ball);
    std::swap(last, now);
    grid.find(now, hgrid::OnMesh{mesh, ball});
    if (now.size() != 2) return "not both sides";
    for (const hgrid::index_t t : touched[step]) {
      if (now.offsets()[t] == now.offsets()[t + 1]) return "another triangle than " + std::to_string(t);
    }
    history.remap(last, now, mesh.view());
  }
  return history.from()[0] == 0 && history.from()[1] == 1 ? "" : "a contact that could go on is new";
}

}  // namespace support
