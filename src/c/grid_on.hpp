// SPDX-License-Identifier: BSD-3-Clause
// AnyGrid for one executor and dimension.
#pragma once

#include <vector>

#include "c/any_grid.hpp"
#include "c/given_vectors.hpp"
#include "c/insertions_on.hpp"
#include "c/measure.hpp"
#include "c/mesh_on.hpp"
#include "c/nearest_on.hpp"
#include "c/queries_on.hpp"
#include "c/results.hpp"
#include "c/verlet_on.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::c {

template <class Exec, int D>
class GridOn final : public AnyGrid {
 public:
  /// `place` is where the executor works.
  GridOn(const Exec& exec, const Place& place, const hgrid_box* box, const GridOptions& options)
      : place_(place), grid_(exec, box_of<D>(box), options), one_(exec, 1), vectors_(grid_, box) {
    const One one;
    exec.copy_in(one_.data(), &one, 1);
  }

  void set_box(const hgrid_box* box) override {
    grid_.set_box(box_of<D>(box));
    vectors_.set_box(grid_, box);
  }
  void set_boxes(const hgrid_box* boxes, std::int64_t count) override {
    grid_.set_boxes(boxes_of<D>(boxes, count));
    vectors_.set_boxes(grid_, boxes, count);
  }

  void watch(const hgrid_watch* watch) override {
    watching.set(watch);
    grid_.watch(watching.watch());
  }

  void build(const hgrid_particles* particles, double skin) override {
    std::visit([&](const auto& p) { grid_.build(p, {.skin = skin}); }, particles_of<D>(particles, place_, one_.data()));
    vectors_.built(grid_);
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
    report.weighed = plan.weighed, report.periodic = view.periodic;
    report.threads = grid_.exec().concurrency();
    report.list_bytes = bytes_of(pairs_) + bytes_of(half_) + bytes_of(full_) + bytes_of(packed_half_) + bytes_of(packed_full_);
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

  Validity validity(const hgrid_particles* now) override {
    return std::visit([&](const auto& p) { return grid_.validity(p); }, particles_of<D>(now, place_, one_.data()));
  }

  void wait() override { grid_.exec().wait(); }
  offset_t count() override { return grid_.count(); }

  hgrid_pair_list pairs(Order order, const AskedPredicate* predicate) override {
    PairList<Exec>& list = next(pairs_, [this] { return std::make_unique<PairList<Exec>>(grid_.make_pairs()); });
    fill_asking<Exec>(predicate, [&](const auto&... asked) { grid_.find(list, asked..., {.order = order}); });
    last_ = pairs_.last(), listed_ = grid_.particle_count();
    return {0, list.size(), list.columns().first, images_of_result(list)};
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
      return grid_.find(out);
    });
  }

  hgrid_neighbour_list neighbours(ListKind kind, const AskedPredicate* predicate) override {
    const NeighbourList<Exec>& list = listed(kind, predicate);
    last_ = lists_of(kind).last();
    return list_of(list);
  }

  hgrid_packed_list packed_neighbours(ListKind kind) override {
    auto& lists = kind == ListKind::half ? packed_half_ : packed_full_;
    PackedList<Exec>& list = next(lists, [&] { return std::make_unique<PackedList<Exec>>(grid_.make_packed_list(kind)); });
    grid_.find(list);
    last_ = lists.last();
    return {0,
            list.lists(),
            list.size(),
            list.offsets(),
            reinterpret_cast<const std::uint64_t*>(list.neighbours()),
            numbers_of(list.periods()),
            list.has_images(),
            0};
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
      return grid_.find(out, {.kind = kind});
    });
  }

  hgrid_neighbour_list query(const hgrid_regions& regions) override { return queries_.of_regions(regions); }
  hgrid_neighbour_list between(AnyGrid& given, const GivenExclusions& excluded) override {
    auto* const asking = dynamic_cast<GridOn*>(&given);
    if (asking == nullptr || asking->place_.type != place_.type || asking->place_.id != place_.id)
      refuse("asking", "is a grid of another dimension, or works elsewhere");
    return queries_.of_grid(asking->grid_, excluded);
  }
  void measure(const hgrid_measured& measured) override {
    grid_.view();  // throws `not_built`
    if (vectors_.worlds(grid_) > 0) {
      throw Error(ErrorCode::unsupported, "distances of pairs are not computed where worlds have boxes of their own",
                  {.argument = "grid"});
    }
    measurements_.measure(measured, vectors_.of(grid_), is_last_list(measured.pairs) ? listed_ : 0);
  }

  hgrid_entry_list entries(const hgrid_particles* now, const hgrid_entry_options& options) override {
    const ListKind kind = choice<ListKind>(options.kind, "kind");
    const AnyParticles<D> particles = particles_of<D>(now, place_, one_.data());
    if (options.list == nullptr) grid_.view();  // throws `not_built`; a restored list needs no build
    std::optional<ListView> list;
    if (options.list != nullptr) list = view_of(taken(options.list, "list"));
    if (!list && !detail::GridEntries::without_list<Exec, D>) list.emplace(listed(kind));
    EntryArrays<Exec>& arrays = next(entries_, [this] { return std::make_unique<EntryArrays<Exec>>(grid_.exec()); });
    const Plan<D>& plan = grid_.plan();  // with a skin of the size of rounding, nearly all listed entries are nearer
    const double largest = plan.levels.count > 0 ? plan.levels.level[plan.levels.count - 1].radius_bound : 0;
    const bool expects_all = options.all == 1 || (options.list == nullptr && grid_.view().skin <= 0x1p-20 * largest);
    const auto lists = list ? list->lists : static_cast<index_t>(grid_.particle_count());
    const auto write = [&](const auto& wanted, const detail::EntryOutput& out) {
      if constexpr (detail::GridEntries::without_list<Exec, D>) {
        if (!list) return detail::GridEntries::write(grid_, kind, wanted, out);
      }
      return detail::GridEntries::write(grid_, *list, wanted, out);
    };
    const auto measured = [&]<class Real>(const Particles<Real, D>& p) {
      if (const index_t boxes = vectors_.worlds(grid_); boxes > 0 && p.worlds.count != boxes) {
        throw Error(ErrorCode::size_mismatch, "there are not as many worlds as boxes",
                    {.argument = "worlds", .value = static_cast<double>(p.worlds.count), .needed = boxes});
      }
      const detail::WantedEntries<Real, D> wanted{p, vectors_.of(grid_), vectors_.of_worlds(grid_), false, false, expects_all};
      return measurements_.entries(lists, wanted, options, arrays, write);
    };
    const hgrid_entry_list found = std::visit(measured, particles);
    last_ = entries_.last();
    return found;
  }

  void nearest(const hgrid_nearest_points& points, std::int32_t* ids, double* distances, std::int32_t* images) override {
    nearest_.find(points, ids, distances, images);
  }
  bool touches(const double* position, double radius, std::int32_t world) const override {
    return insertions_.touches(position, radius, world);
  }
  std::int32_t insert(const double* position, double radius, std::int32_t world) override {
    return insertions_.insert(position, radius, world);
  }
  std::int32_t insert_if_free(const double* position, double radius, std::int32_t world) override {
    return insertions_.insert_if_free(position, radius, world);
  }

  void list_ids(const hgrid_array& offsets, const hgrid_array& lists) override { measurements_.list_ids(offsets, lists); }
  void* scratch(std::int64_t bytes) override { return measurements_.scratch(bytes); }

  Owner keep() override {
    if (last_ != nullptr && last_ == entries_.last()) entries_.leave();
    return std::exchange(last_, nullptr);
  }

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
    return std::make_unique<VerletOn<Exec, D>>(grid_, place_, one_.data(), options);
  }
  std::unique_ptr<AnyMesh> make_mesh(const hgrid_triangles& triangles) override {
    if constexpr (D == 3) return std::make_unique<MeshOn<Exec>>(grid_, place_, one_.data(), triangles);
    refuse("grid", "has two dimensions; triangles are walls in three", D, ErrorCode::unsupported);
  }

 private:
  bool is_last_list(const hgrid_array& pairs) const {
    const auto& list = pairs_.last();
    return list != nullptr && pairs.data == list->pairs() && pairs.type == HGRID_INT32 && pairs.strided == 0 &&
           pairs.shape[0] <= list->size();
  }

  /// Returns a result that no caller keeps. From now on the previous result cannot be kept.
  template <class T, std::size_t most, class Make>
  T& next(Results<T, most>& results, const Make& make) {
    last_.reset();
    return results.next(make);
  }
  auto& lists_of(ListKind kind) { return kind == ListKind::half ? half_ : full_; }
  const NeighbourList<Exec>& listed(ListKind kind, const AskedPredicate* predicate = nullptr) {
    NeighbourList<Exec>& list =
        next(lists_of(kind), [&] { return std::make_unique<NeighbourList<Exec>>(grid_.make_list(kind)); });
    fill_asking<Exec>(predicate, [&](const auto&... asked) { grid_.find(list, asked...); });
    return list;
  }

  template <class T>
  static std::int64_t bytes_of(const Results<T>& results) {
    return results.last() == nullptr ? 0 : static_cast<std::int64_t>(results.last()->bytes());
  }

  Place place_;
  Grid<Exec, D> grid_;
  typename Exec::template Buffer<One> one_;
  GivenVectors<Exec, D> vectors_;
  Measurements<Exec, D> measurements_{grid_.exec(), place_};
  InsertionsOn<Exec, D> insertions_{grid_};
  NearestOn<Exec, D> nearest_{grid_, place_};
  std::vector<std::byte> saved_;
  Results<PairList<Exec>> pairs_;
  offset_t listed_ = 0;  // number of particles at the last pairs
  Results<NeighbourList<Exec>> half_, full_;
  Results<PackedList<Exec>> packed_half_, packed_full_;
  Results<EntryArrays<Exec>, 1> entries_;  // the largest results
  Owner last_;                             // owner of the last result
  QueriesOn<Exec, D> queries_{grid_, place_, last_};
};

}  // namespace hgrid::c
