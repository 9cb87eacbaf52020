// SPDX-License-Identifier: BSD-3-Clause
// The messages between ranks, by MPI.
#include "hgrid/ranks/messages.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "hgrid/ranks/routes.hpp"

namespace hgrid::inline v0_2::detail {

namespace {
constexpr std::int64_t leaving = std::int64_t{1} << 62;  // exceeds any error
}  // namespace

void Report::add(const std::exception_ptr& error, int rank) {
  if (!error) return;
  ErrorCode code = ErrorCode::stopped;  // for all exceptions that are not hgrid's
  try {
    std::rethrow_exception(error);
  } catch (const Error& e) {
    code = e.code();
  } catch (const std::bad_alloc&) {
    code = ErrorCode::out_of_memory;
  } catch (...) {
  }
  number_[0] = (static_cast<std::int64_t>(code) + 1) << 32 | static_cast<std::int64_t>(rank);
}

void Report::add_leaving(int rank) { number_[0] = leaving | static_cast<std::int64_t>(rank); }

bool Report::someone_leaves() const { return number_[0] >= leaving; }

void Report::throw_if_bad() const {
  const std::int64_t rank = number_[0] & 0xffffffff;
  if (someone_leaves()) {
    throw Error(ErrorCode::stopped, "rank " + std::to_string(rank) + " has left by an exception of its own",
                {.argument = "rank", .index = rank});
  }
  if (number_[0] != 0) {
    throw Error(static_cast<ErrorCode>((number_[0] >> 32) - 1),
                "thrown on rank " + std::to_string(rank) + ", whose message says more", {.argument = "rank", .index = rank});
  }
  if (number_[1] != -number_[2]) {
    throw Error(ErrorCode::invalid_argument, "ranks make different calls, or differ in skin, box or widths of fields",
                {.argument = "rank"});
  }
}

Communicator::Communicator(MPI_Comm users) : shared_(std::make_unique<Shared>()) {
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (initialised == 0) throw Error(ErrorCode::environment, "call MPI_Init before a DistributedGrid is made");
  if (users == MPI_COMM_NULL)
    throw Error(ErrorCode::invalid_argument, "the communicator is null", {.argument = "communicator"});
  MPI_Comm_dup(users, &shared_->comm);
  MPI_Comm_rank(shared_->comm, &shared_->rank);
  MPI_Comm_size(shared_->comm, &shared_->size);
}

bool Communicator::is_like(const Communicator& other) const {
  int result = MPI_UNEQUAL;
  MPI_Comm_compare(get(), other.get(), &result);
  return result == MPI_IDENT || result == MPI_CONGRUENT;
}

Communicator::~Communicator() {
  if (!is_open()) {  // nobody waits for a rank that has left; MPI may still write to this memory, so it is not freed
    static_cast<void>(shared_.release());
    return;
  }
  MPI_Comm_free(&shared_->comm);
}

void Communicator::wait() noexcept {
  Shared& s = *shared_;
  MPI_Wait(&s.pending, MPI_STATUS_IGNORE);
  s.left = s.left || s.heard.someone_leaves();
}

void Communicator::post(const Report& report, bool thrown) {
  wait();
  Shared& s = *shared_;
  s.said = report, s.thrown = thrown;
  MPI_Iallreduce(s.said.data(), s.heard.data(), Report::size, MPI_INT64_T, MPI_MAX, s.comm, &s.pending);
}

void Communicator::settle() {
  Shared& s = *shared_;
  if (s.works) {
    throw Error(ErrorCode::reentrancy, "work that runs while messages are under way calls no collective member of its grid");
  }
  const bool knew = s.left;
  wait();
  if (knew) throw Error(ErrorCode::stopped, "a rank has left this grid by an exception; make another", {.argument = "rank"});
  if (!std::exchange(s.thrown, true) || s.left) s.heard.throw_if_bad();
}

void Communicator::hear(const Report& of_all) {
  shared_->left = of_all.someone_leaves();
  of_all.throw_if_bad();
}

bool Communicator::is_open() noexcept {
  int finalised = 0;
  MPI_Finalized(&finalised);
  if (!shared_ || finalised != 0) return false;
  wait();
  return !shared_->left;
}

void Communicator::close() noexcept {
  post(Report(), true);
  wait();
}

template <class F>
void Exchange::for_each_there(const Communicator& comm, int tag, const F& f) {
  for (;;) {
    int there = 0;
    MPI_Message message;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, tag, comm.get(), &there, &message, &status);
    if (there == 0) return;
    f(message, status);
  }
}

Report Exchange::announce(const Communicator& comm, const std::vector<Parcel>& parcels, const Report& report) noexcept {
  const int tag = first_tag_ + (round_ ^= 1);  // no rank is two rounds ahead, so two tags keep the messages of rounds apart
  requests_.assign(parcels.size(), MPI_REQUEST_NULL), counts_.clear(), received_.clear();
  for (const Parcel& parcel : parcels) counts_.push_back(static_cast<std::int64_t>(parcel.records));
  for (std::size_t k = 0; k < parcels.size(); ++k) {
    MPI_Issend(&counts_[k], 1, MPI_INT64_T, parcels[k].rank, tag, comm.get(), &requests_[k]);
  }
  Report said = report, heard;
  MPI_Request reduction = MPI_REQUEST_NULL;
  for (int sent = 0, done = 0; done == 0;) {
    for_each_there(comm, tag, [&](MPI_Message& message, const MPI_Status& status) {
      std::int64_t records = 0;
      MPI_Mrecv(&records, 1, MPI_INT64_T, &message, MPI_STATUS_IGNORE);
      received_.push_back({status.MPI_SOURCE, nullptr, static_cast<std::size_t>(records)});
    });
    if (sent == 0) {
      MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &sent, MPI_STATUSES_IGNORE);
      if (sent != 0) {
        MPI_Iallreduce(said.data(), heard.data(), Report::size, MPI_INT64_T, MPI_MAX, comm.get(), &reduction);
      }
    } else {
      MPI_Test(&reduction, &done, MPI_STATUS_IGNORE);
    }
  }
  std::ranges::sort(received_, {}, &Parcel::rank);
  records_ = 0;
  for (const Parcel& parcel : received_) records_ += parcel.records;
  return heard;
}

void Exchange::carry(const Communicator& comm, const std::vector<Parcel>& parcels, std::size_t record_bytes,
                     std::byte* to) noexcept {
  const int tag = first_tag_ + 2;  // messages from one rank to another arrive in order
  const auto bytes_of = [&](std::size_t records) { return static_cast<int>(records * record_bytes); };
  const auto request = [&] { return &requests_.emplace_back(MPI_REQUEST_NULL); };
  const bool is_dropped = to == nullptr;
  if (is_dropped) to = own_room(record_bytes);
  requests_.clear();
  for (Parcel& parcel : received_) {
    parcel.data = to;
    for_each_message(parcel.records, record_bytes, [&](std::size_t first, std::size_t records) {
      MPI_Irecv(to + first * record_bytes, bytes_of(records), MPI_BYTE, parcel.rank, tag, comm.get(), request());
    });
    to += parcel.records * record_bytes;
  }
  for (const Parcel& parcel : parcels) {
    for_each_message(parcel.records, record_bytes, [&](std::size_t first, std::size_t records) {
      const std::byte* const from = parcel.data + first * record_bytes;
      MPI_Isend(from, bytes_of(records), MPI_BYTE, parcel.rank, tag, comm.get(), request());
    });
  }
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
}

void Exchange::leave(const Communicator& comm) noexcept {
  Report said, heard;
  said.add_leaving(comm.rank());
  MPI_Request reduction = MPI_REQUEST_NULL;
  MPI_Iallreduce(said.data(), heard.data(), Report::size, MPI_INT64_T, MPI_MAX, comm.get(), &reduction);
  for (int done = 0; done == 0; MPI_Test(&reduction, &done, MPI_STATUS_IGNORE)) {
    for_each_there(comm, MPI_ANY_TAG, [&](MPI_Message& message, const MPI_Status& status) {
      int count = 0;
      MPI_Get_count(&status, MPI_BYTE, &count);
      bytes_.resize(static_cast<std::size_t>(count));
      MPI_Mrecv(bytes_.data(), count, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    });
  }
}

namespace {

constexpr int forward_tag = 110, reverse_tag = 111;

// Calls f(rank, first byte, bytes) for the messages of all ways.
template <class F>
void for_each_message_of(const std::vector<Routes::Way>& ways, std::size_t entry, const F& f) {
  for (const Routes::Way& way : ways) {
    for_each_message(way.count, entry, [&](std::size_t first, std::size_t count) {
      f(way.rank, (way.first + first) * entry, static_cast<int>(count * entry));
    });
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

void Routes::send(const Communicator& comm, Heading heading, const std::byte* from, std::size_t entry) {
  const bool forward = heading == Heading::to_ghosts;
  sent_.clear();
  for_each_message_of(forward ? sends_ : receives_, entry, [&](int rank, std::size_t at, int bytes) {
    MPI_Isend(from == nullptr ? nullptr : from + at, from == nullptr ? 0 : bytes, MPI_BYTE, rank,
              forward ? forward_tag : reverse_tag, comm.get(), &sent_.emplace_back(MPI_REQUEST_NULL));
  });
}

// Checks messages before receiving them, because a message of a rank that differs may have any size.
int Routes::receive(const Communicator& comm, Heading heading, std::byte* to, std::size_t entry) {
  const bool forward = heading == Heading::to_ghosts;
  int failed = -1;
  for_each_message_of(forward ? receives_ : sends_, entry, [&](int rank, std::size_t at, int bytes) {
    MPI_Message message;
    MPI_Status status;
    int there = 0;
    MPI_Mprobe(rank, forward ? forward_tag : reverse_tag, comm.get(), &message, &status);
    MPI_Get_count(&status, MPI_BYTE, &there);
    const bool fits = to != nullptr && there == bytes;
    if (!fits) failed = rank, discarded_.resize(static_cast<std::size_t>(there));
    MPI_Mrecv(fits ? to + at : discarded_.data(), there, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  });
  MPI_Waitall(static_cast<int>(sent_.size()), sent_.data(), MPI_STATUSES_IGNORE);
  return failed;
}

void Routes::abandon(const Communicator& comm) noexcept {
  for (const Heading heading : {Heading::to_ghosts, Heading::to_owners}) {
    send(comm, heading, nullptr, 1);
    for (MPI_Request& request : sent_) MPI_Request_free(&request);
  }
}

}  // namespace hgrid::inline v0_2::detail
