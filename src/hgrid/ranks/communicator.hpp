// SPDX-License-Identifier: BSD-3-Clause
// The ranks that share a grid: a communicator of its own, and that which they tell each other of errors.
#pragma once

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX  // MPI's own C++ interface, which MPI 3 has dropped
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#endif
#include <mpi.h>

#include <array>
#include <cstdint>
#include <exception>
#include <memory>

#include "hgrid/core/error.hpp"

namespace hgrid::inline v0_1::detail {

/// That which a rank says in a call that all ranks make. Of each number the largest is heard by all.
class Report {
 public:
  /// `arguments` stands for those of the call that must be the same on all ranks.
  explicit Report(std::uint64_t arguments = 0)
      : number_{0, static_cast<std::int64_t>(arguments >> 1), -static_cast<std::int64_t>(arguments >> 1), 0} {}

  /// Adds an error that this rank is about to throw.
  void add(const std::exception_ptr& error, int rank);
  /// Adds that this rank makes no more calls.
  void add_leaving(int rank);
  /// Adds that this rank asks for something, whatever the call is about.
  void add_request() { number_[3] = 1; }

  /// Of the largest numbers of all: throws the error of another rank by its code, or `invalid_argument` where arguments differ.
  void throw_if_bad() const;
  /// Whether a rank makes no more calls.
  bool someone_leaves() const;
  bool someone_asks() const { return number_[3] != 0; }

  static constexpr int size = 4;
  std::int64_t* data() { return number_.data(); }
  const std::int64_t* data() const { return number_.data(); }

 private:
  // Code and rank of an error; arguments; their negative, whose largest is of the least; 1 for a request.
  std::array<std::int64_t, size> number_;
};

/// A duplicate of the user's communicator, so that messages are not mixed up. Making one is collective.
class Communicator {
 public:
  explicit Communicator(MPI_Comm users);
  Communicator(Communicator&&) noexcept = default;
  ~Communicator();

  MPI_Comm get() const { return shared_->comm; }
  int rank() const { return shared_->rank; }
  int size() const { return shared_->size; }

  /// Says a report without waiting; `thrown`: its error, or that of another rank, is known here already. All ranks post in
  /// turn.
  void post(const Report& report, bool thrown);
  /// Hears what all have posted last, and throws the error of another rank, unless it is known here already. Throws `stopped`
  /// once a rank has left.
  void settle();
  /// Whether a rank asked, when all were heard last.
  bool asked() const { return shared_->heard.someone_asks(); }
  /// Throws the error that a report of all ranks brings.
  void hear(const Report& of_all);

  /// Whether all ranks make calls, as far as is known when they have heard what was posted last. One that was moved from is not
  /// open.
  bool is_open() noexcept;
  /// Waits until all ranks close, or one leaves.
  void close() noexcept;
  /// Nobody waits for this rank any more.
  void leave() noexcept { shared_->left = true; }

 private:
  struct Shared {  // stays where it is, because MPI writes to it
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0, size = 1;
    MPI_Request pending = MPI_REQUEST_NULL;
    Report said, heard;
    bool thrown = false, left = false;
  };

  void wait() noexcept;

  std::unique_ptr<Shared> shared_;
};

}  // namespace hgrid::inline v0_1::detail
