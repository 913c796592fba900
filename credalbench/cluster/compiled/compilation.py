"""Compile all kernels before a clock starts; ``credalbench.kernels`` says how."""

from __future__ import annotations

from credalbench.kernels import compile_kernels

__all__ = ["compile_kernels"]
