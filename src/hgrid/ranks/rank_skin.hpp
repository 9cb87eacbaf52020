// SPDX-License-Identifier: BSD-3-Clause
// How a list on ranks chooses its skin: like a VerletList, by figures that are reduced over all ranks, so that all choose the
// same one.
#pragma once

#include <algorithm>

#include "hgrid/loop/loop_progress.hpp"
#include "hgrid/loop/wrapped_loop.hpp"
#include "hgrid/memory/access.hpp"
#include "hgrid/ranks/field.hpp"
#include "hgrid/ranks/messages.hpp"

namespace hgrid::inline v0_2::detail {

/// Collective. The list's build has given the chooser the time since the last one.
struct Access::RankSkin {
  /// Lists the contacts with the chosen skin, or with a narrower one if that is too wide.
  template <class List, class Real, class Array, class Ids>
  static void list_contacts(List& l, Array& x, Field<Real, Array> r, const Ids& id) {
    SkinChooser& chooser = l.loop_.chooser;
    if (!l.loop_.started) start(l, x, r, id);
    chooser.limit(std::min(largest_length, 0.5 * WrappedLoop::least_period(l.grid_.box())));
    while (!can_list(l, x, r, id) || is_far_too_long(l, x, r, id)) {
    }
    chooser.accept();
  }

 private:
  template <class List, class Real, class Array, class Ids>
  static bool can_list(List& l, Array& x, Field<Real, Array> r, const Ids& id) {
    try {
      drop_ghosts(l, x);
      l.list_contacts(x, r, id, l.labels_);
      return true;
    } catch (const Error& e) {  // all ranks catch the same code
      if (!l.loop_.narrows_after(e.code())) throw;
      return false;
    }
  }

  template <class List, class Real, class Array, class Ids>
  static void start(List& l, Array& x, Field<Real, Array> r, const Ids& id) {
    const offset_t all = count_contacts(l, x, r, id);
    if (all == 0) return;
    const auto held = static_cast<double>(l.grid_.held());
    double mean[] = {held > 0 ? held * mean_size(l.grid_.exec(), l.grid_.local().view()) : 0, held}, sum[2];
    // The sums of one rank, because sums of others may be rounded in another order.
    MPI_Reduce(mean, sum, 2, MPI_DOUBLE, MPI_SUM, 0, l.comm().get());
    MPI_Bcast(sum, 2, MPI_DOUBLE, 0, l.comm().get());
    l.loop_.start(l.options_.skin, sum[0] / sum[1]);
  }

  // Builds without a skin and counts, which tells how long a list must be. Returns the number of particles.
  template <class List, class Real, class Array, class Ids>
  static offset_t count_contacts(List& l, Array& x, Field<Real, Array> r, const Ids& id) {
    drop_ghosts(l, x);
    l.grid_.build(x, r, id, {}, l.labels_);
    agree(l.comm(), l.operation("contacts"), [&] { l.grid_.find(l.found_); });
    const Sum sum = sum_of(l, l.found_.size());
    l.loop_.contacts = sum.entries;
    return sum.particles;
  }

  template <class List, class Real, class Array, class Ids>
  static bool is_far_too_long(List& l, Array& x, Field<Real, Array> r, const Ids& id) {
    const Sum sum = sum_of(l, l.list_.size());
    if (!l.loop_.started || !l.loop_.is_far_too_long(sum.entries, sum.particles)) return false;
    count_contacts(l, x, r, id);  // there may be more contacts by now
    if (l.loop_.is_far_too_long(sum.entries, sum.particles)) l.loop_.chooser.narrow();
    return true;
  }

  struct Sum {
    offset_t entries, particles;
  };
  template <class List>
  static Sum sum_of(List& l, offset_t entries) {
    Sum sum{entries, l.grid_.owned()};
    MPI_Allreduce(MPI_IN_PLACE, &sum, 2, MPI_INT64_T, MPI_SUM, l.comm().get());
    return sum;
  }

  template <class List, class Array>
  static void drop_ghosts(const List& l, Array& x) {
    x.resize(l.at_home_.size() * List::dimension);
  }
};
using RankSkin = Access::RankSkin;

}  // namespace hgrid::inline v0_2::detail
