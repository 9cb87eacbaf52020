// SPDX-License-Identifier: BSD-3-Clause
// The host engine in one piece, for planted faults in its headers: compiled together, its files take half the time.
#include "host/host_build.cpp"
#include "host/host_build_2d.cpp"
#include "host/host_engine.cpp"
#include "host/host_engine_2d.cpp"
#include "host/host_two_sets.cpp"
#include "host/search/fast_search.cpp"
