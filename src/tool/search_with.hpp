// SPDX-License-Identifier: BSD-3-Clause
// A search with the library on one executor; the source files that include it choose which.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "columns.hpp"
#include "hgrid/build/grid.hpp"
#include "plan_file.hpp"
#include "search.hpp"

namespace hgrid::tool {

/// The same columns in the executor's memory.
template <class Exec, class Real>
class ColumnsThere {
 public:
  ColumnsThere(const Exec& exec, const io::ParticleTable& table) : here_(table) {
    if constexpr (!Exec::on_host) {
      for (int k = 0; k < 4; ++k) {
        there_[k] = typename Exec::template Buffer<Real>(exec, table.size());
        exec.copy_in(there_[k].data(), here_.column(k), table.size());
      }
    }
  }

  template <int D>
  Particles<Real, D> particles() const {
    Particles<Real, D> p = here_.template particles<D>();
    if constexpr (!Exec::on_host) {
      for (int k = 0; k < D; ++k) p.position[k] = there_[k].data();
      p.radius = there_[3].data();
    }
    return p;
  }

 private:
  Columns<Real> here_;
  typename Exec::template Buffer<Real> there_[4];
};

/// The list, read back where the host cannot read it in place.
template <class Exec>
class PairsHere {
 public:
  PairsHere(const Exec& exec, const PairList<Exec>& list)
      : pairs_(list.pairs(), static_cast<std::size_t>(Exec::on_host ? list.size() : 0)),
        images_(list.images(), static_cast<std::size_t>(Exec::on_host && list.has_images() ? list.size() : 0)) {
    if constexpr (!Exec::on_host) {
      read_pairs_.resize(static_cast<std::size_t>(list.size()));
      read_images_.resize(list.has_images() ? read_pairs_.size() : 0);
      exec.copy_out(read_pairs_.data(), list.pairs(), list.size());
      exec.copy_out(read_images_.data(), list.images(), static_cast<offset_t>(read_images_.size()));
      pairs_ = read_pairs_;
      images_ = read_images_;
    }
  }

  std::span<const Pair> pairs() const { return pairs_; }
  std::span<const Image> images() const { return images_; }

 private:
  std::span<const Pair> pairs_;
  std::span<const Image> images_;
  std::vector<Pair> read_pairs_;
  std::vector<Image> read_images_;
};

template <int D, class Real, class Exec>
void search_with(Exec exec, const io::ParticleTable& table, const SearchOptions& options,
                 const PairWriter& write, Progress& progress, Report& report) {
  const ColumnsThere<Exec, Real> columns(exec, table);
  const Box<D> box = box_of<D>(options);
  Grid<Exec, D> grid(exec, box, options.grid);
  const BuildOptions build{.skin = options.skin, .check_now = true};

  progress.step("planning levels and building");
  const double start = now();
  grid.build(columns.template particles<D>(), build);
  const double planned = now();
  grid.build(columns.template particles<D>(), build);  // the first one says nothing about those that follow
  const double built = now();
  report.seconds.build = built - planned;
  report.seconds.plan = std::max(0.0, planned - start - report.seconds.build);

  progress.step("searching");
  auto list = grid.make_pairs();
  const double searching = now();
  if (write) grid.pairs(list, options.order);
  report.pairs = write ? list.size() : grid.count();
  report.seconds.search = now() - searching;
  report.levels = grid.levels();
  report.direction = name(grid.plan().direction);
  report.keys = name(grid.plan().keys);
  report.threads = exec.concurrency();
  report.bytes = static_cast<std::int64_t>(grid.bytes() + list.bytes());
  if (!write) return;

  progress.step("writing");
  const double writing = now();
  const PairsHere<Exec> here(exec, list);
  write(io::pair_source(here.pairs(), here.images(), Overlap<D>{table, box}));
  report.seconds.write = now() - writing;
}

/// Dimension and real type become template arguments.
template <class Exec>
void search_on(const Exec& exec, const io::ParticleTable& table, const SearchOptions& options, const PairWriter& write,
               Progress& progress, Report& report) {
  const auto in = [&]<int D>(std::integral_constant<int, D>) {
    options.single_precision ? search_with<D, float>(exec, table, options, write, progress, report)
                             : search_with<D, double>(exec, table, options, write, progress, report);
  };
  options.dimension == 2 ? in(std::integral_constant<int, 2>{}) : in(std::integral_constant<int, 3>{});
}

}  // namespace hgrid::tool
