// SPDX-License-Identifier: BSD-3-Clause
// The exception of hgrid11.hpp. Include hgrid11.hpp.
#ifndef HGRID11_ERROR_HPP
#define HGRID11_ERROR_HPP

#include "hgrid.h"

#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace hgrid11 {
inline namespace v0_2 {

// clang-format off
/// The codes of hgrid_status.
enum class ErrorCode {
  nonfinite = HGRID_ERROR_NONFINITE, negative_radius = HGRID_ERROR_NEGATIVE_RADIUS, range_error = HGRID_ERROR_RANGE,
  invalid_box = HGRID_ERROR_INVALID_BOX, box_too_small = HGRID_ERROR_BOX_TOO_SMALL, invalid_levels = HGRID_ERROR_INVALID_LEVELS,
  unsupported = HGRID_ERROR_UNSUPPORTED, invalid_argument = HGRID_ERROR_INVALID_ARGUMENT,
  size_mismatch = HGRID_ERROR_SIZE_MISMATCH, not_built = HGRID_ERROR_NOT_BUILT, stale = HGRID_ERROR_STALE,
  reentrancy = HGRID_ERROR_REENTRANCY, capacity = HGRID_ERROR_CAPACITY, too_many_particles = HGRID_ERROR_TOO_MANY_PARTICLES,
  out_of_memory = HGRID_ERROR_OUT_OF_MEMORY, environment = HGRID_ERROR_ENVIRONMENT, device = HGRID_ERROR_DEVICE,
  format = HGRID_ERROR_FORMAT, io = HGRID_ERROR_IO, stopped = HGRID_ERROR_STOPPED, internal = HGRID_ERROR_INTERNAL
};
// clang-format on

/// Returns the name of a code, such as "nonfinite".
inline const char* name_of(ErrorCode code) { return hgrid_status_name(static_cast<int>(code)); }

/// The exception of all calls. The message begins with the name of the code, and names the argument and the remedy.
class Error : public std::runtime_error {
 public:
  /// Takes the error of this thread's last failed call.
  explicit Error(const hgrid_error& e)
      : std::runtime_error(e.message),
        code_(static_cast<ErrorCode>(e.code)),
        argument_(e.argument),
        index_(e.index),
        count_(e.count),
        needed_(e.needed),
        value_(e.value) {}
  Error(ErrorCode code, const std::string& why, const std::string& argument, std::int64_t value = 0, std::int64_t needed = -1)
      : std::runtime_error(std::string(name_of(code)) + ": " + argument + " " + why),
        code_(code),
        argument_(argument),
        index_(-1),
        count_(0),
        needed_(needed),
        value_(static_cast<double>(value)) {}

  ErrorCode code() const noexcept { return code_; }
  const std::string& argument() const noexcept { return argument_; }  ///< the offending argument or field; empty: none
  std::int64_t index() const noexcept {
    return index_;
  }                                                         ///< index of the first offender: particle, axis, region, level; -1:
                                                            ///< none
  std::int64_t count() const noexcept { return count_; }    ///< number of offenders
  std::int64_t needed() const noexcept { return needed_; }  ///< size that would have sufficed; -1: none
  double value() const noexcept { return value_; }          ///< value of the first offender

 private:
  ErrorCode code_;
  std::string argument_;
  std::int64_t index_, count_, needed_;
  double value_;
};

namespace detail {

/// Returns a struct of hgrid.h with all zeros except its size.
template <class T>
T sized() {
  T all = T();
  all.struct_size = sizeof(T);
  return all;
}

/// Throws the error of a failed call.
inline void require(int status) {
  if (status == HGRID_OK) return;
  hgrid_error error = sized<hgrid_error>();
  hgrid_last_error(&error);
  throw Error(error);
}

/// Returns the struct that a function of hgrid.h fills, its last argument.
template <class T, class F, class... Arguments>
T filled(const F& f, Arguments... arguments) {
  T all = sized<T>();
  require(f(arguments..., &all));
  return all;
}
/// Returns the number or pointer that a function of hgrid.h writes to its last argument.
template <class T, class F, class... Arguments>
T written(const F& f, Arguments... arguments) {
  T one = T();
  require(f(arguments..., &one));
  return one;
}

/// Resizes a vector to rows * columns entries; negative numbers count as 0. Throws `out_of_memory` if this is impossible, with
/// `argument` as the name of `rows`.
template <class T>
void make_room(std::vector<T>& to, std::int64_t rows, std::int64_t columns, const T& value, const char* argument) {
  const bool is_none = rows <= 0 || columns <= 0;
  try {
    if (!is_none && rows > std::numeric_limits<std::ptrdiff_t>::max() / columns) throw std::bad_alloc();
    const std::size_t size = is_none ? 0 : static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    if (size > to.max_size()) throw std::bad_alloc();
    to.resize(size, value);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "is " + std::to_string(rows) + "; memory for that could not be had", argument, rows);
  }
}

}  // namespace detail
}  // namespace v0_2
}  // namespace hgrid11

#endif
