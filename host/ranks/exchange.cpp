// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/ranks/exchange.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hgrid::inline v0_1::detail {

void Exchange::receive(const Communicator& comm, int tag) {
  for (;;) {
    int there = 0, count = 0;
    MPI_Message message;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, tag, comm.get(), &there, &message, &status);
    if (there == 0) return;
    MPI_Get_count(&status, MPI_BYTE, &count);
    const auto size = static_cast<std::size_t>(count);
    arrivals_.push_back({status.MPI_SOURCE, bytes_.size(), size});
    bytes_.resize(bytes_.size() + size);
    MPI_Mrecv(bytes_.data() + arrivals_.back().at, count, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  }
}

Report Exchange::run(const Communicator& comm, const std::vector<Parcel>& parcels, std::size_t record_bytes,
                     const Report& report) noexcept {
  const int tag = first_tag_ + (round_ ^= 1);  // nobody is two rounds ahead, so two tags keep the messages of rounds apart
  sends_.clear(), bytes_.clear(), arrivals_.clear();
  for (const Parcel& parcel : parcels) {
    const Cut cut = Cut::of(parcel.records, record_bytes);
    for (std::size_t first = 0; first < parcel.records; first += cut.records_each) {
      const std::size_t records = std::min(cut.records_each, parcel.records - first);
      sends_.push_back(MPI_REQUEST_NULL);
      MPI_Issend(parcel.data + first * record_bytes, static_cast<int>(records * record_bytes), MPI_BYTE, parcel.rank, tag,
                 comm.get(), &sends_.back());
    }
  }
  Report said = report, heard;
  MPI_Request reduction = MPI_REQUEST_NULL;
  for (int sent = 0, done = 0; done == 0;) {
    receive(comm, tag);
    if (sent == 0) {
      MPI_Testall(static_cast<int>(sends_.size()), sends_.data(), &sent, MPI_STATUSES_IGNORE);
      if (sent != 0) {
        MPI_Iallreduce(said.data(), heard.data(), Report::size, MPI_INT64_T, MPI_MAX, comm.get(), &reduction);
      }
    } else {
      MPI_Test(&reduction, &done, MPI_STATUS_IGNORE);
    }
  }
  // Messages of one rank arrive in order; those of different ranks do not.
  std::ranges::sort(arrivals_, {}, [](const Arrival& a) { return std::pair(a.rank, a.at); });
  sorted_.resize(bytes_.size());
  received_.clear();
  std::size_t to = 0;
  for (const Arrival& a : arrivals_) {
    std::memcpy(sorted_.data() + to, bytes_.data() + a.at, a.bytes);
    if (received_.empty() || received_.back().rank != a.rank) received_.push_back({a.rank, sorted_.data() + to, 0});
    received_.back().records += a.bytes / record_bytes;
    to += a.bytes;
  }
  return heard;
}

void Exchange::leave(const Communicator& comm, const Report& report) noexcept {
  Report said = report, heard;
  MPI_Request reduction = MPI_REQUEST_NULL;
  MPI_Iallreduce(said.data(), heard.data(), Report::size, MPI_INT64_T, MPI_MAX, comm.get(), &reduction);
  for (int done = 0; done == 0; MPI_Test(&reduction, &done, MPI_STATUS_IGNORE)) {
    bytes_.clear(), arrivals_.clear();
    receive(comm, MPI_ANY_TAG);
  }
}

}  // namespace hgrid::inline v0_1::detail
