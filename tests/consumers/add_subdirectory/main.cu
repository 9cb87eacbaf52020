// SPDX-License-Identifier: BSD-3-Clause
// The same program from nvcc.
#include "main.cpp"
