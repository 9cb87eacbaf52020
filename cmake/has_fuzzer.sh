#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Whether clang++ is here with libFuzzer, the address sanitizer and OpenMP (Debian: clang, libclang-rt-dev, libomp-dev).
exec clang++ -fsanitize=fuzzer,address -fopenmp -x c++ -o /dev/null - 2>/dev/null <<'END'
#include <omp.h>
extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long n) { return n > 0 && omp_get_max_threads() < 0; }
END
