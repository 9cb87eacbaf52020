// SPDX-License-Identifier: BSD-3-Clause
// Loads, stores and atomics of translated kernels. Each byte is looked up before it is touched.
#pragma once

EMU_INLINE u64 emu_state(const u8* state, u32 n) {
  u64 bits = 0;
  memcpy(&bits, state, n);
  return bits;
}

EMU_INLINE u64 emu_each(u64 bit, u32 n) { return bit * (0x0101010101010101ull >> (8 * (8 - n))); }

EMU_INLINE u8* emu_shared(Thread* t, u64 offset, u32 n, int kind, int statement) {
  if (__builtin_expect(offset & (n - 1), 0)) emu_fault(t, "misaligned shared access", offset, n, statement);
  if (__builtin_expect(offset + n > t->shared_size, 0)) emu_fault(t, "shared access out of bounds", offset, n, statement);
#ifdef EMU_RACES
  emu_race(t, (u32)offset, n, kind, statement);
#endif
  return t->shared + offset;
}

// Resolves a generic address, as most are: in global, shared or local memory.
EMU_INLINE u8* emu_generic(Thread* t, u64 a, u32 n, int kind, int statement) {
  if (__builtin_expect(a & (n - 1), 0)) emu_fault(t, "misaligned access", a, n, statement);
  if (__builtin_expect(a - EMU_BASE < EMU_SIZE, 1)) {
    u8* state = (u8*)(a + EMU_SHADOW);
    const u64 bits = emu_state(state, n), allocated = emu_each(EMU_ALLOCATED, n), written = emu_each(EMU_WRITTEN, n);
    if (__builtin_expect((bits & allocated) != allocated, 0)) {
      emu_fault(t, kind == EMU_WRITE ? "global write outside of allocations" : "global read outside of allocations", a, n,
                statement);
    }
    if (kind != EMU_WRITE && __builtin_expect((bits & written) != written, 0)) emu_unwritten(t, a, n, statement);
    if (kind != EMU_READ) memset(state, EMU_ALLOCATED | EMU_WRITTEN, n);
    return (u8*)(a + EMU_ALIAS);
  }
  if (a - EMU_SHARED < EMU_SHARED_SIZE) return emu_shared(t, a - EMU_SHARED, n, kind, statement);
  if (a - EMU_STACKS < EMU_STACKS_SIZE) return (u8*)a;
  emu_fault(t, "access of no device memory", a, n, statement);
  return 0;
}

EMU_INLINE void emu_aligned(Thread* t, u64 a, u32 bytes, int statement) {
  if (a & (bytes - 1)) emu_fault(t, "misaligned vector access", a, bytes, statement);
}

// At the address of a variable of the kernel's own: its parameters and local arrays.
#define EMU_OWN(ty)                        \
  EMU_INLINE ty emu_load_own_##ty(u64 a) { \
    ty v;                                  \
    memcpy(&v, (const void*)a, sizeof v);  \
    return v;                              \
  }                                        \
  EMU_INLINE void emu_store_own_##ty(u64 a, ty v) { memcpy((void*)a, &v, sizeof v); }

// Calls loads and stores: where they are inlined, at a thousand places, the compiler takes three times as long.
#define EMU_AT(space, ty)                                                       \
  static ty emu_load_##space##_##ty(Thread* t, u64 a, int statement) {          \
    ty v;                                                                       \
    memcpy(&v, emu_##space(t, a, sizeof(ty), EMU_READ, statement), sizeof v);   \
    return v;                                                                   \
  }                                                                             \
  static void emu_store_##space##_##ty(Thread* t, u64 a, ty v, int statement) { \
    memcpy(emu_##space(t, a, sizeof(ty), EMU_WRITE, statement), &v, sizeof v);  \
  }

#define EMU_MEMORY(ty) EMU_OWN(ty) EMU_AT(generic, ty) EMU_AT(shared, ty)
EMU_MEMORY(u8)
EMU_MEMORY(u16)
EMU_MEMORY(u32) EMU_MEMORY(u64) EMU_MEMORY(s8) EMU_MEMORY(s16) EMU_MEMORY(s32) EMU_MEMORY(s64)

// o: the old value; b, c: the operands.
#define EMU_ATOM(name, ty, expression)                                             \
  static ty emu_atom_generic_##name(Thread* t, u64 a, ty b, ty c, int statement) { \
    emu_yield_at_times(t, statement);                                              \
    ty* p = (ty*)emu_generic(t, a, sizeof(ty), EMU_ATOMIC, statement);             \
    ty o = *p;                                                                     \
    *p = (expression);                                                             \
    return o;                                                                      \
  }                                                                                \
  static ty emu_atom_shared_##name(Thread* t, u64 a, ty b, ty c, int statement) {  \
    ty* p = (ty*)emu_shared(t, (u32)a, sizeof(ty), EMU_ATOMIC, statement);         \
    ty o = *p;                                                                     \
    *p = (expression);                                                             \
    return o;                                                                      \
  }
#define EMU_ATOMS(ty)                 \
  EMU_ATOM(add_##ty, ty, (ty)(o + b)) \
  EMU_ATOM(exch_##ty, ty, b)          \
  EMU_ATOM(min_##ty, ty, o < b ? o : b) EMU_ATOM(max_##ty, ty, o > b ? o : b) EMU_ATOM(cas_##ty, ty, o == b ? c : o)
#define EMU_ATOMS_OF_BITS(ty)  \
  EMU_ATOM(and_##ty, ty, o& b) \
  EMU_ATOM(or_##ty, ty, o | b) \
  EMU_ATOM(xor_##ty, ty, o ^ b) EMU_ATOM(inc_##ty, ty, o >= b ? 0 : o + 1) EMU_ATOM(dec_##ty, ty, o == 0 || o > b ? b : o - 1)
    EMU_ATOMS(u32) EMU_ATOMS(s32) EMU_ATOMS(u64) EMU_ATOMS(s64) EMU_ATOMS_OF_BITS(u32) EMU_ATOMS_OF_BITS(u64)
        EMU_ATOM(add_f32, f32, o + b) EMU_ATOM(add_f64, f64, o + b)
