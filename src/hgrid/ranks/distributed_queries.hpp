// SPDX-License-Identifier: BSD-3-Clause
// Regions asked of the particles of all ranks.
#pragma once

#include <mutex>
#include <vector>

#include "hgrid/loop/queries.hpp"
#include "hgrid/ranks/distributed_grid.hpp"
#include "hgrid/ranks/outbox.hpp"
#include "hgrid/ranks/region_rule.hpp"

namespace hgrid::inline v0_1 {

/// Asks a built `DistributedGrid` for the particles of regions, as `Queries` asks a `Grid`, with its errors. The grid must outlive it.
template <class Exec, int D>
class DistributedQueries {
  static_assert(Exec::on_host, "regions are asked of particles in host memory");

 public:
  explicit DistributedQueries(DistributedGrid<Exec, D>& grid) : grid_(grid), local_(grid.grid_) {}

  /// Calls f(region, id, image) for each owned particle of each region, from many threads at once. Regions that all ranks pass, as they
  /// do walls, thus get each particle of the system once, on its owner. It takes no messages, and other ranks hear of no error.
  template <class F>
  void for_each(const std::vector<Region<D>>& regions, const F& f, Take take = Take::touching) {
    grid_.require_built();
    local_.for_each(regions.data(), static_cast<offset_t>(regions.size()), owned_only(f), take);
  }

  /// List q of the result has the particles of region q of this rank, whoever holds them, by global id and image, sorted. Each rank has
  /// regions of its own, or none. Collective.
  void find(const std::vector<Region<D>>& regions, GlobalNeighbours& found, Take take = Take::touching) {
    detail::Communicator& comm = grid_.comm_;
    comm.settle();
    const std::exception_ptr error = detail::attempt([&] {
      grid_.require_built();
      here_.clear(), asked_.clear(), answers_.clear();
      answer(regions, take, [&](const Entry& entry) { here_.push_back(entry); });
      ask(regions);
    });
    std::vector<detail::Parcel> parcels;
    const std::exception_ptr any = error ? error : detail::attempt([&] { parcels = asked_.parcels(comm.size()); });
    const auto call = grid_.operation("regions") << static_cast<std::size_t>(take);
    detail::exchange(grid_.exchange_, comm, any, call, parcels, sizeof(Question));
    check_by_all(regions, take, call);
    const std::exception_ptr failed = detail::attempt([&] {
      for (const detail::Parcel& parcel : grid_.exchange_.received()) {
        std::vector<Region<D>> theirs;
        std::vector<index_t> number;
        detail::for_each_record<Question>(parcel,
                                          [&](const Question& q) { theirs.push_back(q.region), number.push_back(q.number); });
        answer(theirs, take, [&](Entry entry) {
          entry.particle = number[static_cast<std::size_t>(entry.particle)];
          answers_.add(parcel.rank, entry);
        });
      }
      parcels = answers_.parcels(comm.size());
    });
    detail::exchange(grid_.exchange_, comm, failed, call, parcels, sizeof(Entry));
    detail::agree(comm, call, [&] {
      for (const detail::Parcel& parcel : grid_.exchange_.received()) {
        detail::for_each_record<Entry>(parcel, [&](const Entry& entry) { here_.push_back(entry); });
      }
      detail::fill_lists(here_, static_cast<index_t>(regions.size()), found);
    });
  }

 private:
  using Entry = detail::NeighbourRecord;  // its `particle` is the number of a region
  struct Question {
    index_t number;
    Region<D> region;
  };

  template <class F>
  auto owned_only(const F& f) const {
    return [&f, owned = grid_.owned()](index_t region, index_t id, const Image& image) {
      if (id < owned) f(region, id, image);
    };
  }

  // Whether regions are narrow enough for the particles of all ranks is told by the rank that has them, which knows their numbers.
  void check_by_all(const std::vector<Region<D>>& regions, Take take, const detail::Arguments& call) {
    double largest = 0;
    for (const double radius : grid_.radii()) largest = std::fmax(largest, radius);
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, grid_.comm_.get());
    detail::agree(grid_.comm_, call, [&] {
      local_.check(regions.data(), static_cast<offset_t>(regions.size()), Queries<Exec, D>::checked(take, 1), largest);
    });
  }

  // take(entry) for the particles of regions that this rank reports.
  template <class TakeEntry>
  void answer(const std::vector<Region<D>>& regions, Take take, const TakeEntry& taker) {
    std::mutex one_at_a_time;
    const detail::HeldParticles<D>& held = grid_.held_;
    const RankBox<D>& own = grid_.boxes()[static_cast<std::size_t>(grid_.comm_.rank())];
    const bool alone = grid_.comm_.size() == 1;
    const auto visit = [&](index_t region, index_t id, const Image& image) {
      const auto at = static_cast<std::size_t>(id);
      if (!alone && !own.owns(detail::region_point(grid_.box(), regions[static_cast<std::size_t>(region)],
                                                   held.view().position_of(id), held.radii()[at], image))) {
        return;
      }
      const std::lock_guard lock(one_at_a_time);
      taker({region, image, held.id(id)});
    };
    local_.for_each(regions.data(), static_cast<offset_t>(regions.size()), visit, take);
  }

  // Notes which other ranks have to know a region.
  void ask(const std::vector<Region<D>>& regions) {
    last_.assign(static_cast<std::size_t>(grid_.comm_.size()), -1);
    for (std::size_t q = 0; q < regions.size(); ++q) {
      const auto number = static_cast<index_t>(q);
      last_[static_cast<std::size_t>(grid_.comm_.rank())] = number;
      detail::for_each_image_of(grid_.box(), regions[q], [&](const RankBox<D>& image) {
        const auto is_met = [&](const RankBox<D>& box) { return box.meets(image); };
        grid_.boxes_->for_each_where(is_met, [&](int rank) {
          if (std::exchange(last_[static_cast<std::size_t>(rank)], number) != number) asked_.add(rank, {number, regions[q]});
        });
      });
    }
  }

  DistributedGrid<Exec, D>& grid_;
  Queries<Exec, D> local_;
  std::vector<Entry> here_;
  detail::Outbox<Question> asked_;
  detail::Outbox<Entry> answers_;
  std::vector<index_t> last_;  // region that went to a rank
};

}  // namespace hgrid::inline v0_1
