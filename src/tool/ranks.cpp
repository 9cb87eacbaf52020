// SPDX-License-Identifier: BSD-3-Clause
#include "ranks.hpp"

#include <cstdlib>

namespace hgrid::tool {

int launched_ranks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {  // OpenMPI; MPICH and its kin
    if (const char* const ranks = std::getenv(name)) return std::atoi(ranks);
  }
  return 1;
}

}  // namespace hgrid::tool

#ifdef HGRID_HAS_MPI

#include "rank_part.hpp"

namespace hgrid::tool {
namespace {

/// Serves until rank 0 ends. Errors of this rank are known there, because all calls agree on errors.
void serve(const std::function<void()>& help) {
  std::unique_ptr<RankPart> part;
  for (Command command;;) {
    MPI_Bcast(&command, sizeof command, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (command.task == Task::end) return;
    if (command.task == Task::drop) part.reset();
    try {
      if (command.task == Task::make) part = make_part(command, {});
      if (command.task == Task::build) part->share_out({}, 0, command.skin), part->build(command.skin);
      if (command.task == Task::parts) help();
      if (command.task == Task::count) part->count();
      if (command.task == Task::list) part->list();
    } catch (const std::exception&) {
    }
  }
}

/// The ranks work together during the lifetime of a session.
class Session {
 public:
  Session() {
    int threads = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &threads);
  }
  Session(const Session&) = delete;
  ~Session() {
    if (this_rank() == 0) send({.task = Task::end});
    MPI_Finalize();
  }
};

}  // namespace

GridOnRanks::GridOnRanks(const SearchOptions& options) {
  const Command command = command_of(options);
  send(command);
  part_ = make_part(command, options.grid.levels);
}

void GridOnRanks::take(const Particles<double, 3>& columns, std::span<const OptionalArray> optional) {
  columns_ = columns;
  if (columns.exclusions.size == 0 && optional.empty()) return;
  std::string what = "exclusions";
  for (const OptionalColumn& column : optional_columns) what += std::string(" and ") + column.role + "s";
  throw Error(ErrorCode::unsupported, "on ranks there are no " + what + "; run it without mpirun, or with --backend openmp",
              {.argument = "backend"});
}

GridOnRanks::~GridOnRanks() { send({.task = Task::drop}); }

void GridOnRanks::build(double skin) {
  send({.task = Task::build, .skin = skin});
  part_->share_out(columns_, 0, skin);
  part_->build(skin);
}

offset_t GridOnRanks::count() {
  send({.task = Task::count});
  return part_->count();
}

offset_t GridOnRanks::list(Order) {
  send({.task = Task::list});
  pairs_.clear(), images_.clear();
  for (const FoundContact& c : part_->list()) {
    pairs_.push_back({c.i, c.j}), images_.push_back(c.image);
  }
  return static_cast<offset_t>(pairs_.size());
}

PairColumns<const index_t> GridOnRanks::found() const {
  return columns_of(pairs_.data(), images_.data(), static_cast<offset_t>(pairs_.size()));
}

void describe(const GridOnRanks& grid, Report& report) {
  grid.part_->describe(report);
  report.ranks = launched_ranks();
  report.bytes += static_cast<std::int64_t>(grid.pairs_.size() * (sizeof(Pair) + sizeof(Image)));
}

void work_on_ranks(std::optional<Backend> asked, const std::function<void()>& work, const std::function<void()>& help) {
  if (launched_ranks() <= 1 || asked.value_or(Backend::mpi) != Backend::mpi) return work();
  const Session session;
  this_rank() == 0 ? work() : serve(help);
}

}  // namespace hgrid::tool

#else

namespace hgrid::tool {
void work_on_ranks(std::optional<Backend>, const std::function<void()>& work, const std::function<void()>&) { work(); }
}  // namespace hgrid::tool

#endif
