// SPDX-License-Identifier: BSD-3-Clause
// What the device has found in the input of builds. The host may read it late (contract C7).
#pragma once

#include "hgrid/cells/cutoff_stages.hpp"
#include "hgrid/engine/grid_state.hpp"
#include "hgrid/inputs/exclusion_stages.hpp"
#include "hgrid/inputs/extents.hpp"

namespace hgrid::inline v0_2::detail {

template <class Exec, int D>
class DeviceInputs {
 public:
  explicit DeviceInputs(const Exec& exec) : seen_(exec, 1), inspected_(exec, 1) {}

  void reserve(const Exec& exec) { reserve_all(exec, Need{seen_, 1}, Need{inspected_, 4}); }

  SeenInput<D>* seen() { return seen_.data(); }
  const SeenInput<D>* seen() const { return seen_.data(); }
  /// Waits.
  SeenInput<D> read(const Exec& exec) const { return exec.read_back(seen()); }

  void forget_bad(const Exec& exec) {
    const InputSummary<D> none = InputSummary<D>::identity();
    exec.copy_in(&seen_.data()->first_bad, &none, 1);
  }

  /// Inspects the particles of a build, exclusions and cut-offs. Returns the summary if the host waits, or else an empty one.
  template <class Real>
  InputSummary<D> inspect(const Exec& exec, const GridState<Exec, D>& grid, const Particles<Real, D>& p, double skin,
                          bool waits) {
    const InputSummary<D> none = InputSummary<D>::identity();
    grid.with_boxes(p.worlds, [&](const auto& boxes) {
      using Inspect = InspectParticle<Real, D, std::decay_t<decltype(boxes)>>;
      exec.reduce("hgrid::inspect", p.count, Inspect{p, boxes, skin_of_stages(p, skin)}, none, inspected_.data());
    });
    const InputSummary<D>*const exclusions = exclusions_of(p), *const cutoffs = cutoffs_of(p);
    if (exclusions != nullptr) {
      const InspectExclusions<D> each{p.exclusions, p.count, p.count};
      exec.reduce("hgrid::inspect_exclusions", each.items(), each, none, inspected_.data() + 1);
    }
    if (cutoffs != nullptr) {
      exec.reduce("hgrid::inspect_cutoffs", p.count, InspectCutoffs<Real, D>{p}, none, inspected_.data() + 2);
    }
    if (!waits) return none;
    InputSummary<D> input = exec.read_back(static_cast<const InputSummary<D>*>(inspected_.data()));
    if (cutoffs != nullptr) input.blame_others(exec.read_back(cutoffs));
    if (exclusions != nullptr) input.blame_others(exec.read_back(exclusions));
    return input;
  }

  /// Inspects the extents, and adds their summary if the host waits.
  template <class Real>
  void inspect_extents(const Exec& exec, const GridState<Exec, D>& grid, const Particles<Real, D>& p, double skin, bool waits,
                       InputSummary<D>& input) {
    InputSummary<D>* const extents = inspected_.data() + 3;
    grid.with_boxes(p.worlds, [&](const auto& boxes) {
      using Inspect = InspectExtents<Real, D, std::decay_t<decltype(boxes)>>;
      exec.reduce("hgrid::inspect_extents", p.count, Inspect{p, boxes, skin}, InputSummary<D>::identity(), extents);
    });
    if (waits) input.take_extents(exec.read_back(static_cast<const InputSummary<D>*>(extents)));
  }

  /// Accepts or rejects the input on the device, before the stages that use it.
  template <class Real>
  void accept(const Exec& exec, GridState<Exec, D>& grid, const Particles<Real, D>& p, bool another_plan) {
    const SlotArrays<D> levels = grid.arrays();
    exec.for_each("hgrid::accept_input", max_levels + 1,
                  AcceptInput<D>{inspected_.data(), cutoffs_of(p), exclusions_of(p), extents_of(p), seen_.data(),
                                 grid.plan_generation, grid.generation, another_plan, levels.radius_max, levels.level_begin});
  }

 private:
  // Summaries of the current build, or null if there is no such input.
  template <class Real>
  const InputSummary<D>* extents_of(const Particles<Real, D>& p) const {
    return p.has_extents() ? inspected_.data() + 3 : nullptr;
  }
  template <class Real>
  const InputSummary<D>* exclusions_of(const Particles<Real, D>& p) const {
    return p.exclusions.size > 0 ? inspected_.data() + 1 : nullptr;
  }
  template <class Real>
  const InputSummary<D>* cutoffs_of(const Particles<Real, D>& p) const {
    return p.cutoffs.types > 0 ? inspected_.data() + 2 : nullptr;
  }

  typename Exec::template Buffer<SeenInput<D>> seen_;
  typename Exec::template Buffer<InputSummary<D>> inspected_;  // of the current build: particles, exclusions, cut-offs, extents
};

}  // namespace hgrid::inline v0_2::detail
