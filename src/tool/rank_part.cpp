// SPDX-License-Identifier: BSD-3-Clause
#ifdef HGRID_HAS_MPI

#include "rank_part.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "columns.hpp"
#include "hgrid/mpi.hpp"

namespace hgrid::tool {
namespace {

template <int D>
class RankPartIn final : public RankPart {
 public:
  RankPartIn(const Command& command, const std::vector<LevelSpec>& levels)
      : grid_(OpenMPExec(command.threads), Box<D>::of_axes(command.box), MPI_COMM_WORLD,
              {.levels = levels, .direction = command.direction, .keys = command.keys, .rule = command.rule}) {}

  void share_out(const Particles<double, 3>& columns, offset_t first_row, double skin) override {
    if (std::exchange(shared_out_, true)) return;
    all_or_none([&] {
      const auto count = static_cast<std::size_t>(columns.count);
      x_.reserve(D * count), r_.reserve(count), id_.reserve(count);
      for (offset_t i = 0; i < columns.count; ++i) {
        for (int k = 0; k < D; ++k) x_.push_back(columns.position[k][i]);
        r_.push_back(columns.radius[i]), id_.push_back(first_row + i);
      }
      // Checked here, where particles have the numbers of their rows.
      detail::inspected(grid_.exec(), as_particles<D>(grid_.exec(), x_, r_), grid_.box(), skin);
    });
    grid_.rebalance(x_, r_);
    grid_.migrate(x_, r_, id_);
  }

  void build(double skin) override {
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
    all_or_none([&] {
      found = sorted<FoundContact>([&](const Contact&, const FoundContact& contact) { return contact; });
      require_countable(std::ssize(found));
    });
    const int ranks = all_ranks();
    std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks)), begin(counts.size() + 1);
    const auto own = static_cast<std::int64_t>(found.size());
    MPI_Gather(&own, 1, MPI_INT64_T, counts.data(), 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    std::partial_sum(counts.begin(), counts.end(), begin.begin() + 1);
    const bool first = this_rank() == 0;
    all_or_none([&] {
      if (first) found.resize(static_cast<std::size_t>(begin.back()));
    });
    const ContactType<FoundContact> type;
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
    return found;
  }

  std::vector<MeasuredContact> measured(double skin, std::vector<std::int32_t>& of_particles) override {
    std::vector<MeasuredContact> found;
    x_ = {}, r_ = {}, id_ = {};  // nothing more is built
    all_or_none([&] {
      of_particles.assign(static_cast<std::size_t>(grid_.held()), 0);
      const Overlap<D> overlap_of{particles<D>(grid_.positions().data(), grid_.radii().data(), grid_.held()), grid_.box()};
      found = sorted<MeasuredContact>([&](const Contact& c, const FoundContact& contact) {
        const auto a = static_cast<std::size_t>(c.i), b = static_cast<std::size_t>(c.j);
        const double overlap = overlap_of(c);  // overlap and diameter are equal from either side
        if (skin == 0 || overlap >= 0) ++of_particles[a], ++of_particles[b];
        return MeasuredContact{contact, overlap, 2 * std::min(grid_.radii()[a], grid_.radii()[b])};
      });
    });
    grid_.add_back(of_particles);
    of_particles.resize(static_cast<std::size_t>(grid_.owned()));
    return found;
  }

  void describe(Report& report) const override {
    const Plan<D>& plan = grid_.local().plan();
    report.direction = name_of(plan.direction), report.keys = name_of(plan.keys);
    report.threads = grid_.exec().concurrency(), report.bytes = bytes_;
  }

 private:
  /// Returns the results of `make` for each contact of this rank, sorted. `make` gets the contact with this rank's ids, and
  /// with ids of all ranks.
  template <class Made, class Make>
  std::vector<Made> sorted(const Make& make) {
    auto pairs = grid_.make_pairs();
    grid_.find(pairs);
    std::vector<Made> found;
    found.reserve(static_cast<std::size_t>(pairs.size()));
    for (offset_t k = 0; k < pairs.size(); ++k) {
      const Contact c = pairs.columns()[k];
      const GlobalContact g = grid_.global(c.i, c.j, c.image);
      found.push_back(make(c, {static_cast<index_t>(g.i), static_cast<index_t>(g.j), g.image}));
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  DistributedGrid<OpenMPExec, D> grid_;
  std::vector<double> x_, r_;
  std::vector<std::int64_t> id_;
  std::int64_t bytes_ = 0;
  bool shared_out_ = false;
};

}  // namespace

std::unique_ptr<RankPart> make_part(const Command& command, std::vector<LevelSpec> levels) {
  levels.resize(static_cast<std::size_t>(command.levels));
  MPI_Bcast(levels.data(), static_cast<int>(levels.size() * sizeof(LevelSpec)), MPI_BYTE, 0, MPI_COMM_WORLD);
  if (command.dimension == 2) return std::make_unique<RankPartIn<2> >(command, levels);
  return std::make_unique<RankPartIn<3> >(command, levels);
}

}  // namespace hgrid::tool

#endif
