// SPDX-License-Identifier: BSD-3-Clause
// The check of a time loop for a batch of particles. Included inside a namespace, once for each instruction set, so this file
// has no include guard and includes nothing.

#ifdef HGRID_WITH_HIGHWAY
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr hn::CappedTag<double, ParticleBatch<2>::lanes> check_lanes{};
inline constexpr hn::Rebind<std::int32_t, decltype(check_lanes)> whole_lanes{};
inline constexpr hn::Rebind<std::uint16_t, decltype(check_lanes)> step_lanes{};
using CheckVector = hn::Vec<decltype(check_lanes)>;

// Returns some steps of rounded particles as numbers.
inline CheckVector rounded_at(const std::uint16_t* steps, double least, double step) {
  constexpr auto d = check_lanes;
  const auto whole = hn::PromoteTo(whole_lanes, hn::LoadU(step_lanes, steps));
  return hn::MulAdd(hn::PromoteTo(d, whole), hn::Set(d, step), hn::Set(d, least));
}

// Rounds 256 numbers. Returns by how much `rounded_at` differs from them at most, by subtractions that may round.
inline double round_to_steps(const double* x, double& least, double& step, std::uint16_t* steps) {
  constexpr auto d = check_lanes;
  constexpr index_t n = particles_per_batch;
  const Bounds bounds = bounds_of(x, n, 0);
  least = bounds.least, step = (bounds.most - bounds.least) / 65535;
  const auto inverse = hn::Set(d, step > 0 ? 1 / step : 0), half = hn::Set(d, 0.5), from = hn::Set(d, least);
  auto error = hn::Zero(d);
  for (index_t j = 0; j < n; j += static_cast<index_t>(hn::Lanes(d))) {
    const auto v = hn::LoadU(d, x + j);
    const auto nearest = hn::DemoteTo(whole_lanes, hn::Add(hn::Mul(hn::Sub(v, from), inverse), half));
    hn::StoreU(hn::DemoteTo(step_lanes, nearest), step_lanes, steps + j);
    error = hn::Max(error, hn::Abs(hn::Sub(rounded_at(steps + j, least, step), v)));
  }
  return hn::GetLane(hn::MaxOfLanes(d, error));
}

// Rounds the particles of a build that are checked with the batch from `first` on, which is whole.
//
// Why a particle within its margin by the rounded numbers is so by the true ones, too: let b be a position of the build, b' the
// rounded one, and e_k the largest |b'_k - b_k| of the 256. A position x is |x - b| <= |x - b'| + |e| from b. The largest error
// e_r of the radii adds to the growth likewise, and a least growth keeps this. Both checks compute growth + distance + slack by
// equal operations, so the true one is larger by at most |e| + e_r and by the roundings. If the rounded one is at most half the
// skin, then all that it adds is below 3 reach: radii are at most half the reach, and half the skin is at most a quarter. Each
// of some 20 roundings is thus below 2^-53 times 3 reach, and squares that underflow lose less than 2^-530. `lost` adds 2^-46
// reach and 2^-490 for them.
template <int D>
void round_particles(const BuiltParticles<D>& built, offset_t first, RoundedParticles<D>& to) {
  double squared = 0;
  for (int k = 0; k < D; ++k) {
    const double error = round_to_steps(built.x[k] + first, to.least[k], to.step[k], to.steps[k]);
    squared += error * error;
  }
  const double radii = round_to_steps(built.radius + first, to.least[D], to.step[D], to.steps[D]);
  to.lost = (std::sqrt(squared) + radii) * (1 + 0x1p-40) + built.reach * 0x1p-46 + 0x1p-490;
  if (!(to.lost <= built.skin / 16)) to.lost = RoundedParticles<D>::useless;  // beyond an eighth of the margin
}

// The particles of the build as they are.
template <int D>
struct TrueBuild {
  const BuiltParticles<D>& built;
  offset_t first;
  index_t count;

  static constexpr bool exact = true;
  CheckVector x(int k, index_t j) const { return load(built.x[k], j); }
  CheckVector radius(index_t j) const { return load(built.radius, j); }
  double lost() const { return 0; }

 private:
  static constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(check_lanes));

  // Loads values of the build. Nothing may be read after the last particle, so it is repeated, as in the batch.
  CheckVector load(const double* of_build, index_t j) const {
    const double* const from = of_build + first + j;
    if (j + lanes <= count) return hn::LoadU(check_lanes, from);
    alignas(64) double some[lanes];
    for (index_t l = 0; l < lanes; ++l) some[l] = from[std::min(l, count - 1 - j)];
    return hn::Load(check_lanes, some);
  }
};

// Whole batches as they were rounded.
template <int D>
struct RoundedBuild {
  const RoundedParticles<D>& rounded;

  static constexpr bool exact = false;
  CheckVector x(int k, index_t j) const { return rounded_at(rounded.steps[k] + j, rounded.least[k], rounded.step[k]); }
  CheckVector radius(index_t j) const { return x(D, j); }
  double lost() const { return rounded.lost; }
};

// Computes MeasureValidity::excess_of by vectors: with equal operations, or a bound of it from rounded particles.
template <int D, class Before>
class CheckByVectors {
 public:
  CheckByVectors(const ParticleBatch<D>& batch, const BuiltParticles<D>& built, const Before& before,
                 const ChangedBox<D>& changed, offset_t first)
      : batch_(batch), built_(built), before_(before), changed_(changed), first_(first) {}

  bool operator()(double& excess) const {
    const Box<D>& box = changed_.box;
    const V half_skin = hn::Set(d, 0.5 * built_.skin), least = hn::Set(d, built_.least_growth), zero = hn::Zero(d);
    const V reach = hn::Set(d, built_.reach), corners = hn::Set(d, box.any_periodic() ? changed_.terms.corners : 0);
    const bool periodic = box.any_periodic();
    V lo[D], hi[D], counted[D];  // without branches: open axes are infinite, and their coordinates count as 0
    for (int k = 0; k < D; ++k) {
      lo[k] = hn::Set(d, box.wraps[k] ? box.lo[k] : -HUGE_VAL), hi[k] = hn::Set(d, box.wraps[k] ? box.hi[k] : HUGE_VAL);
      counted[k] = hn::BitCast(d, hn::Set(hn::RebindToUnsigned<decltype(d)>(), box.wraps[k] ? ~std::uint64_t{} >> 1 : 0));
    }
    V largest = hn::Set(d, excess);
    auto fits = hn::Eq(zero, zero);
    for (index_t j = 0; j < batch_.count; j += lanes) {
      V x[D], coordinates = corners, squared = zero;
      for (int k = 0; k < D; ++k) {
        x[k] = hn::LoadU(d, batch_.x[k] + j);
        coordinates = hn::Add(coordinates, hn::And(x[k], counted[k]));
      }
      if (periodic) wrap(j, lo, hi, x);
      auto rests = hn::Eq(zero, zero);  // false for NaN, like the comparisons below
      for (int k = 0; k < D; ++k) {
        const V by = hn::Sub(x[k], before_.x(k, j));
        rests = hn::And(rests, hn::Eq(by, zero));
        squared = hn::Add(squared, hn::Mul(by, by));
      }
      const V radius = before_.radius(j);
      V grown = hn::Sub(hn::Add(hn::LoadU(d, batch_.radius + j), zero), radius);  // of -0, too
      grown = hn::IfThenElse(hn::Lt(grown, least), least, grown);
      const V slack = hn::Add(hn::Mul(hn::Add(reach, coordinates), hn::Set(d, 0x1p-47)), hn::Set(d, 0x1p-490));
      const V most = hn::Add(hn::Add(grown, hn::Mul(hn::Sqrt(squared), hn::Set(d, 1 + 0x1p-48))), slack);
      const V used = Before::exact ? hn::IfThenElse(hn::And(rests, hn::Le(grown, zero)), grown, most)
                                   : hn::Add(most, hn::Set(d, before_.lost()));
      fits = hn::And(fits, hn::And(hn::Le(used, half_skin), hn::Ge(radius, zero)));
      largest = hn::Max(largest, used);
    }
    if (!hn::AllTrue(d, fits)) return false;
    excess = hn::GetLane(hn::MaxOfLanes(d, largest));
    return true;
  }

 private:
  static constexpr auto d = check_lanes;
  using V = CheckVector;
  static constexpr auto lanes = static_cast<index_t>(hn::MaxLanes(d));

  // Applies `wrapped_by` to the coordinates of some particles, nearly all of which are inside.
  void wrap(index_t j, const V* lo, const V* hi, V* x) const {
    const Box<D>& box = changed_.box;
    const index_t n = std::min(lanes, batch_.count - j);
    const Image* const wraps = built_.wraps == nullptr ? nullptr : built_.wraps + first_ + j;
    auto inside = hn::Eq(x[0], x[0]);
    for (int k = 0; k < D; ++k) inside = hn::And(inside, hn::And(hn::Ge(x[k], lo[k]), hn::Lt(x[k], hi[k])));
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
  const Before before_;
  const ChangedBox<D>& changed_;
  offset_t first_;
};

template <int D>
bool all_within(const ParticleBatch<D>& batch, const BuiltParticles<D>& built, const ChangedBox<D>& changed, offset_t first,
                double& excess) {
  const bool whole = built.rounded != nullptr && batch.count == particles_per_batch && first % particles_per_batch == 0;
  RoundedParticles<D>* const rounded = whole ? built.rounded + first / particles_per_batch : nullptr;
  if (whole && rounded->usable() && CheckByVectors<D, RoundedBuild<D>>(batch, built, {*rounded}, changed, first)(excess)) {
    return true;
  }
  if (!CheckByVectors<D, TrueBuild<D>>(batch, built, {built, first, batch.count}, changed, first)(excess)) return false;
  if (whole && rounded->lost == rounded->not_made) round_particles(built, first, *rounded);
  return true;
}
#else  // the check pays only with vectors
template <int D>
bool all_within(const ParticleBatch<D>&, const BuiltParticles<D>&, const ChangedBox<D>&, offset_t, double&) {
  return false;
}
#endif
