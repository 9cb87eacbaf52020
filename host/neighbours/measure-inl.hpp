// SPDX-License-Identifier: BSD-3-Clause
// The loops that measure entries. Included inside a namespace, once for each instruction set, so this file has no include guard
// and includes nothing.

// Some entries of a list. Each loop below does one step for all of them.
template <int D>
struct EntryBatch {
  static constexpr index_t most = 64;

  index_t count;
  alignas(64) index_t id[most];
  alignas(64) std::int32_t image[3][most];
  alignas(64) double vector[D][most];  // at first positions
  alignas(64) double distance[most], limit[most];
};

template <class Real, int D>
void take_entries(const Particles<Real, D>& p, const ListRow& row, index_t first, EntryBatch<D>& b) {
  const index_t n = b.count, next = first + EntryBatch<D>::most, ahead = std::min(next + EntryBatch<D>::most, row.count);
  for (index_t e = next; e < ahead; ++e) p.fetch(row.ids[e]);  // neighbors are scattered in the user's arrays
  const std::ptrdiff_t stride = p.stride;
  const Real* x[D];
  std::copy_n(p.position, D, x);
  for (index_t e = 0; e < n; ++e) {
    const index_t j = b.id[e] = row.ids[first + e];
    for (int k = 0; k < D; ++k) b.vector[k][e] = x[k][j * stride];
  }
}

template <int D>
void take_images(const ListRow& row, index_t first, EntryBatch<D>& b) {
  const index_t n = b.count;
  if (row.codes != nullptr) {
    const FoundRows::Code* const codes = row.codes + first;
    for (int axis = 0; axis < 3; ++axis) {
      for (index_t e = 0; e < n; ++e) b.image[axis][e] = (codes[e] >> (10 - 5 * axis) & 31) - 16;
    }
  } else if (row.images != nullptr) {
    for (index_t e = 0; e < n; ++e) {
      for (int axis = 0; axis < 3; ++axis) b.image[axis][e] = row.images[first + e][axis];
    }
  } else {
    for (int axis = 0; axis < 3; ++axis) std::fill_n(b.image[axis], n, 0);
  }
  if (row.wraps == nullptr) return;
  for (index_t e = 0; e < n; ++e) {
    for (int axis = 0; axis < 3; ++axis) b.image[axis][e] += row.wraps[row.i][axis] - row.wraps[b.id[e]][axis];
  }
}

// Computes vectors and distances like vector_between and length_of.
template <int D>
void find_vectors(const Vec<double, D>& from, const BoxVectors<D>& box, bool has_images, EntryBatch<D>& b) {
  const index_t n = b.count;
  for (int k = 0; k < D; ++k) {
    double* const vector = b.vector[k];
    const double x = from[k];
    double along[D];
    for (int axis = 0; axis < D; ++axis) along[axis] = box[axis][k];
    if (has_images) {
      for (index_t e = 0; e < n; ++e) {
        double shift = 0;
        for (int axis = 0; axis < D; ++axis) shift += mul_rn(b.image[axis][e], along[axis]);
        vector[e] = vector[e] - x + shift;
      }
    } else {
      for (index_t e = 0; e < n; ++e) vector[e] = vector[e] - x + 0.0;
    }
  }
  for (index_t e = 0; e < n; ++e) {
    double sum = 0;
    for (int k = 0; k < D; ++k) sum += mul_rn(b.vector[k][e], b.vector[k][e]);
    b.distance[e] = std::sqrt(sum);
  }
}

// Removes entries that are not nearer than their limit.
template <class Real, int D>
void keep_nearer(const WantedEntries<Real, D>& wanted, index_t i, EntryBatch<D>& b) {
  const index_t n = b.count;
  const Particles<Real, D>& p = wanted.particles;
  if (wanted.of_query()) {
    for (index_t e = 0; e < n; ++e) b.limit[e] = wanted.limit_of_query(i, b.id[e]);
  } else if (p.cutoffs.types == 0 && p.radius_stride == 0) {
    std::fill_n(b.limit, n, wanted.limit(i, i));
  } else {
    for (index_t e = 0; e < n; ++e) b.limit[e] = wanted.limit(i, b.id[e]);
  }
  int within = 0;
  for (index_t e = 0; e < n; ++e) within += b.distance[e] < b.limit[e];
  if (within == n) return;
  index_t kept = 0;
  for (index_t e = 0; e < n; ++e) {
    b.id[kept] = b.id[e];
    for (int axis = 0; axis < 3; ++axis) b.image[axis][kept] = b.image[axis][e];
    for (int k = 0; k < D; ++k) b.vector[k][kept] = b.vector[k][e];
    b.distance[kept] = b.distance[e];
    kept += b.distance[e] < b.limit[e];
  }
  b.count = kept;
}

template <bool past_caches, class Number>
void put(Number* to, Number number) {
#ifdef __x86_64__
  static_assert(sizeof(Number) == 8);
  if constexpr (past_caches) {
    _mm_stream_si64(reinterpret_cast<long long*>(to), std::bit_cast<long long>(number));
    return;
  }
#endif
  *to = number;
}

template <bool past_caches, int D>
void put_entries(index_t i, const EntryBatch<D>& b, const EntryColumns& to, offset_t at) {
  const index_t n = b.count;
  for (index_t e = 0; e < n; ++e) put<past_caches>(to.particles + at + e, std::int64_t{i});
  for (index_t e = 0; e < n; ++e) put<past_caches>(to.neighbours + at + e, std::int64_t{b.id[e]});
  if (to.images != nullptr) {
    Image* const images = to.images + at;
    for (index_t e = 0; e < n; ++e) images[e] = {b.image[0][e], b.image[1][e], b.image[2][e]};
  }
  if (to.wide_images != nullptr) {
    std::int64_t* const images = to.wide_images + D * at;
    for (index_t e = 0; e < n; ++e) {
      for (int k = 0; k < D; ++k) put<past_caches>(images + D * e + k, std::int64_t{b.image[k][e]});
    }
  }
  if (to.distances != nullptr) {
    for (index_t e = 0; e < n; ++e) put<past_caches>(to.distances + at + e, b.distance[e]);
  }
  if (to.vectors != nullptr) {
    double* const vectors = to.vectors + D * at;
    for (index_t e = 0; e < n; ++e) {
      for (int k = 0; k < D; ++k) put<past_caches>(vectors + D * e + k, b.vector[k][e]);
    }
  }
}

template <int D>
void put_entries(index_t i, const EntryBatch<D>& b, const EntryColumns& to, offset_t at) {
  if (to.particles == nullptr) return;
  to.past_caches ? put_entries<true>(i, b, to, at) : put_entries<false>(i, b, to, at);
}

template <class Real, int D>
offset_t measure_row(const WantedEntries<Real, D>& wanted, const ListRow& row, const EntryColumns& to, offset_t at) {
  EntryBatch<D> b;
  if (wanted.has_itself(row.i)) {
    b.count = 1, b.id[0] = row.i, b.distance[0] = 0;
    for (int axis = 0; axis < 3; ++axis) b.image[axis][0] = 0;
    for (int k = 0; k < D; ++k) b.vector[k][0] = 0;
    put_entries(row.i, b, to, at);
    ++at;
  }
  const Vec<double, D> from = wanted.position_of(row.i);
  const BoxVectors<D>& box = wanted.box_of(row.i);
  const bool has_images = row.codes != nullptr || row.images != nullptr || row.wraps != nullptr;
  for (index_t first = 0; first < row.count; first += EntryBatch<D>::most) {
    b.count = std::min(row.count - first, EntryBatch<D>::most);
    take_entries(wanted.particles, row, first, b);
    if (has_images || first == 0) take_images(row, first, b);
    find_vectors(from, box, has_images, b);
    if (wanted.nearer) keep_nearer(wanted, row.i, b);
    put_entries(row.i, b, to, at);
    at += b.count;
  }
  return at;
}
