// SPDX-License-Identifier: BSD-3-Clause
// The exclusions between two sets, kept from call to call.
#pragma once

#include "hgrid/core/error.hpp"
#include "hgrid/inputs/exclusion_stages.hpp"
#include "hgrid/inputs/input_error.hpp"
#include "hgrid/inputs/reachable.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2::detail {

/// Lists of those who ask, with ids of those who are asked.
template <class Exec, int D>
class ExcludedBetween {
 public:
  explicit ExcludedBetween(const Exec& exec) : summary_(exec, 1), listed_(exec, 0), begin_(exec, 0), ids_(exec, 0) {}

  /// Takes a copy, and waits. After an error those of before hold.
  void keep(const Exec& exec, const Exclusions& e, offset_t asking, offset_t asked) {
    check_exclusions(e);
    if (e.size == 0) return void(size_ = 0);
    for (const void* array :
         {static_cast<const void*>(e.begin), static_cast<const void*>(e.ids), static_cast<const void*>(e.pairs)})
      require_reachable(exec, "exclusions", array);
    const InspectExclusions<D> each{e, asking, asked};
    exec.reduce("hgrid::inspect_exclusions", each.items(), each, InputSummary<D>::identity(), summary_.data());
    throw_if_bad(exec.read_back(static_cast<const InputSummary<D>*>(summary_.data())), Box<D>{}, 0);
    reserve_all(exec, Need{listed_, words_of_ids(asking)}, Need{begin_, asking + 1}, Need{ids_, e.size});
    exec.for_each("hgrid::begin_exclusions", words_of_ids(asking),
                  BeginExclusions{e, asking, &summary_.data()->bad, listed_.data(), begin_.data()});
    exec.for_each("hgrid::copy_exclusions", e.size, CopyExclusion{e, ids_.data()});
    exec.wait();
    lists_ = asking, size_ = e.size;
  }

  /// For `asking` particles that ask; `size_mismatch` if their number was another one.
  ExclusionTable table_for(offset_t asking) const {
    if (size_ == 0) return {};
    if (asking != lists_)
      throw Error(
          ErrorCode::size_mismatch,
          "exclusions were given for " + counted(lists_, "particle") + " that ask, and these are " + std::to_string(asking),
          {.argument = "exclusions", .count = asking, .needed = lists_});
    return {listed_.data(), begin_.data(), ids_.data()};
  }

 private:
  typename Exec::template Buffer<InputSummary<D>> summary_;
  typename Exec::template Buffer<ListedIds> listed_;
  typename Exec::template Buffer<offset_t> begin_;
  typename Exec::template Buffer<index_t> ids_;
  offset_t lists_ = 0, size_ = 0;
};

}  // namespace hgrid::inline v0_2::detail
