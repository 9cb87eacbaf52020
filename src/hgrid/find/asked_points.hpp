// SPDX-License-Identifier: BSD-3-Clause
// Checks of points before their nearest particles are searched, and of the box.
#pragma once

#include <span>
#include <string>
#include <type_traits>

#include "hgrid/core/contact.hpp"
#include "hgrid/core/error.hpp"
#include "hgrid/core/lattice.hpp"
#include "hgrid/core/world_kinds.hpp"
#include "hgrid/inputs/inspect.hpp"

namespace hgrid::inline v0_2::detail {

/// The number of bad points, and what is wrong with the first one.
struct PointCheck {
  offset_t bad = 0, first = INT64_MAX;
  double value = 0;
  ErrorCode code = ErrorCode::nonfinite;
  int of_world = 0;

  HGRID_HD void join(const PointCheck& o) {
    const offset_t all = bad + o.bad;
    if (o.first < first) *this = o;
    bad = all;
  }
};

template <class View>
struct InspectPoint {
  static constexpr int D = View::dimension;
  const Vec<double, D>* points;
  const index_t* worlds;  // or null
  View grid;

  HGRID_HD void operator()(offset_t q, PointCheck& check) const {
    const auto blame = [&](ErrorCode code, double value, int of_world = 0) { check.join({1, q, value, code, of_world}); };
    const index_t world = worlds == nullptr ? 0 : worlds[q];
    if (world < 0 || world >= (grid.has_worlds() ? grid.worlds : 1)) return blame(ErrorCode::range_error, world, 1);
    for (int k = 0; k < D; ++k) {
      const double x = points[q][k];
      if (!(std::fabs(x) <= largest_length)) return blame(x - x == 0 ? ErrorCode::range_error : ErrorCode::nonfinite, x);
    }
    grid.with_box(world, [&](const Box<D>& box) {
      const InBox<D> in = into_box(box, points[q]);
      bool is_bad = false;
      for (int k = 0; k < D; ++k) {
        is_bad = is_bad || std::fabs(in.count[k]) > most_outside(box) || std::fabs(in.inside[k]) > largest_length;
      }
      if (is_bad) blame(ErrorCode::range_error, points[q][largest_coordinate(points[q])]);
    });
  }
};

/// Throws `capacity` if the k nearest particles of all these points exceed the executor's memory limit.
template <class Exec>
void require_room_for_nearest(const Exec& exec, offset_t points, index_t k, bool images) {
  const std::size_t each = sizeof(double) + sizeof(index_t) + (images ? sizeof(Image) : 0), most = exec.memory_limit() / each;
  const offset_t n = points * k;
  if (static_cast<std::size_t>(n) <= most) return;
  throw Error(ErrorCode::capacity,
              "k is " + std::to_string(k) + ", of " + std::to_string(points) + " points: " + std::to_string(n) +
                  " results do not fit into memory; ask for fewer, or for some points at a time",
              {.argument = "k", .value = static_cast<double>(k), .count = static_cast<offset_t>(most), .needed = n});
}

/// Throws `nonfinite`, `range_error` or `capacity` if a point is bad. Runs the check into `in_memory`, in the executor's
/// memory, and waits for it.
template <class Exec, int D>
void require_points(const Exec& exec, const GridView<D>& g, std::span<const Vec<double, D>> points, const index_t* worlds,
                    PointCheck* in_memory) {
  const auto count = static_cast<offset_t>(points.size());
  if (count > most_particles) {
    throw Error(ErrorCode::capacity, std::to_string(count) + " points: their numbers have 32 bits, ask for some at a time",
                {.argument = "points", .value = static_cast<double>(count)});
  }
  for_worlds(g, [&](const auto& view) {
    using Inspect = InspectPoint<std::decay_t<decltype(view)>>;
    exec.reduce("hgrid::inspect_points", count, Inspect{points.data(), worlds, view}, PointCheck{}, in_memory);
  });
  const PointCheck found = exec.read_back(in_memory);
  if (found.bad == 0) return;
  const char* const why = found.of_world != 0 ? " is none of the worlds"
                          : found.code == ErrorCode::nonfinite
                              ? " is not finite"
                              : " is not within 1e15, or more than 2^30 periods outside the box (2^29 if tilted)";
  throw Error(
      found.code,
      (found.of_world != 0 ? "world of point " : "point ") + std::to_string(found.first) + ": " + to_text(found.value) + why,
      {.argument = found.of_world != 0 ? "worlds" : "points", .index = found.first, .value = found.value, .count = found.bad});
}

/// Throws `unsupported` for a tilted box in which too many images lie within half its diagonal.
template <int D>
void require_near_images(const Box<D>& box) {
  const auto fail = [](const char* why, int axis, double value) {
    throw Error(ErrorCode::unsupported, std::string("of a tilted box, the nearest images are unsupported where ") + why,
                {.argument = "box", .index = axis, .value = value});
  };
  double shortest = HUGE_VAL;
  for (int k = 0; k < D; ++k) shortest = box.wraps[k] ? std::fmin(shortest, box.length(k)) : shortest;
  for (int j = 0; j < D && box.tilted; ++j) {
    if (box.length(j) > 8 * shortest) fail("a period is over eight times as long as another", j, box.length(j));
    for (int k = 0; k < j; ++k) {
      const double tilt = box.tilt[Box<D>::tilt_index(k, j)];
      if (!box.wraps[k] && tilt != 0) fail("it is tilted along an open axis", j, tilt);
    }
  }
}

}  // namespace hgrid::inline v0_2::detail
