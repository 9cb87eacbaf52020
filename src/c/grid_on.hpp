// SPDX-License-Identifier: BSD-3-Clause
// AnyGrid of one executor and dimension.
#pragma once

#include <vector>

#include "c/any_grid.hpp"
#include "c/measure.hpp"
#include "c/verlet_on.hpp"
#include "hgrid/engine/reserve.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/loop/queries.hpp"

namespace hgrid::c {

template <class Exec, int D>
class GridOn final : public AnyGrid {
 public:
  /// The executor works at that place.
  GridOn(const Exec& exec, const Place& place, const hgrid_box* box, const GridOptions& options)
      : place_(place), grid_(exec, box_of<D>(box), options), one_(exec, 1), box_(grid_.box()), vectors_(vectors_of<D>(box)) {
    const One one;
    exec.copy_in(one_.data(), &one, 1);
  }

  void set_box(const hgrid_box* box) override {
    grid_.set_box(box_of<D>(box));
    box_ = grid_.box(), vectors_ = vectors_of<D>(box);
  }
  void set_boxes(const hgrid_box* boxes, std::int64_t count) override { grid_.set_boxes(boxes_of<D>(boxes, count)); }

  void build(const hgrid_particles* particles, double skin) override {
    std::visit([&](const auto& p) { grid_.build(p, {.skin = skin}); }, particles_of<D>(particles, place_, one_.data()));
    built_vectors_ = vectors(), generation_ = grid_.generation();
  }

  std::uint64_t generation() const override { return grid_.generation(); }

  hgrid_plan_report plan() override {
    const auto view = grid_.view();  // throws `not_built`
    const Plan<D>& plan = grid_.plan();
    hgrid_plan_report report{};
    report.particles = grid_.particle_count(), report.skipped = grid_.skipped();
    report.bytes = static_cast<std::int64_t>(grid_.bytes());
    report.skin = plan.skin, report.dense_cost = plan.dense_cost, report.compacted_cost = plan.compacted_cost;
    report.levels = view.level_count, report.islands = static_cast<std::int32_t>(plan.islands.size());
    report.direction = 1 + static_cast<std::int32_t>(plan.direction), report.keys = 1 + static_cast<std::int32_t>(plan.keys);
    report.table = 1 + static_cast<std::int32_t>(plan.table);
    report.weighed = plan.weighed;
    return report;
  }

  hgrid_level_report level(std::int32_t number) override {
    const std::vector<LevelReport> levels = grid_.levels();
    if (number < 0 || static_cast<std::size_t>(number) >= levels.size()) {
      refuse("level", "is none of " + detail::counted(levels.size(), "level"), number);
    }
    const LevelReport& l = levels[static_cast<std::size_t>(number)];
    return {0, l.radius_max, l.radius_bound, {l.cell_size[0], l.cell_size[1], D == 3 ? l.cell_size[2] : 0}, l.particles};
  }

  Validity validity(const hgrid_particles* now) override {
    return std::visit([&](const auto& p) { return grid_.validity(p); }, particles_of<D>(now, place_, one_.data()));
  }

  void wait() override { grid_.exec().wait(); }

  offset_t count() override { return grid_.count(); }

  hgrid_pair_list pairs(Order order) override {
    grid_.pairs(pairs_, order);
    const auto columns = pairs_.columns();
    return {0, pairs_.size(), columns.first, numbers_of(pairs_.images())};
  }

  offset_t pairs_into(const hgrid_array& given_pairs, const hgrid_array* given_images) override {
    const Array pairs(given_pairs, "pairs", 2, place_);
    std::optional<Array> images;
    if (given_images != nullptr) images.emplace(*given_images, "images", 2, place_);
    pairs.require(1, 2);
    if (images) images->require(1, 3).require(0, pairs.size(0));
    return with_integer(pairs, [&](auto id) {
      PairColumns<decltype(id)> out;
      out.first = pairs.data<decltype(id)>();
      out.second = pairs.size(0) == 0 ? out.first : out.first + pairs.stride(1);
      out.stride = pairs.size(0) == 0 ? 1 : pairs.stride(0);
      if (images) out.image = images_of(*images);
      out.size = pairs.size(0);
      return grid_.pairs_into(out);
    });
  }

  hgrid_neighbour_list neighbours(ListKind kind) override {
    NeighbourList<Exec>& list = kind == ListKind::half ? half_ : full_;
    grid_.neighbours(list);
    return list_of(list);
  }

  offset_t matrix(ListKind kind, const hgrid_neighbour_matrix& given) override {
    const Array neighbours(given.neighbours, "neighbours", 2, place_);
    const std::int64_t lines = neighbours.size(0), width = neighbours.size(1);
    return with_integer(neighbours, [&](auto id) {
      using Integer = decltype(id);
      const auto padding = static_cast<Integer>(given.padding);
      if (padding != given.padding || (given.padding >= 0 && given.padding < lines)) {
        refuse("padding", "is an id, or does not fit the matrix; take -1", static_cast<double>(given.padding));
      }
      NeighbourMatrix<Integer> out{neighbours.contiguous<Integer>(), lines, width};
      out.padding = padding;
      if (is_given(given.counts))
        out.counts = Array(given.counts, "counts", 1, place_).require(0, lines).template contiguous<Integer>();
      if (is_given(given.images)) {
        out.images = images_of(Array(given.images, "images", 3, place_).require(0, lines).require(1, width).require(2, 3));
      }
      return grid_.neighbours_into(out, kind);
    });
  }

  hgrid_neighbour_list query(const hgrid_regions& given) override {
    const Take take = choice<Take>(given.take, "take");
    const GivenRegions<D> regions = regions_of<D>(given, place_);
    detail::reserve_all(grid_.exec(), detail::Need{regions_, regions.count});
    grid_.exec().for_each("hgrid::copy_regions", regions.count, CopyRegion<D>{regions, regions_.data()});
    return list_of(queries_.find(regions_.data(), regions.count, take, given.radius_scale == 0 ? 1 : given.radius_scale));
  }

  void measure(const hgrid_measured& measured) override { measurements_.measure(measured, measured_vectors()); }

  hgrid_entry_list entries(const hgrid_particles* now, const hgrid_entry_options& options) override {
    const ListKind kind = choice<ListKind>(options.kind, "kind");
    const AnyParticles<D> particles = particles_of<D>(now, place_, one_.data());
    const detail::BoxVectors<D> vectors = measured_vectors();
    NeighbourList<Exec>& list = kind == ListKind::half ? half_ : full_;
    grid_.neighbours(list);
    return std::visit([&](const auto& p) { return measurements_.entries(ListView(list), p, vectors, options); }, particles);
  }

  void list_ids(const hgrid_array& offsets, const hgrid_array& lists) override { measurements_.list_ids(offsets, lists); }
  void* scratch(std::int64_t bytes) override { return measurements_.scratch(bytes); }

  std::span<const std::byte> save() override { return saved_ = hgrid::save(grid_); }
  void restore(std::span<const std::byte> checkpoint) override { hgrid::restore(grid_, checkpoint); }

  std::unique_ptr<AnyVerlet> make_verlet(const hgrid_verlet_options& options) override {
    return std::make_unique<VerletOn<Exec, D>>(grid_, place_, one_.data(), options);
  }

 private:
  // The box of the last build; if a list built the grid, that of now.
  detail::BoxVectors<D> measured_vectors() {
    grid_.view();  // throws `not_built`
    if (!grid_.boxes().empty()) {
      throw Error(ErrorCode::unsupported, "distances are not computed where worlds have boxes of their own",
                  {.argument = "grid"});
    }
    return generation_ == grid_.generation() ? built_vectors_ : vectors();
  }
  // As the caller gave it, unless it came with a checkpoint.
  detail::BoxVectors<D> vectors() const { return grid_.box() == box_ ? vectors_ : vectors_of(grid_.box()); }

  static Image* images_of(const Array& numbers) { return reinterpret_cast<Image*>(numbers.contiguous<std::int32_t>()); }

  Place place_;
  Grid<Exec, D> grid_;
  typename Exec::template Buffer<One> one_;
  Box<D> box_;
  detail::BoxVectors<D> vectors_, built_vectors_{};
  std::uint64_t generation_ = 0;
  Queries<Exec, D> queries_{grid_};
  Measurements<Exec, D> measurements_{grid_.exec(), place_};
  std::vector<std::byte> saved_;
  typename Exec::template Buffer<Region<D>> regions_;
  PairList<Exec> pairs_ = grid_.make_pairs();
  NeighbourList<Exec> half_ = grid_.make_list(ListKind::half), full_ = grid_.make_list(ListKind::full);
};

}  // namespace hgrid::c
