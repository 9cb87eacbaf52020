// SPDX-License-Identifier: BSD-3-Clause
#include "search.hpp"

#include <algorithm>

#include "ranks.hpp"
#include "search_grid.hpp"
#include "seconds.hpp"

namespace hgrid::tool {
namespace {

template <int D>
void take_found(const PairColumns<const index_t>& found, const io::ParticleTable& table, const SearchOptions& options,
                const PairTaker& take) {
  take(io::pair_source(found, Overlap<D>{particles_of<D>(table), Box<D>::of_axes(options.box), options.grid.rule}));
}

void describe(SearchGrid& grid, Report& report) {
  const hgrid_plan_report plan = grid.plan();
  report.levels = grid.levels();
  report.direction = name_of(static_cast<Direction>(plan.direction - 1));
  report.keys = name_of(static_cast<KeyOrder>(plan.keys - 1));
  report.threads = plan.threads;
  report.bytes = plan.bytes + plan.list_bytes;
}

/// Searches on a grid of either kind.
template <class G>
void search_with(G& grid, const io::ParticleTable& table, const SearchOptions& options, const PairTaker& take,
                 Progress& progress, Report& report) {
  Particles<double, 3> particles = particles_of<3>(table);
  particles.exclusions = Exclusions::in_pairs(options.excluded.data(), static_cast<offset_t>(options.excluded.size()));
  grid.take(particles, options.optional);

  progress.step("planning levels and building");
  const double start = now();
  grid.build(options.skin);
  const double planned = now();
  grid.build(options.skin);  // the first build's time includes planning
  const double built = now();
  report.seconds.build = built - planned;
  report.seconds.plan = std::max(0.0, planned - start - report.seconds.build);

  progress.step("searching");
  const double searching = now();
  report.pairs = take ? grid.list(options.order) : grid.count();
  report.seconds.search = now() - searching;
  describe(grid, report);
  if (!take) return;
  options.dimension == 2 ? take_found<2>(grid.found(), table, options, take)
                         : take_found<3>(grid.found(), table, options, take);
}

}  // namespace

void search(const io::ParticleTable& table, const SearchOptions& options, const PairTaker& take, Progress& progress,
            Report& report) {
#ifdef HGRID_HAS_MPI
  if (options.backend == Backend::mpi) {
    GridOnRanks grid(options);
    return search_with(grid, table, options, take, progress, report);
  }
#endif
  SearchGrid grid({options.backend, options.threads, options.dimension, options.given, options.grid, options.single_precision});
  grid.watch(progress.watch());
  search_with(grid, table, options, take, progress, report);
}

}  // namespace hgrid::tool
