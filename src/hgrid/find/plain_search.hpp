// SPDX-License-Identifier: BSD-3-Clause
// The scalar search: a loop over items of slots around core/search.hpp. It runs on every executor and is the reference for all
// others. Lists are counted, scanned, filled.
#pragma once

#include "hgrid/find/neighbours.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2::detail {

/// The interface of a search of a view. `slots` is at least the number of slots.
template <class Exec, int D>
class PlainSearch {
 public:
  /// Returns the number of contacts. Waits.
  offset_t count(const Exec& exec, const GridView<D>& g, offset_t slots) {
    const offset_t items = (slots + slots_per_plain_item - 1) / slots_per_plain_item;
    reserve_all(exec, Need{counts_, items + 1});
    exec.for_each_item("hgrid::count_contacts", items, CountContacts<D>{g, counts_.data()});
    exec.exclusive_scan("hgrid::scan_contacts", counts_.data(), items);
    return exec.read_back(counts_.data() + items);
  }

  /// Writes all contacts in an order that depends only on the view, and returns their number. If the number exceeds the
  /// capacity, nothing is written. `images` may be null in an open box. Waits.
  offset_t list(const Exec& exec, const GridView<D>& g, offset_t slots, Pair* pairs, Image* images, offset_t capacity) {
    const offset_t n = count(exec, g, slots);
    if (n > 0 && n <= capacity) {
      exec.for_each_item("hgrid::write_contacts", (slots + slots_per_plain_item - 1) / slots_per_plain_item,
                         WriteContacts<D>{g, counts_.data(), pairs, images});
    }
    return n;
  }

  /// Writes all contacts, and stores their number in `*found`, in the executor's memory. Device searches do not wait.
  void enqueue(const Exec& exec, const GridView<D>& g, offset_t slots, Pair* pairs, Image* images, offset_t capacity,
               offset_t* found) {
    const offset_t n = list(exec, g, slots, pairs, images, capacity);
    exec.copy_in(found, &n, 1);
  }

  /// Calls f(i, j, image) once for each contact.
  template <class F>
  void contacts(const Exec& exec, const GridView<D>& g, offset_t slots, const F& f) const {
    exec.for_each_item("hgrid::for_each_contact", (slots + slots_per_plain_item - 1) / slots_per_plain_item,
                       VisitContacts<D, F>{g, f});
  }

  /// Calls f(i, j, image) for all partners j of every i.
  template <class F>
  void partners(const Exec& exec, const GridView<D>& g, offset_t slots, const F& f) const {
    exec.for_each_item("hgrid::for_each_partner", (slots + slots_per_plain_item - 1) / slots_per_plain_item,
                       VisitPartners<D, F>{g, f});
  }

  std::size_t bytes() const { return counts_.bytes(); }

 private:
  typename Exec::template Buffer<offset_t> counts_;
};

}  // namespace hgrid::inline v0_2::detail
