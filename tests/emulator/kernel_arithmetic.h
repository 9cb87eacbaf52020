// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic of PTX that C has no operator for. Registers hold bits; each instruction gives them a type.
#pragma once

#define EMU_BITS(from, to, name) \
  EMU_INLINE to name(from x) {   \
    to y;                        \
    memcpy(&y, &x, sizeof y);    \
    return y;                    \
  }
EMU_BITS(u32, f32, emu_as_f32)
EMU_BITS(u64, f64, emu_as_f64)
EMU_BITS(f32, u32, emu_of_f32)
EMU_BITS(f64, u64, emu_of_f64)

// Converts to integers: NaN gives 0, a number that is too large the nearest integer.
#define EMU_TO_INTEGER(from, to, least, most)  \
  EMU_INLINE to emu_##from##_to_##to(from x) { \
    if (x != x) return 0;                      \
    if (x <= (from)(least)) return least;      \
    if (x >= (from)(most)) return most;        \
    return (to)x;                              \
  }
#define EMU_TO_INTEGERS(from)                     \
  EMU_TO_INTEGER(from, s32, INT32_MIN, INT32_MAX) \
  EMU_TO_INTEGER(from, u32, 0, UINT32_MAX)        \
  EMU_TO_INTEGER(from, s64, INT64_MIN, INT64_MAX) \
  EMU_TO_INTEGER(from, u64, 0, UINT64_MAX)
EMU_TO_INTEGERS(f32)
EMU_TO_INTEGERS(f64)

EMU_INLINE u32 emu_clz_u32(u32 x) { return x ? (u32)__builtin_clz(x) : 32; }
EMU_INLINE u32 emu_clz_u64(u64 x) { return x ? (u32)__builtin_clzll(x) : 64; }
EMU_INLINE u32 emu_bfind_u32(u32 x) { return x ? 31 - (u32)__builtin_clz(x) : ~0u; }
EMU_INLINE u32 emu_bfind_u64(u64 x) { return x ? 63 - (u32)__builtin_clzll(x) : ~0u; }

EMU_INLINE u32 emu_brev_u32(u32 x) {
  u32 r = 0;
  for (int i = 0; i < 32; ++i) r |= (x >> i & 1u) << (31 - i);
  return r;
}
EMU_INLINE u64 emu_brev_u64(u64 x) { return (u64)emu_brev_u32((u32)x) << 32 | emu_brev_u32((u32)(x >> 32)); }

// A byte of a and b for each hexadecimal digit of c; with the digit's highest bit, its sign eight times.
EMU_INLINE u32 emu_prmt(u32 a, u32 b, u32 c) {
  const u64 bytes = a | (u64)b << 32;
  u32 r = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 digit = c >> (4 * i) & 15;
    u32 x = (u32)(bytes >> (8 * (digit & 7))) & 255;
    if (digit & 8) x = x & 128 ? 255 : 0;
    r |= x << (8 * i);
  }
  return r;
}

EMU_INLINE u64 emu_low_bits(u32 n) { return n >= 64 ? ~0ull : (1ull << n) - 1; }
EMU_INLINE u32 emu_bmsk(u32 at, u32 n) { return at >= 32 ? 0 : (u32)(emu_low_bits(n) << at); }

EMU_INLINE u64 emu_bfe_u(u64 x, u32 at, u32 n, u32 width) {
  at &= 255, n &= 255;
  return at >= width ? 0 : x >> at & emu_low_bits(n);
}
EMU_INLINE s64 emu_bfe_s(s64 x, u32 at, u32 n, u32 width) {
  at &= 255, n &= 255;
  if (n == 0) return 0;
  if (at >= width) return x < 0 ? -1 : 0;
  if (at + n > width) n = width - at;
  return (s64)((u64)x << (64 - at - n)) >> (64 - n);
}
EMU_INLINE u64 emu_bfi(u64 a, u64 b, u32 at, u32 n, u32 width) {
  at &= 255, n &= 255;
  if (at >= width) return b;
  const u64 bits = emu_low_bits(n) << at;
  return (b & ~bits) | (a << at & bits);
}

EMU_INLINE u32 emu_shf_l(u32 low, u32 high, u32 n) { return (u32)((((u64)high << 32 | low) << n) >> 32); }
EMU_INLINE u32 emu_shf_r(u32 low, u32 high, u32 n) { return (u32)(((u64)high << 32 | low) >> n); }
