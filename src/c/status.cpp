// SPDX-License-Identifier: BSD-3-Clause
#include "c/status.hpp"

#include <cstdio>

#include "hgrid/core/names.hpp"
#include "hgrid/threads/simd_target.hpp"
#include "hgrid/version.hpp"

namespace hgrid::c {
namespace {

// Statuses are the library's codes plus 1, so both use one order.
constexpr int status_of(ErrorCode code) { return static_cast<int>(code) + 1; }
static_assert(status_of(ErrorCode::nonfinite) == HGRID_ERROR_NONFINITE);
static_assert(status_of(ErrorCode::negative_radius) == HGRID_ERROR_NEGATIVE_RADIUS);
static_assert(status_of(ErrorCode::range_error) == HGRID_ERROR_RANGE);
static_assert(status_of(ErrorCode::invalid_box) == HGRID_ERROR_INVALID_BOX);
static_assert(status_of(ErrorCode::box_too_small) == HGRID_ERROR_BOX_TOO_SMALL);
static_assert(status_of(ErrorCode::invalid_levels) == HGRID_ERROR_INVALID_LEVELS);
static_assert(status_of(ErrorCode::unsupported) == HGRID_ERROR_UNSUPPORTED);
static_assert(status_of(ErrorCode::invalid_argument) == HGRID_ERROR_INVALID_ARGUMENT);
static_assert(status_of(ErrorCode::size_mismatch) == HGRID_ERROR_SIZE_MISMATCH);
static_assert(status_of(ErrorCode::not_built) == HGRID_ERROR_NOT_BUILT);
static_assert(status_of(ErrorCode::stale) == HGRID_ERROR_STALE);
static_assert(status_of(ErrorCode::reentrancy) == HGRID_ERROR_REENTRANCY);
static_assert(status_of(ErrorCode::capacity) == HGRID_ERROR_CAPACITY);
static_assert(status_of(ErrorCode::too_many_particles) == HGRID_ERROR_TOO_MANY_PARTICLES);
static_assert(status_of(ErrorCode::out_of_memory) == HGRID_ERROR_OUT_OF_MEMORY);
static_assert(status_of(ErrorCode::environment) == HGRID_ERROR_ENVIRONMENT);
static_assert(status_of(ErrorCode::device) == HGRID_ERROR_DEVICE);
static_assert(status_of(ErrorCode::format) == HGRID_ERROR_FORMAT);
static_assert(status_of(ErrorCode::io) == HGRID_ERROR_IO);
static_assert(status_of(ErrorCode::stopped) == HGRID_ERROR_STOPPED);
static_assert(error_names.size() == HGRID_ERROR_STOPPED, "a code that is new needs a status, with a number behind the others");

// Fixed arrays, because reporting that memory is short must not allocate.
struct Kept {
  char message[1024] = "", argument[64] = "";
  hgrid_error error{sizeof(hgrid_error), message, argument, -1, 0, -1, 0, HGRID_OK, 0};
};
thread_local Kept last;

}  // namespace

int keep(const Error& error) noexcept {
  const Error::Detail& detail = error.detail();
  std::snprintf(last.message, sizeof last.message, "%s", error.what());
  std::snprintf(last.argument, sizeof last.argument, "%s", detail.argument.c_str());
  last.error = {sizeof(hgrid_error),
                last.message,
                last.argument,
                detail.index,
                detail.count,
                detail.needed,
                detail.value,
                status_of(error.code()),
                0};
  return last.error.code;
}

int keep(int status, const char* message) noexcept {
  std::snprintf(last.message, sizeof last.message, "%s: %s", hgrid_status_name(status), message);
  last.argument[0] = '\0';
  last.error = {sizeof(hgrid_error), last.message, last.argument, -1, 0, -1, 0, status, 0};
  return status;
}

const hgrid_error& kept() noexcept { return last.error; }

}  // namespace hgrid::c

const char* hgrid_version(void) { return HGRID_VERSION; }

const char* hgrid_instructions(void) { return hgrid::simd_target(); }

const char* hgrid_status_name(int status) {
  if (status == HGRID_OK) return "ok";
  if (status == HGRID_ERROR_INTERNAL) return "internal";
  return status < 0 || status > HGRID_ERROR_STOPPED ? "unknown" : hgrid::error_names[static_cast<std::size_t>(status) - 1];
}
