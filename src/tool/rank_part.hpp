// SPDX-License-Identifier: BSD-3-Clause
// The tool's work on one of several ranks, and the commands by which rank 0 leads the others.
#pragma once

#include <mpi.h>

#include <climits>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "hgrid/ranks/global_lists.hpp"
#include "search.hpp"

namespace hgrid::tool {

enum class Task : int { make, build, count, list, drop, parts, end };

/// The message from rank 0; the levels of the options follow.
struct Command {
  Task task = Task::end;
  double skin = 0;
  int dimension = 3, threads = 1;
  Box3 box = Box3::open();
  std::optional<Direction> direction = {};
  std::optional<KeyOrder> keys = {};
  Rule rule = Rule::sum;
  std::int64_t levels = 0;
};
static_assert(std::is_trivially_copyable_v<Command>);

inline Command command_of(const SearchOptions& options) {
  return {.task = Task::make,
          .dimension = options.dimension,
          .threads = options.threads,
          .box = options.box,
          .direction = options.grid.direction,
          .keys = options.grid.keys,
          .rule = options.grid.rule,
          .levels = static_cast<std::int64_t>(options.grid.levels.size())};
}

inline int this_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline int all_ranks() {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

inline void send(Command command) { MPI_Bcast(&command, sizeof command, MPI_BYTE, 0, MPI_COMM_WORLD); }

inline std::int64_t sum_of_all(std::int64_t value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

/// Throws on all ranks if f throws on one.
template <class F>
void all_or_none(const F& f) {
  std::exception_ptr error;
  try {
    f();
  } catch (...) {
    error = std::current_exception();
  }
  const bool failed = sum_of_all(error ? 1 : 0) > 0;
  if (error) std::rethrow_exception(error);
  if (failed) throw Error(ErrorCode::out_of_memory, "a rank has too little memory for its contacts");
}

/// Throws Error(capacity) for more contacts than MPI counts with an int.
inline void require_countable(std::int64_t contacts) {
  if (contacts > INT_MAX) throw Error(ErrorCode::capacity, "a rank has more contacts than MPI counts: take more ranks");
}

/// A contact for rank 0: ids of the file's rows fit into 31 bits.
struct FoundContact {
  index_t i, j;
  Image image;

  friend bool operator<(const FoundContact& a, const FoundContact& b) {
    return GlobalContact{a.i, a.j, a.image} < GlobalContact{b.i, b.j, b.image};
  }
};

/// A contact for an analysis: its overlap, and the smaller diameter.
struct MeasuredContact : FoundContact {
  double overlap, diameter;
};

/// The MPI type of one contact. MPI counts with int, so contacts are counted instead of bytes.
template <class Contact>
class ContactType {
 public:
  ContactType() {
    MPI_Type_contiguous(sizeof(Contact), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ContactType(const ContactType&) = delete;
  ~ContactType() { MPI_Type_free(&type_); }
  operator MPI_Datatype() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// The work of all ranks.
class RankPart {
 public:
  virtual ~RankPart() = default;
  /// Call first: migration moves the particles from the ranks that have read them to the ranks that own them. This rank's first
  /// particle is in row `first_row` of the file.
  virtual void share_out(const Particles<double, 3>& columns, offset_t first_row, double skin) = 0;
  virtual void build(double skin) = 0;
  virtual offset_t count() = 0;
  /// Returns the contacts, sorted, on rank 0.
  virtual std::vector<FoundContact> list() = 0;
  /// Returns this rank's contacts, sorted, with overlaps and diameters, and counts the contacts of each owned particle without
  /// pairs with a gap. Must be the last call.
  virtual std::vector<MeasuredContact> measured(double skin, std::vector<std::int32_t>& of_particles) = 0;
  /// Reports direction, keys, threads, and the memory of all ranks' grids.
  virtual void describe(Report& report) const = 0;
};

/// Makes the part of this rank. Rank 0 has the levels; the others receive them.
std::unique_ptr<RankPart> make_part(const Command& command, std::vector<LevelSpec> levels);

}  // namespace hgrid::tool
