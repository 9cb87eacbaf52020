// SPDX-License-Identifier: BSD-3-Clause
// AnyGrid on ranks. Rank 0 has the particles at first and the contacts in the end. It tells the other ranks by commands what all of them
// do next.
#ifdef HGRID_HAS_MPI

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <numeric>

#include "hgrid/hgrid.hpp"
#include "hgrid/mpi.hpp"
#include "ranks.hpp"

namespace hgrid::tool {
namespace {

enum class Task : int { make, build, count, list, drop, end };

/// What rank 0 sends; the levels of the options follow.
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

int this_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

void send(Command command) { MPI_Bcast(&command, sizeof command, MPI_BYTE, 0, MPI_COMM_WORLD); }

std::int64_t sum_of_all(std::int64_t value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

/// Throws on all ranks if f does on one.
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

/// A contact as it goes to rank 0: ids of the file's rows fit into 31 bits.
struct FoundContact {
  index_t i, j;
  Image image;

  friend bool operator<(const FoundContact& a, const FoundContact& b) {
    return GlobalContact{a.i, a.j, a.image} < GlobalContact{b.i, b.j, b.image};
  }
};

/// That which all ranks do. All but the first begin without particles.
class RankPart {
 public:
  virtual ~RankPart() = default;
  virtual void build(const Particles<double, 3>& columns, double skin) = 0;
  virtual offset_t count() = 0;
  /// Sorted, on rank 0.
  virtual std::vector<FoundContact> list() = 0;
  virtual GridFacts facts() const = 0;
};

template <int D>
class RankPartIn final : public RankPart {
 public:
  RankPartIn(const Command& command, const std::vector<LevelSpec>& levels)
      : grid_(OpenMPExec(command.threads), Box<D>::of_axes(command.box), MPI_COMM_WORLD,
              {.levels = levels, .direction = command.direction, .keys = command.keys, .rule = command.rule}) {}

  void build(const Particles<double, 3>& columns, double skin) override {
    if (!shared_out_) share_out(columns, skin);
    shared_out_ = true;
    grid_.build(x_, r_, id_, {.skin = skin});
    bytes_ = sum_of_all(static_cast<std::int64_t>(grid_.local().bytes()));
  }

  offset_t count() override {
    std::atomic<std::int64_t> contacts = 0;
    grid_.for_each_contact([&](index_t, index_t, const Image&) { contacts.fetch_add(1, std::memory_order_relaxed); });
    return sum_of_all(contacts);
  }

  std::vector<FoundContact> list() override {
    std::vector<FoundContact> found;
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    all_or_none([&] {
      auto pairs = grid_.make_pairs();
      grid_.pairs(pairs);
      for (offset_t k = 0; k < pairs.size(); ++k) {
        const Contact c = pairs.columns()[k];
        const GlobalContact g = grid_.global(c.i, c.j, c.image);
        found.push_back({static_cast<index_t>(g.i), static_cast<index_t>(g.j), g.image});
      }
      std::sort(found.begin(), found.end());
    });
    std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks)), begin(counts.size() + 1);
    const auto own = static_cast<std::int64_t>(found.size());
    MPI_Gather(&own, 1, MPI_INT64_T, counts.data(), 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    std::partial_sum(counts.begin(), counts.end(), begin.begin() + 1);
    const bool first = this_rank() == 0;
    all_or_none([&] {
      if (first) found.resize(static_cast<std::size_t>(begin.back()));
    });
    MPI_Datatype type = MPI_DATATYPE_NULL;  // because MPI counts as int, of contacts rather than bytes
    MPI_Type_contiguous(sizeof(FoundContact), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    const auto at = [&](int rank) { return found.data() + begin[static_cast<std::size_t>(rank)]; };
    if (first) {
      for (int rank = 1; rank < ranks; ++rank) {
        MPI_Recv(at(rank), static_cast<int>(counts[static_cast<std::size_t>(rank)]), type, rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        std::inplace_merge(at(0), at(rank), at(rank + 1));
      }
    } else {
      MPI_Send(found.data(), static_cast<int>(own), type, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Type_free(&type);
    return found;
  }

  GridFacts facts() const override {
    return {grid_.local().plan().direction, grid_.local().plan().keys, grid_.exec().concurrency(), bytes_, 0};
  }

 private:
  // Migration takes the particles from rank 0 to the others.
  void share_out(const Particles<double, 3>& columns, double skin) {
    all_or_none([&] {
      if (columns.exclusions.size > 0 || columns.worlds.count > 0) {
        throw Error(ErrorCode::unsupported,
                    "on ranks there are no exclusions and worlds; run it without mpirun, or with --backend openmp",
                    {.argument = "backend"});
      }
      for (offset_t i = 0; i < columns.count; ++i) {
        for (int k = 0; k < D; ++k) x_.push_back(columns.position[k][i]);
        r_.push_back(columns.radius[i]), id_.push_back(i);
      }
      // Here, where particles have the numbers of their rows.
      detail::inspected(grid_.exec(), as_particles<D>(grid_.exec(), x_, r_), grid_.box(), skin);
    });
    grid_.rebalance(x_, r_);
    grid_.migrate(x_, r_, id_);
  }

  DistributedGrid<OpenMPExec, D> grid_;
  std::vector<double> x_, r_;
  std::vector<std::int64_t> id_;
  std::int64_t bytes_ = 0;
  bool shared_out_ = false;
};

/// Rank 0 has the levels; the others get them.
std::unique_ptr<RankPart> make_part(const Command& command, std::vector<LevelSpec> levels) {
  levels.resize(static_cast<std::size_t>(command.levels));
  MPI_Bcast(levels.data(), static_cast<int>(levels.size() * sizeof(LevelSpec)), MPI_BYTE, 0, MPI_COMM_WORLD);
  if (command.dimension == 2) return std::make_unique<RankPartIn<2> >(command, levels);
  return std::make_unique<RankPartIn<3> >(command, levels);
}

/// Until rank 0 ends. Errors of this rank are known there, because all calls agree on errors.
void serve() {
  std::unique_ptr<RankPart> part;
  for (Command command;;) {
    MPI_Bcast(&command, sizeof command, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (command.task == Task::end) return;
    if (command.task == Task::drop) part.reset();
    try {
      if (command.task == Task::make) part = make_part(command, {});
      if (command.task == Task::build) part->build({}, command.skin);
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
    const Command command{.task = Task::make,
                          .dimension = spec.dimension,
                          .threads = spec.threads,
                          .box = spec.box,
                          .direction = o.direction,
                          .keys = o.keys,
                          .rule = o.rule,
                          .levels = static_cast<std::int64_t>(o.levels.size())};
    send(command);
    part_ = make_part(command, o.levels);
  }
  ~GridOnRanks() override { send({.task = Task::drop}); }

  void watch(const Watch&) override {}
  void take(const Particles<double, 3>& columns) override { columns_ = columns; }
  void build(double skin) override {
    send({.task = Task::build, .skin = skin});
    part_->build(columns_, skin);
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

void work_on_ranks(std::optional<Backend> asked, const std::function<void()>& work) {
  if (launched_ranks() <= 1 || asked.value_or(Backend::mpi) != Backend::mpi) return work();
  const Session session;
  this_rank() == 0 ? work() : serve();
}

}  // namespace hgrid::tool

#endif
