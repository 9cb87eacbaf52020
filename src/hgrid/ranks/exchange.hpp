// SPDX-License-Identifier: BSD-3-Clause
// A sparse exchange: each rank sends records to a few others that do not know of it. No rank counts for another: messages are
// sent synchronously, and the reduction that ends the exchange starts on a rank when its own have arrived (Hoefler, Siebert and
// Lumsdaine 2010, "Scalable communication protocols for dynamic sparse data exchange"). The reduction carries the reports.
#pragma once

#include <cstddef>
#include <vector>

#include "hgrid/ranks/communicator.hpp"

namespace hgrid::inline v0_1::detail {

/// Bytes of one message; MPI counts them as int. Tests make it small.
inline std::size_t most_message_bytes = std::size_t{1} << 30;

/// Into how many messages records are cut, and how many records each but the last has.
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

class Exchange {
 public:
  /// Exchanges that take turns have tags of their own, two each.
  explicit Exchange(int first_tag = 100) : first_tag_(first_tag) {}

  /// Sends parcels to other ranks, of records of one size, and returns what all ranks report. Collective. Where memory runs out
  /// while messages are under way the program ends, on all ranks.
  Report run(const Communicator& comm, const std::vector<Parcel>& parcels, std::size_t record_bytes,
             const Report& report) noexcept;

  /// Instead of any other call: reports, and takes whatever others send until all have heard.
  void leave(const Communicator& comm, const Report& report) noexcept;

  /// The records that came, by rank; `data` of each until the next exchange.
  const std::vector<Parcel>& received() const { return received_; }

 private:
  struct Arrival {
    int rank;
    std::size_t at, bytes;
  };

  void receive(const Communicator& comm, int tag);

  int first_tag_, round_ = 0;
  std::vector<MPI_Request> sends_;
  std::vector<std::byte> bytes_, sorted_;
  std::vector<Arrival> arrivals_;
  std::vector<Parcel> received_;
};

}  // namespace hgrid::inline v0_1::detail
