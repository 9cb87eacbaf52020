// SPDX-License-Identifier: BSD-3-Clause
// The check of a time loop for a batch of particles. Included inside a namespace, once for each instruction set, so it has no
// include guard and includes nothing.

// `wrapped_by` for some coordinates of an axis, most of which are inside.
inline void wrap_by(double lo, double hi, const Image* wraps, int axis, index_t n, const double* x, double* inside) {
  index_t others[particles_per_batch + 1], other = 0;
  for (index_t j = 0; j < n; ++j) {
    inside[j] = x[j];
    others[other] = j;
    other += !((x[j] >= lo) & (x[j] < hi)) | (wraps != nullptr && wraps[j][axis] != 0);
  }
  for (index_t k = 0; k < other; ++k) {
    const index_t j = others[k];
    inside[j] = wrapped_by(x[j], wraps == nullptr ? 0 : wraps[j][axis], lo, hi);
  }
}

// MeasureValidity::excess_of by columns, with the same operations.
template <int D>
bool all_within(const ParticleBatch<D>& batch, const BuiltParticles<D>& built, const ChangedBox<D>& changed, offset_t first,
                double& excess) {
  const index_t n = batch.count;
  const Box<D>& box = changed.box;
  double inside[D][particles_per_batch], coordinates[particles_per_batch], squared[particles_per_batch],
      moved[particles_per_batch];
  std::fill_n(coordinates, n, box.any_periodic() ? changed.terms.corners : 0);
  std::fill_n(squared, n, 0);
  std::fill_n(moved, n, 0);
  for (int k = 0; k < D; ++k) {
    const double* x = batch.x[k];
    if (box.wraps[k]) {
      for (index_t j = 0; j < n; ++j) coordinates[j] += std::fabs(x[j]);
      wrap_by(box.lo[k], box.hi[k], built.wraps == nullptr ? nullptr : built.wraps + first, k, n, x, inside[k]);
      x = inside[k];
    }
    const double* const before = built.x[k] + first;
    for (index_t j = 0; j < n; ++j) {
      const double d = x[j] - before[j];
      moved[j] += std::fabs(d);
      squared[j] += d * d;
    }
  }
  const double* const radius = built.radius + first;
  const double half_skin = 0.5 * built.skin, least = built.least_growth;
  double faults = 0, largest = excess;
  for (index_t j = 0; j < n; ++j) {
    double grown = (batch.radius[j] + 0.0) - radius[j];
    grown = grown < least ? least : grown;
    const double slack = (built.reach + coordinates[j]) * 0x1p-47 + 0x1p-490;
    const double most = grown + std::sqrt(squared[j]) * (1 + 0x1p-48) + slack;
    const double used = (moved[j] == 0) & (grown <= 0) ? grown : most;
    faults += (used <= half_skin) & (radius[j] >= 0) ? 0.0 : 1.0;
    largest = used > largest ? used : largest;
  }
  if (faults > 0) return false;
  excess = largest;
  return true;
}
