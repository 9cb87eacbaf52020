// SPDX-License-Identifier: BSD-3-Clause
// Converts exceptions: each becomes a status, and its text the error of the calling thread.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "hgrid.h"
#include "hgrid/core/error.hpp"

namespace hgrid::c {

/// Stores the error of this thread's last failed call, and returns its status.
int keep(const Error& error) noexcept;
int keep(int status, const char* message) noexcept;
const hgrid_error& kept() noexcept;

/// Returns the status of f().
template <class F>
int status_of(const F& f) noexcept {
  try {
    f();
    return HGRID_OK;
  } catch (const Error& error) {
    return keep(error);
  } catch (const std::bad_alloc&) {
    return keep(HGRID_ERROR_OUT_OF_MEMORY, "host memory could not be had");
  } catch (const std::length_error&) {
    return keep(HGRID_ERROR_OUT_OF_MEMORY, "more host memory than there can be was asked for");
  } catch (const std::exception& error) {
    return keep(HGRID_ERROR_INTERNAL, error.what());
  } catch (...) {
    return keep(HGRID_ERROR_INTERNAL, "an exception of no known type");
  }
}

/// Throws `invalid_argument`, or another code for some faults of arguments.
[[noreturn]] void refuse(const char* argument, std::string_view why, double value = 0,
                         ErrorCode code = ErrorCode::invalid_argument);

}  // namespace hgrid::c
