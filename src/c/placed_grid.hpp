// SPDX-License-Identifier: BSD-3-Clause
// A grid with its place, and with the vectors of its boxes as the caller gave them. A grid may turn its boxes; distances are
// measured along the given vectors.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "c/measure.hpp"
#include "hgrid/grid.hpp"

namespace hgrid::c {

/// The vectors of the box that all worlds share, or of each world's box.
template <int D>
struct VectorsOfBoxes {
  detail::BoxVectors<D> shared;
  const detail::BoxVectors<D>* of_worlds;  // where the grid works; null: the worlds have no boxes of their own
  index_t worlds;                          // how many have
};

template <class Exec, int D>
class PlacedGrid {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;
  using Vectors = std::vector<detail::BoxVectors<D>>;  // of the box that all share, then of each world's

 public:
  /// `its_place` is where the executor works.
  PlacedGrid(const Exec& exec, const Place& its_place, const hgrid_box* box, const GridOptions& options)
      : grid(exec, box_of<D>(box), options),
        place(its_place),
        one_(exec, 1),
        check_(exec, 1),
        boxes_{grid.box()},
        now_{vectors_of<D>(box)} {
    const One one;
    exec.copy_in(one_.data(), &one, 1);
  }

  /// Sets the box of the grid, or the boxes of its worlds.
  void set_box(const hgrid_box* box) {
    Vectors next = before_change();
    grid.set_box(box_of<D>(box));
    next.front() = vectors_of<D>(box);
    take(std::move(next));
  }
  void set_boxes(const hgrid_box* boxes, std::int64_t count) {
    Vectors next = before_change();
    grid.set_boxes(boxes_of<D>(boxes, count));
    next.resize(1);
    for (std::int64_t world = 0; world < count; ++world) next.push_back(vectors_of<D>(box_at(boxes, world)));
    take(std::move(next));
  }

  void build(const hgrid_particles* given, double skin) {
    std::visit([&](const auto& p) { grid.build(p, {.skin = skin}); }, particles(given));
    built_.reset(), generation_ = grid.generation();
  }

  /// Returns views of the arrays.
  AnyParticles<D> particles(const hgrid_particles* given) const { return particles_of<D>(given, place, one_.data()); }

  /// Returns the vectors of the last build's boxes; if a list built the grid, of the present boxes.
  VectorsOfBoxes<D> vectors() {
    const Vectors& all = built_ && generation_ == grid.generation() ? *built_ : present();
    const auto worlds = static_cast<index_t>(all.size()) - 1;
    if (worlds == 0) return {all.front(), nullptr, 0};
    detail::reserve_all(grid.exec(), detail::Need{on_device_, worlds});
    grid.exec().copy_in(on_device_.data(), all.data() + 1, worlds);
    return {all.front(), on_device_.data(), worlds};
  }

  /// Computes distances. known: the ids of the pairs are known to be below that number; 0: they are checked.
  void measure(const hgrid_measured& given, offset_t known) {
    grid.view();  // throws `not_built`
    const VectorsOfBoxes<D> box = vectors();
    if (box.worlds > 0) {
      throw Error(ErrorCode::unsupported, "distances of pairs are not computed where worlds have boxes of their own",
                  {.argument = "grid"});
    }
    const Array positions(given.positions, "positions", 2, place), ids(given.pairs, "pairs", 2, place);
    positions.require(1, D), ids.require(1, 2);
    positions.require_real();
    const offset_t n = ids.size(0);
    GivenPairs pairs{};
    WrittenReals<1> distances{};
    WrittenReals<D> along{};
    with_integer(ids, [&](auto id) {
      const auto* const at = ids.data<decltype(id)>();
      pairs = {{at, n == 0 ? at : at + ids.stride(1)}, nullptr, ids.stride(0), sizeof id == 8};
    });
    if (is_given(given.images)) pairs.images = images_of(Array(given.images, "images", 2, place).require(0, n).require(1, 3));
    if (is_given(given.distances)) distances = output<1>(Array(given.distances, "distances", 1, place).require(0, n));
    if (is_given(given.vectors)) along = output<D>(Array(given.vectors, "vectors", 2, place).require(0, n).require(1, D));
    if (known == 0 || positions.size(0) < known) require("pairs", "particle", n, InspectIds{pairs, positions.size(0)});
    const auto measure = [&]<class Real>(const Real* first) {
      MeasurePairs<Real, D> f{{{}, positions.stride(0)}, box.shared, pairs, distances, along};
      for (int k = 0; k < D && positions.size(0) > 0; ++k) f.positions.axis[k] = first + k * positions.stride(1);
      grid.exec().for_each("hgrid::measure_pairs", n, f);
    };
    positions.type() == HGRID_FLOAT32 ? measure(positions.data<float>()) : measure(positions.data<double>());
  }

  void list_ids(const hgrid_array* given_offsets, const hgrid_array* given_lists) {
    const hgrid_array &of_lists = written(given_offsets, "offsets"), &ids = written(given_lists, "lists");
    const Array offsets(of_lists, "offsets", 1, place), lists(ids, "lists", 1, place);
    const auto* const begin = offsets.contiguous<std::int64_t>();
    auto* const to = lists.contiguous<std::int32_t>();
    const offset_t n = offsets.size(0) - 1;
    if (n < 0) refuse("offsets", "are none", 0, ErrorCode::size_mismatch);
    lists.require(0, grid.exec().read_back(begin + n));
    grid.exec().for_each("hgrid::write_list_ids", n, WriteListIds{begin, to});
  }

  /// Throws `range_error` for a bad number among n, which `inspect` finds. Waits.
  template <class Inspect>
  void require(const char* argument, const char* what, offset_t n, const Inspect& inspect) {
    const NumberCheck found = inspected("hgrid::inspect_numbers", n, inspect);
    if (found.bad == 0) return;
    throw Error(
        ErrorCode::range_error,
        std::string(argument) + "[" + std::to_string(found.first) + "]: " + std::to_string(found.value) + " is no " + what,
        {.argument = argument, .index = found.first, .value = static_cast<double>(found.value), .count = found.bad});
  }

  /// Returns the bad numbers among n. Waits.
  template <class Inspect>
  NumberCheck inspected(const char* label, offset_t n, const Inspect& inspect) {
    grid.exec().reduce(label, n, inspect, NumberCheck{}, check_.data());
    return grid.exec().read_back(check_.data());
  }

  void* scratch(std::int64_t bytes) {
    const offset_t words = size_of_memory(bytes) / 8 + (bytes % 8 > 0);
    detail::reserve_all(grid.exec(), detail::Need{scratch_, detail::with_margin(words, scratch_.size())});
    grid.exec().for_each("hgrid::clear_bytes", words, ClearBytes{scratch_.data()});
    return scratch_.data();
  }

  Grid<Exec, D> grid;
  const Place place;

 private:
  template <int n>
  static WrittenReals<n> output(const Array& reals) {
    reals.require_real();
    const bool is_double = reals.type() == HGRID_FLOAT64;
    return {is_double ? static_cast<void*>(reals.contiguous<double>()) : reals.contiguous<float>(), is_double};
  }

  // Boxes from a checkpoint have no given vectors.
  const Vectors& present() {
    if (boxes_.front() != grid.box() || !std::ranges::equal(std::span(boxes_).subspan(1), grid.boxes())) {
      Vectors fresh{vectors_of(grid.box())};
      for (const Box<D>& box : grid.boxes()) fresh.push_back(vectors_of(box));
      take(std::move(fresh));
    }
    return now_;
  }
  // Keeps the vectors of the last build, and returns the present ones.
  Vectors before_change() {
    const Vectors& now = present();
    if (!built_ && generation_ > 0) built_ = now;
    return now;
  }
  // Takes all, or nothing if memory is short.
  void take(Vectors vectors) {
    std::vector<Box<D>> boxes{grid.box()};
    boxes.insert(boxes.end(), grid.boxes().begin(), grid.boxes().end());
    boxes_ = std::move(boxes), now_ = std::move(vectors);
  }

  Buffer<One> one_;
  Buffer<NumberCheck> check_;
  Buffer<std::uint64_t> scratch_;
  std::vector<Box<D>> boxes_;  // to which these belong:
  Vectors now_;
  std::optional<Vectors> built_;  // vectors of the last build by `build`, if boxes were set since
  std::uint64_t generation_ = 0;  // of that build; 0: there was none
  Buffer<detail::BoxVectors<D>> on_device_;
};

}  // namespace hgrid::c
