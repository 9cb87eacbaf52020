# SPDX-License-Identifier: BSD-3-Clause
"""python -m hgrid"""
import sys

from ._command import main

sys.exit(main())
