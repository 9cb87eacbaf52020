// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/ranks/communicator.hpp"

#include <string>
#include <utility>

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

}  // namespace hgrid::inline v0_1::detail
