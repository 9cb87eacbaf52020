// SPDX-License-Identifier: BSD-3-Clause
// Answers the questions of hgrid.h for a grid of one executor and dimension.
#pragma once

#include <algorithm>
#include <memory>

#include "c/any_grid.hpp"
#include "c/entries_on.hpp"
#include "c/mesh_on.hpp"
#include "c/verlet_on.hpp"
#include "hgrid/find/nearest.hpp"

namespace hgrid::c {

/// Owns the lists of the answers, each until the next of its kind, unless they are kept.
template <class Exec, int D>
class FindOn {
 public:
  explicit FindOn(PlacedGrid<Exec, D>& at) : at_(at) {}

  /// Writes the answer, whose structs have been checked. Returns the number of contacts, or for a matrix the largest number of
  /// one line. `asking` and `mesh` are the objects of the question's handles; they and `predicate` may be null.
  offset_t find(const hgrid_question& question, Grid<Exec, D>* asking, MeshOn<Exec>* mesh, const AskedPredicate* predicate,
                const hgrid_answer& answer) {
    if (question.points != nullptr) return nearest(taken(question.points, "points"), asking, answer);
    const auto formed = [&](auto&&... asker) {
      return with_predicate(
          predicate, [&](auto&&... asked) { return fill(answer, asked...); }, asker...);
    };
    const auto answered = [&](const auto& from, auto&&... asker) {
      return answer.entries == nullptr ? formed(asker...) : entries(question, from, predicate, answer, asker...);
    };
    if (question.regions != nullptr) {
      const Regions<D> regions = copied(taken(question.regions, "regions"));
      return answered([&] { return entries_.from(regions); }, regions);
    }
    if (asking != nullptr) {
      asking->view();  // throws `not_built`
      const auto from = [&] { return entries_.from(*asking, question.asking_now, regions_); };
      const Exclusions excluded = exclusions_of(question, asking->particle_count(), at_.place);
      if (excluded.size == 0) return answered(from, *asking);
      return answered(from, Excluding(grid_, *asking, excluded));
    }
    if constexpr (D == 3) {
      if (mesh != nullptr) {
        if (answer.entries != nullptr) refuse("entries", "are not measured from meshes", 0, ErrorCode::unsupported);
        return mesh->ask(question.now, question.margin, formed);
      }
    }
    return answered([] { return detail::MeasuredFrom<D>{}; });
  }

  /// Returns a number that all ids of these pairs are known to be below; 0: none is known.
  offset_t known(const hgrid_array& pairs) const {
    const auto& list = pairs_.last();
    const bool is_last = list != nullptr && pairs.data == list->pairs() && pairs.type == HGRID_INT32 && pairs.strided == 0 &&
                         pairs.shape[0] <= list->size();
    return is_last ? listed_ : 0;
  }

  Owner keep() { return last_ == nullptr ? nullptr : std::exchange(last_, nullptr)->keep(); }

  std::int64_t bytes() const {
    return pairs_.bytes() + lists_.half.bytes() + lists_.full.bytes() + packed_.half.bytes() + packed_.full.bytes();
  }

 private:
  // Calls f with the asker and the predicate, if there are any, as `Grid::find` takes them.
  template <class F, class... Asker>
  static offset_t with_predicate(const AskedPredicate* predicate, const F& f, Asker&... asker) {
    if (predicate == nullptr) return f(asker...);
    if constexpr (!Exec::on_host) {
      throw Error(ErrorCode::unsupported,
                  "a predicate of C cannot be called by a device; write it in a .cu file (docs/shapes.md)",
                  {.argument = "predicate"});
    } else if constexpr (sizeof...(Asker) == 0) {
      return f(only(*predicate));
    } else {
      const detail::AskedInBatches batches(*predicate);
      return f(asker..., only(OneByOne{&batches}));
    }
  }

  template <class... Asked>
  static constexpr bool is_own = !(detail::IsAsker<Asked, Exec, D> || ...);

  template <class... Asked>
  offset_t fill(const hgrid_answer& answer, Asked&... asked) {
    const FindOptions options{choice<Order>(answer.order, "order"), choice<ListKind>(answer.kind, "kind")};
    const auto into = [&](auto& to) { return find_into(to, options, asked...); };
    if (answer.pairs != nullptr) {
      PairList<Exec>& list = next(pairs_, grid_.exec());
      into(list);
      last_ = &pairs_, listed_ = is_own<Asked...> ? grid_.particle_count() : 0;
      give(*answer.pairs, {0, list.size(), list.columns().first, images_of_result(list)});
      return list.size();
    }
    if (answer.lists != nullptr) {
      const NeighbourList<Exec>& list = listed(lists_, options.kind, asked...);
      give(*answer.lists, list_of(list));
      return list.size();
    }
    if (answer.packed != nullptr) {
      const PackedList<Exec>& list = listed(packed_, options.kind, asked...);
      give(*answer.packed,
           {0, list.lists(), list.size(), list.offsets(), reinterpret_cast<const std::uint64_t*>(list.neighbours()),
            numbers_of(list.periods()), list.has_images(), 0});
      return list.size();
    }
    if (answer.pairs_into != nullptr) return with_columns(*answer.pairs_into, answer.images_into, into);
    if (answer.matrix != nullptr) return with_matrix(taken(answer.matrix, "matrix"), into);
    return grid_.count(asked...);
  }

  template <class To, class... Asked>
  auto find_into(To& to, const FindOptions& options, Asked&... asked) {
    if constexpr (requires { grid_.find(to, asked..., options); }) {
      return grid_.find(to, asked..., options);
    } else {
      return grid_.find(to, asked...);
    }
  }

  // The last lists of one type: of the grid's own particles by kind, and of other queries.
  template <class List>
  struct Lists {
    Results<List> half, full, of_others;
  };

  template <class List, class... Asked>
  const List& listed(Lists<List>& of_type, ListKind kind, Asked&... asked) {
    if (!is_own<Asked...>) kind = ListKind::full;
    auto& lists = !is_own<Asked...> ? of_type.of_others : kind == ListKind::half ? of_type.half : of_type.full;
    List& list = next(lists, grid_.exec(), kind);
    grid_.find(list, asked...);
    last_ = &lists;
    return list;
  }

  template <class Into>
  offset_t with_columns(const hgrid_array& given_pairs, const hgrid_array* given_images, const Into& into) {
    const Array pairs(given_pairs, "pairs", 2, at_.place);
    pairs.require(1, 2);
    Image* images = nullptr;
    if (given_images != nullptr)
      images = images_of(Array(*given_images, "images", 2, at_.place).require(1, 3).require(0, pairs.size(0)));
    return with_integer(pairs, [&](auto id) {
      PairColumns<decltype(id)> out;
      out.first = pairs.data<decltype(id)>();
      out.second = pairs.size(0) == 0 ? out.first : out.first + pairs.stride(1);
      out.stride = pairs.size(0) == 0 ? 1 : pairs.stride(0);
      out.image = images;
      out.size = pairs.size(0);
      return into(out);
    });
  }

  template <class Into>
  offset_t with_matrix(const hgrid_neighbour_matrix& given, const Into& into) {
    const Array neighbours(given.neighbours, "neighbours", 2, at_.place);
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
        out.counts = Array(given.counts, "counts", 1, at_.place).require(0, lines).template contiguous<Integer>();
      if (is_given(given.images)) {
        out.images = images_of(Array(given.images, "images", 3, at_.place).require(0, lines).require(1, width).require(2, 3));
      }
      return into(out);
    });
  }

  template <class From, class... Asker>
  offset_t entries(const hgrid_question& question, const From& from, const AskedPredicate* predicate,
                   const hgrid_answer& answer, Asker&... asker) {
    const hgrid_entry_options options = taken(answer.options, "options");
    const auto lists = [&](ListKind kind) {
      ListView list(nullptr, nullptr, nullptr, 0);
      with_predicate(
          predicate, [&](auto&&... asked) { return (list = ListView(listed(lists_, kind, asked...))).lists; }, asker...);
      return list;
    };
    const hgrid_entry_list found = entries_.fill(question.now, from(), predicate != nullptr, options, lists, last_);
    give(*answer.entries, found);
    return found.size;
  }

  offset_t nearest(const hgrid_nearest_points& asked, Grid<Exec, D>* asking, const hgrid_answer& answer) {
    if constexpr (!Exec::on_host) {
      refuse("grid", "is on a device; the nearest are found on hosts", 0, ErrorCode::unsupported);
    } else {
      if (asked.by < 0 || asked.by > 1) refuse("by", "is 0 for centres or 1 for surfaces", asked.by);
      NearestOptions options{.k = asked.k, .by = static_cast<NearestBy>(asked.by), .images = answer.images != nullptr};
      if (asked.is_bounded < 0 || asked.is_bounded > 1) refuse("is_bounded", "is 0 or 1", asked.is_bounded);
      if (asked.is_bounded == 1) options.within = asked.within;
      require_zero(asked.reserved, "asked");
      if (is_given(asked.world) && !is_given(asked.x)) refuse("world", "is given, and x is not");
      if (is_given(asked.x) && asking != nullptr) refuse("x", "is given, and so is the grid that asks");
      const NearestResults found = is_given(asked.x)   ? nearest_of_points(asked, options)
                                   : asking != nullptr ? nearest_.of_grid(*asking, options)
                                                       : nearest_.of_particles(options);
      const auto n = found.ids.size();
      if (n > 0 && answer.ids == nullptr) refuse("ids", "is null");
      if (n > 0 && answer.distances == nullptr) refuse("distances", "is null");
      std::copy_n(found.ids.data(), n, answer.ids);
      std::copy_n(found.distances.data(), n, answer.distances);
      for (std::size_t i = 0; i < found.images.size(); ++i) std::copy_n(found.images[i].m, D, answer.images + D * i);
      return static_cast<offset_t>(n);
    }
  }
  NearestResults nearest_of_points(const hgrid_nearest_points& asked, const NearestOptions& options) {
    hgrid_regions spheres{};
    spheres.lo = asked.x, spheres.world = asked.world;
    const GivenRegions<D> given = regions_of<D>(spheres, at_.place, "x");
    detail::reserve_all(grid_.exec(), detail::Need{points_, given.count}, detail::Need{worlds_, given.count});
    grid_.exec().for_each("hgrid::copy_points", given.count, [&](offset_t q) {
      const Region<D> at = given[q];
      points_.data()[q] = at.lo, worlds_.data()[q] = at.world;
    });
    const auto n = static_cast<std::size_t>(given.count);
    return nearest_.of_points({points_.data(), n}, options, {worlds_.data(), given.world == nullptr ? 0 : n});
  }

  Regions<D> copied(const hgrid_regions& given) {
    const Take take = choice<Take>(given.take, "take");
    const GivenRegions<D> regions = regions_of<D>(given, at_.place);
    detail::reserve_all(grid_.exec(), detail::Need{regions_, regions.count});
    grid_.exec().for_each("hgrid::copy_regions", regions.count, CopyRegion<D>{regions, regions_.data()});
    return {regions_.data(), regions.count, take, given.radius_scale == 0 ? 1 : given.radius_scale};
  }

  // Returns a result to be filled that no caller keeps. From now on the previous result cannot be kept.
  template <class T, class... Arguments>
  T& next(Results<T>& results, const Arguments&... of_a_new_one) {
    last_ = nullptr;
    return results.next(of_a_new_one...);
  }

  PlacedGrid<Exec, D>& at_;
  Grid<Exec, D>& grid_ = at_.grid;
  Nearest<Exec, D> nearest_{grid_};
  typename Exec::template Buffer<Region<D>> regions_;
  typename Exec::template Buffer<Vec<double, D>> points_;
  typename Exec::template Buffer<index_t> worlds_;
  Results<PairList<Exec>> pairs_;
  offset_t listed_ = 0;  // the ids in the last pairs are below this; 0: unknown
  Lists<NeighbourList<Exec>> lists_;
  Lists<PackedList<Exec>> packed_;
  EntriesOn<Exec, D> entries_{at_};
  AnyResults* last_ = nullptr;  // with the last result; null: there is none, or it is kept
};

}  // namespace hgrid::c
