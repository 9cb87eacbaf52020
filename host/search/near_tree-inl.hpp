// SPDX-License-Identifier: BSD-3-Clause
// The loops of the nearest-neighbor search in a tree. Included inside a namespace, once for each instruction set, so this file
// has no include guard and includes nothing.

constexpr int leaf_places = ChildBoxes<2>::children;

#ifdef HGRID_WITH_HIGHWAY
static_assert(leaf_places == NearPiece::most);
template <int D>
struct TreeLanes {
  Keys x[D], by[D], farthest[D];

  TreeLanes(const NearQuery<D>& p, const Vec<double, D>& shift) {
    for (int k = 0; k < D; ++k) {
      x[k] = hn::Set(keys_at_once, p.x[k]), by[k] = hn::Set(keys_at_once, shift[k]);
      farthest[k] = hn::Set(keys_at_once, p.farthest[k]);
    }
  }
};

// Stores for each child of a node a lower bound of the keys of its particles. `radius` has the largest radius of each child.
// Returns bits of the children that may hold a particle within the bound.
template <bool surfaces, int D>
unsigned keys_of_children(const TreeLanes<D>& p, const ChildBoxes<D>& node, const double* radius, double bound, double* key) {
  unsigned bits = 0;
  for (index_t l = 0; l < leaf_places; l += key_lanes) {
    Keys keys = hn::Zero(keys_at_once);
    auto is_near = hn::FirstN(keys_at_once, key_lanes);
    for (int k = 0; k < D; ++k) {
      const Keys below = hn::Sub(hn::Sub(p.x[k], hn::LoadU(keys_at_once, node.lo[k] + l)), p.by[k]);
      const Keys above = hn::Sub(hn::Sub(p.x[k], hn::LoadU(keys_at_once, node.hi[k] + l)), p.by[k]);
      const Keys away = hn::Max(hn::Max(hn::Neg(below), above), hn::Zero(keys_at_once));
      is_near = hn::And(is_near, hn::Le(away, p.farthest[k]));
      keys = k == 0 ? hn::Mul(away, away) : hn::Add(keys, hn::Mul(away, away));
    }
    if constexpr (surfaces) keys = hn::Sub(hn::Sqrt(keys), hn::LoadU(keys_at_once, radius + l));
    hn::StoreU(keys, keys_at_once, key + l);
    bits |= bits_of(keys_at_once, hn::And(is_near, hn::Le(keys, hn::Set(keys_at_once, bound)))) << l;
  }
  return bits;
}

// Stores the keys and places of a leaf within the bound. The bits of `there` select its places. Returns their number.
template <bool surfaces, int D>
index_t add_leaf(const TreeLanes<D>& p, const NearTreeView<D>& tree, index_t begin, unsigned there, double bound, double* key,
                 index_t* place) {
  index_t n = 0;
  for (index_t l = 0; l < leaf_places; l += key_lanes, there >>= key_lanes) {
    Keys keys = hn::Zero(keys_at_once);
    for (int k = 0; k < D; ++k) {
      const Keys d = hn::Sub(hn::Sub(p.x[k], hn::LoadU(keys_at_once, tree.x[k] + begin + l)), p.by[k]);
      keys = k == 0 ? hn::Mul(d, d) : hn::Add(keys, hn::Mul(d, d));
    }
    if constexpr (surfaces) keys = hn::Sub(hn::Sqrt(keys), hn::LoadU(keys_at_once, tree.radius + begin + l));
    const unsigned bits = bits_of(keys_at_once, hn::Le(keys, hn::Set(keys_at_once, bound))) & there;
    // With our own table: lane_numbers.hpp has the reason.
    const auto lanes = hn::PromoteTo(slots_at_once, hn::LoadU(bytes_at_once, lane_numbers[bits].data()));
    const auto wide = hn::IndicesFromVec(keys_at_once, hn::PromoteTo(hn::RebindToSigned<decltype(keys_at_once)>(), lanes));
    hn::StoreU(hn::TableLookupLanes(keys, wide), keys_at_once, key + n);
    hn::StoreU(hn::Add(hn::Set(slots_at_once, begin + l), lanes), slots_at_once, place + n);
    n += static_cast<index_t>(hwy::PopCount(bits));
  }
  return n;
}

#else
template <int D>
struct TreeLanes {
  Vec<double, D> x, by, farthest;
  TreeLanes(const NearQuery<D>& p, const Vec<double, D>& shift) : x(p.x), by(shift), farthest(p.farthest) {}
};

template <bool surfaces, int D>
unsigned keys_of_children(const TreeLanes<D>& p, const ChildBoxes<D>& node, const double* radius, double bound, double* key) {
  unsigned bits = 0;
  for (int c = 0; c < leaf_places; ++c) {
    double squared = 0;
    bool is_near = true;
    for (int k = 0; k < D; ++k) {
      const double below = separated(p.x[k], node.lo[k][c], p.by[k]), above = separated(p.x[k], node.hi[k][c], p.by[k]);
      const double away = larger_of(larger_of(-below, above), 0.0);
      is_near = is_near && away <= p.farthest[k];
      squared = k == 0 ? mul_rn(away, away) : add_rn(squared, mul_rn(away, away));
    }
    key[c] = surfaces ? sub_rn(std::sqrt(squared), radius[c]) : squared;
    bits |= static_cast<unsigned>(is_near && key[c] <= bound) << c;
  }
  return bits;
}

template <bool surfaces, int D>
index_t add_leaf(const TreeLanes<D>& p, const NearTreeView<D>& tree, index_t begin, unsigned there, double bound, double* key,
                 index_t* place) {
  index_t n = 0;
  for (index_t q = begin; q < begin + leaf_places; ++q, there >>= 1) {
    double squared = 0;
    for (int k = 0; k < D; ++k) {
      const double d = separated(p.x[k], tree.x[k][q], p.by[k]);
      squared = k == 0 ? mul_rn(d, d) : add_rn(squared, mul_rn(d, d));
    }
    key[n] = surfaces ? sub_rn(std::sqrt(squared), tree.radius[q]) : squared, place[n] = q;
    n += static_cast<index_t>(key[n] <= bound) & static_cast<index_t>(there & 1);
  }
  return n;
}

#endif

bool comes_before(const NearFound& found, const index_t* id, index_t a, index_t b) {
  return found.columns.key[a] < found.columns.key[b] ||
         (found.columns.key[a] == found.columns.key[b] && id[found.columns.slot[a]] < id[found.columns.slot[b]]);
}

void move_found(NearFound& found, index_t from, index_t to) {
  found.columns.key[to] = found.columns.key[from], found.columns.slot[to] = found.columns.slot[from],
  found.columns.image[to] = found.columns.image[from];
}

// Drops all particles after the k-th, whose key becomes the bound.
void tighten(NearFound& found, const index_t* id) {
  index_t last = 0;
  if (found.k == 1) {
    for (index_t i = 1; i < found.count; ++i) last = comes_before(found, id, i, last) ? i : last;
    move_found(found, last, 0);
    found.count = 1, found.bound = found.columns.key[0], found.bound_id = id[found.columns.slot[0]];
    return;
  }
  order_any(found.columns, found.count, found.k, id);
  last = found.columns.order[found.k - 1];
  const double bound = found.bound = found.columns.key[last];
  const index_t last_id = found.bound_id = id[found.columns.slot[last]];
  index_t kept = 0;
  for (index_t i = 0; i < found.count; ++i) {  // no branch depends on a key, except for equal keys
    bool is_one = found.columns.key[i] < bound;
    if (found.columns.key[i] == bound) is_one = id[found.columns.slot[i]] <= last_id;
    move_found(found, i, kept);
    kept += static_cast<index_t>(is_one);
  }
  found.count = kept;
}

template <bool surfaces, int D>
void look_at_leaf(const NearTreeView<D>& tree, const TreeLanes<D>& lanes, const NearRange& range, index_t begin,
                  const NearQuery<D>& query, const NearImage<D>& image, NearFound& found) {
  const auto bits_from = [&](index_t place) { return place <= begin ? 0xffU : (0xffU << std::min(place - begin, 31)) & 0xffU; };
  unsigned there = bits_from(range.begin) & ~bits_from(range.end);
  if (query.itself >= begin && query.itself < begin + leaf_places) there &= ~(1U << (query.itself - begin));
  const index_t first = found.count;
  const index_t end =
      first + add_leaf<surfaces>(lanes, tree, begin, there, found.bound, found.columns.key + first, found.columns.slot + first);
  for (index_t i = first; i < end; ++i) {
    if (found.columns.key[i] > query.certain && !image.is_nearest(found.columns.slot[i], found.columns.key[i])) continue;
    found.columns.key[found.count] = found.columns.key[i], found.columns.slot[found.count] = found.columns.slot[i],
    found.columns.image[found.count] = image.number;
    ++found.count;
  }
  const index_t spare = found.k == 1 ? 0 : std::max(found.k / 4, 4);
  if (found.count > found.k + spare || (found.k == 1 && found.count > first)) tighten(found, tree.id);
}

// A node, or a leaf if its height is negative.
struct NearNode {
  double key;
  index_t least_id, number;
  int height;

  // Returns the lowest node that holds a range.
  static NearNode around(const NearRange& range) {
    NearNode node{-HUGE_VAL, 0, 0, 0};
    while ((range.begin >> shift(node.height)) != ((range.end - 1) >> shift(node.height))) ++node.height;
    node.number = static_cast<index_t>(range.begin >> shift(node.height));
    return node;
  }
  static int shift(int height) { return std::min(3 * height + 6, 31); }  // of places in a node

  // Returns bits of the children that hold places of a range.
  unsigned children(const NearRange& range) const {
    const index_t first = number * leaf_places;
    const int by = shift(height - 1);
    const index_t from = std::max((range.begin >> by) - first, 0), to = std::min(((range.end - 1) >> by) - first, 7);
    return (0xffU << from) & (0xffU >> (7 - to));
  }
};

template <bool surfaces, int D>
void look_in_range(const NearTreeView<D>& tree, const NearRange& range, const NearQuery<D>& query, const NearImage<D>& image,
                   NearFound& found) {
  if (range.begin >= range.end) return;
  const TreeLanes<D> lanes(query, image.by);
  NearNode left[leaf_places * (SlotBoxesView<D>::most_heights + 1)];  // the nearest one is last
  int count = 0;
  left[count++] = NearNode::around(range);
  while (count > 0) {
    const NearNode node = left[--count];
    if (node.key > found.bound || (node.key == found.bound && node.least_id > found.bound_id)) continue;
    if (node.height < 0) {
      look_at_leaf<surfaces>(tree, lanes, range, node.number * leaf_places, query, image, found);
      continue;
    }
    double key[leaf_places];
    const ChildFacts& facts = tree.boxes.facts_of(node.height, node.number);
    unsigned bits =
        keys_of_children<surfaces>(lanes, tree.boxes.node(node.height, node.number), facts.radius, found.bound, key);
    const int first = count;
    for (bits &= node.children(range); bits != 0; bits &= bits - 1) {
      const int child = std::countr_zero(bits);
      int at = count++;
      for (; at > first && left[at - 1].key <= key[child]; --at) left[at] = left[at - 1];
      left[at] = {key[child], facts.least_id[child], node.number * leaf_places + child, node.height - 1};
    }
  }
}

template <int D>
void descend_to_leaves(const NearTreeView<D>& tree, const NearRange& range, const Vec<double, D>* points, index_t count,
                       cell_key_t* leaf) {
  const NearNode root = NearNode::around(range);
  Vec<double, D> anywhere;
  for (int k = 0; k < D; ++k) anywhere[k] = HUGE_VAL;
  for (index_t i = 0; i < count; ++i) {
    const TreeLanes<D> lanes({points[i], -1, anywhere, HUGE_VAL}, {});
    NearNode node = root;
    for (; node.height >= 0; --node.height) {
      double key[leaf_places];
      keys_of_children<false>(lanes, tree.boxes.node(node.height, node.number), nullptr, HUGE_VAL, key);
      int nearest = -1;
      for (unsigned bits = node.children(range); bits != 0; bits &= bits - 1) {
        const int child = std::countr_zero(bits);
        if (nearest < 0 || key[child] < key[nearest]) nearest = child;
      }
      node.number = node.number * leaf_places + nearest;
    }
    leaf[i] = static_cast<cell_key_t>(node.number);
  }
}
