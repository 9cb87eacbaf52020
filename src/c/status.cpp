// SPDX-License-Identifier: BSD-3-Clause
#include "c/status.hpp"

#include <cstdio>

#include "hgrid/core/names.hpp"
#include "hgrid/threads/simd_target.hpp"
#include "hgrid/version.hpp"

namespace hgrid::c {
namespace {

// Statuses are the library's codes plus 1, so both use one order. Tests compare the names of all.
constexpr int status_of(ErrorCode code) { return static_cast<int>(code) + 1; }
static_assert(status_of(ErrorCode::stopped) == HGRID_ERROR_STOPPED && error_names.size() == HGRID_ERROR_STOPPED,
              "a code that is new needs a status, with a number behind the others");

// Fixed arrays, because reporting that memory is short must not allocate.
struct Kept {
  char message[1024] = "", argument[64] = "";
  hgrid_error error{sizeof(hgrid_error), message, argument, -1, 0, -1, 0, HGRID_OK, 0};
};
thread_local Kept last;

// Stores all but the message.
int keep(int status, const Error::Detail& detail) noexcept {
  std::snprintf(last.argument, sizeof last.argument, "%s", detail.argument.c_str());
  hgrid_error& e = last.error;
  e.index = detail.index, e.count = detail.count, e.needed = detail.needed, e.value = detail.value, e.code = status;
  return status;
}

}  // namespace

int keep(const Error& error) noexcept {
  std::snprintf(last.message, sizeof last.message, "%s", error.what());
  return keep(status_of(error.code()), error.detail());
}

int keep(int status, const char* message) noexcept {
  std::snprintf(last.message, sizeof last.message, "%s: %s", hgrid_status_name(status), message);
  return keep(status, Error::Detail{});
}

const hgrid_error& kept() noexcept { return last.error; }

void refuse(const char* argument, std::string_view why, double value, ErrorCode code) {
  throw Error(code, std::string(argument).append(" ").append(why), {.argument = argument, .value = value});
}

}  // namespace hgrid::c

const char* hgrid_version(void) { return HGRID_VERSION; }

const char* hgrid_instructions(void) { return hgrid::simd_target(); }

const char* hgrid_status_name(int status) {
  if (status == HGRID_OK) return "ok";
  if (status == HGRID_ERROR_INTERNAL) return "internal";
  return status < 0 || status > HGRID_ERROR_STOPPED ? "unknown" : hgrid::error_names[static_cast<std::size_t>(status) - 1];
}
