// SPDX-License-Identifier: BSD-3-Clause
// The emulator as a translated kernel sees it: a C header, because kernels are compiled as C.
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned __int128 u128;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef __int128 s128;
typedef float f32;
typedef double f64;

// Addresses. The first half of a program's memory is device memory, which the host cannot touch; the second is pinned memory.
// The emulator sees these bytes at + EMU_ALIAS and a byte of state for each at + EMU_SHADOW.
#define EMU_BASE 0x100000000000ull
#define EMU_HALF 0x010000000000ull
#define EMU_SIZE (2 * EMU_HALF)
#define EMU_ALIAS 0x040000000000ull
#define EMU_SHADOW 0x080000000000ull
#define EMU_STACKS 0x200000000000ull  // stacks of all threads: their local memory
#define EMU_STACKS_SIZE 0x010000000000ull
#define EMU_SHARED 0x000300000000ull  // generic addresses of a block's shared memory
#define EMU_SHARED_SIZE 0x100000ull

// The bits of a byte's state.
enum { EMU_ALLOCATED = 1, EMU_WRITTEN = 2 };

// A thread of the device, with the fields that its kernel reads.
typedef struct Thread {
  u32 tid[3], ntid[3], ctaid[3], nctaid[3];
  u32 lane, warp, flat;  // flat: number in the block
  u32 shared_size;
  u8* shared;
} Thread;

// Kinds of access, and kinds of collectives at which the lanes of a warp meet.
enum { EMU_READ, EMU_WRITE, EMU_ATOMIC };
enum {
  EMU_SYNC,
  EMU_SHFL_UP,
  EMU_SHFL_DOWN,
  EMU_SHFL_BFLY,
  EMU_SHFL_IDX,
  EMU_ALL,
  EMU_ANY,
  EMU_UNI,
  EMU_BALLOT,
  EMU_MATCH_ANY,
  EMU_MATCH_ALL,
  EMU_ADD,
  EMU_MIN_U,
  EMU_MAX_U,
  EMU_MIN_S,
  EMU_MAX_S,
  EMU_AND,
  EMU_OR,
  EMU_XOR
};
enum { EMU_BAR_AND, EMU_BAR_OR, EMU_BAR_POPC };

#ifdef __cplusplus
extern "C" {
#endif
// Each is told the number of the statement, which reports name.
void emu_fault(Thread*, const char* what, u64 address, u32 bytes, int statement);  // ends the program
void emu_unwritten(Thread*, u64 address, u32 bytes, int statement);
void emu_race(Thread*, u32 offset, u32 bytes, int kind, int statement);
void emu_yield(Thread*, int statement);
void emu_yield_at_times(Thread*, int statement);
u32 emu_barrier(Thread*, u32 id, u32 count, int kind, u32 value, int statement);
void emu_set_condition(Thread*, u64 handle, u32 value, int statement);
u64 emu_collective(Thread*, int kind, u32 mask, u64 value, u32 b, u32 c, u32* predicate, int statement);
u32 emu_active_mask(Thread*, int statement);
// For warp_counts.hpp: the thread begins a basic block, or accesses memory that other blocks see.
void emu_enter(Thread*, u32 block);
void emu_touch(Thread*, u64 address, u32 bytes, int kind, int statement);
u64 emu_variable(const char* name, u32 bytes, const u8* initial);
// Computes in the rounding mode 1 (to zero), 2 (down) or 3 (up). Operations: a + b, a - b, a * b, a / b, a * b + c, root of a.
f32 emu_rounded_f32(int mode, int operation, f32 a, f32 b, f32 c);
f64 emu_rounded_f64(int mode, int operation, f64 a, f64 b, f64 c);
f32 emu_narrowed(int mode, f64 x);
#ifdef __cplusplus
}
#endif

#define EMU_INLINE static inline __attribute__((always_inline))

#ifndef __cplusplus
#include "kernel_arithmetic.h"
#include "kernel_memory.h"
#endif
