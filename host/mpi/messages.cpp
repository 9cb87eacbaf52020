// SPDX-License-Identifier: BSD-3-Clause
// What ranks say to each other, by MPI.
#include "hgrid/ranks/messages.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "hgrid/ranks/routes.hpp"

namespace hgrid::inline v0_1::detail {

namespace {
constexpr std::int64_t leaving = std::int64_t{1} << 62;  // more than any error
}  // namespace

void Report::add(const std::exception_ptr& error, int rank) {
  if (!error) return;
  ErrorCode code = ErrorCode::stopped;  // whatever is not hgrid's
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

Communicator::~Communicator() {
  if (!is_open()) {  // who has left is not waited for, so what MPI may still write to is left to it
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
