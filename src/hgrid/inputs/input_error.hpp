// SPDX-License-Identifier: BSD-3-Clause
// The errors for bad particles, boxes and arguments.
#pragma once

#include <string>

#include "hgrid/core/error.hpp"
#include "hgrid/core/tilt.hpp"
#include "hgrid/inputs/inspect.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns the name of an axis of the box. The axes of a turned box are not the user's, and are named after its vectors.
template <int D>
std::string axis_name(const Box<D>& box, int k) {
  return box.turned ? std::string("axis ") + "abc"[k] + " of the turned box" : std::string("axis ") + "xyz"[k];
}

/// Throws `invalid_box` unless the axes of a turned box are unit vectors at right angles to each other.
template <int D>
void check_axes(const Box<D>& box) {
  for (int j = 0; j < D && box.turned; ++j) {
    for (int k = 0; k <= j; ++k) {
      double product = 0;
      for (int i = 0; i < D; ++i) product += box.axes[j][i] * box.axes[k][i];
      if (std::fabs(product - (j == k ? 1 : 0)) <= 0x1p-49) continue;
      throw Error(ErrorCode::invalid_box, "the axes of a turned box are no unit vectors at right angles to each other",
                  {.argument = "box", .index = j, .value = product});
    }
  }
}

/// Throws `invalid_box` for a periodic axis without a usable period, and for periods that changed after the box was tilted.
template <int D>
void check_box(const Box<D>& box) {
  for (int k = 0; k < D; ++k) {
    const double lo = box.lo[k], hi = box.hi[k], period = hi - lo;
    const bool finite = std::fabs(lo) <= largest_length && std::fabs(hi) <= largest_length;
    if (!box.wraps[k] || (finite && period >= smallest_radius && period <= largest_length)) continue;
    throw Error(ErrorCode::invalid_box,
                axis_name(box, k) + " from " + to_text(lo) + " to " + to_text(hi) +
                    " is no period; lo < hi, both within 1e15, are needed",
                {.argument = "box", .index = k, .value = period});
  }
  for (int j = 1; j < D && box.tilted; ++j) {
    for (int k = 0; k < j; ++k) {
      const int t = Box<D>::tilt_index(k, j);
      const double tilt = box.tilt[t], most = box.wraps[k] ? 0.5 * box.length(k) : largest_length;
      const bool counted = box.periods[t] == 0 || (box.wraps[k] && box.wraps[j] && largest_image(box) <= 0x1p26);
      if (std::fabs(tilt) <= most * (1 + 0x1p-40) && (tilt == 0 || box.wraps[j]) && counted) continue;
      throw Error(ErrorCode::invalid_box, "the box was changed after it was tilted; tilt the new one",
                  {.argument = "box", .index = j, .value = tilt});
    }
  }
  check_axes(box);
}

/// Returns the box without its unused values: bounds of open axes, and turned axes if no axis is periodic.
template <int D>
Box<D> used_part(Box<D> box) {
  box.turned = box.turned && box.any_periodic();
  if (!box.turned) box.axes = {};
  for (int k = 0; k < D; ++k) {
    if (!box.wraps[k]) box.lo[k] = box.hi[k] = 0;
  }
  return box;
}

/// Returns the used part of a box. Throws `invalid_box`.
template <int D>
Box<D> checked_box(const Box<D>& box) {
  check_box(box);
  return used_part(box);
}

/// Returns the used part of a world's box. Throws `invalid_box`, naming the world.
template <int D>
Box<D> checked_box_of_world(const Box<D>& of_world, std::size_t world) {
  try {
    return checked_box(of_world);
  } catch (const Error& e) {
    const std::string what = e.what();
    throw Error(e.code(), "world " + std::to_string(world) + ": " + what.substr(what.find(": ") + 2),
                {.argument = "boxes", .index = static_cast<std::int64_t>(world), .value = e.detail().value});
  }
}

/// Throws `unsupported` if particles have extents, for a function `what` that supports only spheres.
inline void require_spheres(bool extended, const char* what) {
  if (!extended) return;
  throw Error(ErrorCode::unsupported, std::string(what) + " are for spheres, and the particles have extents",
              {.argument = "extents"});
}

/// Throws for invalid exclusions, before any entry is read.
inline void check_exclusions(const Exclusions& e) {
  const auto fail = [&](ErrorCode code, const char* what) {
    throw Error(code, what, {.argument = "exclusions", .value = static_cast<double>(e.size)});
  };
  if (e.size < 0) fail(ErrorCode::size_mismatch, "the number of exclusions is negative");
  if (e.size == 0) return;
  if (e.pairs != nullptr && (e.begin != nullptr || e.ids != nullptr)) {
    fail(ErrorCode::invalid_argument, "exclusions are lists or pairs, not both");
  }
  if (e.pairs == nullptr && (e.begin == nullptr || e.ids == nullptr)) {
    fail(ErrorCode::invalid_argument, "exclusions are null");
  }
}

/// Throws for an invalid table of cut-offs, before it is read.
inline void check_cutoffs(const Cutoffs& c, std::int64_t particles) {
  if (c.types < 0 || c.types > most_types) {
    throw Error(ErrorCode::invalid_argument, "a table of cut-offs has at most 4096 types",
                {.argument = "cutoffs", .value = static_cast<double>(c.types)});
  }
  if (c.types > 0 && ((c.type == nullptr && particles > 0) || c.distance == nullptr)) {
    throw Error(ErrorCode::invalid_argument, "cut-offs are null",
                {.argument = "cutoffs", .value = static_cast<double>(c.types)});
  }
}

/// Throws for invalid worlds, before the world of any particle is read.
inline void check_worlds(const Worlds& w, std::int64_t particles) {
  const auto fail = [&](const char* what) {
    throw Error(ErrorCode::invalid_argument, what, {.argument = "worlds", .value = static_cast<double>(w.count)});
  };
  if (w.count < 0 || w.count > most_worlds) fail("there are at most 2^20 worlds");
  if (w.count > 0 && w.of == nullptr && particles > 0) fail("worlds are null");
}

/// Throws for invalid arguments of a build, before any particle is read.
template <class Real, int D>
void check_arguments(const Particles<Real, D>& p, double skin) {
  const auto fail = [](ErrorCode code, const char* what, std::int64_t index, double value, const char* argument = "") {
    throw Error(code, what, {.argument = argument, .index = index, .value = value});
  };
  if (p.count < 0) fail(ErrorCode::size_mismatch, "the number of particles is negative", -1, double(p.count));
  if (p.count > most_particles) {
    fail(ErrorCode::too_many_particles, "ids are 32-bit: at most 2147475455 particles", -1, double(p.count));
  }
  for (int k = 0; k < D && p.count > 0; ++k) {
    if (p.position[k] == nullptr) fail(ErrorCode::invalid_argument, "positions are null", k, 0);
  }
  for (int k = 1; k < D && p.has_extents(); ++k) {
    if (p.extent[k] == nullptr) fail(ErrorCode::invalid_argument, "extents are null", k, 0, "extents");
  }
  if (p.has_extents() && p.radius != nullptr)
    fail(ErrorCode::invalid_argument, "particles have radii or extents, not both", -1, 0, "extents");
  if (p.count > 0 && !p.has_extents() && p.radius == nullptr) fail(ErrorCode::invalid_argument, "radii are null", -1, 0);
  if (!(skin >= 0) || skin > largest_length) {
    fail(ErrorCode::invalid_argument, "skin must be in [0, 1e15]", -1, skin, "skin");
  }
  if (!(p.radius_scale > 0) || p.radius_scale > largest_length) {
    fail(ErrorCode::invalid_argument, "radius_scale must be in (0, 1e15]", -1, p.radius_scale, "radius_scale");
  }
  if (p.owned > p.count) fail(ErrorCode::size_mismatch, "more owned particles than particles", p.owned, 0);
  check_exclusions(p.exclusions);
  check_cutoffs(p.cutoffs, p.count);
  check_worlds(p.worlds, p.count);
}

/// Throws the typed error for the first bad particle of a summary, if there is one. `may_skip`: the error may suggest to skip
/// particles that are not finite.
template <int D>
void throw_if_bad(const InputSummary<D>& s, const Box<D>& box, double skin, bool may_skip = true) {
  if (s.bad == 0) return;
  if (s.fault == Fault::other_plan) {
    throw Error(
        ErrorCode::stale,
        "a captured build was replayed after the grid was planned again, its memory grew or its particles became others "
        "(number, skin, kinds of input); capture it again",
        {.argument = "graph"});
  }
  const std::string at = std::to_string(s.first_bad) + " (of " + std::to_string(s.bad) + " bad): ";
  const std::string value = to_text(s.value), position = "xyz"[s.coordinate()] + (" = " + value);
  const std::string left_out = may_skip ? "; set nonfinite = skip to leave such out" : " is not finite";
  const bool is_turned_or_tilted = box.turned || box.tilted;
  const bool of_exclusions = s.fault >= Fault::exclusion_range && s.fault <= Fault::exclusion_begin;
  const auto fail = [&](ErrorCode code, const char* argument, const std::string& why) {
    throw Error(code, argument + std::string(of_exclusions ? " in list or pair " : " of particle ") + at + why,
                {.argument = argument, .index = s.first_bad, .value = s.value, .count = s.bad});
  };
  // In a tilted or turned box, an infinite coordinate may first be found out of range along another axis.
  const bool is_of_position = s.fault == Fault::position_range || s.fault == Fault::image_range;
  switch (is_of_position && !is_finite(s.value) ? Fault::position_nonfinite : s.fault) {
    case Fault::none:
    case Fault::other_plan:
      return;
    case Fault::position_nonfinite:
      fail(ErrorCode::nonfinite, "positions", position + left_out);
      break;
    case Fault::radius_nonfinite:
      fail(ErrorCode::nonfinite, "radii", value + left_out);
      break;
    case Fault::extra_nonfinite:
      fail(ErrorCode::nonfinite, "extra", value);
      break;
    case Fault::radius_negative:
      fail(ErrorCode::negative_radius, "radii", value + " is negative");
      break;
    case Fault::extra_negative:
      fail(ErrorCode::negative_radius, "extra", value + " is negative");
      break;
    case Fault::position_range:
      fail(ErrorCode::range_error, "positions",
           position +
               (std::fabs(s.value) > largest_length ? " is beyond 1e15"
                                                    : " leads beyond 1e15 along " + axis_name(box, s.axis())) +
               "; rescale lengths");
      break;
    case Fault::radius_range:
      fail(ErrorCode::range_error, "radii", value + " is not 0 or in [1e-15, 1e15]; rescale lengths");
      break;
    case Fault::extra_range:
      fail(ErrorCode::range_error, "extra", value + " is beyond 1e15; rescale lengths");
      break;
    case Fault::image_range:
      fail(ErrorCode::range_error, "positions",
           position + " is more than 2^" + (box.tilted ? "29" : "30") +
               (is_turned_or_tilted ? std::string(" times vector ") + "abc"[s.axis()] : " periods") +
               " outside the box; take some off");
      break;
    case Fault::exclusion_range:
      fail(ErrorCode::range_error, "exclusions", value + " is the id of no particle");
      break;
    case Fault::exclusion_order:
      fail(ErrorCode::invalid_argument, "exclusions",
           value + " is less than the one before it; lists and pairs must be sorted");
      break;
    case Fault::exclusion_begin:
      fail(ErrorCode::invalid_argument, "exclusions", "begins and ends must ascend from 0 to the size; one is " + value);
      break;
    case Fault::type_range:
      fail(ErrorCode::range_error, "types", value + " is no type of the table of cut-offs");
      break;
    case Fault::cutoff:
      fail(ErrorCode::invalid_argument, "cutoffs", "one of its type is " + value + "; they must be symmetric and in [0, 1e15]");
      break;
    case Fault::cutoff_beyond_radius:
      fail(ErrorCode::invalid_argument, "radii", "twice the radius must reach " + value + ", the largest cut-off of its type");
      break;
    case Fault::extent_nonfinite:
      fail(ErrorCode::nonfinite, "extents", value + left_out);
      break;
    case Fault::extent_negative:
      fail(ErrorCode::negative_radius, "extents", value + " is negative");
      break;
    case Fault::extent_range:
      fail(ErrorCode::range_error, "extents", value + " is not 0 or in [1e-15, 1e15]; rescale lengths");
      break;
    case Fault::world_range:
      fail(ErrorCode::range_error, "worlds", value + " is none of the worlds");
      break;
    case Fault::extent_too_wide:
    case Fault::box_too_small:
      fail(ErrorCode::box_too_small, s.fault == Fault::box_too_small ? "radii" : "extents",
           value + " needs more than " + std::to_string(most_images(box)) + " periodic images along " +
               axis_name(box, s.axis()) +
               (box.wraps[s.axis()] ? "; its period " + to_text(box.length(s.axis())) + " must be at least " +
                                          to_text((2 * s.value + skin) / most_images(box))
                                    : ""));
  }
}

}  // namespace hgrid::inline v0_2::detail
