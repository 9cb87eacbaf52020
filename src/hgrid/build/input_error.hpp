// SPDX-License-Identifier: BSD-3-Clause
// What the user is told about bad particles.
#pragma once

#include <cstdio>
#include <string>

#include "hgrid/build/inspect.hpp"
#include "hgrid/core/error.hpp"

namespace hgrid {

/// The shortest of the usual ways to print a double that a reader recognises.
inline std::string to_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

/// Throws the typed error for the first bad particle of a summary; returns if there is none.
template <int D>
void throw_if_bad(const InputSummary<D>& s, const Box<D>& box, double skin) {
  if (s.bad == 0) return;
  const std::string at = std::to_string(s.first_bad) + " (of " + std::to_string(s.bad) + " bad): ";
  const std::string axis(1, "xyz"[s.axis]), value = to_text(s.value);
  const auto fail = [&](ErrorCode code, const char* argument, const std::string& why) {
    throw Error(code, argument + std::string(" of particle ") + at + why,
                {.argument = argument, .index = s.first_bad, .value = s.value, .count = s.bad});
  };
  switch (s.fault) {
    case Fault::none: return;
    case Fault::position_nonfinite:
      fail(ErrorCode::nonfinite, "positions", axis + " = " + value + "; set nonfinite = skip to leave such out");
      break;
    case Fault::radius_nonfinite:
      fail(ErrorCode::nonfinite, "radii", value + "; set nonfinite = skip to leave such out");
      break;
    case Fault::extra_nonfinite: fail(ErrorCode::nonfinite, "extra", value); break;
    case Fault::radius_negative: fail(ErrorCode::negative_radius, "radii", value + " is negative"); break;
    case Fault::extra_negative: fail(ErrorCode::negative_radius, "extra", value + " is negative"); break;
    case Fault::position_range:
      fail(ErrorCode::range_error, "positions", axis + " = " + value + " is beyond 1e15; rescale lengths");
      break;
    case Fault::radius_range:
      fail(ErrorCode::range_error, "radii", value + " is not 0 or in [1e-15, 1e15]; rescale lengths");
      break;
    case Fault::extra_range: fail(ErrorCode::range_error, "extra", value + " is beyond 1e15; rescale lengths"); break;
    case Fault::image_range:
      fail(ErrorCode::range_error, "positions", axis + " = " + value + " is more than 2^30 periods outside the box");
      break;
    case Fault::box_too_small:
      fail(ErrorCode::box_too_small, "radii",
           value + " needs more than 7 periodic images along " + axis + "; the period " +
               to_text(box.length(s.axis)) + " must be at least " +
               to_text((2 * s.value + skin) / max_images));
  }
}

}  // namespace hgrid
