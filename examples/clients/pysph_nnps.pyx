# cython: language_level=3, boundscheck=False, wraparound=False
# distutils: language=c++
# SPDX-License-Identifier: BSD-3-Clause
"""PySPH's search of neighbors on hgrid, with the arguments of LinkedListNNPS: HgridNNPS(dim, particles, radius_scale=2.0, ...)

Compile it as pysph_tests.py does, and give `nnps=HgridNNPS(...)` to a solver, or put it in the place of LinkedListNNPS."""
from cyarray.carray cimport LongArray, UIntArray
from libc.stdint cimport int32_t, int64_t
from pysph.base.nnps_base cimport NNPS, NNPSParticleArrayWrapper

import numpy as np

import hgrid


cdef class HgridNNPS(NNPS):
    cdef object grid
    cdef object lists  # keeps the memory of the two below
    cdef const int64_t[:] offsets
    cdef const int32_t[:] ids
    cdef int64_t[:] first  # the first id of each array, and one behind the last; ids count the particles of all arrays
    cdef NNPSParticleArrayWrapper src, dst
    cdef int64_t src_begin, src_end, dst_begin
    cdef bint same

    def __init__(self, int dim, list particles, double radius_scale=2.0, int ghost_layers=1, domain=None, bint fixed_h=False,
                 bint cache=False, bint sort_gids=False):
        NNPS.__init__(self, dim, particles, radius_scale, ghost_layers, domain, cache, sort_gids)
        self.sort_gids = sort_gids
        self.grid = hgrid.Grid(rule="max")  # d <= max(r_i, r_j)
        self.domain.update()
        self.update()

    def _all(self, name):
        return [array.get_carray(name).get_npy_array() for array in self.particles]

    cpdef _refresh(self):
        """One grid and one list for all arrays, at each update. Ghosts that PySPH made beyond periodic faces are particles."""
        x = np.stack([np.concatenate(self._all(name)) for name in "xyz"[:max(self.dim, 2)]], axis=1)
        r = self.radius_scale * np.concatenate(self._all("h"))
        self.first = np.cumsum([0] + [len(h) for h in self._all("h")], dtype=np.int64)
        self.lists = self.grid.build(x, r).neighbors()
        self.offsets, self.ids = self.lists.offsets, self.lists.indices

    cpdef _bin(self, int pa_index, UIntArray indices):
        pass

    cpdef set_context(self, int src_index, int dst_index):
        NNPS.set_context(self, src_index, dst_index)
        self.src, self.dst = self.pa_wrappers[src_index], self.pa_wrappers[dst_index]
        self.src_begin, self.src_end, self.dst_begin = self.first[src_index], self.first[src_index + 1], self.first[dst_index]
        self.same = src_index == dst_index

    cdef void find_nearest_neighbors(self, size_t d_idx, UIntArray nbrs) noexcept nogil:
        cdef int64_t low = self.offsets[self.dst_begin + d_idx], end = self.offsets[self.dst_begin + d_idx + 1]
        cdef int64_t high = end, middle
        cdef size_t before = nbrs.length
        while low < high:  # a list is sorted by ids, so that those of one array are side by side
            middle = (low + high) // 2
            if self.ids[middle] < self.src_begin:
                low = middle + 1
            else:
                high = middle
        if self.same:
            self.take(d_idx, d_idx, nbrs)  # PySPH's particles are neighbors of themselves
        while low < end and self.ids[low] < self.src_end:
            self.take(d_idx, self.ids[low] - self.src_begin, nbrs)
            low += 1
        if self.sort_gids:
            self._sort_neighbors(&nbrs.data[before], nbrs.length - before, self.src.gid.data)

    cdef inline void take(self, size_t i, size_t j, UIntArray nbrs) noexcept nogil:
        """PySPH leaves out pairs at just the radius, which hgrid lists, and looks at all three coordinates in 1-D and 2-D, too."""
        cdef double x = self.dst.x.data[i] - self.src.x.data[j], y = self.dst.y.data[i] - self.src.y.data[j]
        cdef double z = self.dst.z.data[i] - self.src.z.data[j]
        cdef double r_i = self.radius_scale * self.dst.h.data[i], r_j = self.radius_scale * self.src.h.data[j]
        cdef double d2 = x * x + y * y + z * z
        if d2 < r_i * r_i or d2 < r_j * r_j:
            nbrs.c_append(<unsigned int>j)

    cpdef get_spatially_ordered_indices(self, int pa_index, LongArray indices):
        """By cells, along x within one."""
        cdef NNPSParticleArrayWrapper array = self.pa_wrappers[pa_index]
        x, y, z = array.x.get_npy_array(), array.y.get_npy_array(), array.z.get_npy_array()
        order = np.lexsort((x, x // self.cell_size, y // self.cell_size, z // self.cell_size))
        indices.resize(len(order))
        indices.set_data(order.astype(np.int_))
