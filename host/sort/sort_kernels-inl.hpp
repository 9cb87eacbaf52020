// SPDX-License-Identifier: BSD-3-Clause
// The inner loops of the sorts. Included inside a namespace, once for each instruction set, so this file has no include guard
// and includes nothing. Minima and maxima are kept lane by lane, because compilers do not reorder the rest of a reduction.

/// The bounds of some numbers, and whether none is infinite or NaN.
struct Bounds {
  double least, most;
  bool finite;
};

// Returns the bounds of numbers that are repeated up to a multiple of `lanes`; for the minimum, 0 counts as `for_zero`.
// Compilers turn plain loops for this into scalar code, or keep the bounds in memory.
#if defined(HGRID_WITH_HIGHWAY) && HWY_TARGET != HWY_SCALAR
inline Bounds bounds_of(const double* x, index_t n, double for_zero) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<double, ParticleBatch<2>::lanes> d;
  const auto zero = hn::Zero(d), instead = hn::Set(d, for_zero);
  auto least = hn::Set(d, HUGE_VAL), most = hn::Set(d, -HUGE_VAL), differences = zero;
  for (index_t j = 0; j < n; j += static_cast<index_t>(hn::Lanes(d))) {
    const auto v = hn::LoadU(d, x + j);
    least = hn::Min(least, hn::IfThenElse(hn::Eq(v, zero), instead, v));
    most = hn::Max(most, v);
    differences = hn::Add(differences, hn::Sub(v, v));
  }
  return {hn::GetLane(hn::MinOfLanes(d, least)), hn::GetLane(hn::MaxOfLanes(d, most)) + 0.0,
          hn::GetLane(hn::SumOfLanes(d, differences)) == 0};
}
#else
inline Bounds bounds_of(const double* x, index_t n, double for_zero) {
  constexpr index_t lanes = ParticleBatch<2>::lanes;
  double least[lanes], most[lanes], differences[lanes] = {};
  std::fill_n(least, lanes, HUGE_VAL), std::fill_n(most, lanes, -HUGE_VAL);
  for (index_t j = 0; j < n; j += lanes) {
    for (index_t l = 0; l < lanes; ++l) {
      const double v = x[j + l], counted = v == 0 ? for_zero : v;
      least[l] = counted < least[l] ? counted : least[l];
      most[l] = v > most[l] ? v : most[l];
      differences[l] += v - v;
    }
  }
  return {*std::min_element(least, least + lanes), *std::max_element(most, most + lanes) + 0.0,
          std::accumulate(differences, differences + lanes, 0.0) == 0};
}
#endif

template <class Real, int D>
void read_columns(const Real* from, index_t n, double (*columns)[particles_per_batch]) {
  index_t j = 0;
#if defined(HGRID_WITH_HIGHWAY) && HWY_TARGET != HWY_SCALAR
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<double, ParticleBatch<D>::lanes> d;
  const hn::Rebind<Real, decltype(d)> of_input;
  const auto lanes = static_cast<index_t>(hn::Lanes(d));
  for (; j + lanes <= n; j += lanes) {
    hn::Vec<decltype(of_input)> v[3];
    if constexpr (D == 2) {
      hn::LoadInterleaved2(of_input, from + j * D, v[0], v[1]);
    } else {
      hn::LoadInterleaved3(of_input, from + j * D, v[0], v[1], v[2]);
    }
    for (int k = 0; k < D; ++k) {
      if constexpr (sizeof(Real) == sizeof(double)) {
        hn::StoreU(v[k], d, columns[k] + j);
      } else {
        hn::StoreU(hn::PromoteTo(d, v[k]), d, columns[k] + j);
      }
    }
  }
#endif
  for (; j < n; ++j) {
    for (int k = 0; k < D; ++k) columns[k][j] = from[j * D + k];
  }
}

template <int D>
bool inspect(const ParticleBatch<D>& batch, const Box<D>& box, double skin, InputSummary<D>& summary) {
  const Bounds r = bounds_of(batch.radius, batch.count, smallest_radius);  // points have none
  if (!r.finite || r.least < smallest_radius || r.most > largest_length) return false;
  Bounds x[D];
  for (int k = 0; k < D; ++k) {
    x[k] = bounds_of(batch.x[k], batch.count, 0);
    if (!x[k].finite || x[k].least < -largest_length || x[k].most > largest_length) return false;
    if (!box.wraps[k]) continue;
    if (x[k].least < box.lo[k] || x[k].most >= box.hi[k] || !has_few_images(box, k, 2 * r.most + skin)) return false;
  }
  for (int k = 0; k < D; ++k) {
    summary.lo[k] = x[k].least < summary.lo[k] ? x[k].least : summary.lo[k];
    summary.hi[k] = x[k].most > summary.hi[k] ? x[k].most : summary.hi[k];
  }
  summary.radius_max = r.most > summary.radius_max ? r.most : summary.radius_max;
  summary.used += batch.count;
  return true;
}

inline void wrap_along(double lo, double hi, index_t n, double* x, double* count) {
  for (index_t j = 0; j < n; ++j) {
    const Wrapped w = wrap(x[j], lo, hi);
    x[j] = w.inside, count[j] = w.count;
  }
}

// Subtracts `count` times a tilt from x; without any it stays bit for bit.
inline void take_off_tilts(double tilt, index_t n, const double* count, double* x) {
  for (index_t j = 0; j < n; ++j) {
    const double less = less_periods(x[j], count[j], tilt);
    x[j] = count[j] == 0 ? x[j] : less;
  }
}

// Computes `into_box` by columns.
template <int D>
index_t wrap_all(ParticleBatch<D>& batch, const Box<D>& box, Image* periods) {
  const index_t n = batch.count;
  const double most = most_outside(box);
  double count[D][particles_per_batch];
  std::int64_t bad = 0, outside = 0;
  for (int k = 0; k < D; ++k) {
    for (index_t j = 0; j < n; ++j) bad += std::fabs(batch.x[k][j]) <= largest_length ? 0 : 1;
  }
  for (index_t j = 0; j < n && box.turned; ++j) {
    Vec<double, D> x;
    for (int k = 0; k < D; ++k) x[k] = batch.x[k][j];
    x = along_axes(box, x);
    for (int k = 0; k < D; ++k) batch.x[k][j] = x[k];
  }
  for (int axis = D - 1; axis >= 0; --axis) {
    std::fill_n(count[axis], n, 0);
    if (!box.wraps[axis]) continue;
    wrap_along(box.lo[axis], box.hi[axis], n, batch.x[axis], count[axis]);
    for (int k = 0; k < axis && box.tilted; ++k) {
      take_off_tilts(box.tilt[Box<D>::tilt_index(k, axis)], n, count[axis], batch.x[k]);
    }
  }
  for (index_t j = 0; j < n && box.tilted; ++j) {
    Vec<double, D> taken;
    for (int k = 0; k < D; ++k) taken[k] = count[k][j];
    taken = as_given(box, taken);
    for (int k = 0; k < D; ++k) count[k][j] = taken[k];
  }
  for (int k = 0; k < D; ++k) {
    for (index_t j = 0; j < n; ++j) {
      bad += std::fabs(count[k][j]) <= most ? 0 : 1;
      outside += count[k][j] != 0 ? 1 : 0;
    }
  }
  if (bad > 0) return -1;
  for (index_t j = 0; j < n && periods != nullptr; ++j) {
    periods[j] = {};
    for (int k = 0; k < D; ++k) periods[j][k] = static_cast<std::int32_t>(count[k][j]);
  }
  return static_cast<index_t>(outside);
}

// The finest level holds most particles: keys are made for it, and made again for particles of other levels.
template <int D, class Key, class CellOf>
void make_keys_of(const GridView<D>& g, const ParticleBatch<D>& batch, Key* key, double* radius_max, const CellOf& cell_of) {
  using Linear = std::conditional_t<sizeof(Key) == 4, index_t, cell_key_t>;  // signed sums are faster, if they fit
  constexpr index_t lanes = ParticleBatch<D>::lanes;
  const Level<D> finest = g.level[0];  // a copy, which the stores below cannot alias
  const double bound = g.level_count > 1 ? finest.radius_bound : HUGE_VAL, half_skin = 0.5 * g.skin;
  index_t coarse[particles_per_batch + 1];
  double largest[lanes] = {};
  for (index_t j = 0; j < batch.count; j += lanes) {
    for (index_t l = 0; l < lanes; ++l) {
      Linear linear = static_cast<Linear>(cell_of(finest, D - 1, batch.x[D - 1][j + l]));
      for (int k = D - 2; k >= 0; --k) {
        linear = linear * finest.cells[k] + cell_of(finest, k, batch.x[k][j + l]);
      }
      key[j + l] = static_cast<Key>(linear);
    }
    for (index_t l = 0; l < lanes; ++l) {
      const double r = batch.radius[j + l];
      largest[l] = (r + half_skin <= bound) & (r > largest[l]) ? r : largest[l];
    }
  }
  for (index_t l = 0; l < lanes; ++l) radius_max[0] = largest[l] > radius_max[0] ? largest[l] : radius_max[0];
  if (g.level_count == 1) return;
  index_t others = 0;
  for (index_t j = 0; j < batch.count; ++j) {
    coarse[others] = j;
    others += batch.radius[j] + half_skin > bound;  // without a branch, which would be hard to predict
  }
  for (index_t n = 0; n < others; ++n) {
    const index_t j = coarse[n];
    Stored<D> s;
    for (int k = 0; k < D; ++k) s.x[k] = batch.x[k][j];
    s.radius = batch.radius[j], s.world = batch.world;
    int h;
    key[j] = static_cast<Key>(key_of(g, s, h));
    radius_max[h] = s.radius > radius_max[h] ? s.radius : radius_max[h];
  }
}

template <int D, class Key>
void make_keys(const GridView<D>& g, const ParticleBatch<D>& batch, Key* key, double* radius_max) {
  with_cell_of(g, g.level[0], batch.world, [&](const auto& cell_of) { make_keys_of(g, batch, key, radius_max, cell_of); });
}

template <int D>
void fill_columns(const GridView<D>& g, index_t first, index_t last, const FilterColumns<D>& columns) {
  const auto fill = [&](const double* from, float* to, const auto& as_float) {
    for (index_t slot = first; slot < last; ++slot) to[slot] = as_float(from[slot]);
  };
  for (int k = 0; k < D; ++k) {
    fill(g.x[k], columns.x[k], [origin = columns.origin[k]](double x) { return static_cast<float>(x - origin); });
  }
  const bool radii_add = g.adds_radii();
  fill(g.radius, columns.radius, [skin = g.skin, radii_add](double radius) { return filter_radius(radius, skin, radii_add); });
}
