// SPDX-License-Identifier: BSD-3-Clause
// Contacts of regions, or of another set of particles, with the particles of all ranks.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "hgrid/find/askers.hpp"
#include "hgrid/find/question.hpp"
#include "hgrid/ranks/distributed_grid.hpp"
#include "hgrid/ranks/region_rules.hpp"
#include "hgrid/ranks/reported_lists.hpp"
#include "hgrid/ranks/routes.hpp"

namespace hgrid::inline v0_2 {

/// Finds the particles of a built `DistributedGrid` that touch regions, or the particles of another one, by the rules and with
/// the errors of find/askers.hpp. Regions with boxes as particles are `unsupported`. The grid must outlive this object. Regions
/// are in the executor's memory: vectors on a host, and `DeviceVector`s on a device.
///
/// Two sets must have the same ranks, box and cuts (`DistributedGrid::take_cuts`), else `invalid_argument`; both have radii, or
/// both extents, else `unsupported`. These errors, and `not_built`, are thrown on all ranks. Each contact of the two sets is
/// reported on exactly one rank, by the rule of `DistributedGrid`; all of them together are the contacts that one `Grid` finds
/// with another.
template <class Exec, int D>
class DistributedQueries {
  using Memory = detail::RankMemory<Exec::on_host>;

 public:
  using Regions = typename Memory::template Array<Exec, Region<D>>;

  explicit DistributedQueries(DistributedGrid<Exec, D>& grid)
      : grid_(grid),
        memory_(grid.exec()),
        listed_(grid.exec(), ListKind::full),
        reported_(grid.exec(), ListKind::full),
        found_(grid.exec(), 0),
        count_(grid.exec(), 1) {}

  /// Calls f(region, id, image) for each owned particle of each region, from many threads at once. If all ranks pass equal
  /// regions, such as walls, each gets every particle of the system once, on its owner. Sends no messages, so other ranks do
  /// not learn of an error. f must be callable where the executor runs.
  template <class F>
  void for_each(const Regions& regions, const F& f, Take take = Take::touching) {
    require_spheres();
    grid_.grid_.for_each_partner(detail::IfOwned<typename Memory::template Passed<F>>{grid_.owned(), f},
                                 asker_of(regions, take));
    grid_.grid_.check();
  }

  /// Fills lists in host memory: list q has the particles of region q of this rank, whichever rank holds them, by global id and
  /// image, sorted. Each rank has its own regions, or none. Collective.
  void find(const Regions& regions, GlobalNeighbours& found, Take take = Take::touching) {
    detail::Communicator& comm = grid_.comm_;
    comm.settle();
    double largest = 0;
    const std::exception_ptr error = detail::attempt([&] {
      require_spheres();
      largest = largest_radius();
      asked_.clear(), answered_.clear();
      here_ = answers_to(regions, take);
      ask(detail::on_host(regions));
    });
    std::vector<detail::Parcel> parcels;
    const std::exception_ptr any = error ? error : detail::attempt([&] { parcels = asked_.parcels(comm.size()); });
    const auto call = grid_.operation("regions") << static_cast<std::size_t>(take);
    detail::exchange(grid_.exchange_, comm, any, call, parcels, sizeof(Question));
    check_by_all(regions, take, largest, call);
    const std::exception_ptr failed = detail::attempt([&] {
      for (const detail::Parcel& parcel : grid_.exchange_.received()) {
        std::vector<Region<D>> theirs;
        std::vector<index_t> number;
        detail::for_each_record<Question>(parcel,
                                          [&](const Question& q) { theirs.push_back(q.region), number.push_back(q.number); });
        for (Entry entry : answers_to(detail::rank_array(grid_.exec(), theirs), take)) {
          entry.particle = number[static_cast<std::size_t>(entry.particle)];
          answered_.add(parcel.rank, entry);
        }
      }
      parcels = answered_.parcels(comm.size());
    });
    detail::exchange(grid_.exchange_, comm, failed, call, parcels, sizeof(Entry));
    detail::agree(comm, call, [&] {
      for (const detail::Parcel& parcel : grid_.exchange_.received()) {
        detail::for_each_record<Entry>(parcel, [&](const Entry& entry) { here_.push_back(entry); });
      }
      detail::fill_lists(here_, static_cast<index_t>(regions.size()), found);
    });
  }

  /// Calls f(i, j, image) for each contact of this rank with the particles of another set; i is of `asking` and j of this grid,
  /// by the ids of this rank. One or both may be ghosts; each grid has an `add_back` for them. Sends no messages, so other
  /// ranks do not learn of an error.
  template <class F>
  void for_each(DistributedGrid<Exec, D>& asking, const F& f) {
    const detail::HeldSets<D> held = held_sets(asking);
    grid_.grid_.for_each_partner(detail::IfReported<detail::HeldSets<D>, typename Memory::template Passed<F>>{held, f},
                                 asking.grid_);
  }

  /// Returns these contacts as one list for each particle of `asking` that this rank holds, including ghosts, in the executor's
  /// memory. Valid until the next call. Some rank's list holds every contact as long as neither set has used up its skin.
  const NeighbourList<Exec>& find(DistributedGrid<Exec, D>& asking) {
    const detail::HeldSets<D> held = held_sets(asking);
    grid_.grid_.find(listed_, asking.grid_);
    if (asking.ghosts() == 0 && grid_.ghosts() == 0) return listed_;
    detail::take_reported(grid_.exec(), listed_, held, detail::Access::arrays(reported_));
    return reported_;
  }

  /// Fills lists in host memory: list i has the particles of this grid that touch particle i of `asking`, which this rank owns,
  /// by global id and image, sorted, whichever ranks hold them. Collective.
  void find(DistributedGrid<Exec, D>& asking, GlobalNeighbours& found) {
    const auto collect = [&](std::optional<detail::NeighbourCollector>& collector) {
      const NeighbourList<Exec>& lists = find(asking);
      collector.emplace(asking.owned(), asking.routes_, grid_.held_.ids_on_host());
      detail::with_lists_on_host(grid_.exec(), lists, [&](const ListView& view) { collector->add(view); });
    };
    detail::fill_lists_of_all(grid_.comm_, grid_.exchange_, grid_.operation("between"), collect, found);
  }

 private:
  using Entry = detail::NeighbourRecord;  // `particle` is the number of a region
  struct Question {
    index_t number;
    Region<D> region;
  };

  void require_spheres() const {
    grid_.require_built();
    detail::require_spheres(grid_.held_.has_extents(), "regions and meshes");
  }

  // Checks both sets. All ranks find the same faults.
  detail::HeldSets<D> held_sets(const DistributedGrid<Exec, D>& asking) const {
    grid_.require_built(), asking.require_built();
    detail::require_same_space(grid_.comm_, grid_.built_box(), asking.comm_, asking.built_box(), "asking");
    const auto refuse = [](ErrorCode code, const char* what) { throw Error(code, what, {.argument = "asking"}); };
    if (asking.rule_ == Rule::gather || grid_.rule_ == Rule::gather)
      refuse(ErrorCode::unsupported, "ranks compare two sets by symmetric rules only, not by gather");
    if (asking.boxes() != grid_.boxes())
      refuse(ErrorCode::invalid_argument,
             "space is cut in another way for each grid: take_cuts() gives one the cuts of the other");
    if (asking.held_.has_extents() != grid_.held_.has_extents())
      refuse(ErrorCode::unsupported, "the particles of one grid have extents, and the particles of the other one have radii");
    return {asking.held_view(), grid_.held_view()};
  }

  static hgrid::Regions<D> asker_of(const Regions& regions, Take take) {
    return {regions.data(), static_cast<offset_t>(regions.size()), take};
  }

  // Returns the particles of regions that this rank reports, in no particular order, with the numbers of the regions. If there
  // was no room, visits the regions again.
  std::vector<Entry> answers_to(const Regions& regions, Take take) {
    const Exec& exec = grid_.exec();
    for (;;) {
      const offset_t room = found_.size();
      exec.for_each("hgrid::clear_counts", 1, detail::Fill<offset_t>{count_.data(), 0});
      using Collect = detail::CollectRecords<Exec>;
      const Collect collect{found_.data(), room, count_.data()};
      grid_.grid_.for_each_partner(detail::IfAnswered<D, Collect>{grid_.held_view(), regions.data(), collect},
                                   asker_of(regions, take));
      grid_.grid_.check();
      const offset_t count = exec.read_back(static_cast<const offset_t*>(count_.data()));
      if (count <= room) return detail::copy_on_host(exec, static_cast<const Entry*>(found_.data()), count);
      detail::reserve_all(exec, detail::Need{found_, detail::with_margin(count, room)});
    }
  }

  // Returns the largest radius of the particles that this rank holds.
  double largest_radius() const {
    const GridView<D> view = grid_.local().view();
    double largest = 0;
    for (const double of_level : detail::copy_on_host(grid_.exec(), view.radius_max, view.level_count))
      largest = std::fmax(largest, of_level);
    return largest;
  }

  // Throws if a region is too wide for the largest particle of all ranks. The rank that passed the region throws, because it
  // knows its number.
  void check_by_all(const Regions& regions, Take take, double largest, const detail::Arguments& call) {
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, grid_.comm_.get());
    detail::agree(grid_.comm_, call,
                  [&] { detail::RegionsAsking<Exec, D>(grid_.grid_, asker_of(regions, take), memory_).check(largest); });
  }

  // Notes which other ranks need a region.
  void ask(const std::vector<Region<D>>& regions) {
    last_.assign(static_cast<std::size_t>(grid_.comm_.size()), -1);
    for (std::size_t q = 0; q < regions.size(); ++q) {
      const auto number = static_cast<index_t>(q);
      last_[static_cast<std::size_t>(grid_.comm_.rank())] = number;
      detail::for_each_image_of(grid_.built_box(), regions[q], [&](const RankBox<D>& image) {
        const auto is_met = [&](const RankBox<D>& box) { return box.meets(image); };
        grid_.cuts_.now().for_each_where(is_met, [&](int rank) {
          if (std::exchange(last_[static_cast<std::size_t>(rank)], number) != number) asked_.add(rank, {number, regions[q]});
        });
      });
    }
  }

  DistributedGrid<Exec, D>& grid_;
  detail::AskingMemory<Exec, D> memory_;
  NeighbourList<Exec> listed_, reported_;  // for another grid as query
  typename Exec::template Buffer<Entry> found_;
  typename Exec::template Buffer<offset_t> count_;
  std::vector<Entry> here_;
  detail::Outbox<Question> asked_;
  detail::Outbox<Entry> answered_;
  std::vector<index_t> last_;  // last region that went to each rank
};

}  // namespace hgrid::inline v0_2
