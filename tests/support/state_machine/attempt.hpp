// SPDX-License-Identifier: BSD-3-Clause
// A call that may be refused memory, and its end. Needs support/counting_new.hpp.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "hgrid/core/error.hpp"
#include "hgrid/core/names.hpp"

namespace support::machine {

struct Attempt {
  bool done = false;
  bool refused = false;                  ///< an allocation was
  std::optional<hgrid::ErrorCode> code;  ///< if the library threw one
  hgrid::Error::Detail detail;
  std::string what;

  bool failed_with(hgrid::ErrorCode c) const { return code == c; }
  bool out_of_memory() const { return refused && failed_with(hgrid::ErrorCode::out_of_memory); }
};

/// Calls f. Its allocation number `refuse`, counted from 1, fails; none fails if `refuse` is 0.
template <class F>
Attempt attempt(int refuse, const F& f) {
  Attempt a;
  Allocations& memory = Allocations::get();
  const std::int64_t refused = memory.refused;
  if (refuse > 0) memory.fail_at = memory.count + refuse - 1;
  try {
    f();
    a.done = true;
  } catch (const hgrid::Error& e) {
    memory.fail_at = -1;
    a.code = e.code(), a.detail = e.detail(), a.what = e.what();
  } catch (const std::exception& e) {
    memory.fail_at = -1;
    a.what = e.what();
  }
  memory.fail_at = -1;
  a.refused = memory.refused != refused;
  return a;
}

/// Returns the fault of an attempt that should end with this error, or in success: empty if there is none. Lack of memory
/// excuses it.
inline std::string judge(const Attempt& a, std::optional<hgrid::ErrorCode> expected) {
  if (expected && a.refused && !a.done && !a.code) return {};  // no memory for the message
  if (a.out_of_memory() || (a.done && !expected) || (expected && a.code == expected)) return {};
  const std::string wanted = expected ? hgrid::name_of(*expected) : "success";
  return (a.done ? std::string("it succeeded") : "it failed with " + a.what) + "; expected " + wanted + "\n";
}

}  // namespace support::machine
