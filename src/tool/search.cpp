// SPDX-License-Identifier: BSD-3-Clause
#include "search.hpp"

#include <algorithm>

#include "columns.hpp"
#include "seconds.hpp"

namespace hgrid::tool {
namespace {

template <int D>
void take_found(const PairColumns<const index_t>& found, const io::ParticleTable& table, const SearchOptions& options,
                const PairTaker& take) {
  take(io::pair_source(found, Overlap<D>{particles_of<D>(table), Box<D>::of_axes(options.box), options.grid.rule}));
}

void report_grid(AnyGrid& grid, Report& report) {
  const GridFacts facts = grid.facts();
  report.levels = grid.levels();
  report.direction = name_of(facts.direction);
  report.keys = name_of(facts.keys);
  report.threads = facts.threads;
  report.ranks = facts.ranks;
  report.bytes = facts.grid_bytes + facts.list_bytes;
}

}  // namespace

void search(const io::ParticleTable& table, const SearchOptions& options, const PairTaker& take, Progress& progress,
            Report& report) {
  const auto grid =
      make_grid({options.backend, options.threads, options.dimension, options.box, options.grid, options.single_precision});
  Particles<double, 3> particles = particles_of<3>(table);
  particles.exclusions = Exclusions::in_pairs(options.excluded.data(), static_cast<offset_t>(options.excluded.size()));
  particles.worlds = {options.world.data(), options.worlds};
  grid->take(particles);
  grid->watch(progress.watch());

  progress.step("planning levels and building");
  const double start = now();
  grid->build(options.skin);
  const double planned = now();
  grid->build(options.skin);  // the first one says nothing about those that follow
  const double built = now();
  report.seconds.build = built - planned;
  report.seconds.plan = std::max(0.0, planned - start - report.seconds.build);

  progress.step("searching");
  const double searching = now();
  report.pairs = take ? grid->list(options.order) : grid->count();
  report.seconds.search = now() - searching;
  report_grid(*grid, report);
  if (!take) return;
  options.dimension == 2 ? take_found<2>(grid->found(), table, options, take)
                         : take_found<3>(grid->found(), table, options, take);
}

}  // namespace hgrid::tool
