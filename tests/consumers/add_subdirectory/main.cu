// SPDX-License-Identifier: BSD-3-Clause
// The program of main.cpp, compiled by nvcc.
#include "main.cpp"
