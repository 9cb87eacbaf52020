// SPDX-License-Identifier: BSD-3-Clause
// The stages of a build for exclusions: they are inspected, and copied to lists of ids, because the user may free them.
#pragma once

#include "hgrid/core/exclusions.hpp"
#include "hgrid/inputs/inspect.hpp"

namespace hgrid::inline v0_2::detail {

/// Folds the list of particle k, or pair k, into the summary: first fault and number of faulty lists or pairs.
template <int D>
struct InspectExclusions {
  Exclusions entries;
  offset_t lists, ids;  ///< equal numbers within one set; otherwise the numbers of query and target particles

  /// Returns the number of lists or pairs to inspect.
  offset_t items() const { return entries.size == 0 || entries.pairs != nullptr ? entries.size : lists; }

  HGRID_HD void operator()(offset_t k, InputSummary<D>& s) const {
    entries.pairs == nullptr ? inspect_list(k, s) : inspect_pair(k, s);
  }

 private:
  HGRID_HD void inspect_list(offset_t i, InputSummary<D>& s) const {
    const offset_t begin = entries.begin[i], end = entries.begin[i + 1];
    if (begin < 0 || end < begin || end > entries.size) return blame(s, i, Fault::exclusion_begin, begin < 0 ? begin : end);
    for (offset_t k = begin; k < end; ++k) {
      const index_t id = entries.ids[k];
      if (!is_id(id, ids)) return blame(s, i, Fault::exclusion_range, id);
      if (k > begin && id < entries.ids[k - 1]) return blame(s, i, Fault::exclusion_order, id);
    }
  }

  HGRID_HD void inspect_pair(offset_t k, InputSummary<D>& s) const {
    const Pair now = entries.pairs[k];
    const bool is_list = is_id(now.i, lists);
    if (!is_list || !is_id(now.j, ids)) return blame(s, k, Fault::exclusion_range, is_list ? now.j : now.i);
    if (k == 0) return;
    const Pair before = entries.pairs[k - 1];
    if (now.i < before.i) return blame(s, k, Fault::exclusion_order, now.i);
    if (now.i == before.i && now.j < before.j) blame(s, k, Fault::exclusion_order, now.j);
  }

  HGRID_HD static bool is_id(index_t id, offset_t count) { return id >= 0 && id < count; }

  HGRID_HD static void blame(InputSummary<D>& s, offset_t index, Fault fault, offset_t value) {
    ++s.bad;
    if (index < s.first_bad) s.first_bad = index, s.fault = fault, s.value = static_cast<double>(value);
  }
};

/// Computes where the lists of word k of ids begin, and which lists are not empty. Does nothing for bad input, which the host
/// may not know yet.
struct BeginExclusions {
  Exclusions entries;
  offset_t lists;
  const std::int64_t* bad;
  ListedIds* listed;
  offset_t* begin;

  HGRID_HD void operator()(offset_t k) const {
    if (*bad > 0) return;
    const offset_t first = k * ids_per_word, behind = first + ids_per_word < lists ? first + ids_per_word : lists;
    offset_t at = entries.pairs == nullptr ? entries.begin[first] : first_pair_of(first);
    ListedIds word = 0;
    for (offset_t i = first; i < behind; ++i) {
      begin[i] = at;
      at = end_of_list(i, at);
      if (begin[i] < at) word |= ListedIds{1} << (i - first);
    }
    listed[k] = word;
    if (behind == lists) begin[lists] = at;
  }

 private:
  HGRID_HD offset_t end_of_list(offset_t i, offset_t at) const {
    if (entries.pairs == nullptr) return entries.begin[i + 1];
    while (at < entries.size && entries.pairs[at].i == i) ++at;
    return at;
  }

  HGRID_HD offset_t first_pair_of(offset_t i) const {
    offset_t at = 0;
    for (offset_t end = entries.size; at < end;) {
      const offset_t middle = at + (end - at) / 2;
      if (entries.pairs[middle].i < i) {
        at = middle + 1;
      } else {
        end = middle;
      }
    }
    return at;
  }
};

struct CopyExclusion {
  Exclusions entries;
  index_t* ids;

  HGRID_HD void operator()(offset_t k) const { ids[k] = entries.pairs == nullptr ? entries.ids[k] : entries.pairs[k].j; }
};

}  // namespace hgrid::inline v0_2::detail
