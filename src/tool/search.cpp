// SPDX-License-Identifier: BSD-3-Clause
#include "search.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "hgrid/hgrid.hpp"
#include "plan_file.hpp"

namespace hgrid::tool {
namespace {

// Columns of the table as the library reads them: in place, or a copy in single precision.
template <class Real>
class Columns {
 public:
  explicit Columns(const io::ParticleTable& table) {
    const std::vector<double>* columns[] = {&table.x, &table.y, &table.z, &table.r};
    for (int k = 0; k < 4; ++k) {
      if constexpr (std::is_same_v<Real, double>) {
        at_[k] = columns[k]->data();
      } else {
        copy_[k].resize(columns[k]->size());
        std::ranges::transform(*columns[k], copy_[k].begin(), [](double v) { return static_cast<Real>(v); });
        at_[k] = copy_[k].data();
      }
    }
    count_ = table.size();
  }

  template <int D>
  Particles<Real, D> particles() const {
    Particles<Real, D> p{};
    for (int k = 0; k < D; ++k) p.position[k] = at_[k];
    p.stride = 1;
    p.radius = at_[3];
    p.count = count_;
    return p;
  }

 private:
  std::vector<Real> copy_[4];
  const Real* at_[4];
  std::int64_t count_;
};

template <int D>
Box<D> box_of(const SearchOptions& options) {
  Box<D> box = Box<D>::open();
  for (std::size_t k = 0; k < D; ++k) {
    const int axis = static_cast<int>(k);
    box.wraps[axis] = options.periodic[k];
    if (options.periodic[k]) box.lo[axis] = options.box.lo[k], box.hi[axis] = options.box.hi[k];
  }
  return box;
}

/// How deep two particles are in each other: r_i + r_j - |x_i - x_j - m L|.
template <int D>
struct Overlap {
  const io::ParticleTable& table;
  Box<D> box;

  double operator()(Pair pair, Image image) const {
    const std::vector<double>* x[] = {&table.x, &table.y, &table.z};
    const auto i = static_cast<std::size_t>(pair.i), j = static_cast<std::size_t>(pair.j);
    double squared = 0;
    for (int k = 0; k < D; ++k) {
      const double d = (*x[k])[i] - (*x[k])[j] - image.m[k] * box.length(k);
      squared += d * d;
    }
    return table.r[i] + table.r[j] - std::sqrt(squared);
  }
};

template <int D, class Real, class Exec>
void search_with(Exec exec, const io::ParticleTable& table, const SearchOptions& options,
                 const PairWriter& write, Progress& progress, Report& report) {
  const Columns<Real> columns(table);
  const Box<D> box = box_of<D>(options);
  Grid<Exec, D> grid(exec, box, options.grid);
  const BuildOptions build{.skin = options.skin};

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
  const auto size = static_cast<std::size_t>(list.size());
  write(io::pair_source({list.pairs(), size}, {list.images(), list.has_images() ? size : 0},
                        Overlap<D>{table, box}));
  report.seconds.write = now() - writing;
}

template <int D, class Real, class... Rest>
void search_on(const io::ParticleTable& table, const SearchOptions& options, Rest&... rest) {
  if (options.backend == "serial") return search_with<D, Real>(SerialExec(), table, options, rest...);
  search_with<D, Real>(OpenMPExec(options.threads), table, options, rest...);
}

}  // namespace

void search(const io::ParticleTable& table, const SearchOptions& options, const PairWriter& write,
            Progress& progress, Report& report) {
  if (options.dimension == 2 && options.single_precision) {
    search_on<2, float>(table, options, write, progress, report);
  } else if (options.dimension == 2) {
    search_on<2, double>(table, options, write, progress, report);
  } else if (options.single_precision) {
    search_on<3, float>(table, options, write, progress, report);
  } else {
    search_on<3, double>(table, options, write, progress, report);
  }
}

}  // namespace hgrid::tool
