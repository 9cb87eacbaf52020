// SPDX-License-Identifier: BSD-3-Clause
// AnyGrid on one executor; the source files that include it choose which.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include "any_grid.hpp"
#include "hgrid/grid.hpp"

namespace hgrid::tool {

/// Columns of particles in the executor's memory and the real type: in place where both are the host's own.
template <class Exec, int D, class Real>
class ColumnsThere {
 public:
  ColumnsThere(const Exec& exec, const Particles<double, 3>& here) {
    for (int k = 0; k < D; ++k) there_.position[k] = bring(exec, k, here.position[k], here.count);
    there_.radius = bring(exec, D, here.radius, here.count);
    there_.stride = 1;
    there_.count = here.count;
    there_.exclusions = here.exclusions;
    there_.worlds = here.worlds;
    if constexpr (!Exec::on_host) {
      pairs_ = typename Exec::template Buffer<Pair>(exec, here.exclusions.size);
      exec.copy_in(pairs_.data(), here.exclusions.pairs, here.exclusions.size);
      there_.exclusions.pairs = pairs_.data();
      const offset_t in_worlds = here.worlds.count > 0 ? here.count : 0;
      worlds_ = typename Exec::template Buffer<index_t>(exec, in_worlds);
      exec.copy_in(worlds_.data(), here.worlds.of, in_worlds);
      there_.worlds.of = worlds_.data();
    }
  }

  const Particles<Real, D>& particles() const { return there_; }

 private:
  const Real* bring(const Exec& exec, int k, const double* column, std::int64_t count) {
    const Real* here = as_real(converted_[k], column, count);
    if constexpr (Exec::on_host) return here;
    buffer_[k] = typename Exec::template Buffer<Real>(exec, count);
    exec.copy_in(buffer_[k].data(), here, count);
    return buffer_[k].data();
  }

  static const Real* as_real(std::vector<Real>& to, const double* column, std::int64_t count) {
    if constexpr (std::is_same_v<Real, double>) return column;
    to.resize(static_cast<std::size_t>(count));
    std::transform(column, column + count, to.begin(), [](double v) { return static_cast<Real>(v); });
    return to.data();
  }

  std::vector<Real> converted_[D + 1];
  typename Exec::template Buffer<Real> buffer_[D + 1];
  typename Exec::template Buffer<Pair> pairs_;
  typename Exec::template Buffer<index_t> worlds_;
  Particles<Real, D> there_{};
};

template <class Exec, int D>
class GridOn final : public AnyGrid {
 public:
  GridOn(Exec exec, const GridSpec& spec)
      : exec_(exec),
        single_(spec.single_precision),
        grid_(exec, Box<D>::of_axes(spec.box), spec.options),
        gathers_(spec.options.rule == Rule::gather),
        list_(grid_.make_pairs()),
        neighbours_(grid_.make_list(ListKind::full)) {}

  void watch(const Watch& watch) override { grid_.watch(watch); }

  void take(const Particles<double, 3>& columns) override {
    if (single_)
      columns_.template emplace<ColumnsThere<Exec, D, float>>(exec_, columns);
    else
      columns_.template emplace<ColumnsThere<Exec, D, double>>(exec_, columns);
  }

  void build(double skin) override {
    const BuildOptions options{.skin = skin, .check_now = true};
    const auto from = [&](const auto& columns) {
      if constexpr (!std::is_same_v<const std::monostate&, decltype(columns)>) grid_.build(columns.particles(), options);
    };
    std::visit(from, columns_);
  }

  offset_t count() override {
    if (!gathers_) return grid_.count();
    grid_.neighbours(neighbours_);
    return neighbours_.size();
  }

  offset_t list(Order order) override {
    if (gathers_) return list_neighbours();
    grid_.pairs(list_, order);
    return list_.size();
  }

  PairColumns<const index_t> found() override {
    if (gathers_) {
      return columns_of(read_pairs_.data(), read_images_.empty() ? nullptr : read_images_.data(), neighbours_.size());
    }
    const auto pairs = static_cast<std::size_t>(list_.size()), images = list_.has_images() ? pairs : 0;
    if constexpr (Exec::on_host) return list_.columns();
    read_pairs_.resize(pairs);
    read_images_.resize(images);
    exec_.copy_out(read_pairs_.data(), list_.pairs(), list_.size());
    exec_.copy_out(read_images_.data(), list_.images(), static_cast<offset_t>(images));
    return columns_of(read_pairs_.data(), images > 0 ? read_images_.data() : nullptr, list_.size());
  }

  std::vector<LevelReport> levels() override { return grid_.levels(); }

  GridFacts facts() const override {
    return {grid_.plan().direction, grid_.plan().keys, exec_.concurrency(), static_cast<std::int64_t>(grid_.bytes()),
            static_cast<std::int64_t>(gathers_ ? neighbours_.bytes() : list_.bytes())};
  }

  WorkCount work() override { return grid_.work(); }
  std::variant<GridView<2>, GridView<3>> view() override { return grid_.view(); }

 private:
  offset_t list_neighbours() {
    grid_.neighbours(neighbours_);
    const auto entries = static_cast<std::size_t>(neighbours_.size()), lists = static_cast<std::size_t>(neighbours_.lists());
    std::vector<offset_t> offsets(lists + 1);
    std::vector<index_t> ids(entries);
    read_images_.resize(neighbours_.has_images() ? entries : 0);
    exec_.copy_out(offsets.data(), neighbours_.offsets(), static_cast<offset_t>(lists + 1));
    exec_.copy_out(ids.data(), neighbours_.neighbours(), neighbours_.size());
    exec_.copy_out(read_images_.data(), neighbours_.images(), static_cast<offset_t>(read_images_.size()));
    read_pairs_.clear();
    for (std::size_t i = 0; i < lists; ++i) {
      for (auto k = static_cast<std::size_t>(offsets[i]); k < static_cast<std::size_t>(offsets[i + 1]); ++k) {
        read_pairs_.push_back({static_cast<index_t>(i), ids[k]});
      }
    }
    return neighbours_.size();
  }

  Exec exec_;
  bool single_;
  std::variant<std::monostate, ColumnsThere<Exec, D, float>, ColumnsThere<Exec, D, double>> columns_;
  Grid<Exec, D> grid_;
  bool gathers_;
  PairList<Exec> list_;
  NeighbourList<Exec> neighbours_;
  std::vector<Pair> read_pairs_;
  std::vector<Image> read_images_;
};

template <class Exec>
std::unique_ptr<AnyGrid> make_grid_on(const Exec& exec, const GridSpec& spec) {
  if (spec.dimension == 2) return std::make_unique<GridOn<Exec, 2>>(exec, spec);
  return std::make_unique<GridOn<Exec, 3>>(exec, spec);
}

}  // namespace hgrid::tool
