// SPDX-License-Identifier: BSD-3-Clause
// A search that overlaps with messages: contacts of owned particles are visited at once, contacts with ghosts after their
// entries have arrived.
#pragma once

#include "hgrid/core/contact.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/memory/reserve.hpp"
#include "hgrid/ranks/rank_rules.hpp"

namespace hgrid::inline v0_2::detail {

/// Which contacts of a rank are visited: contacts of two owned particles, contacts with a ghost, or all.
enum class RankPart { all, owned, ghosts };

/// Calls f(i, j, image) for the contacts of a part that the rank reports. Of `owned`, writes down the reported contacts with a
/// ghost, in any order, as far as there is room, and counts these. One functor for all parts, because devices compile a dozen
/// kernels for each. F may be a reference.
template <class Exec, int D, class F>
struct VisitReported {
  static constexpr bool of_one_world = true;
  HeldView<D> held;
  F f;
  RankPart part = RankPart::all;
  Contact* later = nullptr;
  offset_t room = 0;
  offset_t* count = nullptr;

  HGRID_HD void operator()(index_t i, index_t j, const Image& image) const {
    const bool is_owned = i < held.owned && j < held.owned;
    if (is_owned ? part == RankPart::ghosts : !held.reports(i, j, image)) return;
    if (is_owned || part != RankPart::owned) return f(i, j, image);
    const offset_t to = Exec::atomic_add(count, offset_t{1});
    if (to < room) later[to] = {i, j, image};
  }
};

template <class F>
struct VisitWritten {
  const Contact* contacts;
  F f;

  HGRID_HD void operator()(offset_t k) const { f(contacts[k].i, contacts[k].j, contacts[k].image); }
};

/// Contacts with ghosts, kept between the two parts of a search.
template <class Exec>
class DeferredContacts {
 public:
  explicit DeferredContacts(const Exec& exec) : exec_(exec), count_(exec, 1) {}

  /// Visits the contacts of owned particles, and writes down the others. `Passed` is the type by which f is passed on.
  template <class Passed, int D, class F>
  void visit_owned(const Grid<Exec, D>& grid, const HeldView<D>& held, const F& f) {
    exec_.for_each("hgrid::clear_counts", 1, Fill<offset_t>{count_.data(), 0});
    grid.for_each_contact(
        VisitReported<Exec, D, Passed>{held, f, RankPart::owned, contacts_.data(), contacts_.size(), count_.data()});
  }
  /// Visits the contacts with ghosts. If there was no room for them, searches again, and makes room for the next time.
  template <class Passed, int D, class F>
  void visit_ghosts(const Grid<Exec, D>& grid, const HeldView<D>& held, const F& f) {
    const offset_t count = exec_.read_back(static_cast<const offset_t*>(count_.data()));
    if (count <= contacts_.size()) {
      exec_.for_each("hgrid::visit_ghosts", count, VisitWritten<Passed>{contacts_.data(), f});
    } else {
      reserve_all(exec_, Need{contacts_, with_margin(count, contacts_.size())});
      grid.for_each_contact(VisitReported<Exec, D, Passed>{held, f, RankPart::ghosts});
    }
  }

 private:
  Exec exec_;
  typename Exec::template Buffer<Contact> contacts_;
  typename Exec::template Buffer<offset_t> count_;
};

}  // namespace hgrid::inline v0_2::detail
