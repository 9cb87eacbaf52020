// SPDX-License-Identifier: BSD-3-Clause
// AnyGrid of one dimension.
#pragma once

#include "hgrid/grid.hpp"
#include "hgrid/loop/checkpoint.hpp"
#include "hgrid/loop/history.hpp"
#include "hgrid/loop/queries.hpp"
#include "python/any_grid.hpp"

namespace hgrid::python {

template <int D>
detail::BoxVectors<D> vectors_of(const BoxSpec& box) {
  detail::BoxVectors<D> vectors{};
  for (std::size_t k = 0; k < box.cell.size(); ++k) vectors.v[k / D].v[k % D] = box.cell[k];
  return vectors;
}

template <int D>
class VerletOn final : public AnyVerlet {
 public:
  VerletOn(Grid<Threads, D>& grid, const BoxSpec& spec, const VerletOptions& options)
      : spec_(spec), exec_(grid.exec()), list_(grid, options), history_(grid.exec()) {}

  bool update(const Inputs& now, const Inputs& widened) override {
    const AnyParticles<D> particles = particles_of<D>(now), margins = particles_of<D>(widened);
    return std::visit([&](const auto& p) { return list_.update(p, std::get<std::decay_t<decltype(p)>>(margins)); }, particles);
  }
  void build(const Inputs& particles) override {
    std::visit([&](const auto& p) { list_.build(p); }, particles_of<D>(particles));
  }
  Rows neighbours() override { return copy_of_rows(exec_, list_.neighbours()); }
  Entries entries(const Inputs& now, const EntriesAsked& asked) override {
    return std::visit(
        [&]<class Real>(const Particles<Real, D>& p) {
          return entries_of(exec_, Measure<Real, D>{p, vectors_of<D>(spec_)}, ListView(list_.neighbours()), asked);
        },
        particles_of<D>(now));
  }
  Numbers<std::int64_t> origins(offset_t& before) override {
    history_.remap(list_.before(), list_.neighbours());
    before = history_.size_before();
    Room<std::int64_t> room(exec_, history_.size());
    exec_.copy_in(room.data(), history_.from(), history_.size());
    return room.numbers();
  }
  const VerletCounters& counters() const override { return list_.counters(); }
  double skin() const override { return list_.skin(); }
  std::vector<std::byte> save() override { return hgrid::save(list_); }
  void restore(std::span<const std::byte> checkpoint) override { hgrid::restore(list_, checkpoint); }

 private:
  const BoxSpec& spec_;  // the grid's, of now
  Threads exec_;
  VerletList<Threads, D> list_;
  History<Threads> history_;
};

template <int D>
class GridOn final : public AnyGrid {
 public:
  GridOn(const GridSpec& spec, const BoxSpec& box) : spec_(box), grid_(Threads(spec.threads), box.box<D>(), spec.options) {}

  void set_box(const BoxSpec& box) override {
    grid_.set_box(box.box<D>());
    spec_ = box;
  }
  void set_boxes(const std::vector<BoxSpec>& boxes) override {
    std::vector<Box<D>> all;
    for (const BoxSpec& box : boxes) all.push_back(box.box<D>());
    grid_.set_boxes(std::move(all));
  }
  void watch(const Watch& watch) override { grid_.watch(watch); }

  void build(const Inputs& particles, double skin) override {
    const AnyParticles<D> given = particles_of<D>(particles);
    std::visit([&](const auto& p) { grid_.build(p, {.skin = skin}); }, given);
    built_ = given, built_vectors_ = vectors_of<D>(spec_), generation_ = grid_.generation();
  }
  Validity validity(const Inputs& now) override {
    return std::visit([&](const auto& p) { return grid_.validity(p); }, particles_of<D>(now));
  }
  bool is_periodic() override { return grid_.view().periodic; }
  offset_t count() override { return grid_.count(); }

  PairColumnsOf pairs(Order order, bool distances, bool vectors) override {
    const auto list = pairs_->take([&] { return grid_.make_pairs(); });
    grid_.pairs(*list, order);
    const offset_t n = list->size(), images = list->has_images() ? 3 * n : 0;
    PairColumnsOf columns{
        {list->columns().first, 2 * n, list}, {numbers_of(list->images()), images, list}, n, list->has_images()};
    if (distances || vectors) {
      measure([&](const auto& measure) { add_distances(grid_.exec(), measure, distances, vectors, columns); });
    }
    return columns;
  }

  Rows neighbours(ListKind kind) override {
    const auto list = listed(kind);
    return rows_of(*list, list);
  }

  Entries entries(ListKind kind, const EntriesAsked& asked) override {
    const auto list = listed(kind);
    Entries entries;
    measure([&](const auto& measure) { entries = entries_of(grid_.exec(), measure, ListView(*list), asked); });
    return entries;
  }

  offset_t matrix(ListKind kind, const MatrixRoom& room) override {
    NeighbourMatrix<std::int32_t> out{room.neighbours, room.particles, room.width};
    out.counts = room.counts, out.images = reinterpret_cast<Image*>(room.images), out.padding = room.padding;
    return grid_.neighbours_into(out, kind);
  }

  Rows query(const RegionSpec& spec, Take take, double radius_scale) override {
    const std::vector<Region<D>> regions = spec.regions<D>();
    return copy_of_rows(grid_.exec(), queries_.find(regions.data(), spec.count, take, radius_scale));
  }

  Report report() override {
    Report r;
    r.levels = grid_.levels(), r.work = grid_.work();
    const Plan<D>& plan = grid_.plan();
    r.direction = name_of(plan.direction), r.keys = name_of(plan.keys), r.table = name_of(plan.table);
    r.skin = grid_.view().skin, r.cost = plan.table == TableKind::dense ? plan.dense_cost : plan.compacted_cost;
    r.particles = grid_.particle_count(), r.skipped = grid_.skipped();
    r.bytes = static_cast<offset_t>(grid_.bytes()), r.threads = grid_.exec().concurrency();
    return r;
  }

  std::vector<std::byte> save() override { return hgrid::save(grid_); }
  void restore(std::span<const std::byte> checkpoint) override { hgrid::restore(grid_, checkpoint); }

  std::unique_ptr<AnyVerlet> make_verlet(const VerletOptions& options) override {
    return std::make_unique<VerletOn<D>>(grid_, spec_, options);
  }

 private:
  std::shared_ptr<NeighbourList<Threads>> listed(ListKind kind) {
    const auto list = (kind == ListKind::half ? half_ : full_)->take([&] { return grid_.make_list(kind); });
    grid_.neighbours(*list);
    return list;
  }

  // f of the particles of the build, whose memory the caller holds.
  template <class F>
  void measure(const F& f) {
    if (generation_ != grid_.generation()) {
      throw Error(ErrorCode::stale, "a Verlet list built this grid; distances are known of the grid's own build only",
                  {.argument = "quantities"});
    }
    if (!grid_.boxes().empty()) {
      throw Error(ErrorCode::unsupported, "distances are not computed where worlds have boxes of their own",
                  {.argument = "quantities"});
    }
    std::visit([&]<class Real>(const Particles<Real, D>& p) { f(Measure<Real, D>{p, built_vectors_}); }, built_);
  }

  BoxSpec spec_;  // of the next build
  Grid<Threads, D> grid_;
  Queries<Threads, D> queries_{grid_};
  AnyParticles<D> built_;
  detail::BoxVectors<D> built_vectors_{};
  std::uint64_t generation_ = 0;
  std::shared_ptr<Pool<PairList<Threads>>> pairs_ = std::make_shared<Pool<PairList<Threads>>>();
  std::shared_ptr<Pool<NeighbourList<Threads>>> half_ = std::make_shared<Pool<NeighbourList<Threads>>>(),
                                                full_ = std::make_shared<Pool<NeighbourList<Threads>>>();
};

template <int D>
std::unique_ptr<AnyGrid> make_grid_of(const GridSpec& spec, const BoxSpec& box) {
  return std::make_unique<GridOn<D>>(spec, box);
}

}  // namespace hgrid::python
