// SPDX-License-Identifier: BSD-3-Clause
// Messages between ranks: a communicator of their own with errors that reach all ranks, sparse exchanges of records, and calls
// that succeed on all ranks or throw on all.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string_view>
#include <vector>

#include "hgrid/core/error.hpp"
#include "hgrid/core/types.hpp"
#include "hgrid/ranks/device_messages.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns the exception of f, or null.
template <class F>
std::exception_ptr attempt(const F& f) {
  try {
    f();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

/// The contribution of one rank to a collective call. Every number is reduced by its maximum.
class Report {
 public:
  /// `arguments` is a hash of the arguments that must be equal on all ranks.
  explicit Report(std::uint64_t arguments = 0)
      : number_{0, static_cast<std::int64_t>(arguments >> 1), -static_cast<std::int64_t>(arguments >> 1), 0} {}

  /// Adds an error that this rank is about to throw.
  void add(const std::exception_ptr& error, int rank);
  /// Adds that this rank makes no more calls.
  void add_leaving(int rank);
  /// Adds a request of this rank, independent of the call.
  void add_request() { number_[3] = 1; }
  /// Adds a time instead of a request. The longest of all ranks is heard; times below 0 count as 0.
  void add_time(double seconds) { number_[3] = std::bit_cast<std::int64_t>(seconds > 0 ? seconds : 0.0); }

  /// Throws if the maxima over all ranks have an error: the error of another rank by its code, or `invalid_argument` if
  /// arguments differ.
  void throw_if_bad() const;
  /// Returns whether a rank makes no more calls.
  bool someone_leaves() const;
  bool someone_asks() const { return number_[3] != 0; }
  double time() const { return std::bit_cast<double>(number_[3]); }

  static constexpr int size = 4;
  std::int64_t* data() { return number_.data(); }
  const std::int64_t* data() const { return number_.data(); }

 private:
  // Code and rank of an error; the hash of the arguments; its negative, whose maximum gives the minimum; 1 for a request,
  // or the bits of a time, which ascend with it.
  std::array<std::int64_t, size> number_;
};

/// A duplicate of the user's communicator, so that messages are not mixed up. The constructor is collective.
class Communicator {
 public:
  explicit Communicator(MPI_Comm users);
  Communicator(Communicator&&) noexcept = default;
  ~Communicator();

  MPI_Comm get() const { return shared_->comm; }
  int rank() const { return shared_->rank; }
  int size() const { return shared_->size; }
  /// Returns whether both have the same ranks, in the same order.
  bool is_like(const Communicator& other) const;

  /// Posts a report without waiting. `thrown`: its error, or the error of another rank, is already thrown here. All ranks post
  /// in the same order.
  void post(const Report& report, bool thrown);
  /// Waits for the reports that all ranks have posted last, and throws the error of another rank, unless it is already thrown
  /// here. Throws `stopped` once a rank has left, and `reentrancy` while work runs.
  void settle();
  /// Runs work while messages of this rank are on the way, and returns its exception.
  template <class Work>
  std::exception_ptr run_meanwhile(const Work& work) {
    shared_->works = true;
    const std::exception_ptr error = attempt(work);
    shared_->works = false;
    return error;
  }
  /// Returns whether a rank made a request in the reports that arrived last.
  bool asked() const { return shared_->heard.someone_asks(); }
  /// Returns the longest time in the reports that arrived last.
  double time() const { return shared_->heard.time(); }
  /// Throws the error that a report of all ranks brings.
  void hear(const Report& of_all);

  /// Returns whether all ranks still make calls, after the reports posted last have arrived. A moved-from communicator is not
  /// open.
  bool is_open() noexcept;
  /// Waits until all ranks close, or one leaves.
  void close() noexcept;
  /// Marks that this rank has left; the others no longer wait for it.
  void leave() noexcept { shared_->left = true; }

 private:
  struct Shared {  // has a fixed address, because MPI writes to it
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0, size = 1;
    MPI_Request pending = MPI_REQUEST_NULL;
    Report said, heard;
    bool thrown = false, left = false, works = false;
  };

  void wait() noexcept;

  std::unique_ptr<Shared> shared_;
};

/// Bytes of one message; MPI counts them as int. Tests make it small.
inline std::size_t most_message_bytes = std::size_t{1} << 30;

/// Into how many messages records are cut, and how many records each message has except the last.
struct Cut {
  std::size_t records_each, messages;

  static Cut of(std::size_t records, std::size_t record_bytes) {
    const std::size_t each = most_message_bytes > record_bytes ? most_message_bytes / record_bytes : 1;
    return {each, (records + each - 1) / each};
  }
};

/// Records for one rank.
struct Parcel {
  int rank;
  const std::byte* data;
  std::size_t records;
};

/// Calls f(first record, records) for each message of some records.
template <class F>
void for_each_message(std::size_t records, std::size_t record_bytes, const F& f) {
  const Cut cut = Cut::of(records, record_bytes);
  for (std::size_t first = 0; first < records; first += cut.records_each) f(first, std::min(cut.records_each, records - first));
}

/// Sends records to other ranks. The counts go first, so receivers can write the records directly to their place, in the memory
/// of a host or of a device.
class Exchange {
 public:
  /// Exchanges that alternate need their own tags, three each.
  explicit Exchange(int first_tag = 100) : first_tag_(first_tag) {}

  /// Sends the counts of records, and returns the report of all ranks. Collective. If memory runs out the program ends, on all
  /// ranks, as in `carry`.
  Report announce(const Communicator& comm, const std::vector<Parcel>& parcels, const Report& report) noexcept;
  /// Sends the announced parcels, of records of one size, and writes the records that arrive to `to`, by rank. If `to` is null,
  /// drops them, so that no rank hangs.
  void carry(const Communicator& comm, const std::vector<Parcel>& parcels, std::size_t record_bytes, std::byte* to) noexcept;
  /// Returns its own memory for the records that arrive.
  std::byte* own_room(std::size_t record_bytes) noexcept {
    bytes_.resize(records() * record_bytes);
    return bytes_.data();
  }

  /// Called instead of any other member: tells that this rank leaves, and drops what others send until all have noticed.
  void leave(const Communicator& comm) noexcept;

  /// Returns the records that arrive, by rank. Their `data` is valid from `carry` until the next exchange.
  const std::vector<Parcel>& received() const { return received_; }
  std::size_t records() const { return records_; }

 private:
  // Calls f(message, its status) for all messages that have arrived.
  template <class F>
  static void for_each_there(const Communicator& comm, int tag, const F& f);

  int first_tag_, round_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<std::int64_t> counts_;
  std::vector<std::byte> bytes_;
  std::vector<Parcel> received_;
  std::size_t records_ = 0;
};

/// A hash (FNV-1a) of the arguments that must be equal on all ranks.
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
    for (int t = 0; t < Box<D>::tilts; ++t) *this << box.tilt[t] << static_cast<std::size_t>(box.periods[t]);
    for (int k = 0; k < D && box.turned; ++k) {
      for (int j = 0; j < D; ++j) *this << box.axes[k][j];
    }
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

inline Report report_of(const Communicator& comm, const Arguments& arguments, const std::exception_ptr& error) {
  Report report(arguments.number());
  report.add(error, comm.rank());
  return report;
}

/// Calls f() on all ranks, and waits for all. If it throws on one, or if arguments differ, all throw. Returns the longest of
/// the ranks' times.
template <class F>
double agree(Communicator& comm, const Arguments& arguments, const F& f, double time = 0) {
  const std::exception_ptr error = attempt(f);
  Report report = report_of(comm, arguments, error);
  report.add_time(time);
  comm.post(report, error != nullptr);
  if (error) std::rethrow_exception(error);
  comm.settle();
  return comm.time();
}

/// Sends the counts of records. If a rank has an error, or if arguments differ, all throw, and nothing is sent.
inline void announce(Exchange& by, Communicator& comm, const std::exception_ptr& error, const Arguments& arguments,
                     const std::vector<Parcel>& parcels) {
  static const std::vector<Parcel> none;
  const Report heard = by.announce(comm, error ? none : parcels, report_of(comm, arguments, error));
  const std::exception_ptr of_others = attempt([&] { comm.hear(heard); });
  if (error || of_others) std::rethrow_exception(error ? error : of_others);
}

/// Sends the announced records. `room()` returns the memory for arriving records; its exception is returned.
template <class Room>
std::exception_ptr carry(Exchange& by, const Communicator& comm, const std::vector<Parcel>& parcels, std::size_t record_bytes,
                         const Room& room) {
  std::byte* to = nullptr;
  const std::exception_ptr error = attempt([&] { to = room(); });
  by.carry(comm, parcels, record_bytes, to);
  return error;
}

/// Announces and sends records, between the memories of hosts.
inline void exchange(Exchange& by, Communicator& comm, const std::exception_ptr& error, const Arguments& arguments,
                     const std::vector<Parcel>& parcels, std::size_t record_bytes) {
  announce(by, comm, error, arguments, parcels);
  by.carry(comm, parcels, record_bytes, by.own_room(record_bytes));
}

}  // namespace hgrid::inline v0_2::detail
