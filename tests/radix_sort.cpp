// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/cells/radix_sort.hpp"

#include <algorithm>
#include <numeric>

#include "support/executors.hpp"
#include "support/random.hpp"

namespace {

template <class Exec>
class RadixSort : public ::testing::Test {};
TYPED_TEST_SUITE(RadixSort, support::Executors);

template <class Key, class Exec>
void expect_sorts(const Exec& exec, int n, int key_bits, int used_bits, support::Random& random) {
  std::vector<Key> key(n);
  for (Key& k : key) k = static_cast<Key>(used_bits == 0 ? 0 : random.bits() >> (64 - used_bits));
  std::vector<hgrid::index_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key[a] < key[b]; });

  hgrid::detail::SortBuffers<Exec, Key> s;
  for (int b = 0; b < 2; ++b) {
    s.key[b] = typename Exec::template Buffer<Key>(exec, n);
    s.id[b] = typename Exec::template Buffer<hgrid::index_t>(exec, n);
  }
  s.counts = typename Exec::template Buffer<hgrid::offset_t>(exec, s.counts_needed(exec, n));
  for (int i = 0; i < n; ++i) s.key[0].data()[i] = key[i], s.id[0].data()[i] = i;
  hgrid::detail::radix_sort(exec, s, n, key_bits);
  for (int i = 0; i < n; ++i) {
    ASSERT_EQ(s.id[s.current].data()[i], order[i]) << "n " << n << ", bits " << key_bits << ", place " << i;
    ASSERT_EQ(s.key[s.current].data()[i], key[order[i]]);
  }
}

TYPED_TEST(RadixSort, EqualsAStableSort) {
  support::Random random(9);
  for (int threads : {1, 2, 7, 16}) {
    const auto exec = support::make_executor<TypeParam>(threads);
    for (int n : {0, 1, 2, 63, 1023, 1025, 5000, 20000}) {
      for (int bits : {1, 8, 9, 31, 63, 64}) expect_sorts<std::uint64_t>(exec, n, bits, bits, random);
      for (int bits : {1, 9, 32}) expect_sorts<std::uint32_t>(exec, n, bits, bits, random);
      expect_sorts<std::uint64_t>(exec, n, 64, 0, random);
      expect_sorts<std::uint64_t>(exec, n, 64, 3, random);
    }
  }
}

}  // namespace
