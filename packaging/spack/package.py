# SPDX-License-Identifier: BSD-3-Clause
from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage


class Hgrid(CMakePackage, CudaPackage):
    """All contacts of particles of any sizes, each once, by a hierarchical grid: a library for C++20, C and Fortran, and a tool."""

    license("BSD-3-Clause")
    version("0.2.0")

    variant("shared", default=True, description="Shared libraries of C++; that of C is always shared")
    variant("highway", default=True, description="Search with vectors")
    variant("c", default=True, description="The C library, for C, Fortran and others")
    variant("tool", default=True, description="The command-line tool")
    variant("kokkos", default=False, description="The executor on Kokkos")
    variant("mpi", default=False, description="Grids over ranks")

    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("highway@1.0:", type="build", when="+highway")
    depends_on("cli11", type="build", when="+tool")
    depends_on("nlohmann-json", type="build", when="+tool")
    depends_on("fmt@9:", when="+tool")
    depends_on("kokkos@3.4:", when="+kokkos")
    depends_on("mpi", when="+mpi")
    depends_on("zoltan", when="+mpi")

    conflicts("%gcc@:10", msg="hgrid needs C++20 of GCC 11 or later")

    def cmake_args(self):
        args = [
            self.define_from_variant("HGRID_SHARED", "shared"),
            self.define_from_variant("HGRID_C", "c"),
            self.define_from_variant("HGRID_BUILD_TOOL", "tool"),
            self.define_from_variant("HGRID_KOKKOS", "kokkos"),
            self.define_from_variant("HGRID_CUDA", "cuda"),
            self.define_from_variant("HGRID_MPI", "mpi"),
            self.define("HGRID_BUILD_TESTS", False),
            self.define("HGRID_BUILD_BENCH", False),
            self.define("HGRID_BUILD_EXAMPLES", False),
        ]
        if self.spec.satisfies("~highway"):
            args.append(self.define("HGRID_HIGHWAY_INCLUDE", False))  # also where the system has it
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args
