// SPDX-License-Identifier: BSD-3-Clause
// Calls that all ranks make: they succeed on all, or throw on all.
#pragma once

#include <bit>
#include <string_view>

#include "hgrid/core/types.hpp"
#include "hgrid/ranks/exchange.hpp"

namespace hgrid::inline v0_1::detail {

/// That which must be the same on all ranks, as one number (FNV-1a).
class Arguments {
 public:
  explicit Arguments(std::string_view call) {
    for (const char c : call) add(static_cast<std::uint64_t>(c));
  }
  Arguments& operator<<(double value) { return add(std::bit_cast<std::uint64_t>(value)); }
  Arguments& operator<<(std::size_t value) { return add(value); }
  template <int D>
  Arguments& operator<<(const Box<D>& box) {
    for (int k = 0; k < D; ++k) *this << box.lo[k] << box.hi[k] << static_cast<std::size_t>(box.wraps[k]);
    return *this;
  }
  std::uint64_t number() const { return number_; }

 private:
  Arguments& add(std::uint64_t word) {
    number_ = (number_ ^ word) * 0x100000001b3;
    number_ ^= number_ >> 29;
    return *this;
  }

  std::uint64_t number_ = 0xcbf29ce484222325;
};

/// The exception of f, or null.
template <class F>
std::exception_ptr attempt(const F& f) {
  try {
    f();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

inline Report report_of(const Communicator& comm, const Arguments& arguments, const std::exception_ptr& error) {
  Report report(arguments.number());
  report.add(error, comm.rank());
  return report;
}

/// f() on all ranks, and waits for all. If it throws on one, or they differ in arguments, all throw.
template <class F>
void agree(Communicator& comm, const Arguments& arguments, const F& f) {
  const std::exception_ptr error = attempt(f);
  comm.post(report_of(comm, arguments, error), error != nullptr);
  if (error) std::rethrow_exception(error);
  comm.settle();
}

/// Sends the parcels of all ranks, and none from one that brings an error. If one does, or they differ in arguments, all throw.
inline void exchange(Exchange& by, Communicator& comm, const std::exception_ptr& error, const Arguments& arguments,
                     const std::vector<Parcel>& parcels, std::size_t record_bytes) {
  static const std::vector<Parcel> none;
  const Report heard = by.run(comm, error ? none : parcels, record_bytes, report_of(comm, arguments, error));
  const std::exception_ptr of_others = attempt([&] { comm.hear(heard); });
  if (error || of_others) std::rethrow_exception(error ? error : of_others);
}

}  // namespace hgrid::inline v0_1::detail
