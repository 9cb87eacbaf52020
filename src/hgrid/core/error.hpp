// SPDX-License-Identifier: BSD-3-Clause
// The one exception of the library: a code to branch on, and a message that names the argument, the first offending index and
// value, the number of offenders, and the remedy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace hgrid::inline v0_2 {

// clang-format off
enum class ErrorCode {
  nonfinite, negative_radius, range_error,                       // particle data
  invalid_box, box_too_small, invalid_levels, unsupported,       // geometry
  invalid_argument, size_mismatch, not_built, stale, reentrancy,  // use
  capacity, too_many_particles, out_of_memory,                   // sizes
  environment, device,                                           // machine
  format, io,                                                    // files (the tool's readers and writers)
  stopped                                                        // the user's watch asked for it
};

/// The codes' names as users see them, in the order of the codes; `name_of` (core/names.hpp) looks them up.
inline constexpr std::array error_names = {
    "nonfinite", "negative_radius", "range_error",
    "invalid_box", "box_too_small", "invalid_levels", "unsupported",
    "invalid_argument", "size_mismatch", "not_built", "stale", "reentrancy",
    "capacity", "too_many_particles", "out_of_memory",
    "environment", "device",
    "format", "io",
    "stopped"};
// clang-format on

class Error : public std::runtime_error {
 public:
  /// Facts that a message may carry besides its text. `index` and `needed` are -1 if there is none.
  struct Detail {
    std::string argument = {};  ///< the offending argument or field, e.g. "radii"
    std::int64_t index = -1;    ///< first offending index (particle id, level, line, ...)
    double value = 0;           ///< its value
    std::int64_t count = 0;     ///< how many offenders there were
    std::int64_t needed = -1;   ///< the size that would have sufficed (`capacity`, `out_of_memory`)
  };

  Error(ErrorCode code, const std::string& message) : Error(code, message, Detail{}) {}
  Error(ErrorCode code, const std::string& message, Detail detail)
      : std::runtime_error(std::string(error_names[static_cast<std::size_t>(code)]) + ": " + message),
        code_(code),
        detail_(std::move(detail)) {}

  ErrorCode code() const noexcept { return code_; }
  const Detail& detail() const noexcept { return detail_; }

 private:
  ErrorCode code_;
  Detail detail_;
};

namespace detail {

/// Returns the shortest of the usual ways to print a double that a reader recognises.
inline std::string to_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

/// Returns, for example, "1 level" or "2 levels". Pass `many` for words whose plural does not end in s.
template <class Integer>
std::string counted(Integer n, const std::string& one, const std::string& many = {}) {
  return std::to_string(n) + ' ' + (n == 1 ? one : many.empty() ? one + 's' : many);
}

}  // namespace detail

}  // namespace hgrid::inline v0_2
