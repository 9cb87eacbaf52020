// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic and bits on a device, against the host's results.
#include <cmath>
#include <cstdint>
#include <limits>

#include "support.cuh"

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const std::vector<double> reals{0.0,          -0.0,  1.0,  -1.5, 0.1, 1e-310,   3e38, -7e300,
                                2147483647.5, -1e19, 1e19, 0.5,  2.5, infinity, NAN};
const std::vector<std::int64_t> integers{0,
                                         1,
                                         -1,
                                         7,
                                         -7,
                                         0x7FFFFFFF,
                                         -0x80000000LL,
                                         0x123456789ABCDEFLL,
                                         std::numeric_limits<std::int64_t>::min(),
                                         std::numeric_limits<std::int64_t>::max()};

/// f(out, a, b) for all pairs of values, on the device and on the host; `out` takes `results` bit patterns.
template <int results, class F, class T>
__global__ void on_device(const T* values, int n, std::uint64_t* out) {
  for (int k = static_cast<int>(threadIdx.x); k < n * n; k += static_cast<int>(blockDim.x)) {
    F{}(out + results * k, values[k / n], values[k % n]);
  }
}

template <int results, class F, class T>
void expect_same(const std::vector<T>& values) {
  const auto n = static_cast<int>(values.size());
  OnDevice<T> there(values);
  OnDevice<std::uint64_t> out(static_cast<std::size_t>(results * n * n));
  on_device<results, F><<<1, 64>>>(there.data(), n, out.data());
  const std::vector<std::uint64_t> found = out.read();
  for (int k = 0; k < n * n; ++k) {
    std::uint64_t expected[results];
    F{}(expected, values[static_cast<std::size_t>(k / n)], values[static_cast<std::size_t>(k % n)]);
    for (int r = 0; r < results; ++r) {
      EXPECT_EQ(found[static_cast<std::size_t>(results * k + r)], expected[r])
          << "result " << r << " of " << values[static_cast<std::size_t>(k / n)] << ", "
          << values[static_cast<std::size_t>(k % n)];
    }
  }
}

__host__ __device__ std::uint64_t bits(double x) {
  if (x != x) return 1;  // NaN has many
  std::uint64_t b;
  memcpy(&b, &x, 8);
  return b;
}

struct Reals {
  __host__ __device__ void operator()(std::uint64_t* out, double a, double b) const {
    out[0] = bits(a + b), out[1] = bits(a - b), out[2] = bits(a * b), out[3] = bits(a / b), out[4] = bits(fma(a, b, a));
    out[5] = bits(sqrt(a)), out[6] = bits(fabs(a)), out[7] = bits(floor(a)), out[8] = bits(ceil(a)), out[9] = bits(rint(a));
    out[10] = (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * !(a < b) + 32 * (a > b);
    out[11] = bits(static_cast<float>(a)), out[12] = bits(static_cast<float>(a) * static_cast<float>(b));
    out[13] = bits(copysign(a, b)), out[14] = bits(a == a && b == b ? fmin(a, b) + 0.0 : 0);
  }
};

TEST(KnownNumbers, Reals) {
  NEEDS_DEVICE();
  expect_same<15, Reals>(reals);
}

struct Integers {
  __host__ __device__ void operator()(std::uint64_t* out, std::int64_t a, std::int64_t b) const {
    const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
    const auto a32 = static_cast<std::int32_t>(a), b32 = static_cast<std::int32_t>(b);
    const auto u32 = static_cast<std::uint32_t>(a), v32 = static_cast<std::uint32_t>(b);
    const bool divides = b != 0 && b != -1;
    out[0] = ua + ub, out[1] = ua * ub, out[2] = divides ? static_cast<std::uint64_t>(a / b) : 0;
    out[3] = divides ? static_cast<std::uint64_t>(a % b) : 0, out[4] = ub != 0 ? ua / ub : 0, out[5] = ub != 0 ? ua % ub : 0;
    out[6] = ua << (ub & 63), out[7] = static_cast<std::uint64_t>(a >> (ub & 63)), out[8] = ua >> (ub & 63);
    out[9] = static_cast<std::uint64_t>(static_cast<std::int64_t>(a32) * b32), out[10] = static_cast<std::uint64_t>(u32) * v32;
    out[11] = v32 != 0 ? u32 / v32 : 0, out[12] = b32 != 0 && b32 != -1 ? static_cast<std::uint32_t>(a32 % b32) : 0;
    out[13] = (a < b) + 2 * (ua < ub) + 4 * (a32 < b32) + 8 * (u32 < v32);
    out[14] = ((ua & ub) | (~ua & ~ub)) ^ (ua ^ ub), out[15] = bits(static_cast<double>(a)),
    out[16] = bits(static_cast<float>(u32));
    out[17] = static_cast<std::uint64_t>(static_cast<std::int8_t>(a)), out[18] = static_cast<std::uint16_t>(b);
  }
};

TEST(KnownNumbers, Integers) {
  NEEDS_DEVICE();
  expect_same<19, Integers>(integers);
}

struct Special {
  double up, down, to_zero;
  float narrowed_up, narrowed_down;
  int too_large, too_small, of_nan, rounded;
  unsigned long long high, to_unsigned;
  int high32, leading, leading_wide, first, ones, bytes;
  unsigned reversed, funnel;
  unsigned table, last_of_table;
};

__constant__ unsigned squares[5] = {0, 1, 4, 9, 16};

__global__ void compute(Special* s, double third, double large, unsigned long long word, int i) {
  s->up = __dadd_ru(third, 1e-20), s->down = __dmul_rd(third, third), s->to_zero = __ddiv_rz(-1.0, 3 * third + 2);
  s->narrowed_up = __double2float_ru(third), s->narrowed_down = __double2float_rd(third);
  s->too_large = static_cast<int>(large), s->too_small = static_cast<int>(-large),
  s->of_nan = __double2int_rz(large - large + NAN);
  s->rounded = __double2int_rn(third * 7.5), s->to_unsigned = __double2ull_rz(large);
  s->high = __umul64hi(word, word), s->high32 = __mulhi(static_cast<int>(word), i), s->leading = __clz(i);
  s->leading_wide = __clzll(static_cast<long long>(word)), s->first = __ffs(i), s->ones = __popcll(word);
  s->bytes = static_cast<int>(__byte_perm(0x03020100u, 0x07060504u, 0x7531)), s->reversed = __brev(static_cast<unsigned>(i));
  s->funnel = __funnelshift_l(0x80000001u, 0x7u, static_cast<unsigned>(i));
  s->table = squares[i % 5], s->last_of_table = squares[i - 2];
}

TEST(KnownNumbers, WhatOnlyDevicesHave) {
  NEEDS_DEVICE();
  OnDevice<Special> out(1);
  const double third = 1.0 / 3;
  compute<<<1, 1>>>(out.data(), third, 1e30, 0x0123456789ABCDEFull, 6);
  const Special s = out.read()[0];
  EXPECT_EQ(s.up, std::nextafter(third, 1));
  const double square = third * third;
  EXPECT_EQ(s.down, std::fma(third, third, -square) < 0 ? std::nextafter(square, 0.0) : square);
  EXPECT_EQ(s.to_zero, -third);
  EXPECT_EQ(s.narrowed_up, std::nextafter(s.narrowed_down, 1.0f));
  EXPECT_LT(static_cast<double>(s.narrowed_down), third);
  EXPECT_GT(static_cast<double>(s.narrowed_up), third);
  EXPECT_EQ(s.too_large, std::numeric_limits<int>::max());
  EXPECT_EQ(s.too_small, std::numeric_limits<int>::min());
  EXPECT_EQ(s.of_nan, 0);
  EXPECT_EQ(s.rounded, 2);
  EXPECT_EQ(s.to_unsigned, std::numeric_limits<unsigned long long>::max());
  EXPECT_EQ(s.high, 0x14B66DC33F6ACull);
  EXPECT_EQ(s.high32, -3);
  EXPECT_EQ(s.leading, 29);
  EXPECT_EQ(s.leading_wide, 7);
  EXPECT_EQ(s.first, 2);
  EXPECT_EQ(s.ones, 32);
  EXPECT_EQ(s.bytes, 0x07050301);
  EXPECT_EQ(s.reversed, 0x60000000u);
  EXPECT_EQ(s.funnel, 0x1E0u);
  EXPECT_EQ(s.table, 1u);
  EXPECT_EQ(s.last_of_table, 16u);
}

}  // namespace
