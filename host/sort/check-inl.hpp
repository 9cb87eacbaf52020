// SPDX-License-Identifier: BSD-3-Clause
// The check of a time loop for a batch of particles. Included inside a namespace, once for each instruction set, so this file
// has no include guard and includes nothing.

#ifdef HGRID_WITH_HIGHWAY
namespace hn = hwy::HWY_NAMESPACE;

// Computes MeasureValidity::excess_of by vectors, with equal operations.
template <int D>
class CheckByVectors {
 public:
  CheckByVectors(const ParticleBatch<D>& batch, const BuiltParticles<D>& built, const ChangedBox<D>& changed, offset_t first)
      : batch_(batch), built_(built), changed_(changed), first_(first) {}

  bool operator()(double& excess) const {
    const Box<D>& box = changed_.box;
    const V half_skin = hn::Set(d, 0.5 * built_.skin), least = hn::Set(d, built_.least_growth), zero = hn::Zero(d);
    const V reach = hn::Set(d, built_.reach), corners = hn::Set(d, box.any_periodic() ? changed_.terms.corners : 0);
    V largest = hn::Set(d, excess);
    auto fits = hn::Eq(zero, zero);
    for (index_t j = 0; j < batch_.count; j += lanes) {
      V x[D], coordinates = corners, squared = zero;
      for (int k = 0; k < D; ++k) {
        x[k] = hn::LoadU(d, batch_.x[k] + j);
        if (box.wraps[k]) coordinates = hn::Add(coordinates, hn::Abs(x[k]));
      }
      if (box.any_periodic()) wrap(j, x);
      auto rests = hn::Eq(zero, zero);  // false for NaN, like the comparisons below
      for (int k = 0; k < D; ++k) {
        const V by = hn::Sub(x[k], load(built_.x[k], j));
        rests = hn::And(rests, hn::Eq(by, zero));
        squared = hn::Add(squared, hn::Mul(by, by));
      }
      const V radius = load(built_.radius, j);
      V grown = hn::Sub(hn::Add(hn::LoadU(d, batch_.radius + j), zero), radius);  // of -0, too
      grown = hn::IfThenElse(hn::Lt(grown, least), least, grown);
      const V slack = hn::Add(hn::Mul(hn::Add(reach, coordinates), hn::Set(d, 0x1p-47)), hn::Set(d, 0x1p-490));
      const V most = hn::Add(hn::Add(grown, hn::Mul(hn::Sqrt(squared), hn::Set(d, 1 + 0x1p-48))), slack);
      const V used = hn::IfThenElse(hn::And(rests, hn::Le(grown, zero)), grown, most);
      fits = hn::And(fits, hn::And(hn::Le(used, half_skin), hn::Ge(radius, zero)));
      largest = hn::Max(largest, used);
    }
    if (!hn::AllTrue(d, fits)) return false;
    excess = hn::GetLane(hn::MaxOfLanes(d, largest));
    return true;
  }

 private:
  static constexpr hn::CappedTag<double, ParticleBatch<D>::lanes> d{};
  using V = hn::Vec<decltype(d)>;
  static constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(d));

  // Loads values of the build. Nothing may be read after the last particle, so it is repeated, as in the batch.
  V load(const double* of_build, index_t j) const {
    const double* const from = of_build + first_ + j;
    if (j + lanes <= batch_.count) return hn::LoadU(d, from);
    alignas(64) double some[lanes];
    for (index_t l = 0; l < lanes; ++l) some[l] = from[std::min(l, batch_.count - 1 - j)];
    return hn::Load(d, some);
  }

  // Applies `wrapped_by` to the coordinates of some particles, nearly all of which are inside.
  void wrap(index_t j, V* x) const {
    const Box<D>& box = changed_.box;
    const index_t n = std::min(lanes, batch_.count - j);
    const Image* const wraps = built_.wraps == nullptr ? nullptr : built_.wraps + first_ + j;
    auto inside = hn::Eq(x[0], x[0]);
    for (int k = 0; k < D; ++k) {
      if (box.wraps[k])
        inside = hn::And(inside, hn::And(hn::Ge(x[k], hn::Set(d, box.lo[k])), hn::Lt(x[k], hn::Set(d, box.hi[k]))));
    }
    std::int32_t periods = 0;
    for (index_t l = 0; l < n && wraps != nullptr; ++l) {
      for (int k = 0; k < D; ++k) periods |= wraps[l][k];
    }
    if (hn::AllTrue(d, inside) && periods == 0) return;
    alignas(64) double at[lanes];
    for (int k = 0; k < D; ++k) {
      if (!box.wraps[k]) continue;
      hn::Store(x[k], d, at);
      for (index_t l = 0; l < lanes; ++l) {
        at[l] = wrapped_by(at[l], wraps == nullptr ? 0 : wraps[std::min(l, n - 1)][k], box.lo[k], box.hi[k]);
      }
      x[k] = hn::Load(d, at);
    }
  }

  const ParticleBatch<D>& batch_;
  const BuiltParticles<D>& built_;
  const ChangedBox<D>& changed_;
  offset_t first_;
};

template <int D>
bool all_within(const ParticleBatch<D>& batch, const BuiltParticles<D>& built, const ChangedBox<D>& changed, offset_t first,
                double& excess) {
  return CheckByVectors<D>(batch, built, changed, first)(excess);
}
#else  // the check pays only with vectors
template <int D>
bool all_within(const ParticleBatch<D>&, const BuiltParticles<D>&, const ChangedBox<D>&, offset_t, double&) {
  return false;
}
#endif
