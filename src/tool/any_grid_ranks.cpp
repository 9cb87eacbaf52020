// SPDX-License-Identifier: BSD-3-Clause
// AnyGrid on ranks. Rank 0 has the particles at first and the contacts in the end. It tells the other ranks by commands what
// all of them do next.
#ifdef HGRID_HAS_MPI

#include "rank_part.hpp"
#include "ranks.hpp"

namespace hgrid::tool {
namespace {

/// Until rank 0 ends. Errors of this rank are known there, because all calls agree on errors.
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

/// Rank 0's side.
class GridOnRanks final : public AnyGrid {
 public:
  explicit GridOnRanks(const GridSpec& spec) {
    const GridOptions& o = spec.options;
    const Command command = command_of(spec);
    send(command);
    part_ = make_part(command, o.levels);
  }
  ~GridOnRanks() override { send({.task = Task::drop}); }

  void watch(const Watch&) override {}
  void take(const Particles<double, 3>& columns) override { columns_ = columns; }
  void build(double skin) override {
    send({.task = Task::build, .skin = skin});
    part_->share_out(columns_, 0, skin);
    part_->build(skin);
  }
  offset_t count() override {
    send({.task = Task::count});
    return part_->count();
  }
  offset_t list(hgrid::Order) override {
    send({.task = Task::list});
    pairs_.clear(), images_.clear();
    for (const FoundContact& c : part_->list()) {
      pairs_.push_back({c.i, c.j}), images_.push_back(c.image);
    }
    return static_cast<offset_t>(pairs_.size());
  }
  PairColumns<const index_t> found() override {
    return columns_of(pairs_.data(), images_.data(), static_cast<offset_t>(pairs_.size()));
  }
  std::vector<LevelReport> levels() override { return {}; }  // each rank plans its own
  GridFacts facts() const override {
    GridFacts facts = part_->facts();
    facts.list_bytes = static_cast<std::int64_t>(pairs_.size() * (sizeof(Pair) + sizeof(Image)));
    facts.ranks = launched_ranks();
    return facts;
  }
  WorkCount work() override { throw Error(ErrorCode::unsupported, "the work of ranks is not counted"); }
  std::variant<GridView<2>, GridView<3> > view() override {
    throw Error(ErrorCode::unsupported, "the grid of several ranks has no one view");
  }

 private:
  std::unique_ptr<RankPart> part_;
  Particles<double, 3> columns_{};
  std::vector<Pair> pairs_;
  std::vector<Image> images_;
};

/// Between them the ranks work together.
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

std::unique_ptr<AnyGrid> make_ranks_grid(const GridSpec& spec) { return std::make_unique<GridOnRanks>(spec); }

void work_on_ranks(std::optional<Backend> asked, const std::function<void()>& work, const std::function<void()>& help) {
  if (launched_ranks() <= 1 || asked.value_or(Backend::mpi) != Backend::mpi) return work();
  const Session session;
  this_rank() == 0 ? work() : serve(help);
}

}  // namespace hgrid::tool

#endif
