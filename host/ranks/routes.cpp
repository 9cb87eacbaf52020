// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/ranks/routes.hpp"

#include <algorithm>

namespace hgrid::inline v0_1::detail {

namespace {

constexpr int forward_tag = 102, reverse_tag = 103;

// f(rank, first byte, bytes) for the messages of all ways.
template <class F>
void for_each_message(const std::vector<Routes::Way>& ways, std::size_t entry, const F& f) {
  for (const Routes::Way& way : ways) {
    const Cut cut = Cut::of(way.count, entry);
    for (std::size_t done = 0; done < way.count; done += cut.records_each) {
      f(way.rank, (way.first + done) * entry, static_cast<int>(std::min(cut.records_each, way.count - done) * entry));
    }
  }
}

}  // namespace

void Routes::set_sends(const std::vector<std::vector<Send>>& of_parts, int ranks) {
  begin_.assign(static_cast<std::size_t>(ranks) + 1, 0);
  for (const auto& part : of_parts) {
    for (const Send& send : part) ++begin_[static_cast<std::size_t>(send.rank) + 1];
  }
  sends_.clear();
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank) {
    if (begin_[rank + 1] > 0) sends_.push_back({static_cast<int>(rank), begin_[rank], begin_[rank + 1]});
    begin_[rank + 1] += begin_[rank];
  }
  ids_.resize(begin_.back());
  for (const auto& part : of_parts) {
    for (const Send& send : part) ids_[begin_[static_cast<std::size_t>(send.rank)]++] = send.id;
  }
}

void Routes::set_receives(const std::vector<Parcel>& received) {
  receives_.clear();
  for (const Parcel& parcel : received) receives_.push_back({parcel.rank, ghosts(), parcel.records});
}

void Routes::send(const Communicator& comm, int tag, const std::vector<Way>& ways, const std::byte* from, std::size_t entry) {
  sent_.clear();
  for_each_message(ways, entry, [&](int rank, std::size_t at, int bytes) {
    sent_.push_back(MPI_REQUEST_NULL);
    MPI_Isend(from == nullptr ? nullptr : from + at, from == nullptr ? 0 : bytes, MPI_BYTE, rank, tag, comm.get(),
              &sent_.back());
  });
}

// Messages are looked at before they are taken, because one of a rank that differs may be of any size.
int Routes::receive(const Communicator& comm, int tag, const std::vector<Way>& ways, std::byte* to, std::size_t entry) {
  int failed = -1;
  for_each_message(ways, entry, [&](int rank, std::size_t at, int bytes) {
    MPI_Message message;
    MPI_Status status;
    int there = 0;
    MPI_Mprobe(rank, tag, comm.get(), &message, &status);
    MPI_Get_count(&status, MPI_BYTE, &there);
    const bool fits = to != nullptr && there == bytes;
    if (!fits) failed = rank, discarded_.resize(static_cast<std::size_t>(there));
    MPI_Mrecv(fits ? to + at : discarded_.data(), there, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  });
  MPI_Waitall(static_cast<int>(sent_.size()), sent_.data(), MPI_STATUSES_IGNORE);
  return failed;
}

int Routes::forward(const Communicator& comm, const Passage& entries, std::size_t entry) {
  send(comm, forward_tag, sends_, entries.from, entry);
  return receive(comm, forward_tag, receives_, entries.to, entry);
}

int Routes::reverse(const Communicator& comm, const Passage& entries, std::size_t entry) {
  send(comm, reverse_tag, receives_, entries.from, entry);
  return receive(comm, reverse_tag, sends_, entries.to, entry);
}

void Routes::abandon(const Communicator& comm) noexcept {
  for (const int tag : {forward_tag, reverse_tag}) {
    send(comm, tag, tag == forward_tag ? sends_ : receives_, nullptr, 1);
    for (MPI_Request& request : sent_) MPI_Request_free(&request);
  }
}

}  // namespace hgrid::inline v0_1::detail
