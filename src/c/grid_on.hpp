// SPDX-License-Identifier: BSD-3-Clause
// AnyGrid for one executor and dimension.
#pragma once

#include <vector>

#include "c/any_grid.hpp"
#include "c/find_on.hpp"
#include "c/handles.hpp"
#include "hgrid/find/insertions.hpp"

namespace hgrid::c {

template <class Exec, int D>
class GridOn final : public AnyGrid {
 public:
  /// `place` is where the executor works.
  GridOn(const Exec& exec, const Place& place, const hgrid_box* box, const GridOptions& options)
      : at_(exec, place, box, options) {}

  void set_box(const hgrid_box* box) override { at_.set_box(box); }
  void set_boxes(const hgrid_box* boxes, std::int64_t count) override { at_.set_boxes(boxes, count); }

  void watch(const hgrid_watch* watch) override {
    callbacks.set_watch(watch);
    grid_.watch(callbacks.watch());
  }

  void build(const hgrid_particles* particles, double skin) override { at_.build(particles, skin); }

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
    report.weighed = plan.weighed, report.periodic = view.periodic;
    report.threads = grid_.exec().concurrency();
    report.list_bytes = find_.bytes();
    return report;
  }

  hgrid_work_report work() override {
    const WorkCount work = grid_.work();
    return {0, work.candidates, work.rows};
  }

  hgrid_level_report level(std::int32_t number) override {
    const std::vector<LevelReport> levels = grid_.levels();
    if (number < 0 || static_cast<std::size_t>(number) >= levels.size()) {
      refuse("level", "is none of " + detail::counted(levels.size(), "level"), number);
    }
    const LevelReport& l = levels[static_cast<std::size_t>(number)];
    hgrid_level_report report{0, l.radius_max, l.radius_bound, {}, l.particles, {}};
    std::copy_n(l.cell_size, D, report.cell_size), std::copy_n(l.extent_max, D, report.extent_max);
    return report;
  }

  hgrid_validity_report validity(const hgrid_particles* now) override {
    const Validity v = std::visit([&](const auto& p) { return grid_.validity(p); }, at_.particles(now));
    const std::int64_t first = v.dirty + v.changed > 0 ? v.first : -1;
    return {0, v.excess, v.value, first, v.dirty, v.changed, v.present, v.expected, v.holds(), v.comparable != 0};
  }

  void wait() override { grid_.exec().wait(); }

  offset_t find(const hgrid_question& question, const hgrid_answer& answer) override {
    std::optional<AskedPredicate> predicate;
    if (question.predicate != nullptr) predicate.emplace(question.predicate, callbacks);
    GridOn* asking = nullptr;
    if (question.asking != nullptr) {
      asking = dynamic_cast<GridOn*>(&of(question.asking, "asking"));
      if (asking == nullptr || asking->at_.place != at_.place)
        refuse("asking", "is a grid of another dimension, or works elsewhere");
    }
    MeshOn<Exec>* mesh = nullptr;
    if (question.mesh != nullptr) {
      if (question.mesh->grid.get() != this) refuse("mesh", "is of another grid");
      mesh = static_cast<MeshOn<Exec>*>(&of(question.mesh));
    }
    return find_.find(question, asking == nullptr ? nullptr : &asking->grid_, mesh, predicate ? &*predicate : nullptr, answer);
  }

  void measure(const hgrid_measured* measured) override {
    const hgrid_measured given = taken(measured, "measured");
    at_.measure(given, find_.known(given.pairs));
  }

  bool touches(const double* position, double radius, std::int32_t world) const override {
    if constexpr (Exec::on_host) return insertions_.touches(point_of(position), radius, world);
    refuse_insertions();
  }
  std::int32_t insert(const double* position, double radius, std::int32_t world, bool if_free) override {
    if constexpr (Exec::on_host) {
      if (!if_free) return insertions_.insert(point_of(position), radius, world);
      return insertions_.insert_if_free(point_of(position), radius, world).value_or(-1);
    }
    refuse_insertions();
  }

  void list_ids(const hgrid_array* offsets, const hgrid_array* lists) override { at_.list_ids(offsets, lists); }
  void* scratch(std::int64_t bytes) override { return at_.scratch(bytes); }

  Owner keep() override { return find_.keep(); }
  Owner allocate(std::int64_t bytes, void*& data) const override {
    const auto memory = std::make_shared<typename Exec::template Buffer<std::byte>>(grid_.exec(), size_of_memory(bytes));
    data = memory->data();
    return memory;
  }

  void copy(void* to, const void* from, std::int64_t bytes, int way) const override {
    const offset_t n = size_of_memory(bytes);
    if (n > 0 && (to == nullptr || from == nullptr)) refuse(to == nullptr ? "to" : "from", "is null");
    const auto& exec = grid_.exec();
    if (way == HGRID_TO_HOST) return exec.copy_out(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), n);
    if (way == HGRID_FROM_HOST) return exec.copy_in(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), n);
    if (way != HGRID_WITHIN) refuse("way", "is none of its choices", way);
    const auto as = [&](auto number) {
      using Number = decltype(number);
      constexpr auto size = static_cast<offset_t>(sizeof(Number));
      exec.for_each("hgrid::copy_numbers", n / size,
                    CopyNumbers<Number>{static_cast<const Number*>(from), static_cast<Number*>(to)});
    };
    const auto places =
        reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | static_cast<std::uintptr_t>(n);
    places % sizeof(std::uint32_t) == 0 ? as(std::uint32_t{}) : as(std::uint8_t{});
  }

  std::span<const std::byte> save() override { return saved_ = hgrid::save(grid_); }
  void restore(std::span<const std::byte> checkpoint) override { hgrid::restore(grid_, checkpoint); }
  std::unique_ptr<AnyVerlet> make_verlet(const hgrid_verlet_options& options) override {
    return std::make_unique<VerletOn<Exec, D>>(at_, options);
  }
  std::unique_ptr<AnyMesh> make_mesh(const hgrid_triangles& triangles) override {
    if constexpr (D == 3) return std::make_unique<MeshOn<Exec>>(at_, triangles);
    refuse("grid", "has two dimensions; triangles are walls in three", D, ErrorCode::unsupported);
  }

 private:
  struct NoInsertions {
    explicit NoInsertions(const Grid<Exec, D>&) {}
  };

  static Vec<double, D> point_of(const double* position) {
    if (position == nullptr) refuse("position", "is null");
    Vec<double, D> x;
    for (int k = 0; k < D; ++k) x[k] = position[k];
    return x;
  }
  [[noreturn]] static void refuse_insertions() {
    refuse("grid", "is on a device; insertions are for hosts", 0, ErrorCode::unsupported);
  }

  PlacedGrid<Exec, D> at_;
  Grid<Exec, D>& grid_ = at_.grid;
  FindOn<Exec, D> find_{at_};
  std::conditional_t<Exec::on_host, Insertions<Exec, D>, NoInsertions> insertions_{grid_};
  std::vector<std::byte> saved_;
};

}  // namespace hgrid::c
