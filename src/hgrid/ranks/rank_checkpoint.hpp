// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of a time loop on ranks: a part of bytes for each rank, which any number of ranks may read (docs/scale-out.md).
#pragma once

#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "hgrid/memory/access.hpp"
#include "hgrid/ranks/distributed_verlet_list.hpp"
#include "hgrid/ranks/rank_parts.hpp"

namespace hgrid::inline v0_2 {

namespace detail {

struct Access::RankCheckpoints {
  template <class List, class... Arrays>
  static Bytes save(List& list, Arrays&... arrays) {
    auto& grid = list.grid_;
    Communicator& comm = grid.comm_;
    comm.settle();
    agree(comm, (grid.operation("save") << ... << sizeof(typename Arrays::Value)), [&] {
      if (!list.stands() || !grid.built_)
        throw Error(ErrorCode::not_built, "the list is not of the present cuts and particles: call update() first");
      (require_values(list, arrays), ...);
    });
    [[maybe_unused]] const PairTraffic ranks{comm, list.values_};
    move_images(list, -1);  // to positions of the build
    (arrays.bring_home(ranks, list.view(), grid.held_, grid.routes_), ...);
    move_images(list, 1);

    auto shared = shared_state(list);
    shared.values = {sizeof(typename Arrays::Value)...};
    decltype(rank_state(list)) own;
    std::uint64_t number = 0;
    agree(comm, Arguments("saved"), [&] {
      with_host_memory([&] {
        own = rank_state(list);
        (add_values(arrays, own), ...);
        number = checkpoint_sum({}, bytes_of<List::dimension>(shared)) + checkpoint_sum({}, bytes_of<List::dimension>(own));
      });
    });
    MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_UINT64_T, MPI_SUM, comm.get());
    std::int64_t rank = comm.rank();
    return with_host_memory([&] { return bytes_of<List::dimension>(number, rank, shared, own); });
  }

  /// Does everything that can fail for bad bytes or particles before it changes anything. Then only memory can run out.
  template <class Exec, int D, class X, class Sizes, class Ids, class... Followers>
  static void restore(DistributedVerletList<Exec, D>& list, std::span<const Bytes> parts, X& x, Sizes&& r, Ids& id,
                      Followers&&... followers) {
    auto& grid = list.grid_;
    Communicator& comm = grid.comm_;
    const Exec& exec = grid.exec();
    const auto arrays = std::tuple_cat(as_pair_array(followers)...);
    const auto fields = std::tuple_cat(as_field(followers)...);
    comm.settle();

    std::vector<PartName<D>> names;
    Bytes shared_bytes;
    RankState<D> own;
    agree(comm, grid.operation("restore"), [&] {
      with_host_memory([&] {
        for (const Bytes& part : parts) read(part, shared_bytes, own, names);
      });
    });
    const bool has_first = std::ranges::any_of(names, [](const PartName<D>& part) { return part.rank == 0; });
    names = gathered(comm, names);
    require_all_parts(names);
    share(comm, has_first, shared_bytes);
    SharedState<D> shared;
    shared.options = list.options_;
    agree(comm, grid.operation("restored") << width_of(Field{r}) << kinds_of(list.labels_), [&] {
      with_host_memory([&] {
        Restorer a(shared_bytes, Saved::rank_part, D);
        a(shared), a.finish();
        own.values.resize(shared.values.size());
        own.check(shared, a);
        require_like(list, shared, width_of(Field{r}), arrays);
        std::apply([&](const auto&... field) { (require_size(field, own.id.size()), ...); },
                   std::tuple_cat(std::tuple(Field{x, D}, Field{r}), fields));
        require_ids(on_host(id), own.id);
        check_labels(list.labels_, std::ssize(own.id));
        a.require("types of particles", [&] {
          const index_t types = std::max(list.labels_.type_count, index_t{1});
          return std::ranges::all_of(own.type, [&](index_t type) { return type >= 0 && type < types; });
        });
        const double skin = shared.loop.chooser.skin();
        inspected(host_of(exec), particles_of(own, shared), shared.built_box, skin);
        if (shared.options.wrapped) WrappedLoop::require_skin(skin, WrappedLoop::least_period(grid.box()));
      });
    });

    LastCuts last_cuts;
    RankBoxes<D> boxes;
    if (shared.ranks != comm.size() || !tile(names.data(), shared.ranks, RankBox<D>::all_of(shared.built_box))) {
      boxes = balanced(
          host_of(exec), comm, grid.exchange_, shared.built_box, [&] { return particles_of(own, shared); }, [](auto&) {},
          last_cuts);
    }
    auto place = rank_array<Exec, double>(exec), size = place;
    auto group = rank_array<Exec, index_t>(exec), type = group;
    auto fresh = std::tuple_cat(as_new_array(exec, followers)...);
    agree(comm, Arguments("read"), [&] {
      with_host_memory([&] {
        if (boxes.of_ranks().empty()) boxes = boxes_of(names);
        place = rank_array(exec, own.x), size = rank_array(exec, own.size);
        group = rank_array(exec, own.group), type = rank_array(exec, own.type);
        std::size_t k = 0;
        std::apply([&](auto&... array) { (take_values(array, own, own.values[k++]), ...); }, fresh);
      });
    });

    const PairTraffic ranks{comm, list.values_};
    const auto width = static_cast<std::size_t>(shared.sizes);
    const auto built = [&] {
      list.next_at_home_ = id;
      const auto count = static_cast<offset_t>(id.size());
      return std::pair{particles_of_width<D, double>(place.data(), size.data(), width, count), std::as_const(id).data()};
    };
    const auto values = [&](const Migration<Exec>& migration, const std::vector<Parcel>& particles) {
      std::apply([&](auto&... array) { (array.travel(ranks, {}, migration, particles), ...); }, fresh);
    };
    Cuts<D> cuts;
    cuts.set(std::move(boxes));
    std::swap(grid.cuts_, cuts);
    grid.grid_.set_box(shared.built_box);
    std::exception_ptr error = attempt([&] {
      std::apply(
          [&](auto... field) {
            grid.move(built, values, Field{x, D}, Field{r}, Field{id}, Field{list.next_at_home_}, Field{place, D},
                      Field{size, width}, Field{group}, Field{type}, field...);
          },
          fields);
    });
    if (error) {
      std::swap(grid.cuts_, cuts);
      grid.grid_.set_box(shared.box);
      std::rethrow_exception(error);
    }
    grid.last_cuts_ = std::move(last_cuts), grid.grid_.plan_again();
    list.options_ = shared.options, list.loop_ = shared.loop, list.loop_.built = false;
    if (list.options_.choose_skin) list.built_at_ = list.options_.clock() - shared.since_build;
    list.own_ = RememberedBuild<Exec, D>(exec, list.options_.wrapped, false);
    std::swap(list.at_home_, list.next_at_home_);
    std::apply([&](auto&... array) { (array.arrive(), ...); }, fresh);
    std::apply(
        [&](auto&... to) {
          std::apply(
              [&](auto&... from) { ((std::swap(to.pairs_, from.pairs_), to.belong_to(shared.loop.counters.builds)), ...); },
              fresh);
        },
        arrays);
    RankLabels<Exec> labels = list.labels_;  // of the build
    if (labels.groups != nullptr) labels.groups = &group;
    if (labels.types != nullptr) labels.types = &type;
    error = attempt([&] {
      list.list_contacts(place, Field{size, width}, id, labels);
      list.finish(arrays);
    });
    grid.set_box(shared.box);
    if (error) std::rethrow_exception(error);
  }

 private:
  template <class List, class Values>
  static void require_values(const List& list, const Values& values) {
    list.require_of_list(values);
    if (values.of_build_ == 0) throw Error(ErrorCode::stale, "the array has not followed the list yet", {.argument = "values"});
  }

  // Moves the images of contacts from positions of the last step to positions of the build, or back.
  template <class List>
  static void move_images(List& list, int sign) {
    if (!RankWraps::are_counted(list)) return;
    RankWraps::move_images(list, [&] {
      const auto& grid = list.grid_;
      const auto& box = grid.grid_.view().box;
      constexpr std::size_t D = List::dimension;
      const std::vector<double> x = on_host(grid.positions());
      std::vector<Image> since = copy_on_host(grid.exec(), list.own_.particles().wraps, list.own_.count());
      for (std::size_t i = 0; i < since.size(); ++i) {
        Vec<double, D> at;
        std::copy_n(&x[D * i], D, at.v);
        const auto first = wrap(box, at).periods;
        for (std::size_t k = 0; k < D; ++k) since[i][k] = sign * (static_cast<std::int32_t>(first[k]) - since[i][k]);
      }
      list.since_ = rank_array(grid.exec(), since);
    });
  }

  template <class Exec, int D>
  static SharedState<D> shared_state(DistributedVerletList<Exec, D>& list) {
    SharedState<D> shared;
    shared.ranks = list.grid_.comm_.size(), shared.sizes = list.grid_.held_.has_extents() ? D : 1;
    shared.box = list.grid_.box(), shared.built_box = list.grid_.built_box(), shared.rule = list.grid_.rule_;
    shared.labels = list.grid_.held_.kinds(), shared.options = list.options_, shared.loop = list.loop_;
    if (list.options_.choose_skin) shared.since_build = list.options_.clock() - list.built_at_;
    return shared;
  }
  template <class Exec, int D>
  static RankState<D> rank_state(const DistributedVerletList<Exec, D>& list) {
    const auto& grid = list.grid_;
    RankState<D> own;
    const auto first = [&](const auto& array, std::size_t width) {
      auto values = on_host(array);
      values.resize(width * static_cast<std::size_t>(grid.owned()));
      return values;
    };
    own.box = grid.boxes()[static_cast<std::size_t>(grid.comm_.rank())];
    own.x = first(grid.positions(), D), own.id = first(grid.ids(), 1);
    own.size = grid.held_.has_extents() ? first(grid.extents(), D) : first(grid.radii(), 1);
    own.group = first(grid.held_.groups(), 1), own.type = first(grid.held_.types(), 1);
    return own;
  }
  template <class Values, int D>
  static void add_values(const Values& values, RankState<D>& own) {
    using T = typename Values::Value;
    const auto& records = values.pairs_.at_home();
    Bytes bytes(records.size() * sizeof(T));
    own.pairs.clear();  // they are the same for all arrays
    for (std::size_t k = 0; k < records.size(); ++k) {
      own.pairs.push_back(records[k].of);
      std::memcpy(bytes.data() + k * sizeof(T), &records[k].value, sizeof(T));
    }
    own.values.push_back(std::move(bytes));
  }
  template <class Values, int D>
  static void take_values(Values& values, const RankState<D>& own, const Bytes& bytes) {
    using T = typename Values::Value;
    std::vector<PairRecord<T>> records(own.pairs.size());
    for (std::size_t k = 0; k < records.size(); ++k) {
      records[k].of = own.pairs[k];
      std::memcpy(&records[k].value, bytes.data() + k * sizeof(T), sizeof(T));
    }
    values.pairs_.take_home(records);
  }

  template <class Exec, int D, class Arrays>
  static void require_like(const DistributedVerletList<Exec, D>& list, const SharedState<D>& shared, std::size_t sizes,
                           const Arrays& arrays) {
    const auto refuse = [](const char* why, const char* argument) {
      throw Error(ErrorCode::invalid_argument, std::string("the checkpoint is of ") + why + "; nothing was restored",
                  {.argument = argument});
    };
    std::vector<std::uint64_t> values;
    std::apply(
        [&](const auto&... array) { (values.push_back(sizeof(typename std::remove_cvref_t<decltype(array)>::Value)), ...); },
        arrays);
    if (values != shared.values) refuse("other values of pairs", "followers");
    if (!(list.grid_.box() == shared.box)) refuse("another box", "grid");
    if (list.grid_.rule_ != shared.rule) refuse("another rule", "grid");
    if (static_cast<std::int64_t>(sizes) != shared.sizes) refuse("particles with other sizes", "sizes");
    if ((kinds_of(list.labels_) & ~partners_kind) != shared.labels) refuse("other labels", "labels");
  }
  template <class Exec, class F>
  static auto as_new_array(const Exec& exec, F&& follower) {
    using Values = std::remove_cvref_t<F>;
    if constexpr (is_pair_array<Values>) {
      return std::tuple(Values(exec, follower.fresh_));
    } else {
      return std::tuple<>();
    }
  }
};
using RankCheckpoints = Access::RankCheckpoints;

}  // namespace detail

/// Returns this rank's part of the checkpoint of a list between two steps: its options, skin and counters, the cuts, the
/// particles of the last build, and the values of all pairs. Present particles are not included, so save them, too. Pass all
/// arrays that follow the list. Collective. Equal states give equal bytes. Throws `not_built` if space was cut, or a build
/// failed, since the last `update`; `stale` for an array that missed a build.
template <class Exec, int D, class... T, class... E>
std::vector<std::byte> save(DistributedVerletList<Exec, D>& list, DistributedPairArray<T, E>&... values) {
  return detail::RankCheckpoints::save(list, values...);
}

/// Restores a list, and gives each rank its particles. `parts` are the parts that this rank has read, maybe none: all ranks
/// together pass each part once. `x`, `r`, `id` and fields have the present particles of these parts, in the order of the
/// parts; arrays of pairs stand in the order in which they were saved. Grid and list are made as for the saved loop, with its
/// labels.
///
/// On as many ranks, each with its own part, the loop continues with equal bits until space is cut again. On another number it
/// has the same contacts and values, and builds at the same steps. `x` gets ghosts at the next `update`, which comes before
/// forces are summed.
///
/// Collective. Throws on all ranks, and nothing has changed then: `format` for a part that is damaged, missing, there twice, or
/// of another checkpoint; `invalid_argument` for another box or rule, other labels, values or ids; `size_mismatch`. If memory
/// runs out after particles have moved, all values are restored with them, and the next update builds.
template <class Exec, int D, class X, class Sizes, class Ids, class... Followers>
void restore(DistributedVerletList<Exec, D>& list, const std::vector<std::vector<std::byte>>& parts, X& x, Sizes&& r, Ids& id,
             Followers&&... followers) {
  detail::RankCheckpoints::restore(list, parts, x, r, id, followers...);
}

}  // namespace hgrid::inline v0_2
